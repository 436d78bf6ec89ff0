"""The table of all points, which can be sorted, edited and copied and is linked with every other view."""

from __future__ import annotations

from contextlib import suppress

from PySide6.QtCore import QEvent

from kernelviz.engine.core.errors import BadInput
from kernelviz.runtime.messages import Frame
from kernelviz.session.tables.point_columns import columns_of
from kernelviz.ui.insight.base import InsightView
from kernelviz.ui.widgets.buttons import Button
from kernelviz.ui.widgets.labels import MessageLabel
from kernelviz.ui.widgets.layouts import column, row, soon
from kernelviz.ui.widgets.points_table import PointsTable
from kernelviz.ui.workbench.workbench import Workbench


class TableView(InsightView):
    """Shows a row for each training point, with its coordinates and numbers.

    It highlights the point of the row under the mouse in every view, and selects the points of selected
    rows; coordinates can be typed."""

    name = "table"
    title = "Table"
    family = "Point"
    summary_line = "All points with their numbers, sorted, edited and copied."
    number = 7

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self.table = PointsTable(self.put)
        self.model = self.table.points
        self.message = MessageLabel("error")
        self.copying = Button(
            "Copy as CSV",
            "The selected rows, or all, with all digits (Ctrl+C in the table)",
            self.table.copy,
        )
        below = row((self.message, 1), (None, 0), self.copying, margins=(8, 4, 8, 4))
        column((self.table, 1), below, on=self, spacing=0)
        self.table.pointed.connect(workbench.hover)
        self.table.chosen.connect(lambda rows: workbench.session.adjust(selection=rows))

    def take(self, frame: Frame | None) -> None:
        """Show the columns of a fit; the widths stay while these are the same."""
        columns = [] if frame is None else columns_of(frame.model, frame.table)
        before = [column.title for column in self.model.columns]
        self.table.show_columns(columns, 0 if frame is None else frame.data.n)
        self.message.say("")
        if before != [column.title for column in columns]:
            self.table.resizeColumnsToContents()
        self.point_out()

    def changeEvent(self, event: QEvent) -> None:
        """Give the columns the widths that another size of the type needs."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            soon(self, self._fit_columns)

    def _fit_columns(self) -> None:
        self.table.resizeColumnsToContents()

    def point_out(self) -> None:
        self.table.select(self.marks.selected)

    def put(self, point: int, coordinate: int, typed: str) -> bool:
        """Move a point to a typed coordinate; return True if that could be done."""
        if point >= self.workbench.session.document.data.n:
            return False
        value: object = typed
        with suppress(ValueError):
            value = float(typed.strip().replace("−", "-"))
        try:
            self.move_point(point, coordinate, value)
        except BadInput as problem:
            self.message.say(str(problem))
            return False
        return True
