"""Forms generated from declarations."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Declared, integer, real
from kernelviz.engine.fits import registry
from kernelviz.session.themes import LIGHT
from kernelviz.ui.widgets.form import ParameterForm
from kernelviz.ui.widgets.layouts import Section
from kernelviz.ui.window.appearance import apply_theme
from tests.ui.widgets.acting import change, drag, type_into

EVERY = [
    pytest.param(kind, id=name)
    for family in (registry.kernels(), registry.algorithms(), registry.datasets())
    for name, kind in family.items()
]


@dataclass(frozen=True)
class Interval(Declared):
    """Two parameters that must go together."""

    name = "interval"
    low: float = real(0.0, low=-10, high=10, label="low")
    high: float = real(1.0, low=-10, high=10, label="high")
    digits: int = integer(3, low=1, high=9, label="digits", silent=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.low > self.high:
            raise BadInput("low must not exceed high.")


@pytest.fixture
def made(qtbot):
    def make(kind):
        form = ParameterForm(kind, plays=True)
        qtbot.addWidget(form)
        form.resize(280, 300)
        form.show_declared(kind())
        form.show()
        told = []
        form.edited.connect(lambda *what: told.append(what))
        return form, told

    return make


@pytest.mark.parametrize("kind", EVERY)
def test_every_parameter_of_everything_registered_can_be_changed(made, kind):
    form, told = made(kind)
    assert set(form.controls) == {p.name for p in kind.parameters()}
    for parameter in kind.parameters():
        before = form.declared
        change(form.controls[parameter.name])
        new, _, undo_name = told[-1]
        assert new == before.replace(**{parameter.name: getattr(new, parameter.name)})
        assert new != before
        assert undo_name == f"change {parameter.label}"
        assert all(control.value == getattr(new, name) for name, control in form.controls.items())


@pytest.mark.parametrize("kind", EVERY)
def test_every_form_fits_a_narrow_panel(qapp, made, kind):
    apply_theme(qapp, LIGHT)
    form, _ = made(kind)
    if hasattr(form, "more"):
        form.more.set_open(True)
    assert form.minimumSizeHint().width() <= 256


def test_showing_an_object_emits_nothing(made):
    form, told = made(Interval)
    form.show_declared(Interval(low=-3.0, high=4.0))
    assert [c.value for c in form.controls.values()] == [-3.0, 4.0, 3]
    assert told == []


def test_parameters_that_do_not_go_together_are_refused_in_place(made):
    form, told = made(Interval)
    control = form.controls["low"]
    type_into(control.field, "5")
    assert told == []
    assert control.value == 0.0
    assert control.message.sentence == "low must not exceed high."


def test_dragging_emits_one_gesture(made):
    form, told = made(Interval)
    drag(form.controls["high"].slider, 0.95)
    assert len(told) > 1
    assert len({id(gesture) for _, gesture, _ in told}) == 1


def test_technical_parameters_wait_under_more(made):
    form, _ = made(Interval)
    assert isinstance(form.more, Section)
    assert not form.controls["digits"].isVisible()
    QTest.keyClick(form.more.heading, Qt.Key.Key_Space)
    assert form.controls["digits"].isVisible()


def test_tab_reaches_every_visible_control_in_the_order_of_the_declaration(made):
    form, _ = made(Interval)
    visited, widget = [], form
    while (widget := widget.nextInFocusChain()) is not form:
        if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
            visited.append(widget)
    wanted = [form.controls["low"].slider, form.controls["low"].field, form.controls["high"].slider]
    assert [visited.index(w) for w in wanted] == sorted(visited.index(w) for w in wanted)
