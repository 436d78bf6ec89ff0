"""The line below the canvas: numbers on the left, what must be said aloud on the right."""

from __future__ import annotations

from PySide6.QtWidgets import QSizePolicy, QStatusBar

from kernelviz.drawing.insight.mistakes import about_mistakes
from kernelviz.drawing.numbers import counted
from kernelviz.engine.analysis.gap import about_the_gap
from kernelviz.engine.data import Data
from kernelviz.runtime.messages import Failure, Frame, Verdict
from kernelviz.session.state import State
from kernelviz.ui.controls.elided import Parts
from kernelviz.ui.controls.keys import ToolButton
from kernelviz.ui.controls.plain import Label, plain
from kernelviz.ui.window import status
from kernelviz.ui.workbench.pace import READABLE, Pace
from kernelviz.ui.workbench.workbench import Workbench

__all__ = ["StatusLine"]

COMPUTING = "computing…"


class StatusLine(QStatusBar):
    """Follows the workbench; "computing" appears when a picture takes longer than a blink."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__()
        self._workbench = workbench
        self._indefinite = ""
        self._not_kept = ""
        self._shown: Frame | None = None
        self.setSizeGripEnabled(False)
        self.setContentsMargins(10, 0, 10, 0)
        # The window may be narrower than the numbers; the line must not force its width.
        self.figures = Parts(status.IMPORTANCE)
        self.figures.setProperty("role", "")
        self.warning = Parts()
        self.warning.setProperty("role", "warning")
        self.warning.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.computing = Label(COMPUTING, self)
        self.computing.setProperty("role", "muted")
        self.computing.hide()
        self.stop = ToolButton()
        self.stop.setObjectName("stop")
        self.stop.setText("Stop")
        self.stop.setToolTip("Do not finish this; any change starts it again")
        self.stop.clicked.connect(workbench.stop_computing)
        self.stop.setMaximumHeight(self.computing.sizeHint().height())  # the line stays as low as it is
        self.stop.hide()
        self.addWidget(self.figures, 1)
        self.addPermanentWidget(self.computing)
        self.addPermanentWidget(self.stop)
        self.addPermanentWidget(self.warning)
        self._soon = Pace(self, READABLE, self._show_latest)
        workbench.frame_arrived.connect(self._on_frame)
        workbench.failed.connect(self._show_failure)
        workbench.left_behind.connect(self._show_count_alone)
        workbench.verdict_arrived.connect(self._show_verdict)
        workbench.busy_changed.connect(self._show_busy)
        workbench.progressed.connect(self._show_progress)
        workbench.state_changed.connect(self._on_state)

    def _show_busy(self, busy: bool) -> None:
        self.computing.setVisible(busy)
        if busy:
            self._drop_outdated_numbers()
        else:
            self.computing.setText(COMPUTING)
            self.stop.hide()

    def _show_progress(self, words: str) -> None:
        self.computing.setText(f"{COMPUTING} {words}")
        self.stop.setVisible(not self.computing.isHidden())

    def _on_frame(self, frame: Frame) -> None:
        self._soon.ask()

    def _show_latest(self) -> None:
        if self._workbench.frame is not None and self._workbench.frame is not self._shown:
            self._show_frame(self._workbench.frame)

    def _show_frame(self, frame: Frame) -> None:
        self._shown = frame
        self._show_figures()
        self._warn(frame)

    def _show_figures(self) -> None:
        frame = self._shown
        if frame is not None:
            mistakes = about_mistakes(frame, self._workbench.verdict)
            self.figures.set_parts(status.figures(frame, mistakes.words))
            told = (self.figures.text(), frame.model.message, about_the_gap(frame.model), mistakes.meaning)
            self.figures.setToolTip(plain("\n".join(filter(None, told))))

    def _show_failure(self, failure: Failure) -> None:
        self._soon.stop()
        self._shown = None
        self.figures.set_parts({"points": _counted(failure.request.data), "none": "no fit"})
        self.figures.setToolTip(plain(failure.sentence))
        self._warn(None)

    def _drop_outdated_numbers(self) -> None:
        """Show the present number of points while the fit of another number is the latest there is."""
        frame = self._workbench.frame
        if frame is not None and frame.data.n != self._workbench.session.document.data.n:
            self._show_count_alone()

    def _show_count_alone(self) -> None:
        self._soon.stop()
        self._shown, self._indefinite = None, ""
        self.figures.set_parts({"points": _counted(self._workbench.session.document.data)})
        self.figures.setToolTip("")
        self._warn(None)

    def _show_verdict(self, verdict: Verdict) -> None:
        self._indefinite = "" if verdict.mercer.holds else "kernel not positive semi-definite on these points"
        if verdict.mistake_bound is not None:
            self._show_figures()
        self._warn(self._shown)  # not the newest: numbers and warnings belong together

    def _on_state(self, old: State, new: State) -> None:
        if old.document.kernel != new.document.kernel:
            self._indefinite = ""
        if not self.computing.isHidden():
            self._drop_outdated_numbers()

    def show_not_kept(self, problem: str) -> None:
        """Why autosave fails; empty when it works again."""
        self._not_kept = problem
        self._warn(self._shown)

    def _warn(self, frame: Frame | None) -> None:
        said = status.warnings(frame, self._workbench.session.document, self._indefinite)
        if self._not_kept:
            said.insert(0, f"autosave fails: {self._not_kept}")
        self.warning.set_parts({sentence: sentence for sentence in said})
        self.warning.setToolTip(plain("\n".join(said)))
        self.warning.setVisible(bool(said))


def _counted(data: Data) -> str:
    return counted(data.n, data.noun)
