"""The map of two components: places, shares, and the part of a score that it shows."""

from __future__ import annotations

import numpy as np
import pytest

import kernelviz
from kernelviz.engine.analysis.kernel_pca import COMPONENTS, ComponentMap, Components, kernel_pca
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.generators import finished
from kernelviz.engine.models.problem import Problem

KERNEL = "subsequence(length=2, decay=0.5, normalised=true)"


def fitted(data="spelling", algorithm="soft-margin-svm(C=10)", kernel=KERNEL):
    data = kernelviz.dataset(data) if isinstance(data, str) else data
    return kernelviz.fit(data, kernel=kernel, algorithm=algorithm)


def map_of(model, pair=(0, 1), count=COMPONENTS):
    return ComponentMap(kernel_pca(model.problem, count), pair)


def test_the_farthest_string_lies_at_distance_one_whatever_the_size_of_the_kernel():
    for kernel in (KERNEL, f"1000*{KERNEL}", "subsequence(length=3, decay=0.05)"):
        places = map_of(fitted(kernel=kernel)).places
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
            said = slope.at(np.array([x]), np.array([y]))[0, 0]
            assert said == pytest.approx(model.score([text])[0], abs=1e-6)


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


def test_a_map_that_shows_a_part_says_so():
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
