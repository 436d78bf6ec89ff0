"""The algorithm panel: which one, what it does in a line and in a formula, and its parameters."""

from __future__ import annotations

from PySide6.QtCore import Qt

from kernelviz.engine import registry
from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.data import Domain, Task
from kernelviz.session.state import Document
from kernelviz.ui.controls.message import Message
from kernelviz.ui.controls.picker import Picker
from kernelviz.ui.controls.scale import digits
from kernelviz.ui.panels.form_stack import FormStack
from kernelviz.ui.panels.formula_label import FormulaLabel
from kernelviz.ui.panels.improvement import Improvement
from kernelviz.ui.panels.panel import Panel, note
from kernelviz.ui.workbench.workbench import Workbench

__all__ = ["AlgorithmPanel"]


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
