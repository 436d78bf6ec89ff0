"""A score as a sum of bars."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from kernelviz.scene.figure.style import Style
from kernelviz.ui.widgets.term_bars import Summand, bars_of, draw_bars


@pytest.mark.parametrize("value", [0.0, 5e-324, 1e-310, 1e300])
def test_terms_of_any_size_are_bars_within_the_picture(qapp, value):
    rect, summands = QRectF(0, 0, 300, 200), (Summand("point 1", value, 0), Summand("b", -value))
    zero, lengths = bars_of(summands, rect, Style())
    assert all(rect.left() <= zero + length <= rect.right() for length in lengths)
    assert lengths[0] == -lengths[1]
    assert (lengths[0] > 0) == (value > 0)
    image = QImage(300, 200, QImage.Format.Format_RGB32)  # a painter does not keep it alive
    with QPainter(image) as painter:
        draw_bars(painter, summands, rect, Style())
