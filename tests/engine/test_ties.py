"""A score of zero, whatever rounding has made of it, counts as a mistake. Without a classifier, or if it is
zero everywhere, there is no error. Other points count as `predict` answers."""

from __future__ import annotations

import numpy as np
import pytest

import kernelviz
from kernelviz.engine.analysis.points import point_table
from kernelviz.engine.analysis.remarks import about_flatness
from kernelviz.engine.fits.held_out import set_aside
from kernelviz.engine.fits.parsing import algorithm, kernel
from kernelviz.engine.models.base import Status
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.numbers.of_fit import on_held_out

TWINS = np.zeros((2, 2))
CORNERS = np.array([[1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]])
XOR, SIGNS = np.r_[CORNERS, 0.37 * CORNERS, 0.711 * CORNERS], [1, 1, -1, -1] * 3
TURN = np.array([[0.8, 0.6], [-0.6, 0.8]])

CLASSIFIERS = [
    "soft-margin-svm",
    "squared-slack-svm",
    "squared-slack-svm(lam=1e8)",
    "squared-slack-svm(lam=1e-8)",
    "hard-margin-svm",
    "nu-svm(nu=0.9)",
    "logistic",
    "ridge",
    "prototype",
]


@pytest.mark.parametrize("algorithm", [*CLASSIFIERS, "random-features"])
def test_two_coinciding_points_of_two_classes_are_assigned_to_none(algorithm):
    decides_nothing(kernelviz.fit(TWINS, ["a", "b"], "rbf(gamma=1)", algorithm))


def decides_nothing(model):
    """There is no error, and no point is marked as misclassified."""
    assert model.summary()["training_error"] is None
    assert model.mistakes is None
    assert on_held_out(model, model.problem.data).error is None


@pytest.mark.parametrize("algorithm", ["online-perceptron", "nearest-neighbours(k=1)"])
def test_a_score_of_exactly_zero_is_a_mistake_for_either_class(algorithm):
    model = kernelviz.fit(TWINS, ["a", "b"], "rbf(gamma=1)", algorithm)
    assert model.summary()["training_error"] == 1.0
    assert on_held_out(model, model.problem.data).error == 1.0


def shown_and_predicted(model):
    """The errors on the training points, as training and as held-out points, and that of the answers of
    `predict`, where points that are on the boundary up to rounding are wrong."""
    data, scores = model.problem.data, model.score(model.problem.X)
    undecided = model.lost_signs(data, scores) | (scores == 0.0)
    predicted = float(((model.predict(data.X) != np.where(data.z > 0, 1, -1)) | undecided).mean())
    return model.summary()["training_error"], on_held_out(model, data).error, predicted


@pytest.mark.parametrize("kernel", ["linear", "polynomial(degree=3, c=1)", "rbf(gamma=1)"])
@pytest.mark.parametrize("seed", range(5))
def test_scores_of_rounding_size_count_as_predict_answers(seed, kernel):
    """All weights are at C, and a score is about 1e-14 where b is the middle of an interval around 0."""
    rng = np.random.default_rng(seed)
    X = 1e-6 * rng.normal(size=(30, 2))
    z = np.where(np.arange(30) % 2, 1, -1)
    X[z > 0, 0] += 1e-6
    training, held_out, predicted = shown_and_predicted(
        kernelviz.fit(X, z, kernel, "soft-margin-svm(C=0.002)")
    )
    assert training in (None, predicted)
    assert held_out == training


@pytest.mark.parametrize("algorithm", [*CLASSIFIERS, "perceptron", "online-perceptron", "hinge-sgd"])
@pytest.mark.parametrize("scale", [1e-8, 1e-6, 1e-3, 1.0, 1e3, 1e8])
def test_an_error_that_is_shown_is_that_of_predict_at_every_scale(scale, algorithm):
    data = kernelviz.dataset("gaussians(n=40, seed=3)")
    X, z = scale * np.round(data.X, 1), np.where(data.z > 0, 1, -1)
    for name in ("linear", "polynomial(degree=2, c=0)", f"rbf(gamma={min(scale**-2, 1e6):g})"):
        model = kernelviz.fit(X, z, name, algorithm)
        training, held_out, predicted = shown_and_predicted(model)
        assert training in (None, predicted)
        assert held_out in (None, predicted)


@pytest.mark.parametrize("k", [2, 4])
def test_undecided_votes_are_mistakes(k):
    data = kernelviz.dataset("moons(n=60, noise=0.4)")
    model = kernelviz.fit(data.X, np.where(data.z > 0, 1, -1), "rbf", f"nearest-neighbours(k={k})")
    assert model.ties.any()
    training, held_out, predicted = shown_and_predicted(model)
    assert training == held_out == predicted


def test_points_on_the_boundary_up_to_rounding_are_mistakes():
    X = np.array([[0.1, 0.2], [-0.1, 0.2], [0.7, -0.3], [-0.7, -0.3], [0.0, 0.9], [0.0, 0.9]])
    model = kernelviz.fit(X, [1, -1, 1, -1, 1, -1], "rbf(gamma=0.3)", "soft-margin-svm")
    assert model.without_sign.tolist() == [False] * 4 + [True] * 2
    assert model.summary()["training_error"] == pytest.approx(1 / 3)
    assert model.mistakes.tolist() == [False] * 4 + [True] * 2


@pytest.mark.parametrize("seed", range(20))
def test_integer_data_and_a_line_always_have_an_error(seed):
    """Support vectors often lie on the boundary then, up to rounding."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, size=(25, 2)).astype(float)
    z = np.where(X[:, 0] + rng.normal(size=25) > 0, 1, -1)
    model = kernelviz.fit(X, z, "linear", "soft-margin-svm(C=10)")
    training, held_out, predicted = shown_and_predicted(model)
    assert training == held_out == predicted


@pytest.mark.parametrize("X", [XOR, XOR @ TURN, 1e-3 * XOR, 300.0 * XOR @ TURN], ids=str)
@pytest.mark.parametrize("algorithm", CLASSIFIERS)
def test_a_line_assigns_no_point_of_xor_to_a_class(algorithm, X):
    model = kernelviz.fit(X, SIGNS, "linear", algorithm)
    assert model.ties.all()
    decides_nothing(model)


@pytest.mark.parametrize("algorithm", ["ridge", "prototype", "soft-margin-svm(C=1e-8)", "perceptron"])
def test_small_scores_are_no_ties(algorithm):
    data = kernelviz.dataset("blobs(n=40, classes=2, noise=0.1)")
    model = kernelviz.fit(1e-3 * (data.X - data.X.mean(axis=0)), data.z, "linear", algorithm)
    assert 0.0 < np.abs(model.training_scores).max() < 0.01
    assert not model.ties.any()
    assert model.summary()["training_error"] == 0.0


def test_contradictory_points_leave_logistic_regression_undecided_without_a_duality_gap():
    summary = kernelviz.fit(TWINS, ["a", "b"], "rbf(gamma=1)", "logistic").summary()
    assert summary["primal_objective"] == pytest.approx(2.0 * np.log(2.0))
    assert summary["dual_objective"] == pytest.approx(2.0 * np.log(2.0))
    assert summary["duality_gap"] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("algorithm", ["nu-svm(nu=0.9)", "hard-margin-svm"])
def test_where_there_is_no_margin_there_are_no_objectives_either(algorithm):
    summary = kernelviz.fit(TWINS, ["a", "b"], "rbf(gamma=1)", algorithm).summary()
    for name in ("primal_objective", "dual_objective", "duality_gap", "kkt_violation"):
        assert summary[name] is None


@pytest.mark.parametrize("algorithm", ["nu-svm(nu=0.5)", "hard-margin-svm"])
def test_where_there_is_no_margin_there_is_no_error(algorithm):
    data, held = kernelviz.dataset("xor"), kernelviz.dataset("xor(seed=9)")
    model = kernelviz.fit(data, kernel="linear", algorithm=algorithm)
    assert model.status is Status.NOT_SEPARABLE
    summary = model.summary()
    assert {summary[name] for name in ("training_error", "loss", "hinge_loss", "margin")} == {None}
    assert set(on_held_out(model, held).summary().values()) == {None}
    assert point_table(model).misclassified is None


@pytest.mark.parametrize(
    "name", ["perceptron", "soft-margin-svm", "hinge-sgd", "logistic", "random-features"]
)
def test_before_its_first_step_a_run_has_a_loss_but_no_error(name):
    problem = Problem(kernelviz.dataset("moons(n=40)"), kernel("rbf(gamma=1)"))
    first = next(algorithm(name).steps(problem)).model
    assert not first.training_scores.any()
    assert first.mistakes is None
    assert first.numbers["training_error"] is None
    assert first.numbers["hinge_loss"] == 1.0


def test_three_classes_without_a_margin_have_no_error():
    X, labels = np.repeat(CORNERS[:1], 3, axis=0), ["a", "b", "c"]
    assert kernelviz.fit(X, labels, "linear", "hard-margin-svm").summary()["training_error"] is None


def test_points_far_from_the_origin_are_no_ties_as_long_as_digits_are_left():
    data = kernelviz.dataset("moons(n=200, noise=0.1)")
    X = data.X + 300.0
    model = kernelviz.fit(X, data.z, "linear", "soft-margin-svm(C=4000)")
    assert model.converged
    wrong = data.z * (model.problem.gram @ model.beta + model.b) <= 0
    np.testing.assert_array_equal(model.mistakes, wrong)


def test_the_sign_that_rounding_leaves_of_b_classifies_no_point_out_of_reach():
    """All held-out points have the score b, which is 0 but for rounding."""
    data, held_out = set_aside(kernelviz.dataset("xor(n=30, seed=2)"), 0.25)
    model = kernelviz.fit(data, kernel="rbf(gamma=1e6)", algorithm="nu-svm(nu=0.3)")
    assert (np.abs(model.score(held_out.data.X)) < 1e-15).all()
    assert on_held_out(model, held_out.data).error is None


GRID = np.linspace(-3.0, 3.0, 25)


@pytest.mark.parametrize("X", [XOR, XOR + 0.3, XOR @ TURN + [0.1, 0.7]], ids=str)
@pytest.mark.parametrize("algorithm", [*CLASSIFIERS, "feature-map(features=coordinates)"])
def test_the_field_of_a_line_through_xor_is_flat_and_it_is_said(algorithm, X):
    model = kernelviz.fit(X, SIGNS, "linear", algorithm)
    assert (model.on_grid(GRID, GRID) == 0.0).all()
    assert model.flat
    if model.status is not Status.NOT_SEPARABLE:  # which says it all
        assert "does not distinguish anything" in about_flatness(model)


@pytest.mark.parametrize("data", ["rings(n=40)", "xor(n=80)", "gaussians(n=40)"])
def test_points_around_the_origin_leave_a_one_class_machine_without_w_and_it_is_said(data):
    model = kernelviz.fit(kernelviz.dataset(data), kernel="linear", algorithm="one-class-svm")
    assert (model.on_grid(GRID, GRID) == 0.0).all()
    assert about_flatness(model).startswith("w is 0")


def test_a_score_that_is_the_same_everywhere_but_not_zero_says_which_class_that_is():
    model = kernelviz.fit(np.r_[XOR, XOR[:2]], [*SIGNS, -1, -1], "0*linear", "logistic")
    level = np.log(6 / 8)
    assert model.on_grid(GRID, GRID) == pytest.approx(np.full((25, 25), level))
    assert about_flatness(model) == (
        "The score is the same everywhere: all is classified as -1. "
        "Another kernel or other parameters may separate the points."
    )


def test_of_a_single_class_no_other_kernel_is_recommended():
    model = kernelviz.fit(XOR[:3], [2, 2, 2], "rbf", "nearest-neighbours")
    assert about_flatness(model).endswith("all is classified as 2, the only class there is.")


@pytest.mark.parametrize("algorithm", [*CLASSIFIERS, "one-class-svm(nu=0.5)", "nearest-neighbours"])
def test_a_model_that_tells_points_apart_is_not_flat(algorithm):
    for scale in (1e-3, 1.0, 1e3):
        data = kernelviz.dataset("moons(n=40)")
        model = kernelviz.fit(scale * data.X, data.z, f"rbf(gamma={1 / scale**2})", algorithm)
        assert not model.flat
        assert about_flatness(model) == ""


def test_on_the_way_a_score_below_the_violation_is_no_tie() -> None:
    """The violation tells how exact a solution is, and nothing of an iterate that is none."""
    problem = Problem(kernelviz.dataset("rings(n=60, seed=1)"), kernel("rbf(gamma=1)"))
    iterates = list(algorithm("soft-margin-svm(C=10)").steps(problem))
    for iterate in iterates[1:6]:
        model = iterate.model
        assert not model.converged
        s = problem.z * model.training_scores
        assert model.numbers["hinge_loss"] == pytest.approx(np.maximum(0.0, 1.0 - s).mean(), abs=1e-12)
        assert model.numbers["training_error"] == pytest.approx((s <= 0).mean(), abs=1e-12)
    assert iterates[0].model.numbers["hinge_loss"] == pytest.approx(1.0)


def test_small_slopes_of_large_inputs_are_not_taken_for_none() -> None:
    """Terms of 1e13 cancel to scores of about 1, of which rounding leaves one digit: too much to be 0, too
    little for a norm."""
    X = [
        [-541043.4513395213],
        [-171308.16218588347],
        [-550768.9476795865],
        [-469989.397286317],
        [257622.5558773809],
    ]
    y = [-10.882235890171875, 118.71260889870715, -195.4996586617362, 137.99200797195206, -9.272964308526358]
    model = kernelviz.fit(X, y, "linear", "svr(C=64.4, epsilon=26.6)", task="regression")
    assert np.ptp(model.score(X)) > 1.0
    assert not model.flat
    assert model.summary()["norm"] is None
