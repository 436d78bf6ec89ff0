"""The marks of the plane on screen."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from kernelviz.scene.figure.stamps import Stamps
from kernelviz.scene.figure.style import Style
from kernelviz.scene.layers import Coordinates
from kernelviz.scene.plane.layers import GlyphLayer
from kernelviz.session.view import ViewRange


def test_many_points_are_drawn_with_one_call_for_each_class(qapp):
    calls = []

    class Counting(QPainter):
        def drawPixmap(self, *args) -> None:
            calls.append(1)

        def drawPixmapFragments(self, fragments, count, *args) -> None:
            calls.append(count)

    points = np.random.default_rng(0).uniform(0, 200, (1000, 2))
    image = QImage(200, 200, QImage.Format.Format_RGB32)
    axes = Coordinates(ViewRange(0, 200, 0, 200), QRectF(0, 0, 150, 150), Style())
    with Counting(image) as painter:
        GlyphLayer(points, np.arange(1000) % 2, ("-", "+")).draw(axes, painter, Stamps())
    assert calls == [500, 500]
