"""The plane's painter."""

from __future__ import annotations

from kernelviz.drawing.painters import Painter
from kernelviz.drawing.plane import figure
from kernelviz.drawing.plane.decoration import Decorator

__all__ = ["PAINTER", "PlanePainter"]


class PlanePainter(Painter):
    """Field, lines, points and legend between two axes."""

    figure_of_model = staticmethod(figure.figure_of_model)
    figure_of_data = staticmethod(figure.figure_of_data)

    def decorator(self) -> Decorator:
        return Decorator()


PAINTER = PlanePainter()
