"""The marks of the plane on screen."""

from __future__ import annotations

import numpy as np
from PySide6.QtGui import QImage, QPainter

from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.plane.glyph_cache import Sprites


def test_many_points_are_drawn_with_one_call_for_each_class(qapp):
    calls = []

    class Counting(QPainter):
        def drawPixmap(self, *args) -> None:
            calls.append(1)

        def drawPixmapFragments(self, fragments, count, *args) -> None:
            calls.append(count)

    pixels = np.random.default_rng(0).uniform(0, 200, (1000, 2))
    image = QImage(200, 200, QImage.Format.Format_RGB32)
    with Counting(image) as painter:
        Sprites(Style(), 1.0).glyphs(painter, pixels, np.arange(1000) % 2, 2)
    assert calls == [500, 500]
