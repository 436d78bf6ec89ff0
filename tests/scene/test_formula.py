"""Formulas: typeset in the colour asked for, and readable text when LaTeX fails."""

from __future__ import annotations

import pytest
from latex2mathml.converter import convert
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage, QPainter

from kernelviz.engine.fits import registry
from kernelviz.engine.fits.parsing import kernel
from kernelviz.scene import formula
from kernelviz.scene.formula import LONGEST_LATEX, draw_formula, formula_size, plain, too_long


@pytest.mark.parametrize("name", sorted({**registry.kernels(), **registry.algorithms()}))
def test_the_formula_of_every_kernel_and_algorithm_can_be_typeset(qapp, name):
    declared = {**registry.kernels(), **registry.algorithms()}[name]
    if declared.latex:
        assert not formula.typeset(declared.latex).isEmpty()
        width, height = formula_size(declared.latex, 12.0)
        assert width > 10
        assert 5 < height < 80


@pytest.mark.parametrize("name", sorted({**registry.kernels(), **registry.algorithms()}))
def test_every_control_word_of_every_formula_is_known(name):
    declared = {**registry.kernels(), **registry.algorithms()}[name]
    assert "\\" not in convert(declared.latex)  # what is not known stays as it is written


def test_a_formula_is_drawn_in_its_colour_and_twice_as_large_in_twice_the_type(qapp):
    small, large = (formula_size(r"\frac{x}{y}", points) for points in (20.0, 40.0))
    assert large == pytest.approx([2 * side for side in small])
    image = QImage(round(large[0]), round(large[1]), QImage.Format.Format_ARGB32)
    image.fill(0)
    with QPainter(image) as painter:
        draw_formula(painter, QPointF(), r"\frac{x}{y}", 40.0, "#ff0000")
    solid = [
        image.pixelColor(x, y)
        for x in range(image.width())
        for y in range(image.height())
        if image.pixelColor(x, y).alpha() == 255
    ]
    assert len(solid) > 50
    assert set(map(QColor.name, solid)) == {"#ff0000"}


@pytest.mark.parametrize("nonsense", [r"\frac{", "}", r"a_{b"])
def test_latex_that_makes_no_sense_is_shown_as_text(qapp, nonsense):
    assert formula_size(nonsense, 12.0)[0] > 1


def test_plain_text_keeps_what_can_be_read():
    assert plain(r"e^{-\gamma\,\lVert x\rVert^2}") == "e^-gamma lVert xrVert^2"


def test_an_empty_formula_takes_no_room(qapp):
    assert formula_size("", 12.0) == (0.0, 0.0)


def nested(depth):
    return kernel("linear*(rbf+" * depth + "rbf" + ")" * depth).latex


def test_the_work_of_typesetting_grows_with_the_formula_not_with_its_depth(qapp, monkeypatch):
    formula.typeset("x")  # loads ziamath, with its warnings
    from ziamath.nodes.mnode import Mnode

    made = []
    original = Mnode.fromelement.__func__
    monkeypatch.setattr(
        Mnode, "fromelement", classmethod(lambda cls, *a, **k: made.append(cls) or original(cls, *a, **k))
    )
    counts = []
    for depth in (3, 6, 12):
        made.clear()
        assert not formula.typeset(nested(depth)).isEmpty()
        counts.append(len(made))
    assert counts[2] - counts[1] < 2.2 * (counts[1] - counts[0])


def test_a_formula_nobody_can_read_is_not_typeset(qapp, monkeypatch):
    monkeypatch.setattr(formula, "typeset", lambda latex: pytest.fail("typeset"))
    longest = sum([kernel("matern52")] * 64).latex
    assert too_long(longest)
    assert formula_size(longest, 12.0)[0] > 100
    assert len(nested(12)) < LONGEST_LATEX


def test_plain_text_has_no_sizes_of_parentheses():
    assert plain(r"2 \, \biggl(x + \bigl(y\bigr)\biggr)") == "2 (x + (y))"
