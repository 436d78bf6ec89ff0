"""The plane's painter."""

from __future__ import annotations

from kernelviz.drawing.figure.captions import NO_WORDS, Captions
from kernelviz.drawing.figure.figure import AxesFigure
from kernelviz.drawing.painters import Painter
from kernelviz.drawing.plane.decoration import Decorator
from kernelviz.drawing.plane.figure import figure_of_data, figure_of_model
from kernelviz.engine.data import Data
from kernelviz.engine.model import Model
from kernelviz.session.state import Look

__all__ = ["PAINTER", "PlanePainter"]


class PlanePainter(Painter):
    """Field, lines, points and legend between two axes."""

    def figure_of_model(
        self,
        model: Model,
        look: Look,
        captions: Captions = NO_WORDS,
        changed: tuple[int, ...] = (),
        held_out: Data | None = None,
    ) -> AxesFigure:
        return figure_of_model(
            model,
            look.view,
            shown=look.shown,
            captions=captions,
            changed=changed,
            held_out=held_out,
            limits=look.limits,
        )

    def figure_of_data(self, data: Data, look: Look, captions: Captions = NO_WORDS) -> AxesFigure:
        return figure_of_data(data, look.view, shown=look.shown, captions=captions, limits=look.limits)

    def decorator(self) -> Decorator:
        return Decorator()


PAINTER = PlanePainter()
