"""The log of recent edits: the numbers of every live result, the name of every edit, and its document."""

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
from kernelviz.runtime.runs import errors_of
from kernelviz.session.history import History
from kernelviz.session.session import Session
from kernelviz.session.state import Document

HINGE_LOSS = label("hinge_loss")
ERRORS = (label("training_error"), label("test_error"))
SQUARED_ERRORS = (label("mean_squared_error"), label("test_mean_squared_error"))


@dataclass(frozen=True)
class Tick:
    """The last result of an edit."""

    row: int
    name: str
    document: weakref.ref[Document]  # Empty once the document is neither shown nor in the history.


@dataclass(frozen=True, eq=False)
class Edits:
    """The log at one moment.

    numbers: an array (rows, names), NaN where undefined. names: the mean loss of the algorithm in use, the
    mean hinge loss, the errors on training and held-out points. ticks: the last row of each edit."""

    numbers: Array
    ticks: tuple[Tick, ...]
    names: tuple[str, ...] = ("loss", HINGE_LOSS, *ERRORS)


@dataclass(frozen=True, eq=False)
class _Row:
    numbers: tuple[float, float, float, float]
    names: tuple[str, str, str, str]
    position: int  # Length of the history: rows of one edit have the same.
    name: str
    document: weakref.ref[Document]


class EditLog:
    """Records every frame; drops the oldest ones, and all of them when another session is opened."""

    def __init__(self) -> None:
        length = 600  # Results kept: some ten seconds of dragging, or many minutes of clicking.
        self._rows: deque[_Row] = deque(maxlen=length)
        self._history: History | None = None

    def see(self, frame: Frame, session: Session) -> None:
        """Record a live result if it belongs to the present document."""
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
            self._rows.pop()  # the same document, seen in another view
        self._rows.append(row)

    def edits(self) -> Edits:
        """Return the log so far, in the terms of the latest result."""
        rows = list(self._rows)
        ends = [k for k, row in enumerate(rows) if k + 1 == len(rows) or rows[k + 1].position != row.position]
        ticks = tuple(Tick(k, rows[k].name, rows[k].document) for k in ends)
        if not rows:
            return Edits(np.empty((0, 4)), ticks)
        # Another loss, or errors of another kind, cannot be shown on the same scale.
        numbers = np.array([row.numbers for row in rows])
        names = rows[-1].names
        numbers[np.array([[a != b for a, b in zip(row.names, names, strict=True)] for row in rows])] = np.nan
        return Edits(numbers, ticks, names)


def _numbers(frame: Frame) -> tuple[tuple[float, float, float, float], tuple[str, str, str, str]]:
    """Return the numbers of a result and their names; the algorithm's own loss is NaN where it is one of the
    others."""
    numbers, loss = frame.model.numbers, frame.model.own_loss
    real = frame.data.task is Task.REGRESSION
    known = {HINGE, ZERO_ONE, SQUARED_ERROR}
    found = (None if loss in known else numbers.get("loss"), numbers.get("hinge_loss"))
    own, hinge = (np.nan if value is None else float(value) for value in found)
    return (own, hinge, *errors_of(frame.model, frame.test)), (
        f"{loss.name} loss",
        "" if real else HINGE_LOSS,
        *(SQUARED_ERRORS if real else ERRORS),
    )
