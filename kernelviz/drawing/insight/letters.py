"""A text with its letters highlighted, each by how much it counts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

from kernelviz.drawing.figure.colours import blend
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.text import draw_text, text_width
from kernelviz.engine.core.arrays import Array

LINE = 1.55  # Height of a line in units of the type size.
MOST_LINES = 4
LARGE = 1.6  # Times the usual size, where the text fits a line.
# How much of the highlight's colour letters have that count for next to nothing, and for most.
FAINTEST, STRONGEST = 0.06, 0.6


WORDS = re.compile(r"\S*\s?")


def fitting_size(texts: Sequence[str], points: float, width: float) -> float:
    """The size, from the usual one up to a larger one, in which all texts fit a line, if there is one."""
    longest = max(sum(_advance(sign, points) for sign in text) for text in texts)
    return points * min(LARGE, max(1.0, width / max(longest, 1e-9)))


def _advance(sign: str, size: float) -> float:
    return text_width(sign, size) + 0.12 * size


def visible(text: str) -> str:
    """Blanks as signs that can be seen."""
    return "".join("␣" if sign.isspace() else sign for sign in text)


@dataclass(frozen=True, eq=False)
class LetteredText:
    """A text set in lines of at most a width; what takes more lines than there is room for is left out."""

    text: str
    size: float
    cells: tuple[tuple[float, float, int], ...]  # Left edge, width and line of each letter shown.

    @classmethod
    def of(cls, text: str, size: float, width: float) -> LetteredText:
        cells: list[tuple[float, float, int]] = []
        x, line = 0.0, 0
        for word in WORDS.findall(text):
            wide = [_advance(sign, size) for sign in word]
            if x > 0.0 and x + sum(wide) > width >= sum(wide):
                x, line = 0.0, line + 1
            for own in wide:
                if x > 0.0 and x + own > width:
                    x, line = 0.0, line + 1
                if line == MOST_LINES:
                    return cls(text, size, tuple(cells))
                cells.append((x, own, line))
                x += own
        return cls(text, size, tuple(cells))

    @property
    def height(self) -> float:
        return LINE * self.size * (1 + (self.cells[-1][2] if self.cells else 0))

    def draw(self, painter: QPainter, at: QPointF, style: Style, weights: Array, colour: str) -> None:
        """From its upper left corner, each letter on a ground as strong as its weight."""
        strength = weights / max(float(np.max(weights, initial=0.0)), 1e-300)
        for (x, wide, line), sign, share in zip(self.cells, self.text, strength.tolist(), strict=False):
            cell = QRectF(at.x() + x, at.y() + LINE * self.size * line, wide, 0.92 * LINE * self.size)
            if share > 0.0:
                strong = round(FAINTEST + (STRONGEST - FAINTEST) * share, 2)
                painter.fillRect(cell, QColor(_mixed(style.theme.paper, colour, strong)))
            foot = QPointF(cell.center().x(), cell.top() + 1.05 * self.size)
            draw_text(painter, style, foot, sign, points=self.size, anchor="centre")
        if len(self.cells) < len(self.text):
            end = QPointF(at.x(), at.y() + self.height + 0.35 * self.size)
            draw_text(
                painter, style, end, f"… {len(self.text) - len(self.cells)} more", points=0.8 * self.size
            )


_mixed = lru_cache(maxsize=256)(blend)
