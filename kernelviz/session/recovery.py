"""Autosave: after a crash or kill -9 the next start offers the session as it was a moment before.

Each window writes a file of its own, next to a lock that dies with its process. A file whose lock can be
taken is an orphan: its process is gone without having closed."""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kernelviz.engine.errors import BadInput
from kernelviz.session import files
from kernelviz.session.atomic import write_atomically
from kernelviz.session.locks import FileLock
from kernelviz.session.session import Session
from kernelviz.session.state import State

__all__ = ["Orphan", "Recovery", "orphans", "recovery_directory", "watch"]

INTERVAL = 2.0
"""Seconds between two writes while things change."""
KEY = "recovery"
LOCK_SUFFIX = ".lock"


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
        base = Path(os.environ.get("XDG_STATE_HOME") or home / ".local" / "state")
    return base / "kernelviz" / "recovery"


@dataclass(frozen=True)
class Orphan:
    """A session left behind by a process that is gone."""

    path: Path
    modified: float
    """When it was last written, in seconds since 1970."""

    @property
    def lock_path(self) -> Path:
        return self.path.with_suffix(LOCK_SUFFIX)

    def discard(self) -> None:
        """Delete it, unless another window is at it."""
        lock = FileLock.take(self.lock_path)
        if lock is not None:
            _remove(self.path)
            lock.release()


def _remove(path: Path) -> None:
    """Delete a session and what a killed write may have left beside it."""
    for leftover in (path, *path.parent.glob(f".{path.name}.*.part")):
        with contextlib.suppress(OSError):
            leftover.unlink()


def orphans(directory: Path | None = None) -> list[Orphan]:
    """The sessions that can be recovered, newest first; leftover locks without a session are swept away."""
    where = directory or recovery_directory()
    found = []
    for lock_path in where.glob(f"*{LOCK_SUFFIX}"):
        lock = FileLock.take(lock_path)
        if lock is None:
            continue  # a living window's
        path = lock_path.with_suffix(files.SUFFIX)
        try:
            modified = path.stat().st_mtime
        except OSError:
            _remove(path)
            lock.release()
            continue
        lock.release(remove=False)
        found.append(Orphan(path, modified))
    return sorted(found, key=lambda orphan: -orphan.modified)


@dataclass(frozen=True, eq=False)
class _Kept:
    """What is to be written: frozen, so that the thread needs no copy."""

    state: State
    extra: Mapping[str, Any]
    generation: int


class Recovery:
    """Keeps one window's session safe: `keep` is cheap, a thread of its own writes every few seconds."""

    def __init__(self, directory: Path | None = None, interval: float = INTERVAL) -> None:
        self._directory = directory or recovery_directory()
        self._interval = interval
        self._wake = threading.Condition()
        self._waiting: _Kept | None = None
        self._generation = 0
        self._closing = False
        self._lock: FileLock | None = None
        self.problem = ""
        """Why the last write failed, in words; empty when it did not."""
        started = f"{os.getpid()}-{int(time.time())}-{secrets.token_hex(3)}"
        self.path = self._directory / f"{started}{files.SUFFIX}"
        self._thread = threading.Thread(target=self._run, name="kernelviz-autosave", daemon=True)
        self._thread.start()

    # For the window -----------------------------------------------------------------------------------
    def keep(self, state: State, opened: Path | None = None, extra: Mapping[str, Any] | None = None) -> None:
        """Have this state written soon; `opened` is the user's own file it belongs to."""
        about = {KEY: {"path": None if opened is None else str(opened)}}
        with self._wake:
            asleep = self._waiting is None
            self._waiting = _Kept(state, {**(extra or {}), **about}, self._generation)
            if asleep:
                self._wake.notify()

    def forget(self) -> None:
        """Everything is saved: there is nothing to recover."""
        with self._wake:
            self._waiting = None
            self._generation += 1
        _remove(self.path)

    def adopt(self, orphan: Orphan) -> tuple[State, dict[str, Any], Path | None]:
        """(state, extra fields, the user's file) of an orphan, which from now on is kept by this window.

        BadInput when it cannot be read or another window has taken it."""
        lock = FileLock.take(orphan.lock_path)
        if lock is None or not orphan.path.exists():
            if lock is not None:
                lock.release()
            raise BadInput("That session has been recovered in another window already.")
        try:
            state, extra = files.load(orphan.path)
            about = extra.pop(KEY, None)
            given = about.get("path") if isinstance(about, dict) else None
            opened = Path(given) if isinstance(given, str) else None
            self._write(_Kept(state, {**extra, KEY: {"path": given if opened else None}}, self._generation))
            if self.problem:
                raise BadInput(self.problem)
            _remove(orphan.path)
        except BaseException:
            lock.release(remove=False)
            raise
        lock.release()
        return state, extra, opened

    def close(self, *, keep: bool = False) -> None:
        """The window closes: nothing is left behind, or what is not saved yet, to be offered next time."""
        with self._wake:
            waiting, self._waiting = self._waiting, None
            self._closing = True
            self._generation += not keep
            self._wake.notify()
        self._thread.join(5.0)
        if not keep:
            _remove(self.path)
        elif waiting is not None:
            self._write(waiting)
        if self._lock is not None:
            self._lock.release(remove=not keep)
            self._lock = None

    # The thread ---------------------------------------------------------------------------------------
    def _run(self) -> None:
        written = -self._interval
        while True:
            with self._wake:
                while self._waiting is None and not self._closing:
                    self._wake.wait()
                # Changes come in bursts: wait out the interval, then write the latest.
                while not self._closing and (left := written + self._interval - time.monotonic()) > 0:
                    self._wake.wait(left)
                if self._closing:
                    return
                kept, self._waiting = self._waiting, None
            if kept is not None:
                self._write(kept)
                written = time.monotonic()

    def _write(self, kept: _Kept) -> None:
        try:
            self._claim()
            write_atomically(self.path, files.dumps(kept.state, kept.extra).encode())
            self.problem = ""
        except Exception as problem:  # whatever it is: the next state may be written, so the thread goes on
            self.problem = str(problem)
        if kept.generation != self._generation:  # forgotten while it was being written
            _remove(self.path)

    def _claim(self) -> None:
        """Make the directory and lock our name in it before the first file appears."""
        if self._lock is None:
            self._directory.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._lock = FileLock.take(self.path.with_suffix(LOCK_SUFFIX))
            if self._lock is None:
                raise BadInput(f"The session cannot be kept safe in {self._directory}.")


About = Callable[[], tuple[Path | None, Mapping[str, Any]]]
"""The user's file a session belongs to, and its extra fields."""


def watch(recovery: Recovery, session: Session, about: About) -> Callable[[], None]:
    """Keep a session safe while it has unsaved changes; returns the function that ends it."""
    kept = False

    def on_change(old: State, new: State) -> None:
        nonlocal kept
        if session.unsaved:
            recovery.keep(new, *about())
        elif kept:
            recovery.forget()
        kept = session.unsaved

    return session.subscribe(on_change)
