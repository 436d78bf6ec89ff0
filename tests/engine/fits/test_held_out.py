"""Held-out points: which they are, that they come back, and what they say of a model."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import kernelviz
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.datasets.base import SeededDataSet
from kernelviz.engine.fits import registry
from kernelviz.engine.fits.held_out import SHARES, fresh, other, set_aside
from kernelviz.engine.numbers.of_fit import on_held_out

RINGS = "rings(n=80, seed=3)"
SEEDED = sorted(
    name
    for name, kind in registry.datasets().items()
    if issubclass(kind, SeededDataSet) and kind.shown_in != "words"
)


def rows(data: Data) -> list[tuple[float, ...]]:
    return [(*x, t) for x, t in zip(data.X.tolist(), data.y.tolist(), strict=True)]


# A share set aside ------------------------------------------------------------------------------------
@given(share=st.floats(*SHARES), seed=st.integers(0, 100), n=st.integers(8, 60))
def test_points_set_aside_and_those_left_are_all_points_and_join_to_the_same_data(share, seed, n):
    data = kernelviz.dataset(f"blobs(n={n}, seed={seed})")
    assume(round(share * n) > 0)
    left, held = set_aside(data, share, seed)
    assert sorted(rows(left) + rows(held.data)) == sorted(rows(data))
    assert rows(held.joined(left)) == rows(data)
    assert set(left.y) == set(data.y), "every class keeps a point to learn from"


def test_classes_are_set_aside_in_proportion_and_the_seed_decides_which_points():
    data = kernelviz.dataset("gaussians(n=100)")
    held = set_aside(data, 0.3, 1)[1].data
    assert held.n == 30
    assert (held.z > 0).sum() == 15
    assert rows(held) == rows(set_aside(data, 0.3, 1)[1].data) != rows(set_aside(data, 0.3, 2)[1].data)


def test_a_point_added_since_stays_when_the_others_come_back():
    data = kernelviz.dataset(RINGS)
    left, held = set_aside(data, 0.25)
    fewer = left.subset(slice(10, None))
    assert sorted(rows(held.joined(fewer))) == sorted(rows(fewer) + rows(held.data))


@pytest.mark.parametrize("share", [0.0, -1.0, 1.0, 3.0, float("nan")])
def test_a_share_that_is_none_is_refused_in_words(share):
    with pytest.raises(BadInput, match="The share of points to hold out"):
        set_aside(kernelviz.dataset(RINGS), share)


def test_of_too_few_points_none_is_set_aside():
    with pytest.raises(BadInput, match="too few"):
        set_aside(kernelviz.dataset("three_points").subset([0, 1]), 0.2)


# Fresh points -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", SEEDED)
def test_fresh_points_are_others_of_the_same_distribution(name):
    """Every class (a curve is one) is as far from the origin, and lies where it lay, as far as a sample can
    tell; real targets are a coordinate like the others."""
    drawn = registry.datasets()[name](n=2000, seed=4)
    data, held = drawn.make(), drawn.fresh(2000)
    assert held.n == 2000
    assert held.class_names == data.class_names
    assert not np.array_equal(data.X, held.X)
    if name != "returning":  # two samples of whole numbers have some in common
        assert not {*map(tuple, data.X)} & {*map(tuple, held.X)}
    for one, two in zip(_groups(data), _groups(held), strict=True):
        doubt = 5 * np.sqrt(one.var(axis=0) / len(one) + two.var(axis=0) / len(two)) + 1e-12
        assert (np.abs(one.mean(axis=0) - two.mean(axis=0)) <= doubt).all()
        assert np.allclose(np.cov(one.T), np.cov(two.T), atol=0.15 * max(1.0, one.var()))


@pytest.mark.parametrize("name", ["spelling(slips=3)", "motif"])
def test_fresh_strings_are_others_of_the_same_classes(name):
    data, held = kernelviz.dataset(name), fresh(name, 500).data
    assert held.class_names == data.class_names
    assert len(set(held.X) - set(data.X)) > 400


@pytest.mark.parametrize("name", ["languages", "topics"])
def test_where_there_are_only_so_many_strings_none_is_fresh(name):
    with pytest.raises(BadInput, match="Hold out a share of it"):
        fresh(name)
    training, held = set_aside(kernelviz.dataset(name), 0.3)
    assert training.n + held.data.n == kernelviz.dataset(name).n


def _groups(data: Data) -> list[np.ndarray]:
    if data.codes is None:
        return [np.column_stack([data.X, data.y])]
    return [data.X[data.codes == code] for code in range(len(data.class_names))]


def test_fresh_points_of_a_small_mixture_lie_around_its_centres():
    drawn = registry.datasets()["mixture"](n=30, centres=2, variance=0.0, seed=7)
    centres = {tuple(np.round(x, 9)) for x in drawn.make().X}
    held = drawn.fresh(500)
    assert {tuple(np.round(x, 9)) for x in held.X} == centres


def test_fresh_points_do_not_depend_on_when_they_are_asked_for():
    assert rows(fresh(RINGS).data) == rows(fresh(RINGS).data)
    assert fresh(RINGS).data.n == 1000


def test_of_points_that_are_no_distribution_a_share_is_offered_instead():
    with pytest.raises(BadInput, match="Hold out a share of it"):
        fresh("iris")


# Other data -------------------------------------------------------------------------------------------
def test_other_data_are_tested_in_the_classes_of_those_fitted():
    fitted = kernelviz.dataset("blobs(n=30)")
    only_c = Data.labelled([[0.0, 0.0], [1.0, 1.0]], ["C", "A"])
    assert other(only_c, fitted, "file").data.y.tolist() == [2.0, 0.0]
    with pytest.raises(BadInput, match="class Z"):
        other(Data.labelled([[0.0, 0.0], [1.0, 1.0]], ["Z", "A"]), fitted, "file")
    with pytest.raises(BadInput, match="same coordinates"):
        other(Data.labelled([[0.0], [1.0]], ["C", "A"]), fitted, "file")


# What they say ----------------------------------------------------------------------------------------
def test_the_error_on_held_out_points_is_that_of_scikit_learn():
    from sklearn.svm import SVC

    data, test = kernelviz.dataset("moons(n=100, noise=0.3)"), fresh("moons(n=100, noise=0.3)").data
    found = on_held_out(
        kernelviz.fit(data, kernel="rbf(gamma=2)", algorithm="soft-margin-svm(C=1, tol=1e-8)"), test
    )
    judge = SVC(C=1.0, gamma=2.0, tol=1e-8).fit(data.X, data.z)
    scores = judge.decision_function(test.X)
    assert found.error == pytest.approx(np.mean(np.sign(scores) != test.z))
    assert found.hinge_loss == pytest.approx(np.maximum(0, 1 - test.z * scores).mean(), rel=1e-5)
    assert found.error > 0.02


def test_points_of_several_classes_count_by_the_class_predicted():
    data = kernelviz.dataset("blobs(n=60, noise=0.9)")
    test = registry.datasets()["blobs"](n=60, noise=0.9).fresh(200)
    model = kernelviz.fit(data, algorithm="soft-margin-svm")
    found = on_held_out(model, test)
    names = np.array(test.class_names)[test.y.astype(int)]
    assert found.error == pytest.approx(np.mean(model.predict(test.X) != names))
    assert found.hinge_loss is None


def test_an_algorithm_that_looks_at_no_label_has_no_error():
    data = kernelviz.dataset(RINGS)
    assert on_held_out(kernelviz.fit(data, algorithm="one-class-svm"), data).error is None


def test_a_score_of_zero_is_a_mistake():
    model = kernelviz.fit([[1.0, 0.0], [-1.0, 0.0]], [1, -1], kernel="linear", algorithm="prototype")
    on_the_line = Data.labelled(np.array([[0.0, 1.0], [0.0, -1.0], [2.0, 0.0], [-2.0, 0.0]]), [1, -1, 1, -1])
    assert on_held_out(model, on_the_line).mistakes.tolist() == [True, True, False, False]
