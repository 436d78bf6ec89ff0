"""What the last minutes of editing did to the fit: a row of numbers for every live result, a name for every
edit, and the way back to it."""

from __future__ import annotations

import weakref
from collections import deque
from dataclasses import dataclass

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Task
from kernelviz.engine.core.losses import HINGE, SQUARED_ERROR, ZERO_ONE
from kernelviz.engine.numbers.declared import label
from kernelviz.runtime.messages import Frame
from kernelviz.session.history import History
from kernelviz.session.session import Session
from kernelviz.session.state import Document

LENGTH = 600  # Results remembered: some ten seconds of dragging, or many minutes of clicking.
HINGE_LOSS = label("hinge_loss")
ERRORS = (label("training_error"), label("test_error"))
SQUARED_ERRORS = (label("mean_squared_error"), label("test_mean_squared_error"))


@dataclass(frozen=True)
class Tick:
    """The last result of an edit."""

    row: int
    name: str
    document: weakref.ref[Document]  # Gone once it can no longer be undone to and nobody shows it.


@dataclass(frozen=True, eq=False)
class Edits:
    """What is remembered at one moment: (rows, names) numbers, NaN where undefined, and the edits.

    names: the mean loss of the algorithm in use, the mean hinge, the errors on training and held-out
    points."""

    numbers: Array
    ticks: tuple[Tick, ...]
    names: tuple[str, ...] = ("loss", HINGE_LOSS, *ERRORS)


@dataclass(frozen=True, eq=False)
class _Row:
    numbers: tuple[float, float, float, float]
    names: tuple[str, str, str, str]
    position: int  # Of undo: another one is another edit.
    name: str
    document: weakref.ref[Document]


class Chronicle:
    """Sees every frame; forgets the oldest, and everything when another session is opened."""

    def __init__(self) -> None:
        self._rows: deque[_Row] = deque(maxlen=LENGTH)
        self._history: History | None = None

    def see(self, frame: Frame, session: Session) -> None:
        """Remember a live result, if it is the present document's."""
        document = session.document
        if self._history is not session.history:
            self._history = session.history
            self._rows.clear()
        shown = frame.data is document.data and frame.request.fits is document.fits
        if not shown or frame.request.step is not None or not frame.refined:
            return
        row = _Row(
            *_numbers(frame), len(session.history), session.history.undo_name or "", weakref.ref(document)
        )
        if self._rows and self._rows[-1].document() is document:
            self._rows.pop()  # the same again: another view of it
        self._rows.append(row)

    def edits(self) -> Edits:
        rows = list(self._rows)
        ends = [k for k, row in enumerate(rows) if k + 1 == len(rows) or rows[k + 1].position != row.position]
        ticks = tuple(Tick(k, rows[k].name, rows[k].document) for k in ends)
        if not rows:
            return Edits(np.empty((0, 4)), ticks)
        # Of another loss, or of errors of another kind, nothing is shown on the same scale.
        numbers = np.array([row.numbers for row in rows])
        names = rows[-1].names
        numbers[np.array([[a != b for a, b in zip(row.names, names, strict=True)] for row in rows])] = np.nan
        return Edits(numbers, ticks, names)


def _numbers(frame: Frame) -> tuple[tuple[float, float, float, float], tuple[str, str, str, str]]:
    """The numbers of a result and what they are called; the algorithm's loss only where it is none of the
    others."""
    numbers, test, loss = frame.model.numbers, frame.test, frame.model.own_loss
    real = frame.data.task is Task.REGRESSION
    known = {HINGE, ZERO_ONE, SQUARED_ERROR}
    training = numbers.get("mean_squared_error" if real else "training_error")
    held_out = None if test is None else test.mean_squared_error if real else test.error
    found = (None if loss in known else numbers.get("loss"), numbers.get("hinge_loss"), training, held_out)
    own, hinge, first, second = (np.nan if value is None else float(value) for value in found)
    return (own, hinge, first, second), (
        f"{loss.name} loss",
        "" if real else HINGE_LOSS,
        *(SQUARED_ERRORS if real else ERRORS),
    )
