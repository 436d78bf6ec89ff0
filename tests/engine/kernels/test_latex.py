"""Numbers and symbols within formulas."""

from __future__ import annotations

import pytest

from kernelviz.engine.fits.parsing import kernel
from kernelviz.engine.kernels.latex import fenced, latex_number, symbol


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.5, "0.5"),
        (3, "3"),
        (-2.0, "-2"),
        (1 / 3, "0.3333"),
        (123456, "123456"),
        (123456.0, r"1.235 \cdot 10^{5}"),
        (1.5e-6, r"1.5 \cdot 10^{-6}"),
        (1e-6, "10^{-6}"),
        (1e20, "10^{20}"),
    ],
)
def test_numbers_are_written_as_by_hand(value: float, text: str) -> None:
    assert latex_number(value) == text


def test_labels_become_symbols() -> None:
    assert symbol("γ") == r"\gamma"
    assert symbol("ℓ₁") == r"\ell_1"
    assert symbol("c") == "c"


@pytest.mark.parametrize(
    ("expression", "formula"),
    [
        (
            "rational_quadratic(l=1e-5, alpha=3)",
            r"\left(1 + \frac{\lVert x - x'\rVert^2}{2 \cdot \left(10^{-5}\right)^2 \cdot 3}\right)^{-3}",
        ),
        ("periodic(period=3, l=0.1)", r"e^{-\frac{2}{0.1^2} \sum_j \sin^2 \frac{\pi (x_j - x_j')}{3}}"),
        (
            "matern32(l=2)",
            r"\left(1 + \frac{\sqrt{3}\,\lVert x - x'\rVert}{2}\right) "
            r"e^{-\sqrt{3}\,\lVert x - x'\rVert / 2}",
        ),
        ("polynomial(degree=2, gamma=3, c=1)", r"\left(3\, x \cdot x' + 1\right)^{2}"),
        ("sigmoid(gamma=0.5, c=0)", r"\tanh\left(0.5\, x \cdot x'\right)"),
        ("weight(f=gaussian, gamma=2)", r"e^{-2\,\lVert x\rVert^2}\, e^{-2\,\lVert x'\rVert^2}"),
    ],
)
def test_values_stand_where_their_symbols_stood(expression: str, formula: str) -> None:
    assert kernel(expression).latex_with_values() == formula


@pytest.mark.parametrize(
    ("inside", "size"),
    [
        ("x + y", "big"),
        (r"\frac{1}{x}", "bigg"),
        (r"\sum_{k=0}^{d} x^k", "bigg"),
        (r"e^{-\frac{(x_1 - x_1')^2}{2 \ell_1^2}}", "big"),  # a fraction in an exponent is small
        (r"\bigl(x + y\bigr) z", "big"),
        (r"\biggl(\frac{1}{x} + y\biggr) z", "bigg"),
    ],
)
def test_parentheses_are_as_large_as_what_they_enclose(inside: str, size: str) -> None:
    assert fenced(inside) == rf"\{size}l({inside}\{size}r)"
