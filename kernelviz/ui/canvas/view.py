"""The rectangle of the plane on screen: zooming and panning within limits."""

from __future__ import annotations

import math

from kernelviz.session.view import FARTHEST, ViewRange

__all__ = ["NARROWEST_SPAN", "panned", "sane", "zoomed"]

NARROWEST_SPAN = 1e-15
"""Narrowest span that can be zoomed to."""
RESOLUTION = 1e-6
"""Narrowest span relative to the coordinates: axis labels and drawing still tell neighbours apart."""
FLATTEST = 1e12
"""Largest ratio of the two spans."""


def sane(view: ViewRange) -> ViewRange:
    """The nearest view that can be drawn: finite, the right way round, neither too narrow nor too wide."""
    x, width = _sane_axis(view.left, view.right)
    y, height = _sane_axis(view.bottom, view.top)
    width, height = max(width, height / FLATTEST), max(height, width / FLATTEST)
    return _around(x, y, width, height)


def _sane_axis(low: float, high: float) -> tuple[float, float]:
    """(middle, span) of an axis within the limits."""
    middle, span = low / 2 + high / 2, abs(high - low)
    if not (math.isfinite(middle) and math.isfinite(span)):
        return 0.0, 4.0
    middle = min(max(middle, -FARTHEST), FARTHEST)
    return middle, min(max(span, NARROWEST_SPAN, RESOLUTION * abs(middle)), FARTHEST)


def _around(x: float, y: float, width: float, height: float) -> ViewRange:
    return ViewRange(x - width / 2, x + width / 2, y - height / 2, y + height / 2)


def zoomed(view: ViewRange, factor: float, x: float, y: float) -> ViewRange:
    """Everything `factor` times as large on screen, (x, y) staying where it is; stops at the limits."""
    scale = min(max(1.0 / factor, _least(view)), _most(view))
    return ViewRange(
        x + (view.left - x) * scale,
        x + (view.right - x) * scale,
        y + (view.bottom - y) * scale,
        y + (view.top - y) * scale,
    )


def _spans(view: ViewRange) -> tuple[float, float]:
    return view.right - view.left, view.top - view.bottom


def _least(view: ViewRange) -> float:
    """How far both spans can shrink: by no more than 1 if one of them is at its limit already."""
    reach = max(abs(view.left + view.right), abs(view.bottom + view.top)) / 2
    return min(1.0, max(NARROWEST_SPAN, RESOLUTION * reach) / min(_spans(view)))


def _most(view: ViewRange) -> float:
    return max(1.0, FARTHEST / max(_spans(view)))


def panned(view: ViewRange, dx: float, dy: float) -> ViewRange:
    """The view moved by (dx, dy), its middle staying within the limits."""
    width, height = _spans(view)
    x = _moved((view.left + view.right) / 2, dx, width)
    y = _moved((view.bottom + view.top) / 2, dy, height)
    return _around(x, y, width, height)


def _moved(middle: float, by: float, span: float) -> float:
    """The middle moved, but not to where a view so narrow could not be told apart."""
    farthest = max(abs(middle), min(FARTHEST, span / RESOLUTION))
    return min(max(middle + by, -farthest), farthest)
