"""The figure of the plane: its picture, sampled for the size it gets."""

from __future__ import annotations

from functools import lru_cache

from kernelviz.drawing.figure.figure import NO_WORDS, AxesFigure, Captions, Drawing, MakeDrawing
from kernelviz.drawing.plane.layers import layers
from kernelviz.drawing.plane.legend import entries
from kernelviz.drawing.plane.picture import (
    Picture,
    contour_lines,
    picture_of_data,
    picture_of_model,
    sampled,
    touched,
    with_held_out,
)
from kernelviz.engine.core.data import Data
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.models.base import Model
from kernelviz.session.view import Look, ViewRange, sane
from kernelviz.session.workspaces.registry import workspace_of

FINEST_FIELD = 900  # Nodes per axis beyond which a smooth field gains nothing.
LINE_NODES = 420


def figure_of_model(
    model: Model,
    look: Look,
    captions: Captions = NO_WORDS,
    changed: tuple[int, ...] = (),
    held_out: Data | None = None,
    source: str = "",
) -> AxesFigure:
    """The figure of a fitted model, with the points framed that its last step has `changed`; field and
    contours are computed anew for every size."""

    @lru_cache(maxsize=2)  # a large figure is painted in bands, each of the same drawing
    def make(wanted: ViewRange, columns: int, rows: int) -> Drawing:
        columns, rows = min(columns, FINEST_FIELD), min(rows, FINEST_FIELD)
        x1, x2, F = sampled(model, wanted, columns, rows)
        lines = contour_lines(model, wanted, min(LINE_NODES, 4 * max(columns, rows)))
        picture = picture_of_model(model, wanted, x1, x2, F, lines, shown=look.shown)
        return _drawing(with_held_out(touched(picture, changed), held_out))

    return figure_between_axes(make, model.problem.data, look, captions)


def figure_of_data(
    data: Data, look: Look, captions: Captions = NO_WORDS, kernel: Kernel | None = None
) -> AxesFigure:
    """The figure of points that have no model (yet)."""

    def make(wanted: ViewRange, columns: int, rows: int) -> Drawing:
        return _drawing(picture_of_data(data, wanted, shown=look.shown))

    return figure_between_axes(make, data, look, captions)


def figure_between_axes(make: MakeDrawing, data: Data, look: Look, captions: Captions) -> AxesFigure:
    """With the limits that were typed, exactly, or around what is seen."""
    workspace, typed = workspace_of(data), look.limits is not None
    around = workspace.extent(data) if "equal_aspect" in look.shown else None
    return AxesFigure(
        make, sane(look.limits or look.view), workspace.axes(data), captions, around, exact=typed
    )


def _drawing(picture: Picture) -> Drawing:
    explained = entries(picture) if "legend" in picture.shown else ()
    return Drawing(picture.view, layers(picture), explained)
