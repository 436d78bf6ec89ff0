"""Figures from a script."""

from __future__ import annotations

import io
import math

import numpy as np
import pytest
from PIL import Image

import kernelviz
from kernelviz.engine.core.errors import BadInput
from kernelviz.session.files.kviz import load
from kernelviz.session.view import ViewRange
from tests.pdf_reader import boxes

pytestmark = [
    pytest.mark.usefixtures("qapp"),
    # Figures that are quick to paint are too small for legends.
    pytest.mark.filterwarnings("ignore:There is no room|Smaller or shorter"),
]
X, Z = [[0.0, 0.0], [1.0, 1.0], [2.0, 0.0]], [1, -1, 1]


def test_a_figure_is_written_of_the_size_asked_for_and_the_model_is_that_of_fit(tmp_path):
    path = tmp_path / "figure.png"
    model = kernelviz.render(path, X, Z, kernel="linear", algorithm="ridge(lam=1)", width=300, height=240)
    with Image.open(path) as picture:
        assert picture.size == (300, 240)
    same = kernelviz.fit(X, Z, kernel="linear", algorithm="ridge(lam=1)")
    assert np.array_equal(model.beta, same.beta)


def test_the_size_can_be_given_as_on_the_command_line(tmp_path):
    path = tmp_path / "figure.png"
    kernelviz.render(path, X, Z, size="50.8x25.4mm", dpi=100.0)
    with Image.open(path) as picture:
        assert picture.size == (200, 100)
    kernelviz.render(tmp_path / "figure.pdf", X, Z, size="85x60mm")
    for _, *box in boxes((tmp_path / "figure.pdf").read_bytes()):
        assert [side / 72 * 25.4 for side in box] == pytest.approx((85.0, 60.0), abs=1e-3)
    with pytest.raises(BadInput, match="either size, or width and height"):
        kernelviz.render(path, X, Z, size="300x240", width=300)
    with pytest.raises(BadInput, match="not 'big'"):
        kernelviz.render(path, X, Z, size="big")


def test_a_figure_goes_into_an_open_file(tmp_path):
    path, file = tmp_path / "figure.png", io.BytesIO()
    how = {"kernel": "linear", "algorithm": "ridge", "width": 300, "height": 240}
    kernelviz.render(path, X, Z, **how)
    kernelviz.render(file, X, Z, **how)
    assert file.getvalue() == path.read_bytes()
    file = io.BytesIO()
    kernelviz.render(file, X, Z, **how, format="pdf")
    assert file.getvalue().startswith(b"%PDF")
    with pytest.raises(BadInput, match="png, svg, pdf, not as jpg"):
        kernelviz.render(io.BytesIO(), X, Z, **how, format="jpg")


def test_view_toggles_and_step_are_those_of_the_figure(tmp_path):
    path = tmp_path / "figure.png"
    data = kernelviz.dataset("gaussians(n=20)")
    kernelviz.render(
        path,
        data,
        algorithm="perceptron",
        view=(-3, 3, -2, 2),
        shown=["points"],
        step=1,
        width=300,
        height=240,
    )
    state, _ = load(path)
    assert state.look.view.right == 3
    assert state.look.limits is None
    assert state.look.shown == {"points"}
    assert (state.look.mode, state.look.step) == ("watch", 1)


def test_limits_are_exact_and_go_with_the_figure(tmp_path):
    path = tmp_path / "figure.png"
    kernelviz.render(path, X, Z, limits=(-3, 3, -0.1, 2), width=300, height=240)
    state, _ = load(path)
    assert state.look.limits == ViewRange(-3, 3, -0.1, 2)


@pytest.mark.parametrize(
    "wrong",
    [
        {"limits": (2, 1, 0, 1)},
        {"view": (1, 2, 3)},
        {"view": (2, 1, 0, 1)},
        {"view": "all"},
        {"colour": "red"},
        {"width": 3},
        {"view": (0, math.inf, 0, 1)},
        {"limits": (-math.inf, 0, 0, 1)},
        {"limits": (0, 1, 0, math.nan)},
        {"views": ("lss",)},
        {"views": ("loss(hinge=often)",)},
        {"views": (3,)},
        {"views": ("loss",), "active": 2},
        {"canvas": False},
    ],
)
def test_what_is_given_wrongly_is_a_sentence_and_writes_nothing(tmp_path, wrong):
    with pytest.raises(kernelviz.BadInput):
        kernelviz.render(tmp_path / "figure.png", X, Z, **wrong)
    assert not list(tmp_path.iterdir())


def test_what_is_not_public_is_not_there():
    with pytest.raises(AttributeError, match="no attribute 'State'"):
        _ = kernelviz.State
    assert all(hasattr(kernelviz, name) for name in kernelviz.__all__)


def test_the_true_function_and_held_out_points_are_drawn_where_they_are_told(tmp_path):
    data, held = kernelviz.dataset("sine(n=60)"), kernelviz.dataset("sine(n=20, seed=5)")
    look = {"kernel": "rbf(gamma=3)", "algorithm": "ridge", "width": 300, "height": 240}
    pictures = []
    for told in ({}, {"source": "sine(n=60)"}, {"held_out": held}):
        path = tmp_path / f"{len(pictures)}.png"
        kernelviz.render(path, data, shown=["curve", "truth", "held_out"], **look, **told)
        pictures.append(np.asarray(Image.open(path)))
    assert not np.array_equal(pictures[0], pictures[1])
    assert not np.array_equal(pictures[0], pictures[2])


def test_views_are_drawn_beside_the_canvas_or_alone(tmp_path):
    data, pictures = kernelviz.dataset("gaussians(n=20)"), []
    for given in ({}, {"views": ("loss", "gram")}, {"views": "loss", "canvas": False}):
        path = tmp_path / f"{len(pictures)}.png"
        kernelviz.render(path, data, width=300, height=240, dpi=72.0, **given)
        pictures.append(Image.open(path).tobytes())
    assert len(set(pictures)) == 3


def test_views_show_the_active_one_of_several_fits(tmp_path):
    data, pictures = kernelviz.dataset("gaussians(n=20)"), []
    fits = ("linear ; ridge(lam=1)", "rbf(gamma=1) ; soft-margin-svm(C=1)")
    for active in (1, 2):
        path = tmp_path / f"{active}.png"
        model = kernelviz.render(
            path,
            data,
            fits=fits,
            views=["weights"],
            canvas=False,
            active=active,
            width=300,
            height=240,
            dpi=72.0,
        )
        assert str(model.problem.kernel) == "linear"
        pictures.append(Image.open(path).tobytes())
    assert pictures[0] != pictures[1]


@pytest.mark.parametrize("name", ["sweep", "convergence", "selection", "inspector"])
def test_a_view_that_needs_long_work_or_a_window_is_refused_with_those_there_are(tmp_path, name):
    with pytest.raises(
        kernelviz.BadInput, match=rf"no view for scripts called '{name}'. (Known: loss, |Did you mean )"
    ):
        kernelviz.render(tmp_path / "figure.png", X, Z, views=(name,))


def test_a_size_that_is_no_text_is_refused_in_words():
    with pytest.raises(BadInput, match=r"^The size is width x height, as in .*, not \(85, 60\)\.$"):
        kernelviz.render(io.BytesIO(), kernelviz.dataset("moons(n=10)"), size=(85, 60))
