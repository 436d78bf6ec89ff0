"""Which columns of a wide table are the plane, and which one is the label."""

from __future__ import annotations

from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHeaderView,
    QLabel,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from kernelviz.engine.data import Data
from kernelviz.engine.errors import BadInput
from kernelviz.session.preparation import standardised
from kernelviz.session.tables import Choice, Table, suggest, to_data

__all__ = ["ColumnPicker"]

PREVIEW_ROWS = 8
PLANE = "The plane shows two coordinates and a label: choose two different columns and a third."


class ColumnPicker(QDialog):
    """Shows the first rows and asks; `data` is the answer once accepted."""

    def __init__(self, table: Table, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Columns of {table.source or 'the table'}")
        self.resize(640, 420)
        self._table = table
        self.data: Data | None = None
        proposal = suggest(table)
        coordinates = (*proposal.coordinates, 0, 0)
        self.x1 = self._picker(coordinates[0])
        self.x2 = self._picker(coordinates[1])
        self.label = self._picker(proposal.target if proposal.target is not None else 0)
        self.standardise = QCheckBox("Scale each coordinate to mean 0 and variance 1")
        self.standardise.setToolTip("Off by default, so that the numbers match a calculation by hand")
        self.complaint = QLabel()
        self.complaint.setProperty("role", "error")
        self.complaint.setWordWrap(True)
        ok, cancel = QDialogButtonBox.StandardButton.Ok, QDialogButtonBox.StandardButton.Cancel
        self.buttons = QDialogButtonBox(ok | cancel)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self._lay_out()
        for picker in (self.x1, self.x2, self.label):
            picker.currentIndexChanged.connect(self._try)
        self._try()

    def _picker(self, index: int) -> QComboBox:
        box = QComboBox(self)
        box.addItems([name or f"column {j + 1}" for j, name in enumerate(self._table.names)])
        box.setCurrentIndex(index)
        return box

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.addRow("x₁ (across)", self.x1)
        form.addRow("x₂ (up)", self.x2)
        form.addRow("Label", self.label)
        form.addRow(self.standardise)
        layout = QVBoxLayout(self)
        layout.addWidget(self._preview(), 1)
        layout.addLayout(form)
        layout.addWidget(self.complaint)
        layout.addWidget(self.buttons)

    def _preview(self) -> QTableWidget:
        rows = self._table.preview(PREVIEW_ROWS)
        view = QTableWidget(len(rows), len(self._table.columns), self)
        view.setAccessibleName("The first rows of the table")
        view.setHorizontalHeaderLabels(list(self._table.names))
        view.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        for i, row in enumerate(rows):
            for j, cell in enumerate(row):
                view.setItem(i, j, QTableWidgetItem(cell))
        return view

    def _try(self) -> None:
        """Say at once whether the choice makes sense."""
        chosen = (self.x1.currentIndex(), self.x2.currentIndex())
        problem = ""
        self.data = None
        if len({*chosen, self.label.currentIndex()}) < 3:
            problem = PLANE
        else:
            try:
                self.data = to_data(self._table, Choice(chosen, self.label.currentIndex()), regression=False)
            except BadInput as error:
                problem = str(error)
        self.complaint.setText(problem)
        self.complaint.setVisible(bool(problem))
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(self.data is not None)

    def accept(self) -> None:
        if self.data is not None and self.standardise.isChecked():
            self.data = standardised(self.data)
        super().accept()
