"""Saving so that the old file is intact whatever happens."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from kernelviz.engine.errors import NotWritten

__all__ = ["write_atomically"]


def write_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """Write beside the file, flush to the disk, then replace: readers see the old or the new, never half.

    Follows a symbolic link and keeps the file's permissions. NotWritten when it cannot be written."""
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".{target.name[:100]}.{secrets.token_hex(6)}.part")
    try:
        try:
            # A new file, so that it gets the permissions the user's umask gives to new files.
            with temporary.open("xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            if target.exists():
                temporary.chmod(target.stat().st_mode & 0o777)
            temporary.replace(target)
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise
        _flush_directory(target.parent)
    except OSError as problem:
        reason = (problem.strerror or str(problem)).lower()
        raise NotWritten(f"{target.name} cannot be saved: {reason}.") from None


def _flush_directory(directory: Path) -> None:
    """Make the new name itself durable, where the system allows it."""
    with contextlib.suppress(OSError):
        handle = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
