"""The layout of the window: what `arrange` says is done here, and kept until the next start.

A layout that the user has arranged by hand is left alone in a window of any size. Qt's own `saveState` and
`restoreState` keep the places of the panels within a shape."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QByteArray, QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from kernelviz.ui.insight.area import AT_FIRST
from kernelviz.ui.window.arrangement import PANELS, Arrangement, Mode, Shape, Wishes, arrange, shape_for
from kernelviz.ui.window.shapes import Accordion, Columns, IconBar, moved, put
from kernelviz.ui.window.shell import Shell
from kernelviz.ui.workbench.settings import Settings

SIZE = (1340, 820)  # Of the window at the first start, in pixels.
SMALLEST = QSize(420, 320)
DESK = Mode()


@dataclass(frozen=True, eq=False)
class DeskLayout:
    """The panels as the user works with them, put aside while icons, a stage or a lesson have their place."""

    shape: Shape
    state: QByteArray  # Their places and sizes, as Qt keeps them.
    by_hand: bool
    gives_way: bool = False  # To icons, although the user has arranged it.


class PanelLayout(QObject):
    """Arranges the panels of a window, remembers how they were left and restores that.

    `follow_size` is called whenever the window or its type has another size. Another mode begins with
    `leave`, as long as the panels of the last one are in their places, and with `arrive` once the window is
    ready for its own."""

    _outgrown = Signal()  # The window has a size for which another shape is due.

    def __init__(self, window: Shell) -> None:
        super().__init__(window)
        self._window = window
        self.shape: Shape = "columns"
        self.wishes = _first_wishes(window.settings)
        # The mode whose panels are shown. None while they are moved: Qt may resize the window meanwhile.
        self._shown: Mode | None = None
        self._desk: DeskLayout | None = None
        # True once the user has moved the lines between the panels; until then they follow the window's size.
        self.by_hand = False
        # Queued: while Qt lays out the window no panel may come or go.
        self._outgrown.connect(self._take_shape, Qt.ConnectionType.QueuedConnection)

    def begin(self) -> None:
        """Put the panels where they belong, or where the last start left them. Called once all of them
        exist."""
        window = self._window
        window.resize(*SIZE)
        self._lay_out()
        self.icon_bar = IconBar(window)
        self._shapes: dict[Shape, Columns | Accordion | IconBar] = {
            "columns": Columns(window),
            "accordion": Accordion(window),
            "icons": self.icon_bar,
        }
        window.addToolBar(Qt.ToolBarArea.LeftToolBarArea, self.icon_bar)
        self._arrange()
        self._default = DeskLayout("columns", window.saveState(), by_hand=False)
        self._shown = DESK
        self._restore()
        window.installEventFilter(self)
        window.docks["insight"].visibilityChanged.connect(self.follow_size)

    def _arrange(self) -> None:
        """Give the panels the sizes of the present shape."""
        self._shapes[self.shape].arrange(self.scale)

    def _restore(self) -> None:
        """Restore what the last start has left, as far as it fits the screen."""
        window, settings = self._window, self._window.settings
        window.setMinimumSize(SMALLEST)
        window.insight.restore(settings.insight)
        geometry, layout = settings.geometry, settings.layout
        self.by_hand = layout is not None and settings.arranged_by_hand
        # For a window that will be maximised Qt keeps a copy of the layout it restores, and applies it once
        # the window has its size. A layout arranged by the user needs that for its proportions; otherwise
        # panels may have been removed by then, and Qt would crash.
        if geometry is not None and self.by_hand:
            window.restoreGeometry(geometry)
        if layout is not None:
            self._restore_panels("accordion" if settings.folded else "columns", layout)
        if geometry is not None and not self.by_hand:
            window.restoreGeometry(geometry)
        self.follow_size()  # the screen may be another one

    def _restore_panels(self, shape: Shape, state: QByteArray) -> None:
        """Restore the places of the panels in a shape."""
        shown, self._shown = self._shown, None
        self._switch("columns")
        self._window.restoreState(state)
        self._switch(shape)
        self._shown = shown

    def _switch(self, shape: Shape) -> None:
        """Prepare the panels for a shape."""
        self.shape = shape
        for name, arrangement in self._shapes.items():
            arrangement.set_on(name == shape)

    def follow_size(self) -> None:
        """Adapt the layout to the size of the window and of its type."""
        window = self._window
        if self._shown != DESK or window.isFullScreen():
            return
        # Panels give way to a window that is made smaller.
        window.setMinimumSize(QSize(0, 0) if self._is_by_hand else SMALLEST)
        if (shape := self.due.shape) != self.shape:
            if window.isVisible():
                self._outgrown.emit()
                return
            self._take(shape)
        if not self.by_hand:
            self._arrange()

    def follow_type(self) -> None:
        """Adapt the layout to another size of the type.

        Even a layout arranged by the user gives way before the window grows, for which the screen may have no
        room."""
        window, size = self._window, self._window.size()
        QApplication.sendPostedEvents(
            None, QEvent.Type.LayoutRequest
        )  # after it panels have their size hints
        least = window.minimumSizeHint()
        if self._shown == DESK and size.expandedTo(least) != size:
            self._take(shape_for((size.width(), size.height()), self.scale))
            window.resize(size)
        self.follow_size()

    @property
    def _is_by_hand(self) -> bool:
        """True if the user has arranged the layout, which is left alone then."""
        return self.by_hand or moved(self._window, self.shape) if self._desk is None else self._desk.by_hand

    @property
    def mode(self) -> Mode:
        """The mode the window is in, or on its way to."""
        return Mode(self._window.presentation.on, self._window.lessons.running)

    @property
    def scale(self) -> float:
        """The size of the type compared with the usual, at least 1: twice the type halves the window's
        room."""
        return max(1.0, self._window.presentation.scale)

    @property
    def due(self) -> Arrangement:
        """Where everything belongs, for the size that the window has or is going to have."""
        window, desk = self._window, self._desk
        grows = window.isMaximized() and not window.isVisible()
        size = window.screen().availableSize() if grows else window.size()
        shape = self.shape if desk is None else desk.shape
        wishes = replace(
            self.wishes,
            by_hand=shape if self._is_by_hand else "",
            gives_way=desk is not None and desk.gives_way,
        )
        return arrange((size.width(), size.height()), self.scale, self.mode, wishes)

    def _take_shape(self) -> None:
        """Take the shape that is due. Meanwhile the window may have its former size again, be in another
        mode, or closed."""
        if self._window.isVisible() and self._shown == DESK:
            self._take(self.due.shape)
            self.follow_size()
            self._lay_out()

    def _take(self, shape: Shape) -> None:
        """Change the desk to a shape, and put the panels where they belong in it."""
        if shape == self.shape and self._shown == DESK:
            return
        shown, self._shown = self._shown, None
        if shape == "icons":
            self._put_aside(gives_way=True)
        elif self._desk is not None:
            desk, self._desk = self._desk, None
            self._restore_panels(desk.shape, desk.state)
        if shape not in ("icons", self.shape):
            put(self._window, shape)
            self._window.docks["insight"].setVisible(shape == "columns")  # the drawer is closed at first
        self._switch(shape)
        self._lay_out()
        self._shown = shown
        self._window.insight.release_canvas()

    def _put_aside(self, gives_way: bool) -> None:
        """Keep the panels of the desk, unless they are kept already."""
        if self._desk is None:
            self._desk = DeskLayout(self.shape, self._window.saveState(), self._is_by_hand, gives_way)

    # Modes ----------------------------------------------------------------------------------------------
    def leave(self) -> None:
        """Keep what the user has made of the present mode, before another one begins."""
        shown, self._shown = self._shown, None
        insight, presentation = self._window.insight, self._window.presentation
        if shown is None or shown.lesson:  # a lesson chooses its views itself
            return
        self.wishes = replace(self.wishes, large=insight.enlarged or "")
        if shown.presenting:
            self.wishes = replace(self.wishes, presented_view=insight.shown[0])
            presentation.remember()
        else:
            self.wishes = replace(self.wishes, views=tuple(insight.shown), toolbar=presentation.has_toolbar)
            self._put_aside(gives_way=False)

    def clear(self) -> None:
        """Have all panels in columns and hidden, where a stage or a lesson takes them from."""
        self._switch("columns")
        put(self._window, "columns")
        for dock in self._window.docks.values():
            dock.hide()

    def arrive(self) -> None:
        """Arrange the panels for the mode that has begun; those of a lesson are arranged by `LessonPlace`."""
        window = self._window
        if self.mode.presenting and not self.mode.lesson:
            self.clear()
            self._show_views()
            window.presentation.show_panels()
        elif not self.mode.lesson:
            self._take(self.due.shape)
            self._show_views()
        self._shown = self.mode
        self.follow_size()

    def _show_views(self) -> None:
        """Show the insight views of the mode, and the large one in the place of the canvas."""
        insight, due = self._window.insight, self.due
        insight.restore(list(due.views))
        if (slot := insight.slot_of(due.large)) is not None:
            insight.enlarge(slot)
            insight.release_canvas()

    def _lay_out(self) -> None:
        """Lay out the window now: sizes given to docks take effect only once they are laid out."""
        if (layout := self._window.layout()) is not None:
            layout.activate()

    def reset(self) -> None:
        """Put every panel of the desk back to its place and give the window its first size."""
        window = self._window
        window.settings.forget_window()
        self.wishes = _first_wishes(window.settings)
        self.by_hand, self._desk = False, self._default
        if self._shown == DESK:
            window.insight.reset()
            self._shown = None
            self.arrive()
            window.resize(*SIZE)
            self.follow_size()

    def remember(self) -> None:
        """Keep the layout for the next start."""
        settings, desk = self._window.settings, self._desk
        assert desk is not None, "left before the window is closed"
        settings.layout, settings.arranged_by_hand = desk.state, desk.by_hand
        settings.folded = desk.shape == "accordion"
        settings.opened = next(iter(self.wishes.opened), "")
        settings.geometry = self._window.saveGeometry()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Notice a press on the lines between the panels.

        A filter, not the window's `event`: Python around that would delay the worker, which needs the
        interpreter too, at every repaint."""
        pressed = event.type() == QEvent.Type.MouseButtonPress and self.shape != "icons"
        if pressed and isinstance(event, QMouseEvent):
            # Only the lines between the panels belong to the window itself.
            self.by_hand |= self._window.childAt(event.position().toPoint()) is None
        return False


def _first_wishes(settings: Settings) -> Wishes:
    """Return the wishes that the last start has left."""
    first = settings.opened
    return Wishes(
        opened=(first, "algorithm") if first in PANELS else (),
        presented=frozenset(settings.presented) & PANELS.keys(),
        views=AT_FIRST,
    )
