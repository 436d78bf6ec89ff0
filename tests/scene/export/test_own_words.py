"""The words of an author in figures: axes, titles, letters, the legend and its place, captions."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QRectF

import kernelviz
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import dataset, parse_fit
from kernelviz.scene.export.composition import Composition
from kernelviz.scene.export.files import about_room, as_pdf, laid_out
from kernelviz.scene.export.films import run_frames
from kernelviz.scene.export.options import Options
from kernelviz.scene.figure.text import CLOSE, OPEN, marked, overshoot, text_width, with_dots, wrapped
from kernelviz.scene.panels import panel
from kernelviz.session.figure_options import LEGEND_CORNERS
from kernelviz.session.state import Document, State
from kernelviz.session.workspaces.registry import workspace_of
from tests.pdf_reader import texts

SVM = "rbf(gamma=1) ; soft-margin-svm(C=10)"
LINE = "linear ; soft-margin-svm(C=1)"


def state_of(data: Data | str, *fits: str) -> State:
    data = dataset(data) if isinstance(data, str) else data
    return State(Document(data, tuple(map(parse_fit, fits or (SVM,)))), workspace_of(data).look(data))


def words_of(state: State, *views: str, **options) -> list[str]:
    """Return the texts of a figure, as its PDF has them."""
    how = Options(**options)
    made = Composition.computed(state) if views else Composition.of_state(state)
    figure = made.figure(how, [panel(view) for view in views])
    return [text for text, _ in texts(as_pdf(figure, how))]


# Lines with formulas ------------------------------------------------------------------------------------
def test_a_formula_is_as_wide_as_it_is_drawn_and_never_cut(qapp):
    line = marked(r"speed $\frac{dx}{dt}$ in metres per second")
    assert text_width(line, 9.0) > text_width("speed  in metres per second", 9.0)
    for share in (0.9, 0.5, 0.3, 0.2, 0.1):
        cut = with_dots(line, 9.0, share * text_width(line, 9.0))
        assert cut.count(OPEN) == cut.count(CLOSE)
        assert text_width(cut, 9.0) <= max(share * text_width(line, 9.0), text_width("…", 9.0)) + 1e-6


def test_a_formula_with_blanks_stays_on_one_line(qapp):
    lines = wrapped(marked(r"all of $a + b + c + d$ is here"), 9.0, 30.0)
    assert [line for line in lines if OPEN in line] == [f"{OPEN}a + b + c + d{CLOSE}"]
    assert wrapped("in 5 lines", 9.0, 1.0) == ["in", "5", "lines"]


def test_deep_formulas_need_more_room_than_letters(qapp):
    assert overshoot("letters", 9.0) == (0.0, 0.0)
    above, below = overshoot(marked(r"$\frac{a}{\frac{b}{c}}$"), 9.0)
    assert above > 0
    assert below > above


@pytest.mark.parametrize("latex", [r"\frac{1", r"\frac{a}{b", "a}b", "x^", r"\begin{x}", "a" * 1500])
def test_a_formula_that_does_not_parse_is_refused_in_a_sentence(latex):
    with pytest.raises(BadInput, match=r"x axis: (the formula .* cannot be typeset|\d+ characters)"):
        Options(xlabel=f"speed ${latex}$")


def test_a_command_that_is_not_known_is_refused_unless_the_paper_may_know_it():
    with pytest.raises(BadInput, match=r"^x axis: the command \\celsius is not known\.$"):
        Options(xlabel=r"temperature $T$ ($\celsius$)")
    assert Options(xlabel=r"$T$ ($\celsius$)", words="latex").words == "latex"
    assert Options(xlabel=r"$\{\mathbb{R}^2 \mid \operatorname{sign}(x) = \text{a\_b}\}$").xlabel


def test_a_number_stays_with_its_sign_and_its_name():
    assert wrapped("Linear · n = 80, error 5 %", 9.0, 1.0) == ["Linear", "·", "n = 80,", "error", "5 %"]


# Axes ---------------------------------------------------------------------------------------------------
def test_axes_have_the_names_of_the_author(qapp):
    found = words_of(state_of("moons(n=20)"), xlabel="temperature (°C)", ylabel="depth $d_1$ (m)")
    assert "temperature (°C)" in found
    assert {"depth ", " (m)"} <= set(found)
    assert not {"x₁", "x₂"} & set(found)


def test_names_from_data_are_plain_text_with_their_dollars(qapp):
    data = Data.labelled([[0.0, 0.0], [1.0, 1.0]], ["a$b$", "c"], columns=["$x_1$", "cost $"])
    found = words_of(state_of(data))
    assert {"$x_1$", "cost $", "a$b$"} <= set(found)


# Legend -------------------------------------------------------------------------------------------------
def test_entries_of_the_legend_have_the_words_of_the_author_or_are_left_out(qapp):
    entries = ["class +=healthy", "class -=ill at $t = 0$", "s = +-1="]
    found = words_of(state_of("moons(n=20)"), entries=entries)
    assert {"healthy", "ill at ", "s = 0"} <= set(found)
    assert not {"class +", "class −", "s = ±1"} & set(found)


def test_an_entry_that_no_legend_has_is_refused_with_the_nearest(qapp):
    with pytest.raises(BadInput, match=r"no entry called 'clas \+'. Did you mean class \+"):
        words_of(state_of("moons(n=20)"), entries=["clas +=healthy"])
    with pytest.raises(BadInput, match="no entry called 'curve'"):
        run_frames(state_of("moons(n=20)"), Options(entries=("curve=fit",)), 5)


def test_words_for_mistakes_are_no_error_while_there_are_none(qapp):
    state = state_of("gaussians(n=20, distance=9)")
    assert "misclassified" not in words_of(state)
    words_of(state, entries=["misclassified=wrong"])


def place_of(corner: str, *fits: str, **options) -> tuple[QRectF, list[QRectF]]:
    """Return the rectangles of the legend and of the plots."""
    how = Options(legend=corner, formula=False, caption=False, **options)
    leaves = laid_out(Composition.of_state(state_of("moons(n=20)", *fits)).figure(how), how).leaves
    legend = next(leaf for leaf in leaves if leaf.part == "legend")
    return legend.rect, [leaf.inner for leaf in leaves if leaf.part == "plane"]


@pytest.mark.parametrize("corner", LEGEND_CORNERS)
def test_a_legend_stands_in_its_corner_of_the_plot(qapp, corner):
    legend, (plot,) = place_of(corner)
    assert plot.contains(legend)
    assert (legend.center().x() < plot.center().x()) == corner.endswith("left")
    assert (legend.center().y() < plot.center().y()) == corner.startswith("upper")
    first, second = place_of(corner, SVM, LINE, width=2400.0)[1]
    own = first if corner.endswith("left") else second
    assert own.contains(place_of(corner, SVM, LINE, width=2400.0)[0])


def test_a_legend_outside_covers_no_plot(qapp):
    legend, (plot,) = place_of("outside")
    assert not plot.intersects(legend)


def test_a_corner_without_room_for_the_legend_is_said(qapp):
    how = Options(legend="lower-left", width=160.0, height=120.0)
    figure = Composition.of_state(state_of("moons(n=20)")).figure(how)
    assert "legend" in about_room(figure, how)
    assert all(leaf.part != "legend" for leaf in laid_out(figure, how).leaves)


@pytest.mark.parametrize(("place", "there"), [("none", False), ("outside", True), ("upper-left", True)])
def test_a_legend_is_drawn_unless_there_is_to_be_none(qapp, tmp_path, place, there):
    kernelviz.render(tmp_path / "own.pdf", kernelviz.dataset("moons(n=20)"), legend=place)
    assert ("class +" in {text for text, _ in texts((tmp_path / "own.pdf").read_bytes())}) == there


# Titles, letters and captions ---------------------------------------------------------------------------
def test_letters_and_titles_stand_above_plots_and_views(qapp):
    titles = {"letters": True, "panel_titles": ("Linear", "The loss $z s(x)$")}
    beside = words_of(state_of("moons(n=20)"), "loss", "gram", heading="Three views", **titles)
    assert {"(a)", "(b)", "(c)", "Linear", "The loss ", "Three views"} <= set(beside)
    fits = words_of(state_of("moons(n=20)", SVM, LINE), caption=False, **titles)
    assert {"(a)", "(b)", "Linear"} <= set(fits)
    assert not any(text.startswith(("A:", "B:")) for text in fits)
    with pytest.raises(BadInput, match="2 panel titles for 1 plot or view"):
        words_of(state_of("moons(n=20)"), panel_titles=("a", "b"))


@pytest.mark.parametrize("fits", [(SVM,), (SVM, LINE)])
def test_a_caption_of_ones_own_stands_once_in_place_of_ours(qapp, fits):
    own = "Points and boundaries."
    found = words_of(state_of("moons(n=20)", *fits), caption_text=own)
    assert found.count(own) == 1
    assert not any("Soft-margin SVM (C" in text and "support vectors" in text for text in found)
    assert own not in words_of(state_of("moons(n=20)", *fits), caption_text=own, caption=False)


def test_several_curves_in_one_plot_have_one_caption_of_the_author(qapp):
    state = state_of("sine(n=20)", "rbf ; ridge", "linear ; ridge")
    assert words_of(state, caption_text="Two curves.").count("Two curves.") == 1


def test_a_script_draws_the_words_too(qapp, tmp_path: Path):
    data = kernelviz.dataset("moons(n=20)")
    words = {"xlabel": "length (mm)", "ylabel": "$x_2$", "letters": True, "legend": "upper-left"}
    kernelviz.render(tmp_path / "own.pdf", data, title="Moons", caption="In my words.", **words)
    found = {text for text, _ in texts((tmp_path / "own.pdf").read_bytes())}
    assert {"Moons", "In my words.", "length (mm)", "(a)", "class +"} <= found
