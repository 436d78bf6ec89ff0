"""Waiting for long work in a way that Ctrl-C can end."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")

# Seconds between two looks at the keyboard, where waiting itself cannot be interrupted (Windows).
GLANCE = 0.2


def interruptible(work: Callable[[], T]) -> T:
    """What `work` returns or raises, done beside this thread, so that KeyboardInterrupt is raised at once.

    Inside a factorisation Python hears of Ctrl-C only when it is over, which may take a minute; a program
    that merely waits for it hears at once. Interrupted work goes on until the program ends. It is no job:
    nobody hears of progress, it cannot be given up, and its exception itself is wanted, not a sentence."""
    future: Future[T] = Future()
    threading.Thread(target=_do, args=(work, future), name="kernelviz-work", daemon=True).start()
    while not future.done():
        with contextlib.suppress(TimeoutError):
            future.exception(GLANCE)
    return future.result()


def _do(work: Callable[[], T], future: Future[T]) -> None:
    try:
        future.set_result(work())
    except BaseException as problem:
        future.set_exception(problem)
