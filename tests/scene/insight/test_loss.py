"""The loss as a function of z·s."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF

from kernelviz.engine.fits.parsing import dataset
from kernelviz.engine.models.base import Status
from kernelviz.scene.figure.style import Style
from kernelviz.scene.insight.loss import LossView
from kernelviz.scene.painter import Layout
from kernelviz.scene.view import Now, ViewMemory
from kernelviz.session.workspaces.plane import PlaneWorkspace


def make(frame, view=None, memory=None):
    return (view or LossView()).scene(frame, Now(), memory or ViewMemory())


def points(scene, part="points"):
    return next(layer for layer in scene.root.layers if layer.part == part)


def losses(scene) -> list[str]:
    """The losses drawn, the algorithm's own first."""
    return [line.part for line in reversed(scene.root.ground)]


def means(scene) -> dict[str, float]:
    return {curve.name: float(value) for curve, value in scene.root.legend}


@pytest.mark.parametrize(
    ("algorithm", "loss", "formula"),
    [
        ("soft-margin-svm(C=1)", "hinge", lambda t: np.maximum(0, 1 - t)),
        ("squared-slack-svm", "squared hinge", lambda t: np.maximum(0, 1 - t) ** 2),
        ("logistic", "logistic", lambda t: np.log(1 + np.exp(-t))),
        ("ridge", "squared", lambda t: (1 - t) ** 2),
        ("ridge(targets=zero-one)", "squared", lambda t: (0.5 - t) ** 2),
        ("perceptron(sweeps=2)", "0-1", lambda t: 1.0 * (t <= 0)),
        ("feature-map(model=ridge)", "squared", lambda t: (1 - t) ** 2),
    ],
)
def test_the_points_lie_on_the_loss_of_their_algorithm_and_the_hinge_is_one_click_away(
    frame_of, algorithm, loss, formula
):
    frame = frame_of(how=algorithm)
    scene = make(frame)
    drawn = points(scene)
    assert losses(scene) == [loss]
    assert drawn.y == pytest.approx(formula(drawn.x))
    mean = formula(drawn.x).mean()
    assert means(scene)[loss] == pytest.approx(mean, rel=1e-2, abs=1e-12)
    assert frame.model.numbers["loss"] == pytest.approx(mean)
    assert set(losses(make(frame, LossView(hinge=True)))) == {loss, "hinge"}


def test_every_training_point_is_on_the_curve_at_its_own_product(frame_of):
    frame = frame_of()
    scene = make(frame)
    expected = frame.data.z * frame.model.score(frame.data.X)
    assert points(scene).x == pytest.approx(expected)
    assert scene.root.x.low <= expected.min()
    assert expected.max() <= scene.root.x.high


def test_the_mean_losses_are_the_models(frame_of):
    frame = frame_of()
    found = means(make(frame, LossView(zero_one=True)))
    assert found["hinge"] == pytest.approx(frame.model.numbers["hinge_loss"], rel=1e-2)
    assert found["0-1"] == pytest.approx(frame.model.numbers["training_error"], rel=1e-2)


def test_each_point_is_found_where_it_is_drawn(frame_of, rect, qapp):
    layout = Layout(make(frame_of()).root, rect, Style())
    places = layout.find("points").places("points")
    for i, at in enumerate(places.tolist()):
        (found,) = layout.hit(QPointF(*at)).points
        assert np.linalg.norm(places[found] - places[i]) < 3.0, "of marks on one another one is drawn"
    assert layout.hit(rect.topLeft()).points == ()


def test_over_the_score_each_class_has_a_curve_of_its_own(frame_of):
    frame = frame_of()
    scene = make(frame, LossView(over="s"))
    s, z = frame.model.score(frame.data.X), frame.data.z
    assert points(scene).x == pytest.approx(s)
    assert points(scene).y == pytest.approx(np.maximum(0, 1 - z * s))
    negative, positive = scene.root.ground[::-1]
    assert positive.y == pytest.approx(np.maximum(0, 1 - positive.x))
    assert negative.y == pytest.approx(np.maximum(0, 1 + negative.x))
    hinges = np.maximum(0, 1 - z * s)
    expected = {"hinge": hinges.mean(), "class +": hinges[z > 0].mean(), "class −": hinges[z < 0].mean()}
    assert means(scene) == pytest.approx(expected, rel=1e-2)


def test_over_the_score_held_out_points_and_other_losses_are_drawn_by_class_too(frame_of):
    test = dataset("gaussians(n=30, seed=8)")
    frame = frame_of(held_out=test)
    scene = make(frame, LossView(over="s", logistic=True))
    assert points(scene, "held out").x == pytest.approx(frame.model.score(test.X))
    assert losses(scene) == ["hinge, −", "hinge", "logistic, −", "logistic"]


def test_the_losses_can_be_drawn_without_points(frame_of):
    frame = frame_of(held_out=dataset("gaussians(n=30, seed=8)"))
    assert {layer.part for layer in make(frame).root.layers} == {"points", "held out"}
    alone = make(frame, LossView(points=False))
    assert alone.root.layers == ()
    assert means(alone) == means(make(frame))
    assert "points" in alone.switches


def test_a_residual_has_no_class(frame_of):
    frame = frame_of("sine(n=40, seed=3)", how="ridge(lam=0.1)")
    assert points(make(frame, LossView(over="s"))).x == pytest.approx(points(make(frame)).x)
    assert "over" not in make(frame).switches


def test_more_than_two_classes_are_said_to_have_no_such_loss(frame_of):
    assert "two classes" in make(frame_of("blobs(n=30, classes=3, seed=1)")).reason


@pytest.mark.parametrize("how", ["hard-margin-svm", "nu-svm(nu=0.01)"])
def test_without_a_margin_it_says_that_there_is_none(frame_of, how):
    frame = frame_of("xor(n=40)", "linear", how)
    assert frame.model.status is Status.NOT_SEPARABLE
    said = make(frame).reason
    assert said == f"Without a score no point has a loss. {frame.model.message}"


@pytest.mark.parametrize("how", ["soft-margin-svm(C=1000)", "hard-margin-svm", "ridge(lam=1e-8)"])
def test_a_loss_that_is_no_larger_than_the_error_of_the_scores_is_written_0(frame_of, how):
    frame = frame_of("gaussians(n=20, seed=1)", "rbf(gamma=3)", how)
    drawn, own = points(make(frame)), frame.model.own_loss
    tiny = np.flatnonzero((drawn.y > 0.0) & (drawn.y <= frame.model.accuracy))
    assert len(tiny)
    for i in tiny:
        assert drawn.label(int(i)).endswith(f", {own.name} 0")


def test_the_range_holds_still_while_a_point_moves_a_little(frame_of, rect, qapp):
    frame, memory = frame_of(), ViewMemory()
    first = Layout(make(frame, memory=memory).root, rect, Style()).ground
    for d in np.linspace(0, 0.05, 6):
        moved = PlaneWorkspace().placed(frame.data, [0], frame.data.X[[0]] + d)
        scene = make(frame_of(moved), memory=memory)
        assert Layout(scene.root, rect, Style()).ground == first


@pytest.mark.parametrize("how", ["soft-margin-svm(C=1)", "logistic", "ridge"])
def test_held_out_points_are_on_the_curve_with_the_mean_of_the_algorithms_own_loss(frame_of, how):
    test = dataset("gaussians(n=300, seed=8)")
    frame = frame_of(how=how, held_out=test)
    scene = make(frame)
    products = test.z * frame.model.score(test.X)
    assert points(scene, "held out").x == pytest.approx(products)
    mean = frame.model.algorithm.own_loss.of(products).mean()
    assert means(scene)["held out"] == pytest.approx(mean, rel=1e-2)
    assert scene.root.x.low <= products.min()
    assert products.max() <= scene.root.x.high


def test_held_out_points_are_drawn_hollow_and_their_mean_loss_is_named(frame_of):
    without, tested = make(frame_of()), make(frame_of(held_out=dataset("gaussians(n=300, seed=8)")))
    assert [layer.hollow for layer in without.root.layers] == [False]
    assert [layer.hollow for layer in tested.root.layers] == [True, False]
    assert list(means(without)) == ["hinge"]
    assert list(means(tested)) == ["hinge", "held out"]


def test_with_real_targets_the_points_lie_on_the_squared_loss_of_their_residuals(frame_of):
    frame = frame_of("sine(n=40, seed=3)", how="ridge(lam=0.1)")
    scene = make(frame)
    residuals = frame.data.y - frame.model.score(frame.data.X)
    assert points(scene).x == pytest.approx(residuals, abs=1e-9)
    assert points(scene).y == pytest.approx(residuals**2, abs=1e-9)
    assert means(scene)["squared"] == pytest.approx(np.mean(residuals**2), rel=1e-2)
    assert scene.root.x.low == -scene.root.x.high
    assert scene.root.x.high >= np.abs(residuals).max()


def test_with_real_targets_the_losses_of_classes_are_not_on_offer(frame_of, painted):
    frame = frame_of("sine(n=40, seed=3)", how="ridge(lam=0.1)")
    assert set(make(frame).switches) == {"absolute", "insensitive", "huber", "points"}
    assert "absolute" not in make(frame_of()).switches
    plain = painted(make(frame))
    for name in ("absolute", "insensitive", "huber"):
        assert painted(make(frame, LossView(**{name: True}))) != plain
    assert painted(make(frame, LossView(hinge=True))) == plain


def test_the_axes_suit_targets_of_any_size_and_hold_still(frame_of):
    small, memory = frame_of("sine(n=40, seed=3)", how="ridge(lam=0.1)"), ViewMemory()
    first = make(small, memory=memory).root
    y = 1e6 * small.data.y
    large = frame_of(type(small.data).regression(small.data.X, y), how="ridge(lam=0.1)")
    assert make(large, memory=memory.copy()).root.x.high == pytest.approx(1e6 * first.x.high)
    again = make(small, memory=memory).root
    assert (again.x, again.y) == (first.x, first.y)


def test_classes_with_names_are_called_by_them(frame_of):
    scene = make(frame_of("iris"), LossView(over="s"))
    assert {"virginica", "versicolor"} <= set(means(scene))
