"""Random features."""

from __future__ import annotations

from kernelviz.drawing.insight.waves import WavesPicture
from kernelviz.ui.insight.beside_view import BesideView


class WavesView(BesideView):
    """The waves of a fit on random features; for any other algorithm least squares on q random cosines."""

    name = "waves"
    kind = WavesPicture
    pause = 300  # it fits two models and draws a thousand cosines
