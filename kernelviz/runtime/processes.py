"""Many calls of one function, spread over several processes by `concurrent.futures`.

`spread` adds three things to the standard pool: a killed process costs one call and not all of them, giving
up ends every process immediately, and the calling process can take part in the work."""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import sys
import threading
import time
import traceback
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import active_children, connection, get_context, parent_process, resource_tracker
from typing import Any, TypeVar

from kernelviz.engine.core.errors import BadInput
from kernelviz.runtime.jobs import Beat
from kernelviz.runtime.unfinished import remove_unfinished

A = TypeVar("A")
R = TypeVar("R")

POLL = 0.05  # Seconds between two beats while no result is ready.
KEPT = 60.0  # Seconds after which kept processes without work end; they are reused for half of that time.
SPAWN = get_context("spawn")  # A forked process would share the threads of Qt and of linear algebra.

KILLED = (
    "A process that worked on this was killed, perhaps because there was not enough memory. "
    "Close other programs, or ask for less."
)


class LostProcess(BadInput):
    """A process was killed while it worked for us."""


def cores() -> int:
    """Return the number of processors this program may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def spread(
    function: Callable[[A], R],
    arguments: Sequence[A],
    workers: int | None = None,
    *,
    beat: Beat = lambda: None,
    if_lost: Callable[[A, LostProcess], R] | None = None,
    here: bool = False,
    keep: bool = False,
) -> Generator[tuple[int, R], None, None]:
    """Yield (k, function(arguments[k])) for all k, as they are ready.

    Function, arguments and results are pickled. At most `workers` processes are used, by default one fewer
    than there are processors. An exception of the function is raised here. A call whose process was killed
    is made once more, in a process of its own; LostProcess is raised if that is killed too, unless `if_lost`
    returns something in place of the result. However this generator ends, by an exception, by its beat or by
    `close`, its processes end immediately.

    here: this process is one of the workers, and works while others are still starting. keep: after a good
    end the other processes stay ready for the next calls, for half a minute."""
    most = min(len(arguments), workers or max(1, cores() - 1)) - here
    waiting = deque(enumerate(arguments))
    if most < 1 or not _can_start():
        for number, argument in waiting:
            beat()
            yield number, function(argument)
        return
    pool = _Pool.kept(most) if keep else _Pool(most)
    if here:
        pool.start(most)
    running: dict[Future[Any], int] = {}
    try:
        while waiting or running:
            try:
                while waiting and len(running) < (min(most, pool.started) if here else most):
                    running[pool.submit(function, waiting[0][1], waiting[0][0])] = waiting[0][0]
                    waiting.popleft()
                pool.note_starts()
                beat()
                if here and waiting:
                    number, argument = waiting.popleft()
                    yield number, function(argument)
                patience = 0.0 if here and waiting else POLL
                done = wait(running, patience, FIRST_COMPLETED).done
                for future in done:
                    value = _result(future)
                    yield running.pop(future), value
                if not done and pool.has_lost_a_process:
                    raise BrokenProcessPool
            except BrokenProcessPool:
                pool.end()
                killed = pool.killed_calls()
                pool = _Pool(most)
                # The lost calls first: without `if_lost` nothing else needs to be repeated.
                for number in sorted(running.values(), key=lambda number: number not in killed):
                    try:
                        yield number, _alone(function, arguments[number], beat)
                    except LostProcess as problem:
                        if if_lost is None:
                            raise
                        yield number, if_lost(arguments[number], problem)
                running.clear()
        if keep:
            pool.keep()
    finally:
        if not pool.is_kept:
            pool.end()


def _alone(function: Callable[[A], R], argument: A, beat: Beat) -> R:
    """Return the result of a call that was running when a process of the pool was killed.

    It is made again in a process of its own: LostProcess if that is killed too."""
    pool = _Pool(1)
    try:
        future = pool.submit(function, argument)
        while not wait([future], POLL).done:
            beat()
        found: R = _result(future)
        return found
    except BrokenProcessPool:
        raise LostProcess(KILLED) from None
    finally:
        pool.end()


def _can_start() -> bool:
    """Return False if the current folder was removed: Python starts no process there."""
    try:
        os.getcwd()
    except OSError:
        return False
    return True


def _result(future: Future[tuple[Any, Exception | None]]) -> Any:
    value, error = future.result()
    if error is not None:
        raise error
    return value


def end_kept_processes() -> None:
    """End the processes that were kept for the next calls."""
    with _Pool.lock:
        pools, _Pool.waiting = _Pool.waiting, []
    for pool in pools:
        pool.end()


class _Pool:
    """A ProcessPoolExecutor whose processes can be ended at any time, or kept for the next calls."""

    lock = threading.Lock()
    waiting: list[_Pool] = []  # Kept pools; at most one.

    def __init__(self, most: int) -> None:
        self.most = most
        self.is_kept = False
        self._greetings: list[Future[Any]] = []
        self._kept_since = 0.0
        _start_resource_tracker()
        self._starts = SPAWN.SimpleQueue()  # (process, number) of every call that has begun.
        self._calls: dict[int, int] = {}  # The last call of each process.
        self._known: dict[int, Any] = {}  # All processes, by their id.
        self._slow: set[int] = set()  # Processes that did not end by themselves.
        self._executor = ProcessPoolExecutor(most, SPAWN, initializer=_begin, initargs=(self._starts,))

    @classmethod
    def kept(cls, most: int) -> _Pool:
        """Return the pool that was kept, if it is large enough and still fresh, or a new one."""
        with cls.lock:
            pools, cls.waiting = cls.waiting, []
        for pool in pools:
            alive = all(process.is_alive() for process in pool._processes())
            if alive and pool.most >= most and time.monotonic() - pool._kept_since < 0.5 * KEPT:
                pool.is_kept = False
                return pool
            pool.end()
        return cls(most)

    def keep(self) -> None:
        """Wait for the next calls, unless there are more processes than processors or others wait already."""
        if self.most > cores():
            return
        self.note_starts()
        self._calls.clear()
        with self.lock:
            if self.waiting:
                return
            self.waiting.append(self)
        self.is_kept, self._kept_since = True, time.monotonic()
        timer = threading.Timer(KEPT, self._end_if_kept, [self._kept_since])
        timer.daemon = True
        timer.start()

    def _end_if_kept(self, since: float) -> None:
        with self.lock:
            if self not in self.waiting or self._kept_since != since:
                return
            self.waiting.remove(self)
        self.end()

    def submit(self, function: Callable[[A], Any], argument: A, number: int = -1) -> Future[Any]:
        with _sigint_blocked():
            future = self._executor.submit(_call, function, argument, number)
        self._known |= {process.pid: process for process in self._processes()}
        return future

    def note_starts(self) -> None:
        """Note which call each process works on."""
        while not self._starts.empty():
            process, number = self._starts.get()
            self._calls[process] = number

    def killed_calls(self) -> set[int]:
        """Return the numbers of the calls whose processes were killed, once the pool has ended."""
        self.note_starts()
        killed = [
            process
            for process, about in self._known.items()
            if about.exitcode not in (None, 0, -signal.SIGTERM) and process not in self._slow
        ]
        return {self._calls[process] for process in killed if process in self._calls}

    def start(self, most: int) -> None:
        """Start up to `most` processes without giving them work."""
        while len(self._greetings) < most:
            self._greetings.append(self.submit(_nothing, None))

    @property
    def started(self) -> int:
        """The number of processes that have answered that they are ready."""
        return sum(future.done() for future in self._greetings)

    @property
    def has_lost_a_process(self) -> bool:
        """True if a process has ended before its pool.

        The executor may miss it: its thread watches the processes that were there when it last woke up, and
        `submit` wakes it up before it starts another one."""
        return bool(connection.wait([process.sentinel for process in self._processes()], 0))

    def _processes(self) -> list[Any]:
        return list((self._executor._processes or {}).values())

    def end(self) -> None:
        """End the processes: let them remove half-written files, then kill those that take too long."""
        self._slow |= {process.pid for process in _ended(self._processes())}
        self._executor.shutdown(cancel_futures=True)


def _ended(processes: Sequence[Any]) -> list[Any]:
    """Terminate processes, and return those that took too long and were killed."""
    grace = 0.5  # Seconds in which a process may remove half-written files before it is killed.
    sentinels = {process.sentinel: process for process in processes}
    for process in sentinels.values():
        process.terminate()
    deadline = time.monotonic() + grace
    while sentinels and (left := deadline - time.monotonic()) > 0:
        for ended in connection.wait(list(sentinels), left):
            del sentinels[ended]
    for process in sentinels.values():
        process.kill()
    return list(sentinels.values())


def end_all_processes() -> None:
    """End every process that works for this one; the pools are of no use afterwards."""
    _ended(active_children())


def _start_resource_tracker() -> None:
    """Start the process of Python's that removes the semaphores of pools, and silence it.

    It warns about every semaphore it removes after this program was killed, and one that was killed itself
    and started again prints a traceback for every semaphore it has not heard of: of no use to anybody. It
    must not be started with the first process: that would let SIGINT through."""
    tracker = resource_tracker._resource_tracker
    if "ensure_running" not in vars(tracker):  # Python calls it before every message to the process
        tracker.ensure_running = partial(_start_in_silence, tracker, tracker.ensure_running)  # type: ignore[method-assign]
    resource_tracker._resource_tracker.ensure_running()


def _start_in_silence(tracker: Any, start: Callable[[], object]) -> None:
    """Start the tracker if it does not run, with its stderr going nowhere."""
    if tracker._fd is not None and tracker._check_alive():
        return
    with contextlib.ExitStack() as afterwards, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it died unexpectedly
        with contextlib.suppress(OSError):  # there may be no stderr
            ours, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
            afterwards.callback(os.close, ours)
            afterwards.callback(os.dup2, ours, 2)
            os.dup2(nowhere, 2)
            os.close(nowhere)
        start()


@contextlib.contextmanager
def _sigint_blocked() -> Iterator[None]:
    """Start processes that never see Ctrl+C, not even while they are starting: this process handles it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# In the other process -----------------------------------------------------------------------------------
_starts: Any = None


def _begin(starts: Any) -> None:
    """Prepare a process for its calls. starts: the queue in which it notes every call that it begins."""
    global _starts
    _starts = starts
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # for Windows; elsewhere it is blocked from the start
    signal.signal(signal.SIGTERM, _end)
    if hasattr(signal, "SIGHUP"):  # the terminal sends it to all processes
        signal.signal(signal.SIGHUP, _end)
    threading.Thread(target=_end_with_parent, name="kernelviz-watch", daemon=True).start()


def _nothing(_: None) -> None:
    """Show that a process is ready."""


def _call(function: Callable[[A], R], argument: A, number: int) -> tuple[R | None, Exception | None]:
    """Return (result, None), or (None, exception)."""
    try:
        _starts.put((os.getpid(), number))
        return function(argument), None
    except Exception as error:
        return None, _portable(error)


def _end(*_: object) -> None:
    """Remove half-written files and end the process.

    No exception is raised, because Qt aborts on one in the middle of its import, and no exit handlers of
    libraries are called, because a thread may still use them."""
    remove_unfinished()
    os._exit(0)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        remove_unfinished()
        os._exit(1)


def _portable(error: Exception) -> Exception:
    """Return the exception in a form that can be pickled, with its traceback as a note."""
    note = f"In another process:\n{traceback.format_exc()}"
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        error = RuntimeError(f"{type(error).__name__}: {error}")
    error.add_note(note)
    return error
