"""What a legend of the plane explains."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QLineF, QPointF
from PySide6.QtGui import QPainter

from kernelviz.drawing.figure.glyphs import draw_glyphs, draw_mistakes, draw_rings
from kernelviz.drawing.figure.legend import KEY, Draw, Entry, key_scale
from kernelviz.drawing.figure.rings import Ring
from kernelviz.drawing.figure.strokes import pen
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.plane.layers import MARGIN_DASH
from kernelviz.drawing.plane.marks import draw_frames
from kernelviz.drawing.plane.picture import Picture

RING_NAMES = {
    Ring.FREE: "support vector",
    Ring.BOUNDED: "at the bound",
}


def entries(picture: Picture) -> tuple[Entry, ...]:
    """What the picture shows, in the order it is read."""
    shown = picture.shown
    found: list[Entry] = []
    if "points" in shown and picture.class_names:
        classes, count = picture.classes, picture.class_count
        order = [k for k in ((1, 0) if count == 2 else range(count)) if (classes == k).any()]
        found += [Entry(_class_text(picture.class_names[k]), _glyph(k, count)) for k in order]
    if "held_out" in shown and len(picture.held_out):
        found.append(Entry("held out", _glyph(int(picture.held_out_classes[0]), picture.class_count, True)))
    if "boundary" in shown and picture.lines_at(0.0):
        found.append(Entry("boundary" if picture.several else "s = 0", _line("boundary")))
    if "margins" in shown and (picture.lines_at(1.0) or picture.lines_at(-1.0)):
        found.append(Entry("s = ±1", _line("margins")))
    if "rings" in shown:
        kinds = set(picture.rings.kinds.tolist())
        found += [Entry(RING_NAMES[kind], _ring(kind)) for kind in Ring if kind in kinds]
        if len(picture.rings.mistakes):
            found.append(Entry("misclassified", _mistake))
    if "slack" in shown and len(picture.slack):
        found.append(Entry("slack", _line("slack")))
    if "marks" in shown and any(mark.kind == "around" for mark in picture.marks):
        found.append(Entry("this step", _frame))
    if "marks" in shown and any(mark.kind == "wave" for mark in picture.marks):
        found.append(Entry("random waves", _line("wave")))
    return tuple(found)


def _class_text(name: str) -> str:
    return {"+": "class +", "-": "class −", "1": "class +1", "-1": "class −1"}.get(name, name)


def _glyph(k: int, count: int, hollow: bool = False) -> Draw:
    return lambda painter, at, style: draw_glyphs(
        painter, style, np.array([[at.x(), at.y()]]), k, count, hollow
    )


def _ring(kind: Ring) -> Draw:
    return lambda painter, at, style: draw_rings(painter, style, np.array([[at.x(), at.y()]]), kind, 0.0)


def _mistake(painter: QPainter, at: QPointF, style: Style) -> None:
    draw_mistakes(painter, style, np.array([[at.x(), at.y()]]))


def _frame(painter: QPainter, at: QPointF, style: Style) -> None:
    draw_frames(painter, style, [np.array([at.x(), at.y()])], 1.3 * style.ring_radius(0.0))


def _line(which: str) -> Draw:
    def draw(painter: QPainter, at: QPointF, style: Style) -> None:
        theme, s = style.theme, style.strokes
        pens = {
            "boundary": pen(theme.boundary, style.boundary_width),
            "margins": pen(theme.margin, style.margin_width, dash=[d * s for d in MARGIN_DASH]),
            "slack": pen(theme.misclassified, 0.8 * s),
            "wave": pen(theme.highlight, 0.8 * s),
        }
        painter.setPen(pens[which])
        half = (KEY - 1) * key_scale(style)
        painter.drawLine(QLineF(at.x() - half, at.y(), at.x() + half, at.y()))

    return draw
