"""The bounds of the lecture, at values worked out by hand, and never exceeded by what they bound."""

from __future__ import annotations

from math import e, log

import numpy as np
import pytest

from kernelviz.api import fit
from kernelviz.engine.core.data import Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import dataset, kernel
from kernelviz.engine.fits.registry import algorithms
from kernelviz.engine.numbers.bounds import (
    BOUNDS,
    Bound,
    best_reference,
    bound_compression,
    bound_separation,
    error_bounds,
    mistake_bound,
    slack_ratio,
    smallest_separating_norm,
    why_no_bounds,
)


def test_the_margin_bound_is_its_formula() -> None:
    n, m, R, delta = 10**6, 0.9, 1.0, 0.05
    expected = 2 / n * (64 / m**2 * log(e * n * m**2 / 8) * log(32 * n / m**2) + log(4 / delta))  # R = 1
    assert bound_separation(n, m, R, delta).value == pytest.approx(expected)


def test_the_bound_separation_needs_enough_points_and_a_margin() -> None:
    few = bound_separation(79, 0.9, 1.0, 0.05)
    assert few.value is None
    assert "more than 79 points" in few.sentence
    assert bound_separation(80, 0.9, 1.0, 0.05).value is not None
    assert bound_separation(10**6, -0.1, 1.0, 0.05).value is None


@pytest.mark.parametrize("margin", [1e-150, 1e-155, 1e-200, 5e-324])
def test_a_margin_whose_bound_no_float_can_hold_needs_more_points_than_there_are(margin: float) -> None:
    bound = bound_separation(20, margin, 1.0, 0.05)
    assert bound.value is None
    assert bound.needs is None
    assert "more than 10^18 points" in bound.sentence


def test_a_perceptron_has_its_numbers_where_points_are_nearly_orthogonal() -> None:
    kernel = "rbf(gamma=1)*rbf(gamma=1)"
    numbers = fit([[0.0, 0.0], [20.0, 0.0]], [1, 1], kernel=kernel, algorithm="online-perceptron").summary()
    assert 0.0 < numbers["margin"] < 1e-154, "its square underflows"
    assert numbers["bound_separation"] is None
    assert numbers["slack_ratio"] <= 2.0


def test_slacks_from_a_reference_margin_near_zero_have_an_infinite_ratio() -> None:
    assert slack_ratio(np.array([-1.0, 0.0, 1.0]), 1.0, 1e-200) == np.inf


def test_a_separation_too_narrow_for_a_float_bounds_no_mistakes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kernelviz.engine.numbers.bounds.smallest_separating_norm", lambda K, z: 1e200)
    assert mistake_bound(np.eye(2), np.array([1.0, -1.0])) == np.inf


def test_a_wider_margin_promises_less_error() -> None:
    narrow, wide = (bound_separation(10**7, m, 1.0, 0.05).value for m in (0.2, 0.9))
    assert wide < narrow


def test_the_compression_bound_is_its_formula_and_needs_no_mistakes() -> None:
    assert bound_compression(100, 5, 0.0, 0.05).value == pytest.approx(
        (5 * log(e * 100 / 5) + log(100 / 0.05)) / 95
    )
    assert bound_compression(100, 5, 0.01, 0.05).value is None
    assert bound_compression(5, 5, 0.0, 0.05).value is None
    assert bound_compression(100, 0, 0.0, 0.05).value == pytest.approx(log(100 / 0.05) / 100)


def test_a_bound_of_one_or_more_is_called_vacuous() -> None:
    bound = bound_compression(20, 15, 0.0, 0.05)
    assert bound.vacuous
    assert "vacuous" in bound.sentence
    assert not bound_compression(1000, 5, 0.0, 0.05).vacuous


def test_from_the_drawn_margin_on_the_slacks_are_the_hinge_losses() -> None:
    product, norm, R = np.array([1.5, 0.5, -1.0]), 4.0, 3.0
    hinge = np.maximum(0.0, 1.0 - product)
    assert slack_ratio(product / norm, R, 1 / norm) == pytest.approx(R**2 * norm**2 + hinge @ hinge)


@pytest.mark.parametrize("reference", [0.1, 0.7, 5.0])
def test_the_slack_ratio_counts_what_each_point_lacks_to_the_reference_margin(reference: float) -> None:
    margins, R = np.array([0.6, 0.2, -0.3]), 2.0
    h = [max(0.0, reference - m) for m in margins]
    expected = (R**2 + sum(x * x for x in h)) / reference**2
    assert slack_ratio(margins, R, reference) == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(12))
def test_no_reference_margin_has_a_smaller_slack_ratio_than_the_best(seed: int) -> None:
    rng = np.random.default_rng(seed)
    margins, R = rng.normal(loc=rng.uniform(0.05, 1.5), size=20), rng.uniform(0.5, 5.0)
    best = best_reference(margins, R)
    least = slack_ratio(margins, R, best)
    assert least <= 20
    for other in np.geomspace(1e-3, 1e3, 400):
        assert least <= slack_ratio(margins, R, other * best) * (1 + 1e-12)


def test_where_points_are_on_the_wrong_side_on_average_the_least_ratio_is_their_number() -> None:
    margins = np.array([0.5, -0.2, -0.4])
    assert best_reference(margins, 1.0) == np.inf
    assert slack_ratio(margins, 1.0, np.inf) == 3.0


def scale_free() -> list[str]:
    """Algorithms whose fit has no unit: no constant of theirs weighs a loss against a norm."""
    return [
        "hard-margin-svm(tol=1e-10)",
        "perceptron(sweeps=1000)",
        "online-perceptron(passes=200)",
        "prototype",
    ]


@pytest.mark.parametrize("algorithm", scale_free())
@pytest.mark.parametrize("unit", [1e-6, 1e6])
def test_the_slack_ratio_is_the_same_in_every_unit_of_x(algorithm: str, unit: float) -> None:
    data = dataset("barely_separable(n=60)")
    ours, theirs = (
        fit(scale * data.X, data.z, "linear", algorithm).summary()["slack_ratio"] for scale in (1.0, unit)
    )
    assert 0.0 < ours <= 60.0 * (1 + 1e-12)
    assert theirs == pytest.approx(ours, rel=1e-5)


def two_classes() -> list[str]:
    return [kind.name for kind in algorithms().values() if Task.TWO_CLASSES in kind.tasks]


@pytest.mark.parametrize("name", two_classes())
def test_whoever_tells_a_slack_ratio_tells_at_most_the_number_of_points(name: str) -> None:
    ratio = fit(dataset("gaussians(n=40)"), algorithm=name).summary().get("slack_ratio")
    assert ratio is None or 0.0 < ratio <= 40.0 * (1 + 1e-12)


def test_where_nothing_is_left_of_w_there_is_no_margin_and_no_ratio() -> None:
    """Points twice, with both labels."""
    X, z = np.repeat([[0.0, 0.0], [1.0, 1.0], [2.0, 0.0]], 2, axis=0), np.array([1, -1] * 3)
    for algorithm in ("soft-margin-svm", "random-features", "random-features(model=ridge)"):
        model = fit(X, z, "rbf(gamma=1)", algorithm)
        told = model.summary()
        assert (told["norm"], told["margin"], told["slack_ratio"]) == (0.0, None, None), algorithm
        assert told["training_error"] is None, "a tie is no decision"
        assert "‖w‖ = 0" in why_no_bounds(model)


def test_a_kernel_without_a_space_of_features_is_promised_nothing_by_its_margin() -> None:
    model = fit(dataset("xor(n=40)"), kernel="sigmoid(gamma=1, c=-1)", algorithm="soft-margin-svm(C=100)")
    assert model.summary()["norm"] > 0.0, "by chance"
    assert [bound.name for bound in error_bounds(model)] == ["compression"]
    assert model.summary()["bound_separation"] is None


def test_why_there_are_no_bounds_is_said() -> None:
    assert why_no_bounds(fit(dataset("rings(n=30)"))) == ""
    assert "two classes" in why_no_bounds(fit(dataset("blobs(n=30, classes=3)")))
    assert "indefinite" in why_no_bounds(fit(dataset("rings(n=30)"), kernel="sigmoid(gamma=1, c=-1)"))
    assert "margin" in why_no_bounds(fit(dataset("rings(n=30)"), algorithm="nearest-neighbours"))
    assert why_no_bounds(fit(dataset("sine(n=20)"), algorithm="ridge")) == ""


@pytest.mark.parametrize(("delta", "surely"), [(0.05, "95%"), (0.001, "99.9%"), (1e-9, "99.9999999%")])
def test_no_bound_is_called_certain(delta: float, surely: str) -> None:
    assert f"on new data, with probability {surely}." in bound_compression(1000, 5, 0.0, delta).sentence


def test_a_reference_margin_is_a_length() -> None:
    model = fit(dataset("rings(n=30)"))
    said = error_bounds(model, reference=0.25)[1].sentence
    margins = model.problem.z * model.training_scores / model.summary()["norm"]
    assert f"{slack_ratio(margins, model.radius, 0.25):.4g}" in said
    with pytest.raises(BadInput):
        error_bounds(model, reference=0.0)


@pytest.mark.parametrize("unit", [1e-3, 100.0])
def test_measured_in_another_unit_the_data_have_the_same_bounds(unit: float) -> None:
    """Hard margin, linear: every length scales, no promise does."""
    data = dataset("barely_separable(n=60, gap=1.5, seed=2)")
    ours = fit(data.X, data.z, "linear", "hard-margin-svm(tol=1e-10)").summary()
    theirs = fit(unit * data.X, data.z, "linear", "hard-margin-svm(tol=1e-10)").summary()
    assert theirs["radius"] == pytest.approx(unit * ours["radius"])
    assert theirs["margin"] == pytest.approx(unit * ours["margin"])
    for name in BOUNDS:
        assert theirs[name] == (None if ours[name] is None else pytest.approx(ours[name], rel=1e-6))
    assert ours["bound_separation_needs"] is not None
    for n in (10**3, 10**6):
        m, R = ours["margin"], ours["radius"]
        same = pytest.approx(bound_separation(n, m, R, 0.05).value)
        assert bound_separation(n, unit * m, unit * R, 0.05).value == same


@pytest.mark.parametrize("ratio", [1.0, 3.0, 40.0])
def test_the_points_a_margin_needs_are_the_fewest_that_promise_less_than_half(ratio: float) -> None:
    needs = bound_separation(50, 1.0, ratio, 0.05).needs
    promised, not_yet = (bound_separation(n, 1.0, ratio, 0.05).value for n in (needs, needs - 1))
    assert promised < 0.5
    assert not_yet >= 0.5


@pytest.mark.parametrize("k", [0, 1, 12])
def test_so_are_those_a_number_of_support_vectors_needs(k: int) -> None:
    needs = bound_compression(20, k, 0.0, 0.05).needs
    promised, not_yet = (bound_compression(n, k, 0.0, 0.05).value for n in (needs, needs - 1))
    assert promised < 0.5
    assert not_yet is None or not_yet >= 0.5


def test_what_no_number_of_points_would_help_needs_none() -> None:
    assert bound_separation(50, -1.0, 1.0, 0.05).needs is None
    assert bound_compression(50, 5, 0.1, 0.05).needs is None
    assert bound_separation(50, 1e-12, 1.0, 0.05).needs is None, "beyond all counting"


def test_the_summary_has_every_bound_and_the_radius() -> None:
    model = fit(dataset("rings(n=60)"))
    summary = model.summary()
    separation, _, compression = error_bounds(model)
    assert summary["radius"] == 1.0
    assert summary["bound_separation"] == separation.value
    assert summary["bound_separation_needs"] == separation.needs
    assert summary["bound_compression"] == compression.value
    assert summary["bound_compression_needs"] == compression.needs
    hinge = np.maximum(0.0, 1.0 - model.problem.z * model.training_scores)
    from_the_drawn_margin = summary["norm"] ** 2 + hinge @ hinge
    assert 0.0 < summary["slack_ratio"] < from_the_drawn_margin, "there may be a better one"
    assert (summary["mistakes"], summary["mistake_bound"]) == (None, None)
    assert not set(BOUNDS) & fit(dataset("sine(n=20)"), algorithm="ridge").summary().keys()


def test_the_summary_of_a_perceptron_has_its_mistakes_beside_their_bound() -> None:
    summary = fit(
        dataset("rings(n=40)"), kernel="rbf(gamma=1)", algorithm="perceptron(sweeps=1000)"
    ).summary()
    assert 0 < summary["mistakes"] <= summary["mistake_bound"]
    hopeless = fit(dataset("xor(n=8)"), kernel="linear", algorithm="perceptron(sweeps=3)").summary()
    assert hopeless["mistakes"] > 0
    assert hopeless["mistake_bound"] is None


def test_a_fitted_classifier_has_all_three() -> None:
    names = [bound.name for bound in error_bounds(fit(dataset("rings(n=60)")))]
    assert names == ["perfect separation", "slack", "compression"]


def test_without_support_vectors_nothing_is_compressed() -> None:
    for algorithm in ("random-features(model=logistic)", "feature-map(model=ridge)"):
        model = fit(dataset("rings(n=60)"), algorithm=algorithm)
        assert model.summary()["support_vectors"] is None
        assert [bound.name for bound in error_bounds(model)] == ["perfect separation", "slack"]


def test_they_apply_to_two_classes_with_a_norm_only() -> None:
    assert error_bounds(fit(dataset("blobs(n=30, classes=3)"))) == ()
    assert error_bounds(fit(dataset("rings(n=30)"), algorithm="nearest-neighbours")) == ()


def test_radius_and_margin_belong_to_the_same_space() -> None:
    by_features = fit(dataset("gaussians(n=40)"), algorithm="feature-map(features=coordinates, model=hinge)")
    scores, z = by_features.training_scores, by_features.problem.z
    lengths = np.linalg.norm(by_features.problem.X, axis=1)
    norm = by_features.summary()["norm"]
    by_hand = slack_ratio(z * scores / norm, lengths.max(), 1 / norm)
    assert error_bounds(by_features, reference=1 / norm)[1].ratio == pytest.approx(by_hand)


@pytest.mark.parametrize("delta", [0.0, 1.0, -1.0, 2.0])
def test_delta_is_a_probability(delta: float) -> None:
    with pytest.raises(BadInput):
        error_bounds(fit(dataset("rings(n=10)")), delta)


def test_the_smallest_separating_norm_of_one_point_is_one_over_its_length() -> None:
    K = np.array([[4.0]])
    assert smallest_separating_norm(K, np.array([1.0])) == pytest.approx(0.5)


def test_it_is_that_of_a_hard_margin_through_the_origin() -> None:
    data = dataset("xor(n=30, noise=0.2)")
    K = kernel("homogeneous(degree=2)")(data.X)
    norm = smallest_separating_norm(K, data.z)
    from scipy.optimize import minimize

    def dual(a: np.ndarray) -> tuple[float, np.ndarray]:
        q = data.z * (K @ (data.z * a))
        return 0.5 * float(a @ q) - a.sum(), q - 1

    solved = minimize(
        dual, np.zeros(data.n), jac=True, bounds=[(0, None)] * data.n, options={"maxiter": 5000}
    )
    assert norm**2 == pytest.approx(-2 * solved.fun, rel=1e-3)


def test_opposite_labels_on_one_point_cannot_be_separated() -> None:
    K = kernel("rbf(gamma=1)")(np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 1.0]]))
    assert smallest_separating_norm(K, np.array([1.0, -1.0, 1.0])) is None
    assert mistake_bound(K, np.array([1.0, -1.0, 1.0])) is None


def test_an_indefinite_kernel_has_no_space_to_bound_mistakes_in() -> None:
    data = dataset("rings(n=20)")
    assert mistake_bound(kernel("sigmoid(gamma=1, c=-1)")(data.X), data.z) is None


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("expression", ["rbf(gamma=1)", "polynomial(degree=2)"])
def test_the_online_perceptron_never_exceeds_its_mistake_bound(seed: int, expression: str) -> None:
    data = dataset(f"rings(n=60, noise=0.05, seed={seed})")
    bound = mistake_bound(kernel(expression)(data.X), data.z)
    model = fit(data, kernel=expression, algorithm="online-perceptron(passes=200)")
    assert 0 < model.alpha.sum() <= bound


@pytest.mark.parametrize("n", [20, 150])
@pytest.mark.parametrize("expression", ["polynomial(degree=2)", "rbf(gamma=0.3)", "rbf(gamma=30)"])
def test_the_separating_norm_is_not_below_what_the_dual_proves(expression: str, n: int) -> None:
    data = dataset(f"rings(n={n}, noise=0.02)")
    K, z = kernel(expression)(data.X), data.z
    norm = smallest_separating_norm(K, z)
    # Any weights a >= 0 bound it from below: ||g||² >= 2 sum a - ||sum a_i z_i K(x_i, ·)||².
    model = fit(data.X, z, kernel=expression, algorithm="hard-margin-svm(tol=1e-8)")
    a = model.alpha * model.alpha.sum() / ((z * model.alpha) @ K @ (z * model.alpha))
    assert norm**2 >= (2 * a.sum() - (z * a) @ K @ (z * a)) * (1 - 1e-6)


@pytest.mark.parametrize("R", [0.5, 3.0])
def test_in_the_margin_bound_radius_and_margin_meet_as_a_ratio(R: float) -> None:
    """math.md's correction 7 of the notes."""
    n, m, delta = 10**7, 0.9 * R, 0.05
    ratio = R**2 / m**2
    expected = 2 / n * (64 * ratio * log(e * n / (8 * ratio)) * log(32 * n * ratio) + log(4 / delta))
    assert bound_separation(n, m, R, delta).value == pytest.approx(expected)
    assert bound_separation(int(64 * ratio), m, R, delta).value is None
    assert bound_separation(int(64 * ratio) + 1, m, R, delta).value is not None


def test_the_bound_separation_needs_more_than_two_over_epsilon_points_too() -> None:
    bound = bound_separation(1, 1.0, 0.1, 0.9)  # its logarithms have two signs
    assert bound.value is None
    assert "2/ε" in bound.sentence


def test_a_margin_of_zero_separates_nothing() -> None:
    assert bound_separation(10**9, 0.0, 1.0, 0.05).value is None


@pytest.mark.parametrize(("value", "vacuous"), [(None, False), (0.99, False), (1.0, True), (7.0, True)])
def test_vacuous_begins_at_one(value: float | None, vacuous: bool) -> None:
    assert Bound("slack_ratio", value, "").vacuous is vacuous


def test_with_an_offset_the_mistake_bound_is_that_of_the_kernel_plus_its_step() -> None:
    """K + R² is the kernel of the features and one more, R: there the perceptron needs no b."""
    data = dataset("barely_separable(n=30, gap=0.5)")
    model = fit(data, kernel="linear", algorithm="perceptron(sweeps=10000)")
    K, z = model.problem.gram, data.z
    R2 = K.diagonal().max()
    lifted = np.column_stack([data.X, np.full(data.n, np.sqrt(R2))])
    g = smallest_separating_norm(lifted @ lifted.T, z)
    bound = model.algorithm.mistake_bound(model.problem)
    assert bound == pytest.approx(g**2 * 2 * R2)
    assert model.converged
    assert model.iterations <= bound


def test_where_nothing_separates_mistakes_have_no_bound() -> None:
    model = fit(dataset("xor(n=8)"), kernel="linear", algorithm="perceptron(sweeps=3)")
    assert model.algorithm.mistake_bound(model.problem) == np.inf


def test_without_a_radius_only_the_confidence_is_left_of_the_margin_bound() -> None:
    assert bound_separation(100, 1.0, 0.0, 0.9).value == pytest.approx(2 / 100 * log(4 / 0.9))


@pytest.mark.parametrize("unit", [1e-12, 1e12])
def test_the_separating_norm_does_not_mind_the_unit_of_the_kernel(unit: float) -> None:
    data = dataset("rings(n=40, noise=0.02)")
    K = kernel("polynomial(degree=2)")(data.X)
    norm, other = smallest_separating_norm(K, data.z), smallest_separating_norm(unit * K, data.z)
    assert norm is not None
    assert other * np.sqrt(unit) == pytest.approx(norm, rel=1e-5)
    inseparable = kernel("linear")(data.X)
    assert smallest_separating_norm(unit * inseparable, data.z) is None


def test_no_norm_separates_in_a_space_that_does_not_exist_or_holds_nothing() -> None:
    one_side = np.ones(2)
    assert smallest_separating_norm(np.array([[1.0, 2.0], [2.0, 1.0]]), one_side) is None
    assert smallest_separating_norm(np.zeros((2, 2)), one_side) is None


def test_a_bound_says_what_it_promises_and_how_surely() -> None:
    promised = bound_compression(1000, 5, 0.0, 0.1)
    assert promised.value is not None
    says = f"At most {promised.value:.1%} errors on new data, with probability 90%."
    assert promised.sentence.startswith(says)
    nothing = bound_compression(20, 10, 0.0, 0.05)
    assert 1 <= nothing.value < 3
    assert nothing.sentence == f"ε = {nothing.value:.3g}: vacuous, it promises nothing."


@pytest.mark.parametrize("margins", [[0.1, 0.2, -0.3], [0.3, -0.2, -0.1], [1.0, 1e-17, -1.0], [0.0, 0.0]])
def test_margins_that_cancel_but_for_rounding_have_a_ratio_no_classifier_exceeds(margins):
    m = np.array(margins)
    assert slack_ratio(m, 1.0, best_reference(m, 1.0)) <= len(m) + 1e-12
