"""Features counted."""

from __future__ import annotations

from math import comb

import pytest
from PySide6.QtCore import QPointF, QRectF, Qt

from kernelviz.scene.figure.text import SMALLEST_TYPE
from kernelviz.scene.insight.counts import COUNTED_DEGREES, INPUTS, CountsView
from tests.scene.insight.helpers import found, layer, legend, made, pixel, press


def test_two_inputs_have_10_different_and_15_ordered_products_of_degree_3(frame_of):
    scene = made(CountsView(p=2, d=3), frame_of())
    assert legend(scene, "features") == {"different": "10", "ordered": "15", "n points": "40"}
    assert legend(scene, "cost") == {"features: 2q": "20", "points: n": "40"}


@pytest.mark.parametrize("p", [1, 5, 100])
def test_the_curves_are_binomials_and_sums_of_powers(frame_of, p):
    scene = made(CountsView(p=p), frame_of())
    assert layer(scene, "different").y == pytest.approx([comb(p + d, d) for d in COUNTED_DEGREES])
    assert layer(scene, "ordered").y == pytest.approx(
        [sum(p**k for k in range(d + 1)) for d in COUNTED_DEGREES]
    )


def test_a_step_on_features_costs_two_products_for_each(frame_of):
    scene = made(CountsView(d=4), frame_of())
    assert layer(scene, "primal").y == pytest.approx([2 * comb(int(p) + 4, 4) for p in INPUTS])


# By real events ---------------------------------------------------------------------------------------------
@pytest.fixture
def view(opened):
    return opened("counts", 640, 320)


@pytest.mark.parametrize(("plot", "at", "field"), [("features", (7.0, 1e3), "d"), ("cost", (20.0, 1e3), "p")])
def test_a_click_in_a_chart_sets_degree_or_inputs(view, qtbot, plot, at, field):
    place = QPointF(*found(view, plot).at(*at)[0].tolist())
    qtbot.mouseClick(view.sheet, Qt.MouseButton.LeftButton, pos=pixel(place))
    assert getattr(view.view, field) == pytest.approx(at[0], abs=1)
    assert found(view, field).x == getattr(view.view, field)


def test_a_key_changes_the_degree(view):
    slider = view.numbers["d"].slider
    press(slider, Qt.Key.Key_Right)
    assert legend(view, "features")["different"] == "15"


@pytest.mark.parametrize("p", [2, 20, 100])
@pytest.mark.parametrize("d", [3, 12])
@pytest.mark.parametrize("width", [300.0, 500.0])
def test_the_legend_of_the_features_names_the_line_at_n_points(frame_of, p, d, width):
    scene = made(CountsView(p=p, d=d), frame_of())
    shown = found(scene, "features", QRectF(0.0, 0.0, width, 240.0)).legend
    assert [number for curve, number in shown.curves if curve.colour == "highlight"] == ["40"]
    assert shown.scale >= SMALLEST_TYPE, "then words would be cut"


def test_the_colours_of_the_classes_are_not_used(frame_of):
    scene = made(CountsView(), frame_of())
    curves = {curve for part in ("features", "cost") for curve, _ in found(scene, part).node.entries}
    assert not {curve.colour for curve in curves} & {"positive", "negative"}


def test_the_legends_are_readable_in_a_column_of_the_window(opened):
    view = opened("counts", 300, 330)
    features, cost = found(view, "features"), found(view, "cost")
    assert min(features.legend.scale, cost.legend.scale) >= 0.95
    assert cost.inner.top() > features.inner.bottom()
