"""A tiny workspace for one input and a real target, all of it in this file."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from kernelviz.drawing.figure.backdrop import painted
from kernelviz.drawing.figure.captions import NO_WORDS
from kernelviz.drawing.figure.figure import AxesFigure, Drawing
from kernelviz.drawing.figure.layer import GridLayer
from kernelviz.drawing.figure.legend import Entry
from kernelviz.drawing.figure.rings import Rings
from kernelviz.drawing.figure.strokes import draw_lines, pen
from kernelviz.drawing.painters import Painter
from kernelviz.drawing.plane.layers import GlyphLayer
from kernelviz.drawing.plane.picture import picture_of_data
from kernelviz.engine.arrays import read_only
from kernelviz.engine.data import Data, Task
from kernelviz.engine.errors import BadInput
from kernelviz.session.state import Document, State
from kernelviz.session.workspaces.base import Workspace
from kernelviz.ui.canvas.points import PointsCanvas as Canvas

__all__ = ["PAINTER", "Canvas", "Curve"]


class Curve(Workspace):
    """x to the right, y upwards: moving a point changes its input and its target."""

    name = "curve"
    title = "Curve"
    order = 8
    toggles = {
        "curve": ("Curve", True),
        "points": ("Points", True),
        "legend": ("Legend", True),
        "grid": ("Grid lines", False),
    }
    start = ("", "rbf(gamma=3)", "ridge(lam=0.01)")
    how_to_add = "Click to add a point."
    wants = "a column of numbers and a number for each"
    drawing = canvas = __name__

    def refusal(self, data):
        one = data.domain == "vectors" and len(data.columns) == 1 and data.task is Task.REGRESSION
        return "" if one else "The curve needs one input and a number for each."

    def empty(self):
        return Data.regression(np.empty((0, 1)), np.empty((0, 1)), ["x"])

    def start_up(self):
        x = np.linspace(-2.0, 2.0, 25)
        data = Data.regression(x[:, None], np.sin(2 * x), ["x"])
        return State(Document(data, (self.fit,), source="a sine"), self.look(data))

    def positions(self, data):
        return np.column_stack([data.X[:, 0], data.y])

    def axes(self, data):
        return data.columns[0], "y"

    def placed(self, data, rows, xy):
        at = self.positions(data)
        at[list(rows)] = xy
        if not np.isfinite(at).all():
            raise BadInput("A point needs finite coordinates.")
        return dataclasses.replace(data, X=read_only(at[:, :1]), target=read_only(at[:, 1]))

    def added(self, data, xy, label):
        self.check_room(data, len(xy))
        at = np.vstack([self.positions(data), xy])
        return dataclasses.replace(data, X=read_only(at[:, :1]), target=read_only(at[:, 1]))

    def inputs_at(self, data, x, y):
        return np.array([[x]])

    def sampling(self, data, view):
        return Line(view.left, view.right)


@dataclass(frozen=True)
class Line:
    """What the worker computes: s along the x axis."""

    left: float
    right: float

    def sample(self, model, coarser=1):
        x = np.linspace(self.left, self.right, 400 // coarser)
        yield
        return np.column_stack([x, model.score(x[:, None])])


@dataclass(frozen=True, eq=False)
class CurveLayer:
    xy: np.ndarray

    def paint(self, painter, transform, style):
        painter.setPen(pen(style.theme.boundary, style.boundary_width))
        draw_lines(painter, transform, [self.xy])


def legend(shown):
    def draw(painter, at, style):
        painter.setPen(pen(style.theme.boundary, style.boundary_width))
        painter.drawLine(int(at.x()) - 6, int(at.y()), int(at.x()) + 6, int(at.y()))

    return (Entry("s(x)", draw),) if {"legend", "curve"} <= shown else ()


@dataclass(frozen=True, eq=False)
class Decoration:
    """A frame on the screen."""

    frame: object

    ringed = (np.empty((0, 2)), Rings.none())

    def layer(self, name):
        return CurveLayer(self.frame.sample) if name == "curve" else None

    def backdrop(self, target):
        return painted(target, Decorator.behind, self.layer)

    def entries(self, points, shown):
        return legend(shown)


class Decorator:
    target = None
    behind = ("grid", "curve")
    __call__ = staticmethod(Decoration)


class CurvePainter(Painter):
    def figure_of_model(self, model, look, captions=NO_WORDS, changed=(), held_out=None):
        return self.figure_of_data(model.problem.data, look, captions, model)

    def figure_of_data(self, data, look, captions=NO_WORDS, model=None):
        def make(view, columns, rows):
            every = {"grid": GridLayer(view), "points": GlyphLayer.of(picture_of_data(data, view))}
            if model is not None:
                x = np.linspace(view.left, view.right, columns)
                every["curve"] = CurveLayer(np.column_stack([x, model.score(x[:, None])]))
            return Drawing(view, {k: v for k, v in every.items() if k in look.shown}, legend(look.shown))

        return AxesFigure(make, look.view, ("x", "y"), captions)

    def decorator(self):
        return Decorator()


PAINTER = CurvePainter()
