"""The words of a figure that are left to LaTeX: where each stands, instead of being drawn."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter


class Word(NamedTuple):
    """A line of text, or a formula, with its baseline in the units of the page."""

    x: float
    y: float
    text: str
    size: float
    anchor: str
    colour: str
    bold: bool = False
    italic: bool = False
    turned: bool = False
    is_formula: bool = False


_left: ContextVar[list[Word] | None] = ContextVar("words left to LaTeX", default=None)


@contextmanager
def words_left_out() -> Iterator[list[Word]]:
    """Collect all words that would be drawn meanwhile on this thread, in a list."""
    found: list[Word] = []
    before = _left.set(found)
    try:
        yield found
    finally:
        _left.reset(before)


def is_left_out(
    painter: QPainter, at: QPointF, text: str, size: float, anchor: str, colour: str, **how: bool
) -> bool:
    """Return True for a word at a place of the painter that is not to be drawn, which is kept in the list."""
    if (found := _left.get()) is None:
        return False
    place = painter.combinedTransform().map(at)
    found.append(Word(place.x(), place.y(), text, size, anchor, colour, **how))
    return True
