"""Hatching, looked at as pixels."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.texture import draw_texture


def hatched(regions: np.ndarray) -> np.ndarray:
    """The ink, from 0 to 1, on a square of 100 points with a margin of 10."""
    image = QImage(120, 120, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    with QPainter(image) as painter:
        draw_texture(painter, Style(), regions, QRectF(10, 10, 100, 100))
    rows = np.frombuffer(image.constBits(), np.uint32).reshape(120, 120)
    return 1 - (rows & 0xFF) / 255


def test_of_two_regions_the_lower_one_is_hatched_and_nothing_outside():
    ink = hatched(np.repeat([[0], [1]], 50, axis=0) * np.ones((1, 100), int))
    assert ink[62:108, 12:108].mean() > 0.02, "rows are counted upwards: region 0 is below"
    assert ink[12:58, 12:108].max() == 0
    ink[9:111, 9:111] = 0
    assert ink.max() == 0


def test_regions_of_several_classes_have_lines_in_different_directions():
    found = [hatched(np.full((20, 20), k))[15:105, 15:105] for k in range(8)]
    assert [picture.max() > 0 for picture in found] == [k != 1 for k in range(8)]
    level, upright = found[3], found[4]
    assert np.ptp(level, axis=1).max() == 0
    assert np.ptp(upright, axis=0).max() == 0
    for k, one in enumerate(found):
        assert all(not np.array_equal(one, other) for other in found[k + 1 :])
