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
from typing import Any, Generic, TypeVar

from kernelviz.engine.errors import BadInput
from kernelviz.runtime.jobs import Beat

__all__ = ["KILLED", "LostProcess", "cores", "spread"]

A = TypeVar("A")
R = TypeVar("R")

GLANCE = 0.05
"""Seconds between two beats while nothing is ready."""
GRACE = 0.5
"""Seconds in which a process may tidy up before it is killed."""
FRESH = get_context("spawn")
"""A copied process would share the threads of Qt and of linear algebra."""


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
) -> Generator[tuple[int, R], None, None]:
    """(k, function(arguments[k])) of all k, as they are ready, from at most `workers` processes; unless
    told otherwise one processor stays free.

    Function, arguments and results travel between processes. What the function raises is raised here; so is
    LostProcess when its process is killed, unless `if_lost` has something to take the result's place.
    Whenever this ends, by an exception, by its beat or because it is closed, so do all processes, at once."""
    most = min(len(arguments), workers or max(1, cores() - 1))
    todo = list(enumerate(arguments))[::-1]
    idle: list[_Worker[A, R]] = []
    busy: list[_Worker[A, R]] = []
    try:
        while todo or busy:
            while todo and len(busy) < most:
                busy.append(idle.pop() if idle else _Worker(function))
                busy[-1].ask(*todo.pop())
            beat()
            ready = wait([worker.pipe for worker in busy], GLANCE)
            for worker in [worker for worker in busy if worker.pipe in ready]:
                try:
                    value = worker.answer()
                    idle.append(worker)
                except LostProcess as problem:
                    if if_lost is None:
                        raise
                    value = if_lost(arguments[worker.number], problem)
                    _end([worker])
                busy.remove(worker)
                yield worker.number, value
    finally:
        _end([*idle, *busy])


class _Worker(Generic[A, R]):
    """One of the processes, seen from here."""

    def __init__(self, function: Callable[[A], R]) -> None:
        self.number = 0
        """Of the call it is at, or was at last."""
        self.pipe, theirs = FRESH.Pipe()
        self.process = FRESH.Process(target=_serve, args=(theirs, function), daemon=True)
        with _ctrl_c_kept_from_children():
            self.process.start()
        theirs.close()

    def ask(self, number: int, argument: A) -> None:
        self.number = number
        with contextlib.suppress(OSError):  # it is gone: its answer will say so
            self.pipe.send(argument)

    def answer(self) -> R:
        try:
            value, error = self.pipe.recv()
        except (EOFError, OSError):
            raise LostProcess(KILLED) from None
        if error is not None:
            raise error
        result: R = value
        return result


def _end(workers: Sequence[_Worker[Any, Any]]) -> None:
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
def _serve(pipe: Connection, function: Callable[[Any], Any]) -> None:
    """Answer every call with (result, None) or (None, exception) until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _tidy_up)
    threading.Thread(target=_end_with_parent, name="kernelviz-watch", daemon=True).start()
    try:
        while True:
            argument = pipe.recv()
            try:
                pipe.send((function(argument), None))
            except Exception as error:
                pipe.send((None, _portable(error)))
    except (EOFError, OSError, SystemExit):
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
