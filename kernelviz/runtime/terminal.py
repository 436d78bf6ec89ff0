"""The standard streams, whatever state they come in, and what the exit codes mean."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
import threading
from collections.abc import Callable
from time import perf_counter
from typing import TextIO

from kernelviz.engine.core.errors import BadInput, NotWritten

DONE, BAD_INPUT, NOT_CONVERGED, NOT_WRITTEN, INTERRUPTED = 0, 2, 3, 74, 130

LONG = 1.0  # Seconds after which it is told how far work is.
OURS = "kernelviz-"  # How the names of all our threads begin.


def exit_code(problem: BadInput) -> int:
    """What the program ends with."""
    return NOT_WRITTEN if isinstance(problem, NotWritten) else BAD_INPUT


class _Closed(io.TextIOBase):
    """Standard output that was closed before we began."""

    def write(self, text: str) -> int:
        raise OSError(errno.EBADF, "it is closed")


def prepare_streams() -> None:
    """Make the standard streams safe to use: closed ones fail politely, and any text can be printed."""
    # Otherwise the next file opened becomes descriptor 2, and what a library has to say lands in it.
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)
    if sys.stdout is None:
        sys.stdout = _Closed()
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 — it stays for good
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say(text: str) -> None:
    """Print the answer, all of it; NotWritten if it cannot be, BrokenPipeError if nobody reads on."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as problem:
        reason = (problem.strerror or str(problem)).lower()
        abandon(sys.stdout)
        raise NotWritten(f"Standard output cannot be written: {reason}.") from None


def complain(sentence: str) -> None:
    """One line on stderr; where even that is impossible the exit code has to do.

    Names of files are in it, whose control characters could change what the terminal shows."""
    line = "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in " ".join(sentence.split()))
    try:
        sys.stderr.write(f"kernelviz: {line}\n")
        sys.stderr.flush()
    except OSError:
        abandon(sys.stderr)


def abandon(stream: TextIO) -> None:
    """Let what is still buffered go nowhere, or Python would fail with it when it ends."""
    with contextlib.suppress(OSError, ValueError):
        number = stream.fileno()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, number)
        os.close(nowhere)


def leave(code: int) -> None:
    """End the program here and now if some work was abandoned that is still going on; otherwise return.

    Such work may be inside a factorisation. When a program ends as usual, the libraries take their memory
    back beneath it, and it crashes after all has gone well. Threads of others know how to end."""
    if not any(thread.name.startswith(OURS) for thread in threading.enumerate()):
        return
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def progress(done: int, count: int) -> None:
    """A bar on the terminal, if there is one."""
    if not sys.stderr.isatty():
        return
    width = 30
    full = width * done // count
    end = "\n" if done == count else ""
    with contextlib.suppress(OSError):
        sys.stderr.write(f"\r[{'#' * full}{'-' * (width - full)}] {done}/{count}{end}")
        sys.stderr.flush()


def if_long() -> Callable[[float], None]:
    """What hears the share done of some work, and shows it once that takes long."""
    began = perf_counter()

    def tell(share: float) -> None:
        if perf_counter() - began > LONG:
            progress(round(100 * share), 100)

    return tell
