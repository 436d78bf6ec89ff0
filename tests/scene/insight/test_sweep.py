"""The sweep view: computed while nothing moves, clicked to set the number."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox

import kernelviz
from kernelviz.engine.fits.parsing import algorithm, dataset, kernel
from kernelviz.scene.insight.sweep import VALUES
from kernelviz.scene.wording import shown
from tests.scene.insight.helpers import pixel, press


@pytest.fixture
def swept(bench, opened, qtbot):
    """A view with all of its curve."""

    def make(*arguments):
        workbench = bench(*arguments)
        view = opened("sweep", workbench=workbench)
        qtbot.waitUntil(lambda: complete(view) and not view.working)
        return view

    return make


def curve(view, name="training error"):
    """A curve; None where there is none."""
    if view.scene.reason:
        return None
    return next((layer for layer in view.scene.root.layers if layer.part == name), None)


def complete(view) -> bool:
    return curve(view) is not None and bool(np.isfinite(curve(view).y).all())


def number(view, name="training error") -> str:
    return {found.name: text for found, text in view.scene.root.entries}[name]


def place_at(view, share):
    """The pixel at a share of the plot's width."""
    inner = view.sheet.layout_of_scene.find("sweep").inner
    return pixel(QPointF(inner.left() + share * inner.width(), inner.center().y()))


def click(view, share):
    """Click at a share of the plot's width."""
    QTest.mouseClick(view.sheet, Qt.MouseButton.LeftButton, pos=place_at(view, share))


def test_the_curve_runs_over_the_whole_range_and_names_its_number(swept):
    view = swept()
    assert view.bar.pickers["key"].currentText().startswith("γ")
    values = curve(view).x
    assert len(values) == VALUES
    low, high = view.view.knob(view.workbench.session.document).parameter.soft
    assert (values[0], values[-1]) == pytest.approx((low, high))


def test_a_share_of_the_points_is_drawn_in_steps_and_a_loss_that_changes_gradually_is_not(swept, qtbot):
    view = swept("gaussians(n=20, seed=3)", "linear", "by-hand")
    qtbot.mouseClick(view.boxes["hinge"], Qt.MouseButton.LeftButton)
    axes = view.sheet.layout_of_scene.find("sweep")
    for name, level in (("training error", True), ("hinge loss", False)):
        (x, y) = np.diff(axes.layer(name).corners(axes), axis=0).T
        assert ((x == 0) | (y == 0)).all() == level


def test_a_click_sets_the_number_as_one_step_of_undo(swept):
    view = swept()
    session = view.workbench.session
    before = session.document
    click(view, 0.9)
    assert session.document.kernel.gamma > before.kernel.gamma
    assert session.document.kernel.gamma in curve(view).x
    session.undo()
    assert session.document is before


def test_turning_the_number_itself_moves_the_mark_and_computes_nothing(swept):
    view = swept()
    before = curve(view).y
    click(view, 0.2)
    assert curve(view).y.tolist() == before.tolist()
    assert view.scene.root.layers[-1].x == view.workbench.session.document.kernel.gamma
    assert not view.working


def test_other_points_are_computed_anew_once_nothing_moves(swept, qtbot):
    view = swept()
    before = curve(view).y.tolist()
    view.workbench.session.change("x", data=dataset("moons(n=30)"), source="moons(n=30)")
    assert curve(view).y.tolist() == before
    qtbot.waitUntil(lambda: complete(view) and curve(view).y.tolist() != before)


def test_held_out_points_add_their_curve(swept, qtbot):
    view = swept("moons(n=30)")
    assert curve(view, "held-out error") is None
    session = view.workbench.session
    session.replace("hold out", session.document.with_share_aside(0.3))
    qtbot.waitUntil(lambda: curve(view, "held-out error") is not None and complete(view))


def test_a_fit_without_a_number_says_so(bench, opened):
    view = opened("sweep", workbench=bench("gaussians(n=10)", "linear", "prototype"))
    assert "has a parameter to sweep" in view.scene.reason


def test_hidden_it_computes_nothing(swept, qtbot):
    view = swept()
    before = curve(view).y.tolist()
    view.hide()
    view.workbench.session.change("x", algorithm=algorithm("soft-margin-svm(C=3)"))
    assert not view.working
    view.show()
    qtbot.waitUntil(lambda: complete(view) and curve(view).y.tolist() != before)


def test_the_numbers_told_are_those_of_the_fit_wherever_it_stands(swept, qtbot):
    view = swept("outliers", "rbf(gamma=3)", "ridge(lam=0.1)")
    session = view.workbench.session
    session.change("x", kernel=kernel("rbf(gamma=2.3456)"))
    assert 2.3456 not in curve(view).x
    exact = kernelviz.fit(session.document.data, kernel="rbf(gamma=2.3456)", algorithm="ridge(lam=0.1)")
    qtbot.waitUntil(lambda: number(view) == shown(exact.summary()["mean_squared_error"], 3))


def test_squared_errors_of_many_sizes_have_a_logarithmic_axis(swept):
    even = swept("outliers", "rbf(gamma=3)", "ridge(lam=10)").scene.root.y
    assert not even.log
    uneven = swept("sine", "rbf(gamma=3)", "ridge(lam=1e-6)")
    axis = uneven.scene.root.y
    assert axis.log
    assert axis.low <= curve(uneven).y.min() < curve(uneven).y.max() <= axis.high


def test_another_number_is_picked_by_key(swept, qtbot):
    view = swept()
    picker = view.bar.pickers["key"]
    press(picker, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: complete(view) and view.scene.root.x.label.startswith("C"))
    assert picker.currentText().startswith("C")


def test_work_in_progress_is_stopped_and_goes_on(bench, opened, qtbot):
    view = opened("sweep", workbench=bench("moons(n=300, noise=0.3)"))
    qtbot.waitUntil(lambda: view.halt.isVisible())
    qtbot.mouseClick(view.halt, Qt.MouseButton.LeftButton)
    assert view.halt.text() == "Resume"
    assert not view.working
    qtbot.mouseClick(view.halt, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: complete(view))


def drag(view, place):
    """Move the mouse over the sheet with its left button held."""
    moved = QMouseEvent(
        QEvent.Type.MouseMove,
        place.toPointF(),
        view.sheet.mapToGlobal(place).toPointF(),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(view.sheet, moved)


def test_the_line_follows_a_drag_which_is_one_step_of_undo(swept):
    view = swept()
    session = view.workbench.session
    before = session.document
    QTest.mousePress(view.sheet, Qt.MouseButton.LeftButton, pos=place_at(view, 0.5))
    seen = []
    for share in (0.6, 0.75, 0.9):
        drag(view, place_at(view, share))
        seen.append(session.document.kernel.gamma)
    QTest.mouseRelease(view.sheet, Qt.MouseButton.LeftButton, pos=place_at(view, 0.9))
    assert before.kernel.gamma < seen[0] < seen[1] < seen[2]
    session.undo()
    assert session.document is before


def test_a_drag_beyond_the_edge_sets_the_last_value(swept):
    view = swept()
    session = view.workbench.session
    QTest.mousePress(view.sheet, Qt.MouseButton.LeftButton, pos=place_at(view, 0.5))
    drag(view, place_at(view, 2.0))
    assert session.document.kernel.gamma == curve(view).x[-1]
    drag(view, place_at(view, -1.0))
    assert session.document.kernel.gamma == curve(view).x[0]


def test_two_drags_are_two_steps_of_undo(swept):
    view = swept()
    session = view.workbench.session
    documents = [session.document]
    for first, last in ((0.5, 0.9), (0.3, 0.1)):
        QTest.mousePress(view.sheet, Qt.MouseButton.LeftButton, pos=place_at(view, first))
        drag(view, place_at(view, last))
        QTest.mouseRelease(view.sheet, Qt.MouseButton.LeftButton, pos=place_at(view, last))
        documents.append(session.document)
    session.undo()
    assert session.document is documents[1]
    session.undo()
    assert session.document is documents[0]


def test_where_there_is_no_error_to_sweep_a_sentence_says_so(bench, opened, qtbot):
    view = opened("sweep", workbench=bench("gaussians(n=40, seed=3)", "rbf(gamma=1)", "one-class-svm"))
    qtbot.waitUntil(lambda: "there is no error to sweep" in view.scene.reason)
    box = next(box for box in view.findChildren(QCheckBox) if box.text() == "Support vectors")
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not view.scene.reason)
    assert [layer.part for layer in view.scene.root.layers] == ["support vectors", "present"]
