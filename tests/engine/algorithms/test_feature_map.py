from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.svm import SVC

import kernelviz
from kernelviz.engine.algorithms.on_features import FeatureMapClassifier, feature_list
from kernelviz.engine.analysis.points import largest_terms
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.kernels.dot_products import Linear
from kernelviz.engine.models.problem import Problem

LOSSES = ("logistic", "ridge", "hinge")


def rings() -> Problem:
    return Problem(kernelviz.dataset("rings(n=120, seed=3)"), Linear())


def cloud(n: int = 50) -> Problem:
    rng = np.random.default_rng(0)
    z = np.where(np.arange(n) % 2, 1, -1)
    return Problem(Data.labelled(rng.normal(size=(n, 2)) + 0.8 * z[:, None], z), Linear())


@pytest.mark.parametrize("model", LOSSES)
@pytest.mark.parametrize("features", ["squares", "polar"])
def test_the_rings_are_separated_by_a_line_after_the_transformation(features: str, model: str) -> None:
    straight = FeatureMapClassifier("coordinates", model=model).fit(rings())
    bent = FeatureMapClassifier(features, model=model, lam=1e-4).fit(rings())
    assert straight.summary()["training_error"] > 0.2
    assert bent.summary()["training_error"] <= 0.01


def test_the_lists_are_those_of_the_notes() -> None:
    X = np.array([[3.0, 4.0], [-1.0, 0.0]])
    assert feature_list("coordinates", 2, 5)(X).tolist() == X.tolist()
    assert feature_list("squares", 2, 5)(X).tolist() == [[9.0, 16.0], [1.0, 0.0]]
    np.testing.assert_allclose(feature_list("polar", 2, 5)(X), [[5.0, np.arctan2(4, 3)], [1.0, np.pi]])
    monomials = feature_list("monomials", 2, 2)
    assert monomials(X[:1]).tolist() == [[3.0, 4.0, 9.0, 12.0, 16.0]]
    assert monomials.names == ("x_1", "x_2", "x_1^{2}", "x_1 x_2", "x_2^{2}")


@pytest.mark.parametrize("lam", [0.01, 1.0])
def test_the_three_losses_agree_with_scikit_learn(lam: float) -> None:
    problem = cloud()
    Phi, z, n = feature_list("monomials", 2, 3)(problem.X), problem.z, problem.n
    theirs = {
        "logistic": LogisticRegression(C=1 / lam, solver="newton-cholesky", tol=1e-12, max_iter=500),
        "hinge": SVC(kernel="linear", C=1 / (2 * n * lam), tol=1e-8),
    }
    for model, machine in theirs.items():
        scores = machine.fit(Phi, z).decision_function(Phi)
        ours = FeatureMapClassifier("monomials", degree=3, model=model, lam=lam).fit(problem)
        np.testing.assert_allclose(ours.score(problem.X), scores, atol=1e-4)
    ridge = FeatureMapClassifier("monomials", degree=3, model="ridge", lam=lam).fit(problem)
    np.testing.assert_allclose(
        ridge.score(problem.X), Ridge(alpha=lam).fit(Phi, z).predict(Phi), rtol=1e-6, atol=1e-8
    )


def test_with_the_hinge_loss_there_are_support_vectors() -> None:
    model = FeatureMapClassifier("squares", model="hinge", lam=0.01).fit(rings())
    assert 0 < len(model.support) < model.problem.n
    Phi = model.features(model.problem.X)
    np.testing.assert_allclose(model.beta @ Phi, model.weights, atol=1e-9)
    assert (model.alpha <= model.box).all()
    terms = largest_terms(model, [0.4, 0.2], count=model.problem.n)
    assert sum(t.value for t in terms) + model.b == pytest.approx(model.score([[0.4, 0.2]])[0])
    assert model.summary()["duality_gap"] < 1e-3


def test_the_kernel_plays_no_part() -> None:
    problem = rings()
    other = Problem(problem.data, kernelviz.kernel("rbf(gamma=5)"))
    algorithm = FeatureMapClassifier("squares")
    assert not algorithm.uses_kernel
    np.testing.assert_array_equal(
        algorithm.fit(problem).training_scores, algorithm.fit(other).training_scores
    )


def test_polar_coordinates_need_the_plane() -> None:
    line = Problem(Data.labelled([[1.0], [2.0]], [0, 1]), Linear())
    with pytest.raises(BadInput, match="two columns"):
        FeatureMapClassifier("polar").fit(line)


def test_too_many_monomials_are_refused() -> None:
    wide = Problem(Data.labelled(np.eye(40), np.arange(40) % 2), Linear())
    with pytest.raises(BadInput, match="too many monomials"):
        FeatureMapClassifier("monomials", degree=10).fit(wide)


def test_many_points_are_fitted_by_every_loss() -> None:
    rng = np.random.default_rng(0)
    z = np.where(np.arange(5000) % 2, 1, -1)
    problem = Problem(Data.labelled(rng.normal(size=(5000, 2)) + z[:, None], z), Linear())
    scores = [FeatureMapClassifier("coordinates", model=m).fit(problem).training_scores for m in LOSSES]
    errors = [np.mean(np.sign(s) != z) for s in scores]
    assert max(errors) < min(errors) + 0.01 < 0.1


@pytest.mark.parametrize("seed", range(4))
def test_a_singular_system_is_not_called_solved(seed: int) -> None:
    far = np.random.default_rng(seed).normal(size=(5, 10)) + 5e8
    model = kernelviz.fit(far, [1, -1, 1, -1, 1], algorithm="feature-map(model=ridge)")
    assert not model.converged
    assert "singular" in model.message


def test_the_iterations_of_the_hinge_loss_are_those_of_its_solver() -> None:
    exact = FeatureMapClassifier("squares", model="hinge").fit(cloud())
    assert exact.iterations == exact.memory.iterations > 0
    many = FeatureMapClassifier("squares", model="hinge").fit(cloud(3001))
    assert f"{many.iterations} steps" in many.message


@pytest.mark.parametrize("n", [3, 20])  # fewer and more points than features
@pytest.mark.parametrize("lam", [1e-3, 1.0])
def test_ridge_without_an_offset_is_kernel_ridge_with_the_kernel_of_the_features(n: int, lam: float) -> None:
    data = kernelviz.dataset(f"cubic(n={n})")
    kernels = {"coordinates": "linear", "monomials": "linear + homogeneous(degree=2)"}
    for features, kernel in kernels.items():
        explicit = FeatureMapClassifier(features, 2, "ridge", lam, offset=False).fit(Problem(data, Linear()))
        dual = kernelviz.fit(data, kernel=kernel, algorithm=f"ridge(lam={lam})")
        np.testing.assert_allclose(explicit.score(data.X), dual.score(data.X), atol=1e-9)
        assert explicit.b == 0.0
        numbers = (model.summary()["degrees_of_freedom"] for model in (explicit, dual))
        np.testing.assert_allclose(*numbers, atol=1e-9)


@pytest.mark.parametrize("model", ["logistic", "hinge"])
def test_the_other_losses_cannot_do_without_an_offset(model: str) -> None:
    with pytest.raises(BadInput, match="Only ridge can do without b"):
        FeatureMapClassifier(model=model, offset=False).fit(rings())
