"""Pens and polylines from arrays: fast, and of exact width."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from struct import pack
from typing import Any

import numpy as np
from PySide6.QtCore import QByteArray, QDataStream, QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF
from shiboken6 import VoidPtr

from kernelviz.engine.core.arrays import Array
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.transform import Transform

ELEMENT = np.dtype([("kind", "<i4"), ("x", "<f8"), ("y", "<f8")])


def polygon(xy: Array) -> QPolygonF:
    """Return (m, 2) points as a QPolygonF, by one copy of memory."""
    made = QPolygonF()
    made.resize(len(xy))
    if len(xy):
        # Shiboken's stub knows the address alone: neither the size and the leave to write, nor the buffer.
        memory: Any = VoidPtr(made.data(), len(xy) * 16, True)  # type: ignore[call-arg, arg-type]
        np.frombuffer(memory, dtype=np.float64).reshape(-1, 2)[:] = xy
    return made


def pen(
    colour: str, width: float, *, dash: Iterable[float] = (), alpha: float = 1.0, round_ends: bool = True
) -> QPen:
    """Return a pen of that width; dashes are in points.

    >>> pen(style.theme.ink, 1.2 * style.strokes, dash=(4.0, 2.0))"""
    cap = Qt.PenCapStyle.RoundCap if round_ends else Qt.PenCapStyle.FlatCap
    made = QPen(tinted(colour, alpha), width, Qt.PenStyle.SolidLine, cap, Qt.PenJoinStyle.RoundJoin)
    lengths = [length / width for length in dash]
    if lengths:
        made.setCapStyle(Qt.PenCapStyle.FlatCap)
        made.setDashPattern(lengths)
    return made


def line_pen(
    style: Style, name: str, colour: str, width: float, dash: Sequence[float] = (), **how: Any
) -> QPen:
    """Return the pen of a line of the plane or the curve: of its usual width and dashes, or its own."""
    own_width, own_dash = style.line(name, width, dash)
    return pen(colour, own_width, dash=own_dash, **how)


def tinted(colour: str, alpha: float) -> QColor:
    """Return a colour with an opacity from 0, invisible, to 1, opaque."""
    tint = QColor(colour)
    tint.setAlphaF(alpha)
    return tint


def draw_arrow(painter: QPainter, start: QPointF, end: QPointF, head: float, wide: float) -> None:
    """Draw a line with a head of that length at its end, which reaches `wide` times its length to either
    side."""
    back = (start - end) * (head / QLineF(start, end).length())
    across = QPointF(-back.y(), back.x()) * wide
    painter.drawLine(QLineF(start, end))
    painter.drawPolyline(QPolygonF([end + back + across, end, end + back - across]))


def draw_lines(painter: QPainter, transform: Transform, lines: Iterable[Array]) -> None:
    """Draw each line as a polyline of its own: one path of many thick antialiased lines is four times
    slower. Corners lie on a grid of 1e-6 points: dashes would show the rounding of a fit computed again."""
    for line in lines:
        painter.drawPolyline(polygon(transform(line).round(6)))


def joined(lines: Sequence[Array], transform: Transform, most: int) -> Iterator[QPainterPath]:
    """Yield many hairlines as few paths, written as Qt stores them, which saves thousands of calls. While Qt
    draws one, no other thread runs; so no path has more lines than `most`."""
    xy, begins = transform(np.concatenate(lines)), np.cumsum([0, *map(len, lines)])
    elements = np.empty(len(xy), dtype=ELEMENT)
    move_to, line_to = 0, 1  # Kinds of a path's elements.
    elements["kind"] = line_to
    elements["kind"][begins[:-1]] = move_to
    elements["x"], elements["y"] = xy[:, 0], xy[:, 1]
    ends = [*begins[:-1:most].tolist(), len(xy)]
    for begin, end in pairwise(ends):
        stored = QDataStream(
            QByteArray(pack("<i", end - begin) + elements[begin:end].tobytes() + pack("<ii", 0, 0))
        )
        stored.setByteOrder(QDataStream.ByteOrder.LittleEndian)
        path = QPainterPath()
        stored >> path
        yield path


def clipped_segment(a: Array, b: Array, rect: QRectF) -> Array | None:
    """Return the part of the segment a-b inside a rectangle (Liang and Barsky), or None."""
    d = b - a
    low, high = 0.0, 1.0
    for start, step, lo, hi in (
        (a[0], d[0], rect.left(), rect.right()),
        (a[1], d[1], rect.top(), rect.bottom()),
    ):
        if step == 0:
            if not lo <= start <= hi:
                return None
            continue
        near, far = sorted(((lo - start) / step, (hi - start) / step))
        low, high = max(low, near), min(high, far)
    return np.array([a + low * d, a + high * d]) if low < high else None
