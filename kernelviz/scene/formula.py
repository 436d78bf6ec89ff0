r"""Typeset formulas: LaTeX as one vector shape in any colour, and plain text when it cannot be set.

>>> draw_formula(painter, QPointF(10, 10), r"e^{-\gamma \|x - x'\|^2}", 12.0, theme.ink)"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple
from xml.etree import ElementTree

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPainterPathStroker

from kernelviz.scene.figure.latex_words import is_left_out
from kernelviz.scene.figure.typeface import font

SET_AT = 24.0  # The size formulas are set at; they are scaled from there.
# Characters of LaTeX beyond which a formula is not typeset: it would take a second, and is unreadable.
LONGEST_LATEX = 1200


class _Shape(NamedTuple):
    """A formula at size SET_AT with its top left corner at the origin."""

    path: QPainterPath
    ascent: float  # Height above the baseline.


@lru_cache(maxsize=256)
def _shape(latex: str) -> _Shape:
    """Return the outline of a formula.

    Qt's SVG renderer would do, but its invisible pens turn into black ones in SVG and PDF files."""
    path = QPainterPath() if too_long(latex) else typeset(latex)
    if path.isEmpty():
        path.addText(QPointF(0, 0), font(SET_AT, italic=True), plain(latex))
    corner = path.boundingRect().topLeft()
    moved = path.translated(-corner.x(), -corner.y())
    moved.boundingRect()  # Qt keeps it from now on: threads only read it
    return _Shape(moved, -corner.y())


def _ziamath() -> Any:
    """Return the typesetter, which takes a moment to import."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # its own use of importlib.resources
        import ziamath
    return ziamath


def typeset(latex: str) -> QPainterPath:
    """Return the outline of a formula at the size SET_AT; empty when the LaTeX makes no sense."""
    ziamath = _ziamath()
    ziamath.config.svg2 = False
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    # ziamath stretches \lVert beyond what it encloses, with heavy bars; its \| fits.
    latex = re.sub(r"\\[lr]Vert(?![A-Za-z])", r"\\|", latex)
    try:
        root = ElementTree.fromstring(ziamath.Latex(latex, size=SET_AT).svg())
        for part in _parts(root):
            path.addPath(part)
    except Exception:  # the parsers raise many kinds; a formula is never worth a failure
        return QPainterPath()
    return path


def _parts(root: ElementTree.Element) -> Iterator[QPainterPath]:
    """Yield the rectangles and outlines of an SVG; strokes become the areas they cover."""
    for element in root.iter():
        tag = element.tag.rpartition("}")[2]
        part = QPainterPath()
        if tag == "rect":
            part.addRect(QRectF(*(float(element.get(k, 0)) for k in ("x", "y", "width", "height"))))
        elif tag == "path":
            _trace(part, element.get("d", ""))
            if element.get("stroke-width") and element.get("fill") is None:
                stroker = QPainterPathStroker()
                stroker.setWidth(float(element.get("stroke-width", 1)))
                part = stroker.createStroke(part)
        yield part


def _trace(path: QPainterPath, outline: str) -> None:
    """Follow an SVG outline of absolute moves, lines and curves."""
    for command, numbers in re.findall(r"([MLQCZ])([^MLQCZ]*)", outline):
        values = [float(v) for v in re.findall(r"-?\d*\.?\d+(?:e-?\d+)?", numbers)]
        points = [QPointF(x, y) for x, y in zip(values[::2], values[1::2], strict=True)]
        if command == "M":
            path.moveTo(points[0])
        elif command == "L":
            path.lineTo(points[0])
        elif command == "Q":
            path.quadTo(points[0], points[1])
        elif command == "C":
            path.cubicTo(points[0], points[1], points[2])
        else:
            path.closeSubpath()


@lru_cache(maxsize=256)
def can_be_set(latex: str) -> bool:
    """Return True if a formula makes sense, or is empty."""
    bare = re.sub(r"\\.", "", latex)
    closed = bare.count("{") == bare.count("}")  # or the last group would end with the formula
    return not latex.strip() or (closed and not too_long(latex) and not typeset(latex).isEmpty())


def unknown_command(latex: str) -> str:
    """Return the first command that is not known, or an empty text: it would be drawn as it is written."""
    found = re.search(r">(\\[A-Za-z]+)", _ziamath().tex.tex2mml(latex)) if latex.strip() else None
    return found[1] if found else ""


def too_long(latex: str) -> bool:
    """Return True if a formula had better be shown as an expression."""
    return len(latex) > LONGEST_LATEX


def plain(latex: str) -> str:
    """Return a formula as readable text: commands lose their backslash, braces vanish."""
    text = re.sub(r"\\[,;:! ]", " ", latex)
    text = re.sub(r"\\(left|right|[bB]igg?[lr]|mathrm|text|operatorname)\b", "", text)
    text = re.sub(r"\\([A-Za-z]+)", r"\1", text)
    return re.sub(r"\s+", " ", text.replace("{", "").replace("}", "")).strip()


def formula_size(latex: str, points: float) -> tuple[float, float]:
    """Return width and height of the formula set at a type size, in the same unit."""
    box = _shape(latex).path.boundingRect()
    return box.width() * points / SET_AT, box.height() * points / SET_AT


def formula_ascent(latex: str, points: float) -> float:
    """Return the height of a formula above its baseline, set at a type size."""
    return _shape(latex).ascent * points / SET_AT


def draw_formula(painter: QPainter, at: QPointF, latex: str, points: float, colour: str) -> None:
    """Draw with the top left corner at a position."""
    base = QPointF(at.x(), at.y() + formula_ascent(latex, points))
    if is_left_out(painter, base, latex, points, "left", colour, is_formula=True):
        return
    painter.save()
    painter.translate(at)
    painter.scale(points / SET_AT, points / SET_AT)
    # A copy of its own: while it is filled Qt writes into the path, and figures are painted on any thread.
    painter.fillPath(_shape(latex).path.translated(0, 0), QColor(colour))
    painter.restore()
