"""The course of the algorithm, touched."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt

from kernelviz.runtime.messages import END
from kernelviz.ui.insight.convergence_view import ConvergenceView


@pytest.fixture
def watched(bench, show, qapp):
    """A run watched to its end."""
    workbench = bench(mode="watch")
    workbench.session.adjust(step=END)
    qapp.processEvents()
    return show(ConvergenceView(workbench))


def test_ticking_the_box_shows_powers_of_ten(watched, qtbot):
    qtbot.mouseClick(watched.boxes["log"], Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    assert all(y.log for _, y in watched.picture.axes)
    watched.grab()


def test_clicking_while_watching_goes_to_that_step(watched, qtbot, to_pixel, qapp):
    picture, sheet = watched.picture, watched.sheet
    inner = picture._plots(sheet.room, sheet.style_of_picture)[0].inner
    at = to_pixel(QPointF(inner.left(), inner.center().y()))
    qtbot.mouseClick(sheet, Qt.MouseButton.LeftButton, pos=at)
    qapp.processEvents()
    assert watched.workbench.session.look.step == 0
    assert watched.workbench.frame.step == 0
    assert len(watched.workbench.frame.trace) > 5


def test_clicking_in_live_mode_does_nothing(bench, show, qtbot):
    view = show(ConvergenceView(bench()))
    qtbot.mouseClick(view.sheet, Qt.MouseButton.LeftButton)
    assert view.workbench.session.look.step == 0
    assert view.workbench.session.look.mode == "live"


def test_the_mark_follows_the_step(watched, qapp):
    at_end = watched.grab().toImage()
    watched.workbench.session.adjust(step=2)
    qapp.processEvents()
    watched.catch_up()
    assert watched.picture.step == 2
    assert watched.grab().toImage() != at_end


def test_a_perceptrons_mistakes_stand_beside_the_switch(bench, show, qtbot):
    workbench = bench("rings(n=60, seed=2)", "rbf(gamma=1)", "perceptron")
    view = show(ConvergenceView(workbench))
    qtbot.waitUntil(lambda: "at most" in view.remark.text())
    assert "‖g‖²" in view.remark.toolTip()
    assert view.minimumSizeHint().width() <= 310
