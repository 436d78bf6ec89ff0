"""The layout of the window: its shape for its size, kept until the next start.

The size of the window, divided by the size of the type, decides on one of the three shapes of `shapes`. A
layout that the user has arranged by hand is left alone in a window of any size. Qt's own `saveState` and
`restoreState` keep the places of the panels within a shape."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from kernelviz.ui.window.shapes import Accordion, Arrangement, Columns, IconBar, Shape, moved, put, shape_for
from kernelviz.ui.window.shell import Shell

SIZE = (1340, 820)  # Of the window at the first start, in pixels.
SMALLEST = QSize(420, 320)
State = tuple[Shape, QByteArray]


class Layout(QObject):
    """Arranges the panels of a window, remembers how they were left and restores that.

    `follow_size` is called whenever the window or its type has another size; `take` changes the shape. Once
    the user has moved a panel or a line between two of them, the layout is left as it is."""

    _outgrown = Signal()  # The window has a size for which another shape is due.

    def __init__(self, window: Shell) -> None:
        super().__init__(window)
        self._window = window
        self.shape: Shape = "columns"
        self._changing = True  # True while panels are being moved: Qt may resize the window meanwhile.
        # True once the user has moved the lines between the panels; until then they follow the window's size.
        self.by_hand = False
        self._before_icons: State = ("columns", QByteArray())  # What is restored when the window grows again.
        self._by_hand_before_icons = False
        # Queued: while Qt lays out the window no panel may come or go.
        self._outgrown.connect(self._take_shape, Qt.ConnectionType.QueuedConnection)

    def begin(self) -> None:
        """Put the panels where they belong, or where the last start left them. Called once all of them
        exist."""
        window = self._window
        window.resize(*SIZE)
        self._lay_out()
        self._accordion = Accordion(window)
        self.icon_bar = IconBar(window)
        self._shapes: dict[Shape, Arrangement] = {
            "columns": Columns(window),
            "accordion": self._accordion,
            "icons": self.icon_bar,
        }
        window.addToolBar(Qt.ToolBarArea.LeftToolBarArea, self.icon_bar)
        self._changing = False
        self._arrange()
        self._default = self.state
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
            self.restore(("accordion" if settings.folded else "columns", layout))
        if geometry is not None and not self.by_hand:
            window.restoreGeometry(geometry)
        self.follow_size()  # the screen may be another one

    @property
    def state(self) -> State:
        """The shape and the places of the panels, to be restored."""
        return self.shape, self._window.saveState()

    def restore(self, state: State) -> None:
        """Restore shape and places of the panels."""
        shape, layout = state
        changing, self._changing = self._changing, True
        self._switch("columns")
        self._window.restoreState(layout)
        self._switch(shape)
        self._changing = changing

    def _switch(self, shape: Shape) -> None:
        """Prepare the panels for a shape."""
        self.shape = shape
        for name, arrangement in self._shapes.items():
            arrangement.set_on(name == shape)

    def follow_size(self) -> None:
        """Adapt the layout to the size of the window and of its type."""
        window = self._window
        if self._changing or window.isFullScreen() or window.presentation.busy or window.lessons.running:
            return
        # Panels give way to a window that is made smaller.
        window.setMinimumSize(QSize(0, 0) if self._is_by_hand else SMALLEST)
        if self._due_shape != self.shape:
            if window.isVisible():
                self._outgrown.emit()
                return
            self.take(self._due_shape)
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
        if not window.presentation.busy and size.expandedTo(least) != size:
            self.take(shape_for(size.width() / self.scale, size.height() / self.scale))
            window.resize(size)
        self.follow_size()

    @property
    def _is_by_hand(self) -> bool:
        """True if the user has arranged the layout, which is left alone then."""
        return self.by_hand or moved(self._window, self.shape)

    @property
    def scale(self) -> float:
        """The size of the type compared with the usual, at least 1: twice the type halves the window's
        room."""
        return max(1.0, self._window.presentation.scale)

    @property
    def _due_shape(self) -> Shape:
        """The shape for the size the window has, or is going to have."""
        window = self._window
        grows = window.isMaximized() and not window.isVisible()
        size = window.screen().availableSize() if grows else window.size()
        usual = shape_for(size.width() / self.scale, size.height() / self.scale)
        if self.shape == "icons" and usual != "icons" and self._by_hand_before_icons:
            return self._before_icons[0]
        return self.shape if self._is_by_hand else usual

    def _take_shape(self) -> None:
        """Take the shape that is due. Meanwhile the window may have its former size again, be in presentation
        mode, or closed."""
        if self._window.isVisible() and not self._window.presentation.busy:
            self.take(self._due_shape)
            self.follow_size()
            self._lay_out()

    def take(self, shape: Shape) -> None:
        """Change to a shape and put the panels where they belong in it."""
        if shape == self.shape:
            return
        self._changing = True
        if self.shape == "icons":
            self.restore(self._before_icons)
        elif shape == "icons":
            self._before_icons, self._by_hand_before_icons = self.state, self._is_by_hand
        if shape not in ("icons", self.shape):
            put(self._window, shape)
        self._switch(shape)
        self._lay_out()
        self._changing = False
        self._window.insight.release_canvas()

    def _lay_out(self) -> None:
        """Lay out the window now: sizes given to docks take effect only once they are laid out."""
        if (layout := self._window.layout()) is not None:
            layout.activate()

    def reset(self) -> None:
        """Put every panel back to its place and give the window its first size."""
        self._window.settings.forget_window()
        self._window.insight.reset()
        self._accordion.opened = self._window.settings.opened
        self.restore(self._default)
        self.by_hand = False
        self._window.resize(*SIZE)
        self.follow_size()

    def remember(self) -> None:
        """Keep the layout for the next start."""
        settings = self._window.settings
        shape, settings.layout = self._before_icons if self.shape == "icons" else self.state
        settings.opened = self._accordion.opened
        settings.geometry = self._window.saveGeometry()
        settings.arranged_by_hand, settings.folded = self._is_by_hand, shape == "accordion"

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Notice a press on the lines between the panels.

        A filter, not the window's `event`: Python around that would delay the worker, which needs the
        interpreter too, at every repaint."""
        pressed = event.type() == QEvent.Type.MouseButtonPress and self.shape != "icons"
        if pressed and isinstance(event, QMouseEvent):
            # Only the lines between the panels belong to the window itself.
            self.by_hand |= self._window.childAt(event.position().toPoint()) is None
        return False
