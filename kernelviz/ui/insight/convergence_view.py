"""The course of the algorithm."""

from __future__ import annotations

from PySide6.QtCore import QPointF

from kernelviz.drawing.insight.convergence import ConvergencePicture
from kernelviz.ui.insight.base import PictureView

__all__ = ["ConvergenceView"]


class ConvergenceView(PictureView):
    """While watching, a click goes to that step."""

    kind = ConvergencePicture

    def on_clicked(self, at: QPointF) -> None:
        session, picture = self.workbench.session, self.picture
        if session.look.mode == "watch" and isinstance(picture, ConvergencePicture):
            session.adjust(step=picture.step_at(at, self.sheet.room, self.sheet.style_of_picture))
