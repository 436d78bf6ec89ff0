"""The curve's painter."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from kernelviz.drawing.curve.decoration import Decorator
from kernelviz.drawing.curve.layers import layers
from kernelviz.drawing.curve.legend import entries
from kernelviz.drawing.curve.picture import picture_of_fit
from kernelviz.drawing.curve.together import laid_over
from kernelviz.drawing.figure.captions import NO_WORDS, Captions
from kernelviz.drawing.figure.figure import AxesFigure, Drawing
from kernelviz.drawing.figure.legend import Entry
from kernelviz.drawing.painters import Painter
from kernelviz.drawing.plane import layers as of_points
from kernelviz.drawing.plane.figure import figure_between_axes
from kernelviz.drawing.plane.picture import picture_of_data
from kernelviz.engine.data import Data
from kernelviz.engine.fits import Fit
from kernelviz.engine.generators import finished
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.model import Model
from kernelviz.session.state import Look, ViewRange
from kernelviz.session.workspaces.registry import workspace_of

__all__ = ["PAINTER", "CurvePainter"]


class CurvePainter(Painter):
    """Points, the curve through them and what belongs to it, between two axes."""

    def figure_of_model(
        self,
        model: Model,
        look: Look,
        captions: Captions = NO_WORDS,
        changed: tuple[int, ...] = (),
        held_out: Data | None = None,
        source: str = "",
    ) -> AxesFigure:
        workspace, data = workspace_of(model.problem.data), model.problem.data

        @lru_cache(maxsize=2)  # a large figure is painted in bands, each of the same drawing
        def make(view: ViewRange, columns: int, rows: int) -> Drawing:
            sample = finished(workspace.sampling(data, view, source).sample(model))
            picture = picture_of_fit(
                model, sample, view, shown=look.shown, changed=changed, held_out=held_out
            )
            explained = entries(picture, picture.points) if "legend" in look.shown else ()
            return Drawing(view, layers(picture), explained)

        return figure_between_axes(make, data, look, captions)

    def figure_of_data(
        self, data: Data, look: Look, captions: Captions = NO_WORDS, kernel: Kernel | None = None
    ) -> AxesFigure:
        def make(view: ViewRange, columns: int, rows: int) -> Drawing:
            return Drawing(view, of_points.layers(picture_of_data(data, view, shown=look.shown)))

        return figure_between_axes(make, data, look, captions)

    def several(
        self, figures: Sequence[AxesFigure], fits: Sequence[Fit], legend: tuple[Entry, ...]
    ) -> Sequence[AxesFigure]:
        return [laid_over(figures, fits)]

    def decorator(self) -> Decorator:
        return Decorator()


PAINTER = CurvePainter()
