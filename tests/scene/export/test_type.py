"""Type has the size that was asked for, in every figure, and what has no room is said."""

from __future__ import annotations

import re
import warnings
from dataclasses import replace

import pytest

import kernelviz
from kernelviz.engine.fits.parsing import dataset, parse_fit
from kernelviz.scene.export.composition import Composition, render_state
from kernelviz.scene.export.files import about_room, as_pdf
from kernelviz.scene.export.options import Options
from kernelviz.scene.panels import panel
from kernelviz.session.state import Document, State
from kernelviz.session.workspaces.registry import workspace_of
from tests.pdf_reader import texts

FITS = (
    "rbf(gamma=1) ; soft-margin-svm(C=10)",
    "linear ; logistic",
    "rbf(gamma=0.1) ; ridge",
    "polynomial(degree=3) ; perceptron",
)
CURVES = ("rbf(gamma=1) ; ridge(lam=0.1)", "polynomial(degree=3) ; ridge")
VIEWS = ("loss(hinge=true)", "gram")
SMALL = ((85.0, 45.0), (85.0, 60.0))


def state_of(source: str, *fits: str) -> State:
    data = dataset(source)
    return State(Document(data, tuple(map(parse_fit, fits)), source=source), workspace_of(data).look(data))


def options_of(size: tuple[float, float], text: float) -> Options:
    width, height = (side / 25.4 * 200.0 for side in size)
    return Options(width, height, 200.0, text=text, strokes=0.65, heading="A title")


def sizes_in(figure, options: Options) -> dict[str, set[float]]:
    """Return the sizes of the axis numbers, and those of all other words, relative to what was asked for."""
    found: dict[str, set[float]] = {"numbers": set(), "words": set()}
    for text, size in texts(as_pdf(figure, options)):
        kind = "numbers" if re.fullmatch(r"−?[\d.]+", text) else "words"
        found[kind].add(round(size / options.text, 4))
    return found


@pytest.mark.parametrize("size", [*SMALL, (178.0, 100.0)])
@pytest.mark.parametrize("text", [7.0, 8.0, 10.0])
@pytest.mark.parametrize(
    ("source", "fits"),
    [
        ("moons(n=30)", FITS[:1]),
        ("moons(n=30)", FITS[:2]),
        ("sine(n=20)", CURVES),
        ("blobs(n=30, classes=3)", FITS[:1]),
        ("spelling(n=12)", ("subsequence(length=2) ; soft-margin-svm(C=10)",)),
    ],
)
def test_axis_numbers_have_exactly_the_size_asked_for_and_other_words_their_factor(
    qapp, source, fits, size, text
):
    options = options_of(size, text)
    found = sizes_in(Composition.of_state(state_of(source, *fits)).figure(options), options)
    assert found["numbers"] == {1.0}
    assert found["words"] <= {0.88, 0.92, 1.0, 1.1, 1.3}  # captions, labels of strings, legend, names, title


@pytest.mark.parametrize("size", [*SMALL, (178.0, 100.0)])
def test_the_axis_numbers_of_views_and_of_four_fits_have_it_too(qapp, size):
    options = options_of(size, 8.0)
    with_views = Composition.computed(state_of("moons(n=30)", FITS[0]))
    found = sizes_in(with_views.figure(options, [panel(view) for view in VIEWS[:1]]), options)
    assert found["numbers"] == {1.0}
    four = sizes_in(Composition.of_state(state_of("moons(n=30)", *FITS)).figure(options), options)
    assert four["numbers"] <= {1.0}
    assert four["words"] <= {0.88, 1.0, 1.1, 1.3}


@pytest.mark.parametrize("size", SMALL)
def test_letters_tell_the_fits_apart_where_there_is_no_room_for_captions(qapp, size):
    options = options_of(size, 8.0)
    figure = Composition.of_state(state_of("moons(n=30)", *FITS)).figure(options)
    written = [text for text, _ in texts(as_pdf(figure, options))]
    assert [text for text in written if text in "ABCD"] == list("ABCD")
    assert "the caption" in about_room(figure, options)


def test_all_fits_have_their_caption_or_none(qapp):
    """One of them may need more lines than another that has more letters."""
    svm = "soft-margin-svm(C=10)"
    fits = (f"rbf(gamma=1) ; {svm}", f"linear ; {svm}", f"rbf(gamma=10) ; {svm}", "linear ; logistic")
    for text in (5.0, 6.0, 7.0):
        options = options_of((85.0, 60.0), text)
        figure = Composition.of_state(state_of("moons(n=30)", *fits)).figure(options)
        written = " ".join(text for text, _ in texts(as_pdf(figure, options)))
        captions = sum(f"{letter}: " in written for letter in "ABCD")
        assert captions in (0, 4)
        remark = about_room(figure, options)
        assert remark.count("the caption") == (captions == 0 or "Smaller" in remark)


def test_in_large_figures_nothing_is_left_out_and_nothing_is_said(qapp):
    for source, fits in (("moons(n=30)", FITS[:1]), ("moons(n=30)", FITS[:2]), ("sine(n=20)", CURVES)):
        figure = Composition.of_state(state_of(source, *fits)).figure(Options())
        assert about_room(figure, Options()) == ""


def test_what_is_missing_in_the_file_is_in_the_remark(qapp, tmp_path):
    """Legend, formula, caption and title, in a figure that becomes smaller and smaller."""
    state = state_of("moons(n=30)", FITS[0])
    left_out = []
    for height in (100.0, 60.0, 40.0, 25.0):
        options = options_of((85.0, height), 9.0)
        _, remark = render_state(state, tmp_path / "it.pdf", options)
        written = " ".join(text for text, _ in texts((tmp_path / "it.pdf").read_bytes()))
        for part, words in (("the legend", "class +"), ("the caption", "Gaussian"), ("the title", "A title")):
            assert (part in remark.partition("Smaller")[0]) == (words not in written), (height, part)
        left_out.append(remark.partition(".")[0].count("the "))
    assert left_out == sorted(left_out)
    assert left_out[-1] >= 4


def test_names_that_end_in_dots_are_in_the_remark(qapp):
    named = replace(
        dataset("moons(n=20)"), columns=("the height of all grown-up people of the county in cm", "y")
    )
    state = State(Document(named, (parse_fit(FITS[0]),)), workspace_of(named).look(named))
    figure = Composition.of_state(state).figure(options_of((85.0, 60.0), 9.0))
    assert (
        "the names of the axes" in about_room(figure, options_of((85.0, 60.0), 9.0)).partition("Smaller")[2]
    )
    wide = options_of((240.0, 170.0), 9.0)
    assert "the names of the axes" not in about_room(Composition.of_state(state).figure(wide), wide)


def test_a_script_is_warned_once_and_only_where_there_is_too_little_room(qapp, tmp_path):
    data = dataset("moons(n=20)")
    with pytest.warns(UserWarning, match="There is no room for .*Choose a larger figure") as caught:
        kernelviz.render(tmp_path / "it.pdf", data, size="40x30mm")
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kernelviz.render(tmp_path / "it.pdf", data, size="200x150mm")
