"""Several fits of the same data: commands that add and close one, and letters that choose among them."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QToolBar, QToolButton

from kernelviz.engine.core.errors import BadInput
from kernelviz.scene.wording import fit_names
from kernelviz.session.comparison_presets import PRESETS, ComparisonPreset
from kernelviz.session.state import LETTERS, Document, State
from kernelviz.ui.widgets.labels import plain
from kernelviz.ui.window.shell import Shell


class Fits(QObject):
    """The commands about several fits of the same data: add one, close one, choose the one edited in the
    panels.

    With a single fit only the button that adds another is visible."""

    def __init__(self, window: Shell) -> None:
        super().__init__(window)
        self._window = window
        self._session = window.session
        self.letters = [QAction(letter, self, checkable=True) for letter in LETTERS]
        for k, action in enumerate(self.letters):
            action.setObjectName(f"fit {LETTERS[k]}")
            action.triggered.connect(lambda _checked=False, k=k: self._choose(k))
        self.presets = {preset: QAction(preset.title, self) for preset in PRESETS}
        for preset, action in self.presets.items():
            action.triggered.connect(lambda _checked=False, preset=preset: self._compare(preset))
        window.workbench.state_changed.connect(self._on_state)

    def fill_menu(self, menu: QMenu) -> None:
        """Add the preset comparisons to a menu; those that suit the data are visible."""
        menu.addSeparator()
        menu.addActions(list(self.presets.values()))
        menu.aboutToShow.connect(self._offer_presets)

    def _offer_presets(self) -> None:
        """Show the comparisons that suit the data."""
        for preset, action in self.presets.items():
            action.setVisible(preset.suits(self._session.document))

    def fill_toolbar(self, bar: QToolBar) -> None:
        """Add the button with its menu and the letters of the fits to a toolbar."""
        actions = self._window.actions_by_name
        menu = QMenu(bar)
        for name in ("add_fit", "next_fit", "close_fit"):
            menu.addAction(actions[name])
        self.fill_menu(menu)
        actions["add_fit"].setIconText("A|B")
        bar.addAction(actions["add_fit"])
        self.button = bar.widgetForAction(actions["add_fit"])
        assert isinstance(self.button, QToolButton)
        self.button.setMenu(menu)
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        bar.addActions(self.letters)
        self._show(self._session.document)

    # Commands -----------------------------------------------------------------------------------------
    def add_fit(self) -> None:
        """Add a copy of the active fit."""
        document = self._session.document
        try:
            self._session.replace("compare with a copy", document.with_fit(document.fit))
        except BadInput as problem:
            self._window.complain(str(problem))

    def close_fit(self) -> None:
        """Close the active fit, unless it is the only one."""
        document = self._session.document
        if len(document.fits) > 1:
            letter = LETTERS[document.active]
            self._session.replace(f"close fit {letter}", document.without_fit(document.active))

    def next_fit(self) -> None:
        """Make the next fit the active one, which the panels edit."""
        document = self._session.document
        self._session.activate((document.active + 1) % len(document.fits))

    def _compare(self, preset: ComparisonPreset) -> None:
        """Replace the fits by those of a preset comparison."""
        name = preset.title[0].lower() + preset.title[1:]
        self._session.replace(f"compare {name}", preset.applied(self._session.document))

    def _choose(self, k: int) -> None:
        """Let the panels edit fit k."""
        self._session.activate(k)
        self._show(self._session.document)  # pressing the chosen letter has unchecked it
        self._window.take_keyboard()

    # ---------------------------------------------------------------------------------------------------
    def _on_state(self, old: State, new: State) -> None:
        """Show the letters of other fits."""
        before, now = old.document, new.document
        if (before.fits, before.active) != (now.fits, now.active):
            self._show(now)

    def _show(self, document: Document) -> None:
        """Show a letter for each fit if there are several, and mark the active one."""
        several = len(document.fits) > 1
        names = fit_names(document.fits)
        for k, action in enumerate(self.letters):
            action.setVisible(several and k < len(document.fits))
            action.setChecked(k == document.active)
            if k < len(document.fits):
                action.setToolTip(plain(f"Edit fit {LETTERS[k]}: {names[k]}"))
