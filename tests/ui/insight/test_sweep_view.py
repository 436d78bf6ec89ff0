"""The sweep view: computed while nothing moves, clicked to set the number."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox

import kernelviz
from kernelviz.drawing.insight.sweep import SweepPicture
from kernelviz.drawing.wording import shown
from kernelviz.engine.fits.parsing import algorithm, dataset, kernel
from kernelviz.ui.insight.sweep_view import VALUES, SweepView
from tests.ui.insight.conftest import pixel


@pytest.fixture
def swept(bench, show, qtbot):
    """A view with all of its curve."""

    def make(*arguments):
        workbench = bench(*arguments)
        view = show(SweepView(workbench))
        qtbot.waitUntil(lambda: complete(view))
        return view

    return make


def complete(view):
    return isinstance(view.picture, SweepPicture) and bool(np.isfinite(view.picture.sweep.training).all())


def click(view, share):
    """Click at a share of the plot's width."""
    plot = view.picture._plot(view.sheet.room, view.sheet.style_of_picture)
    at = QPointF(plot.inner.left() + share * plot.inner.width(), plot.inner.center().y())
    QTest.mouseClick(view.sheet, Qt.MouseButton.LeftButton, pos=pixel(at))


def test_the_curve_runs_over_the_whole_range_and_names_its_number(swept):
    view = swept()
    assert view.picker.currentText().startswith("γ")
    values = view.picture.sweep.values
    assert len(values) == VALUES
    low, high = view.knob.parameter.soft
    assert (values[0], values[-1]) == pytest.approx((low, high))


def test_a_click_sets_the_number_as_one_step_of_undo(swept):
    view = swept()
    session = view.workbench.session
    before = session.document
    click(view, 0.9)
    assert session.document.kernel.gamma > before.kernel.gamma
    assert session.document.kernel.gamma in view.picture.sweep.values
    session.undo()
    assert session.document is before


def test_turning_the_number_itself_moves_the_mark_and_computes_nothing(swept):
    view = swept()
    curve = view.picture.sweep
    click(view, 0.2)
    assert view.picture.sweep is curve
    assert view.picture.knob.value == view.workbench.session.document.kernel.gamma
    assert not view._rest.isActive()


def test_other_points_are_computed_anew_once_nothing_moves(swept, qtbot):
    view = swept()
    curve = view.picture.sweep
    view.workbench.session.change("x", data=dataset("moons(n=30)"), source="moons(n=30)")
    assert view.picture.sweep is curve
    qtbot.waitUntil(lambda: view.picture.sweep is not curve and complete(view))


def test_held_out_points_add_their_curve(swept, qtbot):
    view = swept("moons(n=30)")
    assert "held-out error" not in view.picture.curves
    session = view.workbench.session
    session.replace("hold out", session.document.with_share_aside(0.3))
    qtbot.waitUntil(lambda: "held-out error" in view.picture.curves and complete(view))


def test_a_fit_without_a_number_says_so(bench, show):
    view = show(SweepView(bench("gaussians(n=10)", "linear", "prototype")))
    assert "has a number to sweep" in view.picture.reason


def test_hidden_it_computes_nothing(swept, qtbot):
    view = swept()
    curve = view.picture.sweep
    view.hide()
    view.workbench.session.change("x", algorithm=algorithm("soft-margin-svm(C=3)"))
    assert not view._rest.isActive()
    view.show()
    qtbot.waitUntil(lambda: view.picture.sweep is not curve)


def test_the_numbers_told_are_those_of_the_fit_wherever_it_stands(swept, qtbot):
    view = swept("outliers", "rbf(gamma=3)", "ridge(lam=0.1)")
    session = view.workbench.session
    session.change("x", kernel=kernel("rbf(gamma=2.3456)"))
    assert 2.3456 not in view.picture.sweep.values
    qtbot.waitUntil(lambda: view.picture.present is not None)
    exact = kernelviz.fit(session.document.data, kernel="rbf(gamma=2.3456)", algorithm="ridge(lam=0.1)")
    assert view.picture.told("training error") == shown(exact.summary()["mean_squared_error"], 3)


def test_squared_errors_of_many_sizes_have_a_logarithmic_axis(swept):
    even = swept("outliers", "rbf(gamma=3)", "ridge(lam=10)").picture.axes[1]
    assert not even.log
    uneven = swept("sine", "rbf(gamma=3)", "ridge(lam=1e-6)").picture
    axis = uneven.axes[1]
    assert axis.log
    assert axis.low <= uneven.sweep.training.min() < uneven.sweep.training.max() <= axis.high


def test_the_line_follows_a_drag_which_is_one_step_of_undo(swept):
    view = swept()
    session = view.workbench.session
    before = session.document
    plot = view.picture._plot(view.sheet.room, view.sheet.style_of_picture)

    def at(share):
        return pixel(QPointF(plot.inner.left() + share * plot.inner.width(), plot.inner.center().y()))

    QTest.mousePress(view.sheet, Qt.MouseButton.LeftButton, pos=at(0.5))
    seen = []
    for share in (0.6, 0.75, 0.9):
        QTest.mouseMove(view.sheet, at(share))
        moved = QMouseEvent(
            QEvent.Type.MouseMove,
            at(share).toPointF(),
            view.sheet.mapToGlobal(at(share)).toPointF(),
            Qt.MouseButton.NoButton,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        QApplication.sendEvent(view.sheet, moved)
        seen.append(session.document.kernel.gamma)
    QTest.mouseRelease(view.sheet, Qt.MouseButton.LeftButton, pos=at(0.9))
    assert before.kernel.gamma < seen[0] < seen[1] < seen[2]
    session.undo()
    assert session.document is before


def test_where_there_is_no_error_to_sweep_a_sentence_says_so(bench, show, qtbot):
    view = show(SweepView(bench("gaussians(n=40, seed=3)", "rbf(gamma=1)", "one-class-svm")))
    qtbot.waitUntil(lambda: view._run is not None and bool(np.isfinite(view._run.so_far.support).all()))
    qtbot.waitUntil(lambda: "there is no error to sweep" in getattr(view.picture, "reason", ""), timeout=5000)
    box = next(box for box in view.findChildren(QCheckBox) if box.text() == "Support vectors")
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: isinstance(view.picture, SweepPicture))
    assert list(view.picture.curves) == ["support vectors"]
