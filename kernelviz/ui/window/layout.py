"""The layout of the window for its size: columns, an accordion, or an icon bar."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QDockWidget

from kernelviz.ui.window.docks import UNBOUNDED, Shape, arrange, moved, placed, put, shape_for
from kernelviz.ui.window.icon_bar import IconBar
from kernelviz.ui.window.panel_dock import PanelDock
from kernelviz.ui.window.shell import Shell

PANELS = ("data", "kernel", "algorithm")


class Accordion:
    """Opens one of the panels at a time, and gives it what height there is."""

    def __init__(self, window: Shell) -> None:
        self._window = window
        self.opened = window.settings.opened  # The name of the open panel; empty: none.
        for name, dock in self._docks.items():
            dock.turned.connect(lambda on, name=name: self._open(name if on else ""))
            dock.visibilityChanged.connect(lambda _: self._share_height())

    @property
    def _docks(self) -> dict[str, PanelDock]:
        return {name: self._window.docks[name] for name in PANELS}

    def set_on(self, on: bool) -> None:
        for dock in self._docks.values():
            dock.set_folding(on and not dock.isFloating())
        self._share_height()

    def _open(self, name: str) -> None:
        self.opened = name
        self._share_height()

    def _share_height(self) -> None:
        """All of it to the open panel; if there is none the last one has the rest, empty."""
        folding = {name: dock for name, dock in self._docks.items() if dock.folds}
        there = placed(self._window, folding)
        tallest: QDockWidget | None = folding.get(self.opened)
        if tallest not in there:
            tallest = there[-1] if there else None
        # Who grows comes first: what another gives up before would go to nobody.
        for name, dock in sorted(folding.items(), key=lambda item: item[1] is not tallest):
            dock.set_open(name == self.opened, fills=dock is tallest)
        if there:
            heights = [UNBOUNDED if dock is tallest else 1 for dock in there]
            self._window.resizeDocks(there, heights, Qt.Orientation.Vertical)


SIZE = (1340, 820)
SMALLEST = QSize(420, 320)
State = tuple[Shape, QByteArray]


class Layout(QObject):
    """Arranges the panels of a window, remembers how they were left and brings that back."""

    _outgrown = Signal()  # The window has a size for which another shape is due.

    def __init__(self, window: Shell) -> None:
        super().__init__(window)
        self._window = window
        self.shape: Shape = "columns"
        self._changing = True  # Whether the panels are on their way: Qt may resize the window meanwhile.
        # Whether somebody has moved the lines between the panels; if not, they follow the window's size.
        self._by_hand = False
        # How the panels were before there was only room for the rail.
        self._with_columns: State = ("columns", QByteArray())
        self._left_by_hand = False  # Whether somebody had arranged them so.
        # In a turn of its own: while Qt lays out the window no panel may come or go.
        self._outgrown.connect(self._take_shape, Qt.ConnectionType.QueuedConnection)

    def begin(self) -> None:
        """The panels are there: put them where they belong."""
        window = self._window
        window.resize(*SIZE)
        self._lay_out()
        self._accordion = Accordion(window)
        self.rail = IconBar(window)
        window.addToolBar(Qt.ToolBarArea.LeftToolBarArea, self.rail)
        self._changing = False
        arrange(window, self.shape, self.scale)
        self._default = self.state
        self._restore()
        window.installEventFilter(self)
        window.docks["insight"].visibilityChanged.connect(self.follow_size)

    def _restore(self) -> None:
        window, settings = self._window, self._window.settings
        window.setMinimumSize(SMALLEST)
        window.insight.restore(settings.insight)
        geometry, layout = settings.geometry, settings.layout
        self._by_hand = layout is not None and settings.arranged_by_hand
        # Of a window to be maximised Qt keeps a copy of the layout it restores, and puts it into force once
        # the window has its size. What somebody arranged has its proportions by that; where panels may have
        # left by then, it would crash.
        if geometry is not None and self._by_hand:
            window.restoreGeometry(geometry)
        if layout is not None:
            self.restore(("accordion" if settings.folded else "columns", layout))
        if geometry is not None and not self._by_hand:
            window.restoreGeometry(geometry)
        self.follow_size()  # it may have been another screen

    @property
    def state(self) -> State:
        """How the panels are, to be restored."""
        return self.shape, self._window.saveState()

    def restore(self, state: State) -> None:
        """Have the panels as they were."""
        shape, layout = state
        changing, self._changing = self._changing, True
        self._dress("columns")
        self._window.restoreState(layout)
        self._dress(shape)
        self._changing = changing

    def _dress(self, shape: Shape) -> None:
        """Folding titles or the rail, as the shape has them."""
        self.shape = shape
        self._accordion.set_on(shape == "accordion")
        if self.rail.on != (shape == "rail"):
            self.rail.set_on(shape == "rail")

    def follow_size(self) -> None:
        """The window has another size, or its type."""
        window = self._window
        if self._changing or window.isFullScreen() or window.presentation.busy:
            return
        # No panel holds up a window that is made smaller: they give way.
        window.setMinimumSize(QSize(0, 0) if self._is_by_hand else SMALLEST)
        if self._due_shape != self.shape:
            if window.isVisible():
                self._outgrown.emit()
                return
            self.take(self._due_shape)
        if not self._by_hand:
            arrange(window, self.shape, self.scale)
            self.rail.place()

    def follow_type(self) -> None:
        """The type has another size. Even a layout somebody has arranged gives way before the window grows
        for it, which the screen may have no room for."""
        window, size = self._window, self._window.size()
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)  # after it panels know their size
        least = window.minimumSizeHint()
        if not window.presentation.busy and size.expandedTo(least) != size:
            self.take(shape_for(size.width() / self.scale, size.height() / self.scale))
            window.resize(size)
        self.follow_size()

    @property
    def _is_by_hand(self) -> bool:
        """Whether the layout is somebody's own, to be left alone."""
        return self._by_hand or moved(self._window, self.shape)

    @property
    def scale(self) -> float:
        """Of what holds type: in twice as large type a window is but half as large."""
        return max(1.0, self._window.presentation.scale)

    @property
    def _due_shape(self) -> Shape:
        """That for the size of the window, or for the size it is going to have."""
        window = self._window
        grows = window.isMaximized() and not window.isVisible()
        size = window.screen().availableSize() if grows else window.size()
        usual = shape_for(size.width() / self.scale, size.height() / self.scale)
        if self.shape == "rail" and usual != "rail" and self._left_by_hand:
            return self._with_columns[0]
        return self.shape if self._is_by_hand else usual

    def _take_shape(self) -> None:
        """Meanwhile the window may have its former size again, be on the stage, or closed."""
        if self._window.isVisible() and not self._window.presentation.busy:
            self.take(self._due_shape)
            self.follow_size()
            self._lay_out()

    def take(self, shape: Shape) -> None:
        """Put the panels where they belong in a shape."""
        if shape == self.shape:
            return
        self._changing = True
        if self.shape == "rail":
            self.restore(self._with_columns)
        elif shape == "rail":
            self._with_columns, self._left_by_hand = self.state, self._is_by_hand
        if shape not in ("rail", self.shape):
            put(self._window, shape)
        self._dress(shape)
        self._lay_out()
        self._changing = False
        self._window.insight.release_canvas()

    def _lay_out(self) -> None:
        """Now: sizes given to docks count only once they are laid out, and are seen only after it."""
        if (layout := self._window.layout()) is not None:
            layout.activate()

    def reset(self) -> None:
        """Every panel back to its place and the window to its first size."""
        self._window.settings.forget_window()
        self._window.insight.reset()
        self._accordion.opened = self._window.settings.opened
        self.restore(self._default)
        self._by_hand = False
        self._window.resize(*SIZE)
        self.follow_size()

    def remember(self) -> None:
        """Keep how the panels are left, for the next time."""
        window = self._window
        shape, layout = self._with_columns if self.shape == "rail" else self.state
        window.settings.opened = self._accordion.opened
        window.settings.remember_window(
            window.saveGeometry(), layout, self._is_by_hand, folded=shape == "accordion"
        )

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Watches the window. Not in its `event`: Python around that would hold up the worker, which needs
        the interpreter too, through every repaint."""
        pressed = event.type() == QEvent.Type.MouseButtonPress and self.shape != "rail"
        if pressed and isinstance(event, QMouseEvent):
            # Of the window itself only the lines between the panels are in sight.
            self._by_hand |= self._window.childAt(event.position().toPoint()) is None
        return False
