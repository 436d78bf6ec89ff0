"""Taking kernels apart and putting them together."""

from __future__ import annotations

import pytest

from kernelviz.engine.fits.parsing import kernel
from kernelviz.engine.kernels.editing import (
    added,
    at,
    first_leaf,
    multiplied,
    path_of,
    removed,
    replaced,
    turned,
    walk,
)

LINEAR = kernel("linear")


def text_of(composed):
    return composed.expression()


@pytest.mark.parametrize(
    ("text", "path", "after"),
    [
        ("rbf(gamma=1)", (), "linear"),
        ("rbf(gamma=1) + 2*sigmoid(gamma=1, c=0)", (1, 0), "rbf(gamma=1) + 2*linear"),
        ("2*(rbf(gamma=1) + rbf(gamma=2))", (0, 1), "2*(rbf(gamma=1) + linear)"),
        ("rbf(gamma=1)*rbf(gamma=2)", (0,), "linear*rbf(gamma=2)"),
    ],
)
def test_a_part_is_replaced_where_it_is(text, path, after):
    assert text_of(replaced(kernel(text), path, LINEAR)) == after


@pytest.mark.parametrize(
    ("text", "path", "after"),
    [
        ("rbf(gamma=1) + rbf(gamma=2) + rbf(gamma=3)", (1,), "rbf(gamma=1) + rbf(gamma=3)"),
        ("rbf(gamma=1) + linear", (0,), "linear"),
        ("rbf(gamma=1) + 2*linear", (1,), "rbf(gamma=1) + linear"),
        ("rbf(gamma=1) + 2*linear", (1, 0), "rbf(gamma=1)"),
        ("rbf(gamma=1) + 2*(linear + rbf(gamma=3))", (1, 0), "rbf(gamma=1)"),
        ("2*linear", (), "linear"),
        ("2*linear", (0,), "2*linear"),
        ("linear", (), "linear"),
        ("2*linear*rbf(gamma=1)", (0, 0), "2*rbf(gamma=1)"),
    ],
)
def test_removing_a_part_leaves_the_rest(text, path, after):
    assert text_of(removed(kernel(text), path)) == after


def test_terms_and_factors_join_where_one_stands():
    base = kernel("rbf(gamma=1) + rbf(gamma=2)*rbf(gamma=3)")
    assert text_of(added(base, (1, 0), LINEAR)) == "rbf(gamma=1) + (rbf(gamma=2) + linear)*rbf(gamma=3)"
    assert text_of(added(base, (0,), LINEAR)) == "rbf(gamma=1) + linear + rbf(gamma=2)*rbf(gamma=3)"
    assert text_of(multiplied(base, (0,), LINEAR)) == "rbf(gamma=1)*linear + rbf(gamma=2)*rbf(gamma=3)"
    assert text_of(multiplied(base, (1,), 0.5)) == "rbf(gamma=1) + 0.5*rbf(gamma=2)*rbf(gamma=3)"
    assert text_of(multiplied(base, (1, 1), 0.5)) == "rbf(gamma=1) + 0.5*rbf(gamma=2)*rbf(gamma=3)"


def test_a_sum_turns_into_a_product_and_back():
    base = kernel("rbf(gamma=1) + linear")
    assert text_of(turned(base, ())) == "rbf(gamma=1)*linear"
    assert text_of(turned(turned(base, ()), ())) == text_of(base)


def test_paths_find_what_they_were_made_from():
    base = kernel("2*(rbf(gamma=1) + linear)*sigmoid(gamma=1, c=0)")
    for path, node in walk(base):
        assert at(base, path) is node
        assert path_of(base, node) == path
    assert at(base, (0, 5)) is None
    assert at(base, first_leaf(base)).name == "rbf"
