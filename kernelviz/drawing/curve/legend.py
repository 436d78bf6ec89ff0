"""What a legend of the curve explains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from kernelviz.drawing.curve.layers import PENS, Ink, term_ink, tint
from kernelviz.drawing.curve.picture import CurvePicture
from kernelviz.drawing.figure.legend import KEY, Draw, Entry, key_scale
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.plane import legend as of_points
from kernelviz.drawing.plane.picture import Picture
from kernelviz.engine.fits import Fit

__all__ = ["NAMES", "entries", "fit_names", "stroke"]

NAMES = {
    "curve": "s(x)",
    "truth": "true function",
    "residuals": "residual",
    "bumps": "βᵢ K(xᵢ, x)",
    "raised": "s(x) + orthogonal bump",
    "draws": "posterior sample",
    "prior": "prior sample",
}
LONGEST = 28
"""Letters of a term's name."""
LONGEST_FIT = 40
"""Letters of a fit's."""


def entries(picture: CurvePicture, points: Picture) -> tuple[Entry, ...]:
    """What is shown of the fit, and of the points as they are now."""
    return (*_lines(picture, points.shown), *of_points.entries(points))


def _lines(picture: CurvePicture, shown: frozenset[str]) -> Iterator[Entry]:
    for name, text in NAMES.items():
        if name in shown and getattr(picture, name):
            yield Entry(text, stroke(PENS[name]))
    if "band" in shown and picture.band is not None:
        yield Entry(picture.band.name, _swatch)
    if "terms" in shown:
        for k, name in enumerate(picture.terms):
            text = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
            yield Entry(f"term {text}", stroke(term_ink(k)))


def _swatch(painter: QPainter, at: QPointF, style: Style) -> None:
    half = (KEY - 1) * key_scale(style)
    painter.setPen(PENS["edge"](style))
    painter.setBrush(tint(style))
    painter.drawRect(QRectF(at.x() - half, at.y() - 0.4 * half, 2 * half, 0.8 * half))
    painter.setBrush(Qt.BrushStyle.NoBrush)


def fit_names(fits: Sequence[Fit]) -> list[str]:
    """Of each fit what tells it from the others."""
    if len({fit.kernel for fit in fits}) == 1:
        names = [str(fit.algorithm) for fit in fits]
    elif len({fit.algorithm for fit in fits}) == 1:
        names = [str(fit.kernel) for fit in fits]
    else:
        names = [str(fit) for fit in fits]
    return [name if len(name) <= LONGEST_FIT else f"{name[: LONGEST_FIT - 1]}…" for name in names]


def stroke(ink: Ink) -> Draw:
    """A line as it is drawn."""

    def draw(painter: QPainter, at: QPointF, style: Style) -> None:
        painter.setPen(ink(style))
        half = (KEY - 1) * key_scale(style)
        painter.drawLine(QLineF(at.x() - half, at.y(), at.x() + half, at.y()))

    return draw
