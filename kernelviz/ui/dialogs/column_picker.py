"""A dialogue that asks which columns of a wide table are the inputs and the target.

It opens with the likely columns chosen, and says what is wrong with a choice that cannot be used."""

from __future__ import annotations

from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.session.tables.columns import suggest, to_data, without_gaps
from kernelviz.session.tables.preparation import standardised
from kernelviz.session.tables.table import ColumnChoice, Table
from kernelviz.session.workspaces.base import Workspace
from kernelviz.session.workspaces.registry import workspaces
from kernelviz.ui.widgets.labels import Label
from kernelviz.ui.widgets.layouts import column


class ColumnPicker(QDialog):
    """Asks for the columns that a workspace needs, below the first rows of the table.

    `data` is the answer once the dialogue was accepted."""

    def __init__(self, table: Table, parent: QWidget, workspace: Workspace | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace or workspaces()[0]
        self.setWindowTitle(f"Columns of {table.source or 'the table'}")
        self.resize(640, 420)
        self._table = table
        self.data: Data | None = None
        inputs = len(self._workspace.roles) - 1
        proposal = suggest(table)
        others = set(range(len(table.columns))) - {*proposal.coordinates, proposal.target}
        # A category comes after the numbers: columns of words are proposed before further numbers.
        others_in_order = sorted(others, key=lambda j: (table.columns[j].numeric, j))
        coordinates = (*proposal.coordinates, *others_in_order, *(0,) * inputs)[:inputs]
        target = self._likely_target(proposal, coordinates)
        self.pickers = [self._picker(index) for index in (*coordinates, target)]
        self.standardise = QCheckBox("Scale each coordinate to mean 0 and variance 1")
        self.standardise.setToolTip("Off by default, so that the numbers match a calculation by hand")
        self.leave_out = QCheckBox()
        self.leave_out.hide()
        self.problem = Label(role="error", wraps=True)
        ok, cancel = QDialogButtonBox.StandardButton.Ok, QDialogButtonBox.StandardButton.Cancel
        self.buttons = QDialogButtonBox(ok | cancel)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self._lay_out()
        for picker in self.pickers:
            picker.currentIndexChanged.connect(self._try)
        self.leave_out.toggled.connect(self._try)
        self._try()

    def _likely_target(self, proposal: ColumnChoice, inputs: tuple[int, ...]) -> int:
        """Return the proposed target, or the next column of numbers where a number is needed."""
        target = 0 if proposal.target is None else proposal.target
        columns = self._table.columns
        if self._workspace.has_classes or columns[target].numeric:
            return target
        return next((j for j, c in enumerate(columns) if c.numeric and j not in inputs), target)

    def _picker(self, index: int) -> QComboBox:
        """Return a list of all columns, with one of them chosen."""
        box = QComboBox(self)
        box.addItems([name or f"column {j + 1}" for j, name in enumerate(self._table.names)])
        box.setCurrentIndex(index)
        return box

    def _lay_out(self) -> None:
        """Put the first rows of the table above the lists of columns and the buttons."""
        preview_rows = 8
        rows = self._table.preview(preview_rows)
        preview = QTableWidget(len(rows), len(self._table.columns), self)
        preview.setAccessibleName("The first rows of the table")
        preview.setHorizontalHeaderLabels(list(self._table.names))
        preview.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        preview.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        for i, row in enumerate(rows):
            for j, cell in enumerate(row):
                preview.setItem(i, j, QTableWidgetItem(cell))
        form = QFormLayout()
        for role, picker in zip(self._workspace.roles, self.pickers, strict=True):
            form.addRow(role, picker)
        form.addRow(self.standardise)
        form.addRow(self.leave_out)
        column((preview, 1), form, self.problem, self.buttons, on=self, margins=(9, 9, 9, 9))

    def _try(self) -> None:
        """Make the data of the present choice, or show what is wrong with it."""
        *inputs, target = (picker.currentIndex() for picker in self.pickers)
        workspace, problem = self._workspace, ""
        self.data = None
        if len({*inputs, target}) < len(self.pickers):
            problem = f"{workspace.title} needs {workspace.wants}: choose a different column for each."
        else:
            try:
                choice = ColumnChoice(tuple(inputs), target)
                table = self._without_gaps(choice)
                self.data = to_data(table, choice, regression=not workspace.has_classes)
            except BadInput as error:
                problem = str(error)
        self.standardise.setEnabled(self.data is None or self.data.domain == "vectors")
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(self.data is not None)

    def _without_gaps(self, choice: ColumnChoice) -> Table:
        """Return the table, without the rows that lack a value in the chosen columns if the user wants that;
        offer the choice if there are any."""
        try:
            whole, _ = without_gaps(self._table, choice)
        except BadInput:  # no row has all values
            whole = self._table
        left = len(self._table) - len(whole)
        self.leave_out.setVisible(left > 0)
        lack = "row that lacks" if left == 1 else "rows that lack"
        self.leave_out.setText(f"Leave out {left:,} {lack} a value, of {len(self._table):,}")
        return whole if self.leave_out.isChecked() else self._table

    def accept(self) -> None:
        """Scale the chosen data if the user wants that, and close."""
        if self.data is not None and self.standardise.isEnabled() and self.standardise.isChecked():
            self.data = standardised(self.data)
        super().accept()
