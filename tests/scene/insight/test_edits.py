"""The strip of edits, touched."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.session.workspaces.curve import CurveWorkspace
from tests.scene.insight.helpers import found, legend, pixel


@pytest.fixture
def edited(opened, qapp):
    """Three widths tried."""
    view = opened("edits")
    for gamma in (2.0, 30.0, 4.0):
        view.workbench.session.change(f"change to {gamma:g}", kernel=Gaussian(gamma))
        qapp.processEvents()
    view.catch_up()
    view.grab()
    return view


def place(view, k):
    """The pixel of a tick, halfway up."""
    plot, ticks = found(view, "edits"), found(view, "ticks")
    return pixel(QPointF(float(plot.at(ticks.x[k], 0.0)[0, 0]), plot.inner.center().y()))


def test_it_runs_on_with_every_edit(edited):
    ticks = found(edited, "ticks").edits.ticks
    assert [tick.name for tick in ticks] == ["", "change to 2", "change to 30", "change to 4"]


def test_pointing_names_the_edit_and_its_numbers(edited):
    before = edited.grab().toImage()
    QTest.mouseMove(edited.sheet, place(edited, 2))
    pointed = found(edited, "ticks").edits.ticks[int(edited.sheet.marks.pointed.row)]
    assert pointed.name == "change to 30"
    assert edited.grab().toImage() != before


def test_a_click_goes_back_to_the_edit(edited):
    session = edited.workbench.session
    QTest.mouseClick(edited.sheet, Qt.MouseButton.LeftButton, pos=place(edited, 1))
    assert session.document.kernel.gamma == 2.0
    session.redo()
    assert session.document.kernel.gamma == 30.0


def test_held_out_points_add_their_error(edited, qapp):
    session = edited.workbench.session
    session.replace("hold out", session.document.with_share_aside(0.3))
    qapp.processEvents()
    edited.catch_up()
    assert found(edited, "held-out error").y[-1] == edited.workbench.frame.test.error
    edited.grab()


def test_what_classes_have_is_gone_with_real_targets(edited, qapp):
    assert np.isfinite(found(edited, "mean hinge loss").y).all()
    edited.workbench.session.visit(CurveWorkspace())
    qapp.processEvents()
    edited.catch_up()
    assert list(legend(edited, "edits")) == ["mean squared error"]
