"""Text in the bundled typeface: how wide it is, broken into lines, drawn, and placed next to points.

It is set at ten times its size and scaled down, which keeps its shape from screen to print. A line may have
formulas in it, between two marks that no name from data contains: `marked` puts them into a label that an
author has typed, and everything else is plain text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Literal

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath

from kernelviz.engine.core.arrays import Array
from kernelviz.scene.figure.latex_words import is_left_out
from kernelviz.scene.figure.strokes import pen
from kernelviz.scene.figure.style import CAPTION, Style
from kernelviz.scene.figure.typeface import FINENESS, family, font, formula_scale, width_in
from kernelviz.scene.formula import draw_formula, formula_ascent, formula_size
from kernelviz.session.labels import pieces

SMALLEST_TYPE = 0.65  # Of the type: what is smaller cannot be read.
HALF = 0.36  # Half the height of a digit or a capital, relative to the type size.
OPEN, CLOSE = "\ue000", "\ue001"  # Before and after a formula in a line: letters for private use.
FORMULA_AIR = 0.04  # On both sides of a formula, relative to the type.
Anchor = Literal["left", "centre", "right"]


def marked(typed: str) -> str:
    """Return a label that an author has typed as a line with formulas in it."""
    return "".join(f"{OPEN}{part}{CLOSE}" if k % 2 else part for k, part in enumerate(pieces(typed)))


def has_formula(line: str) -> bool:
    """Return True for a line with a formula in it."""
    return OPEN in line


def units_of(line: str) -> list[str]:
    """Return the letters of a line and its formulas, each of which is a whole."""
    return (
        re.findall(f"{OPEN}[^{CLOSE}]*{CLOSE}|.", line, flags=re.DOTALL) if has_formula(line) else list(line)
    )


def parts_of(line: str) -> Iterator[tuple[str, bool]]:
    """Yield the texts and the formulas of a line, and which of both each is."""
    for k, part in enumerate(re.split(f"[{OPEN}{CLOSE}]", line)):
        if part:
            yield part, bool(k % 2)


def text_width(text: str, points: float, *, bold: bool = False, italic: bool = False) -> float:
    """Return the width in points of a line of text."""
    if has_formula(text):
        return sum(
            formula_size(part, formula_scale(family()) * points)[0] + 2 * FORMULA_AIR * points
            if is_formula
            else text_width(part, points, bold=bold, italic=italic)
            for part, is_formula in parts_of(text)
        )
    return width_in(family(), text, points, bold, italic)


def line_height(points: float) -> float:
    """Return the distance of two baselines."""
    return 1.3 * points


def overshoot(text: str, points: float) -> tuple[float, float]:
    """Return how far the formulas of a line reach above and below the room that a line of letters has."""
    above = below = 0.0
    letters = (0.9, 0.3)  # Room above and below the baseline, relative to the type.
    for part, is_formula in parts_of(text):
        if is_formula:
            ascent = formula_ascent(part, formula_scale(family()) * points)
            descent = formula_size(part, formula_scale(family()) * points)[1] - ascent
            above, below = max(above, ascent - letters[0] * points), max(below, descent - letters[1] * points)
    return above, below


def wrapped(text: str, points: float, width: float) -> list[str]:
    """Return the text broken at blanks, but not at those of "5 %", "n = 80" or formulas, into lines of at
    most that width."""
    lines: list[str] = []
    for word in re.findall(f"(?:{OPEN}[^{CLOSE}]*{CLOSE}| = | %|[^ \n\t])+", text):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, points) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def fitted(text: str, points: float, width: float, *, italic: bool = False) -> tuple[str, float]:
    """Return a line of text and its size, such that it is at most that wide: smaller if necessary, and ending
    in dots if it would become illegible."""
    size = points * max(SMALLEST_TYPE, min(1.0, width / max(text_width(text, points, italic=italic), 1e-9)))
    return with_dots(text, size, width, italic=italic), size


def with_dots(text: str, points: float, width: float, *, bold: bool = False, italic: bool = False) -> str:
    """Return a line of text, shortened with dots if it is too wide; a formula is kept whole or left out."""

    def wide(line: str) -> float:
        return text_width(line, points, bold=bold, italic=italic)

    if wide(text) <= width * (1 + 1e-6):
        return text
    dots = "…"
    units = units_of(text)
    kept = bisect_right(range(1, len(units) + 1), width, key=lambda k: wide("".join(units[:k]) + dots))
    return "".join(units[:kept]).rstrip(" ,;") + dots


def draw_text(
    painter: QPainter,
    style: Style,
    at: QPointF,
    text: str,
    *,
    points: float | None = None,
    colour: str | None = None,
    anchor: Anchor = "left",
    bold: bool = False,
    italic: bool = False,
    middle: bool = False,
    turned: bool = False,
    halo: bool = False,
) -> None:
    """Draw one line with its baseline at a position, or with the middle of its digits and capitals there.

    colour: ink unless another one is given; anchor: which end of the line is at the position; turned: it runs
    upwards; halo: it is set off from what is below it."""
    size = points or style.text
    if size < 0.99 * CAPTION * style.text:
        style.make_smaller("some words")
    at = QPointF(at.x(), at.y() + HALF * size) if middle else at
    ink = colour or style.theme.ink
    if is_left_out(painter, at, text, size, anchor, ink, bold=bold, italic=italic, turned=turned):
        return
    width = 0.0 if anchor == "left" else text_width(text, size, bold=bold, italic=italic)
    x = {"left": 0.0, "centre": -width / 2, "right": -width}[anchor]
    painter.save()
    painter.translate(at)
    if turned:
        painter.rotate(-90)
    for part, is_formula in parts_of(text):
        if is_formula:
            large = formula_scale(family()) * size
            corner = QPointF(x + FORMULA_AIR * size, -formula_ascent(part, large))
            draw_formula(painter, corner, part, large, ink)
            x += formula_size(part, large)[0] + 2 * FORMULA_AIR * size
        else:
            face = font(FINENESS * size, bold=bold, italic=italic)
            _draw_letters(painter, style, x, part, face, size, ink, halo)
            x += text_width(part, size, bold=bold, italic=italic)
    painter.restore()


def _draw_letters(
    painter: QPainter,
    style: Style,
    x: float,
    text: str,
    face: QFont,
    size: float,
    colour: str,
    halo: bool,
) -> None:
    """Draw letters of a face from a place on the baseline on, at exactly a size, which in the face's own
    units is rounded."""
    scale = size / face.pixelSize()
    start = QPointF(x / scale, 0.0)
    painter.save()
    painter.scale(scale, scale)
    ink = QColor(colour)
    path = QPainterPath()
    if style.outlines or halo:
        path.addText(start, face, text)
    if halo:
        painter.strokePath(path, pen(style.theme.halo, 2.5 / scale * style.glyphs))
    if style.outlines:
        painter.fillPath(path, ink)
    else:
        painter.setFont(face)
        painter.setPen(ink)
        painter.drawText(start, text)
    painter.restore()


def place_labels(
    centres: Array, sizes: Array, gaps: Array, obstacles: Array, air: float, room: QRectF
) -> list[tuple[int, float, float]]:
    """Return (which, left, top) of the labels that have room, the first of them first: to the right of their
    points, to the left, above or below, at a distance of their gaps. All arguments are in the same unit;
    obstacles are the centres of all points, around which some air is kept free."""
    taken, found = np.empty((0, 4)), []
    xs, ys = obstacles[np.argsort(obstacles[:, 0])].T
    for k, ((x, y), (w, h), gap) in enumerate(
        zip(centres.tolist(), sizes.tolist(), gaps.tolist(), strict=True)
    ):
        corners = (
            (x + gap, y - h / 2),
            (x - gap - w, y - h / 2),
            (x - w / 2, y - gap - h),
            (x - w / 2, y + gap),
        )
        for left, top in corners:
            right, bottom = left + w, top + h
            covers = (taken[:, :2] < (right, bottom)).all(axis=1) & (taken[:, 2:] > (left, top)).all(axis=1)
            if covers.any() or not room.contains(QRectF(left, top, w, h)):
                continue
            first, last = np.searchsorted(xs, (left - air, right + air), side="right")
            near = ys[first:last]
            if not ((near > top - air) & (near < bottom + air)).any():
                found.append((k, left, top))
                taken = np.vstack([taken, (left, top, right, bottom)])
                break
    return found
