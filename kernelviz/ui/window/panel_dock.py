"""A panel with its title, which in a narrow window folds to a line that keeps its main slider."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QHBoxLayout,
    QMainWindow,
    QWidget,
)

from kernelviz.drawing.icons import icon
from kernelviz.ui.sidebar.panel import Panel, PanelSummary
from kernelviz.ui.widgets.buttons import ToolButton
from kernelviz.ui.widgets.labels import Label

UNBOUNDED = 16_777_215  # The greatest height Qt knows.


class FoldLine(QWidget):
    """The title of an open panel; of a closed one what is chosen, and the slider of its main parameter."""

    clicked = Signal()

    def __init__(self, title: str, panel: Panel) -> None:
        super().__init__()
        self.setObjectName("fold-line")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.chevron = ToolButton()
        self.chevron.clicked.connect(self.clicked)
        self._title = Label(title)
        self._title.setProperty("role", "heading")
        self.summary = PanelSummary(panel)
        self._pressed: QPoint | None = None
        row = QHBoxLayout(self)
        row.setContentsMargins(4, 3, 12, 3)
        row.setSpacing(4)
        row.addWidget(self.chevron)
        row.addWidget(self._title, 1)
        row.addWidget(self.summary, 1)

    def show_open(self, open: bool) -> None:
        self._title.setVisible(open)
        self.summary.setHidden(open)
        self.chevron.setIcon(icon("chevron-down" if open else "chevron-right"))
        what = f"{'Close' if open else 'Open'} {self._title.text()}"
        self.chevron.setAccessibleName(what)
        self.chevron.setToolTip(what)

    def sizeHint(self) -> QSize:
        """Open and closed lines are of one height."""
        row = self.layout()
        assert row is not None
        return super().sizeHint().expandedTo(QSize(0, self.summary.slider.sizeHint().height() + 6))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    # Whoever drags a title moves the panel, which is Qt's: it hears what is ignored here.
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = event.globalPosition().toPoint()
        event.ignore()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, None
        event.ignore()
        if pressed is not None and event.button() == Qt.MouseButton.LeftButton:
            way = event.globalPosition().toPoint() - pressed
            if way.manhattanLength() < QApplication.startDragDistance():
                self.clicked.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.accept()  # it has been clicked already


class TitleLine(QWidget):
    """The title of a panel and its buttons, which are as large as the type; those of Qt keep their size."""

    def __init__(self, dock: QDockWidget) -> None:
        super().__init__()
        self.setObjectName("title-line")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        title = dock.windowTitle()
        self.out = _title_button(
            "float", f"Move {title} to a window of its own", lambda: dock.setFloating(True)
        )
        self.shut = _title_button("close", f"Close {title}", dock.toggleViewAction().trigger)
        row = QHBoxLayout(self)
        row.setContentsMargins(2, 0, 4, 0)
        row.setSpacing(2)
        row.addWidget(Label(title), 1)
        row.addWidget(self.out)
        row.addWidget(self.shut)
        dock.featuresChanged.connect(self._offer)

    def _offer(self, features: QDockWidget.DockWidgetFeature) -> None:
        self.out.setVisible(QDockWidget.DockWidgetFeature.DockWidgetFloatable in features)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())


def _title_button(name: str, what: str, act: Callable[[], object]) -> ToolButton:
    button = ToolButton()
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    button.setIcon(icon(name))
    button.setToolTip(what)
    button.setAccessibleName(what)
    button.clicked.connect(act)
    return button


class PanelDock(QDockWidget):
    """A panel beside the canvas."""

    turned = Signal(bool)  # Somebody wants it open, or closed to a line.

    def __init__(self, name: str, title: str, panel: QWidget, window: QMainWindow) -> None:
        super().__init__(title, window)
        self.setObjectName(name)
        self.setWidget(panel)
        self.is_open = True
        self._in_sight = False
        self._line: FoldLine | None = None
        self._title = TitleLine(self)
        self.setTitleBarWidget(self._title)
        policy = panel.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # of a tab that is not in front
        panel.setSizePolicy(policy)
        self.visibilityChanged.connect(self._on_visible)
        self.topLevelChanged.connect(self._on_floating)

    @property
    def folds(self) -> bool:
        """Whether its title is a line that opens and closes it."""
        return self._line is not None and self.titleBarWidget() is self._line

    def set_folding(self, on: bool) -> None:
        """Have a line that opens and closes it for a title, or the title alone."""
        if on == self.folds:
            return
        if on and self._line is None:
            panel = self.widget()
            assert isinstance(panel, Panel)
            self._line = FoldLine(self.windowTitle(), panel)
            self._line.clicked.connect(lambda: self.turned.emit(not self.is_open))
        self._show_title(self._line if on else self._title)
        self.set_open(True)

    def _on_floating(self, floats: bool) -> None:
        if self.folds and floats:
            self.set_folding(False)
        else:
            self._show_title(self._line if self.folds else self._title)

    def _show_title(self, line: QWidget | None) -> None:
        """Show a title of ours, or, around a panel that floats, that of the system."""
        self.setTitleBarWidget(None if self.isFloating() else line)  # type: ignore[arg-type]

    def set_open(self, open: bool, *, fills: bool = True) -> None:
        """Show the panel, or the line alone; `fills`: it takes what height is left."""
        self.is_open = open
        if self._line is not None:
            self._line.show_open(open)
        self.widget().setMaximumHeight(UNBOUNDED if fills else 0)
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
        """Close it to its line, or hide it if it has none."""
        if self.folds:
            self.turned.emit(False)
        else:
            self.toggleViewAction().trigger()

    def _on_visible(self, visible: bool) -> None:
        """Qt moves a tab that is not in front merely out of sight, where it would work and take the focus."""
        self._in_sight = visible
        self.widget().setVisible(visible and self.is_open)
