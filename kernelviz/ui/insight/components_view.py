"""Kernel PCA."""

from __future__ import annotations

from PySide6.QtCore import QPointF

from kernelviz.drawing.insight.components import ComponentsPicture
from kernelviz.ui.insight.beside_view import BesideView


class ComponentsView(BesideView):
    """A click on a bar puts its component on the axis to the right."""

    name = "components"
    kind = ComponentsPicture

    def on_clicked(self, at: QPointF) -> None:
        picture = self.picture
        if isinstance(picture, ComponentsPicture):
            k = picture.component_at(at, self.sheet.room, self.sheet.style_of_picture)
            if k is not None:
                self.lists["across"].setCurrentText(str(k + 1))
                return
        super().on_clicked(at)
