"""The table that computes the kernel of two strings."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.insight.pair_table import PairTable
from kernelviz.engine.fits.parsing import kernel

WHITE = QColor("white")


@pytest.mark.parametrize("height", [0.0, 8.0, 20.0, 40.0, 90.0])
def test_the_table_leaves_what_is_above_its_room_alone(qapp, height):
    table = PairTable.of(kernel("subsequence(length=2, decay=0.5)"), "sentence", "senttence", None)
    image = QImage(300, 200, QImage.Format.Format_RGB32)
    image.fill(WHITE)
    painter = QPainter(image)
    top = 199 - height
    table.draw(painter, QRectF(10.0, top, 280.0, height), Style())
    painter.end()
    above = {image.pixel(x, y) for x in range(300) for y in range(int(top) - 1)}
    assert above == {WHITE.rgb()}
