"""A sentence instead of a picture; to go with the last view in this folder."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.text import draw_text, wrapped


def draw_message(painter: QPainter, style: Style, rect: QRectF, sentence: str) -> None:
    """A sentence in the middle where there is nothing to plot, broken into lines that fit."""
    lines = wrapped(sentence, style.text, 0.9 * rect.width())
    top = rect.center().y() - 0.65 * style.text * (len(lines) - 1)
    for k, line in enumerate(lines):
        at = QPointF(rect.center().x(), top + 1.3 * style.text * k)
        draw_text(painter, style, at, line, colour=style.theme.soft_ink, anchor="centre")
