"""Several fits of the same points in one figure."""

from __future__ import annotations

import re

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage, QPainter

from kernelviz.engine.fits.parsing import parse_fit
from kernelviz.scene.curve.layers import fit_entries, fit_ink
from kernelviz.scene.curve.painter import PAINTER
from kernelviz.scene.export.composition import figure_of, fitted, render_state
from kernelviz.scene.export.options import Options
from kernelviz.scene.figure.legend import Entry, stroke
from kernelviz.scene.figure.style import Style
from kernelviz.scene.wording import fit_names
from kernelviz.session.state import Document, State, start_up
from kernelviz.session.themes import LIGHT
from kernelviz.session.workspaces.curve import CurveWorkspace


@pytest.fixture
def state():
    start = start_up(CurveWorkspace())
    fits = tuple(parse_fit(f"rbf(gamma=9) ; {how}") for how in ("ridge(lam=0.1)", "nadaraya-watson"))
    return State(Document(start.document.data, fits, source=start.document.source), start.look)


def together(state):
    figures = []
    for active in range(2):
        shown = State(state.document.replace(active=active), state.look)
        figures.append(figure_of(shown, fitted(shown)[0]))
    (figure,) = PAINTER.together(figures, state.document.fits)
    return figure


def test_nadaraya_watson_is_not_kernel_ridge_each_curve_is_its_own_fits(state, qapp):
    drawing = together(state).make(state.look.view, 300, 200)
    for k in range(2):
        shown = State(state.document.replace(active=k), state.look)
        ((lines, _),) = drawing.layers[f"curve {k}"].groups
        x, s = np.vstack(lines).T
        assert s == pytest.approx(fitted(shown)[0].score(x[:, None]), abs=1e-6)


def test_the_legend_names_what_tells_the_fits_apart(state, qapp):
    assert [entry.text for entry in together(state).own_entries()] == [
        "A: Kernel ridge (λ = 0.1)",
        "B: Nadaraya-Watson",
    ]
    kernels = tuple(parse_fit(f"rbf(gamma={g}) ; ridge(lam=0.1)") for g in (1, 9))
    other = State(state.document.replace(fits=kernels), state.look)
    assert [entry.text for entry in together(other).own_entries()] == [
        "A: Gaussian (γ = 1)",
        "B: Gaussian (γ = 9)",
    ]


def colour_of(entry):
    image = QImage(40, 20, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    entry.draw(painter, QPointF(20, 10), Style(LIGHT))
    painter.end()
    return image.pixelColor(20, 10).name()


def test_fits_that_are_the_same_share_an_entry_with_the_colour_on_top(qapp):
    texts = ("ridge(lam=0.1)", "nadaraya-watson", "ridge(lam=0.1)", "nadaraya-watson")
    fits = [parse_fit(f"rbf(gamma=9) ; {text}") for text in texts]
    for below, seen in ((None, (2, 3)), (2, (0, 3)), (3, (2, 1))):
        told = fit_entries(fits, below)
        assert [entry.text for entry in told] == ["A, C: Kernel ridge (λ = 0.1)", "B, D: Nadaraya-Watson"]
        assert [colour_of(entry) for entry in told] == [
            colour_of(Entry("", stroke(fit_ink(k)))) for k in seen
        ]


def test_a_legend_leaves_out_parameters_before_it_cuts_a_name_and_kernels_that_are_not_used():
    texts = (
        "rbf(gamma=1.196702646537077) + 0.25*linear ; ridge(lam=0.1)",
        "rbf(gamma=3) ; svr(C=10, epsilon=0.1)",
        "rbf ; feature-map(features=monomials, degree=3, lam=0.01, model=ridge)",
    )
    names = fit_names([parse_fit(text) for text in texts])
    assert names == [
        "Gaussian + 0.25 × Linear, Kernel ridge",
        "Gaussian, Support vector regression",
        "Explicit features",
    ]
    alike = [parse_fit(text) for text in (texts[0], texts[0].replace("1.19", "2.19"))]
    first, second = fit_names(alike)
    assert (first, second) == ("Gaussian (γ = 1.197) + 0.25 × Linear", "Gaussian (γ = 2.197) + 0.25 × Linear")


def test_a_file_has_one_plot_with_both_colours(state, tmp_path):
    path = tmp_path / "both.svg"
    render_state(state, path, Options(width=600, height=400))
    svg = path.read_text()
    for colour in (LIGHT.classes[1], LIGHT.classes[0]):
        assert re.search(colour, svg)
    assert svg.count("Nadaraya") >= 1
