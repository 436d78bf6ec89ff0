"""From a session to its figure and its films."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import algorithm, dataset, kernel, parse_fit
from kernelviz.engine.models.base import Status
from kernelviz.engine.numbers.of_fit import on_held_out
from kernelviz.engine.selection.tunable import knobs
from kernelviz.runtime import runs
from kernelviz.scene.export import files
from kernelviz.scene.export.composition import (
    USUAL_OPTIONS,
    captions_of,
    figure_of,
    film_frame,
    fitted,
    render_state,
)
from kernelviz.scene.export.films import figures_of_moment, run_frames, run_of, state_frames
from kernelviz.scene.export.options import Options
from kernelviz.scene.figure import captions, legend
from kernelviz.scene.figure.figure import common_legend
from kernelviz.scene.painter import Layout
from kernelviz.session.files.kviz import load
from kernelviz.session.state import Document, State
from kernelviz.session.workspaces.plane import PlaneWorkspace
from kernelviz.session.workspaces.registry import workspace_of

SMALL = Options(320, 240, 72.0)


def state_of(source: str, kernel_text: str, algorithm_text: str) -> State:
    data = dataset(source)
    document = Document.of(data, kernel(kernel_text), algorithm(algorithm_text), source)
    return State(document, PlaneWorkspace().look(data))


def model_of(state: State):
    return fitted(state)[0]


RINGS = ("rings(n=40, seed=1)", "rbf(gamma=1)", "soft-margin-svm(C=10)")


def test_a_rendered_png_reopens_as_the_session_that_made_it(qapp, tmp_path):
    state = state_of(*RINGS)
    ((model,), _) = render_state(state, tmp_path / "rings.png", SMALL)
    assert model.converged
    again, _ = load(tmp_path / "rings.png")
    assert str(again.document.kernel) == "rbf(gamma=1)"
    assert np.array_equal(again.document.data.X, state.document.data.X)
    assert again.look.view == state.look.view


def test_the_caption_names_kernel_algorithm_and_numbers(qapp):
    words = captions_of(model_of(state_of(*RINGS)))
    assert words.formula.startswith("K(x, x') =")
    for part in (
        "Gaussian (γ = 1)",
        "Soft-margin SVM (C = 10)",
        "n = 40",
        "support vectors",
        "training error 0 %",
    ):
        assert part in words.caption


def test_the_caption_names_the_algorithm_of_several_classes_too(qapp):
    state = state_of("blobs(n=60, classes=3, seed=2)", "rbf(gamma=1)", "soft-margin-svm(C=10)")
    assert captions_of(model_of(state)).caption.startswith("Gaussian (γ = 1) · Soft-margin SVM (C = 10) · n")


def test_the_formula_of_a_kernel_on_strings_names_two_strings(qapp):
    state = state_of("spelling", "2*words + spectrum(length=2)", "soft-margin-svm")
    assert captions_of(model_of(state)).formula.startswith("K(s, t) =")


def test_where_nothing_separates_only_the_points_are_drawn_and_the_caption_says_so(qapp):
    state = state_of("just_not_separable", "linear", "hard-margin-svm")
    model = model_of(state)
    assert model.status is Status.NOT_SEPARABLE
    figure = figure_of(state, model)
    assert "not separable" in figure.captions.caption
    assert "training error" not in figure.captions.caption
    assert "field" not in figure.make(state.look.view, 8, 8).layers


def test_in_watch_mode_the_figure_shows_the_step_it_stands_at(qapp):
    state = state_of("rings(n=40, seed=1)", "rbf(gamma=1)", "perceptron")
    runs = [model_of(replace(state, look=state.look.replace(mode="watch", step=k))) for k in (0, 1, 3)]
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
    from kernelviz.engine.models.problem import Problem

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


def swept(state: State, values: list[float], part: tuple[int, ...] = ()) -> list[State]:
    """The state with gamma of (a part of) its kernel at each of the values."""
    found = next(k for k in knobs(state.document.fit) if k.key == ("kernel", part, "gamma"))
    return [replace(state, document=state.document.turned(found, value)) for value in values]


def test_a_sweep_has_a_frame_for_every_value_and_they_differ(qapp):
    states = swept(state_of(*RINGS), [0.1, 1.0, 10.0])
    assert [str(s.document.kernel) for s in states] == ["rbf(gamma=0.1)", "rbf(gamma=1)", "rbf(gamma=10)"]
    count, frames = state_frames(states, SMALL)
    images = list(frames)
    assert count == 3
    assert images[0] != images[1] != images[2]


def test_every_frame_of_a_sweep_says_both_errors_and_the_plot_keeps_its_place(qapp, monkeypatch):
    state = state_of("gaussians(n=60, seed=1)", "rbf(gamma=1)", "soft-margin-svm(C=10)")
    state = State(state.document.with_fresh_points(200), state.look)
    said, plots = [], []

    def note(layout, painter):
        said.append(layout.find("words").words.caption)
        plots.append(layout.find("plane").rect.getRect())

    monkeypatch.setattr(Layout, "paint", note)
    values = [0.01, 0.123456, 1.0, 10.0, 100.0]
    list(state_frames(swept(state, values), Options(640, 480, 96.0))[1])
    assert len(set(plots)) == 1
    for value, caption in zip(values, said, strict=True):
        error = fit(state, value)
        assert f"γ = {value:.4g}" in caption
        assert f"training error {100 * error.numbers['training_error']:.3g} %" in caption
        tested = on_held_out(error, state.document.held_out.data).error
        assert f"held-out error {100 * tested:.3g} %" in caption


def fit(state: State, gamma: float):
    """The optimum with that gamma."""
    return model_of(swept(state, [gamma])[0])


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (Data.regression([[1.0, 2.0], [2.0, 1.0]], [0.5, 1.5]), "real targets"),
        (Data.labelled(np.eye(3), [1, -1, 1]), "these data have 3"),
        (Data.labelled(["one", "two"], [1, -1]), "strings"),
    ],
)
def test_what_is_no_plane_is_refused_in_words(qapp, data, sentence):
    state = state_of(*RINGS)
    with pytest.raises(BadInput, match=sentence):
        model_of(replace(state, document=state.document.replace(data=data)))


def test_a_parameter_of_a_part_of_a_composed_kernel_can_be_swept(qapp):
    state = state_of("rings(n=20, seed=1)", "linear + 2*rbf(gamma=1)", "ridge(lam=1)")
    found = swept(state, [0.1, 3.0], part=(1, 0))
    assert [str(s.document.kernel) for s in found] == ["linear + 2*rbf(gamma=0.1)", "linear + 2*rbf(gamma=3)"]


class EnoughError(Exception):
    """Somebody has given up."""


def filmed_run(state: State, beat) -> None:
    list(run_frames(state, SMALL, 5, beat=beat)[1])


def filmed_sweep(state: State, beat) -> None:
    list(state_frames(swept(state, [1.0] * 5), SMALL, beat=beat)[1])


@pytest.mark.parametrize("film", [filmed_run, filmed_sweep])
def test_a_film_can_be_given_up_between_any_two_steps(qapp, film):
    beats = []

    def beat():
        beats.append(1)
        if len(beats) == 3:
            raise EnoughError

    with pytest.raises(EnoughError):
        film(state_of(*RINGS), beat)
    assert len(beats) == 3


@pytest.mark.parametrize("transparent", [False, True])
def test_large_pictures_painted_in_bands_have_no_seams(qapp, monkeypatch, transparent):
    state = state_of(*RINGS)
    figure = figure_of(state, model_of(state))
    options = replace(SMALL, transparent=transparent)
    monkeypatch.setattr(files, "BAND", 10**9)
    whole = files.as_image(figure, options)
    monkeypatch.setattr(files, "BAND", 50 * options.pixels[0])
    shares = list(files.painting(figure, options))
    in_bands = files.as_image(figure, options)
    # Coverage of slanted edges is rounded anew in every band.
    assert np.abs(pixels(in_bands).astype(int) - pixels(whole).astype(int)).max() <= 1
    assert in_bands.format() == whole.format()
    assert in_bands.dotsPerMeterX() == whole.dotsPerMeterX()
    assert shares == sorted(shares)
    assert len(shares) == -(-options.pixels[1] // 50)
    assert shares[-1] == 1.0


def pixels(image) -> np.ndarray:
    return np.frombuffer(image.constBits(), np.uint8)


@pytest.mark.parametrize("how", ["perceptron", "soft-margin-svm(C=10)"])
def test_every_step_of_a_film_frames_the_points_it_has_changed(qapp, how):
    state = state_of("rings(n=40, seed=1)", "rbf(gamma=1)", how)
    for (iterate,) in run_of(state, 4):
        rows = list(iterate.change.points) if iterate.change else []
        marks = figures_of_moment(state, (iterate,))[0].make(state.look.view, 8, 8).layers["marks"].marks
        framed = [mark.xy for mark in marks if mark.label == "this step"]
        assert len(framed) == bool(rows)
        if rows:
            np.testing.assert_array_equal(framed[0], state.document.data.X[rows])


def test_a_figure_of_a_watched_step_frames_its_points_and_one_of_the_optimum_none(qapp, tmp_path):
    live = state_of("rings(n=40, seed=1)", "rbf(gamma=1)", "perceptron")
    watched = replace(live, look=live.look.replace(mode="watch", step=3))
    for state, name in ((live, "live.svg"), (watched, "watched.svg")):
        render_state(state, tmp_path / name, SMALL)
    assert "this step" not in (tmp_path / "live.svg").read_text()
    assert "this step" in (tmp_path / "watched.svg").read_text()


def test_a_long_run_of_many_points_is_thinned_out_on_the_way_to_its_film(qapp, monkeypatch):
    state = state_of("xor(n=40)", "linear", "perceptron")
    everything = run_of(state, 10_000)
    held = []
    monkeypatch.setattr(runs, "FILM_ENTRIES", 1)
    run = run_of(state, 5, lambda: held.append(1))
    assert len(held) == len(everything) > 50
    assert len(run) == 5
    assert (run[0][0].step, run[-1][0].step) == (everything[0][0].step, everything[-1][0].step)
    gaps = np.diff([iterate.step for (iterate,) in run])
    assert gaps.max() <= 3 * gaps.min()


# Films of several fits ------------------------------------------------------------------------------------
def compared(source: str, *fits: str) -> State:
    state = state_of(source, *fits[0].split(" ; "))
    document = state.document.replace(fits=tuple(parse_fit(text) for text in fits))
    return State(document, workspace_of(document.data).look(document.data))


def test_a_film_of_several_fits_runs_them_in_step_and_who_has_ended_waits(qapp):
    state = compared(
        "rings(n=40, seed=1)", "rbf(gamma=1) ; perceptron", "rbf(gamma=1) ; soft-margin-svm(C=10)"
    )
    alone = [[i for (i,) in run_of(one, 1000)] for one in map(only_its_own, state.each_fit())]
    run = run_of(state, 1000)
    ends = [own[-1].step for own in alone]
    assert ends[0] != ends[1]
    assert len(run) == 1 + max(ends)
    for k, moment in enumerate(run):
        assert [iterate.step for iterate in moment] == [min(k, end) for end in ends]
        for iterate, own in zip(moment, alone, strict=True):
            np.testing.assert_array_equal(iterate.model.beta, own[iterate.step].model.beta)


def test_a_film_of_several_fits_says_of_each_step_whose_it_is(qapp):
    state = compared("rings(n=40, seed=1)", "rbf ; perceptron", "rbf ; soft-margin-svm(C=10)")
    sheet = film_frame(state, figures_of_moment(state, run_of(state, 5)[1]), USUAL_OPTIONS)
    assert [figure.captions.caption.partition(", step")[0] for figure in sheet.panels] == [
        "A: Perceptron",
        "B: Soft-margin SVM (C = 10)",
    ]


def only_its_own(state: State) -> State:
    document = state.document
    return replace(state, document=document.replace(fits=(document.fit,), active=0))


def halves(image) -> tuple[np.ndarray, np.ndarray]:
    shown = pixels(image).reshape(image.height(), -1).copy()
    middle = shown.shape[1] // 2
    return shown[:, :middle], shown[:, middle:]


def test_a_film_of_two_fits_shows_both_side_by_side(qapp):
    state = compared("rings(n=40, seed=1)", "rbf(gamma=1) ; perceptron", "linear ; prototype")
    _, frames = run_frames(state, SMALL, 3)  # with the same room for legend and captions in all
    first, last = (halves(image) for image in list(frames)[::2])
    assert (first[0] != last[0]).any()  # the perceptron learns
    np.testing.assert_array_equal(first[1], last[1])  # the prototype is solved in one step


def test_a_sweep_of_one_of_two_fits_leaves_the_other_as_it_is(qapp):
    state = compared("rings(n=40, seed=1)", "rbf(gamma=1) ; ridge", "linear ; prototype")
    _, frames = state_frames(swept(state, [0.1, 10.0]), SMALL)
    first, last = map(halves, frames)
    assert (first[0] != last[0]).any()
    np.testing.assert_array_equal(first[1], last[1])


def test_a_film_of_several_curves_has_all_of_them_in_one_plot(qapp):
    state = compared("sine(n=20)", "rbf(gamma=1) ; kernel-sgd(epochs=3)", "rbf(gamma=1) ; ridge")
    moment = run_of(state, 2)[-1]
    figure = film_frame(state, figures_of_moment(state, moment), USUAL_OPTIONS)
    assert len([name for name in figure.make(state.look.view, 8, 8).layers if "curve" in name]) == 2


def test_several_fits_on_a_sheet_have_their_title_and_legend_once_and_keep_their_numbers(qapp, monkeypatch):
    fits = ("linear ; ridge", "polynomial(degree=2) ; ridge", "rbf(gamma=1) ; ridge", "rbf ; soft-margin-svm")
    state, said = compared("moons(n=40)", *fits), []
    for module in (captions, legend):
        monkeypatch.setattr(
            module, "draw_text", lambda _painter, _style, _at, text, **_how: said.append(text)
        )
    figures = [figure_of(own, model_of(own), Options(heading="Moons")) for own in state.each_fit()]
    files.as_image(film_frame(state, figures, Options(heading="Moons")), Options(1600, 1200, 200.0))
    assert said.count("Moons") == 1
    assert said.count("s = 0") == 1
    words = " ".join(said)
    assert words.count("n = 40") == 4
    assert "Polynomial (d = 2" in words


def test_a_film_of_strings_names_the_part_of_the_scores_once(qapp):
    state = compared("spelling", "spectrum(length=3) ; soft-margin-svm(C=1)")
    moments = [figures_of_moment(state, moment) for moment in run_of(state, 6)]
    legend = common_legend(figure for figures in moments for figure in figures)
    assert sum("training scores" in entry.text for entry in legend) > 1
    for figures in moments:
        figure = film_frame(state, figures, USUAL_OPTIONS, legend)
        told = [entry.text for entry in figure.legend if "training scores" in entry.text]
        assert told == ["part of the training scores"]
