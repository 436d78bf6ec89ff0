"""Several fits of the same points in one figure."""

from __future__ import annotations

import re

import numpy as np
import pytest

from kernelviz.drawing.curve.painter import PAINTER
from kernelviz.drawing.export.options import Options
from kernelviz.drawing.export.states import figure_of, fitted, render_state
from kernelviz.drawing.theme import LIGHT
from kernelviz.engine.fits import parse_fit
from kernelviz.session.state import Document, State
from kernelviz.session.workspaces.curve import Curve


@pytest.fixture
def state():
    start = Curve().start_up()
    fits = tuple(parse_fit(f"rbf(gamma=9) ; {how}") for how in ("ridge(lam=0.1)", "nadaraya-watson"))
    return State(Document(start.document.data, fits, source=start.document.source), start.look)


def together(state):
    figures = []
    for active in range(2):
        shown = State(state.document.replace(active=active), state.look)
        figures.append(figure_of(shown, fitted(shown)))
    (figure,) = PAINTER.together(figures, state.document.fits)
    return figure


def test_nadaraya_watson_is_not_kernel_ridge_each_curve_is_its_own_fits(state, qapp):
    drawing = together(state).make(state.look.view, 300, 200)
    for k in range(2):
        shown = State(state.document.replace(active=k), state.look)
        ((lines, _),) = drawing.layers[f"curve {k}"].groups
        x, s = np.vstack(lines).T
        assert s == pytest.approx(fitted(shown).score(x[:, None]), abs=1e-6)


def test_the_legend_names_what_tells_the_fits_apart(state, qapp):
    assert [entry.text for entry in together(state).own_entries()] == ["ridge(lam=0.1)", "nadaraya-watson"]
    kernels = tuple(parse_fit(f"rbf(gamma={g}) ; ridge(lam=0.1)") for g in (1, 9))
    other = State(state.document.replace(fits=kernels), state.look)
    assert [entry.text for entry in together(other).own_entries()] == ["rbf(gamma=1)", "rbf(gamma=9)"]


def test_a_file_has_one_plot_with_both_colours(state, tmp_path):
    path = tmp_path / "both.svg"
    render_state(state, path, Options(width=600, height=400))
    svg = path.read_text()
    for colour in (LIGHT.classes[1], LIGHT.classes[0]):
        assert re.search(colour, svg)
    assert svg.count("nadaraya") >= 1
