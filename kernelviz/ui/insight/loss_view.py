"""The loss as a function of z·s."""

from __future__ import annotations

from kernelviz.drawing.insight.loss import OVERLAYS, LossPicture
from kernelviz.runtime.messages import Frame
from kernelviz.ui.insight.base import PictureView

__all__ = ["LossView"]


class LossView(PictureView):
    """Pointing at a point on the hinge highlights it everywhere."""

    name = "loss"
    family = "Fit"
    summary_line = "What each point costs: the loss as a function of z·s(x)."
    kind = LossPicture

    def take(self, frame: Frame | None) -> None:
        super().take(frame)
        picture = self.picture
        if isinstance(picture, LossPicture):  # its own loss is there anyway
            for name, box in self.boxes.items():
                box.setVisible(OVERLAYS[name].name != picture.losses[0].name)
