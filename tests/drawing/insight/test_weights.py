"""The dual weights."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, QRectF

from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.insight.picture import PictureMaker
from kernelviz.drawing.insight.weights import WeightBars

make = PictureMaker.of(WeightBars).make


def test_weights_are_sorted_and_belong_to_the_support_vectors(frame_of):
    model = (frame := frame_of()).model
    picture = make(frame)
    assert set(picture.order.tolist()) == set(model.support.tolist())
    assert picture.alpha.tolist() == sorted(model.alpha[model.support], reverse=True)


@pytest.mark.parametrize("height", [120.0, 400.0], ids=["weights alone", "with residuals"])
def test_each_bar_is_found_where_it_is_drawn(frame_of, qapp, height):
    picture, style, rect = make(frame_of()), Style(), QRectF(0, 0, 300, height)
    plot, residuals = picture._plots(rect, style)
    assert (residuals is not None) == (height > 200)
    for k, i in enumerate(picture.order.tolist()):
        x = float(plot.at(k + 0.5, 0.0)[0, 0])
        assert picture.points_at(QPointF(x, plot.inner.center().y()), rect, style) == (i,)
    right = float(plot.at(len(picture.order) + 0.5, 0.0)[0, 0])
    assert picture.points_at(QPointF(right, plot.inner.center().y()), rect, style) == ()


def test_an_algorithm_without_weights_says_so(frame_of):
    assert "no dual weights" in make(frame_of(how="nearest-neighbours(k=3)")).reason
