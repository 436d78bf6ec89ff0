"""Formulas: what is part of them, their values, and what is refused."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.formulas import compiled

X = np.linspace(-2.0, 2.0, 9)
AT = {"x1": X, "x2": X[::-1] / 2}


def value(text: str, truth: bool = False):
    return compiled(text, ("x1", "x2"), truth)(AT)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x1**2 + 3*x2 - 1/4", X**2 + 1.5 * X[::-1] - 0.25),
        ("-x1^2", -(X**2)),
        ("2^-x1", 2.0**-X),
        ("sin(pi*x1)*exp(-abs(x2))", np.sin(np.pi * X) * np.exp(-np.abs(X[::-1] / 2))),
        ("max(x1, x2, 0) - min(x1, 1)", np.maximum(np.maximum(X, X[::-1] / 2), 0) - np.minimum(X, 1)),
        ("7", np.full(9, 7.0)),
        ("log(e)", np.ones(9)),
    ],
)
def test_a_formula_has_the_values_of_mathematics(text, expected):
    assert np.allclose(value(text), expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x1 < x2", X[::-1] / 2 > X),
        ("-1 <= x1 < 1", (X >= -1) & (X < 1)),
        ("not x1 > 0 or x2 >= 1 and x1 > 1", ~(X > 0) | ((X[::-1] / 2 >= 1) & (X > 1))),
    ],
)
def test_a_condition_is_true_where_it_holds(text, expected):
    assert np.array_equal(value(text, truth=True), expected)


def test_where_there_is_no_value_it_is_not_a_number_and_nothing_is_said():
    assert np.isnan(value("sqrt(x1)")[0])
    assert np.isinf(value("1/(x1 - x1)")[0]) or np.isnan(value("1/(x1 - x1)")[0])
    assert np.isinf(value("9**9**9")[0])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x1 < 1", "must be a number, not a condition"),
        ("x3", "unknown name 'x3'; the variables are x1, x2"),
        ("sinus(x1)", "no function 'sinus'. Did you mean sin"),
        ("sin(x1, x2)", "another number of values"),
        ("x1 + (x2 < 1)", "needs numbers for arithmetic"),
        ("x1 == 1", "not part of formulas"),
        ("x1.real", "not part of formulas"),
        ("[x1]", "not part of formulas"),
        ("x1 if x2 else 1", "not part of formulas"),
        ("(lambda: 1)()", "not part of formulas"),
        ("__import__('os').system('ls')", "not part of formulas"),
        ("sin(x=x1)", "not part of formulas"),
        ("x1 % 2", "not part of formulas"),
        ("'x1'", "no number"),
        ("True", "no number"),
        ("2j", "no number"),
        ("1e13", "beyond 10¹²"),
        ("9" * 190, "beyond 10¹²"),
        ("x1 +", "is not a formula such as"),
        ("", "is not a formula such as"),
        ("x1 x2", "is not a formula such as"),
        ("-" * 60 + "x1", "too many expressions inside each other"),
        ("(" * 120 + "x1", "is not a formula such as"),
        ("x1" + "+x1" * 100, "at most 200 characters"),
    ],
)
def test_what_is_no_formula_is_refused_in_a_sentence(text, sentence):
    with pytest.raises(BadInput, match=sentence.replace("(", r"\(")):
        value(text)


def test_a_number_is_no_condition():
    with pytest.raises(BadInput, match="compare it with a number"):
        value("x1", truth=True)


@given(st.text(alphabet="x12+-*/^<>().,sincoexpmatandornot =e", max_size=60), st.booleans())
def test_any_text_is_a_formula_with_a_value_for_each_place_or_is_refused(text, truth):
    with suppress(BadInput):
        assert value(text, truth).shape == X.shape
