"""The present picture taken hold of: what a figure is made of, safe to be painted on any thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from kernelviz.drawing.export.arrangement import Arrangement
from kernelviz.drawing.export.states import (
    EVERYTHING_SAID,
    Words,
    captions_of,
    checked_workspace,
    figure_of,
    fitted,
)
from kernelviz.drawing.figure.captions import Captions
from kernelviz.drawing.figure.figure import paint_words
from kernelviz.drawing.figure.paintable import Paintable
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.insight.picture import PictureMaker
from kernelviz.drawing.painters import painter_of
from kernelviz.engine.errors import BadInput
from kernelviz.engine.model import Model
from kernelviz.runtime.messages import Frame, Verdict
from kernelviz.session.state import State
from kernelviz.ui.workbench.workbench import Workbench

__all__ = ["Captioned", "Contents", "Snapshot"]

NO_WORDS = Words(formula=False, caption=False)


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
class Snapshot:
    """The state, and the frame that shows it if there is one, with the verdict on its points if known."""

    state: State
    frame: Frame | None = None
    verdict: Verdict | None = None
    failure: str = ""
    """Why the state has no fit, when it has none."""

    @classmethod
    def of(cls, workbench: Workbench) -> Snapshot:
        """What is on screen now."""
        state, frame, failure = workbench.session.state, workbench.frame, workbench.failure
        if frame is not None and _shows(frame, state):
            if state.look.mode == "watch":  # the picture may be a few steps behind the one asked for
                state = replace(state, look=state.look.replace(step=frame.step))
            return cls(state, frame, _verdict_on(frame, workbench.verdict))
        document = state.document
        if failure is not None and failure.request.data is document.data:
            return cls(state, failure=failure.sentence)
        return cls(state)

    @cached_property
    def model(self) -> Model | None:
        """The model on screen; fitted here and now only if it is not there yet; None when it cannot be."""
        if self.frame is not None:
            return self.frame.model
        return None if self.failure else fitted(self.state)

    def figure(self, contents: Contents, panels: Sequence[PictureMaker] = ()) -> Paintable:
        """Canvas and panels side by side, with the words around all of them; nothing is marked in them."""
        if not contents.canvas and not panels:
            raise BadInput("Choose the canvas or at least one panel.")
        if panels and self.frame is None and not self.failure:
            raise BadInput("The panels have no result to show yet. Wait for the fit, or leave them out.")
        canvas = self._canvas(contents.legend) if contents.canvas else None
        pictures = [maker.make(self.frame, self.verdict) for maker in panels]
        return Captioned(Arrangement(canvas, pictures), self._captions(contents.words))

    def _canvas(self, legend: bool) -> Paintable:
        workspace = checked_workspace(self.state.document.data)
        shown = self.state.look.shown - {"legend"} | ({"legend"} if legend else set())
        state = replace(self.state, look=self.state.look.replace(shown=frozenset(shown)))
        if self.model is None:
            return painter_of(workspace).figure_of_data(state.document.data, state.look)
        watched = self.frame if state.look.mode == "watch" else None
        return figure_of(state, self.model, NO_WORDS, change=watched.change if watched is not None else None)

    def _captions(self, words: Words) -> Captions:
        if self.model is None:
            return Captions(words.title, "", f"n = {self.state.document.data.n}" if words.caption else "")
        told = captions_of(self.model, words)
        if self.frame is not None and self.state.look.mode == "watch" and told.caption:
            return replace(told, caption=f"{told.caption} · step {self.frame.step}")
        return told


def _shows(frame: Frame, state: State) -> bool:
    """Whether the frame is a picture of this very document, seen in this mode."""
    asked, document = frame.request, state.document
    return (
        asked.data is document.data
        and asked.kernel is document.kernel
        and asked.algorithm is document.algorithm
        and (asked.step is None) == (state.look.mode == "live")
    )


def _verdict_on(frame: Frame, verdict: Verdict | None) -> Verdict | None:
    """The verdict, if it is on the very points and kernel of the frame."""
    if verdict is None:
        return None
    judged, shown = verdict.request, frame.model.problem
    return verdict if judged.data is shown.data and judged.kernel == shown.kernel else None
