"""The strip of edits, touched."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.session.workspaces.curve import Curve
from kernelviz.ui.insight.edits_view import EditsView
from tests.ui.insight.conftest import pixel


@pytest.fixture
def edited(bench, show, qapp):
    """Three widths tried."""
    workbench = bench()
    view = show(EditsView(workbench))
    for gamma in (2.0, 30.0, 4.0):
        workbench.session.change(f"change to {gamma:g}", kernel=Gaussian(gamma))
        qapp.processEvents()
    view.catch_up()
    view.grab()
    return view


def place(view, k):
    """The pixel of a tick, halfway up."""
    plot = view.picture._plot(view.sheet.room, view.sheet.style_of_picture)
    at = plot.inner.center()
    at.setX(view.picture._places(plot)[k])
    return pixel(at)


def test_it_runs_on_with_every_edit(edited):
    assert [tick.name for tick in edited.picture.edits.ticks] == [
        "",
        "change to 2",
        "change to 30",
        "change to 4",
    ]


def test_pointing_names_the_edit_and_its_numbers(edited):
    before = edited.grab().toImage()
    QTest.mouseMove(edited.sheet, place(edited, 2))
    assert edited.picture.pointed.name == "change to 30"
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
    assert edited.picture.edits.numbers[-1, 3] == edited.workbench.frame.test.error
    edited.grab()


def test_what_classes_have_is_gone_with_real_targets(edited, qapp):
    assert np.isfinite(edited.picture.edits.numbers[:, 1]).all()
    edited.workbench.session.visit(Curve())
    qapp.processEvents()
    edited.catch_up()
    assert edited.picture.edits.names[2] == "training mean squared error"
    assert np.isnan(edited.picture.edits.numbers[:, 1]).all()
