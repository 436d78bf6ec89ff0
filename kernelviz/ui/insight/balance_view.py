"""Fit against complexity."""

from __future__ import annotations

from kernelviz.drawing.insight.balance import BalancePicture
from kernelviz.ui.insight.base import PictureView

__all__ = ["BalanceView"]


class BalanceView(PictureView):
    """Its switch adds a bump that only costs."""

    name = "balance"
    family = "Fit"
    summary_line = "What the points cost and what ‖w‖ costs: the two terms the algorithm minimises."
    kind = BalancePicture
