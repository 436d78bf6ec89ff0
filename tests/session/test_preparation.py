"""Scaling, thinning out and joining, all said in words."""

from __future__ import annotations

import numpy as np
import pytest

from kernelviz.engine.algorithms.base import MOST_ROWS
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import Fit, algorithm, dataset, kernel
from kernelviz.session.state import Document
from kernelviz.session.tables.preparation import joined, manageable, prepared, standardised, subsample

RBF = kernel("rbf")


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
    assert data.n == MOST_ROWS
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
    assert prepared(data, [Fit(RBF, algorithm("soft-margin-svm"))]) == (data, "")


def test_random_features_get_all_rows_exact_solvers_a_sample() -> None:
    assert prepared(large(), [Fit(RBF, algorithm("random-features"))])[0].n == 12_000
    assert prepared(large(), [Fit(RBF, algorithm("soft-margin-svm"))])[0].n == MOST_ROWS


def test_scaling_is_said() -> None:
    _, words = prepared(dataset("iris"), [Fit(RBF, algorithm("prototype"))], standardise=True)
    assert "mean 0 and variance 1" in words


def test_a_matrix_of_very_many_features_gets_a_sample_too() -> None:
    many = Data.labelled(np.linspace(-1, 1, 200_000).reshape(-1, 2), np.arange(100_000) % 2)
    for text, rows in (("random-features(q=100)", 100_000), ("random-features(q=1000)", 50_000)):
        assert prepared(many, [Fit(RBF, algorithm(text))])[0].n == rows


def test_what_does_not_go_together_is_left_to_the_algorithm_to_say() -> None:
    assert prepared(large(), [Fit(kernel("sigmoid"), algorithm("random-features"))])[0].n == MOST_ROWS


def test_a_document_keeps_its_points_unless_its_algorithm_cannot_take_them() -> None:
    document = Document(large(), (Fit(RBF, algorithm("random-features")),))
    assert manageable(document) == (document, "")
    thinned, sentence = manageable(document.replace(algorithm=algorithm("ridge")))
    assert thinned.data.n == MOST_ROWS
    assert "5,000 of 12,000 rows" in sentence


def test_of_several_fits_the_one_that_can_take_fewest_points_decides() -> None:
    document = Document(large(), (Fit(RBF, algorithm("random-features")), Fit(RBF, algorithm("ridge"))))
    assert manageable(document)[0].data.n == MOST_ROWS


# Joining ------------------------------------------------------------------------------------------------
HAND = Data.labelled([[0.0, 0.0], [1.0, 1.0]], [-1, 1])


@pytest.mark.parametrize("labels", [[1, -1], ["+", "-"], ["1", "-1"]])
def test_signs_are_signs_however_they_are_written(labels):
    both = joined(HAND, Data.labelled([[2.0, 0.0], [3.0, 0.0]], labels, ["a", "b"]))
    assert both.task is Task.TWO_CLASSES
    assert both.z.tolist() == [-1, 1, 1, -1]
    assert both.X.tolist() == [[0, 0], [1, 1], [2, 0], [3, 0]]
    assert both.columns == HAND.columns


def test_other_names_are_further_classes_and_the_same_name_is_the_same_class():
    cats = Data.labelled([[0.0, 0.0], [1.0, 1.0]], ["cat", "dog"])
    both = joined(cats, Data.labelled([[2.0, 0.0], [3.0, 0.0]], ["owl", "cat"]))
    assert both.class_names == ("cat", "dog", "owl")
    assert both.class_of_each == ["cat", "dog", "owl", "cat"]


def test_measured_values_go_together():
    one = Data.regression([[0.0], [1.0]], [0.5, 1.5])
    assert joined(one, Data.regression([[2.0]], [7.5])).y.tolist() == [0.5, 1.5, 7.5]


@pytest.mark.parametrize(
    "other",
    [
        Data.labelled([[0.0], [1.0]], [-1, 1]),
        Data.regression([[0.0, 0.0], [1.0, 1.0]], [0.5, 1.5]),
        Data.unlabelled([[0.0, 0.0]]),
        Data.labelled([[float(i), 0.0] for i in range(40)], [f"class {i // 2}" for i in range(40)]),
    ],
    ids=["columns", "measured", "no classes", "too many classes"],
)
def test_what_does_not_go_together_is_a_sentence(other):
    with pytest.raises(BadInput):
        joined(HAND, other)
