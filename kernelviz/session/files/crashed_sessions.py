"""Autosaved sessions whose program ended without closing them, and the locks that tell which those are."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from kernelviz.engine.core.errors import BadInput
from kernelviz.session.files import kviz

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


KEY = "recovery"
LOCK_SUFFIX = ".lock"
SUFFIXES = (LOCK_SUFFIX, kviz.SUFFIX)


def recovery_directory() -> Path:
    """Where the platform wants a program's state to be."""
    if given := os.environ.get("KERNELVIZ_STATE"):
        return Path(given) / "recovery"
    home = Path.home()
    if sys.platform == "darwin":
        base = home / "Library" / "Application Support"
    elif os.name == "nt":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    else:
        given = os.environ.get("XDG_STATE_HOME", "")
        # A relative one is to be ignored: it would be another folder wherever the program is started.
        base = Path(given) if os.path.isabs(given) else home / ".local" / "state"
    return base / "kernelviz" / "recovery"


@dataclass(frozen=True)
class Orphan:
    """A session left behind by a process that is gone."""

    path: Path
    modified: float  # When it was last written, in seconds since 1970.
    size: int = 0  # Bytes.

    @property
    def lock_path(self) -> Path:
        return self.path.with_suffix(LOCK_SUFFIX)

    def discard(self) -> None:
        """Delete it, unless another window is at it."""
        lock = FileLock.take(self.lock_path)
        if lock is not None:
            remove(self.path)
            lock.release()


def remove(path: Path) -> None:
    """Delete a session and what a killed write may have left beside it."""
    for leftover in (path, *path.parent.glob(f".{path.name}.*.part")):
        with contextlib.suppress(OSError):
            leftover.unlink()


def orphans(directory: Path | None = None) -> list[Orphan]:
    """The sessions left behind, newest first; leftover locks without a session are swept away."""
    where = directory or recovery_directory()
    found = []
    for path in {p.with_suffix(kviz.SUFFIX) for p in where.glob("*") if p.suffix in SUFFIXES}:
        lock = FileLock.take(path.with_suffix(LOCK_SUFFIX))
        if lock is None:
            continue  # a living window's
        try:
            about = path.stat()
        except OSError:
            remove(path)
            lock.release()
            continue
        lock.release(remove=False)
        found.append(Orphan(path, about.st_mtime, about.st_size))
    return sorted(found, key=lambda orphan: -orphan.modified)


@dataclass(frozen=True)
class Examined:
    """An orphan, and what is in it."""

    orphan: Orphan
    points: int = 0
    opened: Path | None = None  # The user's own file it belongs to.
    problem: str = ""  # Why it cannot be recovered; empty when it can.


def examining(found: Sequence[Orphan]) -> Generator[float, None, list[Examined]]:
    """Look into every orphan, one after the other; yields the fraction done."""
    told = []
    for number, orphan in enumerate(found):
        yield number / len(found)
        try:
            state, extra = kviz.load(orphan.path)
            told.append(Examined(orphan, state.document.data.n, origin(extra)[0]))
        except BadInput as problem:
            told.append(Examined(orphan, problem=str(problem).removeprefix(f"{orphan.path.name} ")))
    return told


# The user's file of a session, in its recovery file -----------------------------------------------------
def noted(opened: Path | None, seen: str) -> dict[str, Any]:
    """The file by its full name, in hexadecimal digits where it is no text; and its fingerprint."""
    if opened is None:
        return {"path": None}
    name = os.path.abspath(opened)
    try:
        name.encode()
    except UnicodeEncodeError:
        return {"bytes": os.fsencode(name).hex(), "seen": seen}
    return {"path": name, "seen": seen}


def origin(extra: Mapping[str, Any]) -> tuple[Path | None, str]:
    """(file, fingerprint) as they were noted."""
    about = extra.get(KEY)
    if not isinstance(about, dict):
        return None, ""
    name, raw, seen = (about.get(key) for key in ("path", "bytes", "seen"))
    with contextlib.suppress(ValueError):
        name = os.fsdecode(bytes.fromhex(raw)) if isinstance(raw, str) else name
    return Path(name) if isinstance(name, str) else None, seen if isinstance(seen, str) else ""
