"""The surface's painter: the plane in the colour of the fitted value, with level lines, and points in the
colour of their target.

Both have the same scale, from the smallest target to the largest: a point that can hardly be seen is fitted
well."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Self

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage, QPainter

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data
from kernelviz.scene.figure.colours import blend, field_image
from kernelviz.scene.figure.legend import Entry
from kernelviz.scene.figure.stamps import Stamps, stamp
from kernelviz.scene.figure.strokes import pen
from kernelviz.scene.figure.style import Style
from kernelviz.scene.layers import Coordinates, Layer, Polylines, Shades
from kernelviz.scene.plane.layers import GlyphLayer, cells
from kernelviz.scene.plane.lines import PENS
from kernelviz.scene.plane.painter import PlanePainter
from kernelviz.scene.plane.picture import Picture
from kernelviz.scene.wording import shown
from kernelviz.session.themes import Theme
from kernelviz.session.view import ViewRange

STRENGTH = 0.75  # How far the colours at the ends of the scale are on their way to those of the classes.
TARGET_STEPS = 16  # Colours of points, from the smallest target to the largest.
NO_VALUES: Array = np.empty(0)


def in_strong_colours(theme: Theme) -> Theme:
    """Return the theme with a field that is stronger at its ends."""
    ends = [blend(theme.zero, colour, STRENGTH) for colour in (theme.positive, theme.negative)]
    return replace(theme, positive_field=ends[0], negative_field=ends[1])


@dataclass(frozen=True)
class ValueScale:
    """The values from low to high as colours: pale in the middle, as strong as the field at both ends."""

    low: float = -1.0
    high: float = 1.0

    @classmethod
    def of(cls, values: Array) -> Self:
        """Return the scale of some values, which reaches around a single one."""
        if not len(values):
            return cls()
        low, high = float(values.min()), float(values.max())
        return cls(low, high) if low < high else cls(low - 1.0, high + 1.0)

    @property
    def middle(self) -> float:
        """The value that is pale."""
        return 0.5 * (self.low + self.high)

    @property
    def unit(self) -> float:
        """The distance from the middle that counts as one for the colours of a field."""
        return 0.25 * (self.high - self.low)

    def steps(self, values: Array) -> Any:
        """Return the number of each value's colour, 0 to TARGET_STEPS - 1."""
        share = (values - self.low) / (self.high - self.low)
        return np.clip(np.rint(share * (TARGET_STEPS - 1)), 0, TARGET_STEPS - 1).astype(np.intp)

    def value(self, step: int) -> float:
        """Return the value in the middle of a colour."""
        return self.low + step / (TARGET_STEPS - 1) * (self.high - self.low)

    def colour(self, step: int, theme: Theme) -> QColor:
        """Return the colour of a step, which the field has too where its value is that."""
        value = np.full((1, 1), self.value(step) - self.middle)
        return field_image(value, in_strong_colours(theme), self.unit).pixelColor(0, 0)


@dataclass(frozen=True, eq=False)
class SurfaceShades(Shades):
    """The fitted value as colour."""

    def image(self, theme: Theme) -> QImage:
        return super().image(in_strong_colours(theme))


@dataclass(frozen=True, eq=False)
class TargetLayer(GlyphLayer):
    """Points as discs in the colour of their targets: their classes are the steps of a scale."""

    scale: ValueScale = field(default_factory=ValueScale)

    @property
    def entries(self) -> tuple[Entry, ...]:
        if self.hollow:
            return (Entry("held out", self._sample(0)),) if len(self.classes) else ()
        ends = (TARGET_STEPS - 1, 0) if len(self.classes) else ()
        return tuple(Entry(f"y = {shown(self.scale.value(k), 3)}", self._sample(k)) for k in ends)

    def _sample(self, step: int) -> Any:
        def draw(painter: QPainter, at: QPointF, style: Style) -> None:
            self._discs(painter, style, np.array([[at.x(), at.y()]]), step)

        return draw

    def _draw_glyphs(
        self, axes: Coordinates, painter: QPainter, stamps: Stamps | None, thin: bool = False
    ) -> None:
        xy = self.places(axes)
        for style, rows in self.of_a_size(axes, axes.seen(xy, stamps)):
            for step in np.unique(self.classes[rows]).tolist():
                name = ("target", step, self.scale, self.hollow)
                draw = partial(self._discs, step=step)
                stamp(stamps, painter, style, xy[rows & (self.classes == step)], name, draw)

    def _discs(self, painter: QPainter, style: Style, xy: Array, step: int) -> None:
        """Draw discs of one colour; those held out are larger, with paper in the middle."""
        colour, ink = self.scale.colour(step, style.theme), style.theme.ink
        radius = 0.95 * style.arm
        painter.setPen(pen(ink, 0.9 * style.halo_width))
        for x, y in xy.tolist():
            painter.setBrush(colour)
            painter.drawEllipse(QPointF(x, y), radius, radius)
            if self.hollow:
                painter.setBrush(QColor(style.theme.paper))
                painter.drawEllipse(QPointF(x, y), 0.4 * radius, 0.4 * radius)


@dataclass(frozen=True, eq=False, kw_only=True)
class SurfacePicture(Picture):
    """Points with targets, and the fitted value over the plane."""

    levels_alike = True

    targets: Array = field(default_factory=lambda: NO_VALUES)
    held_out_targets: Array = field(default_factory=lambda: NO_VALUES)

    @classmethod
    def of_data(cls, data: Data, view: ViewRange, **contents: Any) -> Self:
        return super().of_data(data, view, targets=data.y, **contents)

    def with_held_out(self, data: Data | None) -> Self:
        found = super().with_held_out(data)
        return found if data is None else replace(found, held_out_targets=data.y)

    @property
    def scale(self) -> ValueScale:
        """The values from the smallest target to the largest."""
        return ValueScale.of(self.targets)

    @property
    def glyphs(self) -> TargetLayer:
        steps = self.scale.steps(self.targets)
        return TargetLayer(self.points, steps, (), scale=self.scale, sizes=self.sizes, part="points")

    @property
    def held_out_glyphs(self) -> TargetLayer:
        steps = self.scale.steps(self.held_out_targets)
        return TargetLayer(self.held_out, steps, (), hollow=True, scale=self.scale, part="held_out")

    def layer(self, name: str) -> Layer | None:
        if name == "field" and self.F is not None and self.x1 is not None and self.x2 is not None:
            scale = self.scale
            return SurfaceShades(self.F - scale.middle, cells(self.x1, self.x2), scale.unit)
        if name == "levels":
            every = [line for _, lines in self.lines for line in lines]
            return Polylines([(every, PENS["levels"])], ["level lines"]) if every else None
        return super().layer(name)


class SurfacePainter(PlanePainter):
    """Paints the surface as the plane is painted, from its own pictures."""

    kind = SurfacePicture
    behind = ("field", "grid", "levels", "rugs")
    legend = ("points", "held_out", "levels", "rings", "marks")


PAINTER = SurfacePainter()
