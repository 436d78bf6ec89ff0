"""The Gram matrix."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from kernelviz.drawing.insight.gram import GramPicture
from kernelviz.ui.controls.keys import ToolButton
from kernelviz.ui.insight.base import PictureView

__all__ = ["GramView"]


class GramView(PictureView):
    """Pointing at a cell names its two points and highlights them everywhere."""

    name = "gram"
    family = "Fit"
    summary_line = "The kernel of every pair of points."
    kind = GramPicture

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
        if isinstance(self.picture, GramPicture):
            QGuiApplication.clipboard().setText(self.picture.matrix.as_latex())

    def copy_csv(self) -> None:
        if isinstance(self.picture, GramPicture):
            QGuiApplication.clipboard().setText(self.picture.matrix.as_csv())
