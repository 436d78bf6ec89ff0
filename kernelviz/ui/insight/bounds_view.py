"""The numbers and the bounds."""

from __future__ import annotations

from PySide6.QtCore import QPointF

from kernelviz.drawing.insight.bounds import BoundsPicture
from kernelviz.ui.insight.base import PictureView


class BoundsView(PictureView):
    """Pointing at a row tells its formula, also below the table; the bounds ask for their δ and γ₀."""

    name = "bounds"
    kind = BoundsPicture
    scrolls = True

    def on_pointed(self, at: QPointF | None) -> None:
        picture = self.picture
        if isinstance(picture, BoundsPicture):
            name = "" if at is None else picture.row_at(at, self.sheet.room, self.sheet.style_of_picture)
            if name != picture.pointed:
                self._last_of_kind = picture.with_pointed(name)  # the next frame points there too
                self.sheet.show_picture(self._last_of_kind)
                self.sheet.setToolTip(self._last_of_kind.formula if name else "")
