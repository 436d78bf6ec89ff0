"""Formulas that fit a panel and never hold it up."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QScrollArea, QVBoxLayout, QWidget

from kernelviz.engine.fits import registry
from kernelviz.scene.formula import formula_size
from kernelviz.ui.sidebar import formula_label as typesetting
from kernelviz.ui.sidebar.formula_label import FormulaLabel, Typesetter, pieces

LONG = r"a + b + c + d,\quad 0 \le x \le 1"


@pytest.fixture
def label(qtbot):
    made = FormulaLabel()
    qtbot.addWidget(made)
    made.resize(600, 60)
    made.show()
    return made


def lines_of(qtbot, label, latex):
    label.set_latex(latex)
    qtbot.waitUntil(lambda: not label.busy and label.lines != [])
    return label.lines


def test_a_formula_may_break_at_wide_spaces_and_before_a_plus_outside_brackets():
    assert pieces(LONG) == [("", "a"), ("", "+ b"), ("", "+ c"), ("", "+ d,"), (r"\quad", r"0 \le x \le 1")]
    assert pieces(r"\left(a + b\right)^{c + d} f(x + y)") == [("", r"\left(a + b\right)^{c + d} f(x + y)")]
    assert pieces(r"K = \allowbreak x") == [("", "K ="), ("", "x")]


def test_a_narrow_label_has_more_lines_than_a_wide_one(qtbot, label):
    wide = lines_of(qtbot, label, LONG)
    height = label.sizeHint().height()
    assert len(wide) == 1
    label.resize(90, 60)
    qtbot.waitUntil(lambda: len(label.lines) > 2)
    assert label.sizeHint().height() > height


@pytest.mark.parametrize("name", registry.algorithms())
def test_every_formula_fits_the_narrowest_panel(qtbot, label, name):
    label.resize(256, 60)
    for line in lines_of(qtbot, label, registry.algorithms()[name].latex):
        assert formula_size(line, label.type_size)[0] <= 256


@pytest.mark.parametrize("name", registry.algorithms())
def test_a_scroll_bar_beside_it_changes_nothing_about_a_formula(qtbot, name):
    # Otherwise the bar makes the formula taller, which needs the bar, without which it is not so tall …
    area = QScrollArea()
    qtbot.addWidget(area)
    content, label = QWidget(), FormulaLabel()
    QVBoxLayout(content).addWidget(label)
    area.setWidgetResizable(True)
    area.setWidget(content)
    area.resize(400, 400)
    area.show()
    lines_of(qtbot, label, registry.algorithms()[name].latex)
    for width in range(230, 400, 10):
        area.resize(width, 400)
        heights = set()
        for policy in (Qt.ScrollBarPolicy.ScrollBarAlwaysOn, Qt.ScrollBarPolicy.ScrollBarAlwaysOff):
            area.setVerticalScrollBarPolicy(policy)
            QApplication.processEvents()
            qtbot.waitUntil(lambda: not label.busy)
            heights.add(label.sizeHint().height())
        assert len(heights) == 1, width


def test_formulas_are_set_on_another_thread(qtbot, monkeypatch):
    threads = []
    monkeypatch.setattr(
        typesetting, "formula_size", lambda *_: threads.append(threading.current_thread()) or (1.0, 1.0)
    )
    setter = Typesetter()
    with qtbot.waitSignal(setter.done):
        assert not setter.ready("x^2")
    assert setter.ready("x^2")
    assert threads == [t for t in threads if t is not threading.main_thread()]
    assert len(threads) == 1


def test_formulas_that_change_quickly_are_not_all_set(qtbot, label):
    lines_of(qtbot, label, "x")
    asked = []
    label._ask = lambda: asked.append(label.latex)
    label._timer.timeout.disconnect()
    label._timer.timeout.connect(label._ask)
    for k in range(20):
        label.set_latex(f"x^{k}")
    qtbot.waitUntil(lambda: bool(asked))
    assert asked == ["x^19"]


def test_a_formula_is_never_shown_under_another_name(qtbot, label):
    lines_of(qtbot, label, "x^2")
    label.set_latex("x^3")
    assert label.lines, "a number that changes leaves the formula in sight"
    label.set_latex(r"\frac{a}{b}")
    assert label.lines == []
    assert lines_of(qtbot, label, r"\frac{a}{b}") == [r"\frac{a}{b}"]


def test_a_formula_can_be_heard(label):
    label.set_latex(r"\gamma x")
    assert label.accessibleName() == "gamma x"


@pytest.mark.parametrize("latex", [" + ".join([r"\frac{a}{b}"] * 400), r"\frac{a}{b} \, " * 60])
def test_a_formula_too_long_to_be_set_or_too_wide_for_the_panel_is_shown_as_an_expression(
    qtbot, label, latex
):
    label.set_latex(latex, "K = something + " * 40)
    qtbot.waitUntil(lambda: label.text != "")
    tall = label.sizeHint().height()
    assert tall > 3 * label.fontMetrics().height(), "over several lines"
    label.resize(300, 60)
    qtbot.waitUntil(lambda: label.sizeHint().height() > 1.5 * tall)
    assert lines_of(qtbot, label, "x") == ["x"]
    assert label.text == ""


def test_typesetting_ends_with_the_window_and_leaves_what_is_waiting(qtbot, monkeypatch):
    begun, go_on, done = threading.Event(), threading.Event(), []
    monkeypatch.setattr(
        typesetting, "formula_size", lambda latex, _: begun.set() or (go_on.wait() and done.append(latex))
    )
    setter = Typesetter()
    setter.ready("x")
    setter.ready("y")
    begun.wait()
    (thread,) = (t for t in threading.enumerate() if t.name == "kernelviz-typesetter")
    assert thread.daemon, "the program ends without it"
    assert not setter.stop(patience=0.0)
    go_on.set()
    thread.join()
    assert setter.stop()
    assert done == ["x"]
