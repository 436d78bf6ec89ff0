"""The algorithm panel, and the button that improves the parameters.

The panel offers the algorithms that can learn the present data, and keeps the parameters of each for the next
time it is chosen. An algorithm that declares an improvement, such as maximum likelihood, gets the button."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QProgressBar, QWidget

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.core.data import Domain, Task
from kernelviz.engine.fits import registry
from kernelviz.engine.fits.parsing import Fit
from kernelviz.scene.wording import shown
from kernelviz.session.state import Document
from kernelviz.ui.sidebar.formula_label import FormulaLabel
from kernelviz.ui.sidebar.panel import Panel, note
from kernelviz.ui.widgets.buttons import Button
from kernelviz.ui.widgets.labels import MessageLabel, describe
from kernelviz.ui.widgets.layouts import column
from kernelviz.ui.workbench.workbench import Workbench


class Improvement(QWidget):
    """The button that improves the parameters; visible while the algorithm declares such an improvement.

    It runs in the background, with progress and a way to stop if it takes longer. The result becomes one step
    of undo. If points, kernel or algorithm change meanwhile, the run is cancelled: its result would belong to
    another problem."""

    def __init__(self, workbench: Workbench) -> None:
        # Milliseconds until progress and a stop button appear; most improvements are done by then.
        progress_after = 200
        super().__init__()
        self.allowed = True
        self._session = workbench.session
        self.background = workbench.background("kernelviz-improvement", self)
        self.button = Button(do=self._on_clicked)
        self.progress = QProgressBar()
        self.progress.setRange(0, 100)
        self.message = MessageLabel("muted")
        column(self.button, self.progress, self.message, on=self)
        self._progress_due = QTimer(self, singleShot=True, interval=progress_after)
        self._progress_due.timeout.connect(lambda: self._show_busy(True))
        self.background.progressed.connect(lambda share: self.progress.setValue(round(100 * share)))
        self.background.done.connect(self._on_done)
        self.background.failed.connect(self._on_failed)
        self._document: Document | None = None
        self._text = ""

    def allow(self, on: bool) -> None:
        """Offer the improvement that the algorithm declares, or nothing."""
        self.allowed = on
        self.setVisible(on and bool(self._text))

    def show_document(self, document: Document) -> None:
        """Offer the improvement that the document's algorithm declares. Call this once there is a parent:
        without one, showing the widget would open a window."""
        old, self._document = self._document, document
        if old is not None and old.fit is document.fit and old.data is document.data:
            return
        text = document.algorithm.improvement
        if old is None or text != self._text or self.background.busy or self.message.sentence:
            self._text = text
            self.setVisible(self.allowed and bool(text))
            self._cancel()

    def _cancel(self) -> None:
        """Cancel the run and remove its message."""
        self.background.cancel()
        self.message.say("")
        self._show_busy(False)

    def _show_busy(self, busy: bool) -> None:
        """Turn the button into one that stops a run, with its progress, or back."""
        self._progress_due.stop()
        self.progress.setVisible(busy)
        action = self._text or "Improve the parameters"  # hidden widgets need a name too
        self.progress.setAccessibleName(f"{action}: progress")
        self.button.setText("Stop" if busy else action)
        if busy:
            describe(self.button, f"Stop: {action}", "Stop and keep the parameters as they are")
        else:
            describe(self.button, action, "Search for better parameters of kernel and algorithm from here")

    def _on_clicked(self) -> None:
        """Start a run, or stop the present one."""
        document = self._session.document
        if self.background.busy:
            if not self.progress.isHidden():  # the second click of a double click must not stop it
                self._cancel()
            return
        self.message.say("")
        self.progress.setValue(0)
        self._progress_due.start()
        self.background.start(
            lambda _beat: document.fit.improved(document.data),
            no_memory="There is not enough memory for this. Use fewer points.",
        )

    def _on_done(self, fit: Fit) -> None:
        """Use the better parameters as one step of undo, or say that there are none."""
        self._show_busy(False)
        if fit == self._session.document.fit:
            self.message.say("No better parameters nearby.")
        else:
            self._session.change(self._text.lower(), kernel=fit.kernel, algorithm=fit.algorithm)

    def _on_failed(self, sentence: str) -> None:
        """Show why the run has failed."""
        self._show_busy(False)
        self.message.say(sentence, "error")


def _learners(task: Task, domain: Domain) -> list[type[Algorithm]]:
    """Return the algorithms that can learn such data."""
    return [kind for kind in registry.algorithms().values() if kind.learns(task, domain)]


class AlgorithmPanel(Panel):
    """Chooses the algorithm and its parameters, among those that can learn the present data.

    The parameters of each algorithm are kept for the next time it is chosen, separately for each task."""

    def __init__(self, workbench: Workbench) -> None:
        data = workbench.session.document.data
        self._asked = (data.task, data.domain)
        super().__init__(workbench, "Algorithm", _learners(*self._asked))
        self._last: dict[tuple[str, Task], Algorithm] = {}
        self._algorithm: Algorithm | None = None
        self.formula = FormulaLabel()
        self.improvement = Improvement(workbench)
        self.equivalent = note()
        self.equivalent.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.equivalent.setToolTip("The same classifier minimises mean hinge loss + λ‖w‖²")
        self.hint = MessageLabel("muted")
        # Controls come before text: a low window shows only the upper part.
        controls = (self.picker, self.summary, self.form, self.improvement)
        self.lay_out(*controls, self.formula, self.equivalent, self.hint)
        self.show_document(workbench.session.document)

    def show_document(self, document: Document) -> None:
        """Show the algorithm of a document, and the algorithms that can learn its data."""
        algorithm = document.algorithm
        self.improvement.show_document(document)
        self._show_equivalent(document)
        asked = (document.data.task, document.data.domain)
        several = algorithm.votes_on(document.data.task)
        several_classes = "More than two classes: one classifier per pair of classes, and they vote."
        if algorithm.against_the_rest:
            several_classes = "More than two classes: one classifier per class, and the highest score wins."
        self.hint.say("" if not several else several_classes)
        if algorithm is self._algorithm and asked == self._asked:
            return
        if asked != self._asked:
            self._asked = asked
            self.picker.offer(_learners(*asked))
        self._algorithm = self._last[algorithm.name, asked[0]] = algorithm
        self.show_chosen(algorithm, algorithm.parameters_for(asked[0]))
        self.formula.set_latex(algorithm.latex)
        self.formula.setVisible(bool(algorithm.latex))

    def _show_equivalent(self, document: Document) -> None:
        """Show λ for C: lecture notes use either."""
        C, n = document.algorithm.values().get("C"), document.data.n
        self.equivalent.setVisible(C is not None and n > 0 and not self.form.hidden)
        if C is not None and n > 0:
            self.equivalent.setText(f"λ = 1/(2nC) = {shown(1 / (2 * n * C))} with n = {n}")

    def hide_controls(self, names: frozenset[str]) -> None:
        super().hide_controls(names)
        self.improvement.allow(not names)
        self._show_equivalent(self.workbench.session.document)

    def on_picked(self, name: str) -> None:
        """Use another algorithm, with the parameters it had the last time."""
        if self._algorithm is not None and name == self._algorithm.name:
            return
        task = self._asked[0]
        new = self._last.get((name, task)) or registry.algorithms()[name].suited_to(task)
        self.workbench.session.change("choose algorithm", algorithm=new)

    def on_edited(self, algorithm: Algorithm, gesture: object, undo_name: str) -> None:
        """Use the algorithm with other parameters."""
        self.workbench.session.change(undo_name, gesture=gesture, algorithm=algorithm)
