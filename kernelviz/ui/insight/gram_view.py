"""The Gram matrix."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from kernelviz.drawing.insight.gram import GramMaker, GramPicture, MatrixPicture
from kernelviz.drawing.insight.picture import InsightPicture
from kernelviz.drawing.insight.sorted_gram import SortedGram
from kernelviz.runtime.messages import Frame
from kernelviz.ui.insight.beside_view import BesideView
from kernelviz.ui.widgets.buttons import ToolButton


class GramView(BesideView):
    """Pointing at a cell names its two points and highlights them everywhere; its row, or that of a
    point that is pointed at or selected elsewhere, is seen as a function."""

    name = "gram"
    kind = GramPicture
    made_by = GramMaker
    maker: GramMaker

    def take(self, frame: Frame | None) -> None:
        self._choose_row()
        super().take(frame)

    def show_made(self, picture: InsightPicture) -> None:
        """With the row chosen meanwhile."""
        self._choose_row()
        super().show_made(picture.with_row(self.maker.row) if isinstance(picture, GramPicture) else picture)

    def point_out(self) -> None:
        self._choose_row()
        picture = self.picture
        if isinstance(picture, GramPicture):
            picture = self._last_of_kind = picture.with_row(self.maker.row)
        self.sheet.show_picture(picture.marked(self.marks))

    def _choose_row(self) -> None:
        marks = self.marks
        row = marks.selected[0] if marks.hovered is None and marks.selected else marks.hovered
        self.maker = replace(self.maker, row=row)

    def choosers(self) -> Sequence[QWidget]:
        self.copying = ToolButton()
        self.copying.setText("Copy")
        self.copying.setAccessibleName("Copy the matrix")
        self.copying.setToolTip("The matrix as it is ordered here, for a paper or a spreadsheet")
        self.copying.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.copying)
        menu.addAction("as LaTeX", self.copy_latex)
        menu.addAction("as CSV", self.copy_csv)
        self.copying.setMenu(menu)
        return (self.copying,)

    def copy_latex(self) -> None:
        self._copy(SortedGram.as_latex)

    def copy_csv(self) -> None:
        self._copy(SortedGram.as_csv)

    def _copy(self, written: Callable[[SortedGram], str]) -> None:
        shown = self.picture.shown if isinstance(self.picture, GramPicture) else None
        if isinstance(shown, MatrixPicture):
            QGuiApplication.clipboard().setText(written(shown.matrix))
