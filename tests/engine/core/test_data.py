"""Data: checked once, frozen, with the user's own names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelviz.engine.core.arrays import as_points, read_only
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput

TWO = [[0.0, 1.0], [2.0, 3.0]]


@pytest.mark.parametrize(
    ("labels", "z", "names"),
    [
        ([0, 1], [-1, 1], ("0", "1")),
        ([1, 0], [1, -1], ("0", "1")),
        ([-1.0, 1.0], [-1, 1], ("-1", "1")),
        (["+", "-"], [1, -1], ("-", "+")),
        (["no", "yes"], [-1, 1], ("no", "yes")),
        ([True, False], [1, -1], ("False", "True")),
        ([10, 9], [1, -1], ("9", "10")),
        ([0.5, 2.5], [-1, 1], ("0.5", "2.5")),
        ([7, "seven"], [-1, 1], ("7", "seven")),
        (np.array(["b", "a"]), [1, -1], ("a", "b")),
        (np.array([[1], [2]]), [-1, 1], ("1", "2")),
        (["-", "-"], [-1, -1], ("-", "+")),
        (["+", "+"], [1, 1], ("-", "+")),
        ([0, 0], [-1, -1], ("0", "+")),
        (["cat", "cat"], [1, 1], ("-", "cat")),
    ],
)
def test_the_larger_of_two_labels_is_plus_and_both_keep_their_names(
    labels: Any, z: list[float], names: tuple[str, str]
) -> None:
    data = Data.labelled(TWO, labels)
    assert data.z.tolist() == z
    assert data.class_names == names
    assert data.task is Task.TWO_CLASSES
    answers = data.answers[(data.z > 0).astype(int)].tolist()
    assert answers == np.array(labels, dtype=object).ravel().tolist()


def test_more_classes_are_numbered_in_order() -> None:
    data = Data.labelled([0.0, 1.0, 2.0], ["b", "c", "a"])
    assert data.task is Task.CLASSES
    assert data.y.tolist() == [1, 2, 0]
    with pytest.raises(BadInput, match="two classes"):
        _ = data.z


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_numbers_beyond_a_limit_are_refused_with_their_place(sign: float) -> None:
    most = sign * 1e12
    assert Data.regression([[most]], [most]).y == [most]
    with pytest.raises(
        BadInput, match=r"The inputs are too large .*: row 2, column 1 is -?11000[0.]*\. They"
    ):
        Data.unlabelled([[0.0], [1.1 * most], [9.0 * most]])
    with pytest.raises(BadInput, match=r"The targets are too large .*: row 1, column 1 is -?1.1e\+20"):
        Data.regression([[0.0], [1.0]], [1.1e8 * most, 0.0])


def test_no_points_are_data_too() -> None:
    data = Data.labelled(np.empty((0, 2)), [])
    assert data.n == len(data) == 0
    assert data.class_names == ("-", "+")


def test_data_are_read_only() -> None:
    X = np.array(TWO)
    data = Data.labelled(X, [0, 1])
    X[0, 0] = 99.0
    assert data.X[0, 0] == 0.0
    with pytest.raises(ValueError, match="read-only"):
        data.X[0, 0] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        data.z[0] = 1.0


def test_a_read_only_array_is_not_copied_again() -> None:
    once = read_only([1.0, 2.0])
    assert read_only(once) is once


def test_a_subset_keeps_names_and_order() -> None:
    data = Data.labelled([[0, 0], [1, 1], [2, 2]], ["a", "b", "b"], ["width", "height"])
    part = data.subset([2, 0])
    assert part.X.tolist() == [[2, 2], [0, 0]]
    assert part.z.tolist() == [1, -1]
    assert part.class_names == ("a", "b")
    assert part.columns == ("width", "height")
    assert data.subset(np.array([True, False, True])).n == 2


def test_strings_are_inputs_of_their_own_kind() -> None:
    data = Data.labelled(["a b", "b c", "c"], [1, 0, 1])
    assert data.X == ("a b", "b c", "c")
    assert data.subset([0, 2]).X == ("a b", "c")


@pytest.mark.parametrize("kind", [str, object])
def test_an_array_of_strings_is_a_list_of_them(kind: type) -> None:
    assert Data.labelled(np.array(["a b", "c"], dtype=kind), [1, 0]).X == ("a b", "c")


def test_an_array_of_numbers_kept_as_objects_is_numbers() -> None:
    assert Data.labelled(np.array([1, 2.5], dtype=object), [1, 0]).X.tolist() == [[1.0], [2.5]]


def test_regression_needs_a_finite_target_for_every_point() -> None:
    assert Data.regression([0.0, 1.0], [0.5, 1.5]).y.tolist() == [0.5, 1.5]
    with pytest.raises(BadInput, match="2 points but 1 targets"):
        Data.regression([0.0, 1.0], [0.5])
    with pytest.raises(BadInput, match="targets must be finite"):
        Data.regression([0.0, 1.0], [0.5, np.nan])


def test_unlabelled_data_have_no_target() -> None:
    data = Data.unlabelled(TWO)
    assert data.task is Task.NONE
    with pytest.raises(BadInput, match="have none"):
        _ = data.y


def test_a_flat_list_is_one_column() -> None:
    assert as_points([1, 2, 3]).shape == (3, 1)


anything = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3), st.complex_numbers()
    ),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=8,
)


@given(anything, anything)
def test_whatever_is_given_becomes_data_or_a_sentence(X: Any, labels: Any) -> None:
    try:
        data = Data.labelled(X, labels)
    except BadInput:
        return
    assert data.n == len(data.y)
    assert np.isfinite(data.y).all()
    assert len(data.class_names) >= 2


def test_swapped_classes_keep_their_points_and_change_their_sign():
    data = Data.labelled([[0.0], [1.0], [2.0]], ["ham", "spam", "ham"])
    swapped = data.swapped()
    assert swapped.z.tolist() == [1, -1, 1]
    assert swapped.class_of_each == data.class_of_each
    assert list(swapped.answers) == ["spam", "ham"]
    back = swapped.swapped()
    assert np.array_equal(back.z, data.z)
    assert (back.class_names, back.labels) == (data.class_names, data.labels)


@pytest.mark.parametrize("names", [("-", "+"), (-1, 1)])
def test_classes_that_are_signs_keep_them_and_points_get_the_other(names):
    data = Data.labelled([[0.0], [1.0]], list(names))
    swapped = data.swapped()
    assert swapped.z.tolist() == [1, -1]
    assert swapped.class_names == data.class_names


def test_only_two_classes_can_be_swapped():
    with pytest.raises(BadInput, match="labels of two classes"):
        Data.labelled([[0.0], [1.0], [2.0]], [0, 1, 2]).swapped()
