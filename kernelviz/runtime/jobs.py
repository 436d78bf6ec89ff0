"""Long work beside the window: on a thread, with progress, failure in words, and a way to give it up.

Work is a generator: every `yield` says the share done and is a place where it may be abandoned; what it
returns is the result."""

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

Beat = Callable[[], None]  # Called between the steps of long work; may raise to give it up.
# Makes a generator that yields the share done and returns the result; calls its beat in between.
Work = Callable[[Beat], Generator[float, None, Any]]
BREATH = 1e-5  # Seconds of sleep that let the window's thread in.


class GivenUpError(Exception):
    """Raised by the beat of work nobody wants any more."""


class News(Enum):
    """What is told of a job."""

    PROGRESSED = "the share done"
    DONE = "the result"
    FAILED = "why not, in the user's words"
    RAISED = "a mistake in the program"
    GIVEN_UP = "nothing"
    IDLE = "no job is left"


@dataclass(eq=False)
class Job:
    """One piece of work on its way."""

    work: Work
    no_memory: str = "There is not enough memory for this. Choose a smaller size or fewer frames."
    given_up: threading.Event = field(default_factory=threading.Event)

    def beat(self) -> None:
        time.sleep(BREATH)
        if self.given_up.is_set():
            raise GivenUpError

    def run(self, progressed: Callable[[float], None]) -> tuple[News, Any]:
        """Do it, here; how it ended, and with what."""
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


class Told(NamedTuple):
    """A piece of news; no job when none is left."""

    job: Job | None
    news: News
    value: Any = None


def _report(told: Told) -> None:
    """Nobody listens: only mistakes in the program are told, as those of any thread."""
    if told.news is News.RAISED:
        error = told.value
        about = (type(error), error, error.__traceback__, threading.current_thread())
        threading.excepthook(threading.ExceptHookArgs(about))


class Jobs:
    """Does one job at a time on a thread that lives while there is work. `tell` hears on that thread.

    `queue` keeps all that is asked for, one after the other; otherwise of what waits only the newest is
    done."""

    def __init__(self, name: str, tell: Callable[[Told], None] = _report, *, queue: bool = False) -> None:
        self._name = name
        self._tell = tell
        self._queue = queue
        self._lock = threading.Lock()
        self._running: Job | None = None
        self._waiting: deque[Job] = deque()
        self._thread: threading.Thread | None = None

    @property
    def idle(self) -> bool:
        return self._running is None

    def start(self, job: Job) -> list[Job]:
        """Do it next; the jobs that will not be done in its favour."""
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
        """Forget what waits; give up what runs."""
        with self._lock:
            self._waiting.clear()
            if self._running is not None:
                self._running.given_up.set()

    def join(self, patience: float) -> bool:
        """Wait for the thread; whether it ended in time."""
        thread = self._thread
        if thread is not None:
            thread.join(patience)
        return thread is None or not thread.is_alive()

    def _progressed(self, job: Job, share: float) -> None:
        self._tell(Told(job, News.PROGRESSED, share))

    def _loop(self, first: Job) -> None:
        """Do this job and what waits then. What is begun after the last one is another thread's."""
        job: Job | None = first
        while job is not None:
            news, value = job.run(partial(self._progressed, job))
            with self._lock:
                following = self._running = self._waiting.popleft() if self._waiting else None
            self._tell(Told(job, news, value))
            if following is None:
                self._tell(Told(None, News.IDLE))
            job = following


# Waiting in the foreground ------------------------------------------------------------------------------
T = TypeVar("T")
# Seconds between two looks at the keyboard, where waiting itself cannot be interrupted (Windows).
GLANCE = 0.2


def interruptible(work: Callable[[], T]) -> T:
    """Return what `work` returns, or raise what it raises; Ctrl+C raises KeyboardInterrupt immediately.

    Inside a factorisation, which may take a minute, Python does not react to Ctrl+C; while it waits it
    does. So the work is done on another thread. Interrupted work continues until the program ends."""
    future: Future[T] = Future()

    def do() -> None:
        try:
            future.set_result(work())
        except BaseException as problem:
            future.set_exception(problem)

    threading.Thread(target=do, name="kernelviz-work", daemon=True).start()
    while not future.done():
        with contextlib.suppress(TimeoutError):
            future.exception(GLANCE)
    return future.result()
