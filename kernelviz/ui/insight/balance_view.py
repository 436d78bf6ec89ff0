"""Fit against complexity."""

from __future__ import annotations

from kernelviz.drawing.insight.balance import BalancePicture
from kernelviz.session.state import State
from kernelviz.ui.insight.base import PictureView
from kernelviz.ui.workbench.workbench import Workbench

ON_CANVAS = "raised"  # What a workspace calls the fit with the bump, if it can show it.


class BalanceView(PictureView):
    """Its switch adds a bump that only costs, here and on the canvas where that shows it."""

    name = "balance"
    kind = BalancePicture

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._follow(workbench.session.state)
        self.boxes["bump"].toggled.connect(self._show_on_canvas)

    def _on_state(self, old: State, new: State) -> None:
        super()._on_state(old, new)
        self._follow(new)

    def _follow(self, state: State) -> None:
        if ON_CANVAS in state.document.workspace.toggles:
            self.boxes["bump"].setChecked(ON_CANVAS in state.look.shown)

    def _show_on_canvas(self, on: bool) -> None:
        session = self.workbench.session
        can = ON_CANVAS in session.document.workspace.toggles
        if can and on != (ON_CANVAS in session.look.shown):
            session.toggle(ON_CANVAS)
