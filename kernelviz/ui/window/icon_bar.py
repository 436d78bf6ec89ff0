"""In a small window: a rail of icons, each of which opens its panel over the canvas."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent, QShortcut
from PySide6.QtWidgets import QDockWidget, QToolBar, QWidget

from kernelviz.drawing.icons import icon
from kernelviz.ui.sidebar.panel import Panel
from kernelviz.ui.window.docks import WIDTH
from kernelviz.ui.window.panel_dock import PanelDock
from kernelviz.ui.window.shell import Shell

WIDE = 420  # Width of an insight view, in type of the usual size.
SHADOW, DARKEST = 10, 60  # Pixels, and how little of what is below shines through at its edge.


class ClickCatcher(QWidget):
    """Over the canvas while a panel is: a click beside the panel closes it, and does nothing else."""

    pressed = Signal()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.pressed.emit()


class PanelShadow(QWidget):
    """The border of a panel over the canvas, and its shadow; to the mouse it is not there."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def surround(self, panel: QWidget) -> None:
        self.setGeometry(panel.geometry().adjusted(0, 0, SHADOW, SHADOW))
        self.stackUnder(panel)
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        around = self.rect().adjusted(-1, -1, -SHADOW, -SHADOW)
        painter.setPen(self.palette().mid().color())
        painter.drawRect(around)
        for k in range(1, SHADOW):
            painter.setPen(QColor(0, 0, 0, DARKEST * (SHADOW - k) ** 2 // SHADOW**2))
            painter.drawRect(around.adjusted(0, 0, k, k))


class IconBar(QToolBar):
    """One icon for each panel. A panel that is shown lies over the canvas, one at a time."""

    def __init__(self, window: Shell) -> None:
        super().__init__("Rail", window)
        self.setObjectName("rail")
        self.setMovable(False)
        self.toggleViewAction().setVisible(False)  # it is there when the window is small
        self._window = window
        self.on = False
        centre = window.centralWidget()
        assert centre is not None
        self._centre = centre
        self._veil = ClickCatcher(centre)
        self._veil.hide()
        self._veil.pressed.connect(self.shut)
        self._edge = PanelShadow(window)
        self._escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), centre)
        self._escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self._escape.setEnabled(False)
        self._escape.activated.connect(self.shut)
        for name, dock in window.docks.items():
            action = dock.toggleViewAction()
            action.setIcon(icon(name))
            self.addAction(action)
            dock.visibilityChanged.connect(lambda shown, dock=dock: self._on_visible(dock, shown))
        window.insight.grown.connect(self.shut)  # or it would cover the enlarged view
        self.hide()

    def set_on(self, on: bool) -> None:
        """Take the panels out of the columns; whoever wants them back adds them again."""
        self.on = on
        feature = QDockWidget.DockWidgetFeature
        movable = feature.DockWidgetMovable | feature.DockWidgetFloatable
        for dock in self._window.docks.values():
            panel = dock.widget()
            watched = (dock, panel.content) if isinstance(panel, Panel) else (dock,)
            if on:
                dock.hide()
                self._window.removeDockWidget(dock)
                dock.setFeatures(feature.DockWidgetClosable)
                for part in watched:
                    part.installEventFilter(self)
            else:
                dock.setFeatures(feature.DockWidgetClosable | movable)
                for part in watched:
                    part.removeEventFilter(self)
        self.setVisible(on)  # last: beside the columns there is no room for it
        self._uncover()

    @property
    def opened(self) -> PanelDock | None:
        """The panel over the canvas."""
        return next((dock for dock in self._window.docks.values() if self.on and not dock.isHidden()), None)

    def shut(self) -> bool:
        """Close the panel over the canvas; whether there was one."""
        dock = self.opened
        if dock is not None:
            dock.hide()
            self._window.take_keyboard()
        return dock is not None

    def place(self) -> None:
        """Have the open panel, or none, where it belongs: at the rail, as high as it needs to be."""
        dock = self.opened
        if dock is None:
            return
        room, panel, scale = self._centre.geometry(), dock.widget(), self._window.arrangement.scale
        width, height = min(round(scale * WIDE), room.width()), room.height()
        if isinstance(panel, Panel):
            width = min(round(scale * WIDTH), room.width())
            title = dock.height() - panel.height() if dock.isVisible() else 0
            height = min(height, title + panel.height_for(width))
        dock.setGeometry(room.x(), room.y(), width, height)
        self._edge.surround(dock)
        self._veil.setGeometry(self._window.stage.geometry())

    def _on_visible(self, dock: PanelDock, visible: bool) -> None:
        if not self.on:
            return
        if visible:
            for other in self._window.docks.values():
                if other is not dock:
                    other.hide()
            self.place()
            dock.raise_()
        self._uncover()

    def _uncover(self) -> None:
        """What is not covered by a panel is in nobody's way."""
        covered = self.opened is not None
        self._veil.setVisible(covered)
        self._edge.setVisible(covered)
        self._veil.raise_()
        self._escape.setEnabled(covered)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Escape from within a panel; a panel that needs to be of another height."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.place()
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        return event.key() == Qt.Key.Key_Escape and self.shut()
