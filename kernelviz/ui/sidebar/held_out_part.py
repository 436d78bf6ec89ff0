"""The part of the data panel that holds out points and reports the error on them.

Held-out points belong to the document, so that undo restores them; whether they are drawn belongs to the
look."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PySide6.QtWidgets import QWidget

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Declared, random_seed, real
from kernelviz.engine.fits.held_out import FRESH_POINTS, SHARES
from kernelviz.scene.wording import counted, shown
from kernelviz.session.state import Document, State
from kernelviz.ui.widgets.buttons import CheckBox
from kernelviz.ui.widgets.controls import Segments
from kernelviz.ui.widgets.form import ParameterForm
from kernelviz.ui.widgets.labels import Label, MessageLabel
from kernelviz.ui.widgets.layouts import column, row
from kernelviz.ui.workbench.throttle import READABLE, Throttle
from kernelviz.ui.workbench.workbench import Workbench

TOGGLE = "held_out"


@dataclass(frozen=True)
class Share(Declared):
    """The share of the points that is held out, and the seed that draws them."""

    name = "held-out points"
    title = "Share"
    summary_line = "A share of the points is kept out of training."

    share: float = real(0.3, low=SHARES[0], high=SHARES[1], help="Share of the points kept out of training")
    seed: int = random_seed("Another seed, other points")


class HeldOutPart(QWidget):
    """Chooses between no held-out points, a share of the points, and fresh ones.

    A share is drawn by a seed, so that the same points are held out the next time. Fresh points come from the
    same distribution, which only a generated data set has. Below the choice stands the error of the present
    fit on these points."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__()
        self._workbench = workbench
        self._last = Share()
        self.choice = Segments({"none": "none", "share": "a share", "fresh": "fresh"})
        self.choice.setToolTip(
            "Points kept out of training, to measure the error on unseen data: a share of the points, or "
            f"{FRESH_POINTS} fresh ones of the same distribution"
        )
        self.form = ParameterForm(Share)
        self.show_points = CheckBox("Show them as hollow marks")
        self.result = MessageLabel("text")
        self.problem = MessageLabel("error")
        self._soon = Throttle(self, READABLE, self._show_result)
        label = Label("Held out")
        label.setBuddy(self.choice)
        choice = row(label, (self.choice, 1), spacing=10)
        column(choice, self.form, self.show_points, self.result, self.problem, on=self)
        self.choice.chosen.connect(self._on_chosen)
        self.form.edited.connect(self._on_share)
        self.show_points.clicked.connect(lambda: workbench.session.toggle(TOGGLE))
        workbench.state_changed.connect(self._on_state)
        workbench.frame_arrived.connect(self._on_answer)
        workbench.failed.connect(self._on_answer)
        self._show_document(workbench.session.document)
        self.show_points.setChecked(TOGGLE in workbench.session.look.shown)

    # Showing -------------------------------------------------------------------------------------------
    def _on_state(self, old: State, new: State) -> None:
        """Show other held-out points, or whether they are drawn."""
        if old.document.held_out is not new.document.held_out:
            self._show_document(new.document)
        elif old.document is not new.document:
            self.problem.say("")
        if old.look.shown != new.look.shown:
            self.show_points.setChecked(TOGGLE in new.look.shown)

    def _on_answer(self, _: object) -> None:
        self._soon.ask()

    def _show_document(self, document: Document) -> None:
        """Show which points are held out, and the controls that apply to them."""
        held = document.held_out
        option = "none" if held is None else "fresh" if held.share is None else "share"
        self.choice.show_option(option)
        if held is not None and held.share is not None:
            self._last = Share(held.share, held.seed)
        self.form.show_declared(self._last)
        self.form.setVisible(option == "share")
        self.show_points.setVisible(held is not None)
        self.problem.say("")
        if held is None:
            self.result.say("")

    def _show_result(self) -> None:
        """Show the error of the present fit on the held-out points."""
        frame, held = self._workbench.frame, self._workbench.session.document.held_out
        if held is None or frame is None or frame.test is None:
            self.result.say("")
            return
        test = frame.test
        about = counted(test.n, "point") + " held out"
        if test.mistakes is not None and test.error is not None:
            about += f": {int(test.mistakes.sum())} wrong, error {100 * test.error:.3g} %"
        elif test.mean_squared_error is not None:
            about += f": mean squared error {shown(test.mean_squared_error, 3)}"
        elif test.places is not None and (lost := int(np.isnan(test.places).sum())):
            about += f": the fit has no value at {lost} of them, so there is no mean error"
        self.result.say(f"{about}.")

    # Changing ------------------------------------------------------------------------------------------
    def _on_chosen(self, option: str) -> None:
        """Hold out no points, a share of them, or fresh ones."""
        document = self._workbench.session.document
        if option == "share":
            self._on_share(self._last, None, "hold out points")
        elif option == "fresh":
            self._replace("hold out fresh points", document.with_fresh_points)
        else:
            self._replace("hold nothing out", document.with_nothing_held_out)

    def _on_share(self, share: Share, gesture: object, undo_name: str) -> None:
        """Hold out a share of the points, and show them if none of them was held out before."""
        document = self._workbench.session.document
        before = document.held_out
        self._replace(undo_name, lambda: document.with_share_aside(share.share, share.seed), gesture)
        after = self._workbench.session.document.held_out
        if after is not before and (before is None or before.share is None):
            # They were training points a moment ago: show which they are.
            self._workbench.session.adjust(shown=self._workbench.session.look.shown | {TOGGLE})

    def _replace(self, name: str, make: Callable[[], Document], gesture: object = None) -> None:
        """Replace the document as a step of undo, or show why that is not possible."""
        session = self._workbench.session
        try:
            session.replace(name, make(), gesture=gesture)
        except BadInput as problem:
            self._show_document(session.document)
            self.problem.say(str(problem))
