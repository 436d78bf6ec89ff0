"""The panels of the window, with their places, titles and keys.

Another panel is one line in DOCKS, and one in PANELS with its place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QCloseEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QWidget

from kernelviz.scene.icons import icon
from kernelviz.ui.insight.area import InsightArea
from kernelviz.ui.insight.views import VIEWS
from kernelviz.ui.sidebar.algorithm_panel import AlgorithmPanel
from kernelviz.ui.sidebar.data_panel import DataPanel
from kernelviz.ui.sidebar.kernel_panel import KernelPanel
from kernelviz.ui.sidebar.panel import Panel, PanelSummary
from kernelviz.ui.widgets.buttons import ToolButton
from kernelviz.ui.widgets.labels import Label, describe
from kernelviz.ui.widgets.layouts import row
from kernelviz.ui.window.arrangement import Where, homes
from kernelviz.ui.workbench.workbench import Workbench

AREAS: dict[Where, Qt.DockWidgetArea] = {
    "left": Qt.DockWidgetArea.LeftDockWidgetArea,
    "right": Qt.DockWidgetArea.RightDockWidgetArea,
    "below": Qt.DockWidgetArea.BottomDockWidgetArea,
}
PANEL_WIDTH = 310  # Of a panel, in pixels for type of the usual size.


@dataclass(frozen=True, eq=False, repr=False)
class Dock:
    """A panel and how it is made."""

    name: str
    title: str
    make: Callable[..., QWidget]  # Makes the panel from the workbench, and from its actions if it has any.
    actions: tuple[str, ...] = ()  # The window's commands that are buttons in it.


DOCKS = (
    Dock("data", "Data", DataPanel, ("open_file", "paste", "jitter", "clear")),
    Dock("kernel", "Kernel", KernelPanel),
    Dock("algorithm", "Algorithm", AlgorithmPanel),
    Dock("insight", "Insight", InsightArea),
)


def keys() -> dict[str, str]:
    """Return the shortcut of every panel and every insight view, by title.

    They are Alt+1 to Alt+9 and Alt+0, then the same with Shift, then with Ctrl."""
    panels = [dock.title for dock in DOCKS if dock.name != "insight"]
    views = [view.title for view in VIEWS.values()]
    offered = (f"{held}{(k + 1) % 10}" for held in ("Alt+", "Alt+Shift+", "Ctrl+Alt+") for k in range(10))
    return dict(zip((*panels, *views), offered, strict=False))


def build_docks(
    window: QMainWindow, workbench: Workbench, actions: Mapping[str, QAction]
) -> dict[str, PanelDock]:
    """Make every panel and put it in its place; return them by name."""
    made: dict[str, PanelDock] = {}
    home = homes("columns")
    for declared in DOCKS:
        buttons = [actions[name] for name in declared.actions]
        panel = declared.make(workbench, *([buttons] if buttons else []))
        dock = made[declared.name] = PanelDock(declared.name, declared.title, panel, window)
        window.addDockWidget(AREAS[home[declared.name]], dock)
    # The columns reach down to the status line; the drawer below the canvas is as wide as the canvas.
    window.setCorner(Qt.Corner.BottomLeftCorner, AREAS["left"])
    window.setCorner(Qt.Corner.BottomRightCorner, AREAS["right"])
    return made


def placed(window: QMainWindow, docks: Iterable[PanelDock]) -> list[PanelDock]:
    """Return the panels that share the window: shown, not floating, and part of its layout.

    While Qt restores a layout they are not part of it, and the window may be resized in the middle of
    that."""
    return [
        dock
        for dock in docks
        if not (dock.isHidden() or dock.isFloating())
        and window.dockWidgetArea(dock) != Qt.DockWidgetArea.NoDockWidgetArea
    ]


class FoldLine(QWidget):
    """The title of an open panel; for a closed one, a summary and the slider of its main parameter.

    A click opens or closes the panel, a drag moves it."""

    clicked = Signal()

    def __init__(self, title: str, panel: Panel) -> None:
        super().__init__()
        self.setObjectName("fold-line")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.chevron = ToolButton()
        self.chevron.clicked.connect(self.clicked)
        self._title = Label(title, role="heading")
        self.summary = PanelSummary(panel)
        self._pressed: QPoint | None = None
        row(self.chevron, (self._title, 1), (self.summary, 1), on=self, spacing=4, margins=(4, 3, 12, 3))

    def show_open(self, open: bool) -> None:
        """Show the title of an open panel, or the summary of a closed one."""
        self._title.setVisible(open)
        self.summary.setHidden(open)
        self.chevron.setIcon(icon("chevron-down" if open else "chevron-right"))
        describe(self.chevron, f"{'Close' if open else 'Open'} {self._title.text()}")

    def sizeHint(self) -> QSize:
        """Return one height for open and closed lines."""
        return super().sizeHint().expandedTo(QSize(0, self.summary.slider.sizeHint().height() + 6))

    def minimumSizeHint(self) -> QSize:
        """Return no width: a narrow window cuts the line."""
        return QSize(0, self.sizeHint().height())

    # Dragging a title moves the panel, which Qt does: events that are ignored here reach the dock.
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = event.globalPosition().toPoint()
        event.ignore()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Emit a click, unless the mouse has dragged the panel."""
        pressed, self._pressed = self._pressed, None
        event.ignore()
        if pressed is not None and event.button() == Qt.MouseButton.LeftButton:
            way = event.globalPosition().toPoint() - pressed
            if way.manhattanLength() < QApplication.startDragDistance():
                self.clicked.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.accept()  # its first click has been handled


class TitleLine(QWidget):
    """The title of a panel and its buttons, which grow with the type; Qt's own buttons would not."""

    def __init__(self, dock: PanelDock) -> None:
        super().__init__()
        self.setObjectName("title-line")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        title = dock.windowTitle()
        self.out = ToolButton("float", f"Move {title} to a window of its own", do=dock.move_out)
        self.shut = ToolButton("close", f"Close {title}", do=dock.toggleViewAction().trigger)
        for button in (self.out, self.shut):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        row((Label(title), 1), self.out, self.shut, on=self, spacing=2, margins=(2, 0, 4, 0))
        floatable = QDockWidget.DockWidgetFeature.DockWidgetFloatable
        dock.featuresChanged.connect(lambda features: self.out.setVisible(floatable in features))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())


class PanelDock(QDockWidget):
    """A panel next to the canvas, which can be moved, float, and in a narrow window fold to a line.

    The window decides which panels are shown and the accordion which of them are open; `asked` and `turned`
    request that."""

    asked = Signal(bool)  # The user asks to show the panel, or to hide it.
    turned = Signal(bool)  # The user asks to open the panel, or to close it to a line.

    def __init__(self, name: str, title: str, panel: QWidget, window: QMainWindow) -> None:
        super().__init__(title, window)
        self.setObjectName(name)
        self.setWidget(panel)
        self._in_sight = False
        self._line: FoldLine | None = None
        self._title = TitleLine(self)
        self.setTitleBarWidget(self._title)
        policy = panel.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # for a tab that is not in front
        panel.setSizePolicy(policy)
        action = self.toggleViewAction()
        action.triggered.disconnect()  # Qt would show or hide the panel itself
        action.triggered.connect(self.asked)
        self.visibilityChanged.connect(self._on_visible)
        self.topLevelChanged.connect(self._on_floating)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask to hide the panel, where the system has closed the window that it is."""
        self.asked.emit(False)
        super().closeEvent(event)

    @property
    def is_open(self) -> bool:
        """True unless the panel is closed to its line."""
        return self._line is None or self._line.summary.isHidden()

    @property
    def folds(self) -> bool:
        """True if the title is a line that opens and closes the panel."""
        return self._line is not None and self.titleBarWidget() is self._line

    @property
    def line_height(self) -> int:
        """The height of that line."""
        return self._line.sizeHint().height() if self._line is not None else 0

    @property
    def needed_height(self) -> int:
        """The height that shows all of the panel at its present width, without the title."""
        panel = self.widget()
        return panel.height_for(self.width()) if isinstance(panel, Panel) else panel.sizeHint().height()

    def set_folding(self, on: bool) -> None:
        """Replace the title by a line that opens and closes the panel, or the other way round."""
        if on == self.folds:
            return
        if on and self._line is None:
            panel = self.widget()
            assert isinstance(panel, Panel)
            self._line = FoldLine(self.windowTitle(), panel)
            self._line.clicked.connect(lambda: self.turned.emit(not self.is_open))
        self._show_title(self._line if on else self._title)
        self.set_open(True)

    def set_titled(self, on: bool) -> None:
        """Show the title, or leave it out where the panel is part of another one."""
        self._show_title(self._title if on else QWidget(self))

    def move_out(self) -> None:
        """Make the panel a separate window, shifted a little so that one sees it float."""
        place, room = QRect(self.mapToGlobal(QPoint()), self.size()), self.screen().availableGeometry()
        self.setFloating(True)
        away = 40  # Pixels between a panel that is moved out and the place it had, on each axis.
        right = away if place.right() + away <= room.right() else -away
        down = away if place.bottom() + away <= room.bottom() else -away
        x = min(place.x() + right, room.right() + 1 - place.width())
        y = min(place.y() + down, room.bottom() + 1 - place.height())
        self.move(max(room.x(), x), max(room.y(), y))

    def _on_floating(self, floats: bool) -> None:
        """Give a floating panel the title of the system, and one that comes back its own."""
        if self.folds and floats:
            self.set_folding(False)
        else:
            self._show_title(self._line if self.folds else self._title)

    def _show_title(self, line: QWidget | None) -> None:
        """Show our title line, or the system's around a floating panel."""
        self.setTitleBarWidget(None if self.isFloating() else line)  # type: ignore[arg-type]

    def set_open(self, open: bool, most: int | None = None) -> None:
        """Show the panel, or only the line. most: the greatest height of the panel, if there is one."""
        if self._line is not None:
            self._line.show_open(open)
        highest = 16_777_215  # Qt's greatest height, in pixels.
        self.widget().setMaximumHeight(highest if most is None else most)
        self._on_visible(self._in_sight)

    def reveal(self) -> None:
        """Show the panel, wherever it is."""
        if self.isHidden():
            self.toggleViewAction().trigger()
        self.raise_()
        if self.isFloating():
            self.activateWindow()
        if not self.is_open:
            self.turned.emit(True)

    def put_away(self) -> None:
        """Close the panel to its line, or hide it if it has none."""
        if self.folds:
            self.turned.emit(False)
        else:
            self.toggleViewAction().trigger()

    def _on_visible(self, visible: bool) -> None:
        """Hide the panel of a tab that is not in front: Qt only moves it aside, where it would go on
        working."""
        self._in_sight = visible
        self.widget().setVisible(visible and self.is_open)
