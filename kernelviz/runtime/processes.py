"""Many calls of one function, spread over several processes.

Each process has a pipe of its own, so that it is known whose end has come, and of which call, when one is
killed; the standard pool would lose all of them."""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Generator, Iterator, Sequence
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

from kernelviz.engine.core.errors import BadInput
from kernelviz.runtime.jobs import Beat

A = TypeVar("A")
R = TypeVar("R")

GLANCE = 0.05  # Seconds between two beats while nothing is ready.
GRACE = 0.5  # Seconds in which a process may tidy up before it is killed.
REST = 60.0  # Seconds after which a process without work ends; for half of them it is called upon.
FRESH = get_context("spawn")  # A copied process would share the threads of Qt and of linear algebra.


KILLED = (
    "A process that worked on this was killed, perhaps because there was not enough memory. "
    "Close other programs, or ask for less."
)


class LostProcess(BadInput):
    """A process that worked for us is gone."""


def cores() -> int:
    """Processors this program may use."""
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
    """(k, function(arguments[k])) of all k, as they are ready, from at most `workers` processes; unless
    told otherwise one processor stays free.

    Function, arguments and results travel between processes. What the function raises is raised here; so is
    LostProcess when its process is killed, unless `if_lost` has something to take the result's place.
    Whenever this ends, by an exception, by its beat or because it is closed, so do all processes, at once.

    here: this process is one of them, and does what it can while others are still starting. keep: at a good
    end the others stay ready for the next calls, for half a minute."""
    most = min(len(arguments), workers or max(1, cores() - 1)) - here
    todo = list(enumerate(arguments))[::-1]
    called = _reserve.called(most) if keep else []
    idle, busy = [w for w in called if not w.asked], [w for w in called if w.asked]
    try:
        while todo or _at_work(busy):
            while todo and len(busy) < most:
                worker = idle.pop() if idle else _Worker()
                busy.append(worker)
                if worker.up or not here:
                    worker.ask(function, *todo.pop())
                else:  # nothing waits for it
                    worker.greet()
            beat()
            if here and todo:
                number, argument = todo.pop()
                yield number, function(argument)
            patient = not (here and todo) and (todo or _at_work(busy))
            ready = wait([worker.pipe for worker in busy], GLANCE if patient else 0.0)
            for worker in [worker for worker in busy if worker.pipe in ready]:
                busy.remove(worker)
                idle.append(worker)
                try:
                    value = worker.answer()
                except LostProcess as problem:
                    _end([idle.pop()])
                    if worker.number is None or worker.rested:  # gone before it has done anything
                        todo += [] if worker.number is None else [(worker.number, arguments[worker.number])]
                        most -= here  # this process manages without it
                        continue
                    if if_lost is None:
                        raise
                    value = if_lost(arguments[worker.number], problem)
                if worker.number is not None:
                    yield worker.number, value
        if keep:
            _reserve.rest([*idle, *busy])
            idle, busy = [], []
    finally:
        _end([*idle, *busy])


def _at_work(workers: Sequence[_Worker]) -> bool:
    """Whether any of them is at more than telling that it is up."""
    return any(worker.number is not None for worker in workers)


class _Worker:
    """One of the processes, seen from here."""

    def __init__(self) -> None:
        self.number: int | None = None  # Of the call it is at, or was at last.
        # Whether it has ever answered; whether it has yet to; whether it has rested since it last has.
        self.up = self.asked = self.rested = False
        self.since = 0.0  # When it was last sent to rest.
        self.pipe, theirs = FRESH.Pipe()
        self.process = FRESH.Process(target=_serve, args=(theirs,), daemon=True)
        with _ctrl_c_kept_from_children():
            self.process.start()
        theirs.close()

    def greet(self) -> None:
        """Have it say when it is up."""
        self.ask(_nothing, None, None)

    def ask(self, function: Callable[[A], Any], number: int | None, argument: A) -> None:
        self.number, self.asked = number, True
        with contextlib.suppress(OSError):  # it is gone: its answer will say so
            self.pipe.send((function, argument))

    def answer(self) -> Any:
        try:
            value, error = self.pipe.recv()
        except (EOFError, OSError):
            raise LostProcess(KILLED) from None
        self.up, self.asked, self.rested = True, False, False
        if error is not None:
            raise error
        return value


class _Reserve:
    """Processes that have nothing to do, for whoever is the next to need some."""

    def __init__(self) -> None:
        self._resting: list[_Worker] = []
        self._lock = threading.Lock()

    def rest(self, workers: Sequence[_Worker]) -> None:
        for worker in workers:
            worker.since, worker.rested = time.monotonic(), True
        with self._lock:
            surplus = len(self._resting) + len(workers) - cores()
            self._resting.extend(workers[max(0, surplus) :])
        _end(workers[: max(0, surplus)])

    def called(self, most: int) -> list[_Worker]:
        """At most so many; some may not have said yet that they are up."""
        now = time.monotonic()
        with self._lock:
            there = [worker for worker in self._resting if now - worker.since < 0.5 * REST]
            asleep = [worker for worker in self._resting if worker not in there]
            self._resting, called = there[most:], there[:most]
        _end(asleep)
        return called


_reserve = _Reserve()


def _nothing(_: None) -> None:
    """What a process does to show that it is up."""


def _end(workers: Sequence[_Worker]) -> None:
    """Have them tidy up and end; kill who takes too long."""
    for worker in workers:
        worker.pipe.close()
        worker.process.terminate()
    deadline = time.monotonic() + GRACE
    for worker in workers:
        worker.process.join(max(0.0, deadline - time.monotonic()))
        if worker.process.exitcode is None:
            worker.process.kill()
            worker.process.join()
        worker.process.close()


@contextlib.contextmanager
def _ctrl_c_kept_from_children() -> Iterator[None]:
    """A process started now does not hear Ctrl-C, which is ours to hear, not even while it is starting."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # starting it, as the first process does otherwise, lets SIGINT through
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# In the other process -----------------------------------------------------------------------------------
def _serve(pipe: Connection) -> None:
    """Answer every call with (result, None) or (None, exception) until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # for Windows: elsewhere it is blocked from the start
    signal.signal(signal.SIGTERM, _tidy_up)
    threading.Thread(target=_end_with_parent, name="kernelviz-watch", daemon=True).start()
    try:
        while pipe.poll(REST):
            try:
                function, argument = pipe.recv()
                pipe.send((function(argument), None))
            except Exception as error:
                pipe.send((None, _portable(error)))
    except (EOFError, OSError, SystemExit):
        pass
    finally:
        # Without the libraries' farewells: a thread may still be inside one of them.
        os._exit(0)


def _tidy_up(*_: object) -> None:
    """Half-written files are removed on the way out. What a library says of it is no news."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    raise SystemExit


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _portable(error: Exception) -> Exception:
    """The exception as it can travel, with its traceback noted."""
    told = f"In another process:\n{traceback.format_exc()}"
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        error = RuntimeError(f"{type(error).__name__}: {error}")
    error.add_note(told)
    return error
