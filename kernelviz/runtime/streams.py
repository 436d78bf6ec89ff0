"""The standard streams, made safe whatever state they are in when the program starts."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from typing import NoReturn, TextIO

from kernelviz.engine.core.errors import NotWritten, reason


class _Closed(io.TextIOBase):
    """Standard output that was closed before the program started."""

    def write(self, text: str) -> int:
        """Fail as a closed file descriptor does."""
        raise OSError(errno.EBADF, "it is closed")

    @property
    def buffer(self) -> NoReturn:
        """Fail in the same way for bytes."""
        self.write("")
        raise AssertionError


def prepare_streams() -> None:
    """Make the standard streams safe: writing to a closed one raises OSError, and any text can be printed."""
    # Otherwise the next file opened becomes descriptor 2, and a library's messages are written into it.
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)
    if sys.stdout is None:
        sys.stdout = _Closed()
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 — it stays open
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say(answer: str | bytes) -> None:
    """Print the whole answer.

    Raises NotWritten if that is impossible, BrokenPipeError if the reader has closed its end."""
    try:
        if isinstance(answer, str):
            sys.stdout.write(answer)
        else:
            sys.stdout.buffer.write(answer)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as problem:
        silence(sys.stdout)
        raise NotWritten(f"Standard output cannot be written: {reason(problem)}.") from None


def complain(sentence: str) -> None:
    """Print one line on stderr if possible; the exit code reports the error in any case.

    A file's name may contain control characters that change what a terminal shows: they are escaped."""
    line = "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in " ".join(sentence.split()))
    try:
        sys.stderr.write(f"kernelviz: {line}\n")
        sys.stderr.flush()
    except OSError:
        silence(sys.stderr)


def silence(stream: TextIO) -> None:
    """Discard the rest of the buffer: Python would fail to write it when the program ends."""
    with contextlib.suppress(OSError, ValueError):
        number = stream.fileno()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, number)
        os.close(nowhere)
