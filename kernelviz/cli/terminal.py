"""Exit codes, progress on a terminal, and how the program ends.

The exit codes are 0 (done), 2 (wrong usage or bad input, with one line on stderr), 3 (solved, but not
converged or not separable, which the JSON says), 74 (the result could not be written) and 130 (Ctrl+C)."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable
from time import perf_counter

from kernelviz.engine.core.errors import BadInput, NotWritten

DONE, BAD_INPUT, NOT_CONVERGED, NOT_WRITTEN, INTERRUPTED = 0, 2, 3, 74, 130

SECONDS_WITHOUT_BAR = 1.0  # Work that takes longer shows how far it is.
BAR = 30  # Characters of the progress bar.
OUR_THREADS = "kernelviz-"  # The names of all our threads begin with this.


def exit_code(problem: BadInput) -> int:
    """Return the exit code of the program for an error."""
    return NOT_WRITTEN if isinstance(problem, NotWritten) else BAD_INPUT


def leave(code: int) -> None:
    """End the program immediately if abandoned work is still running; otherwise return.

    Such work may be inside a factorisation. When a program ends normally, libraries release memory that is
    still in use, and the program crashes after everything has gone well. Other threads end properly."""
    if not any(thread.name.startswith(OUR_THREADS) for thread in threading.enumerate()):
        return
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    kill_processes()
    os._exit(code)


def kill_processes() -> None:
    """Kill the processes that work for this one: they end with it, but not while they are stopped."""
    if processes := sys.modules.get("multiprocessing"):
        for process in processes.active_children():
            process.kill()


def progress(done: int, count: int) -> None:
    """Draw a progress bar on stderr, over the one drawn before; nothing if that is not a terminal."""
    if not sys.stderr.isatty():
        return
    full = BAR * done // count
    end = "\n" if done == count else ""
    with contextlib.suppress(OSError):
        sys.stderr.write(f"\r[{'#' * full}{'-' * (BAR - full)}] {done}/{count}{end}")
        sys.stderr.flush()


def progress_if_long() -> Callable[[float], None]:
    """Return a function that takes the share done and draws a progress bar once the work has taken long.

    >>> report = progress_if_long()
    >>> for share in compute_gram(problem):
    ...     report(share)"""
    began = perf_counter()

    def report(share: float) -> None:
        if perf_counter() - began > SECONDS_WITHOUT_BAR:
            progress(round(100 * share), 100)

    return report
