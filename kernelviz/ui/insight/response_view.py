"""The kernel as a function of one input."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPointF

from kernelviz.drawing.insight.response import Place, ResponseMaker, ResponsePicture
from kernelviz.ui.insight.beside_view import BesideView
from kernelviz.ui.insight.keyed_sheet import SteppingSheet
from kernelviz.ui.workbench.workbench import Workbench


class ResponseView(BesideView):
    """A click or a drag in the picture moves x₀ there, the arrow keys by small steps."""

    name = "response"
    kind = ResponsePicture
    made_by = ResponseMaker
    sheet_kind = SteppingSheet
    maker: ResponseMaker
    sheet: SteppingSheet

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self.sheet.setAccessibleName("Kernel response; arrow keys move x₀")
        self.sheet.dragged.connect(self.on_clicked)
        self.sheet.stepped.connect(self._step)

    def on_clicked(self, at: QPointF | None) -> None:
        picture = self.picture
        if at is not None and isinstance(picture, ResponsePicture):
            self._move_to(picture.place_at(at, self.sheet.room, self.sheet.style_of_picture))

    def _step(self, right: float, up: float) -> None:
        picture = self.picture
        if isinstance(picture, ResponsePicture):
            self._move_to(picture.place_beside(self.maker.place or picture.place, right, up))

    def _move_to(self, place: Place | None) -> None:
        if place is not None:
            self.maker = replace(self.maker, place=place)
            self.take(self.taken)
