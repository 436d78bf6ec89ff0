"""The loss as a function of z·s, or of the residual."""

from __future__ import annotations

from kernelviz.drawing.insight.loss import LossPicture
from kernelviz.ui.insight.base import PictureView


class LossView(PictureView):
    """Pointing at a point on the hinge highlights it everywhere."""

    name = "loss"
    kind = LossPicture
