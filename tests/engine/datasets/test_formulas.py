"""Data sets by formula: how they are written, and where their points are."""

from __future__ import annotations

import numpy as np
import pytest

import kernelviz
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.expressions import parse_dataset


@pytest.mark.parametrize(
    "text",
    [
        "above(sin(x), noise=0.2)",
        "above(max(x, 0.5, -x), 50)",
        'where("x1**2 + x2**2 < 1")',
        "where(condition=x1**2 + x2**2 < 1, n=20)",
        "function(x*sin(3*x), seed=3)",
    ],
)
def test_a_formula_needs_neither_name_nor_quotes_and_is_printed_as_it_is_read(text):
    made = parse_dataset(text)
    assert parse_dataset(str(made)) == made
    assert made.make().n == made.n


def test_points_are_above_the_curve_or_below_it():
    data = kernelviz.dataset("above(x^3 - x, n=300, reach=1.5)")
    x, y = data.X.T
    assert np.array_equal(data.z > 0, y > x**3 - x)
    assert np.abs(data.X).max() <= 1.5
    assert data.z.sum() == 0


def test_points_are_plus_where_the_condition_holds():
    data = kernelviz.dataset("where(x1**2 + x2**2 < 0.2, n=100)")
    assert np.array_equal(data.z > 0, (data.X**2).sum(axis=1) < 0.2)
    assert (data.z > 0).sum() == 50


def test_noise_moves_points_and_leaves_their_classes():
    calm, noisy = (kernelviz.dataset(f"above(x, n=200, noise={noise})") for noise in (0, 0.3))
    assert np.array_equal(calm.z, noisy.z)
    assert np.std(noisy.X - calm.X) == pytest.approx(0.3, rel=0.1)


def test_a_function_has_its_points_around_it_and_knows_itself():
    made = parse_dataset("function(abs(x) - 1, n=400, noise=0.1)")
    data = made.make()
    assert np.std(data.y - made.truth(data.X[:, 0])) == pytest.approx(0.1, rel=0.1)
    assert np.array_equal(made.truth(np.array([-2.0, 0.5])), [1.0, -0.5])


def test_fresh_points_have_the_same_boundary():
    fresh = parse_dataset("above(0.5*x)").fresh(500)
    assert fresh is not None
    assert np.array_equal(fresh.z > 0, fresh.X[:, 1] > 0.5 * fresh.X[:, 0])


def test_a_class_that_is_nowhere_has_no_points():
    data = kernelviz.dataset("where(x1 > 100)")
    assert (data.n, set(data.z.tolist())) == (100, {-1.0})


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("above(log(x))", r"The formula log\(x\) has no value to compute with at x = -"),
        ("function(1e12*exp(x))", "has no value to compute with at x = "),
        ("above(x < 1)", "must be a number"),
        ("above(sin(x)", "This parenthesis is never closed"),
        ("above(sin(x)) + 1", "is not expected here"),
        ("above(,)", "formula of above is a formula such as"),
        ("above(x.real)", "'.' is not allowed here"),
        ("rings(n=4/2)", "A comma or a closing parenthesis"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_a_sentence(text, sentence):
    with pytest.raises(BadInput, match=sentence):
        kernelviz.dataset(text)


def test_signs_of_formulas_are_no_part_of_other_expressions():
    for text in ("rbf(gamma=1/2)", "rbf < linear"):
        with pytest.raises(BadInput, match="is not allowed here"):
            kernelviz.kernel(text)
