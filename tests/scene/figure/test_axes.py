"""Ticks at round numbers, and texts that say no more digits than they must."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF

from kernelviz.scene.figure.axes import Axes, axis_name, tick_text, ticks
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.text import text_width
from kernelviz.session.view import ViewRange


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6), st.floats(40.0, 2000.0))
def test_ticks_lie_inside_are_evenly_spaced_and_have_different_texts(low, span, length):
    found = ticks(low, low + span, length, Style())
    values = [value for value, _ in found]
    assert len(found) >= 2
    assert all(low - 1e-6 * span <= value <= low + span + 1e-6 * span for value in values)
    steps = np.diff(values)
    assert steps == pytest.approx(np.full(len(steps), steps[0]), rel=1e-4)
    assert len({text for _, text in found}) == len(found)


@pytest.mark.parametrize(
    ("value", "step", "text"),
    [
        (0.0, 0.5, "0"),
        (-1.0, 0.5, "−1.0"),
        (0.25, 0.25, "0.25"),
        (2.5, 2.5, "2.5"),
        (-20.0, 10.0, "−20"),
        (3e6, 1e6, "3e6"),
        (2e-6, 1e-6, "2e−6"),
    ],
)
def test_tick_texts_have_as_many_decimals_as_the_step(value, step, text):
    assert tick_text(value, step) == text


def test_names_of_axes_get_subscripts_and_words_stay():
    assert axis_name("x1") == "x₁"
    assert axis_name("x_12") == "x₁₂"
    assert axis_name("sepal length") == "sepal length"


@pytest.mark.parametrize("unit", [1e-150, 1e-6, 0.037, 12.5, 4e7])
def test_ticks_of_another_unit_are_round_in_it_and_lie_where_the_plot_has_them(unit):
    found = ticks(-1.18, 1.18, 300.0, Style(), unit)
    assert len(found) >= 3
    for at, text in found:
        assert -1.18 <= at <= 1.18
        assert float(text.replace("−", "-")) == pytest.approx(at * unit, rel=1e-9)


@pytest.mark.parametrize(("low", "high"), [(0.1, 0.1001), (-0.25001, -0.25), (1234.5, 1234.51), (-2.0, 2.0)])
@pytest.mark.parametrize("length", [90.0, 200.0, 500.0])
def test_numbers_side_by_side_do_not_overlap_and_have_no_power_of_ten_they_do_not_need(
    qapp, low, high, length
):
    found = ticks(low, high, length, Style(), abreast=True)
    assert found
    assert not any("e" in text for _, text in found)
    places = [length * (value - low) / (high - low) for value, _ in found]
    widths = [text_width(text, Style().text) for _, text in found]
    gaps = np.diff(places) - (np.array(widths[:-1]) + widths[1:]) / 2
    assert (gaps > 0).all()


@pytest.mark.parametrize("view", [ViewRange(0.1, 0.1001, 0.0, 1.0), ViewRange(-2.0, 2.0, -1.0, 1.0)])
def test_the_last_number_has_room_within_the_figure(qapp, view):
    style, rect = Style(), QRectF(0, 0, 300, 200)
    left, _, right, _ = Axes(view, ("x", "y")).margins(rect, style)
    width = rect.width() - left - right
    value, text = ticks(view.left, view.right, width, style, abreast=True)[-1]
    end = left + width * (value - view.left) / (view.right - view.left) + 0.5 * text_width(text, style.text)
    assert end <= rect.right() + 1
