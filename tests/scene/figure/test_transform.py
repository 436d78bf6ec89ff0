"""Images of what is drawn in points."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QColor

from kernelviz.scene.figure.transform import image_of


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("paper", ["#fdfcf8", "transparent"])
def test_an_image_has_its_size_in_points_at_every_resolution(qapp, ratio, paper):
    square = QRectF(30.0, 15.0, 15.0, 15.0)
    image = image_of(lambda painter: painter.fillRect(square, QColor("red")), QSizeF(60, 45), ratio, paper)
    assert image.deviceIndependentSize().toTuple() == (80, 60)
    assert image.size().toTuple() == (80 * ratio, 60 * ratio)
    found = [
        image.pixelColor(int(x * ratio), int(y * ratio)).name() for x, y in ((50, 30), (39, 19), (62, 30))
    ]
    around = "#000000" if paper == "transparent" else paper
    assert found == ["#ff0000", around, around]
    assert image.pixelColor(0, 0).alpha() == (0 if paper == "transparent" else 255)
