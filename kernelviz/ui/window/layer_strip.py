"""The layers that can be added to the canvas, as buttons next to it."""

from __future__ import annotations

import textwrap

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

from kernelviz.session.state import State
from kernelviz.session.workspaces.base import Workspace
from kernelviz.ui.widgets.buttons import ToolButton
from kernelviz.ui.widgets.labels import literal
from kernelviz.ui.widgets.layouts import column, soon
from kernelviz.ui.window.shell import Shell


class LayerStrip(QScrollArea):
    """A button for each layer of the workspace that is hidden at first: slack lines, held-out points,
    residuals. Layers that are shown from the start are only in the menu."""

    def __init__(self, window: Shell) -> None:
        super().__init__()
        self._window = window
        self._workspace: Workspace | None = None
        self.buttons: dict[str, ToolButton] = {}
        self.setAccessibleName("Layers of the canvas")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._switch = window.actions_by_name["show_layers"]
        self._switch.setChecked(window.settings.show_layers)
        window.workbench.state_changed.connect(self._on_state)
        self._follow(window.session.state)
        self.setVisible(window.settings.show_layers)

    def _fit(self) -> None:
        """Be as wide as the buttons, and a scroll bar next to them."""
        self.setFixedWidth(self._content.sizeHint().width() + self.verticalScrollBar().sizeHint().width())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the type of the buttons, which Qt lets a scroll area watch."""
        if event.type() == QEvent.Type.LayoutRequest:
            soon(self, self._fit)
        return super().eventFilter(watched, event)

    def show_layers(self) -> None:
        """Show or hide the strip, as the menu entry says, and remember that."""
        on = self._window.settings.show_layers = self._switch.isChecked()
        self.setVisible(on)

    def _on_state(self, old: State, new: State) -> None:
        if old.look.shown != new.look.shown or old.document.workspace is not new.document.workspace:
            self._follow(new)

    def _follow(self, state: State) -> None:
        """Press the buttons of the layers shown, after making those of another workspace if it has come to
        the front."""
        if state.document.workspace is not self._workspace:
            self._offer(state.document.workspace)
        for name, button in self.buttons.items():
            button.setChecked(name in state.look.shown)

    def _offer(self, workspace: Workspace) -> None:
        """Put up the buttons of a workspace."""
        letters = 16  # Of a line of a button.
        self._workspace, self.buttons = workspace, {}
        for name, (text, on_at_first) in workspace.toggles.items():
            if not on_at_first:
                short = textwrap.fill(text.split(" (")[0], letters)
                button = self.buttons[name] = ToolButton("", text, text=literal(short))
                button.setCheckable(True)
                button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
                button.clicked.connect(lambda _=False, name=name: self._window.session.toggle(name))
        content = self._content = QWidget()
        column(*self.buttons.values(), (None, 1), on=content, spacing=2, margins=(4, 8, 4, 8))
        self.setWidget(content)
        self._fit()
        for behind in (content, self.viewport()):
            behind.setAutoFillBackground(False)
