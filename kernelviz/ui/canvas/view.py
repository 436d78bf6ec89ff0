"""The rectangle of the plane on screen: zooming and panning within its limits."""

from __future__ import annotations

from kernelviz.session.view import FARTHEST, NARROWEST_SPAN, RESOLUTION, ViewRange, around


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
    return view.right - view.left, view.top - view.bottom


def _least(view: ViewRange) -> float:
    """Return how far both spans can shrink: by no more than 1 if one of them is at its limit already."""
    reach = max(abs(view.left + view.right), abs(view.bottom + view.top)) / 2
    return min(1.0, max(NARROWEST_SPAN, RESOLUTION * reach) / min(_spans(view)))


def _most(view: ViewRange) -> float:
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
