"""A lock that ends with its process, however the process ends."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import IO

__all__ = ["FileLock"]

TRIES = 5


class FileLock:
    """Holds a file locked. The system releases it when the process dies, so nothing stale can remain."""

    def __init__(self, file: IO[bytes], path: Path) -> None:
        self._file = file
        self.path = path

    @classmethod
    def take(cls, path: Path) -> FileLock | None:
        """The lock of that path, or None when someone alive holds it (or it cannot be had at all)."""
        for _ in range(TRIES):
            try:
                file = path.open("ab")
            except OSError:
                return None
            if not _lock(file):
                file.close()
                return None
            if _is_still(path, file):
                return cls(file, path)
            file.close()  # swept away between opening and locking: lock the new one
        return None

    def release(self, *, remove: bool = True) -> None:
        """Let go, and take the file away."""
        if remove:
            with contextlib.suppress(OSError):
                self.path.unlink()
        with contextlib.suppress(OSError):
            self._file.close()


def _is_still(path: Path, file: IO[bytes]) -> bool:
    """Whether the path still names the opened file."""
    try:
        return os.path.samestat(path.stat(), os.fstat(file.fileno()))
    except OSError:
        return False


def _lock(file: IO[bytes]) -> bool:
    """Try to lock an open file for this handle alone."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
