"""A slider that runs back and forth by itself."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.ui.widgets.number_control import NumberControl
from kernelviz.ui.widgets.scale import scale_of
from kernelviz.ui.widgets.slider import SliderAnimation
from tests.ui.widgets.acting import drag

LEFT = Qt.MouseButton.LeftButton
GAMMA = next(p for p in Gaussian.parameters() if p.name == "gamma")


@pytest.fixture
def control(qtbot):
    made = NumberControl(GAMMA, "rbf", plays=True)
    qtbot.addWidget(made)
    made.resize(280, 60)
    made.show()
    made.heard = []
    made.edited.connect(lambda value, gesture: made.heard.append((value, gesture)))
    return made


def play(control):
    QTest.mouseClick(control.play, LEFT)


def test_it_goes_to_the_end_and_comes_back(qtbot):
    scale, found = scale_of(GAMMA), []
    holder = QWidget()
    qtbot.addWidget(holder)
    swing = SliderAnimation(holder)
    swing.moved.connect(lambda value, gesture: found.append(value))
    swing.begin(scale, 1.0)
    for _ in range(600):
        swing._step()
    swing.end()
    assert max(found) == scale.high
    assert min(found) == scale.low
    up = found[: found.index(scale.high)]
    assert up == sorted(up)


def test_playing_changes_the_value_as_one_gesture(control, qtbot):
    play(control)
    qtbot.waitUntil(lambda: len(control.heard) > 5)
    play(control)
    values, gestures = zip(*control.heard, strict=True)
    assert list(values) == sorted(values)
    assert values[0] > GAMMA.default
    assert len(set(gestures)) == 1
    heard = len(control.heard)
    qtbot.wait(120)
    assert len(control.heard) == heard


def test_taking_the_knob_stops_it(control, qtbot):
    play(control)
    qtbot.waitUntil(lambda: bool(control.heard))
    drag(control.slider, 0.1)
    assert not control.play.isChecked()
    assert not control.play.isChecked()


def test_a_value_from_elsewhere_stops_it(control, qtbot):
    play(control)
    qtbot.waitUntil(lambda: bool(control.heard))
    control.show_value(0.5)
    assert not control.play.isChecked()
    assert control.value == 0.5


def test_a_hidden_control_stands_still(control, qtbot):
    play(control)
    control.hide()
    assert not control.play.isChecked()


def test_a_button_nobody_sees_belongs_to_its_control_all_the_same(qtbot):
    """Without an owner, Python would delete it at any time, also while Qt goes through all widgets."""
    made = NumberControl(GAMMA, "rbf", plays=False)
    qtbot.addWidget(made)
    made.show()
    assert made.play.parent() is made
    assert not made.play.isVisible()
