"""The layout of the window: puts everything where `arrange` says it belongs, and keeps it for the next start.

A layout that the user has arranged by hand is left alone in a window of any size. Qt's own `saveState` and
`restoreState` keep the places of the panels within a shape."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from PySide6.QtCore import QByteArray, QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QToolBar

from kernelviz.ui.insight.area import AT_FIRST
from kernelviz.ui.window.arrangement import (
    PANELS,
    Arrangement,
    Bar,
    Mode,
    Shape,
    Where,
    Wishes,
    arrange,
    homes,
    looking,
    shape_for,
    toggled,
)
from kernelviz.ui.window.shapes import Accordion, Columns, IconBar, moved, put
from kernelviz.ui.window.shell import Shell
from kernelviz.ui.workbench.settings import Settings

WINDOW_SIZE = (1340, 820)  # Of the window at the first start, in pixels.
SMALLEST_WINDOW = QSize(420, 320)


@dataclass(frozen=True, eq=False)
class DeskLayout:
    """The panels as arranged at the desk, put aside while icons, a stage or a lesson take their place."""

    shape: Shape
    state: QByteArray  # Their places and sizes, as Qt keeps them.
    by_hand: bool
    gives_way: bool = False  # To icons, although the user has arranged it.
    audience: bool = False  # True if an audience sees the views next to the canvas.


class PanelLayout(QObject):
    """Changes the window to the arrangement that `arrange` returns.

    `wish` takes a choice of the user, `follow_size` another size of the window or of its type. Another mode
    begins with `leave`, as long as the panels of the last one are in their places, and with `arrive` once the
    window is ready for its own.

    All that is remembered of the arrangement, here and elsewhere:

    - `wishes`: what the user has chosen;
    - `shown`: the arrangement on the screen; None while it is changed, when Qt may resize the window;
    - `_desk` and `_stage`: what the user has dragged, as Qt keeps it, while other panels are shown;
    - `Presentation.on`: whether that mode is wanted, `_maximised`: whether the window was so before it, and
      `_waiting`: whether the window manager may still answer;
    - `InsightArea._latest`: the slot chosen last, `_held`: whether views wait for the first picture;
    - `PanelDock._in_sight`: whether the panel is in front of others in its place."""

    _outgrown = Signal()  # The window has a size for which another shape is due.

    def __init__(self, window: Shell) -> None:
        super().__init__(window)
        self._window = window
        self.wishes = _first_wishes(window.settings)
        self.shown: Arrangement | None = None
        self._desk: DeskLayout | None = None
        self._stage: QByteArray | None = window.settings.presentation_layout
        # Queued: while Qt lays out the window no panel may come or go.
        self._outgrown.connect(self._take_shape, Qt.ConnectionType.QueuedConnection)

    def begin(self) -> None:
        """Put the panels where they belong, or where the last start left them. Called once all of them
        exist."""
        window = self._window
        window.resize(*WINDOW_SIZE)
        self._lay_out()
        self.icon_bar = IconBar(window)
        self._shapes: dict[Shape, Columns | Accordion | IconBar] = {
            "columns": Columns(window),
            "accordion": Accordion(window),
            "icons": self.icon_bar,
        }
        window.addToolBar(Qt.ToolBarArea.LeftToolBarArea, self.icon_bar)
        self._shapes["columns"].arrange(self.scale)
        self._restore()
        window.installEventFilter(self)
        for name, dock in window.docks.items():
            dock.asked.connect(partial(self.toggle, name))
        window.insight.changed.connect(self._on_views)
        self._toolbar.toggleViewAction().triggered.connect(
            lambda on: self.wish(replace(self.wishes, toolbar=on))
        )

    @property
    def may_hide_canvas(self) -> bool:
        """True if a canvas in the slot of a large view may be hidden with it, as it is during a change."""
        return self.shown is None or self.shown.may_hide_canvas

    @property
    def shape(self) -> Shape:
        """The shape of the panels that are shown."""
        return "columns" if self.shown is None else self.shown.shape

    def _restore(self) -> None:
        """Restore the layout of the last start, as far as it fits the screen."""
        window, settings = self._window, self._window.settings
        window.setMinimumSize(SMALLEST_WINDOW)
        window.insight.restore(settings.insight)
        geometry, layout = settings.geometry, settings.layout
        by_hand = layout is not None and settings.arranged_by_hand
        shape: Shape = "accordion" if layout is not None and settings.folded else "columns"
        # For a window that will be maximised Qt keeps a copy of the layout it restores, and applies it once
        # the window has its size. A layout arranged by the user needs that for its proportions; otherwise
        # panels may have been removed by then, and Qt would crash.
        if geometry is not None and by_hand:
            window.restoreGeometry(geometry)
        if layout is not None:
            window.restoreState(layout)
            self._switch(shape)
        if geometry is not None and not by_hand:
            window.restoreGeometry(geometry)
        hidden = frozenset(name for name, dock in window.docks.items() if dock.isHidden())
        self.wishes = replace(
            self.wishes,
            closed=hidden - {"insight"} if shape == "accordion" else hidden,
            drawer=shape == "accordion" and "insight" not in hidden,
            views=tuple(window.insight.shown),
            toolbar=not self._toolbar.isHidden(),
            by_hand=shape if by_hand else "",
        )
        self.shown = self._arranged(shape)
        self.follow_size()  # the screen may be another one

    def _switch(self, shape: Shape) -> None:
        """Prepare the panels for a shape."""
        for name, arrangement in self._shapes.items():
            arrangement.set_on(name == shape)

    def follow_size(self) -> None:
        """Adapt the layout to the size of the window and of its type."""
        window, shown = self._window, self.shown
        if shown is None or not shown.mode.at_the_desk or window.isFullScreen():
            return
        # Panels give way to a window that is made smaller.
        window.setMinimumSize(QSize(0, 0) if self._is_by_hand else SMALLEST_WINDOW)
        if self.due.shape != shown.shape:
            if window.isVisible():
                self._outgrown.emit()
                return
            self._take_shape()
        if not self.wishes.by_hand:
            self._shapes[self.shape].arrange(self.scale)

    def follow_audience(self) -> None:
        """Put the views next to the canvas for an audience, or back in their place."""
        if self._at_the_desk and homes(self.shape, self.mode) != self._homes:
            self.leave()
            self.arrive()

    def follow_type(self) -> None:
        """Adapt the layout to another size of the type.

        Even a layout arranged by the user gives way before the window grows, for which the screen may have no
        room."""
        window, size = self._window, self._window.size()
        QApplication.sendPostedEvents(
            None, QEvent.Type.LayoutRequest
        )  # after it panels have their size hints
        if self._at_the_desk and size.expandedTo(window.minimumSizeHint()) != size:
            shape = shape_for((size.width(), size.height()), self.scale)
            if shape == "icons":
                self.leave(gives_way=True)
                self.arrive()
            elif shape != self.shape:
                self.wishes = replace(self.wishes, by_hand="")
                self.leave()
                self._desk = None
                self.arrive()
            window.resize(size)
        self.follow_size()

    @property
    def _at_the_desk(self) -> bool:
        """True if the panels of the desk are shown."""
        return self.shown is not None and self.shown.mode.at_the_desk

    @property
    def _is_by_hand(self) -> bool:
        """True if the user has arranged the layout, which is left alone then."""
        if self._desk is not None:
            return self._desk.by_hand
        return self._at_the_desk and (
            bool(self.wishes.by_hand) or moved(self._window, self.shape, self._homes)
        )

    @property
    def _homes(self) -> dict[str, Where]:
        """The places of the shown panels."""
        return homes(self.shape, Mode() if self.shown is None else self.shown.mode)

    @property
    def mode(self) -> Mode:
        """The mode the window is in, or on its way to."""
        audience = self._window.actions_by_name["audience_window"].isChecked()
        return Mode(self._window.presentation.on, self._window.lessons.running, audience)

    @property
    def scale(self) -> float:
        """The size of the type compared with the usual, at least 1: twice the type halves the window's
        room."""
        return max(1.0, self._window.presentation.scale)

    @property
    def _size(self) -> tuple[int, int]:
        """The size that the window has or is going to have."""
        window = self._window
        grows = window.isMaximized() and not window.isVisible()
        size = window.screen().availableSize() if grows else window.size()
        return size.width(), size.height()

    @property
    def due(self) -> Arrangement:
        """The arrangement that belongs to the present size, mode and wishes."""
        by_hand = self.shape if self._desk is None else self._desk.shape
        gives_way = self._desk is not None and self._desk.gives_way
        return self._arranged(by_hand if self._is_by_hand else "", gives_way)

    def _arranged(self, by_hand: Shape | Literal[""], gives_way: bool = False) -> Arrangement:
        wishes = replace(self.wishes, by_hand=by_hand, gives_way=gives_way)
        return arrange(self._size, self.scale, self.mode, wishes)

    def _take_shape(self) -> None:
        """Take the shape that is due. Meanwhile the window may have its former size again, be in another
        mode, or closed."""
        if self._at_the_desk and self.due.shape != self.shape:
            self.leave()
            self.arrive()

    # What the user chooses --------------------------------------------------------------------------------
    def wish(self, wishes: Wishes) -> None:
        """Take a choice of the user, and show it."""
        window, shown = self._window, self.shown
        self.wishes = wishes
        window.settings.presented = sorted(wishes.presented)
        window.presentation.follow_wishes()
        if shown is not None:
            due = self._arranged(shown.shape)
            self._show(due)
            if due.shown != shown.shown:
                self._share_room()

    def toggle(self, name: str, shown: bool) -> None:
        """Show a panel, or hide it."""
        made = self.due if self.shown is None else self.shown
        self.wish(toggled(self.wishes, made, self._size, name, shown))
        if shown:
            self._window.docks[name].raise_()

    def _on_views(self) -> None:
        """Follow the choice of other views, or of another large one."""
        insight = self._window.insight
        if self.shown is not None:
            self.wish(looking(self.wishes, self.shown, tuple(insight.shown), insight.enlarged or ""))

    # From one arrangement to the next ---------------------------------------------------------------------
    def leave(self, gives_way: bool = False) -> None:
        """Keep the sizes dragged by the user, before another arrangement begins."""
        window, before = self._window, self.shown
        if before is None:
            return
        if before.mode.on_stage:
            self._stage = window.settings.presentation_layout = window.saveState()
        elif before.mode.at_the_desk and before.shape != "icons":
            state, by_hand, audience = window.saveState(), self._is_by_hand, before.mode.audience
            self._desk = DeskLayout(before.shape, state, by_hand, gives_way, audience)
        self.wishes = replace(self.wishes, over="")
        self.shown = None

    def clear(self) -> None:
        """Hide panels and bars while the window changes its size and type; a lesson keeps its own."""
        self._show_bars(frozenset())
        if not self.mode.lesson:
            for dock in self._window.docks.values():
                dock.hide()

    def arrive(self) -> None:
        """Show the arrangement, once the window has its size and type."""
        window, due, desk = self._window, self.due, self._desk
        self._show_bars(due.bars)  # first: the panels share what room they leave
        self._switch("columns")
        if not due.mode.at_the_desk:
            put(window, homes("columns", due.mode))
            if due.mode.on_stage and self._stage is not None:
                window.restoreState(self._stage)
        elif due.shape != "icons":
            same = desk is not None and (desk.by_hand or desk.audience == due.mode.audience)
            if desk is not None and desk.shape == due.shape and same:
                window.restoreState(desk.state)
            else:
                put(window, homes(due.shape, due.mode))
            self._desk = None
        self._switch(due.shape)
        self._lay_out()
        self._show(due)
        if due.mode.at_the_desk or self._stage is None:
            self._share_room()
        self._lay_out()

    def _share_room(self) -> None:
        """Give the panels that are shown their sizes."""
        if self.mode.on_stage:
            self._window.presentation.give_room()
        self.follow_size()

    def _show(self, due: Arrangement) -> None:
        """Show bars, panels and views, all in their places."""
        insight, self.shown = self._window.insight, None
        self._show_bars(due.bars)
        if not due.large and not due.mode.lesson:
            insight.shrink()  # before the canvas would be hidden with the panel
        for name, dock in sorted(self._window.docks.items(), key=lambda item: item[0] in due.shown):
            dock.setVisible(name in due.shown)
        if not due.mode.lesson:
            if tuple(insight.shown) != due.views:
                insight.restore(list(due.views))
            if due.large != (insight.enlarged or "") and (slot := insight.slot_of(due.large)) is not None:
                insight.enlarge(slot)
        self.shown = due
        insight.release_canvas()

    @property
    def _toolbar(self) -> QToolBar:
        """The commands."""
        toolbar = self._window.findChild(QToolBar, "commands")
        assert toolbar is not None
        return toolbar

    def _show_bars(self, shown: frozenset[Bar]) -> None:
        """Show these bars above and below canvas and panels, and no others."""
        window = self._window
        window.menuBar().setVisible("menu" in shown)
        self._toolbar.setVisible("toolbar" in shown)
        window.strip.setVisible("strip" in shown)

    def _lay_out(self) -> None:
        """Lay out the window now: sizes given to docks take effect only once they are laid out."""
        if (layout := self._window.layout()) is not None:
            layout.activate()

    def reset(self) -> None:
        """Put every panel back in its place and give the window its first size."""
        window = self._window
        window.settings.forget_window()
        hidden = self.wishes.hidden  # was not done by hand
        self.wish(replace(_first_wishes(window.settings), presented=frozenset(), hidden=hidden))
        self._desk = self._stage = None
        if self._at_the_desk:
            window.insight.reset()
            self.leave()
            self._desk = None
            self.arrive()
            window.resize(*WINDOW_SIZE)
            self.follow_size()

    def remember(self) -> None:
        """Keep the layout for the next start."""
        settings, desk = self._window.settings, self._desk
        if desk is not None:
            settings.layout, settings.arranged_by_hand = desk.state, desk.by_hand
            settings.folded = desk.shape == "accordion"
        settings.opened = next(iter(self.wishes.opened), "")
        settings.geometry = self._window.saveGeometry()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Notice a press on the lines between the panels.

        A filter, not the window's `event`: Python around that would delay the worker, which needs the
        interpreter too, at every repaint."""
        pressed = event.type() == QEvent.Type.MouseButtonPress and self.shape != "icons" and self._at_the_desk
        # Only the lines between the panels belong to the window itself.
        if (
            pressed
            and isinstance(event, QMouseEvent)
            and self._window.childAt(event.position().toPoint()) is None
        ):
            self.wishes = replace(self.wishes, by_hand=self.shape)
        return False


def _first_wishes(settings: Settings) -> Wishes:
    """Return the wishes that the last start has left."""
    first = settings.opened
    return Wishes(
        opened=(first, "algorithm") if first in PANELS else (),
        presented=frozenset(settings.presented) & PANELS.keys(),
        views=AT_FIRST,
    )
