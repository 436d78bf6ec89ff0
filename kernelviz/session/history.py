"""Undo and redo: documents are immutable, so history is a list of them with names."""

from __future__ import annotations

from dataclasses import dataclass

from kernelviz.session.state import Document

__all__ = ["History"]


@dataclass(frozen=True, eq=False)
class Step:
    """A named change and the document before and after it."""

    name: str
    before: Document
    after: Document
    gesture: object


class History:
    """Unlimited undo. Changes of one gesture (a slider drag, a brush stroke) make a single step."""

    def __init__(self) -> None:
        self._done: list[Step] = []
        self._undone: list[Step] = []

    def record(self, name: str, before: Document, after: Document, gesture: object = None) -> None:
        self._undone.clear()
        last = self._done[-1] if self._done else None
        if gesture is not None and last is not None and last.gesture == gesture:
            self._done[-1] = Step(name, last.before, after, gesture)
        else:
            self._done.append(Step(name, before, after, gesture))

    def undo(self) -> Document | None:
        """The document before the last step, or None."""
        if not self._done:
            return None
        step = self._done.pop()
        self._undone.append(step)
        return step.before

    def redo(self) -> Document | None:
        """The document after the step last undone, or None."""
        if not self._undone:
            return None
        step = self._undone.pop()
        self._done.append(step)
        return step.after

    def abandon(self, gesture: object) -> Document | None:
        """Forget the last step if it is that gesture's; the document before it, or None."""
        if gesture is None or not self._done or self._done[-1].gesture != gesture:
            return None
        return self._done.pop().before

    @property
    def undo_name(self) -> str | None:
        return self._done[-1].name if self._done else None

    @property
    def redo_name(self) -> str | None:
        return self._undone[-1].name if self._undone else None

    def __len__(self) -> int:
        return len(self._done)
