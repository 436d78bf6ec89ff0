"""Typeset formulas: LaTeX to vector shapes in the theme's ink, and plain text when it cannot be set."""

from __future__ import annotations

import re
from functools import lru_cache

from PySide6.QtCore import QByteArray, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from kernelviz.ui import fonts

__all__ = ["draw_formula", "formula_pixmap", "formula_size", "plain", "prepare"]

SET_AT = 24.0
"""The size formulas are set at; they are scaled from there."""


@lru_cache(maxsize=256)
def _svg(latex: str, colour: str) -> bytes | None:
    """SVG 1.1 of a formula, which is what Qt reads; None when the LaTeX makes no sense."""
    import ziamath

    ziamath.config.svg2 = False
    try:
        return bytes(ziamath.Latex(latex, size=SET_AT, color=colour).svg(), "utf-8")
    except Exception:  # the parser raises many kinds; a formula is never worth a failure
        return None


@lru_cache(maxsize=256)
def _renderer(latex: str, colour: str) -> QSvgRenderer | None:
    source = _svg(latex, colour)
    if source is None:
        return None
    made = QSvgRenderer(QByteArray(source))
    return made if made.isValid() else None


def prepare(latex: str, colour: str) -> None:
    """Set a formula ahead of drawing it, which is the slow part; on any thread."""
    _svg(latex, colour)


def plain(latex: str) -> str:
    """A formula as readable text: commands lose their backslash, braces vanish."""
    text = re.sub(r"\\[,;:! ]", " ", latex)
    text = re.sub(r"\\(left|right|mathrm|text|operatorname)\b", "", text)
    text = re.sub(r"\\([A-Za-z]+)", r"\1", text)
    return re.sub(r"\s+", " ", text.replace("{", "").replace("}", "")).strip()


def formula_size(latex: str, points: float, colour: str = "#000000") -> tuple[float, float]:
    """Width and height of the formula set at a type size, in the same unit."""
    renderer = _renderer(latex, colour)
    if renderer is None:
        from PySide6.QtGui import QFontMetricsF

        metrics = QFontMetricsF(fonts.font(10 * points))
        return metrics.horizontalAdvance(plain(latex)) / 10, metrics.height() / 10
    box = renderer.viewBoxF()
    return box.width() * points / SET_AT, box.height() * points / SET_AT


def draw_formula(painter: QPainter, at: QPointF, latex: str, points: float, colour: str) -> None:
    """Draw with the top left corner at a position."""
    width, height = formula_size(latex, points, colour)
    renderer = _renderer(latex, colour)
    if renderer is not None:
        renderer.render(painter, QRectF(at.x(), at.y(), width, height))
        return
    painter.save()
    painter.translate(at.x(), at.y() + 0.8 * height)
    painter.scale(0.1, 0.1)
    painter.setFont(fonts.font(10 * points, italic=True))
    painter.setPen(colour)
    painter.drawText(QPointF(0, 0), plain(latex))
    painter.restore()


def formula_pixmap(latex: str, points: float, colour: str, ratio: float = 1.0) -> QPixmap:
    """The formula for a label; `points` is the type size in logical pixels, `ratio` the device's."""
    width, height = formula_size(latex, points, colour)
    made = QPixmap(QSize(max(1, round((width + 2) * ratio)), max(1, round((height + 2) * ratio))))
    made.setDevicePixelRatio(ratio)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    draw_formula(painter, QPointF(1, 1), latex, points, colour)
    painter.end()
    return made
