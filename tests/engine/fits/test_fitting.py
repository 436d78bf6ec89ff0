from __future__ import annotations

import numpy as np
import pytest

import kernelviz
from kernelviz.engine.algorithms.neighbours import Prototype
from kernelviz.engine.algorithms.ridge import Ridge
from kernelviz.engine.algorithms.several_classes import OneVsOne
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.posing import pose
from kernelviz.engine.fits.solve import algorithm_for, fit_data
from kernelviz.engine.kernels import subsequence
from kernelviz.engine.models import problem

X = np.arange(8.0).reshape(4, 2)


def test_labels_become_classes_and_their_absence_no_target() -> None:
    assert pose(X, [0, 1, 0, 1], "ridge").task is Task.TWO_CLASSES
    assert pose(X, [0, 1, 2, 1], "ridge").task is Task.CLASSES
    assert pose(X, None, "one-class-svm").task is Task.NONE


def test_a_measured_target_is_a_regression_where_the_algorithm_has_one_and_no_class_elsewhere() -> None:
    y = [0.1, 0.7, 0.3, 0.9]
    assert pose(X, y, "ridge").task is Task.REGRESSION
    with pytest.raises(BadInput, match="measured quantity, not a class"):
        pose(X, y, "perceptron")
    assert pose(X, [0.5, 1.5, 0.5, 1.5], "ridge").task is Task.TWO_CLASSES
    assert pose(X, [1.0, 2.0, 3.0, 4.0], "ridge").task is Task.CLASSES


def test_floats_for_one_input_are_points_of_a_curve_as_in_a_table_of_two_columns() -> None:
    x = np.arange(5.0)
    counts = np.array([1.0, 2.0, 3.0, 2.0, 1.0])
    for inputs in (x, x[:, None], x.tolist()):
        assert pose(inputs, counts, "ridge").task is Task.REGRESSION
        assert pose(inputs, counts.tolist(), "nearest-neighbours").task is Task.REGRESSION
    assert pose(x, counts.astype(int), "ridge").task is Task.CLASSES
    assert pose(x, np.sign(counts - 1.5), "ridge").task is Task.TWO_CLASSES
    assert pose(x, counts, "perceptron").task is Task.CLASSES
    assert pose(["a", "b", "c", "d", "e"], counts, "ridge").task is Task.CLASSES


def test_a_task_that_is_given_decides() -> None:
    assert pose(X, [1, 2, 3, 4], "ridge", "regression").task is Task.REGRESSION
    assert pose([0.0, 1.0, 2.0, 3.0], [1.0, 2.0, 3.0, 2.0], "ridge", "classification").task is Task.CLASSES
    assert kernelviz.fit(X, [3, 3, 3, 3], algorithm="ridge", task="regression").residuals is not None
    with pytest.raises(BadInput, match="classification or regression, not 'clustering'"):
        pose(X, [0, 1, 0, 1], "ridge", "clustering")
    with pytest.raises(BadInput, match="task of these data is known"):
        pose(Data.labelled(X, [0, 1, 0, 1]), None, "ridge", "regression")


def test_data_pass_unchanged() -> None:
    data = Data.labelled(X, [0, 1, 0, 1])
    assert pose(data, None, "ridge") is data


def test_more_classes_than_an_algorithm_handles_are_taken_two_at_a_time() -> None:
    two, three = Data.labelled(X, [0, 1, 0, 1]), Data.labelled(X, [0, 1, 2, 1])
    assert algorithm_for(two, "prototype") == Prototype()
    assert algorithm_for(three, "prototype") == OneVsOne(Prototype())
    assert not isinstance(algorithm_for(three, "one-class-svm"), OneVsOne)


def test_an_algorithm_without_two_classes_is_not_used_for_pairs_of_them() -> None:
    class Curve(Ridge):
        tasks = frozenset({Task.REGRESSION})

    three = Data.labelled(X, [0, 1, 2, 1])
    assert algorithm_for(three, Curve()) == Curve()
    with pytest.raises(BadInput, match="ridge needs data with real targets; these have more than two"):
        fit_data(three, "rbf(gamma=1)", Curve())


def test_a_regression_is_fitted_by_what_can_do_it_and_refused_by_the_rest() -> None:
    data = Data.regression(X, [0.1, 0.7, 0.3, 0.9])
    assert fit_data(data, "rbf(gamma=1)", "ridge(lam=0.1)").converged
    with pytest.raises(BadInput, match="perceptron needs data with two classes; these have real targets"):
        fit_data(data, "rbf(gamma=1)", "perceptron")


@pytest.mark.parametrize("algorithm", ["soft-margin-svm", "ridge", "perceptron", "nearest-neighbours"])
@pytest.mark.parametrize("classes", [2, 3])
def test_strings_that_take_too_long_to_compare_are_refused_for_every_algorithm(
    algorithm: str, classes: int
) -> None:
    data = Data.labelled(["abcdef " * 30] * 700, [i % classes for i in range(700)])
    with pytest.raises(BadInput, match="too many or too long"):
        fit_data(data, "subsequence(length=2)", algorithm)


@pytest.mark.parametrize("classes", [2, 3])
def test_each_pair_of_strings_is_compared_once_and_progress_is_reported(
    classes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared, progress, ordinary = [], [], subsequence._weights

    def counting(X, i, *rest):
        compared.append(len(i))
        return ordinary(X, i, *rest)

    monkeypatch.setattr(subsequence, "_weights", counting)
    monkeypatch.setattr(problem, "FIRST", 8)
    n = 60
    data = Data.labelled([f"{i} some words" for i in range(n)], [i % classes for i in range(n)])
    fit_data(data, "subsequence(length=2)", "soft-margin-svm", progress=progress.append)
    assert sum(compared) == n * (n + 1) / 2
    assert progress == sorted(progress)
    assert progress[-1] == 1.0


def test_components_are_those_of_the_points_and_know_where_others_lie() -> None:
    texts = ["ab", "abc", "xyz"]
    found = kernelviz.kernel_pca(texts, kernel="spectrum(length=1)")
    assert found.projections.shape == (3, 2)
    assert found.project(texts) == pytest.approx(found.projections)
    assert kernelviz.kernel_pca(
        Data.labelled(texts, list("aab")), "spectrum(length=1)"
    ).shares == pytest.approx(found.shares)
    with pytest.raises(BadInput, match="whole number"):
        kernelviz.kernel_pca(texts, "spectrum(length=1)", 0)


def test_of_strings_a_local_mean_can_be_taken() -> None:
    data = Data.regression(["a b c", "b c d", "x y", "c d e"], [1.0, 2.0, 3.5, 4.25])
    model = fit_data(data, "words(normalised=true)", "nadaraya-watson")
    assert model.score(["a", "x"]) == pytest.approx([1.0, 3.5])
