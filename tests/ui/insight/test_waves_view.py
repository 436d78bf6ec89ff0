"""Random features, by real events."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from kernelviz.drawing.insight.waves import WavesPicture
from kernelviz.ui.insight.waves_view import WavesView


@pytest.fixture
def view(bench, show, qtbot):
    made = show(WavesView(bench()))
    qtbot.waitUntil(lambda: isinstance(made.picture, WavesPicture))
    return made


def test_keys_on_the_slider_draw_more_waves(view, qtbot):
    slider = view.numbers["q"].slider
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: view.picture.q > 30)
    assert len(view.picture.model.weights) == view.picture.q


def test_the_die_draws_others(view, qtbot):
    before = view.picture.cosines.frequencies
    qtbot.mouseClick(view.numbers["seed"].die, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: view.picture.cosines.frequencies is not before)
    assert view.picture.errors.seed == view.maker.switches.seed != 0


def test_a_point_of_the_fit_is_lit_everywhere(view, qtbot, place_of):
    qtbot.mouseMove(view.sheet, place_of(view, 4))
    assert view.workbench.hovered_point == 4
