"""The plane's painter."""

from __future__ import annotations

from collections.abc import Sequence

from kernelviz.drawing.figure.figure import AxesFigure, side_by_side
from kernelviz.drawing.figure.legend import Entry
from kernelviz.drawing.painters import Painter
from kernelviz.drawing.plane import figure
from kernelviz.drawing.plane.decoration import Decorator
from kernelviz.drawing.wording import fit_names
from kernelviz.engine.fits.parsing import Fit


class PlanePainter(Painter):
    """Field, lines, points and legend between two axes."""

    figure_of_model = staticmethod(figure.figure_of_model)
    figure_of_data = staticmethod(figure.figure_of_data)

    def several(
        self, figures: Sequence[AxesFigure], fits: Sequence[Fit], legend: tuple[Entry, ...]
    ) -> Sequence[AxesFigure]:
        """Side by side, the points at the same places in all: they share the legend too."""
        return side_by_side([figure.with_legend(legend) for figure in figures], fit_names(fits))

    def decorator(self) -> Decorator:
        return Decorator()


PAINTER = PlanePainter()
