"""Data frames, by a stand-in for those of other libraries: `columns`, and `__array__` for the cells."""

from __future__ import annotations

import datetime

import numpy as np
import pytest

import kernelviz
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.frames import names_of, values_of


class NAType:
    """A missing value that is no number, as pandas has one."""

    def __float__(self) -> float:
        raise TypeError

    def __bool__(self) -> bool:
        raise TypeError


NA = NAType()


class Frame:
    """Columns by name."""

    def __init__(self, **cells: list[object]) -> None:
        self.columns = list(cells)
        self.cells = list(cells.values())

    def __array__(self, dtype: object = None, copy: bool | None = None) -> np.ndarray:
        kinds = {type(cell) for column in self.cells for cell in column}
        kind = float if kinds <= {int, float} else object
        return np.array(list(zip(*self.cells, strict=True)), dtype=kind)


class Column(np.ndarray):
    """A column of a data frame, which has a name."""

    name = "price"


HEIGHT, WEIGHT, SEX = [1.5, 1.8, 1.6, 1.9, 1.7], [50.0, 90.0, 55.0, 95.0, 75.0], list("fmfmm")
PEOPLE = Frame(height=HEIGHT, weight=WEIGHT)


@pytest.mark.parametrize("algorithm", ["soft-margin-svm", "nearest-neighbours(k=1)", "feature-map", "ridge"])
def test_columns_are_found_by_their_names(algorithm: str) -> None:
    model = kernelviz.fit(PEOPLE, SEX, "linear", algorithm)
    assert model.columns == ("height", "weight")
    there = model.score(PEOPLE)
    assert np.array_equal(there, model.score(np.asarray(PEOPLE)))
    assert np.array_equal(there, model.score(Frame(weight=WEIGHT, height=HEIGHT)))
    more = Frame(name=SEX, weight=WEIGHT, height=HEIGHT)
    assert np.array_equal(model.predict(PEOPLE), model.predict(more))


def test_columns_are_found_by_their_names_for_three_classes_and_for_the_deviation_of_a_process() -> None:
    model = kernelviz.fit(PEOPLE, list("abcab"), "linear")
    assert np.array_equal(model.predict(PEOPLE), model.predict(Frame(weight=WEIGHT, height=HEIGHT)))
    process = kernelviz.fit(PEOPLE, WEIGHT, "rbf(gamma=0.1)", "gaussian-process")
    assert np.array_equal(process.deviation(PEOPLE), process.deviation(Frame(weight=WEIGHT, height=HEIGHT)))


def test_missing_columns_are_named() -> None:
    model = kernelviz.fit(PEOPLE, SEX)
    with pytest.raises(BadInput, match="The data frame lacks columns that were fitted: weight"):
        model.predict(Frame(height=HEIGHT, age=WEIGHT))


def test_points_fitted_without_names_are_taken_in_their_order() -> None:
    model = kernelviz.fit(np.asarray(PEOPLE), SEX)
    assert model.columns == ("x1", "x2")
    assert model.predict(PEOPLE).tolist() == model.predict(np.asarray(PEOPLE)).tolist()


def test_the_name_of_the_target_is_kept() -> None:
    price = np.array([1.5, 2.25, 3.5, 4.0, 5.5]).view(Column)
    assert kernelviz.fit(PEOPLE, price, "rbf", "ridge").problem.data.target_name == "price"


def test_columns_that_cannot_be_used_are_named_with_the_reason() -> None:
    frame = Frame(
        name=["Ann", "Ben"],
        height=[1.5, 1.8],
        born=[datetime.date(2000, 1, 1), datetime.date(2001, 1, 1)],
        more=[(1, 2), (3, 4)],
    )
    with pytest.raises(BadInput) as caught:
        kernelviz.fit(frame, [0, 1])
    assert str(caught.value) == (
        "Columns must be numbers, but name has text, such as 'Ann'; born has dates; more has values of type "
        "tuple. Leave them out or convert them."
    )


def test_dates_alone_are_called_so() -> None:
    class Dates(Frame):
        def __array__(self, dtype: object = None, copy: bool | None = None) -> np.ndarray:
            return np.array([["2000-01-01"], ["2001-01-01"]], dtype="datetime64[D]")

    with pytest.raises(BadInput, match="born has dates"):
        kernelviz.fit(Dates(born=[]), [0, 1])


def test_a_single_column_of_texts_is_strings() -> None:
    model = kernelviz.fit(Frame(word=["aa", "ab", "bb"]), [0, 0, 1], "spectrum(length=1)")
    assert model.columns == ("word",)
    assert model.predict(Frame(word=["aab"])).tolist() == [0]


def test_missing_values_are_named_by_column_all_at_once() -> None:
    frame = Frame(height=[1.5, NA, None, 1.9, 1.7], weight=[50.0, 90.0, float("nan"), 95.0, NA])
    with pytest.raises(BadInput) as caught:
        kernelviz.fit(frame, SEX)
    assert str(caught.value) == (
        "The inputs must be finite numbers: row 2, column height is nan; row 3, column height is nan; row 3, "
        "column weight is nan; and 1 more."
    )
    model = kernelviz.fit(frame, SEX, missing="drop")
    assert model.problem.n == 2
    assert model.columns == ("height", "weight")
    assert model.message.startswith("3 of 5 rows lack a value and are left out.")


def test_sparse_inputs_say_what_to_do() -> None:
    class Sparse:
        def toarray(self) -> np.ndarray:
            return np.eye(2)

    with pytest.raises(BadInput, match=r"are sparse, which .*: give X.toarray\(\)"):
        kernelviz.fit(Sparse(), [0, 1])


def test_what_is_no_data_frame_stays_as_it_is() -> None:
    data = Data.unlabelled([[1.0, 2.0]])
    for X in (data, data.X, [[1.0]], ["a"]):
        assert values_of(X) is X
        assert names_of(X) == ()


def test_of_two_columns_of_one_name_none_is_guessed() -> None:
    model = kernelviz.fit(PEOPLE, SEX)
    twice = Frame(height=HEIGHT, weight=WEIGHT, more=WEIGHT)
    twice.columns[2] = "weight"
    with pytest.raises(BadInput, match="several columns called weight"):
        model.predict(twice)


@pytest.mark.parametrize("gap", [None, NA, float("nan")])
def test_texts_that_are_missing_are_named_or_left_out(gap):
    words, kinds = Frame(word=["abc", gap, "xyz", "xyy", "abd"]), list("aabba")
    with pytest.raises(BadInput, match=r"^The text of row 2 is missing\.$"):
        kernelviz.fit(words, kinds, "spectrum(length=2)")
    model = kernelviz.fit(words, kinds, "spectrum(length=2)", missing="drop")
    assert model.message.startswith("1 of 5 rows lacks a value and is left out.")
    assert model.problem.n == 4
