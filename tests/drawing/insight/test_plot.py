"""Axes of the small plots."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.text import SMALLEST, text_width, wrapped
from kernelviz.drawing.insight import plot as plot_module
from kernelviz.drawing.insight.plot import Axis, Curve, Plot, _apart


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

    monkeypatch.setattr("kernelviz.drawing.insight.plot.draw_text", write)
    style, entries = Style(), [(Curve(name, "black"), "") for name in ("0", "1", "2", "4", "8", "Gaussian")]
    image = QImage(500, 80, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        Plot(style, QRectF(0, 0, width, 80), Axis(0, 1), Axis(0, 1)).draw_strip(painter, entries, "degree")
    assert min(size for _, size, _, _ in written) >= SMALLEST * style.text
    assert all(end <= start for (*_, end), (_, _, start, _) in pairwise(written))
    assert width < 150 or written[-1][0] == "Gaussian"
    assert width < 120 or written[-1][-1] <= width


@pytest.mark.parametrize("height", [60.0, 90.0, 300.0])
def test_the_name_of_the_vertical_axis_stays_beside_its_own_plot(qapp, monkeypatch, height):
    drawn = {}

    def note(p, style, at, text, points=None, **_):
        drawn[text] = at, points

    monkeypatch.setattr(plot_module, "draw_text", note)
    plot = Plot(Style(), QRectF(0, 10, 300, height), Axis(0, 1, "x"), Axis(0, 1, "mean squared error"))
    image = QImage(300, 400, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        plot.draw_axes(painter)
    at, points = drawn["mean squared error"]
    half = text_width("mean squared error", points) / 2
    assert plot.outer.top() - 0.5 <= at.y() - half
    assert at.y() + half <= plot.outer.bottom() + 0.5


@pytest.mark.parametrize("lines", [0.5, 1.5, 2.2, 3.0, 6.0, 20.0])
def test_numbers_beside_ticks_do_not_touch_however_low_the_plot_is(lines):
    axis = Axis(0.0, 0.1)
    ticks = _apart(axis, axis.ticks(2), lines)
    assert ticks[0] == 0.0
    assert len(ticks) == 1 or (lines * np.diff(axis.fraction(np.array(ticks)))).min() >= 1.15
    assert len(ticks) == len(axis.ticks(2)) or lines < 3.0


@given(st.floats(-6, 6), st.floats(0.2, 9), st.integers(2, 12))
def test_ticks_of_a_logarithmic_axis_lie_within_it_too(low, decades, count):
    axis = Axis(10**low, 10 ** (low + decades), log=True)
    ticks = axis.ticks(count)
    assert ticks
    assert len(ticks) <= count + 1
    assert all(-1e-6 <= place <= 1 + 1e-6 for place in axis.fraction(np.array(ticks)).tolist())
