"""Presentation mode: the canvas in full screen and large type, with one line of controls.

Entering and leaving take several turns of the event loop, in each of which the window stays responsive: first
the window changes its size, then its type, then its panels. Panels that the user shows or hides while
presenting are those of the next presentation, and so are their sizes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QHideEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QMenu, QToolBar, QWidget

from kernelviz.ui.canvas.base import Canvas
from kernelviz.ui.canvas.toolbar import ClassChooser
from kernelviz.ui.canvas.welcome import Welcome
from kernelviz.ui.sidebar.panel import Panel, PanelSummary
from kernelviz.ui.widgets.labels import Label
from kernelviz.ui.widgets.layouts import row, soon
from kernelviz.ui.window import status_line
from kernelviz.ui.window.arrangement import PANELS
from kernelviz.ui.window.canvases import Canvases
from kernelviz.ui.window.docks import PANEL_WIDTH, placed
from kernelviz.ui.window.shell import Shell
from kernelviz.ui.workbench.settings import LARGEST_TYPE
from kernelviz.ui.workbench.throttle import READABLE, Throttle
from kernelviz.ui.workbench.workbench import Workbench

SCALE = 1.6  # How much larger type and strokes are than usual.


class Strip(QToolBar):
    """The line of controls at the bottom of the screen: the class of new points, summaries of the panels, and
    the errors. Everything in it is high enough for a finger.

    While it is seen the class is chosen of two too."""

    refused = Signal(str)  # Why a number that was typed here cannot be used.

    def __init__(self, workbench: Workbench, panels: Iterable[Panel], canvases: Canvases) -> None:
        super().__init__("Strip")
        self.setObjectName("strip")
        self.setMovable(False)
        self.toggleViewAction().setVisible(False)
        self._workbench = workbench
        self.errors = Label()
        holder = QWidget()
        finger = 44  # Pixels: what a finger can hit is at least as high.
        self._summaries = {panel.accessibleName(): PanelSummary(panel, typed=True) for panel in panels}
        for summary in self._summaries.values():
            summary.refused.connect(self.refused)
            for part in (summary.label, summary.slider):
                part.setMinimumHeight(finger)
        self._canvases = canvases
        self._classes: ClassChooser | None = None
        self._offered: list[Canvas] = []  # Those that would not offer both classes at the desk.
        self._line = row(
            *((summary, 1) for summary in self._summaries.values()),
            self.errors,
            on=holder,
            spacing=18,
            margins=(10, 2, 10, 2),
        )
        self.addWidget(holder)
        self._soon = Throttle(self, READABLE, self._show_errors)
        workbench.frame_arrived.connect(self._on_frame)
        canvases.currentChanged.connect(self._on_canvas)
        self.hide()

    def hide_parts(self, names: frozenset[str]) -> None:
        """Leave out the panels and the numbers that are hidden at the desk too."""
        for title, summary in self._summaries.items():
            summary.setHidden(title.lower() in names)
        self.errors.setHidden("status" in names)

    def _on_canvas(self, _: int) -> None:
        if self.isVisible():
            self._show_classes()

    def _on_frame(self, _: object) -> None:
        if self.isVisible():
            self._soon.ask()

    def _show_errors(self) -> None:
        frame = self._workbench.frame
        parts = {} if frame is None else status_line.figures(frame)
        self.errors.setText("\n".join(parts[name] for name in ("training", "held out") if name in parts))
        widest = "held-out error 99.9 %"  # The longest text of the errors.
        # As wide as it may get: a slider next to it must not move while it is dragged.
        self.errors.setMinimumWidth(self.fontMetrics().horizontalAdvance(widest))

    def _show_classes(self) -> None:
        """Offer the classes of the canvas in front, also of two."""
        canvas = self._canvases.current
        if not canvas.editor.both:
            self._offered.append(canvas)
            canvas.offer_both_classes()
        if self._classes is None or self._classes.canvas is not canvas:
            if self._classes is not None:
                self._classes.hide()
                self._classes.deleteLater()
            self._classes = ClassChooser(canvas, on_stage=True)
            self._line.insertWidget(0, self._classes)
        self._classes.come_or_go()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_errors()
        self._show_classes()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        while self._offered and not event.spontaneous():
            self._offered.pop().offer_both_classes(False)


class Presentation:
    """Enters and leaves presentation mode, and offers the panels to choose for it."""

    def __init__(self, window: Shell) -> None:
        self.window = window
        self.on = False
        self._maximised = False  # Whether the window was so before.
        self._actions: dict[str, QAction] = {}
        # Milliseconds in which a window manager has answered each of several quick requests.
        answered_in = 2000
        self._waiting = QTimer(window, singleShot=True, interval=answered_in)

    @property
    def scale(self) -> float:
        """The factor on the size of all type: the user's choice, and more when presenting."""
        window = self.window
        chosen = window.settings.type_size / 100
        room = window.screen().size() if window.isFullScreen() else window.size()
        # The least size of a screen, in pixels, for all of SCALE: for a canvas alone, and with the text of a
        # lesson.
        full_at, full_with_lesson = (1024, 768), (1480, 1100)
        least = full_with_lesson if self.on and window.lessons.running else full_at
        fits = SCALE * min(room.width() / least[0], room.height() / least[1])
        return max(chosen, min(SCALE * chosen, fits, LARGEST_TYPE / 100)) if self.on else chosen

    @property
    def chosen(self) -> frozenset[str]:
        """The panels chosen for the mode."""
        return self.window.arrangement.wishes.presented

    def fill_menu(self, menu: QMenu) -> None:
        """Add a submenu that chooses the panels of presentation mode beforehand."""
        panels = menu.addMenu("Panels in pre&sentation")
        for name, dock in self.window.docks.items():
            # Owned by the window: Python at times deletes actions made by a menu before the menu.
            action = self._actions[name] = QAction(dock.windowTitle(), self.window, checkable=True)
            panels.addAction(action)
            action.triggered.connect(lambda shown, name=name: self._choose(name, shown))
        self.follow_wishes()

    def _choose(self, name: str, shown: bool) -> None:
        arrangement = self.window.arrangement
        chosen = self.chosen | {name} if shown else self.chosen - {name}
        arrangement.wish(replace(arrangement.wishes, presented=chosen))

    def follow_wishes(self) -> None:
        """Tick the panels that are chosen."""
        for name, action in self._actions.items():
            action.setChecked(name in self.chosen)

    def presentation(self) -> None:
        """Enter or leave presentation mode, as the checked menu entry says.

        This takes several turns of the event loop: type and panels take a moment each, and panels are laid
        out once the window has its new size, because they would enlarge the old one."""
        window = self.window
        complete = not window.unpainted.busy  # otherwise the user changed their mind half-way
        self.on = window.actions_by_name["presentation"].isChecked()
        if self.on and complete:
            self._maximised = window.isMaximized()
        for card in window.canvases.findChildren(Welcome):
            card.setVisible(not self.on)
        window.statusBar().clearMessage()
        window.unpainted.begin((_drop_sheet, self._change_type, self._arrive))
        window.arrangement.leave()
        window.arrangement.clear()
        if not self.on and (layout := window.layout()) is not None:
            layout.activate()  # otherwise the window manager still makes room for the panels
        self._ask_for_size()
        self._waiting.start()

    def check_size(self) -> None:
        """Ask again if a late answer to an earlier request has undone the last one."""
        if self._waiting.isActive() and self.window.isFullScreen() != self.on:
            soon(self.window, self._ask_for_size)

    def leave(self) -> bool:
        """Leave presentation mode; return True if it was on."""
        if was := self.on:
            self.window.actions_by_name["presentation"].trigger()
        return was

    def _ask_for_size(self) -> None:
        """Ask the window manager for full screen while presenting, otherwise for the size before."""
        if self.on:
            self.window.showFullScreen()
        elif self._maximised:
            self.window.showMaximized()
        else:
            self.window.showNormal()

    def _change_type(self) -> None:
        self.window.update_theme()
        # Size hints for the old type must not be used when the panels are shown.
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)

    def _arrive(self) -> None:
        """End to enter or to leave: show panels, controls, and how to leave."""
        window = self.window
        window.arrangement.arrive()
        window.lessons.show_views()
        # After the window has changed: while it does, Qt shows again what a message hides.
        QTimer.singleShot(300, window, self._hint)

    def _hint(self) -> None:
        hint = "Escape leaves presentation mode; Alt and a digit shows or hides a panel."
        if self.on:
            self.window.statusBar().showMessage(hint, 5000)

    def give_room(self) -> None:
        """Give the panels the width that their large type needs, as far as the canvas can spare it."""
        window = self.window
        there = placed(window, (dock for name, dock in window.docks.items() if name in self.chosen))
        heights = [PANELS[dock.objectName()].least for dock in there]
        line = 12  # The greatest distance between a panel and the canvas, in pixels.
        most = min(0.42 * window.width(), window.width() - window.playback.minimumSizeHint().width() - line)
        width = max(1, round(min(self.scale * PANEL_WIDTH, most)))
        window.resizeDocks(there, [width] * len(there), Qt.Orientation.Horizontal)
        window.resizeDocks(there, heights, Qt.Orientation.Vertical)


def _drop_sheet() -> None:
    """Remove the style sheet: the first part of a change of theme, which takes a moment of its own."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    app.setStyleSheet("")
