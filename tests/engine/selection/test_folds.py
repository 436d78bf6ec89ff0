"""Folds: every point in one, the classes in proportion, the same for the same seed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kernelviz
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.selection.assess import _over_folds
from kernelviz.engine.selection.folds import Judged, each_point, stratified


@given(st.integers(5, 40), st.integers(5, 40), st.integers(2, 5), st.integers(0, 1000))
def test_every_point_is_in_one_fold_and_the_classes_are_in_proportion(
    plus: int, minus: int, count: int, seed: int
) -> None:
    z = np.r_[np.ones(plus), -np.ones(minus)]
    folds = stratified(Data.labelled(np.arange(len(z), dtype=float)[:, None], z), count, seed)
    assert sorted(np.concatenate(folds).tolist()) == list(range(len(z)))
    sizes = [len(fold) for fold in folds]
    assert max(sizes) - min(sizes) <= 1
    positive = [int((z[fold] > 0).sum()) for fold in folds]
    assert max(positive) - min(positive) <= 1


def test_the_seed_decides() -> None:
    data = kernelviz.dataset("moons(n=40)")
    same = [np.array_equal(a, b) for a, b in zip(stratified(data, 5, 1), stratified(data, 5, 1), strict=True)]
    other = [
        np.array_equal(a, b) for a, b in zip(stratified(data, 5, 1), stratified(data, 5, 2), strict=True)
    ]
    assert all(same)
    assert not all(other)


def test_real_targets_have_folds_too() -> None:
    assert [len(fold) for fold in stratified(kernelviz.dataset("sine(n=23)"), 5)] == [5, 5, 5, 4, 4]
    assert len(each_point(kernelviz.dataset("sine(n=23)"))) == 23


def test_a_class_with_fewer_points_than_folds_is_told_by_its_name() -> None:
    data = Data.labelled(np.arange(9.0)[:, None], ["cat"] * 3 + ["dog"] * 6)
    with pytest.raises(BadInput, match="Class cat has 3 points; the 5 folds need one for each"):
        stratified(data, 5)
    alone = Data.labelled(np.arange(4.0)[:, None], ["cat"] + ["dog"] * 3)
    with pytest.raises(BadInput, match="Class cat has 1 point; without it"):
        each_point(alone)


@pytest.mark.parametrize("count", [-1, 0, 1, 31])
def test_impossible_numbers_of_folds_are_refused(count: int) -> None:
    with pytest.raises(BadInput, match="30 points can be put into 2 to 30 folds"):
        stratified(kernelviz.dataset("sine(n=30)"), count)


def test_a_single_point_cannot_be_put_into_folds():
    with pytest.raises(BadInput, match="Cross-validation needs at least two points"):
        stratified(Data.regression([[1.0]], [2.0]), 2)


def test_equal_counts_of_mistakes_in_other_folds_have_the_same_mean():
    ways = [
        [Judged(share, 0.0, 0.0, 1.0) for share in shares]
        for shares in (
            (0.1, 0.25, 0.2, 0.15),
            (0.25, 0.15, 0.1, 0.2),
            (0.2, 0.2, 0.2, 0.1),
            (0.35, 0.35, 0.0, 0.0),
        )
    ]
    means = {found.error for found in _over_folds([list(each) for each in zip(*ways, strict=True)])}
    assert len(means) == 1
