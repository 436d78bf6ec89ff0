"""The Gram matrix."""

from __future__ import annotations

from kernelviz.drawing.insight.gram import GramPicture
from kernelviz.ui.insight.base import PictureView

__all__ = ["GramView"]


class GramView(PictureView):
    """Pointing at a cell names its two points and highlights them everywhere."""

    kind = GramPicture
