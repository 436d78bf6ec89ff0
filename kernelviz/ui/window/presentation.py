"""Presentation mode: the canvas in large type with one bar of controls."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEvent, Qt, QTimer
from PySide6.QtGui import QAction, QShowEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QMenu, QToolBar, QWidget

from kernelviz.ui.canvas.welcome import Welcome
from kernelviz.ui.sidebar.panel import Panel, PanelSummary
from kernelviz.ui.widgets.labels import Label
from kernelviz.ui.window import status_line
from kernelviz.ui.window.docks import DOCKS, WIDTH, least_height, placed
from kernelviz.ui.window.shell import Shell
from kernelviz.ui.workbench.settings import LARGEST_TYPE
from kernelviz.ui.workbench.throttle import READABLE, Throttle
from kernelviz.ui.workbench.workbench import Workbench

if TYPE_CHECKING:
    from kernelviz.ui.window.layout import State

WIDEST = "held-out error 99.9 %"


class Strip(QToolBar):
    """One line below everything, as wide as the screen, in sight while somebody presents."""

    def __init__(self, workbench: Workbench, panels: Iterable[Panel]) -> None:
        super().__init__("Strip")
        self.setObjectName("strip")
        self.setMovable(False)
        self.toggleViewAction().setVisible(False)
        self._workbench = workbench
        self.errors = Label()
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(10, 2, 10, 2)
        row.setSpacing(18)
        for panel in panels:
            row.addWidget(PanelSummary(panel), 1)
        row.addWidget(self.errors)
        self.addWidget(holder)
        self._soon = Throttle(self, READABLE, self._show_errors)
        workbench.frame_arrived.connect(self._on_frame)
        self.hide()

    def _on_frame(self, _: object) -> None:
        if self.isVisible():
            self._soon.ask()

    def _show_errors(self) -> None:
        frame = self._workbench.frame
        parts = {} if frame is None else status_line.figures(frame)
        told = [parts[name] for name in ("training", "held out") if name in parts]
        self.errors.setText("\n".join(told))
        # As wide as it may get: what stands beside it must not move while its slider is dragged.
        self.errors.setMinimumWidth(self.fontMetrics().horizontalAdvance(WIDEST))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_errors()


SCALE = 1.6  # How much larger type and strokes are than at the desk, and how large they may be on a screen of
FULL_AT = (1024, 768)
NARROW = 1500  # Pixels below which the stage has room for one panel at a time.
MOST = 0.42  # Of the width, for a panel.
LINE = 12  # Pixels, at most, between a panel and the canvas.
HINT = "Escape leaves the presentation; Alt and a number show or hide a panel."
HINT_AFTER, HINT_FOR = 300, 5000  # Milliseconds.


class Presentation:
    """Full screen, large type, the canvas, and the panels that somebody has shown while presenting."""

    def __init__(self, window: Shell) -> None:
        self.window = window
        self.on = False
        self.chosen = set(window.settings.presented) & {dock.name for dock in DOCKS}
        self._layout: QByteArray | None = window.settings.presentation_layout
        self._before: tuple[bool, State] = (False, ("columns", QByteArray()))
        self._views: list[str] = []  # The insight views at the desk, while another is on the stage.
        self._on_stage = ""
        self._enlarged: str | None = None  # The view to be enlarged once the panels are where they belong.
        self._actions: dict[str, QAction] = {}
        self._steps: list[Callable[[], object]] = []
        self._turns = QTimer(window)
        self._turns.timeout.connect(self._next_step)

    @property
    def scale(self) -> float:
        """Of all type: the user's own choice; on the stage more of it, as far as there is room."""
        window = self.window
        chosen = window.settings.type_size / 100
        room = window.screen().size() if window.isFullScreen() else window.size()
        fits = SCALE * min(room.width() / FULL_AT[0], room.height() / FULL_AT[1])
        return max(chosen, min(SCALE * chosen, fits, LARGEST_TYPE / 100)) if self.on else chosen

    @property
    def busy(self) -> bool:
        """Whether it is on, or on its way off: the panels are not where they belong at the desk."""
        return self.on or bool(self._steps)

    def fill_menu(self, menu: QMenu) -> None:
        """A submenu in which the panels to present are chosen beforehand."""
        panels = menu.addMenu("Panels in pre&sentation")
        for name, dock in self.window.docks.items():
            # The window's own: those that a menu makes are at times gone, for Python, before the menu is.
            action = QAction(dock.windowTitle(), self.window, checkable=True)
            panels.addAction(action)
            action.setChecked(name in self.chosen)
            action.toggled.connect(lambda shown, name=name: self._choose(name, shown))
            self._actions[name] = action
            dock.toggleViewAction().triggered.connect(lambda shown, name=name: self._on_panel(name, shown))

    def _choose(self, name: str, shown: bool) -> None:
        self.chosen = self.chosen | {name} if shown else self.chosen - {name}
        self.window.settings.presented = sorted(self.chosen)

    def _on_panel(self, name: str, shown: bool) -> None:
        """Somebody has shown or hidden a panel; while presenting that is a choice."""
        if shown:
            self.window.docks[name].raise_()
        if self.on:
            self._actions[name].setChecked(shown)
            if shown and self._narrow:
                for other, dock in self.window.docks.items():
                    if other != name and not dock.isHidden():
                        if other == "insight":
                            self.window.insight.shrink()  # or the canvas would be hidden with the panel
                        dock.hide()
                        self._actions[other].setChecked(False)
            self._give_room()

    def presentation(self) -> None:
        """Begin or end the presentation, as the menu says.

        In turns of the event loop: type and panels take a moment each, and panels are laid out once the
        window has its new size, or they would push it apart in the old one."""
        settled = not self._steps  # otherwise somebody has thought better of it half-way
        self.on = self.window.actions_by_name["presentation"].isChecked()
        self.window.setUpdatesEnabled(False)
        for card in self.window.canvases.findChildren(Welcome):
            card.setVisible(not self.on)  # a hall full of people is not here for the first time
        if self.on:
            self._enter(settled)
        else:
            self._leave(settled)
        self._turns.start()

    def leave(self) -> bool:
        """End it; whether it was on."""
        if was := self.on:
            self.window.actions_by_name["presentation"].trigger()
        return was

    def settle(self) -> None:
        """Have done what is still to be done."""
        while self._steps:
            self._next_step()

    def _next_step(self) -> None:
        step = self._steps.pop(0)
        try:
            step()
        finally:
            if not self._steps:
                self._turns.stop()
                self.window.setUpdatesEnabled(True)

    def _enter(self, settled: bool) -> None:
        window = self.window
        if settled:
            self._before = window.isMaximized(), window.arrangement.state
            self._views = window.insight.shown
            self._enlarged = window.insight.enlarged
        for part in (*window.docks.values(), window.menuBar()):
            part.hide()
        self._hide_toolbars()
        window.showFullScreen()
        self._steps = [_drop_sheet, self._change_type, self._show_chosen]

    def _change_type(self) -> None:
        self.window.update_theme()
        # What has room for large type now would still ask for it when the panels are shown.
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)

    def _show_chosen(self) -> None:
        window = self.window
        window.arrangement.take("columns")
        if self._layout is not None:
            window.restoreState(self._layout)
        self._hide_toolbars()  # those of the layout that was restored
        window.insight.restore([self._enlarged or self._on_stage or self._views[0]])
        self._enlarge()
        for name, dock in window.docks.items():
            dock.setVisible(name in self._fitting)
        window.strip.show()
        if self._layout is None:
            self._give_room()
        window.lessons.show_views()
        # Once the window has changed: while it does, Qt shows again what the message has hidden.
        QTimer.singleShot(HINT_AFTER, window, self._hint)

    def _hide_toolbars(self) -> None:
        for bar in self.window.findChildren(QToolBar):
            bar.hide()

    def _hint(self) -> None:
        if self.on:
            self.window.statusBar().showMessage(HINT, HINT_FOR)

    def _leave(self, settled: bool) -> None:
        window = self.window
        self._steps = [_drop_sheet, self._change_type, self._show_as_before]
        if settled:
            self.remember()
            self._on_stage = window.insight.shown[0]
            self._enlarged = window.insight.enlarged
            window.insight.restore(self._views)
        window.statusBar().clearMessage()
        window.strip.hide()
        for dock in window.docks.values():
            dock.hide()
        if (layout := window.layout()) is not None:
            layout.activate()  # or the window manager would still make room for the panels
        maximised, _ = self._before
        if maximised:
            window.showMaximized()
        else:
            window.showNormal()

    def _show_as_before(self) -> None:
        self.window.menuBar().show()
        self.window.arrangement.restore(self._before[1])
        self.window.arrangement.follow_size()  # it may be another screen
        self._enlarge()
        self.window.lessons.show_views()

    def _enlarge(self) -> None:
        """Enlarge the view that was so before, if it is in a slot."""
        insight = self.window.insight
        if self._enlarged is not None and (slot := insight.slot_of(self._enlarged)) is not None:
            insight.enlarge(slot)
            insight.release_canvas()

    def return_to(self, layout: State, views: list[str]) -> None:
        """Have the panels like this when the presentation ends."""
        self._before, self._views = (self._before[0], layout), views

    def remember(self) -> None:
        """Keep how the panels share the screen."""
        self._layout = self.window.saveState()
        self.window.settings.presentation_layout = self._layout

    def forget(self) -> None:
        """Present as at first: the canvas alone."""
        self._layout = None
        for action in self._actions.values():
            action.setChecked(False)

    @property
    def _narrow(self) -> bool:
        """Whether there is room for panels on one side of the canvas only."""
        return self.window.width() < NARROW

    @property
    def _fitting(self) -> set[str]:
        """Of the panels chosen, those there is room for."""
        if self._narrow and len(self.chosen) > 1:
            return {next(name for name in reversed(self.window.docks) if name in self.chosen)}
        return self.chosen

    @property
    def views_at_the_desk(self) -> list[str]:
        """The insight views shown when nobody presents."""
        return self._views if self.on else self.window.insight.shown

    def _give_room(self) -> None:
        """Panels in large type need as much more room, but the canvas more than any."""
        window = self.window
        there = placed(window, (name for name in window.docks if name in self.chosen))
        heights = [least_height(dock.objectName()) for dock in there]
        most = min(MOST * window.width(), window.width() - window.playback.minimumSizeHint().width() - LINE)
        width = max(1, round(min(self.scale * WIDTH, most)))
        window.resizeDocks(there, [width] * len(there), Qt.Orientation.Horizontal)
        window.resizeDocks(there, heights, Qt.Orientation.Vertical)


def _drop_sheet() -> None:
    """The first part of a change of theme, which takes a moment of its own."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    app.setStyleSheet("")
