"""The status line: the numbers of the fit, and warnings.

The errors and the number of support vectors come first, in large type, the rest is behind them. Numbers are
updated as often as they can be read, not with every frame. Where not all of them fit, the least important are
left out whole; the tooltip has all of them. Numbers of a fit that no longer has the points on screen are
removed."""

from __future__ import annotations

from PySide6.QtWidgets import QSizePolicy, QStatusBar

from kernelviz.engine.analysis.remarks import about_flatness, about_the_gap
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.losses import SQUARED_ERROR, ZERO_ONE
from kernelviz.engine.models.base import Model, Status
from kernelviz.engine.numbers.declared import label
from kernelviz.runtime.messages import Failure, Frame, Verdict
from kernelviz.scene.wording import about_mistakes, counted, errors_in_words, shown
from kernelviz.session.state import Document, State
from kernelviz.ui.widgets.buttons import ToolButton
from kernelviz.ui.widgets.labels import ElidedParts, Label, plain
from kernelviz.ui.workbench.throttle import READABLE, Throttle
from kernelviz.ui.workbench.workbench import Workbench

# The most important first: where not all numbers fit, the last ones are left out.
IMPORTANCE = (
    *("points", "none", "training", "held out", "support", "mistakes", "ε found"),
    *(label("log_marginal_likelihood"), label("margin_width"), "loss", label("margin")),
    *("b", "free", "iterations", "time"),
)
COMPUTING = "computing…"


def figures(frame: Frame, mistakes: str = "") -> dict[str, str]:
    """Return the numbers that apply to a fit, by name: points, support vectors, errors, margins, b, loss,
    mistakes, iterations and time."""
    numbers = frame.model.numbers
    points = {"points": counted(frame.data.n, frame.data.noun)}
    seconds = frame.seconds
    time = {"time": f"{1000 * seconds:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"}
    support = numbers.get("support_vectors")
    if frame.model.status is Status.NOT_SEPARABLE and not support:
        return points | {"none": "no separating boundary"} | time
    if frame.model.status is Status.LIMIT and support == 0:
        return points | {"none": "no boundary found"} | time
    parts = points
    if support is not None:
        parts["support"] = counted(int(support), "support vector")
    parts |= dict(zip(("training", "held out"), errors_in_words(numbers, frame.test), strict=False))
    for name, value in other_numbers(frame.model):
        parts["loss" if name.endswith(" loss") else name] = f"{name} {value}"
    if (free := numbers.get("free")) is not None and (bounded := numbers.get("bounded")) is not None:
        parts["free"] = f"{free} free, {bounded} bounded"
    if mistakes:
        parts["mistakes"] = mistakes
    if (steps := numbers.get("iterations")) is not None:
        unneeded = steps == 0 and frame.model.status is Status.CONVERGED
        parts["iterations"] = "no iteration needed" if unneeded else counted(int(steps), "iteration")
    return parts | time


def other_numbers(model: Model) -> list[tuple[str, str]]:
    """Return margin, b and loss with their names, as far as they apply.

    The half-width is that of the drawn band to either side of the boundary, the smallest margin that of the
    closest point."""
    numbers, zero = model.numbers, model.accuracy
    norm = numbers.get("norm")
    found = [
        ("ε found", None if "epsilon" in model.algorithm.values() else numbers.get("epsilon"), 0.0),
        (label("log_marginal_likelihood"), numbers.get("log_marginal_likelihood"), 0.0),
        (label("margin_width"), numbers.get("margin_width"), 0.0),
        (label("margin"), numbers.get("margin"), zero / norm if norm else 0.0),
        ("b", model.b, zero),
    ]
    loss = model.own_loss
    if loss not in (ZERO_ONE, SQUARED_ERROR):  # these are the training error
        found.append((f"{loss.name} loss", numbers.get("loss"), zero))
    return [(name, shown(value, zero=limit)) for name, value, limit in found if value is not None]


def warnings(frame: Frame | None, document: Document, indefinite: str = "") -> list[str]:
    """Return warnings: not converged, not separable, not positive semi-definite, standardised."""
    found = []
    # Characters of a message that still fits; a longer one is in the banner and the tooltip.
    longest_message = 72
    short = {Status.NOT_SEPARABLE: "not separable", Status.LIMIT: "not converged"}
    if frame is not None and frame.model.status in short:
        message = frame.model.message
        found.append(message if len(message) <= longest_message else short[frame.model.status])
    if frame is not None and about_flatness(frame.model):
        found.append("the same score everywhere")
    if indefinite:
        found.append(indefinite)
    if document.standardised:
        found.append("coordinates standardised")
    return found


class StatusLine(QStatusBar):
    """Shows the numbers of the latest fit, and warnings at its right end.

    The numbers follow the frames as often as they can be read. "computing…" appears when a frame takes long,
    with a button to stop it."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__()
        self._workbench = workbench
        self._indefinite = ""
        self._not_kept = ""
        self._shown: Frame | None = None
        self.setSizeGripEnabled(False)
        self.setContentsMargins(10, 0, 10, 0)
        # The line must not force the width of a window that is narrower than the numbers.
        matters_most = ("training", "held out", "support")  # In large type before the rest.
        self.figures = ElidedParts(IMPORTANCE, large=matters_most)
        self.warning = ElidedParts(role="warning")
        self.warning.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.computing = Label(COMPUTING, self, role="muted")
        self.computing.hide()
        self.stop = ToolButton(
            "", "Stop", "Cancel. The next change starts it again.", workbench.stop_computing, text="Stop"
        )
        self.stop.setObjectName("stop")
        self.stop.setMaximumHeight(self.computing.sizeHint().height())  # the line must not become higher
        self.stop.hide()
        self.addWidget(self.figures, 1)
        self.addPermanentWidget(self.computing)
        self.addPermanentWidget(self.stop)
        self.addPermanentWidget(self.warning)
        self._soon = Throttle(self, READABLE, self._show_latest)
        workbench.frame_arrived.connect(self._on_frame)
        workbench.failed.connect(self._show_failure)
        workbench.workspace_left.connect(self._show_count_alone)
        workbench.verdict_arrived.connect(self._show_verdict)
        workbench.busy_changed.connect(self._show_busy)
        workbench.progressed.connect(self._show_progress)
        workbench.state_changed.connect(self._on_state)

    def _show_busy(self, busy: bool) -> None:
        """Show "computing…", or hide it with its button."""
        self.computing.setVisible(busy)
        if busy:
            self._drop_outdated_numbers()
        else:
            self.computing.setText(COMPUTING)
            self.stop.hide()

    def _show_progress(self, words: str) -> None:
        """Show the progress of a long fit, and offer to stop it."""
        self.computing.setText(f"{COMPUTING} {words}")
        self.stop.setVisible(not self.computing.isHidden())

    def _on_frame(self, frame: Frame) -> None:
        """Show the numbers of a frame soon."""
        self._soon.ask()

    def _show_latest(self) -> None:
        """Show the numbers and warnings of the latest frame, unless they are there already."""
        frame = self._workbench.frame
        if frame is not None and frame is not self._shown:
            self._shown = frame
            self._show_figures()
            self._warn(frame)

    def _show_figures(self) -> None:
        """Show the numbers of the frame that was taken last, and their meaning as a tooltip."""
        frame = self._shown
        if frame is not None:
            mistakes = about_mistakes(frame, self._workbench.verdict)
            self.figures.set_parts(figures(frame, mistakes.words))
            lines = (self.figures.text(), frame.model.message, about_the_gap(frame.model), mistakes.meaning)
            self.figures.setToolTip(plain("\n".join(filter(None, lines))))

    def _show_failure(self, failure: Failure) -> None:
        """Show the number of points, and that they have no fit."""
        self._soon.stop()
        self._shown = None
        self.figures.set_parts({"points": _counted(failure.request.data), "none": "no fit"})
        self.figures.setToolTip(plain(failure.sentence))
        self._warn(None)

    def _drop_outdated_numbers(self) -> None:
        """Show only the number of points while the latest fit has another number of them."""
        frame = self._workbench.frame
        if frame is not None and frame.data.n != self._workbench.session.document.data.n:
            self._show_count_alone()

    def _show_count_alone(self) -> None:
        """Show only the number of points, as there are no numbers of their fit yet."""
        self._soon.stop()
        self._shown, self._indefinite = None, ""
        self.figures.set_parts({"points": _counted(self._workbench.session.document.data)})
        self.figures.setToolTip("")
        self._warn(None)

    def _show_verdict(self, verdict: Verdict) -> None:
        """Warn of a kernel that is not positive semi-definite here, and show the bound on mistakes."""
        self._indefinite = "" if verdict.mercer.holds else "kernel not positive semi-definite on these points"
        if verdict.mistake_bound is not None:
            self._show_figures()
        self._warn(self._shown)  # not those of the newest frame: numbers and warnings belong together

    def _on_state(self, old: State, new: State) -> None:
        """Drop what no longer belongs to the present document."""
        if old.document.kernel != new.document.kernel:
            self._indefinite = ""
        if not self.computing.isHidden():
            self._drop_outdated_numbers()

    def show_not_kept(self, problem: str) -> None:
        """Show why autosave fails; an empty text means that it works again."""
        self._not_kept = problem
        self._warn(self._shown)

    def _warn(self, frame: Frame | None) -> None:
        """Show the warnings about a frame, and above all that autosave fails."""
        found = warnings(frame, self._workbench.session.document, self._indefinite)
        if self._not_kept:
            found.insert(0, f"autosave fails: {self._not_kept}")
        self.warning.set_parts({sentence: sentence for sentence in found})
        self.warning.setToolTip(plain("\n".join(found)))
        self.warning.setVisible(bool(found))


def _counted(data: Data) -> str:
    """Return the number of points in words."""
    return counted(data.n, data.noun)
