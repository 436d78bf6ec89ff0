"""The regularisation path against LIBSVM, our own solver, and what must hold of any path."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from sklearn.svm import SVC

import kernelviz
from kernelviz.engine.analysis.path import Path, path
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.models.problem import Problem

MOONS = kernelviz.dataset("moons(n=60, noise=0.3, seed=3)")
X, z = MOONS.X, MOONS.z
GRID = [(i, j) for i in (-2, -1, 1, 2) for j in (-2, -1, 1, 2)]


def followed(data: Data, kernel: str = "rbf(gamma=1)", low: float = 1e-3, high: float = 1e3) -> Path:
    return path(Problem(data, kernelviz.kernel(kernel)), low, high)


def violation(K: Array, z: Array, beta: Array, b: float, C: float) -> float:
    """The largest KKT violation, from beta and b alone."""
    margin, alpha = z * (K @ beta + b) - 1.0, z * beta
    return max(
        float((-margin[alpha < C * (1 - 1e-9)]).max(initial=0.0)),
        float(margin[alpha > 1e-9 * C].max(initial=0.0)),
        float((-alpha).max()),
        float((alpha - C).max()),
        float(abs(beta.sum())) / C,
    )


def some_C(found: Path, count: int, seed: int = 0) -> list[float]:
    ends = np.log(found.C[[0, -1]])
    return np.exp(np.random.default_rng(seed).uniform(*ends, count)).tolist()


@pytest.mark.parametrize("gamma", [0.3, 3, 30])
@pytest.mark.parametrize("source", ["rings", "moons(noise=0.3)", "gaussians"])
def test_anywhere_on_the_path_the_scores_are_libsvms(source: str, gamma: float) -> None:
    data = kernelviz.dataset(source)
    found = followed(data, f"rbf(gamma={gamma})")
    assert found.ends == ""
    K = found.problem.gram
    for C in some_C(found, 50):
        model = found.at(C)
        assert violation(K, data.z, model.beta, model.b, C) < 1e-6
        theirs = SVC(kernel="precomputed", C=C, tol=1e-8).fit(K, data.z)
        beta = np.zeros(data.n)
        beta[theirs.support_] = theirs.dual_coef_[0]
        if violation(K, data.z, beta, float(theirs.intercept_[0]), C) < 1e-7:
            assert model.score(data.X) == pytest.approx(theirs.decision_function(K), abs=1e-4)
        else:  # its matrix has single precision, so that at a large C its own answer is off
            assert objective(K, data.z, model.beta) >= objective(K, data.z, beta) - 1e-9 * C


def objective(K: Array, z: Array, beta: Array) -> float:
    return float(z @ beta - 0.5 * beta @ K @ beta)


@pytest.mark.parametrize("kernel", ["rbf(gamma=1)", "linear", "polynomial(degree=3)", "laplacian"])
def test_the_path_goes_through_the_solutions_of_the_solver(kernel: str) -> None:
    found = followed(MOONS, kernel)
    for C in some_C(found, 20):
        ours = kernelviz.fit(MOONS, kernel=kernel, algorithm=f"soft-margin-svm(C={C!r}, tol=1e-9)")
        assert found.at(C).score(X) == pytest.approx(ours.score(X), abs=2e-5)


DEGENERATE = {
    "every point twice": (np.vstack([X, X]), np.r_[z, z]),
    "every point three times": (np.vstack([X[:20]] * 3), np.r_[z[:20], z[:20], z[:20]]),
    "every point in both classes": (np.vstack([X, X]), np.r_[z, -z]),
    "some points in both classes": (np.vstack([X, X[:10]]), np.r_[z, -z[:10]]),
    "three against thirty": (np.vstack([X[z > 0], X[z < 0][:3]]), np.r_[np.ones(30), -np.ones(3)]),
    "one against thirty": (np.vstack([X[z > 0], X[z < 0][:1]]), np.r_[np.ones(30), -1.0]),
    "two points": ([[0, 0], [1, 0]], [1, -1]),
    "two points at one place": ([[0, 0], [0, 0]], [1, -1]),
    "a symmetric grid": (GRID, [i * j > 0 for i, j in GRID]),
    "a line": ([[i, 0] for i in range(10)], [i > 4 for i in range(10)]),
    "rounded places": (np.round(2 * X) / 2, z),
}


@pytest.mark.parametrize("kernel", ["rbf(gamma=1)", "rbf(gamma=1000)", "linear", "polynomial(degree=2)"])
@pytest.mark.parametrize("case", DEGENERATE)
def test_degenerate_points_are_followed_too(case: str, kernel: str) -> None:
    data = Data.labelled(np.array(DEGENERATE[case][0], dtype=float), DEGENERATE[case][1])
    found = followed(data, kernel)
    assert found.ends == ""
    K = found.problem.gram
    for C in some_C(found, 20):
        model = found.at(C)
        assert violation(K, data.z, model.beta, model.b, C) < 2e-6


def every_record_is_a_solution(found: Path, allowed: float = 1e-6) -> None:
    K, labels = found.problem.gram, found.problem.z
    assert (np.diff(found.C) > 0).all()
    for C, beta, b in zip(found.C, found.beta, found.b, strict=True):
        assert violation(K, labels, beta, float(b), float(C)) < allowed
        assert beta[labels > 0].sum() == pytest.approx(-beta[labels < 0].sum(), abs=1e-9 * C)
    for C in some_C(found, 20):
        model = found.at(C)
        assert violation(K, labels, model.beta, model.b, C) < allowed
    for k in range(1, len(found.C) - 1):
        before = found.weights(float(np.nextafter(found.C[k], 0.0)))
        assert before == pytest.approx(found.beta[k], abs=1e-3 * found.C[k])


@given(
    arrays.arrays(float, st.tuples(st.integers(2, 30), st.just(2)), elements=st.integers(-3, 3)),
    st.lists(st.booleans(), min_size=28, max_size=28),
    st.sampled_from(["linear", "polynomial(degree=2)", "rbf(gamma=0.5)"]),
)
def test_points_on_a_lattice_have_a_path_of_solutions_and_nothing_else(
    places: Array, classes: list[bool], kernel: str
) -> None:
    found = followed(Data.labelled(places, [True, False, *classes][: len(places)]), kernel)
    assert found.ends == ""
    every_record_is_a_solution(found)


LATTICE = np.array([(i, j) for i in range(6) for j in range(6)], dtype=float)


@pytest.mark.parametrize(
    ("places", "classes"),
    [
        (LATTICE, LATTICE[:, 0] < 3),
        (np.random.default_rng(1).normal(size=(40, 2)), np.arange(40) < 5),
        (np.round(4 * X) / 4, z > 0),
    ],
    ids=["six by six", "five against thirty-five", "moons in quarters"],
)
def test_events_that_coincide_leave_no_record_that_is_no_solution(places: Array, classes: Array) -> None:
    found = followed(Data.labelled(places, classes), "linear")
    assert found.ends == ""
    every_record_is_a_solution(found)


@pytest.mark.parametrize(
    ("times", "kernel"), [(100, "linear"), (1000, "linear"), (10, "polynomial(degree=3)")], ids=str
)
def test_data_that_are_not_scaled_have_a_path_of_solutions_too(times: float, kernel: str) -> None:
    found = followed(Data.labelled(times * X, z), kernel, high=10.0)
    assert found.ends == ""
    every_record_is_a_solution(found)


@pytest.mark.parametrize("seed", [2, 12, 25, 52])
def test_the_ridge_leaves_no_breakpoint_that_is_none(seed: int) -> None:
    """Where weights are large the ridge alone would violate the conditions, and a path that is not right is
    filled up with solutions that are no events."""
    rng = np.random.default_rng(seed)
    places, classes = 30.0 * rng.normal(size=(13, 2)), np.r_[1.0, -1.0, rng.choice([-1.0, 1.0], 11)]
    found = followed(Data.labelled(places, classes), "polynomial(degree=2)", high=100.0)
    every_record_is_a_solution(found)
    assert (found.sides[1:-1] != found.sides[:-2]).any(axis=1).all()


def test_where_numbers_are_so_large_that_no_digits_are_left_the_path_ends() -> None:
    found = followed(Data.labelled(1e5 * X, z), "linear")
    assert "numbers so large leave no more digits" in found.ends
    assert found.C[-1] < 100.0
    every_record_is_a_solution(found, allowed=1e-3)
    for C, width in zip(found.C, found.margin_width, strict=True):
        expected = found.at(float(C)).numbers.get("margin_width")
        assert np.isnan(width) if expected is None else width == pytest.approx(expected, rel=2e-3)


@pytest.mark.parametrize("source", ["moons(n=80, noise=0.3)", "rings(n=80)", "three_points"])
def test_the_path_is_continuous_and_its_weights_sum_to_zero(source: str) -> None:
    found = followed(kernelviz.dataset(source))
    assert (np.diff(found.C) > 0).all()
    assert np.abs(found.beta.sum(axis=1) / found.C).max() < 1e-9
    for k in range(1, len(found.C) - 1):
        before, after = (found.weights(C) for C in (found.C[k] * (1 - 1e-11), found.C[k] * (1 + 1e-11)))
        assert np.abs(before - after).max() < 1e-4 * found.C[k]


def test_with_balanced_classes_all_points_are_at_the_bound_at_first() -> None:
    found = followed(MOONS, low=1e-3)
    assert found.beta[0] == pytest.approx(1e-3 * z)
    assert found.support_vectors[0] == MOONS.n


def test_the_path_of_separable_classes_ends_in_the_hard_margin() -> None:
    data = kernelviz.dataset("rings(n=60)")
    hard = kernelviz.fit(data, kernel="rbf(gamma=1)", algorithm="hard-margin-svm")
    assert followed(data).at(1e3).score(data.X) == pytest.approx(hard.score(data.X), abs=1e-5)


def test_numbers_along_the_path_are_those_of_the_models_on_it() -> None:
    found, held_out = followed(MOONS), kernelviz.dataset("moons(n=50, noise=0.3, seed=9)")
    errors = found.held_out_error(held_out)
    for k in range(0, len(found.C), 7):
        numbers = (model := found.at(float(found.C[k]))).numbers
        assert found.training_error[k] == numbers["training_error"]
        assert found.support_vectors[k] == numbers["support_vectors"]
        assert found.margin_width[k] == pytest.approx(numbers["margin_width"], rel=1e-6)
        assert errors[k] == np.mean(held_out.z * model.score(held_out.X) <= 0)


def test_two_points_have_the_path_one_can_calculate() -> None:
    # alpha = min(C, 1/(1 - k)), as |phi - phi'|² = 2 - 2k and the margin is half the distance.
    data = Data.labelled([[0.0, 0.0], [1.0, 0.0]], [-1, 1])
    found, k = followed(data), np.exp(-1.0)
    assert pytest.approx([1e-3, 1 / (1 - k), 1e3]) == found.C
    assert found.at(0.5).alpha == pytest.approx([0.5, 0.5])
    assert found.at(50.0).alpha == pytest.approx(2 * [1 / (1 - k)])


def test_a_kernel_that_is_not_positive_semi_definite_cuts_the_path_where_it_ends() -> None:
    data = kernelviz.dataset("barely-separable")
    found = followed(data, "sigmoid(gamma=1, c=0)")
    assert found.ends.startswith("The path ends at C = 0.03")
    assert "not positive semi-definite" in found.ends
    for C in some_C(found, 20):
        model = found.at(C)
        assert violation(found.problem.gram, data.z, model.beta, model.b, C) < 1e-6
    with pytest.raises(BadInput, match="is not on it"):
        found.at(1.0)


@pytest.mark.parametrize(
    ("source", "low", "high", "sentence"),
    [
        ("moons", 1.0, 1.0, "from a smaller to a larger C"),
        ("moons", 0.0, 1.0, "from a smaller to a larger C"),
        ("sine", 0.1, 1.0, "two classes"),
        ("moons(n=1100)", 0.1, 1.0, "up to 1,000 points"),
    ],
)
def test_what_has_no_path_is_told_in_a_sentence(source: str, low: float, high: float, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        followed(kernelviz.dataset(source), low=low, high=high)


def test_along_the_path_the_fit_is_that_of_the_path_at_every_C_with_a_free_point_or_without() -> None:
    found = path(Problem(kernelviz.dataset("gaussians(n=41)"), kernelviz.kernel("linear")))
    values = np.geomspace(found.C[0], found.C[-1], 30)[1:-1]
    drawn, models = found.along(values), [found.at(float(C)) for C in values]
    assert any(
        not np.any((model.alpha > 0) & (model.alpha < C)) for model, C in zip(models, values, strict=True)
    )
    assert drawn.b == pytest.approx([model.offset for model in models], abs=1e-6)
    assert drawn.training_error.tolist() == [model.numbers["training_error"] for model in models]
