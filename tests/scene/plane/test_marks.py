"""Marks of algorithms, ties of votes, titles and limits: nothing is printed over something else."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

import kernelviz
from kernelviz.engine.models.base import Mark
from kernelviz.scene.figure import captions
from kernelviz.scene.figure.captions import Captions
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.text import text_width
from kernelviz.scene.layers import Coordinates
from kernelviz.scene.painter import Layout
from kernelviz.scene.plane import lines
from kernelviz.scene.plane.lines import MarkLayer
from kernelviz.scene.plane.painter import PAINTER
from kernelviz.scene.workspace_painter import Subject
from kernelviz.session.view import Look, ViewRange
from kernelviz.session.workspaces.plane import PlaneWorkspace

VIEW = ViewRange(-3.0, 3.0, -3.0, 3.0)


@pytest.fixture
def painter(qapp):
    image = QImage(400, 400, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        yield painter


@pytest.mark.parametrize("apart", [0.0, 0.1, 0.3, 2.0])
def test_labels_of_means_close_to_each_other_are_not_printed_over_each_other(painter, monkeypatch, apart):
    boxes = []

    def note(painter, style, at, text, **how):
        wide = text_width(text, style.text, bold=True)
        boxes.append(QRectF(at.x(), at.y() - 0.7 * style.text, wide, 0.7 * style.text))

    monkeypatch.setattr(lines, "draw_text", note)
    means = [Mark("point", np.array([[x, 0.0]]), f"mean of class {x}") for x in (0.0, apart)]
    MarkLayer(np.empty((0, 2)), tuple(means)).draw(
        Coordinates(VIEW, QRectF(0, 0, 300, 300), Style()), painter, None
    )
    assert boxes
    assert not any(a.intersects(b) for k, a in enumerate(boxes) for b in boxes[:k])


@pytest.mark.parametrize("title", ["Short", "A title that takes most of the line", "A title " * 12])
def test_a_title_is_not_printed_over_the_formula_nor_beyond_the_paper(painter, monkeypatch, title):
    titles, formulas = [], []

    def write(painter, style, at, text, *, points, **how):
        titles.append(QRectF(at.x(), at.y() - 0.8 * points, text_width(text, points, bold=True), points))

    def typeset(painter, corner, latex, size, ink):
        formulas.append(QRectF(corner, corner).adjusted(0, 0, *captions.formula_size(latex, size)))

    monkeypatch.setattr(captions, "draw_text", write)
    monkeypatch.setattr(captions, "draw_formula", typeset)
    paper = QRectF(0, 0, 400, 600)
    words = Captions(title, r"k(x, x') = \exp(-\gamma\,\lVert x - x'\rVert^2)")
    placed = captions.PlacedWords(words, paper, Style())
    placed.draw_ground(painter)
    room = placed.inner
    (text,), (formula,) = titles, formulas
    assert not text.intersects(formula)
    assert paper.contains(text)
    assert text.bottom() <= room.top()
    assert formula.bottom() <= room.top()


@pytest.mark.parametrize(("classes", "seed", "named"), [(4, 2, False), (5, 1, True)])
def test_zones_in_which_classes_have_equally_many_votes_are_in_the_legend(classes, seed, named):
    data = kernelviz.dataset(f"blobs(n=60, classes={classes}, noise=1.0, seed={seed})")
    model = kernelviz.fit(data, kernel="linear", algorithm="soft-margin-svm(C=10)")
    look = Look(view=ViewRange(-6, 6, -6, 6), shown=PlaneWorkspace().shown)
    votes = np.sort(np.rint(model.score(np.random.default_rng(0).uniform(-6, 6, (4000, 2)))), axis=1)
    assert (votes[:, -1] == votes[:, -2]).any() == named
    texts = [entry.text for entry in PAINTER.figure(Subject.of(model, look)).own_entries()]
    assert ("tied votes" in texts) is named


def test_exact_limits_leave_the_legend_the_paper_that_they_do_not_need(qapp):
    data = kernelviz.dataset("moons(n=40)")
    model = kernelviz.fit(data, kernel="rbf(gamma=1)", algorithm="soft-margin-svm(C=1)")
    limits = ViewRange(-1.0, 1.0, -1.0, 1.0)
    look = Look(view=limits, limits=limits, shown=PlaneWorkspace().shown)
    layout = Layout(PAINTER.figure(Subject.of(model, look)), QRectF(0, 0, 500, 400), Style())
    plot = layout.find("plane").rect
    assert plot.width() == pytest.approx(plot.height())
    assert plot.height() > 0.85 * 400
