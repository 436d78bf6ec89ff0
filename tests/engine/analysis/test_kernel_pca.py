"""Kernel principal components against scikit-learn's, and the promises of a map that moves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.decomposition import KernelPCA as Theirs

import kernelviz
from kernelviz.engine.analysis import kernel_pca as module
from kernelviz.engine.analysis.kernel_pca import kernel_pca
from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import kernel
from kernelviz.engine.models.problem import Problem

RNG = np.random.default_rng(0)
CASES = {
    "plane": (Data.unlabelled(RNG.standard_normal((60, 2))), "rbf(gamma=0.7)"),
    "line": (Data.unlabelled(RNG.standard_normal((40, 1))), "polynomial(degree=3)"),
    "strings": (kernelviz.dataset("spelling"), "subsequence(length=2, normalised=true)"),
}
every_case = pytest.mark.parametrize(("data", "name"), CASES.values(), ids=CASES)


@every_case
@pytest.mark.parametrize("few", [True, False])
def test_projections_are_those_of_scikit_learn_up_to_sign(
    data: Data, name: str, few: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "FEW", 10_000 if few else 0)
    problem = Problem(data, kernel(name))
    found = kernel_pca(problem, 3)
    theirs = Theirs(n_components=3, kernel="precomputed", eigen_solver="dense").fit(problem.gram)
    scale = np.abs(found.projections).max()
    expected = theirs.transform(problem.gram)
    signs = np.sign((expected * found.projections).sum(axis=0))
    np.testing.assert_allclose(found.projections, expected * signs, atol=1e-10 * scale)
    np.testing.assert_allclose(found.eigenvalues, theirs.eigenvalues_, rtol=1e-10)
    new = ("sense", "ban", "") if name.startswith("sub") else data.X[:5] + 0.3
    expected = theirs.transform(problem.kernel(new, data.X))
    np.testing.assert_allclose(found.project(new), expected * signs, atol=1e-9 * scale)


@every_case
def test_a_point_projects_to_its_place_and_variances_are_eigenvalues_over_n(data: Data, name: str) -> None:
    found = kernel_pca(Problem(data, kernel(name)), 3)
    np.testing.assert_allclose(found.project(data.X), found.projections, atol=1e-9)
    np.testing.assert_allclose(found.projections.var(axis=0), found.eigenvalues / data.n, rtol=1e-9)
    np.testing.assert_allclose(found.projections.mean(axis=0), 0.0, atol=1e-9)
    assert (found.vectors[np.abs(found.vectors).argmax(axis=0), np.arange(3)] > 0).all()


def test_all_components_keep_all_distances_and_their_shares_add_up_to_one() -> None:
    data, name = CASES["plane"]
    problem = Problem(data, kernel(name))
    found = kernel_pca(problem, data.n)
    K, P = problem.gram, found.projections
    distances = np.diag(K)[:, None] - 2 * K + np.diag(K)
    between = ((P[:, None] - P[None]) ** 2).sum(axis=-1)
    np.testing.assert_allclose(between, distances, atol=1e-9)
    assert found.shares.sum() == pytest.approx(1.0, abs=1e-9)
    assert (np.diff(found.shares) <= 0).all()


@pytest.mark.parametrize(
    "name", ["rbf(gamma=1)", "rbf(gamma=30)", "polynomial(degree=3)", "laplacian(gamma=9)"]
)
def test_of_many_points_the_leading_components_are_found_to_the_same_digits(name: str) -> None:
    problem = Problem(kernelviz.dataset("rings(n=700, seed=1)"), kernel(name))
    found = kernel_pca(problem, 5)
    H = np.eye(700) - 1 / 700
    values, vectors = np.linalg.eigh(H @ problem.gram @ H)
    np.testing.assert_allclose(found.eigenvalues, values[::-1][:5], rtol=1e-12)
    expected = (vectors * np.sqrt(np.maximum(values, 0.0)))[:, ::-1][:, :5]
    signs = np.sign((expected * found.projections).sum(axis=0))
    scale = np.abs(expected).max()
    np.testing.assert_allclose(found.projections, expected * signs, atol=1e-10 * scale)
    assert found.shares.sum() <= 1.0 + 1e-12


def test_there_are_no_more_components_than_the_points_span() -> None:
    line = Data.unlabelled([[0.0, 0.0], [1.0, 2.0], [3.0, 6.0]])
    assert kernel_pca(Problem(line, kernel("linear")), 3).components == 1
    assert kernel_pca(Problem(line, kernel("linear")), 3).shares.tolist() == pytest.approx([1.0])
    same = Data.unlabelled(np.ones((5, 2)))
    assert kernel_pca(Problem(same, kernel("rbf")), 2).components == 0
    assert kernel_pca(Problem(Data.unlabelled(np.empty((0, 2))), kernel("rbf")), 2).components == 0
    assert kernel_pca(Problem(same.subset([0]), kernel("rbf")), 2).project([[1.0, 2.0]]).shape == (1, 0)


def test_following_keeps_signs_and_order_where_eigenvalues_change_places() -> None:
    X = RNG.standard_normal((50, 2))
    wide, tall = (Problem(Data.unlabelled(X * s), kernel("linear")) for s in ([1.1, 1.0], [1.0, 1.1]))
    before, after = kernel_pca(wide), kernel_pca(tall)
    followed = after.following(before)
    for c in range(2):
        assert before.projections[:, c] @ followed.projections[:, c] > 0
        alike = np.corrcoef(before.projections[:, c], followed.projections[:, c])[0, 1]
        assert alike > 0.6
    assert sorted(followed.eigenvalues) == sorted(after.eigenvalues)
    np.testing.assert_allclose(followed.project(tall.X), followed.projections, atol=1e-9)
    strings = kernel_pca(Problem(kernelviz.dataset("spelling"), kernel("words")))
    assert before.following(strings) is before, "there is nothing to compare"


def test_following_may_keep_the_signs_alone() -> None:
    X = RNG.standard_normal((50, 2))
    wide, tall = (Problem(Data.unlabelled(X * s), kernel("linear")) for s in ([2.0, 1.0], [1.0, 2.0]))
    before, after = kernel_pca(wide), kernel_pca(tall)
    turned = replace(before, vectors=-before.vectors)
    for earlier in (before, turned):
        followed = after.following(earlier, keep_order=False)
        assert followed.ranked
        assert (np.einsum("ic,ic->c", earlier.vectors[:, ::-1], followed.vectors) > 0).all()
        assert not after.following(earlier).ranked


def test_components_keep_their_signs_when_a_point_is_added_or_taken_away() -> None:
    X = RNG.standard_normal((30, 2))
    all_of_them = kernel_pca(Problem(Data.unlabelled(X), kernel("rbf(gamma=0.5)")), 3)
    turned = replace(all_of_them, vectors=-all_of_them.vectors)
    fewer = kernel_pca(Problem(Data.unlabelled(np.delete(X, 7, axis=0)), kernel("rbf(gamma=0.5)")), 3)
    for before in (all_of_them, turned):
        followed = fewer.following(before)
        rest = np.delete(before.projections, 7, axis=0)
        assert (np.einsum("ic,ic->c", rest, followed.projections) > 0).all()


@every_case
def test_a_component_is_a_weighted_sum_of_kernels_around_the_points(data: Data, name: str) -> None:
    found = kernel_pca(Problem(data, kernel(name)), 3)
    weights, offsets = found.expansion
    np.testing.assert_allclose(weights.sum(axis=0), 0.0, atol=1e-9)
    K = found.problem.gram
    np.testing.assert_allclose(K @ weights + offsets, found.projections, atol=1e-9)


def test_an_indefinite_kernel_shows_only_what_is_positive() -> None:
    found = kernel_pca(
        Problem(Data.unlabelled(RNG.standard_normal((30, 2))), kernel("sigmoid(gamma=2, c=-1)")), 30
    )
    assert 0 < found.components < 30
    assert (found.eigenvalues > 0).all()
    assert found.shares.sum() == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize(
    ("texts", "name"),
    [
        (["hello"] * 700, "spectrum(length=2)"),
        (list("ab") * 350, "subsequence(length=20)"),
        (["some", "same", "sold", "told"] * 175, "1e-30*subsequence(length=2, decay=0.001)"),
    ],
    ids=["all the same", "nothing to compare", "tiny values"],
)
def test_many_strings_without_a_direction_have_no_components_and_tiny_ones_have_them(
    texts: list[str], name: str
) -> None:
    found = kernel_pca(Problem(Data.unlabelled(texts), kernel(name)), 3)
    few = kernel_pca(Problem(Data.unlabelled(texts[:8]), kernel(name)), 3)
    assert found.components == few.components
    np.testing.assert_allclose(found.shares, few.shares, rtol=1e-9)
