"""Memory that nobody uses goes back to the system."""

from __future__ import annotations

import ctypes
import importlib
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import replace

from kernelviz.engine.core.errors import BadInput
from kernelviz.runtime.messages import Answer, Failure, Frame, Pause, Request
from kernelviz.runtime.pipeline import Memory, afterwards, answers, polish


def give_back() -> None:
    """Return what was freed, within about a millisecond.

    glibc keeps it, in as many heaps as threads have asked for some: a lively hour leaves a hundred megabytes
    of crumbs. Other systems do this by themselves."""
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)) is not None:
        trim(0)


BREATH_EVERY = 0.002
# Small steps hold the GIL back to back; a breath every few milliseconds keeps the window at 60 frames.
BREATH = 1e-5

PATIENCE = 2.0  # Seconds without a picture after which any newer request goes first.

STOPPED = "Stopped before it was done. Any change starts it again."

CALM = 0.15  # Seconds without a request after which nobody is in a hurry.

IDLE = 2.0  # Seconds without a request after which there is time to tidy up.

Publish = Callable[[Answer], None]
Decorate = Callable[[Frame], object]


class Runner:
    """Turns requests into answers, on its own thread or, with `synchronous`, within `submit`.

    `publish` receives every answer, on the worker's thread. `decorate` may prepare a frame for drawing,
    also on the worker's thread."""

    def __init__(
        self, publish: Publish, *, decorate: Decorate | None = None, synchronous: bool = False
    ) -> None:
        self._publish = publish
        self._decorate = decorate
        self._synchronous = synchronous
        self._memories: dict[int, Memory] = {}
        self._inbox: Request | None = None
        self._wake = threading.Condition()
        self._stopping = False
        self._serving, self._since, self._given_up = 0, 0.0, -1
        self._thread: threading.Thread | None = None
        if not synchronous:
            self._thread = threading.Thread(target=self._loop, name="kernelviz-worker", daemon=True)
            self._thread.start()

    def submit(self, request: Request) -> None:
        """Ask for a request; it replaces one that has not begun."""
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
        """Do not finish the requests up to this one; of what has no picture yet it is said so."""
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
        while (request := self._next()) is not None:
            self._answer(request)

    def _next(self) -> Request | None:
        """The next request, or None at the end; while there is none, time to tidy up."""
        with self._wake:
            idle = not self._wake.wait_for(self._wanted, IDLE)
        if idle:
            give_back()
        with self._wake:
            self._wake.wait_for(self._wanted)
            request, self._inbox = self._inbox, None
        return None if self._stopping else request

    def _wanted(self) -> bool:
        """Whether there is something to do, or nothing any more."""
        return self._inbox is not None or self._stopping

    def _answer(self, request: Request) -> None:
        """Serve every fit asked for, the active one first; then what can wait."""
        self._serving, self._since = request.stamp, time.perf_counter()
        for gone in set(self._memories) - set(range(len(request.fits))):
            del self._memories[gone]
        waiting = set(request.asked)
        for fit in request.asked:
            memory = self._memories.setdefault(fit, Memory())
            if self._attempt(request, fit, answers(request, fit, memory), waiting):
                return
        if not self._synchronous:
            # The first picture did without scipy. It is imported while that is looked at, and not later: in a
            # drag the next pictures, and the window, would wait for it.
            importlib.import_module("scipy.linalg.lapack")
        if request.active in self._memories:  # it failed otherwise
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
        """Do the work, or say why it cannot be done; whether it was abandoned for something newer."""
        try:
            overtaken = self._work(work, waiting)
            if fit in waiting and self._is_given_up:
                self._fail(Failure(request, STOPPED, fit=fit, stopped=True))
            return overtaken
        except BadInput as problem:
            self._fail(Failure(request, str(problem), fit=fit))
        except MemoryError:
            sentence = "There is not enough memory for so many points. Use fewer."
            self._fail(Failure(request, sentence, fit=fit))
        except Exception as error:
            sentence = f"Something went wrong inside ({type(error).__name__}). Your points are safe."
            self._fail(Failure(request, sentence, traceback.format_exc(), fit=fit))
        waiting.discard(fit)
        return self._overtaken(waiting)

    def _wait_for_haste(self) -> None:
        """During a drag the next request comes within milliseconds; what can wait must not delay it."""
        if not self._synchronous:
            with self._wake:
                self._wake.wait_for(self._wanted, CALM)

    def _fail(self, failure: Failure) -> None:
        # Whatever broke may have left a run that cannot go on or a model that cannot be started from.
        self._memories.pop(failure.fit, None)
        self._publish(failure)

    def _overtaken(self, waiting: set[int]) -> bool:
        """Whether something newer is to be done: at once for a change of kind or the end; else as soon as
        every fit asked for has been seen, or has taken very long."""
        if self._synchronous:
            return False
        newer = self._inbox
        return (
            self._stopping
            or self._is_given_up
            or (newer is not None and (newer.discrete or not waiting or self._takes_long))
        )

    @property
    def _is_given_up(self) -> bool:
        return self._serving <= self._given_up

    @property
    def _takes_long(self) -> bool:
        return time.perf_counter() - self._since > PATIENCE

    def _work(self, work: Iterator[Answer | Pause | None], waiting: set[int]) -> bool:
        breath = time.perf_counter()
        for answer in work:
            if answer is Pause.LATER:
                self._wait_for_haste()
            elif answer is not None:
                if isinstance(answer, Frame):
                    waiting.discard(answer.fit)
                    if self._decorate is not None:
                        answer = replace(answer, decoration=self._decorate(answer))
                self._publish(answer)
            if self._overtaken(waiting):
                return True
            now = time.perf_counter()
            if now - breath > BREATH_EVERY and not self._synchronous:
                time.sleep(BREATH)
                breath = now
        return False
