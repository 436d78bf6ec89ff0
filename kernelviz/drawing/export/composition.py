"""A figure put together: the canvas with one or several fits, insight views beside it, words around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from kernelviz.drawing.export.arrangement import Arrangement
from kernelviz.drawing.export.states import (
    EVERYTHING_SAID,
    Words,
    captions_of,
    checked_workspace,
    each_fit,
    figure_of,
    fitted_with_change,
)
from kernelviz.drawing.figure.figure import NO_WORDS, Captions, Paintable, paint_words
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.painters import Figure, painter_of
from kernelviz.drawing.wording import fit_names
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.models.base import Change, Model
from kernelviz.runtime.messages import Failure, Frame, Verdict
from kernelviz.session.state import LETTERS, State


class Panel(Protocol):
    """An insight view that can be drawn beside the canvas."""

    def picture(self, shown: Composition) -> Paintable:
        """Return the picture of what a figure shows."""


@dataclass(frozen=True)
class Contents:
    """What is in a figure."""

    canvas: bool = True
    legend: bool = True
    words: Words = EVERYTHING_SAID


@dataclass(frozen=True)
class Captioned:
    """Words around anything that can be painted."""

    body: Paintable
    words: Captions

    def paint(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        style = style.for_room(rect.width(), rect.height())
        room = paint_words(painter, rect, style, self.words)
        if room.width() > 0 and room.height() > 0:
            self.body.paint(painter, room, style)


@dataclass(frozen=True)
class Composition:
    """The state, and the frame that shows it if there is one, with the verdict on its points if known."""

    state: State
    frame: Frame | None = None
    verdict: Verdict | None = None
    failure: Failure | None = None  # Why the state has no fit, when it has none.
    together: tuple[Composition, ...] = ()  # Of several fits, what is on screen of each.

    @classmethod
    def of_state(cls, state: State) -> Composition:
        """Return the figure of all fits of a state, which are fitted when it is painted."""
        if len(state.document.fits) == 1:
            return cls(state)
        return cls(state, together=tuple(map(cls, each_fit(state))))

    @property
    def answers(self) -> tuple[Frame | Failure | None, ...]:
        """The frame of each fit, or why it has none; None for what is not computed yet."""
        return tuple(own.frame or own.failure for own in self.together or (self,))

    @property
    def model(self) -> Model | None:
        """The model on screen; fitted here and now only if it is not there yet; None when it cannot be."""
        return self._fit[0]

    @cached_property
    def _fit(self) -> tuple[Model | None, Change | None]:
        """The model, and in watch mode what its last step has changed."""
        if self.frame is not None:
            return self.frame.model, self.frame.change if self.state.look.mode == "watch" else None
        return (None, None) if self.failure else fitted_with_change(self.state)

    def figure(self, contents: Contents, panels: Sequence[Panel] = ()) -> Paintable:
        """Canvas and panels side by side, with the words around all of them; nothing is marked in them."""
        if not contents.canvas and not panels:
            raise BadInput("Choose the canvas or at least one panel.")
        if panels and self.frame is None and not self.failure:
            raise BadInput("The panels have no result to show yet. Wait for the fit, or leave them out.")
        canvas = self._canvas(contents) if contents.canvas else None
        pictures = [panel.picture(self) for panel in panels]
        return Captioned(Arrangement(canvas, pictures), self._captions(contents.words))

    def _canvas(self, contents: Contents) -> Paintable:
        if not self.together:
            return self._plot(contents.legend, NO_WORDS)
        fits, workspace = self.state.document.fits, checked_workspace(self.state.document.data)
        figures = []
        for letter, name, own in zip(LETTERS, fit_names(fits), self.together, strict=False):
            told = own._captions(replace(contents.words, title="", formula=False)).caption
            told = f"{letter}: {told or name}" if told or not workspace.lays_over else ""
            figures.append(own._plot(contents.legend, Captions(caption=told)))
        return Arrangement.of_fits(painter_of(workspace).together(figures, fits))

    def _plot(self, legend: bool, captions: Captions) -> Figure:
        workspace = checked_workspace(self.state.document.data)
        shown = self.state.look.shown - {"legend"} | ({"legend"} if legend else set())
        state = replace(self.state, look=self.state.look.replace(shown=frozenset(shown)))
        if self.model is None:
            document = state.document
            return painter_of(workspace).figure_of_data(document.data, state.look, captions, document.kernel)
        return figure_of(state, self.model, change=self._fit[1], captions=captions)

    def _captions(self, words: Words) -> Captions:
        if self.together:
            return Captions(words.title)  # each of the fits has its own
        if self.model is None:
            return Captions(words.title, "", f"n = {self.state.document.data.n}" if words.caption else "")
        told = captions_of(self.model, words)
        if self.state.look.mode == "watch" and told.caption:
            step = self.state.look.step if self.frame is None else self.frame.step
            return replace(told, caption=f"{told.caption} · step {step}")
        return told
