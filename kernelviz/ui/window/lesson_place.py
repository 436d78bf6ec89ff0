"""The place of a lesson's panel: next to the canvas, or over it as a drawer, with other panels put away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, QRect
from PySide6.QtWidgets import QApplication, QBoxLayout, QDockWidget, QWidget

from kernelviz.ui.lessons.panel import WIDTH, LessonPanel
from kernelviz.ui.widgets.buttons import Button
from kernelviz.ui.widgets.layouts import soon
from kernelviz.ui.window.docks import AREAS
from kernelviz.ui.window.shell import Shell

DOCK_FEATURES = QDockWidget.DockWidgetFeature


class LessonPlace(QObject):
    """Puts the panel of a lesson into the window and takes it out again, with the layout from before.

    The panel stands next to the canvas and takes the insight views in, below its text or next to it. In a
    narrow window it is a drawer, which folds to a button; it covers the canvas only where what is left would
    be too narrow for a picture."""

    def __init__(
        self, window: Shell, around: QBoxLayout, panel: LessonPanel, placed: Callable[[], None]
    ) -> None:
        """around: the layout around the canvas. placed: called when the canvas may have another size."""
        super().__init__(panel)
        self._window, self._around, self._panel, self._placed = window, around, panel, placed
        centre = window.centralWidget()
        assert centre is not None
        self._centre: QWidget = centre
        self.handle = Button("Lesson", "Show the lesson", self.unfold)
        self.handle.setParent(self._centre)
        self.handle.hide()
        panel.fold_wanted.connect(self._fold)
        around.addWidget(panel)
        self._put_docks_away()
        window.docks["insight"].visibilityChanged.connect(self._place_soon)
        self._centre.installEventFilter(self)
        self.place()

    def close(self) -> None:
        """Take the panel away and bring the others back."""
        self._centre.removeEventFilter(self)
        self._window.docks["insight"].visibilityChanged.disconnect(self._place_soon)
        self._around.removeWidget(self._panel)
        self._around.setContentsMargins(0, 0, 0, 0)
        self._panel.hide()
        self.handle.deleteLater()
        self.handle.hide()
        self._bring_docks_back()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place_soon()
        return False

    def _place_soon(self) -> None:
        """Fit the panel once the window has been laid out."""
        soon(self, self.place)  # after the layout, which it changes

    # Next to the canvas or over it --------------------------------------------------------------------------
    def place(self) -> None:
        """Fit the panel to the window."""
        panel, window = self._panel, self._window
        scale, room, presenting = window.arrangement.scale, self._centre.width(), window.presentation.on
        panel.show_for(presenting, QApplication.font().pointSizeF())
        where = window.arrangement.due.lesson
        over, folded = where in ("over", "folded"), where == "folded"
        width, side_by_side = self._width(over), False
        alone = width
        if not over and not window.docks["insight"].isHidden():
            view, below_text = 300 * scale, 500 * scale  # Beside the text, or with the text above it.
            most, both = self._room(), WIDTH * scale + view
            side_by_side = most >= both
            width = max(width, round(min(most, 1.2 * both if side_by_side else below_text)))
        panel.arrange(side_by_side=side_by_side, alone=alone)
        panel.fold.setVisible(over)
        beside = where == "over" and room - width >= self._least_canvas(scale)
        self._around.setContentsMargins(0, 0, width if beside else 0, 0)
        if over:
            self._around.removeWidget(panel)
            panel.setMinimumWidth(0)
            panel.setMaximumWidth(16_777_215)
            panel.setGeometry(QRect(room - width, 0, width, self._centre.height()))
            panel.raise_()
        else:
            if self._around.indexOf(panel) < 0:
                self._around.addWidget(panel)
            panel.setFixedWidth(width)
        panel.setVisible(not folded)
        self.handle.adjustSize()
        self.handle.move(room - self.handle.width() - 8, 8)
        self.handle.setVisible(folded)
        self.handle.raise_()
        self._placed()

    def _width(self, over: bool) -> int:
        """Return the width of the panel without views. over: it is over the canvas."""
        window, scale = self._window, self._window.arrangement.scale
        share = 0.3 if window.presentation.on else 0.24  # Of the window, for a room and usually.
        usual = min(max(WIDTH * scale, share * window.width()), 440 * scale)
        return round(min(usual, (0.85 if over else 0.36) * window.width()))

    def _least_canvas(self, scale: float) -> float:
        """Return the width that the canvas and the playback bar, if it is shown, need next to the drawer."""
        playback = self._window.playback
        bar = 0 if playback.isHidden() else playback.minimumSizeHint().width()
        return max(320 * scale, bar)  # A narrower picture cannot be read.

    def _room(self) -> float:
        """Return the width for the panel and its views: the canvas keeps its share of the window."""
        window = self._window
        share = 0.40 if window.presentation.on else 0.46
        return window.width() - share * window.width() * window.height() / max(window.stage.height(), 1)

    def _fold(self) -> None:
        """Fold the drawer to a button, and focus the canvas."""
        self._wish_folded(True)
        self._window.take_keyboard()

    def unfold(self) -> None:
        """Show the panel if it is folded away."""
        self._wish_folded(False)

    def _wish_folded(self, folded: bool) -> None:
        arrangement = self._window.arrangement
        arrangement.wish(replace(arrangement.wishes, folded=folded))
        self.place()

    # The other panels -----------------------------------------------------------------------------------
    def _put_docks_away(self) -> None:
        """Hide all other panels."""
        arrangement = self._window.arrangement
        arrangement.leave()
        self._window.insight.shrink()
        arrangement.wishes = replace(arrangement.wishes, in_lesson=frozenset(), folded=False)
        arrangement.arrive()
        self.hold_insight()

    def hold_insight(self) -> None:
        """Put the insight panel below the text, wherever it is now: a restored layout takes it back."""
        window, insight = self._window, self._window.docks["insight"]
        if not self._panel.isAncestorOf(insight):
            window.removeDockWidget(insight)
            insight.setFeatures(DOCK_FEATURES.DockWidgetClosable)
            insight.set_titled(False)
            self._panel.hold(insight)
            window.insight.lie_in(AREAS["right"])

    def _bring_docks_back(self) -> None:
        """Put the insight panel back into the window, and show the panels of the mode that remains."""
        window, insight = self._window, self._window.docks["insight"]
        window.arrangement.leave()
        window.insight.shrink()
        insight.hide()
        insight.setParent(window)
        insight.set_titled(True)
        movable = DOCK_FEATURES.DockWidgetMovable | DOCK_FEATURES.DockWidgetFloatable
        insight.setFeatures(DOCK_FEATURES.DockWidgetClosable | movable)
        window.addDockWidget(AREAS["right"], insight)
        if not window.unpainted.busy:  # otherwise the change to another mode ends with it
            window.arrangement.arrive()
