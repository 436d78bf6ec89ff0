"""Kernel principal components against scikit-learn's, and the promises of a map that moves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.decomposition import KernelPCA as Theirs

import kernelviz
from kernelviz.engine.analysis import kernel_pca as module
from kernelviz.engine.analysis.kernel_pca import (
    COMPONENTS_OFFERED,
    ComponentMap,
    Components,
    FeatureCloud,
    kernel_pca,
)
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.generators import finished
from kernelviz.engine.fits.parsing import algorithm, dataset, kernel
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
    monkeypatch.setattr(module, "ALL_EIGENVECTORS_UP_TO", 10_000 if few else 0)
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


def problem(data: str = "rings(n=60, seed=1)", how_alike: str = "rbf(gamma=1)") -> Problem:
    return Problem(dataset(data), kernel(how_alike))


def test_places_are_the_projections() -> None:
    posed = problem()
    np.testing.assert_array_equal(FeatureCloud.of(posed, 4).places, kernel_pca(posed, 4).projections)


def test_along_directions_that_the_points_do_not_have_all_are_at_zero() -> None:
    cloud = FeatureCloud.of(problem(how_alike="linear"), 5)
    assert cloud.pca.components == 2
    assert cloud.places.shape == (60, 5)
    assert not cloud.places[:, 2:].any()


def test_the_same_points_and_kernel_are_not_taken_apart_again() -> None:
    first = FeatureCloud.of(problem(), 3)
    again = Problem(first.problem.data, kernel("rbf(gamma=1)"))
    assert FeatureCloud.of(again, 3, first) is first
    assert FeatureCloud.of(Problem(first.problem.data, kernel("rbf(gamma=2)")), 3, first) is not first


def test_a_component_is_a_function_with_the_places_as_its_values() -> None:
    cloud = FeatureCloud.of(problem(), 3)
    for k in range(3):
        component = cloud.component(k, algorithm("prototype"))
        np.testing.assert_allclose(component.score(cloud.problem.X), cloud.places[:, k], atol=1e-9)
        assert not component.flat


def test_of_very_many_points_some_span_the_space_and_all_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_SPANNING", 50)
    posed = problem("rings(n=120, seed=1)")
    cloud = FeatureCloud.of(posed, 2)
    assert cloud.pca.problem.n == 50
    assert cloud.places.shape == (120, 2)
    np.testing.assert_allclose(cloud.places, cloud.pca.project(posed.X))
    chosen = np.flatnonzero((posed.X[:, None] == cloud.pca.problem.X).all(axis=2).any(axis=1))
    assert (chosen[0], chosen[-1], len(chosen)) == (0, 119, 50), "from end to end"
    np.testing.assert_allclose(cloud.places[chosen], cloud.pca.projections, atol=1e-9)


def test_components_are_numbered_by_their_spread_whatever_was_shown_before() -> None:
    cloud = FeatureCloud.of(problem(how_alike="rbf(gamma=0.1)"), 6)
    for gamma in (3.0, 0.03, 30.0):
        posed = problem(how_alike=f"rbf(gamma={gamma})")
        cloud = FeatureCloud.of(posed, 6, cloud)
        np.testing.assert_array_equal(cloud.pca.eigenvalues, kernel_pca(posed, 6).eigenvalues)


KERNEL = "subsequence(length=2, decay=0.5, normalised=true)"


def fitted(data="spelling", algorithm="soft-margin-svm(C=10)", kernel=KERNEL):
    data = kernelviz.dataset(data) if isinstance(data, str) else data
    return kernelviz.fit(data, kernel=kernel, algorithm=algorithm)


def map_of(model, pair=(0, 1), count=COMPONENTS_OFFERED):
    return ComponentMap(kernel_pca(model.problem, count), pair)


def test_the_farthest_string_lies_at_distance_one_whatever_the_size_of_the_kernel():
    for how_alike in (KERNEL, f"1000*{KERNEL}", "subsequence(length=3, decay=0.05)"):
        places = map_of(fitted(kernel=how_alike)).places
        assert np.hypot(*places.T).max() == pytest.approx(1.0)


def test_a_stored_string_typed_again_lies_on_itself():
    model = fitted()
    chart = map_of(model)
    assert chart.place(list(model.problem.X)) == pytest.approx(chart.places, abs=1e-9)


def test_all_components_together_are_the_score():
    """s̄ + Σ g_c p_c over all of them, two at a time."""
    model = fitted()
    count = kernel_pca(model.problem, model.problem.n).components
    total = np.full(model.problem.n, model.training_scores.mean())
    share = 0.0
    for c in range(0, count - 1, 2):
        chart = map_of(model, (c, c + 1), model.problem.n)
        slope = chart.slope(model)
        total += chart.places @ (slope.across, slope.up)
        share += slope.share
    if count % 2:
        chart = map_of(model, (count - 1, count), model.problem.n)
        slope = chart.slope(model)
        total += slope.across * chart.places[:, 0]
        share += slope.share
    assert total == pytest.approx(model.training_scores, abs=1e-8)
    assert share == pytest.approx(1.0)


def test_of_three_strings_two_components_show_the_whole_score_and_the_boundary_is_true():
    model = fitted(Data.labelled(["abc", "abd", "xyz"], ["a", "a", "b"]))
    slope = map_of(model).slope(model)
    assert slope.whole
    for text in ("abc", "xyz", "abz", "nothing"):
        ((x, y),) = map_of(model).place([text])
        if text in model.problem.X:
            drawn = slope.at(np.array([x]), np.array([y]))[0, 0]
            assert drawn == pytest.approx(model.score([text])[0], abs=1e-6)


@pytest.mark.parametrize("algorithm", ["ridge(lam=0.1)", "perceptron", "one-class-svm"])
def test_a_map_of_all_training_scores_is_not_the_score_of_other_strings_where_w_leaves_it(algorithm):
    """Σ β_i is not 0, so w has a part along the mean of the strings, across all components."""
    model = fitted(Data.labelled(["b", "a b", "aaa"], list("pqq")), algorithm, "spectrum(length=1)")
    chart = map_of(model)
    slope = chart.slope(model)
    assert slope.share == pytest.approx(1.0)
    x, y = chart.place(["aabb"]).T
    assert abs(slope.at(x, y)[0, 0] - model.score(["aabb"])[0]) > 0.1
    assert not slope.whole


def test_a_map_that_shows_a_part_of_the_score_is_not_whole():
    model = fitted("topics")
    slope = map_of(model).slope(model)
    assert 0.0 < slope.share < 0.9
    assert not slope.whole


@pytest.mark.parametrize("algorithm", ["nearest-neighbours"])
def test_a_score_that_is_not_linear_in_feature_space_has_no_slope(algorithm):
    model = fitted(algorithm=algorithm)
    assert map_of(model).slope(model) is None


def test_three_classes_have_no_slope():
    model = fitted(Data.labelled(["aa", "ab", "bb", "bc", "cc", "ca"], list("aabbcc")))
    assert map_of(model).slope(model) is None


@pytest.mark.parametrize("texts", [["", "", "x", ""], ["same"] * 4, ["a", "b"]])
def test_strings_that_do_not_spread_lie_in_the_middle(texts):
    model = fitted(Data.labelled(texts, [1, -1] * (len(texts) // 2)))
    chart = map_of(model)
    assert chart.places == pytest.approx(np.zeros((len(texts), 2)))
    assert chart.share == 0.0


def test_the_components_of_a_problem_are_computed_once():
    model = fitted()
    sampling = Components(-1, 1, -1, 1)
    assert finished(sampling.sample(model)) is finished(sampling.sample(model))


def test_of_many_strings_the_leading_components_are_those_of_all():
    data = kernelviz.dataset("languages(n=60)")
    many = Data.labelled([a + b for a in data.X[:26] for b in data.X[26:52]], [1, -1] * 338)
    model_free = Problem(many, kernelviz.kernel("spectrum(length=2)"))
    found = kernel_pca(model_free, 3)
    K = model_free.gram
    centred = K - K.mean(0)[:, None] - K.mean(0) + K.mean()
    assert found.eigenvalues == pytest.approx(np.linalg.eigvalsh(centred)[::-1][:3], rel=1e-9)
