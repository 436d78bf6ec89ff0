"""The worker: turns requests into answers on its own thread; the latest request wins."""

from __future__ import annotations

import ctypes
import importlib
import logging
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import replace

from kernelviz.engine.core.errors import BadInput
from kernelviz.runtime.diagnosis import LOG
from kernelviz.runtime.jobs import SHORT_SLEEP
from kernelviz.runtime.messages import Answer, Failure, Frame, Pause, Request
from kernelviz.runtime.pipeline import FitCache, afterwards, answers, polish

PATIENCE = 2.0  # Seconds without a picture after which any newer request goes first.
RESTING = 0.15  # Seconds without a request after which the user has stopped editing.
IDLE = 2.0  # Seconds without a request after which memory is returned.
_LOG = LOG.getChild("worker")


def trim_memory() -> None:
    """Return freed memory to the system, within about a millisecond.

    glibc keeps it in a heap for each thread: an hour of editing leaves a hundred megabytes of unused pieces.
    Other systems do this by themselves."""
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)) is not None:
        trim(0)


Publish = Callable[[Answer], None]
Decorate = Callable[[Frame], object]


class Runner:
    """Turns requests into answers, on its own thread or, with `synchronous`, within `submit`.

    `publish` is called with every answer, on the worker's thread. `decorate` may prepare a frame for drawing,
    also on the worker's thread. A request waits in a slot for one: a newer one replaces it. What has begun is
    abandoned at its next step for a discrete change; a drag lets it publish a frame first."""

    def __init__(
        self, publish: Publish, *, decorate: Decorate | None = None, synchronous: bool = False
    ) -> None:
        self._publish = publish
        self._decorate = decorate
        self._synchronous = synchronous
        self._memories: dict[int, FitCache] = {}
        self._inbox: Request | None = None
        self._wake = threading.Condition()
        self._stopping = False
        self._serving, self._since, self._given_up = 0, 0.0, -1
        self._thread: threading.Thread | None = None
        if not synchronous:
            self._thread = threading.Thread(target=self._loop, name="kernelviz-worker", daemon=True)
            self._thread.start()

    def submit(self, request: Request) -> None:
        """Submit a request; it replaces one that has not begun.

        If that one was a discrete change, the new request counts as one too, so that what is running now is
        abandoned for it."""
        if self._synchronous:
            self._answer(request)
            return
        with self._wake:
            waiting = self._inbox
            if waiting is not None and waiting.discrete and not request.discrete:
                request = replace(request, discrete=True)
            self._inbox = request
            self._wake.notify()

    def give_up(self, stamp: int) -> None:
        """Cancel the requests up to this one; those without a picture get a Failure."""
        self._given_up = stamp

    def stop(self, timeout: float = 2.0) -> bool:
        """End the thread; True if it ended in time."""
        with self._wake:
            self._stopping = True
            self._wake.notify()
        if self._thread is None:
            return True
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _loop(self) -> None:
        """Answer requests until the worker is stopped."""
        while (request := self._next()) is not None:
            self._answer(request)

    def _next(self) -> Request | None:
        """Return the next request, or None at the end; return freed memory while there is none."""
        with self._wake:
            idle = not self._wake.wait_for(self._wanted, IDLE)
        if idle:
            trim_memory()
        with self._wake:
            self._wake.wait_for(self._wanted)
            request, self._inbox = self._inbox, None
        return None if self._stopping else request

    def _wanted(self) -> bool:
        """Return True if there is a request, or the thread must end."""
        return self._inbox is not None or self._stopping

    def _answer(self, request: Request) -> None:
        """Answer for every fit of the request, the active one first; then do the deferred work."""
        painted = 0.3  # Seconds within which the window has painted the first picture.
        self._serving, self._since = request.stamp, time.perf_counter()
        for fit in request.asked:
            kernel, algorithm = request.fits[fit].kernel, request.fits[fit].algorithm
            _LOG.debug(
                "request %d: fit %d, n = %d, %s ; %s", request.stamp, fit, request.data.n, kernel, algorithm
            )
        for gone in set(self._memories) - set(range(len(request.fits))):
            del self._memories[gone]
        waiting = set(request.asked)
        for fit in request.asked:
            memory = self._memories.setdefault(fit, FitCache())
            if self._attempt(request, fit, answers(request, fit, memory), waiting):
                return
        if not self._synchronous:
            # The first picture needs no scipy. It is imported once that picture is painted, while the user
            # looks at it: in a drag the next pictures, and the window, would wait for it.
            if "scipy.linalg.lapack" not in sys.modules:
                with self._wake:
                    if self._wake.wait_for(self._wanted, painted):
                        return
            importlib.import_module("scipy.linalg.lapack")
        if request.active in self._memories:  # otherwise it has failed
            later = afterwards(request, self._memories[request.active])
            if self._attempt(request, request.active, later, waiting):
                return
        for fit in request.asked:
            known = self._memories.get(fit)
            if known is not None and self._attempt(request, fit, polish(request, fit, known), waiting):
                return

    def _attempt(
        self, request: Request, fit: int, work: Iterator[Answer | Pause | None], waiting: set[int]
    ) -> bool:
        """Do the work, or publish why it cannot be done; return True if it was abandoned for a newer
        request."""
        stopped = "Stopped before it was done. Any change starts it again."
        try:
            overtaken = self._work(work, waiting)
            if fit in waiting and self._is_given_up:
                self._fail(Failure(request, stopped, fit=fit, stopped=True))
            return overtaken
        except BadInput as problem:
            self._fail(Failure(request, str(problem), fit=fit))
        except MemoryError:
            sentence = "There is not enough memory for this many points. Use fewer points."
            self._fail(Failure(request, sentence, fit=fit))
        except Exception as error:
            sentence = (
                f"Something went wrong inside kernelviz ({type(error).__name__}). Your points are safe."
            )
            self._fail(Failure(request, sentence, traceback.format_exc(), fit=fit))
        waiting.discard(fit)
        return self._overtaken(waiting)

    def _fail(self, failure: Failure) -> None:
        """Publish a failure, and drop the cache of that fit: the error may have left a run that cannot
        continue, or a model that cannot be started from."""
        level = logging.ERROR if failure.details else logging.INFO
        _LOG.log(
            level, "request %d: fit %d, %s", failure.stamp, failure.fit, failure.details or failure.sentence
        )
        self._memories.pop(failure.fit, None)
        self._publish(failure)

    def _overtaken(self, waiting: set[int]) -> bool:
        """Return True if the present request must be abandoned: immediately for a change of kernel, algorithm
        or data set and at the end of the program; else when every fit has a picture, or has taken long."""
        if self._synchronous:
            return False
        newer, takes_long = self._inbox, time.perf_counter() - self._since > PATIENCE
        return (
            self._stopping
            or self._is_given_up
            or (newer is not None and (newer.discrete or not waiting or takes_long))
        )

    @property
    def _is_given_up(self) -> bool:
        """True if the user has cancelled the request that is being answered."""
        return self._serving <= self._given_up

    def _work(self, work: Iterator[Answer | Pause | None], waiting: set[int]) -> bool:
        """Do the work piece by piece and publish its answers; return True if a newer request goes first. Now
        and then it sleeps for a moment, so that the window can draw."""
        # Seconds between two short sleeps: small steps would hold the GIL without a break, and the window
        # could not draw 60 frames per second.
        sleep_every = 0.002
        slept = time.perf_counter()
        for answer in work:
            if answer is Pause.LATER:
                # In a drag the next request comes within milliseconds and must not be delayed.
                if not self._synchronous:
                    with self._wake:
                        self._wake.wait_for(self._wanted, RESTING)
            elif answer is not None:
                if isinstance(answer, Frame):
                    waiting.discard(answer.fit)
                    if self._decorate is not None:
                        answer = replace(answer, decoration=self._decorate(answer))
                    took = 1e3 * (time.perf_counter() - self._since)
                    _LOG.debug(
                        "request %d: fit %d, step %d, after %.1f ms",
                        answer.stamp,
                        answer.fit,
                        answer.step,
                        took,
                    )
                self._publish(answer)
            if self._overtaken(waiting):
                _LOG.debug("request %d: abandoned for a newer one", self._serving)
                return True
            now = time.perf_counter()
            if now - slept > sleep_every and not self._synchronous:
                time.sleep(SHORT_SLEEP)
                slept = now
        return False
