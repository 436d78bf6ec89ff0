"""From a session to its figure and its films."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kernelviz.engine.api import algorithm, dataset, kernel
from kernelviz.engine.data import Data
from kernelviz.engine.errors import BadInput
from kernelviz.engine.model import Status
from kernelviz.session.files import load
from kernelviz.session.state import Document, Look, State, fitting_view
from kernelviz.ui.export.options import Options
from kernelviz.ui.export.states import (
    captions_of,
    figure_of,
    fitted,
    render_state,
    run_frames,
    state_frames,
    sweep,
)

SMALL = Options(320, 240, 72.0)


def state_of(source: str, kernel_text: str, algorithm_text: str) -> State:
    data = dataset(source)
    document = Document(data, kernel(kernel_text), algorithm(algorithm_text), source)
    return State(document, Look(view=fitting_view(data)))


RINGS = ("rings(n=40, seed=1)", "rbf(gamma=1)", "soft-margin-svm(C=10)")


def test_a_rendered_png_reopens_as_the_session_that_made_it(qapp, tmp_path):
    state = state_of(*RINGS)
    model = render_state(state, tmp_path / "rings.png", SMALL)
    assert model.converged
    again, _ = load(tmp_path / "rings.png")
    assert str(again.document.kernel) == "rbf(gamma=1)"
    assert np.array_equal(again.document.data.X, state.document.data.X)
    assert again.look.view == state.look.view


def test_the_caption_names_kernel_algorithm_and_numbers(qapp):
    words = captions_of(fitted(state_of(*RINGS)))
    assert words.formula.startswith("K(x, x') =")
    for part in ("rbf(gamma=1)", "soft-margin-svm(C=10)", "n = 40", "support vectors", "training error 0 %"):
        assert part in words.caption


def test_where_nothing_separates_only_the_points_are_drawn_and_the_caption_says_so(qapp):
    state = state_of("just_not_separable", "linear", "hard-margin-svm")
    model = fitted(state)
    assert model.status is Status.NOT_SEPARABLE
    figure = figure_of(state, model)
    assert "not separable" in figure.captions.caption
    assert "training error" not in figure.captions.caption
    assert figure.make(state.look.view, 8, 8).F is None


def test_in_watch_mode_the_figure_shows_the_step_it_stands_at(qapp):
    state = state_of("rings(n=40, seed=1)", "rbf(gamma=1)", "perceptron")
    runs = [fitted(replace(state, look=state.look.replace(mode="watch", step=k))) for k in (0, 1, 3)]
    counts = [np.count_nonzero(model.beta) for model in runs]
    assert counts[0] < counts[1] < counts[2]


def test_a_film_of_a_run_begins_with_its_first_and_ends_with_its_last_step(qapp):
    state = state_of("rings(n=40, seed=1)", "rbf(gamma=1)", "perceptron")
    everything = list(state.document.algorithm.steps(_problem(state)))
    count, frames = run_frames(state, SMALL, 4)
    images = list(frames)
    assert count == len(images) == 4
    assert len({image.cacheKey() for image in images}) == 4
    assert len(everything) > 4
    assert images[0] != images[-1]


def _problem(state):
    from kernelviz.engine.problem import Problem

    return Problem(state.document.data, state.document.kernel)


def frame_columns(image):
    """The columns where the plot's frame stands: dark from top to bottom."""
    grey = np.array(
        [[image.pixelColor(x, y).lightness() for y in range(60, 180, 7)] for x in range(image.width())]
    )
    return np.flatnonzero((grey < 190).mean(axis=1) > 0.9)


def test_the_plot_keeps_its_place_throughout_a_film(qapp):
    state = state_of("rings(n=40, seed=1)", "rbf(gamma=1)", "perceptron")
    _, frames = run_frames(state, replace(SMALL, strokes=1.5), 5)
    places = [frame_columns(image)[-1] for image in frames]
    assert len(set(places)) == 1


def test_a_sweep_has_a_frame_for_every_value_and_they_differ(qapp):
    states = sweep(state_of(*RINGS), "kernel", "gamma", [0.1, 1.0, 10.0])
    assert [str(s.document.kernel) for s in states] == ["rbf(gamma=0.1)", "rbf(gamma=1)", "rbf(gamma=10)"]
    count, frames = state_frames(states, SMALL)
    images = list(frames)
    assert count == 3
    assert images[0] != images[1] != images[2]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (Data.regression([[1.0, 2.0], [2.0, 1.0]], [0.5, 1.5]), "real targets"),
        (Data.labelled([[1.0], [2.0]], [1, -1]), "these data have 1"),
        (Data.labelled(["one", "two"], [1, -1]), "strings"),
    ],
)
def test_what_is_no_plane_is_refused_in_words(qapp, data, sentence):
    state = state_of(*RINGS)
    with pytest.raises(BadInput, match=sentence):
        fitted(replace(state, document=state.document.replace(data=data)))
