"""Autosave: after a crash or kill -9 the next start offers the session as it was a few seconds before."""

from __future__ import annotations

import os
import secrets
import threading
import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from kernelviz.engine.core.errors import BadInput, reason
from kernelviz.runtime.jobs import Beat, Job, Jobs
from kernelviz.session.files import kviz
from kernelviz.session.files.atomic import write_atomically
from kernelviz.session.files.crashed_sessions import (
    KEY,
    LOCK_SUFFIX,
    CrashedSession,
    FileLock,
    noted,
    origin,
    recovery_directory,
    remove,
)
from kernelviz.session.session import Session
from kernelviz.session.state import State

INTERVAL = 2.0  # Seconds between two writes while things change.


@dataclass(frozen=True, eq=False)
class _Kept:
    """A state that waits to be written. It is frozen, so the job needs no copy."""

    state: State
    extra: Mapping[str, Any]
    generation: int


class Adopted(NamedTuple):
    """A recovered session."""

    state: State
    extra: dict[str, Any]
    opened: Path | None  # The user's own file it belongs to.
    seen: str  # Fingerprint of that file when it was last opened or saved.


class Recovery:
    """Saves the session of one window: `keep` is cheap, and a background job writes every few seconds.

    While a window is open it holds the lock of its file; the system releases it when the process dies,
    however that happens. A file without a living lock is therefore the session of a program that crashed. A
    write that fails is repeated after 2, 4, 8 … intervals, and its reason is shown once."""

    def __init__(
        self,
        directory: Path | None = None,
        interval: float = INTERVAL,
        tell: Callable[[str], None] = lambda problem: None,
    ) -> None:
        """tell: called with every new `problem`, on the thread in which it occurred."""
        self._directory = directory or recovery_directory()
        self._interval = interval
        self._tell = tell
        self._jobs = Jobs("kernelviz-autosave")
        self._writing = threading.Lock()
        self._guard = threading.Lock()
        # Whenever this is not None, a job has been started that will write it.
        self._waiting: _Kept | None = None
        self._generation = 0
        self._closing = threading.Event()
        self._resting_until = 0.0
        self._failures = 0
        self._lock: FileLock | None = None
        self.problem = ""  # Why the last write failed, in words; empty if it did not.
        started = f"{os.getpid()}-{int(time.time())}-{secrets.token_hex(3)}"
        self.path = self._directory / f"{started}{kviz.SUFFIX}"

    # For the window -----------------------------------------------------------------------------------
    def keep(
        self,
        state: State,
        opened: Path | None = None,
        extra: Mapping[str, Any] | None = None,
        seen: str = "",
    ) -> None:
        """Write this state soon.

        `opened` is the user's own file it belongs to, `seen` its fingerprint when it was opened or saved."""
        about = {KEY: noted(opened, seen)}
        with self._guard:
            begin = self._waiting is None
            self._waiting = _Kept(state, {**(extra or {}), **about}, self._generation)
        if begin:
            self._jobs.start(Job(self._write_soon))

    def forget(self) -> None:
        """Remove the file: everything is saved, so there is nothing to recover."""
        self._drop()
        remove(self.path)
        self._say("")

    def _drop(self) -> None:
        """Discard what waits or is being written."""
        with self._guard:
            self._waiting = None
            self._generation += 1

    def adopt(self, crashed: CrashedSession) -> Adopted:
        """Return a crashed session, which this window keeps from now on.

        BadInput when it cannot be read or another window has taken it. If the disk is full, its file stays
        where it is."""
        lock = FileLock.take(crashed.lock_path)
        if lock is None or not crashed.path.exists():
            if lock is not None:
                lock.release()
            raise BadInput("That session has been recovered in another window already.")
        written = False
        try:
            state, extra = kviz.load(crashed.path)
            opened, seen = origin(extra)
            self._drop()
            written = self._write(_Kept(state, extra, self._generation))
            if written:
                remove(crashed.path)
        finally:
            lock.release(remove=written)
        extra.pop(KEY, None)
        return Adopted(state, extra, opened, seen)

    def close(self, *, keep: bool = False) -> str:
        """End autosaving when the window closes. keep: leave unsaved work, to be offered at the next start.

        Return the reason if that could not be written, otherwise an empty text."""
        self._closing.set()
        if not keep:
            self._drop()
        ended = self._jobs.join(5.0)
        if not keep:
            remove(self.path)
        elif (waiting := self._taken()) is not None and ended:
            self._write(waiting)
        if self._lock is not None:
            self._lock.release(remove=not keep)
            self._lock = None
        return self.problem if ended else "the disk does not answer"

    # The job ------------------------------------------------------------------------------------------
    def _write_soon(self, beat: Beat) -> Generator[float, None, None]:
        """Wait for the end of the interval, then write the latest state; try again later if that fails.

        `close` waits for a write that has begun, and itself writes what still waits."""
        slowest = 16  # Intervals between two attempts when writing fails again and again.
        yield 0.0
        while not self._closing.wait(self._resting_until - time.monotonic()):
            kept = self._taken()
            if kept is None:
                return
            self._failures = 0 if self._write(kept) else self._failures + 1
            self._resting_until = time.monotonic() + self._interval * min(2**self._failures, slowest)
            with self._guard:
                again = self._failures > 0 and self._waiting is None and kept.generation == self._generation
                if not again:
                    return
                self._waiting = kept

    def _taken(self) -> _Kept | None:
        """Take the work that waits to be written; None if there is nothing."""
        with self._guard:
            kept, self._waiting = self._waiting, None
        return kept

    def _write(self, kept: _Kept) -> bool:
        """Write a state and return True if that succeeded."""
        with self._writing:
            problem = ""
            try:
                self._claim()
                write_atomically(self.path, kviz.dumps(kept.state, kept.extra).encode())
            except Exception as error:  # whatever it is, the next state may succeed, so the thread continues
                problem = _why(error)
            if kept.generation == self._generation:
                self._say(problem)
            else:  # discarded while it was being written
                remove(self.path)
            return not problem

    def _say(self, problem: str) -> None:
        """Report a problem unless it is the one already reported; an empty text means that it is over."""
        if problem != self.problem:
            self.problem = problem
            self._tell(problem)

    def _claim(self) -> None:
        """Make the directory and lock our name in it before the first file is written."""
        if self._lock is not None and not self._lock.path.exists():  # it was removed by hand
            self._lock.release(remove=False)
            self._lock = None
        if self._lock is None:
            self._directory.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._lock = FileLock.take(self.path.with_suffix(LOCK_SUFFIX))
            if self._lock is None:
                raise BadInput(f"nothing can be written in {self._directory}.")


def _why(error: Exception) -> str:
    """Return why writing failed, without the name of a file that the user does not know."""
    if isinstance(error, OSError) and error.strerror:
        return reason(error)
    return str(error).rpartition("cannot be saved: ")[2].removesuffix(".") or type(error).__name__


# The user's file a session belongs to, the session's extra fields, and the fingerprint of the file.
About = Callable[[], tuple[Path | None, Mapping[str, Any], str]]


def watch(recovery: Recovery, session: Session, about: About) -> Callable[[], None]:
    """Autosave a session while it has unsaved changes; return a function that ends this.

    When everything is saved, or undone, the recovery file is removed."""
    kept = False

    def on_change(old: State, new: State) -> None:
        nonlocal kept
        before, kept = kept, session.unsaved
        if kept:
            recovery.keep(new, *about())
        elif before:
            recovery.forget()

    return session.subscribe(on_change)
