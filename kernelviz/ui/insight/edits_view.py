"""The last minutes of editing."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPointF

from kernelviz.drawing.insight.edits import EditsMaker, EditsPicture
from kernelviz.runtime.messages import Frame
from kernelviz.ui.insight.base import PictureView


class EditsView(PictureView):
    """Runs on while one drags. Pointing names an edit, a click goes back to it."""

    name = "edits"
    kind = EditsPicture
    made_by = EditsMaker
    maker: EditsMaker

    def take(self, frame: Frame | None) -> None:
        self.maker = replace(self.maker, edits=self.workbench.chronicle.edits())
        super().take(frame)

    def on_pointed(self, at: QPointF | None) -> None:
        picture = self.picture
        if isinstance(picture, EditsPicture):
            tick = None
            if at is not None:
                tick = picture.tick_at(at, self.sheet.room, self.sheet.style_of_picture)
            self.sheet.show_picture(picture.with_pointed(tick))

    def on_clicked(self, at: QPointF) -> None:
        picture = self.picture
        if isinstance(picture, EditsPicture):
            tick = picture.tick_at(at, self.sheet.room, self.sheet.style_of_picture)
            document = None if tick is None else tick.document()
            if document is not None:
                self.workbench.session.go_to(document)
