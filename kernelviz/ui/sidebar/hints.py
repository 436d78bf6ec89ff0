"""Hints in the panels about settings that do not suit the points, each with a button that mends it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from kernelviz.engine.core.data import Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.datasets.base import DataSet
from kernelviz.engine.fits import registry
from kernelviz.engine.fits.expressions import parse_dataset
from kernelviz.engine.fits.posing import other_task
from kernelviz.scene.axes import axis_name
from kernelviz.scene.wording import shown
from kernelviz.session.state import Document, State
from kernelviz.session.suiting import unsuited_width
from kernelviz.session.tables.preparation import standardised, unlike_columns
from kernelviz.session.workspaces.registry import workspace_of
from kernelviz.ui.widgets.buttons import Button
from kernelviz.ui.widgets.labels import MessageLabel
from kernelviz.ui.widgets.layouts import row
from kernelviz.ui.workbench.throttle import READABLE, Throttle
from kernelviz.ui.workbench.workbench import Workbench


class Hint(QWidget):
    """A sentence about the document with a button next to it; hidden while there is nothing to say."""

    def __init__(self, workbench: Workbench, button: Button) -> None:
        super().__init__()
        self.session = workbench.session
        self.allowed = True
        self.message, self.button = MessageLabel("warning"), button
        button.clicked.connect(self.act)
        line = row((self.message, 1), button, on=self)
        line.setAlignment(button, Qt.AlignmentFlag.AlignTop)
        self._soon = Throttle(self, READABLE, lambda: self._show(self.session.document))
        workbench.state_changed.connect(self._on_state)
        self._show(self.session.document)

    def _on_state(self, old: State, new: State) -> None:
        if old.document.data is not new.document.data or old.document.fit is not new.document.fit:
            self._soon.ask()

    def allow(self, on: bool) -> None:
        """Let the hint appear when it applies, or keep it hidden."""
        self.allowed = on
        self._show(self.session.document)

    def _show(self, document: Document) -> None:
        """Show the sentence about a document, if there is one."""
        sentence = self.about(document) if self.allowed else ""
        self.message.say(sentence)
        self.setVisible(bool(sentence))

    def about(self, document: Document) -> str:
        """Return the sentence about a document, or an empty text."""
        raise NotImplementedError

    def act(self) -> None:
        """Do what the button promises."""
        raise NotImplementedError


class ScalesHint(Hint):
    """A warning about columns of unlike scales, and about a table in units in which points are not about 1
    apart, with a button that standardises them."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench, Button("Standardise", "Scale each coordinate to mean 0 and variance 1"))

    def about(self, document: Document) -> str:
        """Return a sentence if one column varies much more than another, or γ = 1 would not suit them."""
        if (found := unlike_columns(document.data)) is not None:
            wide, narrow, times = found
            return (
                f"{axis_name(wide)} varies {times:.0f} times more than {axis_name(narrow)}, "
                f"so a distance-based kernel almost ignores {axis_name(narrow)}."
            )
        if document.standardised or not is_table(document):
            return ""
        width = unsuited_width(registry.kernels()["rbf"](), document.data)
        return (
            "" if width is None else f"The points are much {'more' if width.narrow else 'less'} than 1 apart."
        )

    def act(self) -> None:
        """Standardise the points, and the held-out points by the same mean and variance."""
        document = self.session.document
        held = document.held_out
        if held is not None:
            held = held.with_data(standardised(held.data, by=document.data))
        data = standardised(document.data)
        self.session.replace("standardise", document.replace(data=data, held_out=held, standardised=True))
        self.session.adjust(view=workspace_of(data).extent(data))


class WidthHint(Hint):
    """A warning about a kernel that is far too narrow or too wide for the distances of the points, with a
    button that sets the width of the median heuristic."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench, Button("Set", "Set the width by the median heuristic"))

    def about(self, document: Document) -> str:
        """Return a sentence if the kernel is used and its width does not suit the points."""
        if not document.algorithm.uses_kernel:
            return ""
        found = unsuited_width(document.kernel, document.data)
        if found is not None:
            self.button.setText(f"{found.label} = {shown(float(f'{found.wanted:.3g}'))}")
        return "" if found is None else str(found)

    def act(self) -> None:
        """Set all widths of the kernel by the median heuristic."""
        document = self.session.document
        numbers = document.kernel.domain == "vectors"
        kernel = document.kernel.scaled_to(document.data.numbers if numbers else document.data.X)
        self.session.change("set width by median heuristic", kernel=kernel)


class TaskHint(Hint):
    """Says how the target of a table is treated if it may be a class or a number, with a button that treats
    it as the other kind."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(
            workbench, Button("Treat it as a number", "Treat the target of the table as the other kind")
        )
        self.message.tone = "muted"

    def about(self, document: Document) -> str:
        """Return a sentence about a table from a file if a workspace can show it in both ways."""
        data = document.data
        other = other_task(data) if is_table(document) else None
        if other is None or workspace_of(other).refusal(other):
            return ""
        quantity = data.task is Task.REGRESSION
        self.button.setText("Treat it as a class" if quantity else "Treat it as a number")
        return f"The target is treated as a {'number' if quantity else 'class'}."

    def act(self) -> None:
        """Take the target of all points, also of those held out, in the other way."""
        document = self.session.document
        data = other_task(document.together)
        if data is not None:
            self.session.change("change the kind of target", data=data, source=document.source)
            self.session.adjust(view=workspace_of(data).extent(self.session.document.data))


def is_table(document: Document) -> bool:
    """Return True if the points are those of a table, as it was read."""
    return bool(document.source) and dataset_in(document.source) is None


def dataset_in(source: str) -> DataSet | None:
    """Return the data set a source describes; None for a file name or points edited by hand."""
    if not source:
        return None
    try:
        return parse_dataset(source)
    except BadInput:
        return None
