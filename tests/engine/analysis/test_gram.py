"""Versions, orders and pairs of a Gram matrix, against explicit features."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from kernelviz.engine.analysis.gram import MercerSum, centred, clustered, distances, normalised, pair
from kernelviz.engine.fits.parsing import dataset, kernel
from kernelviz.engine.kernels.mercer import mercer
from kernelviz.engine.models.problem import Problem

DATA = dataset("gaussians(n=30, seed=2)")
QUADRATIC = kernel("polynomial(degree=2)")
K = QUADRATIC(DATA.X)
PHI = QUADRATIC.feature_map(2)(DATA.X)


def test_the_normalised_matrix_is_that_of_features_of_length_one() -> None:
    unit = PHI / np.linalg.norm(PHI, axis=1, keepdims=True)
    assert normalised(K) == pytest.approx(unit @ unit.T)


def test_a_point_without_length_has_no_direction() -> None:
    assert normalised(np.array([[0.0, 0.0], [0.0, 4.0]])).tolist() == [[0.0, 0.0], [0.0, 1.0]]


def test_the_centred_matrix_is_that_of_features_seen_from_their_mean() -> None:
    seen = PHI - PHI.mean(axis=0)
    assert centred(K) == pytest.approx(seen @ seen.T, abs=1e-12)


def test_distances_are_those_of_the_features() -> None:
    apart = np.linalg.norm(PHI[:, None] - PHI[None], axis=2)
    assert distances(K) == pytest.approx(apart, abs=1e-6)


def test_two_points_have_the_angle_and_the_distance_of_their_features() -> None:
    found, a, b = pair(K, 3, 17), PHI[3], PHI[17]
    assert found.product == pytest.approx(a @ b)
    assert found.cosine == pytest.approx(a @ b / np.linalg.norm(a) / np.linalg.norm(b))
    assert found.distance == pytest.approx(np.linalg.norm(a - b))
    assert found.angle == pytest.approx(np.degrees(np.arccos(found.cosine)))
    same = pair(K, 5, 5)
    assert (same.distance, same.angle) == (0.0, pytest.approx(0.0, abs=1e-5))


def test_of_an_indefinite_kernel_some_pairs_have_no_distance() -> None:
    odd = np.array([[1.0, 2.0], [2.0, 1.0]])
    found = pair(odd, 0, 1)
    assert found.distance is None
    assert found.angle is None
    assert pair(-odd, 0, 1).cosine is None


def test_clustering_puts_points_of_a_blob_next_to_each_other() -> None:
    rng = np.random.default_rng(3)
    blob = rng.permutation(np.repeat(np.arange(4), 12))
    X = 10.0 * np.column_stack([np.cos(blob), np.sin(blob)]) + rng.normal(scale=0.3, size=(48, 2))
    order = clustered(kernel("rbf(gamma=0.1)")(X))
    assert sorted(order.tolist()) == list(range(48))
    assert np.count_nonzero(np.diff(blob[order])) == 3, "each blob is in one piece"


def test_clustering_is_that_of_average_linkage() -> None:
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import squareform

    D = distances(K)
    np.fill_diagonal(D, 0.0)
    tree = linkage(squareform(D, checks=False), "average")
    place = np.argsort(clustered(K))
    for count in (2, 5, 9):
        groups = fcluster(tree, count, "maxclust")
        for group in np.unique(groups):
            where = place[groups == group]
            assert np.ptp(where) == len(where) - 1, "what scipy puts together is together here"


@pytest.mark.parametrize("n", [0, 1, 2])
def test_few_points_have_an_order_too(n: int) -> None:
    assert sorted(clustered(np.eye(n)).tolist()) == list(range(n))


def test_the_effective_rank_counts_directions_as_if_they_were_even() -> None:
    assert mercer(np.eye(7)).effective_rank == pytest.approx(7.0)
    assert mercer(np.ones((7, 7))).effective_rank == pytest.approx(1.0)
    verdict = mercer(K)
    p = np.linalg.eigvalsh(K)
    p = p[p > 0] / p[p > 0].sum()
    assert verdict.effective_rank == pytest.approx(np.prod(p**-p))
    assert verdict.eigenvalues == pytest.approx(np.linalg.eigvalsh(K), abs=1e-10)


def test_the_condition_is_that_of_the_matrix_and_infinite_where_that_is_singular() -> None:
    definite = K + np.eye(len(K))
    assert mercer(definite).condition == pytest.approx(np.linalg.cond(definite))
    assert mercer(np.ones((5, 5))).condition == np.inf


# Mercer's sum -----------------------------------------------------------------------------------------------
PROBLEM = Problem(DATA, kernel("rbf(gamma=1)"))
TERMS = MercerSum.of(PROBLEM)


def test_all_terms_add_up_to_the_gram_matrix_and_features_have_it_as_products() -> None:
    np.testing.assert_allclose(TERMS.gram(30), PROBLEM.gram, atol=1e-12)
    features = TERMS.features(30)
    np.testing.assert_allclose(features @ features.T, PROBLEM.gram, atol=1e-12)
    np.testing.assert_allclose(TERMS.features(4) @ TERMS.features(4).T, TERMS.gram(4), atol=1e-12)


@pytest.mark.parametrize("m", [1, 5, 29])
def test_what_is_left_after_m_terms_is_the_error_and_no_other_m_terms_leave_less(m: int) -> None:
    left = np.linalg.norm(PROBLEM.gram - TERMS.gram(m)) / np.linalg.norm(PROBLEM.gram)
    assert TERMS.error(m) == pytest.approx(left)
    U, sizes, V = np.linalg.svd(PROBLEM.gram)
    np.testing.assert_allclose(TERMS.gram(m), (U[:, :m] * sizes[:m]) @ V[:m], atol=1e-9)  # Eckart and Young


@pytest.mark.parametrize("m", [3, 12, 30])
def test_regression_on_eigenfunctions_is_ridge_on_the_features(m: int) -> None:
    theirs = Ridge(alpha=0.1, fit_intercept=False, solver="cholesky").fit(TERMS.features(m), DATA.z)
    weights = TERMS.ridge(DATA.z, 0.1, m)
    np.testing.assert_allclose(PROBLEM.gram @ weights, theirs.predict(TERMS.features(m)), atol=1e-9)


def test_on_all_eigenfunctions_it_is_kernel_ridge() -> None:
    exact = np.linalg.solve(PROBLEM.gram + 0.1 * np.eye(30), DATA.z)
    np.testing.assert_allclose(TERMS.ridge(DATA.z, 0.1, 30), exact, atol=1e-9)


def test_an_indefinite_matrix_is_a_sum_too_with_its_negative_terms() -> None:
    problem = Problem(DATA, kernel("sigmoid(gamma=1, c=-1)"))
    terms = MercerSum.of(problem)
    np.testing.assert_allclose(terms.gram(30), problem.gram, atol=1e-9)
    assert (np.diff(np.abs(terms.values)) <= 0).all()
    assert terms.values.min() < 0
