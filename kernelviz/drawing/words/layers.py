"""The layers of the map, back to front, and what its legend says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

from kernelviz.drawing.figure.colours import blend
from kernelviz.drawing.figure.layer import Layer
from kernelviz.drawing.figure.legend import KEY, Draw, Entry, key_scale
from kernelviz.drawing.figure.strokes import pen
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.transform import Transform
from kernelviz.drawing.plane import layers as of_points
from kernelviz.drawing.plane.legend import entries as of_points_and_lines
from kernelviz.drawing.plane.picture import Picture
from kernelviz.drawing.words.labels import LabelLayer
from kernelviz.drawing.words.picture import MapPicture, percent

BEHIND = ("field", "grid", "boundary", "labels")  # Layers below the points, in painting order.
OF_SCORES = " of the training scores"  # How the entry ends that tells how much of the scores the map shows.
FAINTEST = 0.05  # Shares of a score that are no more than a breath of colour.


@dataclass(frozen=True, eq=False)
class FadedLayer:
    """A layer that is as strong as the share of the truth it shows."""

    layer: Layer
    share: float

    def paint(self, painter: QPainter, transform: Transform, style: Style) -> None:
        painter.save()
        painter.setOpacity(self.share * painter.opacity())
        self.layer.paint(painter, transform, style)
        painter.restore()


def layers(picture: MapPicture) -> Mapping[str, Layer]:
    """What is shown of a picture, by the name of its toggle, in painting order."""
    found = dict(of_points.layers(picture.points))
    if "field" in found:
        found["field"] = FadedLayer(found["field"], _strength(picture))
    if "labels" in picture.points.shown:
        own = picture.points
        first = [*own.rings.mistakes.tolist(), *own.rings.points.tolist()]
        found["labels"] = LabelLayer(picture.texts, own.points, first, own.view)
    order = (*BEHIND, *(name for name in found if name not in BEHIND))
    return {name: found[name] for name in order if name in found}


def _strength(picture: MapPicture) -> float:
    return 0.0 if picture.slope is None else max(FAINTEST, picture.slope.share)


def entries(picture: MapPicture, points: Picture) -> tuple[Entry, ...]:
    """What is shown of the fit, and of the points as they are now."""
    found = of_points_and_lines(points)
    if picture.slope is None or "field" not in points.shown:
        return found
    return (*found, Entry(f"{percent(picture.slope.share)}{OF_SCORES}", _swatch(_strength(picture))))


def _swatch(strength: float) -> Draw:
    """The colours of both sides, as strong as on the map."""

    def draw(painter: QPainter, at: QPointF, style: Style) -> None:
        half, theme = (KEY - 1) * key_scale(style), style.theme
        painter.setPen(pen(theme.soft_ink, 0.4 * style.strokes))
        for side, colour in ((-1, theme.negative_field), (0, theme.positive_field)):
            painter.setBrush(QColor(blend(theme.paper, colour, strength)))
            painter.drawRect(QRectF(at.x() + side * half, at.y() - 0.4 * half, half, 0.8 * half))

    return draw
