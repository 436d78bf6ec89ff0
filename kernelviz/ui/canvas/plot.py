"""One fit on the canvas: a title where there are several, axes with the scene in between, and a banner."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QPoint, QRect, QRectF, QSizeF, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget

from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import Fit
from kernelviz.runtime.messages import Failure, Frame
from kernelviz.scene.figure.style import Style
from kernelviz.scene.theme import current_theme
from kernelviz.scene.workspace_painter import Decoration, Decorator
from kernelviz.session.state import LETTERS, State
from kernelviz.session.view import LegendPlace, Look
from kernelviz.session.workspaces.base import Workspace
from kernelviz.ui.canvas.area import PlotArea
from kernelviz.ui.canvas.banner import (
    Advice,
    Banner,
    advice_on_aspect,
    advice_on_bumps,
    advice_on_failure,
    advice_on_model,
    advice_on_others,
)
from kernelviz.ui.canvas.legend import card_in
from kernelviz.ui.canvas.scene import CanvasScene
from kernelviz.ui.widgets.buttons import ToolButton
from kernelviz.ui.widgets.labels import Elided, Label, describe, plain
from kernelviz.ui.widgets.layouts import column, row
from kernelviz.ui.workbench.throttle import Throttle
from kernelviz.ui.workbench.workbench import Workbench

# The corners for a note, in the order they are tried: a banner is at the top, the legend mostly at the right.
NOTE_CORNERS: tuple[LegendPlace, ...] = ("bottom left", "bottom right", "top left", "top right")


class Title(QWidget):
    """Letter and name of a fit; a press chooses it, a cross closes it."""

    pressed = Signal()
    close_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.letter = Label(role="heading")
        self.name = Elided()
        self.cross = ToolButton("close", "Close this fit", do=self.close_wanted)
        row(self.letter, (self.name, 1), self.cross, on=self, margins=(8, 1, 4, 1))

    def show_fit(self, k: int, name: str, fit: Fit, active: bool) -> None:
        """Show which fit is below the title, and whether the panels edit it."""
        self.letter.setText(LETTERS[k])
        self.letter.setProperty("role", "chosen" if active else "heading")
        self.letter.style().polish(self.letter)
        self.name.set_text(name)
        self.setToolTip(plain(f"{LETTERS[k]}: {fit}"))
        describe(self.cross, f"Close fit {LETTERS[k]}")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()
        self.pressed.emit()


class CanvasPlot(QWidget):
    """Shows the points of the document and one fit of them; words about the fit are in its banner.

    `fit` is the number of the fit, or None for whichever is active. The points follow the document
    immediately, the fit follows with the answer of the worker, so for a moment both may differ."""

    outgrown = Signal()  # Its axes have other numbers, which may need more room.
    pulse: Throttle  # Its beats: whatever happens between two of them is drawn once. Set by the canvas.

    def __init__(self, workbench: Workbench, workspace: Workspace, decorate: Decorator[Any]) -> None:
        super().__init__()
        self.workbench, self.workspace, self.decorate = workbench, workspace, decorate
        self.fit: int | None = None  # Which of several fits it shows; None for the active one.
        self.complaining = False  # Whether the banner says that something could not be done.
        self.about_data = ""  # A message about the data, which stays until they change.
        self.title = Title()
        self.title.hide()
        self.area = PlotArea(self)
        self.scene = CanvasScene(self.area, decorate)
        self.column = column(self.title, (self.area, 1), on=self, spacing=0)
        self.banner = Banner(self, current_theme())
        self.banner.switched.connect(workbench.session.toggle)
        self.setTabOrder(self.area, self.banner.remedy_button)

    # Which fit -----------------------------------------------------------------------------------------
    @property
    def answer(self) -> Frame | Failure | None:
        """Return the last answer of the worker about its fit."""
        bench = self.workbench
        return bench.frame or bench.failure if self.fit is None else bench.latest.get(self.fit)

    @property
    def frame(self) -> Frame | None:
        """Return the last frame of its fit."""
        return answer if isinstance(answer := self.answer, Frame) else None

    @property
    def failure(self) -> Failure | None:
        """Return why its fit failed, or None if there is a frame."""
        return answer if isinstance(answer := self.answer, Failure) else None

    @property
    def number(self) -> int:
        """Return the number of its fit in the document."""
        return self.workbench.session.document.active if self.fit is None else self.fit

    @property
    def is_active(self) -> bool:
        """Return True if the panels edit the fit it shows."""
        return self.number == self.workbench.session.document.active

    def wants(self, answer: Frame | Failure) -> bool:
        """Return True if an answer is about its fit."""
        return answer.fit == (answer.request.active if self.fit is None else self.fit)

    def show_fit(self, fit: int | None) -> None:
        """Show one of several fits, None for whichever is active."""
        if fit != self.fit:
            self.fit = fit
            if self.frame is None:
                self.show_no_fit()
            self.show_latest()

    def show_latest(self) -> None:
        """Show the last answer about its fit, if there is one."""
        if (answer := self.answer) is not None:
            self.show_answer(answer)

    def show_answer(self, answer: Frame | Failure) -> None:
        """Show the fit of a frame, or why there is none."""
        if isinstance(answer, Failure):
            self.banner.say(self._refusal(answer))
            if (other := self._other_fit(answer)) is None:
                self.show_no_fit()
            else:
                self.show_decoration(other)
        else:
            self.advise(answer)
            self.show_decoration(answer.decoration or self.decorate(answer))

    def _other_fit(self, failure: Failure) -> Decoration[Any] | None:
        """Return a fit that is drawn in the same picture as the one that has failed, if there is one."""
        if not self.workspace.lays_over:
            return None
        others = self.decorate.others
        others[failure.fit] = None
        for _, other in sorted(others.items()):
            frame = None if other is None else other.frame
            if frame is not None and frame.request.fits == failure.request.fits:
                return other
        return None

    # What is drawn -------------------------------------------------------------------------------------
    def show_state(self, state: State) -> None:
        """Show a document and its look, whatever was shown before."""
        self.show_data(state.document.data)
        self.show_held_out(state.document.test_data)
        self.scene.show_look(state.look)

    def show_look(self, look: Look) -> None:
        """Show another look, with advice on what its toggles hide."""
        switched = look.shown != self.scene.shown
        self.scene.show_look(look)
        if switched and self.scene.decoration is not None and (frame := self.frame) is not None:
            self.advise(frame)

    def show_data(self, data: Data) -> None:
        """Show the points of the document, before they are fitted."""
        self.scene.show_points(data, self.scene.kind.of_data(data, self.area.view))

    def show_held_out(self, data: Data | None) -> None:
        """Show the points that are not fitted."""
        self.scene.show_aside(None if data is None else self.scene.bare.picture.with_held_out(data))

    def show_no_fit(self) -> None:
        """Show only the data, as there is no fit."""
        self.show_decoration(None)

    def show_decoration(self, decoration: Decoration[Any] | None) -> None:
        """Show a fit, or only the points if it is None."""
        self.scene.show_decoration(decoration)

    def restyle(self, style: Style) -> None:
        """Take on a theme and a size of type."""
        self.banner.set_theme(style.theme)
        self.scene.set_style(style)

    # Words ---------------------------------------------------------------------------------------------
    def _refusal(self, failure: Failure) -> Advice:
        """Return why there is no fit, and which one if several are drawn in one picture."""
        several = self.workspace.lays_over and len(failure.request.fits) > 1
        if several and failure.request.data.n and not failure.details:
            answers = (answer for _, answer in sorted(self.workbench.latest.items()))
            failures = [answer for answer in answers if isinstance(answer, Failure)]
            different = len({each.sentence for each in failures}) == len(failures)
            if different and (advice := advice_on_others(failures)):
                return advice
        return advice_on_failure(failure, self.workspace.how_to_add)

    def advise(self, frame: Frame) -> None:
        """Show advice in the banner: on a fit that did not end well, or on a view that hides something.

        A message that something could not be done stays until the user goes on, one about the data until they
        change."""
        if self.shows_about_data:
            return
        advice = advice_on_model(frame.model)
        if advice is None and not self.complaining:
            advice = self._advice_on_view(frame)
        if advice is not None:
            self.banner.say(advice)
        elif not self.complaining:
            self.banner.clear()

    @property
    def shows_about_data(self) -> bool:
        """Return True if the banner has a message about the data, which was not dismissed."""
        return bool(self.about_data) and self.banner.text == self.about_data

    def _advice_on_view(self, frame: Frame) -> Advice | None:
        """Return advice on a frame that is shown in a way that hides something."""
        if self.workspace.lays_over:
            others = (answer for fit, answer in sorted(self.workbench.latest.items()) if fit != frame.fit)
            if advice := advice_on_others(answer for answer in others if isinstance(answer, Failure)):
                return advice
        shown = self.scene.shown
        if "bumps" in shown & set(self.workspace.toggles) and (advice := advice_on_bumps(frame.model)):
            return advice
        return advice_on_aspect(self.workspace, frame.data) if "equal_aspect" in shown else None

    def place_banner(self) -> None:
        """Put the banner at the top of the plane, where it does not cover the legend."""
        room = self._room
        card = self.scene.card.toAlignedRect().translated(room.topLeft())
        self.banner.place(room, card)

    def place_note(self, note: QWidget, corners: Sequence[LegendPlace] = NOTE_CORNERS) -> None:
        """Put a note into a corner of the plane, if possible where it covers no legend, banner or points."""
        note.adjustSize()
        room = self._room
        plane, banner = QSizeF(room.size()), QRectF(self.banner.geometry().translated(-room.topLeft()))
        places = [card_in(QSizeF(note.size()), plane, self.scene.style, corner) for corner in corners]
        taken = [self.scene.card, *([] if self.banner.isHidden() else [banner])]
        free = [place for place in places if not any(map(place.intersects, taken))] or places
        place = next((place for place in free if not self.scene.covers(place)), free[0])
        note.move(room.topLeft() + place.topLeft().toPoint())

    @property
    def _room(self) -> QRect:
        """The plane, in pixels of the widget."""
        room: QRect = self.area.box.mapRectToScene(self.area.box.rect()).toRect()
        return room.translated(self.area.mapTo(self, QPoint()))
