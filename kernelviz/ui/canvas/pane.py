"""A canvas with two axes: the plotting area, the scene in it, the mouse on it, and which part is seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QPoint, QRect, QSizeF, Qt, Signal
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu, QWidget

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.params import Declared
from kernelviz.runtime.messages import Failure, Frame
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.transform import widened
from kernelviz.scene.theme import Theme
from kernelviz.scene.workspace_painter import Decoration
from kernelviz.session.state import State
from kernelviz.session.view import ViewRange, sane, zoomed
from kernelviz.session.workspaces.base import Workspace
from kernelviz.ui.canvas.area import PlotArea
from kernelviz.ui.canvas.banner import Advice, advice_on_aspect, advice_on_bumps, advice_on_others
from kernelviz.ui.canvas.base import Canvas
from kernelviz.ui.canvas.gestures import Spot, Tool
from kernelviz.ui.canvas.limits import LimitsDialog
from kernelviz.ui.canvas.pointer import Pointer
from kernelviz.ui.canvas.scene import GRACE, CanvasScene, Pulse
from kernelviz.ui.canvas.tools import TOOLS
from kernelviz.ui.workbench.workbench import Workbench

BESIDE = 10.0  # Pixels between a point and its duplicate.


class Pane(Canvas):
    """Shows the points of one fit where their workspace puts them, and lets tools work on them.

    A pane may follow a leader: it shows another fit of the same data, in a plane of the same size, and the
    same part of it."""

    kinds_of_tools = TOOLS
    tool_changed = Signal(str)

    def __init__(
        self,
        workbench: Workbench,
        theme: Theme | None = None,
        workspace: Workspace | None = None,
        leader: Pane | None = None,
    ) -> None:
        super().__init__(workbench, theme, workspace, leader)
        self.leader = leader
        self.area = PlotArea(self)
        self.scene = CanvasScene(self.area, self.decorate, None if leader else self.explained)
        self.pulse = Pulse(self)
        self._resting = False
        look = workbench.session.look
        self.area.set_equal_units("equal_aspect" in look.shown)
        self.area.look_at(sane(look.limits or look.view))
        self.pointer = Pointer(self.scene, self.editor, self.look_at, self.pulse, self.kinds_of_tools)
        area, pointer = self.area, self.pointer
        area.pressed.connect(self._on_press)
        area.pressed_outside.connect(self._on_press_outside)
        area.moved.connect(pointer.move)
        area.released.connect(pointer.release)
        area.left.connect(self._on_leave)
        area.wheeled.connect(pointer.zoom)
        area.resized.connect(self._on_resized)
        self.pulse.beat.connect(self._on_beat)
        workbench.hovered.connect(self._on_hovered)

    # Several fits --------------------------------------------------------------------------------------
    @property
    def panes(self) -> Sequence[Pane]:
        """Return all panes of its data, itself first."""
        return [self]

    def explained(self) -> list[Decoration[Any]]:
        """Return the fits that the legend of the first pane explains: all that are seen."""
        decoration = self.scene.decoration
        return [] if decoration is None else [decoration]

    def show_fit(self, fit: int | None, resting: bool = False) -> None:
        """Show one of several fits, None for whichever is active; or rest."""
        woken, self._resting = self._resting and not resting, resting
        if woken or fit != self.fit:
            self.fit = fit
            if woken:
                self.catch_up()
            elif self.frame is None:
                self.show_no_fit()
            self.show_latest()

    def flip(self, on: bool) -> None:
        """Show the next of several fits where there is room for only one, until it is called with False."""

    def _on_press(self, spot: Spot) -> None:
        if self.fit is not None:
            self.workbench.session.activate(self.fit)
        on_legend = self.scene.card.contains(spot.column, spot.row)
        if spot.button == "right" and on_legend and self.pointer.point_at(spot) is None:
            self.area.let_go()
            self.legend_menu().popup(QCursor.pos())
        else:
            self.pointer.press(spot)

    def _on_press_outside(self, spot: Spot) -> None:
        if spot.button == "right" and self.area.row_below and spot.row > self.area.pixels[1]:
            self.legend_menu().popup(QCursor.pos())

    @property
    def in_front(self) -> bool:
        return not self._resting and super().in_front

    def wants(self, answer: Frame | Failure) -> bool:
        return not self._resting and super().wants(answer)

    # The view ------------------------------------------------------------------------------------------
    def look_at(self, view: ViewRange) -> None:
        """Show a part of the plane, or a little more where equal units ask for it."""
        if self.leader is not None:
            self.leader.look_at(view)
            return
        self.area.look_at(sane(view))
        self.refit()

    def follow(self, old: State | None, new: State) -> None:
        """Show the view of the session if something else than this canvas has changed it."""
        equal, limits = "equal_aspect" in new.look.shown, new.look.limits
        self.area.set_equal_units(equal)
        if old is None or new.look.view not in (old.look.view, self.area.view):
            self.look_at(limits or new.look.view)
        elif limits is not None and limits != old.look.limits and sane(limits) != self.area.asked:
            self.look_at(limits)
        elif equal != ("equal_aspect" in old.look.shown):
            self.refit()

    def write_view(self) -> None:
        """Tell the session which part is seen, so that the worker computes it."""
        session, view = self.workbench.session, self.area.view
        limits = session.look.limits
        if limits is not None and sane(limits) != self.area.asked:
            limits = None
        if (view, limits) != (session.look.view, session.look.limits) and min(self.area.pixels) >= 1:
            session.adjust(view=view, limits=limits)

    def refit(self, *, resized: bool = False) -> None:
        """Lay out the axes for the view and the size, and draw everything again."""
        if self.leader is None:
            self.area.lay_out(afresh=resized)
        else:
            # A copy to the last bit, so that a backdrop painted for one serves all: pyqtgraph's links of
            # axes align views by their places on the screen, which rounds.
            self.area.set_equal_units(False)
            self.area.lay_out(afresh=resized, like=self.leader.area)
            self.area.look_at(self.leader.area.view)
        self.scene.refit(resized=resized)
        self.area.viewport().update()
        self.pulse.ask()
        for pane in self.panes[1:]:
            pane.refit(resized=resized)

    def settle_legend(self) -> None:
        """Have the legend cover no points: the plane makes room for it below, or takes that back."""
        if self.leader is not None:
            return
        width, height = self.area.pixels
        height += self.area.row_below
        if width >= 1 and height >= 1:
            equal = "equal_aspect" in self.workbench.session.look.shown
            view = widened(self.area.asked, width / height) if equal else self.area.asked
            if self.scene.settle_legend(view, QSizeF(width, height)):
                self.refit(resized=True)

    def legend_menu(self) -> QMenu:
        """Return the menu of the legend, to be shown at the mouse."""
        session, menu = self.workbench.session, QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        pin = menu.addAction("Pin the legend here")
        pin.setCheckable(True)
        pin.setChecked(session.look.legend is not None)
        pin.toggled.connect(lambda on: session.adjust(legend=self.scene.legend.place if on else None))
        menu.addAction("Hide the legend").triggered.connect(lambda: session.toggle("legend"))
        return menu

    def reset_view(self) -> None:
        self.look_at(self.workspace.extent(self.editor.data))
        self.scene.unsettle_legend()

    def set_limits(self) -> None:
        session, unit = self.workbench.session, self.area.unit
        axes = self.workspace.axes(session.document.data)
        dialog = LimitsDialog((session.look.limits or session.look.view).times(unit), axes, self)
        if dialog.exec():
            session.adjust(limits=dialog.chosen.times(1.0 / unit))
        dialog.deleteLater()

    def zoom_by(self, factor: float) -> None:
        """Enlarge around the middle."""
        self.look_at(zoomed(self.area.view, factor, *self.middle))

    @property
    def middle(self) -> tuple[float, float]:
        """Return the place in the middle of the view."""
        view = self.area.view
        return (view.left + view.right) / 2, (view.bottom + view.top) / 2

    def units(self, pixels: float) -> Array:
        """Return (dx, dy): so many pixels to the right and up, in units of the axes."""
        return self.area.units(pixels)

    @property
    def beside(self) -> Array:
        return self.units(BESIDE) * (1, -1)

    @property
    def drawn(self) -> QWidget:
        return self.area

    # Tools ---------------------------------------------------------------------------------------------
    @property
    def tools(self) -> dict[str, Tool]:
        return self.pointer.tools

    @property
    def tool(self) -> Tool:
        return self.pointer.tool

    def use(self, name: str) -> None:
        """Take up the tool of that name."""
        if self.leader is not None:
            self.leader.use(name)
            return
        for pane in self.panes:
            pane.pointer.use(name)
        self.tool_changed.emit(name)

    def set_options(self, name: str, options: Declared) -> None:
        """Change how the tool of that name works."""
        for pane in self.panes:
            pane.tools[name].options = options

    # What keys do --------------------------------------------------------------------------------------
    def add_in_the_middle(self, label: int) -> None:
        """Add a point where the view is centred, selected and ready to be moved by the arrow keys."""
        row = self.editor.add(*self.middle, label)
        if row is not None:
            self.editor.select([row])

    def type_point(self) -> None:
        """Have the coordinates of the point under the mouse, or of the selected one, typed."""
        self.coordinates_wanted.emit()

    def select_next(self, step: int) -> bool:
        """Select the point after the selected one; return False past the last, with nothing selected then."""
        selection, n = self.editor.selection, self.editor.data.n
        start = -1 if step > 0 else n
        row = (selection[-1 if step > 0 else 0] if selection else start) + step
        inside = 0 <= row < n
        self.editor.select([row] if inside else ())
        return inside

    def escape(self) -> bool:
        """Cancel the gesture under way, or else clear the selection; return True if there was any."""
        if self.pointer.cancel():
            return True
        selected = bool(self.editor.selection)
        self.editor.select(())
        return selected

    # What is drawn -------------------------------------------------------------------------------------
    def show_data(self, data: Data) -> None:
        """Show the points of the document, before they are fitted."""
        self.scene.show_data(data)

    def show_held_out(self, data: Data | None) -> None:
        """Show the points that are not fitted."""
        self.scene.show_held_out(data)

    def show_decoration(self, decoration: Decoration[Any] | None) -> None:
        """Show a fit; None shows points alone."""
        self.scene.show_decoration(decoration)

    def show_state(self, state: State) -> None:
        self.show_data(state.document.data)
        self.show_held_out(self.editor.held_out)
        self.scene.show_look(state.look)
        self.refit(resized=True)

    def catch_up(self) -> None:
        super().catch_up()
        self.follow(None, self.workbench.session.state)

    def show_change(self, old: State, new: State) -> None:
        if old.document.data is not new.document.data:
            if not self.pointer.acting:
                self.pointer.drop()
            self.show_data(new.document.data)
            if new.document.source and new.document.source != old.document.source:
                self.scene.unsettle_legend()
        if old.document.held_out is not new.document.held_out:
            self.show_held_out(self.editor.held_out)
        self.scene.show_look(new.look)
        if self.leader is None:
            self.follow(old, new)
        self.pulse.ask(GRACE if old.document is not new.document else 0.0)

    def show_frame(self, frame: Frame) -> None:
        self.show_decoration(frame.decoration or self.decorate(frame))
        if self.leader is not None:
            self.leader.scene.touch_legend()
            self.leader.pulse.ask()
        if self.pulse.rested:
            self.pulse.now()  # panels can wait, the eye is here
        else:
            self.pulse.ask()

    def show_no_fit(self) -> None:
        self.show_decoration(None)
        self.pulse.ask()

    def advice_on_view(self, frame: Frame) -> Advice | None:
        latest = self.workbench.latest
        others = (answer for fit, answer in sorted(latest.items()) if fit != frame.fit)
        unseen = [answer for answer in others if isinstance(answer, Failure)]
        if self.workspace.lays_over and (advice := advice_on_others(unseen)):
            return advice
        shown = self.workbench.session.look.shown
        if "bumps" in shown & set(self.workspace.toggles) and (advice := advice_on_bumps(frame.model)):
            return advice
        return advice_on_aspect(self.workspace, frame.data) if "equal_aspect" in shown else None

    # What happens --------------------------------------------------------------------------------------
    def _on_beat(self) -> None:
        if not self.in_front:
            return
        hovering = self.pointer.beat()
        if hovering is not None:
            self._hover(hovering)
        if self.leader is None:
            self.write_view()
        self.scene.flush()
        if not self.pointer.busy:
            self.settle_legend()
        if self.banner.isVisible():
            self.place_words()  # the legend may have changed

    def _hover(self, spot: Spot) -> None:
        point = self.pointer.point_at(spot)
        self.pointer.show_hovered(spot, point)
        self.workbench.hover(point)
        self.pointed.emit(spot.x, spot.y)

    def _on_hovered(self, point: int | None) -> None:
        pair = (point, self.workbench.hovered_partner)
        self.scene.highlighted = tuple(i for i in pair if i is not None)
        self.scene.touch_hand()
        self.pulse.ask()

    def _on_leave(self) -> None:
        self.pointer.leave()
        if not self.pointer.busy:
            self.workbench.hover(None)
            self.left.emit()

    # The look ------------------------------------------------------------------------------------------
    def restyle(self, style: Style) -> None:
        self.scene.set_style(style)
        self._on_resized()

    def _on_resized(self) -> None:
        self.refit(resized=True)
        self.place_words()

    @property
    def room(self) -> tuple[QRect, QRect]:
        box = self.area.box.mapRectToScene(self.area.box.rect()).toRect()
        box.translate(self.area.mapTo(self, QPoint()))
        return box, self.scene.card.toAlignedRect().translated(box.topLeft())
