"""The fit as a vector."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt

from kernelviz.engine.analysis.functions import compared
from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import Fit, algorithm, dataset, kernel
from kernelviz.scene.insight.functions import AT_POINT, OTHER, UNEDITED, FunctionsView
from kernelviz.scene.view import ViewMemory
from kernelviz.session.workspaces.plane import PlaneWorkspace
from tests.scene.insight.helpers import found, legend, made, number, press

VIEW = FunctionsView()
PRODUCT, DISTANCE = "⟨f, g⟩ =", "‖f − g‖ ="


def numbers(scene) -> dict[str, float]:
    return {name: number(n) for name, n in legend(scene, "functions").items() if n}


def words(scene) -> str:
    """What g is, or why there is none."""
    return next((name for name, number in legend(scene, "functions").items() if not number), "")


# The scene --------------------------------------------------------------------------------------------------
def test_the_bars_add_up_to_the_squared_norm(frame_of):
    frame = frame_of()
    scene = made(VIEW, frame)
    bars = found(scene, "terms")
    assert bars.values.sum() == pytest.approx(frame.model.squared_norm)
    assert (np.diff(bars.values) <= 0).all()
    assert numbers(scene)["‖f‖² = Σ ="] == pytest.approx(frame.model.numbers["norm"] ** 2, rel=1e-3)
    assert set(bars.points.tolist()) <= set(frame.model.support.tolist())


def test_with_a_function_to_compare_with_there_are_four_numbers(frame_of):
    frame, before = frame_of(), frame_of(how="soft-margin-svm(C=20)")
    shown = numbers(made(VIEW, frame, previous=before))
    expected = compared(frame.model, before.model)
    assert len(shown) == 4
    assert shown[PRODUCT] == pytest.approx(expected.product, rel=1e-3)
    assert shown[DISTANCE] == pytest.approx(expected.distance, rel=1e-3)


def test_after_a_change_of_the_kernel_it_is_said_that_the_space_is_another(frame_of):
    scene = made(VIEW, frame_of(), previous=frame_of(kernel_text="rbf(gamma=3)"))
    assert DISTANCE not in numbers(scene)
    assert "different spaces" in words(scene)


def test_without_another_fit_of_this_kernel_there_is_nothing_to_compare_with(frame_of):
    scene = made(FunctionsView(other=OTHER), frame_of())
    assert DISTANCE not in numbers(scene)
    assert "no other fit" in words(scene)


@pytest.mark.parametrize(
    "setting",
    [
        {},
        {"data": "sine(n=30, seed=1)", "how": "gaussian-process"},
        {"data": "spelling(n=20)", "kernel_text": "subsequence(length=2)"},
    ],
    ids=str,
)
def test_the_product_with_the_kernel_at_a_point_is_the_value_there(frame_of, setting):
    frame = frame_of(**setting)
    scene = made(FunctionsView(other=AT_POINT), frame, point=7)
    expected = float(frame.model.training_scores[7]) - frame.model.b
    assert found(scene, "terms").values.sum() == pytest.approx(expected, abs=1e-9)
    shown = numbers(scene)
    assert shown["⟨f, K(x₀, ·)⟩ = Σ ="] == shown["s(x₀) − b ="] == pytest.approx(expected, rel=1e-3)
    assert abs(expected) <= shown["‖f‖ ‖g‖ ="] * 1.001, "Cauchy and Schwarz"


@pytest.mark.parametrize(
    "setting", [{"how": "nearest-neighbours(k=3)"}, {"kernel_text": "sigmoid(gamma=1, c=-1)"}], ids=str
)
def test_what_has_no_norm_says_so(frame_of, setting):
    assert "no norm" in made(VIEW, frame_of(**setting)).reason


def test_of_several_classes_it_is_said_that_every_pair_has_its_own(frame_of):
    reason = made(VIEW, frame_of("blobs(n=30, classes=3)")).reason
    assert reason.startswith("Each of the 3 pairs of classes has")


def test_terms_of_any_size_fill_the_picture(frame_of):
    data = dataset("barely_separable(n=40, gap=1.5)")
    far = Data.labelled(1e4 * data.X, data.z)
    scene = made(VIEW, frame_of(far, "linear", "hard-margin-svm"))
    largest = found(scene, "terms").values.max()
    assert 0.0 < largest < 1e-6
    assert scene.root.y.high < 2.5 * largest


def test_functions_of_inputs_of_another_kind_leave_the_fit_its_own_numbers(frame_of):
    flat, line = frame_of("rings(n=20, seed=1)"), frame_of(Data.labelled([[0.0], [1.0]], [-1, 1]))
    scene = made(VIEW, line, previous=flat)
    assert "columns" in words(scene)
    assert numbers(scene) == pytest.approx({"‖f‖² = Σ =": line.model.squared_norm}, rel=1e-3)


def test_the_axis_of_a_large_fit_is_not_that_of_a_function_that_is_zero(frame_of):
    memory = ViewMemory()
    large = frame_of(Data.labelled([[1e6, 0.0], [2e6, 0.0]], [-1, 1]), "linear", "prototype")
    assert made(VIEW, large, memory).root.y.high > 1e6
    zero = made(VIEW, frame_of(Data.labelled([[1.0, 0.0], [1.0, 0.0]], [-1, 1]), "linear"), memory)
    assert (len(found(zero, "terms").values), zero.root.y.high) == (0, 1.0)


# By real events ---------------------------------------------------------------------------------------------
@pytest.fixture
def view(opened):
    return opened("functions")


def shows_present_points(view) -> bool:
    """Whether the scene on screen is of the present document."""
    return (
        not view.busy and view.taken is not None and view.taken.data is view.workbench.session.document.data
    )


def test_moving_a_point_shows_how_far_the_function_moves(view, qtbot):
    assert DISTANCE not in numbers(view)
    f = view.workbench.frame.model
    session, gesture = view.workbench.session, object()
    for x in (1.0, 1.5, 2.0):  # one drag
        moved = PlaneWorkspace().placed(session.document.data, [int(f.support[0])], [[x, 1.0]])
        session.change("move point", gesture=gesture, data=moved)
    qtbot.waitUntil(lambda: shows_present_points(view) and DISTANCE in numbers(view))
    expected = compared(view.workbench.frame.model, f)
    assert numbers(view)[DISTANCE] == pytest.approx(expected.distance, rel=1e-3)
    assert expected.distance > 0.01


def test_moving_a_point_that_is_no_support_vector_leaves_the_function_where_it_was(opened, qtbot):
    setting = ("barely_separable(n=40, gap=1.5)", "linear", "hard-margin-svm")
    view = opened("functions", **dict(zip(("data", "kernel_text", "how"), setting, strict=True)))
    frame = view.workbench.frame
    i = int(max(range(40), key=lambda k: frame.table.product[k]))
    moved = PlaneWorkspace().placed(frame.data, [i], [1.01 * frame.data.X[i]])
    view.workbench.session.change("move point", data=moved)
    qtbot.waitUntil(lambda: DISTANCE in numbers(view))
    assert numbers(view)[DISTANCE] < 1e-4 * numbers(view)["‖g‖ ="]


def test_another_fit_of_the_same_kernel_is_chosen_by_key(view, qtbot):
    session = view.workbench.session
    other = Fit(kernel("rbf(gamma=1)"), algorithm("ridge(lam=1)"))
    session.change("compare", fits=(*session.document.fits, other))
    press(view.lists["other"], Qt.Key.Key_Down)
    assert view.view.other == OTHER
    qtbot.waitUntil(lambda: "Kernel ridge" in words(view))
    g = other.algorithm.fit(view.workbench.frame.model.problem)
    expected = compared(view.workbench.frame.model, g)
    assert numbers(view)[PRODUCT] == pytest.approx(expected.product, rel=1e-3)


def test_pointing_at_a_point_elsewhere_puts_x0_there(view, qtbot):
    press(view.lists["other"], Qt.Key.Key_End)
    qtbot.waitUntil(lambda: words(view) == "x₀: point 1")
    view.workbench.hover(5)
    qtbot.waitUntil(lambda: words(view) == "x₀: point 6")
    expected = view.workbench.frame.table.score[5] - view.workbench.frame.model.b
    assert numbers(view)["s(x₀) − b ="] == pytest.approx(expected, rel=1e-3)


def test_pointing_at_a_bar_lights_its_point(view, qtbot, place_of):
    i = int(found(view, "terms").points[0])
    qtbot.mouseMove(view.sheet, place_of(view, i))
    assert view.workbench.hovered_point == i


def test_other_points_have_no_function_before(view, qtbot):
    """Two classes, three, and two again: what was fitted to the first is not compared with the last."""
    session = view.workbench.session
    for source in ("blobs(n=30, classes=3)", "rings(n=50)"):
        session.change("open data", data=dataset(source), source=source)
        qtbot.waitUntil(lambda: shows_present_points(view))
    assert words(view) == UNEDITED


def test_nor_have_points_chosen_anew_at_once(view, qtbot):
    session = view.workbench.session
    session.change("choose data set", data=dataset("rings(n=50)"), source="rings(n=50)")
    qtbot.waitUntil(lambda: shows_present_points(view))
    assert DISTANCE not in numbers(view)


def test_edits_nobody_saw_count_too(view, qtbot):
    """Away from sight C goes from 1 by 0.3 to 0.1: the function before the last edit is that of 0.3."""
    view.hide()
    session, fits = view.workbench.session, {}
    for C in (0.3, 0.1):
        session.change("C", algorithm=algorithm(f"soft-margin-svm(C={C})"))
        qtbot.waitUntil(lambda: view.workbench.up_to_date)
        fits[C] = view.workbench.frame.model
    view.show()
    qtbot.waitUntil(lambda: DISTANCE in numbers(view))
    assert numbers(view)["‖g‖ ="] == pytest.approx(compared(fits[0.1], fits[0.3]).norms[1], rel=1e-3)


def test_the_function_of_another_fit_is_not_the_one_before(view, qtbot):
    session = view.workbench.session
    session.change("compare", fits=(*session.document.fits, Fit(kernel("rbf(gamma=1)"), algorithm("ridge"))))
    session.activate(1)
    qtbot.waitUntil(lambda: shows_present_points(view) and view.taken.fit == 1)
    assert words(view) == UNEDITED
