"""The dual weights."""

from __future__ import annotations

from kernelviz.drawing.insight.weights import WeightsPicture
from kernelviz.ui.insight.base import PictureView


class WeightsView(PictureView):
    """Pointing at a bar highlights its support vector everywhere."""

    name = "weights"
    kind = WeightsPicture
