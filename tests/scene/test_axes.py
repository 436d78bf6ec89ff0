"""Axes of plots, and ranges that hold still."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from kernelviz.scene.axes import (
    Axis,
    Curve,
    PlaneAxes,
    SteadyRange,
    axis_name,
    decades,
    spaced_ticks,
    tick_text,
)
from kernelviz.scene.figure.legend import CurveLine
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.text import SMALLEST_TYPE, text_width, wrapped
from kernelviz.scene.nodes import Marks
from kernelviz.scene.plot_layers import Lines
from kernelviz.scene.plots import Field, PlacedPlot, Plot
from kernelviz.session.view import ViewRange

numbers = st.floats(-1e6, 1e6)


@given(st.floats(-1e3, 1e3), st.floats(1e-3, 1e3), st.integers(2, 12))
def test_ticks_lie_within_the_axis_and_are_not_too_many(low, span, count):
    axis = Axis(low, low + span)
    ticks = axis.ticks(count)
    assert len(ticks) <= count + 1
    assert all(low - 1e-6 * span <= t <= low + span * (1 + 1e-6) for t in ticks)


def test_iterations_have_whole_ticks():
    assert Axis(0, 3, whole=True).ticks(10) == [0, 1, 2, 3]


def test_a_logarithmic_axis_has_powers_of_ten():
    assert Axis(0.01, 100, log=True).ticks(10) == pytest.approx([0.01, 0.1, 1, 10, 100])
    assert len(Axis(1e-12, 1e12, log=True).ticks(5)) <= 6


@given(st.booleans(), st.floats(0, 1))
def test_values_and_fractions_are_inverse(log, fraction):
    axis = Axis(0.1, 1000, log=log)
    assert float(axis.fraction(axis.value(fraction))) == pytest.approx(fraction, abs=1e-9)


def test_what_has_no_logarithm_has_no_place():
    assert np.isnan(Axis(0.1, 10, log=True).fraction(np.array([0.0, -1.0]))).all()


def test_long_sentences_are_broken_into_lines(qapp):
    lines = wrapped("one two three four five six seven", 9, 60)
    assert len(lines) > 2
    assert " ".join(lines) == "one two three four five six seven"


@pytest.mark.parametrize("width", [60, 120, 150, 250, 500])
def test_names_above_a_plot_stay_readable_and_inside_it(qapp, monkeypatch, width):
    written = []

    def write(painter, style, at, text, *, points=None, **how):
        written.append((text, points, at.x(), at.x() + text_width(text, points)))

    monkeypatch.setattr("kernelviz.scene.figure.legend.draw_text", write)
    style, entries = Style(), [(Curve(name, "ink"), "") for name in ("0", "1", "2", "4", "8", "Gaussian")]
    image = QImage(500, 80, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        plot = PlacedPlot(Plot(x=Axis(0, 1), y=Axis(0, 1)), QRectF(0, 0, width, 80), style)
        CurveLine(entries, "degree", style, plot.inner, plot.rect).paint(painter)
    assert min(size for _, size, _, _ in written) >= SMALLEST_TYPE * style.text
    assert all(end <= start for (*_, end), (_, _, start, _) in pairwise(written))
    assert width < 150 or written[-1][0] == "Gaussian"
    assert width < 120 or written[-1][-1] <= width


@pytest.mark.parametrize("height", [60.0, 90.0, 300.0])
def test_the_name_of_the_vertical_axis_stays_beside_its_own_plot(qapp, monkeypatch, height):
    drawn = {}

    def note(p, style, at, text, points=None, **_):
        drawn[text] = at, points

    monkeypatch.setattr("kernelviz.scene.plots.draw_text", note)
    node = Plot(x=Axis(0, 1, "x"), y=Axis(0, 1, "mean squared error"))
    plot = PlacedPlot(node, QRectF(0, 10, 300, height), Style())
    image = QImage(300, 400, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        plot.draw_ground(painter)
    at, points = drawn["mean squared error"]
    half = text_width("mean squared error", points) / 2
    assert plot.rect.top() - 0.5 <= at.y() - half
    assert at.y() + half <= plot.rect.bottom() + 0.5


@pytest.mark.parametrize(
    ("width", "height", "drawn"), [(300, 90, True), (300, 20, False), (300, 1, False), (8, 90, False)]
)
@pytest.mark.parametrize("framed", [False, True])
def test_a_plot_without_room_between_its_axes_draws_nothing(qapp, width, height, drawn, framed):
    line = Lines(
        part="line", x=np.array([0.0, 1.0]), y=np.array([0.0, 1.0]), curve=Curve("line", "ink"), number="1"
    )
    plot = Plot(x=Axis(0, 1, "x"), y=Axis(0, 1, "y"), layers=(line,), title="title")
    field = Field(view=ViewRange(0, 1, 0, 1), layers=(line,), title="title")
    rect = QRectF(100, 100, width, height if not framed or drawn else min(height, 10))
    (leaf,) = (field if framed else plot).leaves(rect, Style())
    image = QImage(500, 300, QImage.Format.Format_RGB32)
    image.fill(0xFFFFFF)
    blank = image.copy()
    with QPainter(image) as painter:
        leaf.draw_ground(painter)
        leaf.draw_data(painter, None)
        leaf.draw_marks(painter, Marks())
    assert (image != blank) is drawn
    assert (leaf.hit(rect.center()) is not None) is drawn


@pytest.mark.parametrize("lines", [0.5, 1.5, 2.2, 3.0, 6.0, 20.0])
def test_numbers_beside_ticks_do_not_touch_however_low_the_plot_is(lines):
    axis = Axis(0.0, 0.1)
    ticks = spaced_ticks(axis, axis.ticks(2), lines)
    assert ticks[0] == 0.0
    assert len(ticks) == 1 or (lines * np.diff(axis.fraction(np.array(ticks)))).min() >= 1.15
    assert len(ticks) == len(axis.ticks(2)) or lines < 3.0


@given(st.floats(-6, 6), st.floats(0.2, 9), st.integers(2, 12))
def test_ticks_of_a_logarithmic_axis_lie_within_it_too(low, span, count):
    axis = Axis(10**low, 10 ** (low + span), log=True)
    ticks = axis.ticks(count)
    assert ticks
    assert len(ticks) <= count + 1
    assert all(-1e-6 <= place <= 1 + 1e-6 for place in axis.fraction(np.array(ticks)).tolist())


# Ranges -----------------------------------------------------------------------------------------------------
@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=20))
def test_whatever_comes_is_covered(wanted):
    steady = SteadyRange.at_least(-1.0, 2.0)
    for a, b in wanted:
        steady = steady.covering(min(a, b), max(a, b))
        assert steady.low <= min(a, b, -1.0)
        assert steady.high >= max(a, b, 2.0)


def test_small_moves_change_nothing():
    steady = SteadyRange.at_least(-1.0, 2.0).covering(-3.0, 5.0)
    assert all(steady.covering(-3.0 + d, 5.0 - d) is steady for d in np.linspace(0, 1.5, 30))


def test_a_range_that_has_become_mostly_empty_shrinks():
    wide = SteadyRange.at_least(-1.0, 2.0).covering(-100.0, 2.0)
    assert -3.0 < wide.covering(-2.0, 2.0).low <= -2.0


def test_an_axis_does_not_flicker_between_growing_and_shrinking():
    steady, seen = SteadyRange.at_least(0.0, 1.0), set()
    for t in np.linspace(0, 60, 500):
        steady = steady.covering(0.0, 10.0 + 2.0 * np.sin(t))
        seen.add(steady)
    assert len(seen) <= 3


@pytest.mark.parametrize("size", [1e-30, 1e-8, 1.0, 1e12])
def test_a_range_of_any_size_is_as_large_as_its_values(size):
    steady = SteadyRange.of_any_size().covering(0.0, 0.0).covering(0.0, size)
    assert steady.low == 0.0
    assert size <= steady.high < 1.5 * size


def test_values_that_are_not_finite_are_ignored():
    steady = SteadyRange.at_least(0.0, 1.0)
    assert steady.covering(0.0, np.inf) == steady


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0.02, 5.0], (0.01, 10.0)),
        ([1.0, 10.0], (1.0, 10.0)),
        ([3.0], (1.0, 10.0)),
        ([0.0, -1.0, np.nan], (1e-3, 1.0)),
        ([0.0, 100.0, np.nan], (100.0, 1000.0)),
    ],
)
def test_decades_are_whole(values, expected):
    assert decades(np.array(values)) == pytest.approx(expected)


# The frame of the canvas and of figures ---------------------------------------------------------------------
@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6), st.floats(40.0, 2000.0))
def test_ticks_lie_inside_are_evenly_spaced_and_have_different_texts(low, span, length):
    found = Axis(low, low + span).numbered(length, Style())
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
        (-1.0, 0.5, "−1"),
        (0.25, 0.25, "0.25"),
        (2.5, 2.5, "2.5"),
        (-20.0, 10.0, "−20"),
        (3e6, 1e6, "3e6"),
        (2e-6, 1e-6, "2e−6"),
    ],
)
def test_tick_texts_have_the_decimals_that_the_step_needs_and_no_zeros_at_the_end(value, step, text):
    assert tick_text(value, step) == text


def test_names_of_axes_get_subscripts_and_words_stay():
    assert axis_name("x1") == "x₁"
    assert axis_name("x_12") == "x₁₂"
    assert axis_name("sepal length") == "sepal length"


@pytest.mark.parametrize("unit", [1e-150, 1e-6, 0.037, 12.5, 4e7])
def test_ticks_of_another_unit_are_round_in_it_and_lie_where_the_plot_has_them(unit):
    found = Axis(-1.18, 1.18, unit=unit).numbered(300.0, Style())
    assert len(found) >= 3
    for at, text in found:
        assert -1.18 <= at <= 1.18
        assert float(text.replace("−", "-")) == pytest.approx(at * unit, rel=1e-9)


@pytest.mark.parametrize(("low", "high"), [(0.1, 0.1001), (-0.25001, -0.25), (1234.5, 1234.51), (-2.0, 2.0)])
@pytest.mark.parametrize("length", [90.0, 200.0, 500.0])
def test_numbers_side_by_side_do_not_overlap_and_have_no_power_of_ten_they_do_not_need(
    qapp, low, high, length
):
    found = Axis(low, high).numbered(length, Style(), side_by_side=True)
    assert found
    assert not any("e" in text for _, text in found)
    places = [length * (value - low) / (high - low) for value, _ in found]
    widths = [text_width(text, Style().text) for _, text in found]
    gaps = np.diff(places) - (np.array(widths[:-1]) + widths[1:]) / 2
    assert (gaps > 0).all()


@pytest.mark.parametrize("view", [ViewRange(0.1, 0.1001, 0.0, 1.0), ViewRange(-2.0, 2.0, -1.0, 1.0)])
def test_the_last_number_has_room_within_the_figure(qapp, view):
    style, rect = Style(), QRectF(0, 0, 300, 200)
    frame = PlaneAxes(view, ("x", "y"))
    left, _, right, _ = frame.margins(rect, style)
    width = rect.width() - left - right
    value, text = frame.x.numbered(width, style, side_by_side=True)[-1]
    end = left + width * (value - view.left) / (view.right - view.left) + 0.5 * text_width(text, style.text)
    assert end <= rect.right() + 1
