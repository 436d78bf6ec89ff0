"""The algorithm panel, as a user acts."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from kernelviz.engine.core.data import Task
from kernelviz.engine.fits import registry
from kernelviz.engine.fits.parsing import algorithm, dataset
from kernelviz.session.workspaces.curve import CurveWorkspace
from kernelviz.session.workspaces.plane import PlaneWorkspace
from kernelviz.ui.sidebar.algorithm_panel import AlgorithmPanel
from tests.ui.sidebar.acting import pick
from tests.ui.widgets.acting import change, drag, type_into


@pytest.fixture
def panel(shown):
    return shown(AlgorithmPanel)


CLASSIFIERS = {name for name, kind in registry.algorithms().items() if kind.learns(Task.TWO_CLASSES)}


@pytest.mark.parametrize("name", registry.algorithms())
def test_every_control_of_every_algorithm_reaches_the_session_and_undo_restores_both(panel, session, name):
    if name not in CLASSIFIERS:
        session.visit(CurveWorkspace())
    pick(panel, name)
    assert session.document.algorithm == registry.algorithms()[name]()
    for parameter in registry.algorithms()[name]().parameters_for(session.document.data.task):
        before = session.document
        control = panel.form.current.controls[parameter.name]
        was = control.value
        change(control)
        assert getattr(session.document.algorithm, parameter.name) == control.value != was
        session.undo()
        assert session.document is before
        assert control.value == was


def test_of_more_than_two_classes_it_offers_pairs_or_each_against_the_rest(panel, session):
    pick(panel, "soft-margin-svm")
    assert "multiclass" not in panel.form.current.controls
    session.change("draw", data=dataset("blobs(n=9, classes=3)"), source="")
    assert "one classifier per pair" in panel.hint.sentence
    change(panel.form.current.controls["multiclass"])
    assert session.document.algorithm.multiclass == "one-vs-rest"
    assert "the highest score wins" in panel.hint.sentence


def test_every_algorithm_is_listed_once_under_a_heading(panel):
    assert sorted(panel.picker.names()) == sorted(CLASSIFIERS)
    assert all(kind.family for kind in registry.algorithms().values())


def test_headings_cannot_be_picked_and_the_keyboard_steps_over_them(panel, session):
    seen = set()
    QTest.keyClick(panel.picker, Qt.Key.Key_Home)
    for _ in range(panel.picker.count()):
        seen.add(session.document.algorithm.name)
        QTest.keyClick(panel.picker, Qt.Key.Key_Down)
    assert seen == CLASSIFIERS


def test_picking_is_one_step_and_undo_brings_picker_form_and_explanation_back(panel, session):
    pick(panel, "soft-margin-svm")
    pick(panel, "ridge")
    session.undo()
    assert panel.picker.currentData() == "soft-margin-svm"
    assert set(panel.form.current.controls) == {"C", "tol"}
    assert panel.summary.text() == session.document.algorithm.summary_line
    assert panel.formula.latex == session.document.algorithm.latex


def test_an_algorithm_met_again_has_the_parameters_it_had(panel, session):
    pick(panel, "soft-margin-svm")
    type_into(panel.form.current.controls["C"].field, "3")
    pick(panel, "ridge")
    pick(panel, "soft-margin-svm")
    assert session.document.algorithm == algorithm("soft-margin-svm(C=3)")


def test_the_soft_margin_shows_lambda_beside_C(panel, session):
    pick(panel, "soft-margin-svm")
    type_into(panel.form.current.controls["C"].field, "5")
    assert "= 0.01 with n = 10" in panel.equivalent.text()
    session.change("add", data=PlaneWorkspace().added(session.document.data, np.zeros((10, 2)), 1), source="")
    assert "= 0.005 with n = 20" in panel.equivalent.text()
    pick(panel, "ridge")
    assert panel.equivalent.isHidden()


def test_a_drag_is_one_step_of_undo(panel, session):
    pick(panel, "soft-margin-svm")
    steps = len(session.history)
    drag(panel.form.current.controls["C"].slider, 0.1)
    assert len(session.history) == steps + 1
    assert session.history.undo_name == "change C"


def test_a_number_that_is_not_allowed_changes_nothing_and_says_why(panel, session):
    pick(panel, "soft-margin-svm")
    before = session.document
    control = panel.form.current.controls["C"]
    type_into(control.field, "0")
    assert session.document is before
    assert control.message.sentence.startswith("C of soft-margin-svm must lie between")


def test_several_classes_are_said_to_be_decided_pair_by_pair(panel, session):
    assert panel.hint.isHidden()
    session.change("draw", data=dataset("blobs(n=9, classes=3)"), source="")
    assert "per pair" in panel.hint.sentence


@pytest.mark.parametrize(
    ("name", "unneeded"), [("random-features", "model"), ("feature-map", "model"), ("ridge", "targets")]
)
def test_with_real_targets_nothing_is_offered_that_needs_classes(panel, session, name, unneeded):
    pick(panel, name)
    assert unneeded in panel.form.current.controls
    session.visit(CurveWorkspace())
    pick(panel, name)
    assert session.document.algorithm == registry.algorithms()[name].suited_to(Task.REGRESSION)
    assert unneeded not in panel.form.current.controls
    assert "lam" in panel.form.current.controls


def test_what_does_not_suit_the_data_can_be_mended(panel, session):
    session.visit(CurveWorkspace())
    session.change("open", algorithm=algorithm("random-features(model=logistic)"))
    control = panel.form.current.controls["model"]
    QTest.mouseClick(control.segments.buttons["ridge"], Qt.MouseButton.LeftButton)
    assert session.document.algorithm.model == "ridge"
    assert "model" not in panel.form.current.controls
