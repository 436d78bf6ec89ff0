"""A log of recent events, for a report of an error: requests, frames, jobs and Qt's messages.

Every part logs to a child of the logger "kernelviz". The last lines are always kept in memory; `--debug`
prints all of them on stderr, and the environment variable KERNELVIZ_LOG names a file to append them to."""

from __future__ import annotations

import contextlib
import faulthandler
import io
import logging
import os
import sys
from collections import deque
from collections.abc import Sequence

from kernelviz.engine.core.errors import BadInput, reason

LOG = logging.getLogger("kernelviz")
_FORMAT = logging.Formatter("%(asctime)s.%(msecs)03d %(levelname).1s %(name)s: %(message)s", "%H:%M:%S")


class _Memory(logging.Handler):
    """Keeps the last records; they are formatted only when they are read."""

    def __init__(self) -> None:
        super().__init__()
        self.records: deque[logging.LogRecord] = deque(maxlen=500)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record."""
        self.records.append(record)


_memory = _Memory()
LOG.addHandler(_memory)
LOG.setLevel(logging.DEBUG)
LOG.propagate = False


def begin(argv: Sequence[str], *, debug: bool) -> None:
    """Set up the log of a process with these arguments, and the stacks that Python prints when it crashes.

    Raises BadInput if the file cannot be written."""
    with contextlib.suppress(io.UnsupportedOperation, OSError):  # stderr is no file
        faulthandler.enable()
    handlers: list[logging.Handler] = [logging.StreamHandler(sys.stderr)] if debug else []
    if path := os.environ.get("KERNELVIZ_LOG"):
        try:
            handlers.append(logging.FileHandler(path, encoding="utf-8"))
        except OSError as problem:
            raise BadInput(
                f"The log {path!r}, named by KERNELVIZ_LOG, cannot be written: {reason(problem)}."
            ) from None
    for handler in handlers:
        handler.setFormatter(_FORMAT)
        LOG.addHandler(handler)
    if handlers:
        LOG.info("%s", versions())
    LOG.info("arguments: %s", list(argv))


def versions() -> str:
    """Return the versions of the program, its libraries and the system in one line."""
    import importlib.metadata
    import platform

    found = [f"Python {platform.python_version()}", platform.platform()]
    for package in ("kernelviz", "numpy", "scipy", "PySide6-Essentials", "pyqtgraph"):
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            found.append(f"{package} {importlib.metadata.version(package)}")
    return ", ".join(found)


def report(details: str) -> str:
    """Return the text for a report: versions, the details of an error, and the last lines of the log."""
    lines = [_FORMAT.format(record) for record in list(_memory.records)]
    return "\n".join([versions(), "", details.rstrip(), "", *lines, ""])
