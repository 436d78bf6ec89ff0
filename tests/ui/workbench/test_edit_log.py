"""The edit_log of editing, and the way back to what it names."""

from __future__ import annotations

import gc

import numpy as np
import pytest

from kernelviz.engine.fits.parsing import algorithm, dataset, kernel
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.session.session import Session
from kernelviz.session.state import Document, State
from kernelviz.session.workspaces.curve import CurveWorkspace
from kernelviz.ui.workbench.workbench import Workbench


@pytest.fixture
def bench(qapp):
    document = Document.of(dataset("gaussians(n=20)"), kernel("rbf(gamma=1)"), algorithm("soft-margin-svm"))
    made = Workbench(Session(State(document)), synchronous=True)
    made.refresh()
    qapp.processEvents()
    yield made
    made.stop()


def edit(bench, qapp, gamma, gesture=None):
    bench.session.change(f"change to {gamma}", kernel=Gaussian(gamma), gesture=gesture)
    qapp.processEvents()


def test_every_result_is_a_row_and_every_edit_a_tick(bench, qapp):
    edit(bench, qapp, 2.0)
    for k in range(5):
        edit(bench, qapp, 3.0 + k, gesture="a drag")
    edits = bench.edit_log.edits()
    assert len(edits.numbers) == 7
    assert [(tick.row, tick.name) for tick in edits.ticks] == [
        (0, ""),
        (1, "change to 2.0"),
        (6, "change to 7.0"),
    ]
    hinge = bench.frame.model.summary()["hinge_loss"]
    assert edits.names[1:] == ("mean hinge loss", "training error", "held-out error")
    assert np.isnan(edits.numbers[-1][0]), "the algorithm's own loss is the hinge"
    assert edits.numbers[-1][1] == hinge
    assert np.isnan(edits.numbers[-1][3]), "nothing is held out"


def test_a_loss_of_its_own_is_followed_too_and_no_other_is_drawn_on_its_scale(bench, qapp):
    for name in ("logistic", "squared-slack-svm"):
        bench.session.change("pick", algorithm=algorithm(name))
        qapp.processEvents()
    edits = bench.edit_log.edits()
    assert edits.names[0] == "squared hinge loss"
    assert np.isnan(edits.numbers[:-1, 0]).all()
    assert edits.numbers[-1, 0] == bench.frame.model.summary()["loss"]
    assert np.isfinite(edits.numbers[:, 1]).all(), "the hinge runs through"


def test_of_real_targets_the_mean_squared_error_is_followed(bench, qapp):
    bench.session.visit(CurveWorkspace())
    qapp.processEvents()
    edits = bench.edit_log.edits()
    assert edits.names[2:] == ("mean squared error", "held-out squared error")
    assert edits.numbers[-1, 2] == bench.frame.model.summary()["mean_squared_error"]
    assert np.isnan(edits.numbers[:-1, 2]).all(), "errors of classes are another scale"


def test_looking_elsewhere_is_no_edit(bench, qapp):
    edit(bench, qapp, 2.0)
    before = bench.edit_log.edits()
    bench.session.adjust(view=bench.session.look.view.__class__(-9, 9, -9, 9))
    qapp.processEvents()
    assert len(bench.edit_log.edits().numbers) == len(before.numbers)


def test_going_to_an_edit_undoes_as_far_and_redo_comes_back(bench, qapp):
    session = bench.session
    for gamma in (2.0, 3.0, 4.0):
        edit(bench, qapp, gamma)
    last = session.document
    session.go_to(bench.edit_log.edits().ticks[1].document())
    assert session.document.kernel.gamma == 2.0
    assert session.history.redo_name == "change to 3.0"
    session.go_to(last)
    assert session.document is last
    assert session.history.redo_name is None


def test_an_edit_on_a_way_given_up_is_taken_up_as_a_new_step(bench, qapp):
    session = bench.session
    edit(bench, qapp, 2.0)
    given_up = session.document
    session.undo()
    edit(bench, qapp, 3.0)
    session.go_to(given_up)
    assert session.document is given_up
    session.undo()
    assert session.document.kernel.gamma == 3.0


def test_what_a_drag_passed_by_is_not_kept_in_memory(bench, qapp):
    for k in range(5):
        edit(bench, qapp, 3.0 + k, gesture="a drag")
    gc.collect()
    alive = [row.document() is not None for row in bench.edit_log._rows]
    assert alive == [True, False, False, False, False, True]


def test_another_session_begins_another_chronicle(bench, qapp):
    edit(bench, qapp, 2.0)
    bench.session.open(State(bench.session.document))
    bench.refresh()
    qapp.processEvents()
    assert len(bench.edit_log.edits().numbers) == 1
