"""One control for each kind of parameter."""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QShortcut, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QVBoxLayout, QWidget

from kernelviz.engine.core import formulas, params
from kernelviz.engine.core.params import Parameter
from kernelviz.engine.fits import registry
from kernelviz.session import colour_sets
from kernelviz.ui.widgets.buttons import KeyGuard, ToolButton
from kernelviz.ui.widgets.colours_control import ColoursControl
from kernelviz.ui.widgets.controls import ChoiceControl, FlagControl, Segments, control_for
from kernelviz.ui.widgets.formula_control import FormulaControl
from kernelviz.ui.widgets.layouts import column
from kernelviz.ui.widgets.number_control import NumberControl, SeedControl
from kernelviz.ui.widgets.number_field import read_number
from tests.ui.widgets.acting import LEFT, Counter, change, drag, type_into

REAL = Parameter("C", params.REAL, 1.0, 1e-6, 1e6, (1e-2, 1e2), "log", label="C", help="Price of slack")
WHOLE = Parameter("n", params.INTEGER, 10, 1, 5000, (1, 100), label="n")
WORD = Parameter(
    "f", params.CHOICE, "one", options=("one", "two", "a_much_longer_word", "another"), label="f"
)
SHORT = Parameter("m", params.CHOICE, "a", options=("a", "b"), label="m")
FLAG = Parameter("on", params.FLAG, False, label="on")
SEED = Parameter("seed", params.INTEGER, 0, 0, 2**31 - 1, (0, 100), label="seed")
COLOURS = Parameter("colours", colour_sets.COLOURS, "default", label="Colours")
FORMULA = Parameter("formula", formulas.FORMULA, "sin(x)", options=("x",), label="formula")
CONDITION = Parameter("where", formulas.CONDITION, "x1 < x2", options=("x1", "x2"), label="where")
EVERY = [REAL, WHOLE, WORD, SHORT, FLAG, SEED, COLOURS, FORMULA, CONDITION]


def test_there_is_a_control_here_for_every_kind_of_parameter():
    places = (params, colour_sets, formulas)
    declared = {kind for place in places for kind in vars(place).values() if isinstance(kind, params.Kind)}
    assert {parameter.kind for parameter in EVERY} == declared


class Told(list):
    """What a control has emitted."""

    def __init__(self, control):
        super().__init__()
        control.edited.connect(lambda value, gesture: self.append((value, gesture)))

    @property
    def values(self):
        return [value for value, _ in self]

    @property
    def gestures(self):
        return {id(gesture) for _, gesture in self}


@pytest.fixture
def made(qtbot):
    def make(parameter):
        control = control_for(parameter, "it")
        control.resize(300, 40)
        qtbot.addWidget(control)
        control.show()
        return control, Told(control)

    return make


def test_the_kind_of_parameter_decides_the_kind_of_control(made):
    kinds = [type(made(p)[0]) for p in EVERY]
    plain = [NumberControl, NumberControl, ChoiceControl, ChoiceControl, FlagControl, SeedControl]
    assert kinds == [*plain, ColoursControl, FormulaControl, FormulaControl]


@pytest.mark.parametrize("parameter", EVERY, ids=lambda p: p.name)
def test_a_value_shown_from_outside_is_not_an_edit(made, parameter):
    control, told = made(parameter)
    others = {"C": 33.0, "n": 77, "f": "two", "m": "b", "on": True, "seed": 5, "colours": "greyscale"}
    others |= {"formula": "x", "where": "x1 > 0"}
    other = others[parameter.name]
    control.show_value(other)
    assert control.value == other
    assert told == []


@pytest.mark.parametrize("parameter", EVERY, ids=lambda p: p.name)
def test_every_control_works_from_the_keyboard_and_resets(made, parameter):
    control, told = made(parameter)
    reset = next(b for b in control.findChildren(ToolButton) if b.accessibleName().startswith("Reset"))
    assert reset.isHidden()
    change(control)
    assert told.values == [control.value]
    assert control.value != parameter.default
    assert not reset.isHidden()
    QTest.keyClick(reset, Qt.Key.Key_Space)
    assert told.values[-1] == control.value == parameter.default
    assert reset.isHidden()


@pytest.mark.parametrize("parameter", EVERY, ids=lambda p: p.name)
def test_every_control_says_its_name_and_help_to_a_screen_reader(made, parameter):
    control, _ = made(parameter)
    assert parameter.label in control.editor.accessibleName()
    assert control.editor.accessibleDescription() == parameter.help


# Sliders ------------------------------------------------------------------------------------------------
def test_a_drag_is_one_gesture_and_two_drags_are_two(made):
    control, told = made(REAL)
    drag(control.slider, 0.9)
    assert len(told) > 1
    assert len(told.gestures) == 1
    drag(control.slider, 0.2)
    assert len(told.gestures) == 2


def test_a_slider_that_is_shown_the_same_value_is_not_drawn_anew(made, qtbot, qapp):
    control, _ = made(REAL)
    slider = control.slider
    slider.show_value(REAL.default, REAL.default)
    drawn = Counter(slider, QEvent.Type.Paint)
    qtbot.waitUntil(lambda: drawn.seen > 0)
    qapp.processEvents()
    drawn.seen = 0
    slider.show_value(REAL.default, REAL.default)
    qapp.processEvents()
    assert drawn.seen == 0
    slider.show_value(33.0, REAL.default)
    qapp.processEvents()
    assert drawn.seen == 1


def test_clicking_beside_the_knob_jumps_there(made):
    control, told = made(REAL)
    QTest.mouseClick(
        control.slider, LEFT, pos=QPoint(control.slider.width() - 10, control.slider.height() // 2)
    )
    assert told.values[-1] > 50


def test_pressing_the_knob_without_moving_changes_nothing(made):
    control, told = made(REAL)
    off_centre = control.slider.knob().center().toPoint() + QPoint(5, 2)
    QTest.mouseClick(control.slider, LEFT, pos=off_centre)
    assert told == []


def test_keys_walk_the_slider(made):
    control, told = made(REAL)
    slider = control.slider
    for key in (Qt.Key.Key_Right, Qt.Key.Key_PageUp, Qt.Key.Key_End, Qt.Key.Key_Left, Qt.Key.Key_Home):
        QTest.keyClick(slider, key)
    right, page, end, left, home = told.values
    assert REAL.default < right < page < end
    assert left < end
    assert (home, end) == REAL.soft
    assert len(told.gestures) == 5


@pytest.mark.parametrize("parameter", [REAL, WHOLE, WORD, SEED], ids=lambda p: p.name)
def test_the_wheel_scrolls_the_panel_and_never_changes_a_value(made, parameter):
    control, told = made(parameter)
    for name in ("slider", "field", "combo"):
        widget = getattr(control, name, None)
        if widget is None:
            continue
        widget.setFocus()
        wheel = QWheelEvent(
            QPointF(5, 5),
            QPointF(widget.mapToGlobal(QPoint(5, 5))),
            QPoint(0, 0),
            QPoint(0, 120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(widget, wheel)
        assert not wheel.isAccepted()
    assert told == []


# Fields -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "meant"),
    [("1e-3", 1e-3), ("0,5", 0.5), (" 12 ", 12), ("−2", -2), ("1 000", 1000), ("abc", "abc")],
)
def test_numbers_are_read_as_people_write_them(text, meant):
    assert read_number(text) == meant


def test_any_number_within_the_bounds_may_be_typed_also_beyond_the_slider(made):
    control, told = made(REAL)
    type_into(control.field, "1e5")
    assert told.values == [1e5]
    assert control.slider.sliderPosition() == control.slider.maximum()


@pytest.mark.parametrize("text", ["abc", "", "1e9", "-1", "nan", "inf", "1+"])
def test_text_that_is_no_allowed_number_gets_a_sentence_and_changes_nothing(made, text):
    control, told = made(REAL)
    control.field.selectAll()
    QTest.keyClick(control.field, Qt.Key.Key_Backspace)
    type_into(control.field, text)
    assert told == []
    assert control.value == REAL.default
    assert not control.message.isHidden()
    assert control.message.sentence.startswith("C of it must")
    assert control.field.text() == text


def test_a_complaint_goes_with_the_next_good_number(made):
    control, told = made(REAL)
    type_into(control.field, "abc")
    type_into(control.field, "3")
    assert told.values == [3.0]
    assert control.message.isHidden()


def test_escape_brings_the_old_number_back(made):
    control, told = made(REAL)
    type_into(control.field, "abc")
    QTest.keyClick(control.field, Qt.Key.Key_Escape)
    assert control.field.text() == "1"
    assert control.message.isHidden()
    assert told == []


def test_a_whole_number_must_be_whole(made):
    control, told = made(WHOLE)
    type_into(control.field, "2.5")
    assert "whole number" in control.message.sentence
    type_into(control.field, "4000")
    assert told.values == [4000]


def test_arrows_in_the_field_step(made):
    control, told = made(WHOLE)
    QTest.keyClick(control.field, Qt.Key.Key_Up)
    QTest.keyClick(control.field, Qt.Key.Key_Down)
    assert told.values == [11, 10]


def test_arrows_in_the_field_of_a_logarithmic_scale_go_to_numbers_that_people_write(made):
    control, told = made(registry.kernels()["rbf"].parameter("gamma"))
    control.show_value(0.013)
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_PageUp, Qt.Key.Key_Down, Qt.Key.Key_PageDown):
        QTest.keyClick(control.field, key)
    assert told.values == [0.02, 0.05, 0.5, 0.2, 0.02]


def test_text_half_typed_survives_news_about_other_parameters(made):
    control, _ = made(REAL)
    control.field.selectAll()
    QTest.keyClicks(control.field, "12")
    control.show_value(control.value)
    assert control.field.text() == "12"
    control.show_value(5.0)
    assert control.field.text() == "5"


# Views --------------------------------------------------------------------------------------------------
def test_the_width_of_the_gaussian_goes_by_four_names(made):
    gamma = registry.kernels()["rbf"].parameter("gamma")
    control, told = made(gamma)
    assert [a.text().split()[0] for a in control.label.menu().actions()] == ["γ", "σ", "ℓ", "σ²"]
    control.show_value(2.0)
    shown = []
    for action in control.label.menu().actions():
        action.trigger()
        shown.append((control.name_shown, float(control.field.text())))
    assert shown == [("γ", 2), ("σ", 0.5), ("ℓ", 0.5), ("σ²", 0.25)]
    assert told == []


def test_what_is_typed_as_sigma_arrives_as_gamma(made):
    control, told = made(registry.kernels()["rbf"].parameter("gamma"))
    control.show_in(control.parameter.views[0])
    type_into(control.field, "2")
    assert told.values == [pytest.approx(1 / 8)]
    QTest.keyClick(control.slider, Qt.Key.Key_Home)
    low = math.sqrt(1 / (2 * control.parameter.soft[1]))
    assert told.values[-1] == pytest.approx(control.parameter.soft[1], rel=0.01)
    assert float(control.field.text()) == pytest.approx(low, rel=0.01)


def test_a_bound_is_named_in_the_terms_on_screen(made):
    control, told = made(registry.kernels()["rbf"].parameter("gamma"))
    control.show_in(control.parameter.views[0])
    type_into(control.field, "-3")
    assert "sigma" in control.message.sentence
    assert told == []


# Seeds --------------------------------------------------------------------------------------------------
def test_the_die_gives_another_seed(made):
    control, told = made(SEED)
    for _ in range(5):
        before = control.value
        QTest.mouseClick(control.die, LEFT)
        assert control.value != before
    assert len(told) == 5


def test_undo_in_a_field_is_the_windows_unless_something_has_been_typed(qtbot, made):
    control, _ = made(REAL)
    undone = []
    QShortcut("Ctrl+Z", control).activated.connect(lambda: undone.append(True))
    with qtbot.waitActive(control):
        pass
    control.field.setFocus()
    QTest.keyClick(control.field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert undone == [True]
    QTest.keyClicks(control.field, "12")
    QTest.keyClick(control.field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert undone == [True]


def test_a_long_word_in_a_complaint_does_not_widen_the_panel(made):
    control, _ = made(REAL)
    narrow = control.minimumSizeHint().width()
    control.complain("x" * 200)
    assert control.minimumSizeHint().width() <= max(narrow, 256)


# The window's shortcuts ---------------------------------------------------------------------------------
def test_keys_a_focused_control_uses_do_not_reach_the_windows_shortcuts(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    controls = [control_for(p, "it") for p in EVERY]
    for control in controls:
        column.addWidget(control)
    fired = []
    window.installEventFilter(KeyGuard(window))
    for key in ("Space", "Right", "Left", "End", "Home", "T", "7"):
        QShortcut(key, window).activated.connect(lambda key=key: fired.append(key))
    elsewhere = QWidget()
    elsewhere.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    column.addWidget(elsewhere)
    with qtbot.waitActive(window):
        window.show()
    number, _, words, short, flag, seed, *_ = controls
    steps = [
        (number.slider, Qt.Key.Key_Right),
        (number.slider, Qt.Key.Key_End),
        (number.field, Qt.Key.Key_7),
        (number.field, Qt.Key.Key_Left),
        (words.combo, Qt.Key.Key_T),
        (short.segments.buttons["b"], Qt.Key.Key_Space),
        (flag.box, Qt.Key.Key_Space),
        (seed.die, Qt.Key.Key_Space),
    ]
    for widget, key in steps:
        widget.setFocus()
        QTest.keyClick(widget, key)
    assert fired == []
    elsewhere.setFocus()
    QTest.keyClick(elsewhere, Qt.Key.Key_Space)
    assert fired == ["Space"]
    assert (words.value, short.value, flag.value) == ("two", "b", True)


def test_no_segment_is_the_default_button_of_its_dialogue(qtbot):
    dialog = QDialog()
    qtbot.addWidget(dialog)
    segments = Segments({"png": "PNG", "svg": "SVG"})
    column(segments, on=dialog)
    dialog.show()
    segments.buttons["png"].setFocus()
    assert not any(button.isDefault() for button in segments.buttons.values())
