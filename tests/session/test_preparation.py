"""Scaling and thinning out, both said in words."""

from __future__ import annotations

import numpy as np
import pytest

from kernelviz.engine.api import algorithm, dataset
from kernelviz.engine.data import Data
from kernelviz.engine.errors import BadInput
from kernelviz.session.preparation import EXACT_LIMIT, prepared, standardised, subsample


def large(n: int = 12_000) -> Data:
    x = np.linspace(-1, 1, n)
    return Data.labelled(np.column_stack([x, x**2]), np.where(np.arange(n) % 4 == 0, "rare", "usual"))


def test_standardised_columns_have_mean_0_and_variance_1() -> None:
    data = standardised(dataset("iris"))
    assert data.X.mean(axis=0) == pytest.approx([0, 0], abs=1e-12)
    assert data.X.std(axis=0) == pytest.approx([1, 1])


def test_a_constant_column_is_only_shifted() -> None:
    data = standardised(Data.labelled([[0.1, 1.0], [0.1, 2.0], [0.1, 4.0]], [0, 1, 1]))
    assert data.X[:, 0] == pytest.approx([0, 0, 0], abs=1e-15)


def test_texts_cannot_be_standardised() -> None:
    with pytest.raises(BadInput, match="these inputs are texts"):
        standardised(Data.labelled(["a b", "c"], [0, 1]))


def test_an_empty_table_stays_empty() -> None:
    assert standardised(Data.labelled(np.empty((0, 2)), [])).n == 0


def test_a_subsample_keeps_proportions_order_and_its_word() -> None:
    data, sentence = subsample(large())
    assert data.n == EXACT_LIMIT
    assert np.mean(data.z < 0) == pytest.approx(0.25, abs=1e-3)
    assert (np.diff(data.X[:, 0]) > 0).all()
    assert "5,000 of 12,000 rows" in sentence
    assert "seed 0" in sentence


def test_the_same_seed_draws_the_same_rows_another_seed_others() -> None:
    assert np.array_equal(subsample(large())[0].X, subsample(large())[0].X)
    assert not np.array_equal(subsample(large())[0].X, subsample(large(), seed=1)[0].X)


def test_even_a_single_point_of_a_class_is_kept_when_it_comes_first_or_last() -> None:
    labels = np.full(10_000, 1)
    labels[777] = 0
    data, _ = subsample(Data.labelled(np.arange(10_000.0), labels))
    assert (data.z < 0).sum() == 1


def test_few_rows_are_left_alone() -> None:
    data = dataset("rings")
    assert prepared(data, algorithm("soft-margin-svm")) == (data, "")


def test_random_features_get_all_rows_exact_solvers_a_sample() -> None:
    assert prepared(large(), algorithm("random-features"))[0].n == 12_000
    assert prepared(large(), algorithm("soft-margin-svm"))[0].n == EXACT_LIMIT


def test_scaling_is_said() -> None:
    assert "mean 0 and variance 1" in prepared(dataset("iris"), algorithm("prototype"), standardise=True)[1]
