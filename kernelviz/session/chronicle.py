"""What the last minutes of editing did to the fit: a row of numbers for every live result, a name for every
edit, and the way back to it."""

from __future__ import annotations

import weakref
from collections import deque
from dataclasses import dataclass

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.runtime.messages import Frame
from kernelviz.session.history import History
from kernelviz.session.session import Session
from kernelviz.session.state import Document

__all__ = ["SERIES", "Chronicle", "Edits", "Tick"]

LENGTH = 600
"""Results remembered: some ten seconds of dragging, or many minutes of clicking."""
SERIES = ("mean hinge", "training error", "held-out error")


@dataclass(frozen=True)
class Tick:
    """The last result of an edit."""

    row: int
    name: str
    document: weakref.ref[Document]
    """Gone once it can no longer be undone to and nobody shows it."""


@dataclass(frozen=True, eq=False)
class Edits:
    """What is remembered at one moment: (rows, SERIES) numbers, NaN where undefined, and the edits."""

    numbers: Array
    ticks: tuple[Tick, ...]


@dataclass(frozen=True, eq=False)
class _Row:
    numbers: tuple[float, float, float]
    position: int
    """Of undo: another one is another edit."""
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
            _numbers(frame), len(session.history), session.history.undo_name or "", weakref.ref(document)
        )
        if self._rows and self._rows[-1].document() is document:
            self._rows.pop()  # the same again: another view of it
        self._rows.append(row)

    def edits(self) -> Edits:
        rows = list(self._rows)
        ends = [k for k, row in enumerate(rows) if k + 1 == len(rows) or rows[k + 1].position != row.position]
        ticks = tuple(Tick(k, rows[k].name, rows[k].document) for k in ends)
        return Edits(np.array([row.numbers for row in rows]).reshape(-1, len(SERIES)), ticks)


def _numbers(frame: Frame) -> tuple[float, float, float]:
    numbers, test = frame.model.numbers, frame.test
    found = (numbers.get("hinge_loss"), numbers.get("training_error"), None if test is None else test.error)
    hinge, training, held_out = (np.nan if value is None else float(value) for value in found)
    return hinge, training, held_out
