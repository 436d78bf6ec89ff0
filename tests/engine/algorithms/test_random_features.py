from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import kernelviz
from kernelviz.engine.algorithms.on_features import RandomFeatures
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.kernels.dot_products import Linear
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.engine.models.problem import Problem


def rings() -> Problem:
    return Problem(kernelviz.dataset("rings(n=100, seed=3)"), Gaussian(gamma=1.0))


@pytest.mark.parametrize("q", [5, 60, 300])
@pytest.mark.parametrize("lam", [0.01, 1.0])
def test_it_is_logistic_regression_on_its_cosines(q: int, lam: float) -> None:
    model = RandomFeatures(q=q, lam=lam).fit(rings())
    X, z = model.problem.X, model.problem.z
    Phi = model.features(X)
    theirs = LogisticRegression(C=1 / lam, tol=1e-10, max_iter=10_000).fit(Phi, z)
    np.testing.assert_allclose(model.score(X), theirs.decision_function(Phi), atol=1e-3)
    assert Phi.shape == (100, q)


@pytest.mark.parametrize("model", ["logistic", "ridge", "hinge"])
def test_a_few_hundred_waves_separate_the_rings(model: str) -> None:
    fitted = RandomFeatures(q=300, model=model).fit(rings())
    assert fitted.converged
    assert fitted.summary()["training_error"] == 0.0


def test_without_phases_every_fit_is_symmetric_and_with_them_it_is_not() -> None:
    X = rings().X
    for phases in (True, False):
        model = RandomFeatures(q=50, phases=phases).fit(rings())
        assert np.allclose(model.score(X), model.score(-X)) is not phases


def test_the_largest_weights_alone_make_a_model_that_tends_to_the_fit() -> None:
    model = RandomFeatures(q=40, model="ridge").fit(rings())
    kept = model.with_largest(7)
    assert np.count_nonzero(kept.weights) == 7
    assert np.abs(kept.weights).max() == np.abs(model.weights).max()
    np.testing.assert_allclose(model.with_largest(40).score(model.problem.X), model.training_scores)


def test_the_waves_are_drawn_from_what_the_marks_say() -> None:
    model = RandomFeatures(q=7, seed=2).fit(rings())
    (mark,) = model.marks()
    assert mark.kind == "wave"
    assert mark.xy.shape == (7, 2)
    X = model.problem.X
    waves = np.sqrt(2 / 7) * np.cos(X @ mark.xy.T + mark.values)
    np.testing.assert_allclose(waves @ model.weights + model.b, model.training_scores)


def test_the_waves_begin_anywhere_in_a_full_turn() -> None:
    (mark,) = RandomFeatures(q=1000).fit(rings()).marks()
    quarters, _ = np.histogram(mark.values, 4, (0, 2 * np.pi))
    assert quarters.sum() == 1000
    assert (np.abs(quarters - 250) < 60).all()


def test_another_seed_draws_other_waves_and_the_same_seed_the_same() -> None:
    one, same, other = (RandomFeatures(seed=s).fit(rings()).training_scores for s in (1, 1, 2))
    np.testing.assert_array_equal(one, same)
    assert not np.array_equal(one, other)


def test_a_kernel_without_a_spectral_density_is_refused_in_words() -> None:
    with pytest.raises(BadInput, match="spectral density"):
        RandomFeatures().fit(Problem(rings().data, Linear()))


def test_inputs_of_other_widths_work_without_marks() -> None:
    rng = np.random.default_rng(0)
    data = Data.labelled(rng.normal(size=(30, 3)), np.arange(30) % 2)
    model = RandomFeatures(q=20).fit(Problem(data, Gaussian()))
    assert model.marks() == ()
    assert np.isfinite(model.training_scores).all()


@pytest.mark.parametrize("q", [30, 300], ids=["fewer waves than points", "more"])
@pytest.mark.parametrize("change", ["moved", "added", "lam"])
def test_a_warm_start_after_a_small_change_takes_fewer_steps(change: str, q: int) -> None:
    problem, algorithm = rings(), RandomFeatures(q=q)
    start = algorithm.fit(problem)
    X = problem.X.copy()
    X[3] += 0.01
    if change == "moved":
        problem = Problem(Data.labelled(X, problem.z), problem.kernel)
    elif change == "added":
        new, z = np.vstack([problem.X, X[3:4]]), np.append(problem.z, problem.z[3])
        problem = Problem(Data.labelled(new, z), problem.kernel)
    else:
        algorithm = RandomFeatures(q=q, lam=1.05 * algorithm.lam)
    warm, cold = algorithm.fit(problem, start), algorithm.fit(problem)
    assert warm.iterations < cold.iterations
    np.testing.assert_allclose(warm.training_scores, cold.training_scores, atol=1e-4)


@pytest.mark.parametrize("constant", [3.0, 1e6, 0.0])
def test_targets_that_are_all_alike_are_met_exactly_and_that_is_said(constant: float) -> None:
    found = kernelviz.fit(
        np.arange(10.0), np.full(10, constant), algorithm="random-features(model=ridge)", task="regression"
    )
    assert found.converged
    assert found.score([[3.5]])[0] == pytest.approx(constant, rel=1e-9)
