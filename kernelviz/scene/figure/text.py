"""Text in the bundled typeface: how wide it is, broken into lines, drawn, and placed next to points.

The typeface comes with the program, so that text looks the same everywhere and never turns into boxes. It is
set at ten times its size and scaled down, which keeps its shape from screen to print."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache, lru_cache
from typing import Literal

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontMetricsF, QPainter, QPainterPath

from kernelviz.engine.core.arrays import Array
from kernelviz.resource import resource_path
from kernelviz.scene.figure.strokes import pen
from kernelviz.scene.figure.style import CAPTION, Style

FINENESS = 10  # Fonts have whole-number sizes and metrics; at ten times the size the rounding does not show.
SMALLEST_TYPE = 0.65  # Of the type: what is smaller cannot be read.
HALF = 0.36  # Half the height of a digit or a capital, relative to the type size.
Anchor = Literal["left", "centre", "right"]


@cache
def family() -> str:
    """Return the family name of the bundled typeface, registered on first use (an application must exist)."""
    names: list[str] = []
    for path in sorted(resource_path("fonts").glob("*.otf")):
        # Without contextual alternates, whose glyphs have no character and are lost when a PDF is copied.
        content = path.read_bytes().replace(b"calt", b"xalt")
        names += QFontDatabase.applicationFontFamilies(QFontDatabase.addApplicationFontFromData(content))
    fallback = "sans-serif"
    # The heavier cuts may register under names of their own ("Inter SemiBold").
    return min(names, key=len) if names else fallback


@lru_cache(maxsize=256)
def font(pixels: float, *, bold: bool = False, italic: bool = False) -> QFont:
    """Return the typeface at a size in the painter's units, unhinted: the same shapes at every resolution.

    Shared: copy it before changing it."""
    made = QFont(family())
    made.setPixelSize(max(1, round(pixels)))
    made.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    made.setItalic(italic)
    made.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return made


@lru_cache(maxsize=4096)
def text_width(text: str, points: float, *, bold: bool = False, italic: bool = False) -> float:
    """Return the width in points of a line of text."""
    face = font(FINENESS * points, bold=bold, italic=italic)
    return QFontMetricsF(face).horizontalAdvance(text) * points / face.pixelSize()


def line_height(points: float) -> float:
    """Return the distance of two baselines."""
    return 1.3 * points


def wrapped(text: str, points: float, width: float) -> list[str]:
    """Return the text broken at blanks, but not at those of "5 %", into lines of at most that width."""
    lines: list[str] = []
    for word in filter(None, re.split("[ \n\t]", text)):
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
    """Return a line of text, shortened with dots if it is too wide."""

    def wide(line: str) -> float:
        return text_width(line, points, bold=bold, italic=italic)

    if wide(text) <= width * (1 + 1e-6):
        return text
    dots = "…"
    kept = bisect_right(range(1, len(text) + 1), width, key=lambda k: wide(text[:k] + dots))
    return text[:kept].rstrip(" ,;") + dots


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
    face = font(FINENESS * size, bold=bold, italic=italic)
    scale = size / face.pixelSize()  # exactly to the size, which in the face's own units is rounded
    width = 0.0 if anchor == "left" else text_width(text, size, bold=bold, italic=italic) / scale
    start = QPointF({"left": 0.0, "centre": -width / 2, "right": -width}[anchor], 0.0)
    painter.save()
    painter.translate(at)
    if turned:
        painter.rotate(-90)
    painter.scale(scale, scale)
    ink = QColor(colour or style.theme.ink)
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
