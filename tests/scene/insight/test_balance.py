"""Fit and complexity as bars, and the bump."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from kernelviz.engine.fits.parsing import algorithm, kernel
from kernelviz.scene.insight.balance import BalanceView
from tests.scene.insight.helpers import found, made, press

LEFT = Qt.MouseButton.LeftButton


# The scene --------------------------------------------------------------------------------------------------
@pytest.fixture
def scene_of(answers):
    def make(*setting, bump=False, with_verdict=True, **more):
        frame, verdict = answers(*setting, **more)
        return made(BalanceView(bump=bump), frame, verdict=verdict if with_verdict else None)

    return make


@pytest.mark.parametrize(
    ("data", "how", "formulas"),
    [
        ("sine(n=20)", "ridge(lam=0.1)", ("Σ (y − s)²", "λ‖w‖²")),
        ("sine(n=20)", "svr", ("C Σ max(0, |y − s| − ε)", "½ ‖w‖²")),
        ("sine(n=20)", "nu-svr", ("C νnε + C Σ max(0, |y − s| − ε)", "½ ‖w‖²")),
        ("sine(n=20)", "gaussian-process", ("1/σ² Σ (y − s)²", "‖w‖²")),
        ("gaussians(n=40, seed=3)", "soft-margin-svm", ("C Σ max(0, 1 − z·s)", "½ ‖w‖²")),
        ("gaussians(n=40, seed=3)", "logistic", ("Σ ln(1 + exp(−z·s))", "λ/2 ‖w‖²")),
    ],
)
def test_the_bars_are_the_terms_of_what_the_algorithm_minimises_by_their_formulas(
    scene_of, answers, data, how, formulas
):
    bars = found(scene_of(data, how=how), "bars")
    numbers = answers(data, how=how)[0].model.numbers
    assert bars.formulas == formulas
    assert sum(bars.terms) == pytest.approx(numbers["primal_objective"], rel=1e-6)
    assert bars.norm == pytest.approx(numbers["norm"])


@pytest.mark.parametrize(
    ("data", "how"), [("sine(n=20)", "svr"), ("gaussians(n=40, seed=3)", "soft-margin-svm(C=1)")]
)
def test_a_bump_raises_complexity_and_sum_alone(scene_of, data, how):
    scene = scene_of(data, "rbf(gamma=3)", how, bump=True)
    bars = found(scene, "bars")
    fit, complexity = bars.bumped
    assert fit == bars.terms[0]
    assert complexity > bars.terms[1]
    assert scene.root.x.high >= fit + complexity


def test_both_numbers_are_told_with_the_bump(scene_of, painted):
    plain, bumped = (scene_of("sine(n=20)", how="ridge(lam=0.1)", bump=on) for on in (False, True))
    assert "‖w‖ = " in found(plain, "bars").words[1]
    words = found(bumped, "bars").words
    assert " → " in words[1]
    was, now = words[0].rsplit(" = ", 1)[1].split(" → ")
    assert was == now
    assert painted(plain) != painted(bumped)


def test_before_the_verdict_there_is_no_bump(scene_of):
    scene = scene_of("sine(n=20)", how="ridge", bump=True, with_verdict=False)
    assert found(scene, "bars").bumped is None
    assert scene.remark.words == "The bump appears when you stop editing."


@pytest.mark.parametrize("how", ["nadaraya-watson", "nearest-neighbours(k=3)", "kernel-sgd"])
def test_algorithms_that_minimise_no_such_sum_say_so(scene_of, how):
    assert "does not minimise" in scene_of("sine(n=20)", how=how).reason


def test_an_indefinite_kernel_whose_squared_norm_is_negative_has_no_complexity(scene_of):
    scene = scene_of("gaussians(n=40, seed=3)", "sigmoid(gamma=1, c=-1)", "soft-margin-svm")
    assert "no complexity" in scene.reason


def test_of_several_classes_it_is_said_that_every_pair_has_its_own(scene_of):
    assert scene_of("blobs(n=30, classes=3)").reason.startswith("Each of the 3 pairs of classes has")


def test_what_no_pair_has_is_not_promised(scene_of):
    assert "does not minimise" in scene_of("blobs(n=30, classes=3)", how="perceptron").reason


# By real events ---------------------------------------------------------------------------------------------
@pytest.fixture
def view(opened):
    return opened("balance", data="sine(n=20, seed=1)", kernel_text="rbf(gamma=3)", how="ridge(lam=0.1)")


def bumped(view):
    """Both terms with the bump, as they are shown."""
    return found(view, "bars").bumped


def test_ticking_the_box_leaves_the_fit_and_raises_the_complexity(view, qtbot):
    before = found(view, "bars")
    assert before.bumped is None
    qtbot.mouseClick(view.boxes["bump"], LEFT)
    after = found(view, "bars")
    assert after.terms == before.terms
    assert after.bumped[0] == before.terms[0]
    assert after.bumped[1] > 1.05 * before.terms[1]
    assert view.bar.remark.text() == "The fit stays, ‖w‖ grows."
    qtbot.mouseClick(view.boxes["bump"], LEFT)
    assert bumped(view) is None


def test_the_keyboard_ticks_it_too(view):
    press(view.boxes["bump"], Qt.Key.Key_Space)
    assert bumped(view) is not None


def test_the_bump_follows_a_change_once_nothing_moves(view, qtbot):
    qtbot.mouseClick(view.boxes["bump"], LEFT)
    first = bumped(view)
    view.workbench.session.change("change γ", kernel=kernel("rbf(gamma=9)"))
    qtbot.waitUntil(lambda: bumped(view) not in (None, first))


def test_where_every_function_is_spanned_there_is_no_box_to_tick(view, qtbot):
    view.workbench.session.change("choose kernel", kernel=kernel("polynomial(degree=3)"))
    qtbot.waitUntil(lambda: view.scene.switches == () and not view.scene.reason)
    qtbot.waitUntil(view.boxes["bump"].isHidden)


def test_of_an_algorithm_that_minimises_no_such_sum_it_is_said(view, qtbot):
    view.workbench.session.change("choose algorithm", algorithm=algorithm("nadaraya-watson"))
    qtbot.waitUntil(lambda: "does not minimise" in view.scene.reason)


def test_the_canvas_shows_the_bump_while_it_is_added_whoever_asked_for_it(view, qtbot):
    session, box = view.workbench.session, view.boxes["bump"]
    qtbot.mouseClick(box, LEFT)
    assert "raised" in session.look.shown
    session.toggle("raised")  # as by the menu
    assert not box.isChecked()
    assert bumped(view) is None
    session.toggle("raised")
    assert box.isChecked()
    assert bumped(view) is not None


def test_in_the_plane_the_bump_is_a_matter_of_the_view_alone(opened, qtbot):
    view = opened("balance")
    shown = view.workbench.session.look.shown
    qtbot.mouseClick(view.boxes["bump"], LEFT)
    assert bumped(view) is not None
    assert view.workbench.session.look.shown == shown
