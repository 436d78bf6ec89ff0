"""Figures in the fonts of a paper: STIX Two Text, installed families, and words that are left to LaTeX."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from PySide6.QtGui import QFontDatabase, QRawFont

import kernelviz
from kernelviz.engine.core.errors import BadInput
from kernelviz.scene.export.latex import in_latex
from kernelviz.scene.figure.text import marked, text_width
from kernelviz.scene.figure.typeface import font, formula_scale, typeface
from kernelviz.session.figure_options import FigureOptions
from tests.pdf_reader import texts

DATA = kernelviz.dataset("moons(n=20)")
SIGNS = "xÅé αβγδεηθκλμνξπρστφχψω −±·×…²₀₁₉ ≤≥≈∞√∑→∈⟨⟩ “–” ½"


# Typefaces ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("how", [{}, {"bold": True}, {"italic": True}])
def test_stix_two_text_has_every_sign_that_figures_use(qapp, how):
    with typeface("STIX Two Text"):
        face = QRawFont.fromFont(font(100.0, **how))
        assert [sign for sign in SIGNS if face.glyphIndexesForString(sign) == [0]] == []
    assert {"Regular", "Italic", "Bold"} <= set(QFontDatabase.styles("STIX Two Text"))


def test_a_typeface_holds_for_one_figure_alone(qapp):
    usual = text_width("maximum", 9.0)
    with typeface("STIX Two Text"):
        assert text_width("maximum", 9.0) < usual
    assert text_width("maximum", 9.0) == usual
    assert formula_scale("STIX Two Text") == pytest.approx(1.0, abs=0.03)


def test_a_pdf_has_the_typeface_inside_and_axes_are_formulas(qapp, tmp_path):
    kernelviz.render(tmp_path / "own.pdf", DATA, font="stix")
    fonts = set(re.findall(rb"/FontName /[A-Z+]*?(\w+)-?\w*\n", (tmp_path / "own.pdf").read_bytes()))
    assert fonts == {b"STIXTwoText"}
    assert not {"x₁", "x₂"} & {text for text, _ in texts((tmp_path / "own.pdf").read_bytes())}


def test_any_installed_family_will_do_and_others_are_refused(qapp, tmp_path):
    family = next(f for f in QFontDatabase.families() if f not in ("Inter", "STIX Two Text"))
    kernelviz.render(tmp_path / "own.png", DATA, font=family)
    with pytest.raises(BadInput, match="No typeface called 'Nowhere Sans' is installed"):
        kernelviz.render(tmp_path / "own.png", DATA, font="Nowhere Sans")
    with pytest.raises(BadInput, match="must be the name of a typeface"):
        FigureOptions(font="\n")
    assert FigureOptions(font="STIX").font == FigureOptions(font="stix two text").font == "STIX Two Text"


# Words left to LaTeX ------------------------------------------------------------------------------------
def drawn_for_latex(folder: Path, **options) -> tuple[bytes, str]:
    kernelviz.render(folder / "own.pdf", DATA, words="latex", size="130x115mm", **options)
    return (folder / "own.pdf").read_bytes(), (folder / "own.pdf_tex").read_text(encoding="utf-8")


WORDS = {
    "xlabel": "temperature (°C)",
    "ylabel": r"depth $\frac{a}{b}$ & more",
    "title": "5 % of γ₁",
    "entries": ["class +=healthy $y = 1$", "class −=x₁₂ 10⁻³ 2²°"],
    "letters": True,
    "legend": "upper-right",
}


def test_a_pdf_for_latex_has_no_words_and_its_companion_has_all_in_their_places(qapp, tmp_path):
    pdf, tex = drawn_for_latex(tmp_path, **WORDS)
    assert texts(pdf) == []
    kernelviz.render(tmp_path / "drawn.pdf", DATA, size="130x115mm", **WORDS)
    for text, _ in texts((tmp_path / "drawn.pdf").read_bytes()):
        assert in_latex(text.strip()) in tex, text
    places = re.findall(r"\\put\(([-\d.]+),([-\d.]+)\)", tex)
    assert len(places) > 12
    width, height = (130 / 25.4 * 72, 115 / 25.4 * 72)
    assert rf"\begin{{picture}}({width:.4f},{height:.4f})" in tex
    assert all(0 <= float(x) <= width and 0 <= float(y) <= height for x, y in places)
    assert r"\textbf{5 \% of $\gamma_1$}" in tex
    assert re.search(r"\\rotatebox\{90\}.*depth \$\\frac\{a\}\{b\}\$ \\& more", tex)
    assert r"healthy $y = 1$" in tex
    title = re.search(r"\\put\(([-\d.]+),([-\d.]+)\).*textbf\{5", tex)
    assert title is not None
    assert float(title[2]) > height - 20, "the title is at the top"


def test_words_are_left_to_latex_in_a_pdf_only(qapp, tmp_path):
    with pytest.raises(BadInput, match="only in a PDF file"):
        kernelviz.render(tmp_path / "own.png", DATA, words="latex")
    drawn_for_latex(tmp_path)
    kernelviz.render(tmp_path / "later.pdf", DATA)
    assert texts((tmp_path / "later.pdf").read_bytes()), "the words of the next figure are drawn again"


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("50 % & #1_a {b}", r"50 \% \& \#1\_a \{b\}"),
        ("γ₁ ≤ −2 $", r"$\gamma_1$ $\leq$ $-$2 \$"),
        ("x₁₂ 10⁻³ γ²₁ 2²°", r"x$_1{}_2$ 10$^-{}^3$ $\gamma^2{}_1$ 2$^2{}^\circ$"),
        ("C:\\x~y^2", r"C:\textbackslash{}x\textasciitilde{}y\textasciicircum{}2"),
        (marked(r"speed $\frac{a}{b}$ in \$"), r"speed $\frac{a}{b}$ in \$"),
    ],
)
def test_text_becomes_source_that_latex_prints_as_it_is(text, source):
    assert in_latex(text) == source


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no LaTeX on this machine")
def test_latex_typesets_the_figure_without_an_error(qapp, tmp_path):
    drawn_for_latex(tmp_path, **WORDS)
    packages = r"\usepackage[utf8]{inputenc}\usepackage{graphicx,color,amsmath,amssymb}"
    document = rf"\documentclass{{article}}{packages}\begin{{document}}\input{{own.pdf_tex}}\end{{document}}"
    (tmp_path / "paper.tex").write_text(document, encoding="utf-8")
    line = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-500:]
    assert "Missing character" not in (tmp_path / "paper.log").read_text(encoding="latin-1")
