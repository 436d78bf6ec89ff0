"""What tests have done in other processes, which must be able to import it."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any, NoReturn

from kernelviz.engine.core.errors import BadInput
from kernelviz.runtime.jobs import Work
from kernelviz.runtime.processes import spread
from kernelviz.session.files.atomic import replacing
from tests.patience import PATIENCE


def do(what: tuple[Any, ...]) -> Any:
    """(function, argument, ...)"""
    function, *arguments = what
    return function(*arguments)


def squared(x: float) -> float:
    return x * x


def own_pid(_: object) -> int:
    return os.getpid()


def meet(folder: Path, several: int = 2) -> int:
    """Come back once so many processes are here."""
    (folder / str(os.getpid())).touch()
    deadline = time.monotonic() + PATIENCE
    while len(list(folder.iterdir())) < several:
        assert time.monotonic() < deadline, "nobody else has come"
        time.sleep(0.005)
    return os.getpid()


def refuse(sentence: str, folder: Path) -> NoReturn:
    """Once another process is here."""
    meet(folder)
    raise BadInput(sentence)


class TwoWordsError(Exception):
    """Cannot be made again from what it says."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(f"{one} {other}")


def stumble(_: object) -> NoReturn:
    raise TwoWordsError("oh", "dear")


def function_without_a_name(_: object) -> object:
    return lambda: None


def be_killed(_: object = None) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def be_killed_once(folder: Path) -> str:
    """Be killed at the end of the first call; the second one returns."""
    if not any(folder.iterdir()):
        (folder / "first").touch()
        be_killed()
    return "done"


def be_killed_after_another(folder: Path) -> None:
    """Be killed once another process is at work."""
    deadline = time.monotonic() + PATIENCE
    while not any(folder.iterdir()):
        assert time.monotonic() < deadline, "no other process is at work"
        time.sleep(0.005)
    be_killed()


def stay(folder: Path) -> None:
    """Never come back; a file is named after the process as soon as it has begun."""
    (folder / str(os.getpid())).touch()
    time.sleep(10 * PATIENCE)


def stay_for(seconds: float, folder: Path) -> None:
    (folder / str(os.getpid())).touch()
    time.sleep(seconds)


def stay_whatever_is_said(folder: Path) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    stay(folder)


def stay_stopped(folder: Path) -> None:
    """As a process that somebody has stopped, which hears nothing until it goes on."""
    (folder / str(os.getpid())).touch()
    os.kill(os.getpid(), signal.SIGSTOP)


def protest(folder: Path) -> None:
    """Stay, and complain when made to go, as Qt does when a painter is at work."""
    try:
        stay(folder)
    finally:
        os.write(2, b"Painter ended with 2 saved states")


def write_slowly(path: Path) -> None:
    with replacing(path) as file:
        file.write(b"half of it")
        time.sleep(10 * PATIENCE)


# Here ---------------------------------------------------------------------------------------------------
def staying(folder: Path) -> Work:
    """A job in two processes that never comes to an end."""

    def work(beat):
        for done, _ in enumerate(spread(stay, [folder, folder], workers=2, beat=beat)):
            yield done / 2

    return work


def pids_in(folder: Path) -> list[int]:
    """Of those that have left their name there."""
    return [int(path.name) for path in folder.iterdir() if path.name.isdecimal()]


def exists(pid: int) -> bool:
    """Also while it is a zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
