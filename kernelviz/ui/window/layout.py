"""How the panels share the window: in our proportions, until somebody moves a line between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QMouseEvent

from kernelviz.ui.window.docks import arrange, moved, reshape, shape_for, shape_of

if TYPE_CHECKING:
    from kernelviz.ui.window.main_window import MainWindow

__all__ = ["Layout"]

SIZE = (1340, 820)


class Layout(QObject):
    """Arranges the panels of a window, remembers how they were left and brings that back."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._by_hand = True
        """Whether somebody has moved the lines between the panels; if not, they follow the window's size."""

    def begin(self) -> None:
        """The panels are there: put them where they belong."""
        window = self._window
        window.resize(*SIZE)
        if (layout := window.layout()) is not None:
            layout.activate()  # sizes of docks count only once they are laid out
        self._by_hand = False
        arrange(window)
        self._default = window.saveState()
        self._restore()
        window.installEventFilter(self)
        window.docks["insight"].visibilityChanged.connect(self.follow_size)

    def _restore(self) -> None:
        window, settings = self._window, self._window.settings
        if (geometry := settings.geometry) is not None:
            window.restoreGeometry(geometry)
        window.insight.restore(settings.insight)
        if (layout := settings.layout) is not None:
            window.restoreState(layout)
            self._by_hand = settings.arranged_by_hand
            self.follow_size()  # it may have been another screen

    def follow_size(self) -> None:
        """The window has another size."""
        window = self._window
        if self._by_hand or window.isFullScreen() or window.presentation.on:
            return
        shape = shape_for(window.width(), window.height())
        if shape != shape_of(window) and not moved(window):
            reshape(window, shape)
        arrange(window)

    def reset(self) -> None:
        """Every panel back to its place and the window to its first size."""
        self._window.settings.forget_window()
        self._by_hand = False
        self._window.insight.reset()
        self._window.restoreState(self._default)
        self._window.resize(*SIZE)
        self.follow_size()

    def remember(self) -> None:
        """Keep how the panels are left, for the next time."""
        window = self._window
        by_hand = self._by_hand or moved(window)
        window.settings.remember_window(window.saveGeometry(), window.saveState(), by_hand)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Watches the window. Not in its `event`: Python around that would hold up the worker, which needs
        the interpreter too, through every repaint."""
        if event.type() == QEvent.Type.MouseButtonPress and isinstance(event, QMouseEvent):
            # Of the window itself only the lines between the panels are in sight.
            self._by_hand |= self._window.childAt(event.position().toPoint()) is None
        return False
