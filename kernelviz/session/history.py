"""Undo and redo: documents are immutable, so history is a list of them with names."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kernelviz.session.state import Document

# Bytes of points kept for undo: the last 160 changes of 100,000 points, all changes of a few hundred.
BYTES_FOR_UNDO = 256_000_000


@dataclass(frozen=True, eq=False)
class UndoStep:
    """A named change and the document before and after it, which is the same for a switch of a view."""

    name: str
    before: Document
    after: Document
    gesture: object
    undo: Callable[[], None] | None = None  # Sets a switch back.
    redo: Callable[[], None] | None = None

    @cached_property
    def size(self) -> int:
        """Bytes that only undo needs: arrays of the document before that are not in the one after."""
        kept = _arrays(self.after)
        return sum(a.nbytes for a in _arrays(self.before) if not any(a is other for other in kept))


class History:
    """Undo without limit, unless the points would fill the memory: then the oldest steps are dropped.

    Changes of one gesture (a slider drag, a brush stroke) make a single step. A new step ends what could be
    redone.

    >>> history.record("move point", before, after, gesture=drag)
    >>> history.undo() is before, history.redo() is after
    (True, True)"""

    def __init__(self) -> None:
        self._done: deque[UndoStep] = deque()
        self._undone: list[UndoStep] = []
        self._size = 0
        self.forgot = False  # Whether older steps were dropped.

    def record(
        self,
        name: str,
        before: Document,
        after: Document,
        gesture: object = None,
        *,
        undo: Callable[[], None] | None = None,
        redo: Callable[[], None] | None = None,
    ) -> None:
        """Add a step, or extend the last one if it has the same gesture."""
        self._undone.clear()
        last = self._done[-1] if self._done else None
        if gesture is not None and last is not None and last.gesture == gesture:
            first = self._taken()
            before, undo = first.before, first.undo
        self._put(UndoStep(name, before, after, gesture, undo, redo))
        while self._size > BYTES_FOR_UNDO and len(self._done) > 1:
            self._size -= self._done.popleft().size
            self.forgot = True

    def _put(self, step: UndoStep) -> None:
        self._done.append(step)
        self._size += step.size

    def _taken(self) -> UndoStep:
        step = self._done.pop()
        self._size -= step.size
        return step

    def undo(self) -> Document | None:
        """Take back the last step and return the document before it, or None if there is none."""
        if not self._done:
            return None
        step = self._taken()
        self._undone.append(step)
        if step.undo is not None:
            step.undo()
        return step.before

    def redo(self) -> Document | None:
        """Repeat the step that was last undone and return the document after it, or None."""
        if not self._undone:
            return None
        step = self._undone.pop()
        self._put(step)
        if step.redo is not None:
            step.redo()
        return step.after

    def way_to(self, document: Document) -> int | None:
        """Return how many steps forward (or, negative, back) a document is away; None if it is not there."""
        for k, step in enumerate(reversed(self._done)):
            if step.after is document:
                return -k
            if step.before is document:
                return -k - 1
        for k, step in enumerate(reversed(self._undone)):
            if step.after is document:
                return k + 1
        return None

    def abandon(self, gesture: object) -> Document | None:
        """Drop the last step if it has that gesture and return the document before it, or None."""
        if gesture is None or not self._done or self._done[-1].gesture != gesture:
            return None
        return self._taken().before

    @property
    def undo_name(self) -> str | None:
        """The name of the step that `undo` takes back; None if there is none."""
        return self._done[-1].name if self._done else None

    @property
    def redo_name(self) -> str | None:
        """The name of the step that `redo` repeats; None if there is none."""
        return self._undone[-1].name if self._undone else None

    def __len__(self) -> int:
        return len(self._done)


def _arrays(document: Document) -> list[np.ndarray]:
    """Return the arrays of a document that may be large: inputs and targets, fitted and held out."""
    held = () if document.held_out is None else (document.held_out.data.X, document.held_out.data.target)
    both = (document.data.X, document.data.target, *held)
    return [array for array in both if isinstance(array, np.ndarray)]
