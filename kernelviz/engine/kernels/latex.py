r"""Formulas as LaTeX, with parameters shown by their symbols or by their values.

A parameter is known in a formula by the symbol of its label, γ as \gamma:

    with_values(r"e^{-\gamma\,\lVert x - x'\rVert^2}", Gaussian(gamma=2.0))      # e^{-2\,\lVert …"""

from __future__ import annotations

import re

from kernelviz.engine.core.params import Declared, number

GREEK = {
    "α": r"\alpha",
    "γ": r"\gamma",
    "σ": r"\sigma",
    "ℓ": r"\ell",
    "λ": r"\lambda",
    "ν": r"\nu",
    "ρ": r"\rho",
}
LATEX_SUBSCRIPTS = {"₀": "_0", "₁": "_1", "₂": "_2", "₃": "_3"}


def symbol(label: str) -> str:
    r"""Return the LaTeX of a parameter's label: γ becomes \gamma, ℓ₁ becomes \ell_1."""
    return "".join(GREEK.get(c, LATEX_SUBSCRIPTS.get(c, c)) for c in label)


def latex_number(value: float) -> str:
    r"""Return a number as written by hand, to four digits: 0.5, 1.5 \cdot 10^{-6}."""
    text = number(value) if isinstance(value, int) else f"{value:.4g}"
    if "e" not in text:
        return text
    mantissa, exponent = text.split("e")
    power = f"10^{{{int(exponent)}}}"
    return power if mantissa == "1" else f"{mantissa} \\cdot {power}"


def fenced(latex: str) -> str:
    r"""Return the formula in parentheses that fit it, large ones around a fraction or a sum.

    \left( and \right) are avoided: their content is set twice, and so four times one level deeper."""
    outside, inside = "", latex
    while inside != outside:  # text in braces is small, or enclosed already
        outside, inside = inside, re.sub(r"\{[^{}]*\}", "", inside)
    size = "bigg" if re.search(r"\\(frac|sum|bigg)", outside) else "big"
    return rf"\{size}l({latex}\{size}r)"


def with_values(formula: str, owner: Declared) -> str:
    """Return the formula with the symbol of each parameter replaced by its value."""
    for parameter in owner.parameters():
        value = getattr(owner, parameter.name)
        if isinstance(value, str | bool):
            continue
        # A symbol is a command (\gamma) or a letter on its own, never part of another command (\cdot).
        alone = rf"(?<![A-Za-z\\]){re.escape(symbol(parameter.label))}(?![A-Za-z])"
        text = latex_number(value)
        if text == "1":
            formula = _without_ones(formula, alone)
        elif text == "0":
            formula = re.sub(rf" \+ {alone}", "", formula)
        base = rf"\left({text}\right)" if "^" in text else text
        for pattern, shown in (
            (rf"(?<=\d) {alone}(?=\^)", rf" \cdot {base}"),
            (rf"{alone}(?=\^)", base),
            (rf"(?<=\d) {alone}", rf" \cdot {text}"),
            (alone, text),
        ):
            formula = re.sub(pattern, shown.replace("\\", r"\\"), formula)
    return formula.replace("+ -", "- ")


def _without_ones(formula: str, symbol: str) -> str:
    """Drop a 1 that is a factor, a divisor or a power, alone or squared."""
    squared = rf"{symbol}(?:\^2)?"
    braced = r"\{((?:[^{}]|\{[^{}]*\})*)\}"
    formula = re.sub(rf"\\frac{braced}\{{{squared}\}}", r"\1", formula)
    power = rf"(?<=\))\^\{{{symbol}\}}"
    for unwritten in (rf"{symbol}\\, ?", rf"(?<=\d) {squared}", rf" / {squared}", power):
        formula = re.sub(unwritten, "", formula)
    return formula
