"""Points added to those there are."""

from __future__ import annotations

import pytest

from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.session.tables.joining import joined

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
