"""Exit codes, remarks and progress on a terminal, and how the program ends.

The exit codes are 0 (done), 2 (wrong usage or bad input, with one line on stderr), 3 (solved, but not
converged or not separable, which the JSON says), 74 (the result could not be written) and 130 (Ctrl+C)."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from time import perf_counter
from types import FrameType
from typing import NoReturn

from kernelviz.engine.core.errors import BadInput, NotWritten
from kernelviz.runtime.streams import complain, silence
from kernelviz.runtime.unfinished import remove_unfinished

DONE, BAD_INPUT, NOT_CONVERGED, NOT_WRITTEN, INTERRUPTED = 0, 2, 3, 74, 130

# The signals that end the program; Windows has no SIGHUP, which says that the terminal was closed.
SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]

_quiet = False  # Whether the command line that is being run leaves out remarks and progress.


def exit_code(problem: BadInput) -> int:
    """Return the exit code of the program for an error."""
    return NOT_WRITTEN if isinstance(problem, NotWritten) else BAD_INPUT


def leave(code: int) -> None:
    """End the program immediately if abandoned work is still running; otherwise return.

    Such work may be inside a factorisation. When a program ends normally, libraries release memory that is
    still in use, and the program crashes after everything has gone well. Other threads end properly."""
    our_threads = "kernelviz-"  # The names of all our threads begin with this.
    if not any(thread.name.startswith(our_threads) for thread in threading.enumerate()):
        return
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    end_processes()
    os._exit(code)


def handle_signals() -> None:
    """Let Ctrl+C, SIGTERM and SIGHUP end the program by `end_by`, unless ignored or handled already."""
    for number in SIGNALS:
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, end_by)


def end_by(number: int, _: FrameType | None = None) -> NoReturn:
    """End the program from the handler of a signal: half-written files are removed, and nothing is printed.

    No exception is raised: PySide aborts on one while it is being imported, or crashes later, and a function
    that Qt has called loses it. The exit code is 130 after Ctrl+C; the other signals are sent once more."""
    try:
        for other in SIGNALS:
            signal.signal(other, signal.SIG_IGN)
        silence(sys.stderr)  # a process that is just being started would complain about the end of this one
        remove_unfinished()
        end_processes()
    finally:
        if number != signal.SIGINT:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
        os._exit(INTERRUPTED)


def end_processes() -> None:
    """End the processes that work for this one: they end with it, but not while they are stopped."""
    if processes := sys.modules.get("kernelviz.runtime.processes"):
        processes.end_all_processes()


@contextlib.contextmanager
def quietly(quiet: bool) -> Iterator[None]:
    """Leave out remarks and progress during a block, or do not."""
    global _quiet
    _quiet = quiet
    try:
        yield
    finally:
        _quiet = False


def remark(sentence: str) -> None:
    """Print a line on stderr about something that is no error, unless --quiet was given."""
    if sentence and not _quiet:
        complain(sentence)


def progress(done: int, count: int) -> None:
    """Draw a progress bar on stderr, over the one drawn before; nothing if that is not a terminal, or with
    --quiet."""
    if _quiet or not sys.stderr.isatty():
        return
    bar_length = 30  # Characters of the progress bar.
    full = bar_length * done // count
    end = "\n" if done == count else ""
    with contextlib.suppress(OSError):
        sys.stderr.write(f"\r[{'#' * full}{'-' * (bar_length - full)}] {done}/{count}{end}")
        sys.stderr.flush()


def progress_if_long() -> Callable[[float], None]:
    """Return a function that takes the share done and draws a progress bar once the work has taken long.

    >>> report = progress_if_long()
    >>> for share in compute_gram(problem):
    ...     report(share)"""
    began = perf_counter()

    seconds_without_bar = 1.0  # Work that takes longer shows how far it is.

    def report(share: float) -> None:
        if perf_counter() - began > seconds_without_bar:
            progress(round(100 * share), 100)

    return report
