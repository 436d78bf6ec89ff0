"""The algorithm panel, with the button that maximises the likelihood."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QProgressBar, QVBoxLayout, QWidget

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.core.data import Domain, Task
from kernelviz.engine.fits import registry
from kernelviz.engine.fits.parsing import Fit
from kernelviz.session.state import Document
from kernelviz.ui.sidebar.formula_label import FormulaLabel
from kernelviz.ui.sidebar.panel import Panel, note
from kernelviz.ui.widgets.buttons import Button
from kernelviz.ui.widgets.form import FormStack
from kernelviz.ui.widgets.labels import Message
from kernelviz.ui.widgets.picker import Picker
from kernelviz.ui.widgets.scale import digits
from kernelviz.ui.workbench.workbench import Workbench

# Milliseconds before progress and a way to stop are shown: most improvements are done by then.
PATIENCE = 200


class Improvement(QWidget):
    """There while the algorithm declares an improvement. What it finds becomes one step of undo; when points,
    kernel or algorithm change on the way, it is given up in favour of what was changed."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__()
        self._session = workbench.session
        self._background = workbench.background("kernelviz-improvement", self)
        self.button = Button()
        self.progress = QProgressBar()
        self.progress.setRange(0, 100)
        self.message = Message("muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.button)
        column.addWidget(self.progress)
        column.addWidget(self.message)
        self._long = QTimer(self, singleShot=True, interval=PATIENCE)
        self._long.timeout.connect(lambda: self._show_busy(True))
        self.button.clicked.connect(self._on_clicked)
        self._background.progressed.connect(lambda share: self.progress.setValue(round(100 * share)))
        self._background.done.connect(self._on_done)
        self._background.failed.connect(self._on_failed)
        self._document: Document | None = None
        self._text = ""

    def show_document(self, document: Document) -> None:
        """Offer what its algorithm declares. Not before there is a parent: it would be a window."""
        old, self._document = self._document, document
        if old is None or old.fit is not document.fit or old.data is not document.data:
            self._text = document.algorithm.improvement
            self.setVisible(bool(self._text))
            self._give_up()

    def _give_up(self) -> None:
        self._background.cancel()
        self.message.say("")
        self._show_busy(False)

    def _show_busy(self, busy: bool) -> None:
        self._long.stop()
        self.progress.setVisible(busy)
        what = self._text or "Improve the parameters"  # what cannot be seen has a name too
        self.progress.setAccessibleName(f"{what}: share done")
        self.button.setText("Stop" if busy else what)
        self.button.setAccessibleName(f"Stop: {what}" if busy else what)
        self.button.setToolTip(
            "Leave the parameters as they are"
            if busy
            else "Find the parameters of kernel and algorithm uphill from these; undo takes it back"
        )

    def _on_clicked(self) -> None:
        document = self._session.document
        if self._background.busy:
            if not self.progress.isHidden():  # the second half of a double click stops nothing
                self._give_up()
            return
        self.message.say("")
        self.progress.setValue(0)
        self._long.start()
        self._background.start(
            lambda _beat: document.fit.improved(document.data),
            no_memory="There is not enough memory for this. Take fewer points.",
        )

    def _on_done(self, fit: Fit) -> None:
        self._show_busy(False)
        if fit == self._session.document.fit:
            self.message.say("Nothing nearby is better.")
        else:
            self._session.change(self._text.lower(), kernel=fit.kernel, algorithm=fit.algorithm)

    def _on_failed(self, sentence: str) -> None:
        self._show_busy(False)
        self.message.say(sentence, "error")


def _learners(task: Task, domain: Domain) -> list[type[Algorithm]]:
    """What learns such data."""
    return [kind for kind in registry.algorithms().values() if kind.learns(task, domain)]


class AlgorithmPanel(Panel):
    """Picks and parameterises the algorithm."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench, "Algorithm")
        self._last: dict[tuple[str, Task], Algorithm] = {}
        self._algorithm: Algorithm | None = None
        data = workbench.session.document.data
        self._asked = (data.task, data.domain)
        self.picker = Picker("Algorithm", _learners(*self._asked))
        self.summary = note()
        self.formula = FormulaLabel()
        self.form = FormStack()
        self.improvement = Improvement(workbench)
        self.equivalent = note()
        self.equivalent.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.equivalent.setToolTip("The same classifier, as mean hinge loss plus λ‖w‖² to be minimised")
        self.hint = Message("muted")
        # What one moves comes before what one reads: a low window shows the upper part only.
        moved = (self.picker, self.summary, self.form, self.improvement)
        for widget in (*moved, self.formula, self.equivalent, self.hint):
            self.column.addWidget(widget)
        self.column.addStretch(1)
        self.picker.picked.connect(self._on_picked)
        self.form.edited.connect(self._on_edited)
        self.form.grown.connect(self.order_tabs)
        self.form.renamed.connect(self.shown)
        self.show_document(workbench.session.document)

    def show_document(self, document: Document) -> None:
        algorithm = document.algorithm
        self.improvement.show_document(document)
        self._show_equivalent(algorithm, document.data.n)
        asked = (document.data.task, document.data.domain)
        several = algorithm.votes_on(document.data.task)
        self.hint.say(
            "More than two classes: every pair gets a classifier, and they vote." if several else ""
        )
        if algorithm is self._algorithm and asked == self._asked:
            return
        if asked != self._asked:
            self._asked = asked
            self.picker.offer(_learners(*asked))
        self._algorithm = self._last[algorithm.name, asked[0]] = algorithm
        self.picker.show_name(algorithm.name, algorithm.title)
        self.summary.setText(algorithm.summary_line)
        self.formula.set_latex(algorithm.latex)
        self.formula.setVisible(bool(algorithm.latex))
        self.form.show_declared(algorithm, algorithm.parameters_for(asked[0]))

    def _show_equivalent(self, algorithm: Algorithm, n: int) -> None:
        """λ = 1/(2nC) beside C: the notes know the soft margin by both."""
        C = algorithm.values().get("C")
        self.equivalent.setVisible(C is not None and n > 0)
        if C is not None and n > 0:
            self.equivalent.setText(f"λ = 1/(2nC) = {digits(1 / (2 * n * C))} with n = {n}")

    def _on_picked(self, name: str) -> None:
        if self._algorithm is not None and name == self._algorithm.name:
            return
        task = self._asked[0]
        new = self._last.get((name, task)) or registry.algorithms()[name].suited_to(task)
        self.workbench.session.change("choose algorithm", algorithm=new)

    def _on_edited(self, algorithm: Algorithm, gesture: object, undo_name: str) -> None:
        self.workbench.session.change(undo_name, gesture=gesture, algorithm=algorithm)
