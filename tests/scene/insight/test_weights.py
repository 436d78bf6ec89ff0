"""The dual weights, and the optimality conditions as places on a picture."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtTest import QTest

from kernelviz.engine.fits.parsing import algorithm, dataset
from kernelviz.scene.figure.style import Style
from kernelviz.scene.insight.weights import WeightsView
from kernelviz.scene.nodes import Marks
from kernelviz.scene.painter import Layout
from kernelviz.scene.view import Now, ViewMemory
from tests.scene.insight.helpers import exported, press

CONDITIONS = WeightsView(face="conditions")
SINE = ("sine(n=30, seed=1)", "rbf(gamma=3)")


def make(frame, view=None):
    return (view or WeightsView()).scene(frame, Now(), ViewMemory())


def laid_out(scene, rect=None):
    return Layout(scene.root, rect or QRectF(0, 0, 300, 400), Style())


def test_weights_are_sorted_and_belong_to_the_support_vectors(frame_of):
    model = (frame := frame_of()).model
    bars = laid_out(make(frame)).find("weights").layers[0]
    assert set(bars.points.tolist()) == set(model.support.tolist())
    assert bars.values.tolist() == sorted(model.alpha[model.support], reverse=True)


@pytest.mark.parametrize("height", [120.0, 400.0], ids=["weights alone", "with violations"])
def test_each_bar_is_found_where_it_is_drawn(frame_of, height):
    layout = laid_out(make(frame_of()), QRectF(0, 0, 300, height))
    assert any("violations" in leaf.parts for leaf in layout.leaves) == (height > 200)
    plot = layout.find("weights")
    bars, y = plot.layers[0], plot.inner.center().y()
    for k, i in enumerate(bars.points.tolist()):
        assert layout.hit(QPointF(float(plot.at(k + 0.5, 0.0)[0, 0]), y)).points == (i,)
    right = float(plot.at(len(bars.points) + 0.5, 0.0)[0, 0])
    assert layout.hit(QPointF(right, y)).points == ()


def test_the_axes_of_both_plots_begin_at_the_same_place(frame_of):
    upper, lower = laid_out(make(frame_of())).leaves
    assert upper.inner.left() == lower.inner.left()
    assert upper.at(2.0, 0.0)[0, 0] == lower.at(2.0, 0.0)[0, 0]


def test_an_algorithm_without_weights_says_so(frame_of):
    assert "no dual weights" in make(frame_of(how="nearest-neighbours(k=3)")).reason


@pytest.mark.parametrize("view", [WeightsView(), CONDITIONS], ids=["weights", "conditions"])
def test_of_several_classes_it_is_said_that_every_pair_has_its_own(frame_of, view):
    reason = make(frame_of("blobs(n=30, classes=3)"), view).reason
    assert reason.startswith("Each of the 3 pairs of classes has")


# Conditions -------------------------------------------------------------------------------------------------
def parts(scene):
    """Staircase, ties and points."""
    return scene.root.ground[0], *scene.root.layers


def distance_to_stairs(stairs, weight, value) -> np.ndarray:
    """Of every point, measured along both axes to the polyline itself: independent of the KKT residual."""
    found = np.full(len(value), np.inf)
    for (x0, y0), (x1, y1) in pairwise(stairs.corners):
        d = np.array([x1 - x0, y1 - y0])
        t = np.clip(((weight - x0) * d[0] + (value - y0) * d[1]) / (d @ d), 0.0, 1.0)
        found = np.minimum(found, np.hypot(weight - x0 - t * d[0], value - y0 - t * d[1]))
    return found


@pytest.mark.parametrize(
    "setting",
    [
        ("gaussians(n=40, seed=3)", "rbf(gamma=1)", "soft-margin-svm(C=1, tol=1e-6)"),
        ("gaussians(n=40, seed=3)", "rbf(gamma=1)", "squared-slack-svm(lam=0.5, tol=1e-6)"),
        ("barely_separable(n=40, gap=1)", "linear", "hard-margin-svm(tol=1e-6)"),
        (*SINE, "svr(C=1, epsilon=0.1, tol=1e-6)"),
    ],
    ids=lambda setting: setting[2],
)
def test_at_the_optimum_every_point_is_on_the_staircase(frame_of, setting):
    stairs, ties, points = parts(make(frame_of(*setting), CONDITIONS))
    assert distance_to_stairs(stairs, points.x, points.y).max() < 1e-5
    assert len(ties.x) == 0


def test_of_squared_slack_the_slack_is_lambda_times_the_weight(frame_of):
    points = parts(make(frame_of(how="squared-slack-svm(lam=0.5, tol=1e-8)"), CONDITIONS))[-1]
    free, slack = points.x > 0, np.maximum(0.0, 1.0 - points.y)
    assert slack[free] == pytest.approx(0.5 * points.x[free], abs=1e-6)
    assert slack[~free] == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("high", [90, 130, 300])
def test_the_name_of_the_last_step_lies_below_the_one_before(frame_of, high):
    scene = make(frame_of(how="soft-margin-svm(C=0.3)"), CONDITIONS)
    placed = laid_out(scene, QRectF(0, 0, 280, high)).find("staircase")
    written = dict(placed.below[0].written(placed))
    band = float(placed.at(0.0, 1.0)[0, 1]) + 0.75 * placed.style.text
    assert written["α = C, z·s ≤ 1"].y() - placed.style.text >= band


def test_in_the_middle_of_a_run_points_are_visibly_off(frame_of, painted):
    running, ended = (
        make(frame_of(how="soft-margin-svm(C=1)", step=step), CONDITIONS) for step in (3, 10**6)
    )
    assert len(parts(running)[1].x) > 5 * 3
    assert len(parts(ended)[1].x) == 0
    colour = Style().theme.misclassified
    image = painted(running)
    assert colour in {image.pixelColor(x, y).name() for x in range(300) for y in range(200)}
    image = painted(ended)
    assert colour not in {image.pixelColor(x, y).name() for x in range(300) for y in range(200)}


def test_a_point_that_is_off_is_tied_to_the_stairs_at_its_own_weight(frame_of):
    frame = frame_of(how="soft-margin-svm(C=1)", step=3)
    stairs, ties, points = parts(make(frame, CONDITIONS))
    weight, value = ties.x.reshape(-1, 3), ties.y.reshape(-1, 3)
    assert distance_to_stairs(stairs, weight[:, 1], value[:, 1]).max() < 1e-12
    off = frame.table.residual > frame.table.tolerance
    assert value[:, 0] == pytest.approx(points.y[off])
    assert np.abs(value[:, 1] - value[:, 0]) == pytest.approx(frame.table.residual[off])


def test_a_point_is_found_where_it_is_drawn_and_says_its_condition(frame_of, rect, painted):
    scene = make(frame_of(), CONDITIONS)
    layout = laid_out(scene, rect)
    at = layout.find("points").places("points")[0]
    (found,) = layout.hit(QPointF(*at.tolist())).points
    assert layout.find("points").places("points")[found] == pytest.approx(at, abs=3.0)
    assert painted(scene, marks=Marks((), found)) != painted(scene, marks=Marks())
    assert "α" in scene.root.layers[-1].label(found)


@pytest.mark.parametrize("how", ["ridge(lam=0.1)", "perceptron", "nearest-neighbours(k=3)"])
def test_weights_that_are_asked_nothing_say_so(frame_of, how):
    assert make(frame_of(how=how), CONDITIONS).reason.endswith(".")


# By real events ---------------------------------------------------------------------------------------------
@pytest.fixture
def view(bench, opened):
    return opened("weights", workbench=bench())


def shown(view) -> str:
    """The name of the first plot; "message" without one."""
    return view.sheet.layout_of_scene.leaves[0].part


def turn(view) -> None:
    """To the other face, by the keyboard."""
    press(view.lists["face"], Qt.Key.Key_Down)


def test_a_key_turns_to_the_conditions_and_back(view):
    assert shown(view) == "bars"
    bars = view.grab().toImage()
    turn(view)
    assert shown(view) == "conditions"
    assert view.grab().toImage() != bars
    QTest.keyClick(view.lists["face"], Qt.Key.Key_Up)
    assert view.grab().toImage() == bars


def test_a_click_on_a_point_of_the_staircase_selects_it(view, qtbot, place_of):
    turn(view)
    i = int(view.workbench.frame.model.support[0])
    at = place_of(view, i)
    qtbot.mouseMove(view.sheet, at)
    assert view.workbench.hovered_point == i
    qtbot.mouseClick(view.sheet, Qt.MouseButton.LeftButton, pos=at)
    assert view.workbench.session.look.selection == (i,)


def test_where_one_face_has_nothing_to_show_the_other_can_be_chosen(view, qtbot):
    turn(view)
    view.workbench.session.change("choose algorithm", algorithm=algorithm("ridge(lam=0.1)"))
    qtbot.waitUntil(lambda: shown(view) == "message")
    assert view.lists["face"].isVisible()
    QTest.keyClick(view.lists["face"], Qt.Key.Key_Up)
    assert shown(view) == "bars"


def test_what_is_exported_has_the_face_that_is_seen(view):
    turn(view)
    assert exported(view).root.part == "conditions"


def test_of_weighted_points_the_weights_are_shares_of_their_own_bounds(frame_of):
    data = dataset("moons(n=30, noise=0.3, seed=1)").weighted(np.tile([0.0, 1.0, 3.0], 10))
    scene = make(frame_of(data, how="soft-margin-svm(C=3)"), CONDITIONS)
    stairs, _, points = parts(scene)
    assert scene.root.x.label == "α/(Cw)"
    weight = points.x
    assert set(weight[data.weights == 0]) == {0.0}
    assert distance_to_stairs(stairs, weight, points.y)[data.weights > 0].max() < 1e-6
