"""What must hold whatever the random user has done."""

from __future__ import annotations

import ctypes
import gc
import os
import sys
import threading
import time
import traceback
from typing import ClassVar

import numpy as np
from PySide6.QtWidgets import QApplication

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.solve import algorithm_for, fit_data, in_full
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.problem import Problem
from kernelviz.runtime.pipeline import Playback
from kernelviz.runtime.runner import trim_memory
from kernelviz.session.files import kviz
from kernelviz.session.state import Document, State
from kernelviz.ui.window.main_window import MainWindow
from tests.patience import PATIENCE
from tests.ui.painted import Paints

__all__ = [
    "Broken",
    "children",
    "frame_is_fresh",
    "is_painted",
    "memory",
    "memory_is_bounded",
    "new_threads",
    "session_round_trip",
    "written",
]

MOST = 600
"""Points up to which a solve from nothing is quick enough to be repeated."""
MOST_STEPS = 3000
CLOSE = 1e-4
"""How far scores may be apart, relative to the largest; algorithms stop at tolerances of their own."""


class Broken(AssertionError):
    """A promise that was not kept."""


def written(document: Document) -> str:
    """A document as its file would have it: equal texts are equal documents."""
    return kviz.dumps(State(document))


def session_round_trip(window: MainWindow) -> None:
    """What is saved and opened again is what was there."""
    text = kviz.dumps(window.session.state)
    try:
        state, _ = kviz.loads(text)
    except BadInput as problem:
        raise Broken(f"its own session cannot be opened: {problem}") from None
    if (again := kviz.dumps(state)) != text:
        at = next(k for k in range(len(text)) if text[k : k + 1] != again[k : k + 1])
        before, after = (one[max(at - 60, 0) : at + 60] for one in (text, again))
        raise Broken(f"saved and opened again, the session is another one: {before!r} is {after!r}")


def is_painted(window: MainWindow) -> None:
    """The window paints what asks to be painted."""
    part = window.stage.childAt(window.stage.rect().center())
    paints = Paints(part)
    part.update()
    deadline = time.monotonic() + PATIENCE
    while not paints.count:
        if time.monotonic() > deadline:
            raise Broken(f"{part} is no longer painted")
        QApplication.processEvents()
    paints.deleteLater()


# The last frame -----------------------------------------------------------------------------------------
def frame_is_fresh(window: MainWindow) -> None:
    """What is shown once all is quiet is what a solve from nothing gives, failure or not."""
    document, look = window.session.document, window.session.look
    frame, failure = window.workbench.frame, window.workbench.failure
    if document.data.n > MOST or (look.mode == "watch" and (frame is None or frame.step > MOST_STEPS)):
        return
    try:
        fresh = _fresh(document, look.step if look.mode == "watch" else None)
    except BadInput as problem:
        if failure is None or failure.sentence != str(problem):
            raise Broken(f"nothing was said of: {problem}") from None
        return
    if frame is None:
        raise Broken(f"a fresh solve succeeds, but shown is: {failure and failure.sentence}")
    if frame.data is not document.data:
        raise Broken("the picture is of other points")
    # Without steps the fresh solve is polished; the frame may not have been yet.
    _compare(frame.model if look.mode == "watch" else in_full(frame.model), fresh)


def _fresh(document: Document, step: int | None) -> Model:
    data, kernel, algorithm = document.data, document.kernel, document.algorithm
    if step is None:
        return fit_data(data, kernel, algorithm)
    chosen, problem = algorithm_for(data, algorithm), Problem(data, kernel)
    chosen.check(problem)
    *_, (_, iterate) = Playback(chosen, problem).go(step)
    return iterate.model


def _compare(shown: Model, fresh: Model) -> None:
    about = f"{shown!r} is shown, {fresh!r} is the fresh solve"
    if shown.status is not fresh.status:
        raise Broken(about)
    ours, theirs = shown.numbers, fresh.numbers
    bounds = [numbers[name] for numbers in (ours, theirs) for name in ("dual_objective", "primal_objective")]
    if None not in bounds and shown.converged and ours["duality_gap"] is not None:
        # The optimum lies between any dual and any primal value, so neither may contradict the other.
        a, b, c, d = (float(x or 0.0) for x in bounds)
        slack = CLOSE * max(map(abs, (a, b, c, d)))
        if a > d + slack or c > b + slack:
            raise Broken(f"{about}: optimum in [{a!r}, {b!r}] and in [{c!r}, {d!r}]")
    elif fresh.algorithm.order_matters or not hasattr(fresh.algorithm, "tol"):
        size = CLOSE * (1 + np.abs(fresh.training_scores).max(initial=0.0))
        apart = np.abs(shown.training_scores - fresh.training_scores).max(initial=0.0)
        if not apart <= size:
            raise Broken(f"{about}: scores differ by {apart:.3g}")


# What is left behind --------------------------------------------------------------------------------------
class _Malloc(ctypes.Structure):
    """What mallinfo2 of glibc tells."""

    _fields_: ClassVar = [
        (name, ctypes.c_size_t)
        for name in (
            *("arena", "ordblks", "smblks", "hblks", "hblkhd"),
            *("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"),
        )
    ]


def memory() -> float:
    """Megabytes that are in use after a rest: what malloc has given out, and the blocks of Python's own.

    Resident memory tells another thing: after a moment of 600 MB the heap keeps 150 MB in pieces between what
    is still in use, which a walk of 10,000 actions never fills again."""
    block = 95  # bytes of one on average, by sys._debugmallocstats
    gc.collect()
    trim_memory()
    libc = ctypes.CDLL(None)
    libc.mallinfo2.restype = _Malloc
    given = libc.mallinfo2()
    return (given.uordblks + given.hblkhd + block * sys.getallocatedblocks()) / 1e6


def memory_is_bounded(megabytes: list[float]) -> None:
    """What is in use at the least moments of the last quarter is hardly more than in the second one: in the
    first one modules are still imported, and many points come and go."""
    most_growth = 40.0  # what is imported late, such as scipy.spatial, takes 10 to 20
    quarter = len(megabytes) // 4
    if quarter >= 3:
        early, late = min(megabytes[quarter : 2 * quarter]), min(megabytes[-quarter:])
        if late > early + most_growth:
            raise Broken(f"memory grew from {early:.0f} to {late:.0f} MB")


def new_threads(before: set[threading.Thread]) -> list[str]:
    """The threads that are still there after some patience, and what each was doing at first."""
    deadline = time.monotonic() + PATIENCE
    frames = sys._current_frames()
    doing = {i: "".join(traceback.format_stack(frame, 6)) for i, frame in frames.items()}
    while left := [t for t in threading.enumerate() if t not in before]:
        if time.monotonic() > deadline:
            break
        time.sleep(0.01)
    return [f"{t.name}\n{doing.get(t.ident or 0, '')}" for t in left]


def children() -> set[str]:
    """The processes this one has started and not ended; Python's own, which tidies up after them, stays."""
    found: set[str] = set()
    for task in os.listdir("/proc/self/task"):
        with open(f"/proc/self/task/{task}/children") as file:
            found.update(file.read().split())
    return {pid for pid in found if "resource_tracker" not in _command(pid)}


def _command(pid: str) -> str:
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return file.read().decode(errors="replace")
    except OSError:  # it has ended meanwhile
        return ""
