"""The Bayes boundary of generated data: where both classes are equally likely."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from PySide6.QtGui import QPainter, QPen

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.datasets.base import DataSet
from kernelviz.engine.fields.contours import quick_contours
from kernelviz.scene.figure.legend import Entry, stroke
from kernelviz.scene.figure.stamps import Stamps
from kernelviz.scene.figure.strokes import draw_lines, pen
from kernelviz.scene.figure.style import Style
from kernelviz.scene.layers import Coordinates, Layer
from kernelviz.session.view import ViewRange

NODES = 161  # Along each axis of the view.


@lru_cache(maxsize=8)  # asked for with every frame, and the same while the view stays
def bayes_boundary(origin: DataSet, view: ViewRange) -> tuple[Array, ...]:
    """Return the lines on which both classes are equally likely; none where that is not known."""
    x1, x2 = np.linspace(view.left, view.right, NODES), np.linspace(view.bottom, view.top, NODES)
    places = np.stack(np.meshgrid(x1, x2), axis=-1).reshape(-1, 2)
    found = origin.class_densities(places)
    if found is None:
        return ()
    minus, plus = found
    with np.errstate(invalid="ignore"):
        share = (plus - minus) / (plus + minus)
    ((_, lines),) = quick_contours(x1, x2, share.reshape(NODES, NODES), (0.0,))
    return tuple(lines)


@dataclass(frozen=True, eq=False)
class BayesLayer(Layer):
    """The boundary that no classifier can improve on. It is computed when it is drawn."""

    lines: Callable[[], tuple[Array, ...]]

    @property
    def entries(self) -> tuple[Entry, ...]:
        return (Entry("Bayes boundary", stroke(bayes_pen)),) if self.lines() else ()

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        painter.setPen(bayes_pen(axes.style))
        draw_lines(painter, axes.transform, self.lines())


def bayes_pen(style: Style) -> QPen:
    """Return the pen of what is true and not fitted, as in a curve."""
    return pen(style.theme.ink, 1.4 * style.strokes, dash=[length * style.strokes for length in (6.0, 3.0)])
