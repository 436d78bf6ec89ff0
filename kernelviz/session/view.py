"""The look of a document: the rectangle on screen, how it fits around points, the layers drawn."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass, field
from typing import Any, Literal, Self

import numpy as np

from kernelviz.engine.core.arrays import LARGEST_INPUT, Array
from kernelviz.engine.core.errors import BadInput

FARTHEST = 10.0 * LARGEST_INPUT  # The widest span of a view, and the largest coordinate of its middle.
NARROWEST_SPAN = 1e-15  # Narrowest span that can be zoomed to.
# Narrowest span relative to the coordinates: axis labels and drawing still distinguish neighbours.
RESOLUTION = 1e-6
GRACE = 8.0


@dataclass(frozen=True)
class ViewRange:
    """The rectangle of the plane on screen."""

    left: float = -2.0
    right: float = 2.0
    bottom: float = -2.0
    top: float = 2.0

    @classmethod
    def of(cls, numbers: str | Sequence[float]) -> ViewRange:
        """Return the rectangle of left, right, bottom and top, as numbers or as a text such as "-2,2,0,1"."""
        try:
            sides = numbers.split(",") if isinstance(numbers, str) else numbers
            left, right, bottom, top = map(float, sides)
        except (TypeError, ValueError):
            raise BadInput(f"A view is four numbers, left, right, bottom and top, not {numbers!r}.") from None
        if not (-math.inf < left < right < math.inf and -math.inf < bottom < top < math.inf):
            raise BadInput(f"A view goes from left to right and from bottom to top, not {numbers!r}.")
        return cls(left, right, bottom, top)

    def times(self, unit: float) -> ViewRange:
        """Return the same rectangle in other units."""
        return ViewRange(self.left * unit, self.right * unit, self.bottom * unit, self.top * unit)


def sane(view: ViewRange) -> ViewRange:
    """Return the nearest view that can be drawn, the view itself if it can: finite, the right way round,
    neither too narrow nor too wide.

    Views within a factor GRACE of the limits are kept, because zooming rounds and wide screens show more."""
    flattest = 1e12  # Largest ratio of the two spans.
    x, width = _sane_axis(view.left, view.right)
    y, height = _sane_axis(view.bottom, view.top)
    width, height = max(width, height / flattest), max(height, width / flattest)
    sides = (width, view.right - view.left), (height, view.top - view.bottom)
    near = all(span / GRACE < own < span * GRACE for span, own in sides)
    if near and (x, y) == (view.left / 2 + view.right / 2, view.bottom / 2 + view.top / 2):
        return view
    return around(x, y, width, height)


def _sane_axis(low: float, high: float) -> tuple[float, float]:
    """Return (middle, span) of an axis within the limits."""
    middle, span = low / 2 + high / 2, abs(high - low)
    if not (math.isfinite(middle) and math.isfinite(span)):
        return 0.0, 4.0
    middle = min(max(middle, -FARTHEST), FARTHEST)
    return middle, min(max(span, NARROWEST_SPAN, RESOLUTION * abs(middle)), FARTHEST)


def around(x: float, y: float, width: float, height: float) -> ViewRange:
    """Return the view with its middle at (x, y)."""
    return ViewRange(x - width / 2, x + width / 2, y - height / 2, y + height / 2)


def zoomed(view: ViewRange, factor: float, x: float, y: float) -> ViewRange:
    """Return the view in which everything is `factor` times as large and (x, y) stays; it stops at the
    limits."""
    scale = min(max(1.0 / factor, _least(view)), _most(view))
    return ViewRange(
        x + (view.left - x) * scale,
        x + (view.right - x) * scale,
        y + (view.bottom - y) * scale,
        y + (view.top - y) * scale,
    )


def _spans(view: ViewRange) -> tuple[float, float]:
    """Return width and height of a view."""
    return view.right - view.left, view.top - view.bottom


def _least(view: ViewRange) -> float:
    """Return the factor by which both spans can shrink, at most 1 if one of them is already at its limit."""
    reach = max(abs(view.left + view.right), abs(view.bottom + view.top)) / 2
    return min(1.0, max(NARROWEST_SPAN, RESOLUTION * reach) / min(_spans(view)))


def _most(view: ViewRange) -> float:
    """Return the factor by which both spans can grow, at least 1 if one of them is already at its limit."""
    return max(1.0, FARTHEST / max(_spans(view)))


def panned(view: ViewRange, dx: float, dy: float) -> ViewRange:
    """Return the view moved by (dx, dy), with its middle within the limits."""
    width, height = _spans(view)
    x = _moved((view.left + view.right) / 2, dx, width)
    y = _moved((view.bottom + view.top) / 2, dy, height)
    return around(x, y, width, height)


def _moved(middle: float, by: float, span: float) -> float:
    """Return the middle moved, but not to where a view so narrow could not be resolved."""
    farthest = max(abs(middle), min(FARTHEST, span / RESOLUTION))
    return min(max(middle + by, -farthest), farthest)


def fitting_view(points: Array) -> ViewRange:
    """Return a rectangle around the points with a margin; the default one for no points or a single spot."""
    if not len(points):
        return ViewRange()
    low, high = points.min(axis=0), points.max(axis=0)
    span = float(max(high - low))
    reach = float(max(abs(low).max(), abs(high).max()))
    if span <= 1e-9 * reach or span == 0.0:  # a single spot, up to rounding
        span = max(1.0, reach)
    left, bottom = (float(a - _margin(a, b, span)) for a, b in zip(low, high, strict=True))
    right, top = (float(b + _margin(a, b, span)) for a, b in zip(low, high, strict=True))
    return ViewRange(left, right, bottom, top)


def _margin(low: float, high: float, span: float) -> float:
    """Return the margin along one axis, the same for both axes unless their scales differ widely."""
    margin = 0.18
    unlike = 0.01  # The share of one axis' span below which the other has a scale of its own.
    own = high - low
    return margin * (own if 0.0 < own < unlike * span else span)


def including(view: ViewRange, x: float, y: float) -> ViewRange:
    """Return the view, extended to the point (x, y) and a margin where it lies outside."""
    beyond = 0.05  # The share of the view left free beyond a point it has been grown for.
    margin_x, margin_y = beyond * (view.right - view.left), beyond * (view.top - view.bottom)
    return ViewRange(
        view.left if x >= view.left else x - margin_x,
        view.right if x <= view.right else x + margin_x,
        view.bottom if y >= view.bottom else y - margin_y,
        view.top if y <= view.top else y + margin_y,
    )


def shows(view: ViewRange, points: Array) -> bool:
    """Return True if all points are in the view and not too small in it."""
    too_small = 0.25  # Points that take a smaller share of the view are too small to see well.
    if not len(points):
        return True
    (left, bottom), (right, top) = points.min(axis=0), points.max(axis=0)
    inside = view.left <= left and right <= view.right and view.bottom <= bottom and top <= view.top
    ideal = fitting_view(points)
    across = max(ideal.right - ideal.left, ideal.top - ideal.bottom)
    return bool(inside and across > too_small * min(view.right - view.left, view.top - view.bottom))


def widened(view: ViewRange, aspect: float) -> ViewRange:
    """Return the smallest view around this one with width/height = aspect: one unit is as long on both
    axes."""
    width, height = view.right - view.left, view.top - view.bottom
    more_x = max(0.0, height * aspect - width) / 2
    more_y = max(0.0, width / aspect - height) / 2
    return ViewRange(view.left - more_x, view.right + more_x, view.bottom - more_y, view.top + more_y)


def surrounds(view: ViewRange, extent: ViewRange) -> bool:
    """Return True if a view is that extent, widened for equal units in a plot of another shape."""
    fitted = widened(extent, (view.right - view.left) / (view.top - view.bottom))
    return bool(np.allclose(astuple(fitted), astuple(view), rtol=0, atol=1e-3 * (view.right - view.left)))


def loses(view: ViewRange, before: ViewRange, after: ViewRange) -> bool:
    """Return True if points of the extent `before` are visible in the view and those of `after` are not."""
    return _seen(view, before) and not _seen(view, after)


def _seen(view: ViewRange, extent: ViewRange) -> bool:
    """Return True if points of that extent are in the view, at least in part, and large enough to see."""
    least_extent = 0.05  # Points that take a smaller share of a side of the view are a line or a spot.
    return all(
        low < b and a < high and b - a > least_extent * (high - low)
        for a, b, low, high in (
            (extent.left, extent.right, view.left, view.right),
            (extent.bottom, extent.top, view.bottom, view.top),
        )
    )


LegendPlace = Literal["top right", "top left", "bottom right", "bottom left", "below"]


@dataclass(frozen=True)
class Look:
    """The look of the document. Changing it is not a step of undo."""

    view: ViewRange = field(default_factory=ViewRange)  # The visible rectangle.
    # Limits of the axes that the user typed: the screen shows all of them, and figures have exactly these.
    limits: ViewRange | None = None
    shown: frozenset[str] = frozenset()  # The toggles of the workspace that are on.
    mode: Literal["live", "watch"] = "live"
    step: int = 0  # The position of the playback in watch mode.
    selection: tuple[int, ...] = ()
    components: tuple[int, int] = (0, 1)  # The two components that a map shows, counted from 0.
    legend: LegendPlace | None = None  # Where the legend is pinned; None if it looks for a free place.

    def replace(self, **changes: Any) -> Self:
        """Return the look with other parts; limits that were typed end with another view."""
        if "view" in changes:
            changes.setdefault("limits", None)
        return dataclasses.replace(self, **changes)
