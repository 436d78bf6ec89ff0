"""The marks of the points, copied to their places."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage, QPainter, QPixmap

from kernelviz.scene.figure.glyphs import draw_copies, draw_glyphs
from kernelviz.scene.figure.style import Style


def image_of(ratio: float, draw) -> QImage:
    image = QImage(400, 300, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.white)
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw(painter)
    return image


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_copies_in_one_call_look_like_copies_one_by_one(qapp, ratio):
    mark = QPixmap(36, 36)
    mark.setDevicePixelRatio(ratio)
    mark.fill(Qt.GlobalColor.transparent)
    half = 18 / ratio
    with QPainter(mark) as painter:
        draw_glyphs(painter, Style(), np.array([[half, half]]), 1, 2)
    whole_pixels = np.random.default_rng(0).integers(-20, 400, (200, 2)) / ratio

    def one_by_one(painter: QPainter) -> None:
        for x, y in whole_pixels.tolist():
            painter.drawPixmap(QPointF(x, y), mark)

    together = image_of(ratio, lambda painter: draw_copies(painter, mark, whole_pixels + half))
    assert together == image_of(ratio, one_by_one)
    assert together != image_of(ratio, lambda painter: None)
