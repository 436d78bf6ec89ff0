"""Files that are being written. A process that a signal ends removes them first."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path

_paths: set[Path] = set()


@contextlib.contextmanager
def unfinished(path: Path) -> Iterator[None]:
    """Remove the file or folder if a signal ends the process inside this block."""
    _paths.add(path)
    try:
        yield
    finally:
        _paths.discard(path)


def remove_unfinished() -> None:
    """Remove all unfinished files and folders of this process, as far as possible."""
    for path in tuple(_paths):
        with contextlib.suppress(OSError):
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink()
