"""The three shapes of the window: columns around the canvas, one column that folds, and a bar of icons.

All of them share one mechanism: `set_on` prepares the panels for the shape or undoes that, `arrange` gives
them their sizes for the present size of the window and of its type."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent, QShortcut
from PySide6.QtWidgets import QDockWidget, QToolBar, QWidget

from kernelviz.scene.icons import icon
from kernelviz.ui.sidebar.panel import Panel
from kernelviz.ui.window.arrangement import Shape, Where, closing, column_heights, fold, homes, opening
from kernelviz.ui.window.docks import AREAS, PANEL_WIDTH, PanelDock, placed
from kernelviz.ui.window.shell import Shell

SHADOW = 10  # The width of the shadow of a panel over the canvas, in pixels.


def put(window: Shell, home: Mapping[str, Where]) -> None:
    """Put the panels of the window where they belong."""
    for name, where in home.items():
        if where in AREAS:
            window.docks[name].setFloating(False)
            window.addDockWidget(AREAS[where], window.docks[name])


def moved(window: Shell, shape: Shape, home: Mapping[str, Where]) -> bool:
    """Return True if a panel is not where it was put."""
    return shape != "icons" and any(
        window.docks[name].isFloating() or window.dockWidgetArea(window.docks[name]) != AREAS[where]
        for name, where in home.items()
    )


class Columns:
    """Panels on both sides of the canvas, all of them open."""

    def __init__(self, window: Shell) -> None:
        self._window = window

    def set_on(self, on: bool) -> None:
        """Panels are in columns unless another shape takes them."""

    def arrange(self, scale: float) -> None:
        """Share out each column."""
        _set_widths(self._window, scale)
        for side in ("left", "right"):
            column = [self._window.docks[name] for name, where in homes("columns").items() if where == side]
            if there := placed(self._window, column):
                _set_heights(self._window, there, column_heights(side, _height(there)))


class Accordion:
    """One column of panels that fold to lines: `fold` says which are open."""

    def __init__(self, window: Shell) -> None:
        self._window = window
        self._docks = {name: dock for name, dock in window.docks.items() if name != "insight"}
        for name, dock in self._docks.items():
            dock.turned.connect(lambda on, name=name: self._turn(name, on))
            dock.visibilityChanged.connect(lambda _: self._share_height())
            panel = dock.widget()
            assert isinstance(panel, Panel)
            panel.reshaped.connect(lambda name=name: self._follow_content(name))

    def _follow_content(self, name: str) -> None:
        """Share the height out again when the open panel needs another one, for example for a formula."""
        arrangement = self._window.arrangement
        if name in arrangement.wishes.opened[:1] and not arrangement.wishes.by_hand:
            self._share_height()

    def set_on(self, on: bool) -> None:
        """Let the panels fold, or show them whole."""
        for dock in self._docks.values():
            dock.set_folding(on and not dock.isFloating())
        self._share_height()

    def arrange(self, scale: float) -> None:
        """Set the widths, the height of the drawer and those of the panels."""
        _set_widths(self._window, scale)
        if drawer := placed(self._window, [self._window.docks["insight"]]):
            _set_heights(self._window, drawer, {"insight": round(scale * 240)})
        self._share_height()

    def _turn(self, name: str, on: bool) -> None:
        """Open a panel, or close it."""
        arrangement = self._window.arrangement
        arrangement.wishes = (opening if on else closing)(arrangement.wishes, name)
        self._share_height()

    def _share_height(self) -> None:
        """Open and close the panels, depending on the room."""
        window = self._window
        folding = {name: dock for name, dock in self._docks.items() if dock.folds}
        there = placed(window, folding.values())
        if not there:
            return
        made = fold(
            [dock.objectName() for dock in there],
            window.arrangement.wishes.opened,
            _height(there),
            max(dock.line_height for dock in there),
            lambda name: folding[name].needed_height,
            window.arrangement.scale,
        )
        # The one that grows comes first: what another gives up before that would be left over.
        for name, dock in sorted(folding.items(), key=lambda item: made.most.get(item[0], 0) is not None):
            dock.set_open(name in made.opened, made.most.get(name, 0))
        _set_heights(window, there, made.heights)


def _set_widths(window: Shell, scale: float) -> None:
    """Give all columns their width."""
    there = placed(window, window.docks.values())
    window.resizeDocks(there, [round(scale * PANEL_WIDTH)] * len(there), Qt.Orientation.Horizontal)


def _set_heights(window: Shell, docks: list[PanelDock], heights: Mapping[str, int]) -> None:
    """Give panels of one column these heights."""
    window.resizeDocks(docks, [heights[dock.objectName()] for dock in docks], Qt.Orientation.Vertical)


def _height(column: list[PanelDock]) -> int:
    """Return the height of a column."""
    return max(dock.geometry().bottom() for dock in column) - min(dock.y() for dock in column)


class ClickCatcher(QWidget):
    """Covers the canvas while a panel is over it: a click next to the panel closes it and does
    nothing else."""

    pressed = Signal()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Report the press, and keep it from the canvas."""
        self.pressed.emit()


class PanelShadow(QWidget):
    """The border and the shadow of a panel over the canvas; transparent for the mouse."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def surround(self, panel: QWidget) -> None:
        """Show the shadow of a panel."""
        self.setGeometry(panel.geometry().adjusted(0, 0, SHADOW, SHADOW))
        self.stackUnder(panel)
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the border, and around it lines that become lighter."""
        painter = QPainter(self)
        around = self.rect().adjusted(-1, -1, -SHADOW, -SHADOW)
        painter.setPen(self.palette().mid().color())
        painter.drawRect(around)
        darkest = 60  # The opacity of that shadow at the panel's edge, of 255.
        for k in range(1, SHADOW):
            painter.setPen(QColor(0, 0, 0, darkest * (SHADOW - k) ** 2 // SHADOW**2))
            painter.drawRect(around.adjusted(0, 0, k, k))


class IconBar(QToolBar):
    """In a small window: an icon for each panel, which opens it over the canvas, one at a time.

    The panels are taken out of Qt's layout and placed by hand, so that opening one does not change the size
    of the canvas. A click next to the panel, or Escape, closes it."""

    def __init__(self, window: Shell) -> None:
        super().__init__("Panels", window)
        self.setObjectName("rail")  # as saved layouts call it
        self.setMovable(False)
        self.toggleViewAction().setVisible(False)  # the size of the window decides
        self._window = window
        centre = window.centralWidget()
        assert centre is not None
        self._centre = centre
        self._catcher = ClickCatcher(centre)
        self._catcher.hide()
        self._catcher.pressed.connect(self.shut)
        self._shadow = PanelShadow(window)
        self._escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), centre)
        self._escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self._escape.setEnabled(False)
        self._escape.activated.connect(self.shut)
        for name, dock in window.docks.items():
            action = dock.toggleViewAction()
            action.setIcon(icon(name))
            self.addAction(action)
            dock.visibilityChanged.connect(lambda shown, dock=dock: self._on_visible(dock, shown))
            if isinstance(panel := dock.widget(), Panel):
                panel.reshaped.connect(lambda: self.arrange(window.arrangement.scale))
        self.hide()

    @property
    def on(self) -> bool:
        """True if the panels are taken out of the columns."""
        return not self.isHidden()

    def set_on(self, on: bool) -> None:
        """Take the panels out of the columns, or let them be put there again."""
        if on == self.on:
            return
        feature = QDockWidget.DockWidgetFeature
        movable = feature.DockWidgetMovable | feature.DockWidgetFloatable
        for dock in self._window.docks.values():
            if on:
                dock.hide()
                self._window.removeDockWidget(dock)
                dock.setFeatures(feature.DockWidgetClosable)
                dock.installEventFilter(self)
            else:
                dock.setFeatures(feature.DockWidgetClosable | movable)
                dock.removeEventFilter(self)
        self.setVisible(on)  # last: there is no room for it as long as the columns are there
        self._uncover()

    @property
    def opened(self) -> PanelDock | None:
        """The panel over the canvas."""
        return next((dock for dock in self._window.docks.values() if self.on and not dock.isHidden()), None)

    def shut(self) -> bool:
        """Close the panel over the canvas; return True if there was one."""
        dock = self.opened
        if dock is not None:
            self._window.arrangement.toggle(dock.objectName(), False)
            self._window.take_keyboard()
        return dock is not None

    def arrange(self, scale: float) -> None:
        """Put the open panel, if there is one, next to the icons, as high as it needs to be."""
        dock = self.opened
        if dock is None:
            return
        room, panel = self._centre.geometry(), dock.widget()
        wide_panel = 420  # The width of the insight views over the canvas.
        width, height = min(round(scale * wide_panel), room.width()), room.height()
        if isinstance(panel, Panel):
            width = min(round(scale * PANEL_WIDTH), room.width())
            title = dock.height() - panel.height() if dock.isVisible() else 0
            height = min(height, title + panel.height_for(width))
        dock.setGeometry(room.x(), room.y(), width, height)
        self._shadow.surround(dock)
        self._catcher.setGeometry(self._window.stage.geometry())

    def _on_visible(self, dock: PanelDock, visible: bool) -> None:
        """Show one panel at a time, over the canvas."""
        if not self.on:
            return
        if visible:
            self.arrange(self._window.arrangement.scale)
            dock.raise_()
        self._uncover()

    def _uncover(self) -> None:
        """Hide catcher and shadow unless a panel is open."""
        covered = self.opened is not None
        self._catcher.setVisible(covered)
        self._shadow.setVisible(covered)
        self._catcher.raise_()
        self._escape.setEnabled(covered)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close a panel on Escape pressed in it."""
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        return event.key() == Qt.Key.Key_Escape and self.shut()
