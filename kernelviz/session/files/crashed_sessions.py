"""Autosaved sessions of programs that crashed, and the locks by which they are recognised."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import msgspec

from kernelviz.engine.core.errors import BadInput
from kernelviz.session.files import kviz

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

KEY = "recovery"
LOCK_SUFFIX = ".lock"


class FileLock:
    """A locked file. The system releases the lock when the process dies, so no stale lock can remain."""

    def __init__(self, file: IO[bytes], path: Path) -> None:
        self._file = file
        self.path = path

    @classmethod
    def take(cls, path: Path) -> FileLock | None:
        """Return the lock of a path, or None when a living process holds it or the file cannot be opened."""
        tries = 5
        for _ in range(tries):
            try:
                file = path.open("ab")
            except OSError:
                return None
            if not _lock(file):
                file.close()
                return None
            with contextlib.suppress(OSError):
                if os.path.samestat(path.stat(), os.fstat(file.fileno())):
                    return cls(file, path)
            file.close()  # it was removed between opening and locking: lock the new one
        return None

    def release(self, *, remove: bool = True) -> None:
        """Release the lock and, by default, remove its file."""
        if remove:
            with contextlib.suppress(OSError):
                self.path.unlink()
        with contextlib.suppress(OSError):
            self._file.close()


def _lock(file: IO[bytes]) -> bool:
    """Try to lock an open file exclusively; return True on success."""
    try:
        if sys.platform == "win32":
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def recovery_directory() -> Path:
    """Return the folder for autosaved sessions, where the platform keeps the state of programs."""
    if given := os.environ.get("KERNELVIZ_STATE"):
        return Path(given) / "recovery"
    home = Path.home()
    if sys.platform == "darwin":
        base = home / "Library" / "Application Support"
    elif os.name == "nt":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    else:
        given = os.environ.get("XDG_STATE_HOME", "")
        # A relative one is ignored: it would be another folder wherever the program is started.
        base = Path(given) if os.path.isabs(given) else home / ".local" / "state"
    return base / "kernelviz" / "recovery"


@dataclass(frozen=True)
class CrashedSession:
    """An autosaved session whose process is gone."""

    path: Path
    modified: float  # When it was last written, in seconds since 1970.
    size: int = 0  # Bytes.

    @property
    def lock_path(self) -> Path:
        """The file that a living program would hold locked."""
        return self.path.with_suffix(LOCK_SUFFIX)

    def discard(self) -> None:
        """Delete it, unless another window is using it."""
        lock = FileLock.take(self.lock_path)
        if lock is not None:
            remove(self.path)
            lock.release()


def remove(path: Path) -> None:
    """Delete a session and the temporary files of writes that were killed."""
    for leftover in (path, *path.parent.glob(f".{path.name}.*.part")):
        with contextlib.suppress(OSError):
            leftover.unlink()


def crashed_sessions(directory: Path | None = None) -> list[CrashedSession]:
    """Return the sessions of crashed programs, newest first; locks without a session are removed."""
    suffixes = (LOCK_SUFFIX, kviz.SUFFIX)
    where = directory or recovery_directory()
    found = []
    for path in {p.with_suffix(kviz.SUFFIX) for p in where.glob("*") if p.suffix in suffixes}:
        lock = FileLock.take(path.with_suffix(LOCK_SUFFIX))
        if lock is None:
            continue  # a window that is still open
        try:
            about = path.stat()
        except OSError:
            remove(path)
            lock.release()
            continue
        lock.release(remove=False)
        found.append(CrashedSession(path, about.st_mtime, about.st_size))
    return sorted(found, key=lambda session: -session.modified)


@dataclass(frozen=True)
class UnsavedWork:
    """Work that waits for the end of a lesson."""

    points: int
    file: Path | None  # None: it has not been saved.


@dataclass(frozen=True)
class Examined:
    """A crashed session and its content."""

    crashed: CrashedSession
    points: int = 0
    opened: Path | None = None  # The user's own file it belongs to.
    problem: str = ""  # Why it cannot be recovered; empty when it can.
    within: str = ""  # The lesson or lecture that was under way, as in "lecture mine".
    work: UnsavedWork | None = None  # The unsaved work from before that, if there is any.

    def belongs_to(self, path: str | os.PathLike[str]) -> bool:
        """Return True if it has unsaved changes to a file, which may be work from before a lesson."""
        files = (self.opened, None if self.work is None else self.work.file)
        return os.path.realpath(path) in (os.path.realpath(file) for file in files if file is not None)


def examining(found: Sequence[CrashedSession]) -> Generator[float, None, list[Examined]]:
    """Read every session, one after the other; yield the fraction done."""
    examined = []
    for number, crashed in enumerate(found):
        yield number / len(found)
        try:
            state, extra = kviz.load(crashed.path)
            lesson = extra.get("lesson")
            lesson = lesson if isinstance(lesson, Mapping) else {}
            within = f"{'lecture' if is_of_lecture(lesson) else 'lesson'} {lesson.get('name', '')}"
            points, opened = state.document.data.n, origin(extra)[0]
            work = _work_before(lesson)
            examined.append(Examined(crashed, points, opened, "", within if lesson else "", work))
        except BadInput as problem:
            examined.append(Examined(crashed, problem=str(problem).removeprefix(f"{crashed.path.name} ")))
    return examined


def is_of_lecture(record: Mapping[str, Any]) -> bool:
    """Return True for the record of a lecture in a session file, and False for that of a lesson."""
    return str(record.get("progress", "")).startswith("stop ")


def _work_before(lesson: Mapping[str, Any]) -> UnsavedWork | None:
    """Return the unsaved work from before a lesson, by the lesson's record in a session; None if all of it is
    saved or it cannot be read."""
    if not lesson.get("work_unsaved", True):
        return None
    try:
        state, _ = kviz.loads(msgspec.json.encode(lesson.get("before")))
    except BadInput:
        return None
    file = lesson.get("work_file")
    name = file[0] if isinstance(file, list) and file else ""
    return UnsavedWork(state.document.data.n, Path(name) if isinstance(name, str) and name else None)


# The user's file of a session, in its recovery file -----------------------------------------------------
def noted(opened: Path | None, seen: str) -> dict[str, Any]:
    """Return the record of a file: its full name, in hexadecimal if it is not valid text, and its
    fingerprint."""
    if opened is None:
        return {"path": None}
    name = os.path.abspath(opened)
    try:
        name.encode()
    except UnicodeEncodeError:
        return {"bytes": os.fsencode(name).hex(), "seen": seen}
    return {"path": name, "seen": seen}


def origin(extra: Mapping[str, Any]) -> tuple[Path | None, str]:
    """Return (file, fingerprint) from the record in the extra fields of a session."""
    about = extra.get(KEY)
    if not isinstance(about, dict):
        return None, ""
    name, raw, seen = (about.get(key) for key in ("path", "bytes", "seen"))
    with contextlib.suppress(ValueError):
        name = os.fsdecode(bytes.fromhex(raw)) if isinstance(raw, str) else name
    return Path(name) if isinstance(name, str) else None, seen if isinstance(seen, str) else ""
