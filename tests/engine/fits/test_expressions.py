"""The expression language."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Declared
from kernelviz.engine.datasets.base import DataSet
from kernelviz.engine.fits import registry
from kernelviz.engine.fits.expressions import BadExpression, parse_algorithm, parse_dataset, parse_kernel
from tests.strategies import declared

CANONICAL = [
    "linear",
    "rbf(gamma=1)",
    "rbf(gamma=1) + 0.5*polynomial(degree=3, c=1)",
    "0.5*rbf(gamma=1)*linear + polynomial(degree=3, c=1)",
    "(rbf(gamma=0.001) + linear)*sigmoid(gamma=1, c=-1)",
    "0.5*(rbf(gamma=1) + linear)",
    "1*linear",
    "0*linear + linear",
    "polynomial(degree=3, gamma=2, c=1)",
    "weight(f=inverse-norm, gamma=1)*linear",
    "1e-06*rbf(gamma=1e-06)",
]


@pytest.mark.parametrize("text", CANONICAL)
def test_canonical_text_prints_back_identically(text: str) -> None:
    assert str(parse_kernel(text)) == text


def test_a_width_keeps_the_name_and_the_digits_it_was_given_with() -> None:
    kernel = parse_kernel("rbf(l=0.05)")
    assert str(kernel) == str(pickle.loads(pickle.dumps(kernel))) == "rbf(l=0.05)"
    assert kernel == parse_kernel(f"rbf(gamma={1 / (2 * 0.05**2)!r})")
    assert str(kernel.replace(gamma=2.0)) == "rbf(gamma=2)"
    assert str(parse_algorithm("gaussian-process(sd=0.1)")) == "gaussian-process(sd=0.1)"


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("  rbf ( 2 ) ", "rbf(gamma=2)"),
        ("rbf()", "rbf(gamma=1)"),
        ("RBF(sigma=.5)", "rbf(sigma=0.5)"),
        ("rbf(l=0.05)", "rbf(l=0.05)"),
        ("rbf(length-scale=3)", "rbf(length_scale=3)"),
        ("rbf(variance=0.3) + 2*rbf(gamma=0.1)", "rbf(variance=0.3) + 2*rbf(gamma=0.1)"),
        ("rbf(gamma=1e-3)", "rbf(gamma=0.001)"),
        ("rbf(gamma=+1.)", "rbf(gamma=1)"),
        ("polynomial(4, 1, 2)", "polynomial(degree=4, c=2)"),
        ("polynomial(4, c=2)", "polynomial(degree=4, c=2)"),
        ("power-series(degree=2)", "power_series(degree=2)"),
        ("weight(f=inverse_norm)", "weight(f=inverse-norm, gamma=1)"),
        ("linear*2*3", "6*linear"),
        ("linear × 2", "2*linear"),
        ("((linear))", "linear"),
        ("linear + (rbf(1) + linear)", "linear + rbf(gamma=1) + linear"),
        ("2*(3*linear)", "6*linear"),
    ],
)
def test_other_spellings_are_understood(text: str, canonical: str) -> None:
    assert str(parse_kernel(text)) == canonical


@pytest.mark.parametrize(
    ("text", "position", "words"),
    [
        ("", 0, "empty"),
        ("rbff(gamma=1)", 0, "Did you mean rbf?"),
        ("linear + guassian", 9, "no kernel called 'guassian'"),
        ("rbf(gama=1)", 4, "Did you mean gamma?"),
        ("rbf(gamma=0)", 4, "between 1e-30 and 1e+30"),
        ("rbf(gamma=inf)", 4, "finite number"),
        ("rbf(gamma=1e999)", 4, "finite number"),
        ("rbf(sigma=0)", 4, "sigma of rbf must lie between 7.071e-16 and 7.071e+14"),
        ("rbf(sigma=-1)", 4, "sigma of rbf"),
        ("polynomial(degree=2.5)", 11, "whole number"),
        ("polynomial(degree=11)", 11, "between 1 and 10"),
        ("polynomial(degree=" + "9" * 40 + ")", 11, "between 1 and 10"),
        ("weight(f=cube)", 7, "one of gaussian"),
        ("rbf(gamma=1, sigma=1)", 13, "gamma twice"),
        ("rbf(gamma=1, 2)", 13, "must come before"),
        ("rbf(1, 2)", 7, "only the parameters gamma"),
        ("linear(1)", 7, "no parameters"),
        ("rbf(gamma=)", 10, "A value for gamma"),
        ("rbf(gamma=-+2)", 11, "A value for gamma"),
        ("rbf(gamma=-inf)", 11, "A value for gamma"),
        ("rbf(gamma=1", 3, "never closed"),
        ("(rbf", 0, "never closed"),
        ("rbf)", 3, "not expected"),
        ("(rbf linear)", 5, "Write + or * before 'linear'"),
        ("rbf + ", 6, "expected here, not the end"),
        ("rbf + -", 6, "A kernel is expected here, not '-'"),
        ("rbf rbf", 4, "Write + or *"),
        ("rbf - linear", 4, "not subtracted"),
        ("-rbf", 0, "positive number only, not by a negative number"),
        ("-2*rbf", 0, "not by -2"),
        ("2", 0, "must multiply a kernel"),
        ("2 + rbf", 0, "must multiply a kernel"),
        ("rbf $ 2", 4, "'$' is not allowed"),
        ("__import__('os')", 0, "is not allowed"),
        ("(" * 200 + "rbf" + ")" * 200, 12, "nested 12 deep at most"),
        ("linear*(rbf+" * 30 + "rbf" + ")" * 30, 12 * 12 + 7, "nested 12 deep at most"),
        ("+".join(["rbf"] * 120), 0, "made of 64 kernels at most. (Character 1 of 'rbf+rbf+"),
        ("rbf+" * 3000 + "rbf", 10_000, "characters long"),
    ],
)
def test_mistakes_are_named_with_their_place(text: str, position: int, words: str) -> None:
    with pytest.raises(BadExpression) as caught:
        parse_kernel(text)
    assert words in str(caught.value)
    assert caught.value.position == position
    assert "\n" not in str(caught.value)


def test_a_sentence_ends_once_and_quotes_the_text_up_to_the_mistake_if_it_is_long() -> None:
    short, long = "rbf$" + " " * 56, "linear + " * 8 + "rbf$"
    for text, shown in ((short, short), (short + " ", "rbf…"), (long, long[:-1][-30:] + "…")):
        with pytest.raises(BadExpression) as caught:
            parse_kernel(text)
        place = text.index("$") + 1
        assert str(caught.value) == f"'$' is not allowed here. (Character {place} of {shown!r}.)"
    with pytest.raises(BadExpression, match=r"Did you mean rbf\? \(Character 1 of 'rbff'\.\)$"):
        parse_kernel("rbff")


def test_an_algorithm_stands_alone() -> None:
    with pytest.raises(BadExpression, match="'prototype' is not expected here"):
        parse_algorithm("perceptron prototype")
    with pytest.raises(BadExpression, match="'-' is not expected here"):
        parse_algorithm("perceptron - prototype")


def test_parentheses_side_by_side_are_not_nested() -> None:
    assert len(parse_kernel("+".join(["(rbf)"] * 60)).parts) == 60


def test_something_else_than_text_is_refused() -> None:
    with pytest.raises(BadInput, match="written as text"):
        parse_kernel(3)  # type: ignore[arg-type]


PIECES = [
    "rbf",
    "linear",
    "polynomial",
    "gamma",
    "degree",
    "1",
    "-2",
    "1e9",
    ".",
    "(",
    ")",
    "*",
    "+",
    "=",
    ",",
    " ",
]


@settings(max_examples=400)
@given(st.one_of(st.text(max_size=60), st.lists(st.sampled_from(PIECES), max_size=25).map("".join)))
@example("²")
@example("١*rbf")
@example("rbf(gamma=1\x00)")
def test_any_text_either_parses_or_is_refused(text: str) -> None:
    for parse in (parse_kernel, parse_algorithm, parse_dataset):
        outcome = _outcome(parse, text)
        if isinstance(outcome, BadInput):
            assert str(outcome).endswith((".", ".)"))
        else:
            assert parse(str(outcome)) == outcome


def _outcome(parse: Callable[[str], Declared], text: str) -> Declared | BadInput:
    try:
        return parse(text)
    except BadInput as refusal:
        return refusal


@pytest.mark.parametrize("cls", registry.algorithms().values(), ids=registry.algorithms())
@settings(max_examples=20)
@given(data=st.data())
def test_every_algorithm_prints_and_parses_back(cls: type[Algorithm], data: st.DataObject) -> None:
    made = data.draw(declared(cls))
    assert parse_algorithm(str(made)) == made


@pytest.mark.parametrize("cls", registry.datasets().values(), ids=registry.datasets())
@settings(max_examples=20)
@given(data=st.data())
def test_every_data_set_prints_and_parses_back(cls: type[DataSet], data: st.DataObject) -> None:
    made = data.draw(declared(cls))
    assert parse_dataset(str(made)) == made
