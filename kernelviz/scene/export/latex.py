r"""The words of a figure for LaTeX: a file that puts every word at its place on a PDF without words, in the
fonts of the paper, by \input{moons.pdf_tex}."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import ceil

from PySide6.QtGui import QColor

from kernelviz.scene.figure.latex_words import Word
from kernelviz.scene.figure.text import parts_of

# Signs that are not in every font, each with its name in mathematics.
MATHEMATICS = dict(
    re.findall(
        r"(\S) (\S+)",
        r"− - ± \pm · \cdot × \times ‖ \| ° ^\circ ′ ' ∞ \infty ≤ \leq ≥ \geq ≠ \neq ≈ \approx → \to ∈ \in "
        r"√ \surd ∑ \sum ⟨ \langle ⟩ \rangle ½ \frac12 < < > > | | ⁻ ^- ⁰ ^0 "
        r"¹ ^1 ² ^2 ³ ^3 ⁴ ^4 ⁵ ^5 ⁶ ^6 ⁷ ^7 ⁸ ^8 ⁹ ^9 ₀ _0 ₁ _1 ₂ _2 ₃ _3 ₄ _4 ₅ _5 ₆ _6 ₇ _7 ₈ _8 ₉ _9 "
        r"α \alpha β \beta γ \gamma δ \delta ε \varepsilon ζ \zeta η \eta θ \theta ι \iota κ \kappa "
        r"λ \lambda μ \mu ν \nu ξ \xi π \pi ρ \rho σ \sigma τ \tau φ \varphi χ \chi ψ \psi ω \omega "
        r"Γ \Gamma Δ \Delta Θ \Theta Λ \Lambda Ξ \Xi Π \Pi Σ \Sigma Φ \Phi Ψ \Psi Ω \Omega",
    )
)
IN_TEXT = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "…": r"\dots{}",
    "—": "---", "–": "--", "“": "``", "”": "''", "\u00a0": "~", "\u2009": r"\,", "\u202f": r"\,",
    **{sign: f"\\{sign}" for sign in "&%#_{}$"},
}  # fmt: skip


def pdf_tex(words: Sequence[Word], size: tuple[float, float], unit: float, name: str) -> str:
    r"""Return the text of the file for \input.

    size: of the page in points. unit: that of the places of words, in points. name: that of the PDF."""
    width, height = size
    lines = [
        r"% A figure by kernelviz. It needs \usepackage{graphicx,color,amsmath,amssymb} and is inserted by",
        rf"% \input{{{name}_tex}}. Its words are set in the fonts of the document, at their own sizes.",
        r"\begingroup\setlength{\unitlength}{1bp}%",
        rf"\begin{{picture}}({width:.4f},{height:.4f})%",
        rf"\put(0,0){{\includegraphics{{{name}}}}}%",
        *(_put(word, unit, ceil(height)) for word in words),  # Qt's page has whole points
        r"\end{picture}%",
        r"\endgroup",
    ]
    return "\n".join(lines) + "\n"


def _put(word: Word, unit: float, height: float) -> str:
    """Return the line that puts a word at its place, counted from the foot of the page."""
    text = rf"$\displaystyle {word.text}$" if word.is_formula else in_latex(word.text)
    for on, command in ((word.bold, "textbf"), (word.italic, "textit")):
        text = rf"\{command}{{{text}}}" if on else text
    ink = QColor(word.colour)
    rgb = f"{ink.redF():.3f},{ink.greenF():.3f},{ink.blueF():.3f}"
    size = rf"\fontsize{{{word.size:.2f}}}{{{1.2 * word.size:.2f}}}\selectfont"
    # Smashed, or a box that is turned would be shifted by its height.
    box = rf"\makebox[0pt][{word.anchor[0]}]{{\smash{{{size}\textcolor[rgb]{{{rgb}}}{{{text}}}}}}}"
    box = rf"\rotatebox{{90}}{{{box}}}" if word.turned else box
    return rf"\put({unit * word.x:.3f},{height - unit * word.y:.3f}){{{box}}}%"


def in_latex(line: str) -> str:
    """Return a line of text with formulas as the source of LaTeX."""
    return "".join(f"${part}$" if is_formula else _escaped(part) for part, is_formula in parts_of(line))


def _escaped(text: str) -> str:
    signs = (f"${MATHEMATICS[sign]}$" if sign in MATHEMATICS else IN_TEXT.get(sign, sign) for sign in text)
    joined = re.sub(r"(?<!\\)\$\$", "", "".join(signs))
    return re.sub(r"([_^](?:\\circ|.))(?=[_^'])", r"\1{}", joined)  # or two superscripts were an error
