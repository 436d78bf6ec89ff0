"""Long work on another thread, with progress, errors in words, and a way to cancel it.

Work is a generator: every `yield` gives the share done and is a place where the work may be cancelled; its
return value is the result."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import Future
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import Any, NamedTuple, TypeVar

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.generators import Steps
from kernelviz.runtime.diagnosis import LOG

_LOG = LOG.getChild("jobs")
Beat = Callable[[], None]  # Called between the steps of long work; may raise to cancel it.
# Makes a generator that yields the share done and returns the result; calls its beat in between.
Work = Callable[[Beat], Generator[float, None, Any]]
SHORT_SLEEP = 1e-5  # Seconds of sleep that let the GUI thread have the interpreter.


class GivenUpError(Exception):
    """Raised by the beat of work that was cancelled."""


class News(Enum):
    """An event in the life of a job; the comments say what its value is."""

    PROGRESSED = "the share done"
    DONE = "the result"
    FAILED = "the reason for the failure, in the user's words"
    RAISED = "a mistake in the program"
    GIVEN_UP = "it was cancelled: no value"
    IDLE = "no job is left: no value"


@dataclass(eq=False)
class Job:
    """A piece of work, waiting or running."""

    work: Work
    no_memory: str = "There is not enough memory for this. Choose a smaller size or fewer frames."
    given_up: threading.Event = field(default_factory=threading.Event)

    def beat(self) -> None:
        """Let other threads work; raise GivenUpError if the job was cancelled."""
        time.sleep(SHORT_SLEEP)
        if self.given_up.is_set():
            raise GivenUpError

    def run(self, progressed: Callable[[float], None]) -> tuple[News, Any]:
        """Do the work on this thread and return how it ended and with what value."""
        try:
            self.beat()
            with contextlib.closing(self.work(self.beat)) as work:
                steps = Steps(work)
                for share in steps:
                    progressed(share)
                    self.beat()
            return News.DONE, steps.result
        except GivenUpError:
            return News.GIVEN_UP, None
        except BadInput as problem:
            return News.FAILED, str(problem)
        except MemoryError:
            return News.FAILED, self.no_memory
        except Exception as error:  # a mistake in the program: raised again where it can be reported
            return News.RAISED, error


class Report(NamedTuple):
    """An event with its job, or None when no job is left."""

    job: Job | None
    news: News
    value: Any = None


def _report_mistakes(report: Report) -> None:
    """Report only mistakes in the program, like uncaught exceptions of any thread."""
    if report.news is News.RAISED:
        error = report.value
        about = (type(error), error, error.__traceback__, threading.current_thread())
        threading.excepthook(threading.ExceptHookArgs(about))


class Jobs:
    """Does one job at a time on a thread that lives while there is work; `tell` is called on that thread.

    queue: all jobs are done, one after the other; otherwise only the newest of those that wait is done.

    >>> jobs = Jobs("kernelviz-reader", tell=print)
    >>> jobs.start(Job(lambda beat: reading(path)))"""

    def __init__(
        self, name: str, tell: Callable[[Report], None] = _report_mistakes, *, queue: bool = False
    ) -> None:
        self._name = name
        self._tell = tell
        self._queue = queue
        self._lock = threading.Lock()
        self._running: Job | None = None
        self._waiting: deque[Job] = deque()
        self._thread: threading.Thread | None = None

    @property
    def idle(self) -> bool:
        """True if no job is running."""
        return self._running is None

    def start(self, job: Job) -> list[Job]:
        """Do a job next; return the waiting jobs that are dropped in its favour.

        If none is running it begins now, on a new thread. A job that is running is not cancelled: for that,
        set its `given_up` first, or call `clear`."""
        with self._lock:
            dropped = [] if self._queue else list(self._waiting)
            for gone in dropped:
                self._waiting.remove(gone)
            self._waiting.append(job)
            begin = self._running is None
            if begin:
                self._running = self._waiting.popleft()
        if begin:
            self._thread = threading.Thread(target=self._loop, args=(job,), name=self._name, daemon=True)
            self._thread.start()
        return dropped

    def clear(self) -> None:
        """Drop the waiting jobs and cancel the running one."""
        with self._lock:
            self._waiting.clear()
            if self._running is not None:
                self._running.given_up.set()

    def join(self, patience: float) -> bool:
        """Wait for the thread to end; return True if it did in time."""
        thread = self._thread
        if thread is not None:
            thread.join(patience)
        return thread is None or not thread.is_alive()

    def _progressed(self, job: Job, share: float) -> None:
        self._tell(Report(job, News.PROGRESSED, share))

    def _loop(self, first: Job) -> None:
        """Do this job and those that wait after it. Later jobs have another thread."""
        job: Job | None = first
        while job is not None:
            began = time.perf_counter()
            news, value = job.run(partial(self._progressed, job))
            broken = value if news is News.RAISED else None
            took = 1e3 * (time.perf_counter() - began)
            _LOG.debug("%s: %s after %.1f ms", self._name, news.name.lower(), took, exc_info=broken)
            with self._lock:
                following = self._running = self._waiting.popleft() if self._waiting else None
            self._tell(Report(job, news, value))
            if following is None:
                self._tell(Report(None, News.IDLE))
            job = following


# Waiting in the foreground ------------------------------------------------------------------------------
T = TypeVar("T")


def interruptible(work: Callable[[], T]) -> T:
    """Return what `work` returns, or raise what it raises; Ctrl+C raises KeyboardInterrupt immediately.

    >>> model = interruptible(lambda: kernelviz.fit(X, z))

    Inside a factorisation, which may take a minute, Python does not react to Ctrl+C; while it waits it
    does. So the work is done on another thread. Interrupted work continues until the program ends."""
    # Seconds between two checks for Ctrl+C where waiting itself cannot be interrupted (Windows).
    poll = 0.2
    future: Future[T] = Future()

    def do() -> None:
        try:
            future.set_result(work())
        except BaseException as problem:
            future.set_exception(problem)

    threading.Thread(target=do, name="kernelviz-work", daemon=True).start()
    while not future.done():
        with contextlib.suppress(TimeoutError):
            future.exception(poll)
    return future.result()
