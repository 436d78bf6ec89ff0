"""Axes of the small plots."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.text import text_width, wrapped
from kernelviz.drawing.insight import plot
from kernelviz.drawing.insight.plot import Axis, _apart
from kernelviz.drawing.theme import LIGHT


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


@pytest.mark.parametrize("lines", [0.5, 1.5, 2.2, 3.0, 6.0, 20.0])
def test_numbers_beside_ticks_do_not_touch_however_low_the_plot_is(lines):
    axis = Axis(0.0, 0.1)
    ticks = _apart(axis, axis.ticks(2), lines)
    assert ticks[0] == 0.0
    assert len(ticks) == 1 or (lines * np.diff(axis.fraction(np.array(ticks)))).min() >= 1.15
    assert len(ticks) == len(axis.ticks(2)) or lines < 3.0


def test_the_name_of_an_upright_axis_is_smaller_where_the_plot_is_low(qapp, monkeypatch):
    said = {}
    monkeypatch.setattr(plot, "draw_text", lambda *what, **how: said.update({what[3]: (what[2], how)}))
    image = QImage(200, 60, QImage.Format.Format_RGB32)
    painter, name = QPainter(image), "gamma of Gaussian"
    plot.Plot(Style(LIGHT), QRectF(0, 0, 200, 60), Axis(0, 1), Axis(0, 1, name)).draw_axes(painter)
    painter.end()
    at, how = said[name]
    half = text_width(name, how["points"]) / 2
    assert at.y() - half >= -1e-6
    assert at.y() + half <= 60 + 1e-6


@given(st.floats(-6, 6), st.floats(0.2, 9), st.integers(2, 12))
def test_ticks_of_a_logarithmic_axis_lie_within_it_too(low, decades, count):
    axis = Axis(10**low, 10 ** (low + decades), log=True)
    ticks = axis.ticks(count)
    assert ticks
    assert len(ticks) <= count + 1
    assert all(-1e-6 <= place <= 1 + 1e-6 for place in axis.fraction(np.array(ticks)).tolist())
