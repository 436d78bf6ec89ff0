"""The kernel on categories and its products with kernels on numbers, against explicit one-hot features."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.svm import SVC

import kernelviz
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import dataset, kernel
from kernelviz.engine.kernels.derivatives import Pairs
from kernelviz.engine.models.sampling import scores_in_category

RNG = np.random.default_rng(5)
NUMBERS, CODES = RNG.standard_normal((40, 2)), RNG.integers(0, 3, 40).astype(float)
X = np.column_stack([NUMBERS, CODES])
ONE_HOT = np.eye(3)[CODES.astype(int)]


def similarity(share: float) -> np.ndarray:
    """Return ρ + (1 - ρ) e_c·e_c' by one-hot features: a constant, and one for each category."""
    features = np.column_stack([np.full(40, np.sqrt(share)), np.sqrt(1 - share) * ONE_HOT])
    return features @ features.T


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_a_product_with_a_kernel_on_numbers_has_the_products_of_one_hot_features(share):
    phi = np.column_stack([np.sqrt(share) * np.ones(40), np.sqrt(1 - share) * ONE_HOT])
    products = (phi[:, :, None] * NUMBERS[:, None, :]).reshape(40, -1)
    np.testing.assert_allclose(
        kernel(f"linear*category(share={share})")(X), products @ products.T, atol=1e-12
    )


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("category(share=0.3)", similarity(0.3)),
        ("rbf(gamma=2)*category(share=0.3)", kernel("rbf(gamma=2)")(NUMBERS) * similarity(0.3)),
        ("rbf + 2*category", kernel("rbf")(NUMBERS) + 2 * similarity(0.0)),
        ("category(share=0.5)*(rbf + linear)", similarity(0.5) * kernel("rbf + linear")(NUMBERS)),
        ("linear + 3*rbf*category", kernel("linear")(NUMBERS) + 3 * kernel("rbf")(NUMBERS) * similarity(0)),
    ],
)
def test_kernels_on_numbers_do_not_see_the_category(expression, expected):
    found = kernel(expression)
    np.testing.assert_allclose(found(X), expected, atol=1e-12)
    np.testing.assert_allclose(found(X[:7], X), expected[:7], atol=1e-12)
    np.testing.assert_allclose(found.diagonal(X), np.diag(expected), atol=1e-12)
    assert (found(X) == found(X).T).all()
    assert np.linalg.eigvalsh(found(X))[0] > -1e-10
    assert kernel(str(found)) == found


def test_scikit_learn_fits_the_same_machine():
    z = np.where(NUMBERS[:, 0] * (CODES - 0.5) > 0, 1, -1)
    k = kernel("rbf*category(share=0.2)")
    model = kernelviz.fit(X, z, k, "soft-margin-svm(C=3, tol=1e-9)")
    known = SVC(C=3, kernel=k, tol=1e-9).fit(X, z)
    np.testing.assert_allclose(model.score(X), known.decision_function(X), atol=1e-6)


def test_without_a_share_each_category_is_fitted_as_if_it_were_alone():
    data = dataset("colours(n=90)")
    whole = kernelviz.fit(data, kernel="rbf*category(share=0)", algorithm="ridge(lam=0.1)")
    for code in range(3):
        part = data.subset(data.X[:, -1] == code)
        alone = kernelviz.fit(part.numbers, part.z, "rbf", "ridge(lam=0.1)", task="regression")
        np.testing.assert_allclose(whole.score(part.X), alone.score(part.numbers), atol=1e-9)


def test_a_kernel_on_numbers_ignores_the_category_of_data_that_have_one():
    data = dataset("colours(n=60)")
    ignoring = kernelviz.fit(data, kernel="rbf(gamma=2)")
    without = kernelviz.fit(data.numbers, data.z, "rbf(gamma=2)")
    np.testing.assert_allclose(ignoring.training_scores, without.training_scores, atol=1e-6)
    assert str(ignoring.problem.kernel) == "rbf(gamma=2)*category(share=1)"


@pytest.mark.parametrize(
    "expression", ["rbf*category(share=0.3)", "linear + category(share=0.4)", "category"]
)
@pytest.mark.parametrize("algorithm", ["soft-margin-svm(C=5)", "nearest-neighbours(k=3)"])
def test_the_field_of_a_category_is_the_score_there(expression, algorithm):
    model = kernelviz.fit(dataset("colours(n=60)"), kernel=expression, algorithm=algorithm)
    x1, x2 = np.linspace(-1, 1, 5), np.linspace(-1.5, 1, 4)
    for code in range(3):
        nodes = np.array([[a, b, code] for b in x2 for a in x1])
        F = scores_in_category(model, code, x1, x2)
        np.testing.assert_allclose(F.ravel(), model.score(nodes), atol=1e-8)


def test_the_slope_by_the_share_is_that_of_finite_differences():
    def total(share: float, W: np.ndarray) -> float:
        return float(W @ kernel(f"rbf*category(share={share})").differentiated(Pairs(X))[0])

    values, slopes = kernel("rbf*category(share=0.4)").differentiated(Pairs(X))
    W = RNG.standard_normal(len(values))
    assert slopes(W)[(1, "share")] == pytest.approx((total(0.41, W) - total(0.39, W)) / 0.02, rel=1e-6)


def test_numbers_that_stand_for_no_category_are_refused():
    with pytest.raises(BadInput, match=r"whole numbers that stand for categories; row 1 has 0.5"):
        kernelviz.fit([[1.0, 0.5], [2.0, 1.0]], [1, -1], "category")
    with pytest.raises(BadInput, match="share"):
        kernel("category(share=1.5)")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ([str(k) for k in range(10)], "9 different values at most"),
        (["a", "a", "b"], "each with a name of its own"),
        (["a", "b"], "numbers from 0 to 1"),
    ],
)
def test_categories_need_few_names_and_codes_that_fit(names, message):
    data = Data.labelled(X, CODES > 0)
    with pytest.raises(BadInput, match=message):
        data.with_categories(names)


def test_the_formula_has_the_value_of_the_share():
    found = kernel("rbf*category(share=0.25)").latex_with_values()
    assert "0.25 + (1 - 0.25)" in found
    assert "rho" not in found
