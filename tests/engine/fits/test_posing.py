"""How the targets of a script are treated, and rows that lack a value."""

from __future__ import annotations

import numpy as np
import pytest

import kernelviz
from kernelviz.engine.core.data import Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.posing import other_task, posed

X = np.random.default_rng(2).normal(size=(12, 2))


@pytest.mark.parametrize("target", [[0, 1] * 6, [0, 1, 2] * 4, [0.5, 1.5] * 6])
def test_numbers_that_are_taken_as_classes_are_mentioned(target):
    model = kernelviz.fit(X, target, "rbf(gamma=1)", "ridge")
    assert model.message.startswith(
        'The target is treated as a class; task="regression" treats it as a number. '
    )
    chosen = kernelviz.fit(X, target, "rbf(gamma=1)", "ridge", task="regression")
    assert chosen.problem.data.task is Task.REGRESSION
    assert "treated as" not in chosen.message


def test_classes_that_are_taken_as_numbers_are_mentioned():
    data, remark = posed(X[:, :1], [1.0, 2.0, 3.0] * 4, "ridge")
    assert data.task is Task.REGRESSION
    assert remark == 'The target is treated as a number; task="classification" treats it as a class.'


@pytest.mark.parametrize(
    ("target", "algorithm"),
    [(list("ab") * 6, "ridge"), ([0, 1] * 6, "soft-margin-svm"), ([0.5, 1.5] * 6, "svr"), (None, "density")],
    ids=["words", "a classifier", "a regression", "no target"],
)
def test_what_leaves_no_choice_is_not_mentioned(target, algorithm):
    assert posed(X, target, algorithm)[1] == ""


def test_many_different_numbers_leave_no_choice():
    many = np.linspace(0, 1, 60)
    assert posed(many, many**2, "ridge")[1] == ""


def test_what_is_measured_is_not_offered_as_classes():
    """They would be refused in a table."""
    data, remark = posed(X, np.linspace(0.1, 2.3, 12), "ridge")
    assert (data.task, remark, other_task(data)) == (Task.REGRESSION, "", None)


def test_the_other_task_and_back_are_the_same_points():
    data = posed(X, [0, 1, 2] * 4, "ridge")[0]
    there = other_task(data)
    assert there is not None
    assert there.y.tolist() == [0.0, 1.0, 2.0] * 4
    back = other_task(there)
    assert back is not None
    assert back.target.tolist() == data.target.tolist()


def test_too_many_labels_name_the_task():
    with pytest.raises(BadInput, match=r"214 different values.*ask for regression \(task=\"regression\""):
        kernelviz.fit(np.zeros((214, 2)), list(range(214)))
    with pytest.raises(BadInput, match=r'measured quantity, not a class\. Ask for task="regression"'):
        kernelviz.fit(np.zeros((214, 2)), np.linspace(0, 1, 214))


@pytest.mark.parametrize(
    ("inputs", "target", "kept"),
    [
        ([[1, 2], [None, 1], [3, 4], [5, np.nan]], [0, 1, 1, 0], 2),
        ([[1, 2], [0, 1], [3, 4], [5, 6]], [0, None, 1, np.nan], 2),
        ([[1, 2], [0, 1], [3, 4], [5, 6]], ["a", "", "b", "a"], 3),
        (["aa", None, "ab", "bb"], [0, 1, 1, 0], 3),
        ([[1, 2], [0, 1], [3, 4], [5, 6]], [0, 1, 0, 1], 4),
    ],
)
def test_rows_that_lack_a_value_are_left_out_if_asked(inputs, target, kept):
    data, remark = posed(inputs, target, "soft-margin-svm", missing="drop")
    assert data.n == kept
    assert remark.startswith("" if kept == 4 else f"{4 - kept} of 4 rows lack")
    if kept < 4:
        with pytest.raises(BadInput):
            posed(inputs, target, "soft-margin-svm")


def test_infinity_is_not_missing():
    with pytest.raises(BadInput, match="row 2, column 1 is inf"):
        posed([[1.0, 2.0], [np.inf, 1.0]], [0, 1], "soft-margin-svm", missing="drop")


def test_another_word_than_drop_is_refused():
    with pytest.raises(BadInput, match='missing="drop" leaves out rows'):
        kernelviz.fit(X, [0, 1] * 6, missing="mean")


def test_missing_labels_are_all_named():
    told = "The labels of rows 1, 3, 5 and 2 more are missing or not finite numbers"
    with pytest.raises(BadInput, match=told):
        kernelviz.fit(X, [np.nan, 1, None, 0, np.inf, 1, "", 0, "", 1, 0, 1])


def test_select_says_the_same():
    labels = [0, 1] * 5 + [0, np.nan]
    found = kernelviz.select(X, labels, "rbf", "ridge", over={"lam": (0.1, 1, 2)}, missing="drop")
    assert found.message.startswith("1 of 12 rows lacks a value and is left out. The target is treated as")
