"""What a legend of the curve explains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from kernelviz.drawing.curve.layers import PENS, Ink, fit_ink, term_ink, tint
from kernelviz.drawing.curve.picture import CurvePicture
from kernelviz.drawing.figure.legend import KEY, Draw, Entry, key_scale
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.plane import legend as of_points
from kernelviz.drawing.plane.picture import Picture
from kernelviz.drawing.wording import fit_names, in_short
from kernelviz.engine.fits.parsing import Fit
from kernelviz.session.state import LETTERS

NAMES = {
    "curve": "s(x)",
    "truth": "true function",
    "residuals": "residual",
    "bumps": "βᵢ K(xᵢ, x)",
    "raised": "s(x) + orthogonal bump",
    "draws": "posterior sample",
    "prior": "prior sample",
}
LONGEST = 28  # Letters of a term's name.


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
            name = in_short(name)
            text = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
            yield Entry(f"term {text}", stroke(term_ink(k)))


def fit_entries(
    fits: Sequence[Fit], below: int | None = None, without: Set[int] = frozenset()
) -> list[Entry]:
    """The curves of several fits with their letters, drawn in their order, `below` before all; those in
    `without` have none. Fits that are the same have one curve to be seen: they share an entry, which has the
    colour of the last."""
    names, alike = fit_names(fits), dict[Fit, list[int]]()
    for k in sorted(range(len(fits)), key=lambda k: (k != below, k)):
        alike.setdefault(fits[k], []).append(k)
    for same in alike.values():
        letters = ", ".join(LETTERS[k] for k in sorted(same))
        names[same[-1]] = f"{letters}: {names[same[-1]]}"
    shown = [same[-1] for same in sorted(alike.values(), key=min) if same[-1] not in without]
    return [Entry(names[k], stroke(fit_ink(k))) for k in shown]


def _swatch(painter: QPainter, at: QPointF, style: Style) -> None:
    half = (KEY - 1) * key_scale(style)
    painter.setPen(PENS["edge"](style))
    painter.setBrush(tint(style))
    painter.drawRect(QRectF(at.x() - half, at.y() - 0.4 * half, 2 * half, 0.8 * half))
    painter.setBrush(Qt.BrushStyle.NoBrush)


def stroke(ink: Ink) -> Draw:
    """A line as it is drawn."""

    def draw(painter: QPainter, at: QPointF, style: Style) -> None:
        painter.setPen(ink(style))
        half = (KEY - 1) * key_scale(style)
        painter.drawLine(QLineF(at.x() - half, at.y(), at.x() + half, at.y()))

    return draw
