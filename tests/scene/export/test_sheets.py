"""Figures of many panels: the values of parameters, several fits and several data sets."""

from __future__ import annotations

import shlex
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QRectF

import kernelviz
from kernelviz.cli.render import FigureJob, draw
from kernelviz.cli.terminal import DONE
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import dataset, parse_fit
from kernelviz.scene.export.files import about_room, as_svg, laid_out
from kernelviz.scene.export.options import Options
from kernelviz.scene.export.sheet import PanelSheet
from kernelviz.scene.export.sheets import SheetFigure, states_of
from kernelviz.scene.layers import Polylines
from kernelviz.scene.nodes import Message
from kernelviz.scene.panels import panel
from kernelviz.scene.plane.layers import FieldLayer, GlyphLayer
from kernelviz.scene.plots import PlacedPlane
from kernelviz.session.files.kviz import FIGURE, load
from kernelviz.session.scripts.command import command_line
from kernelviz.session.scripts.script import kernelviz_script
from kernelviz.session.scripts.text import Sheet
from kernelviz.session.size_presets import PRESETS
from kernelviz.session.sources import Requested
from kernelviz.session.state import Document, State
from kernelviz.session.view import ViewRange
from kernelviz.session.workspaces.registry import workspace_of
from tests.command_lines import refused

SVM = "rbf(gamma=1) ; soft-margin-svm(C=10)"
NINE = ("gamma=0.1,1,10", "C=1,10,100")
PAGE = PRESETS["two-columns"].applied(Options(), 100.0)


def state_of(source: str = "moons(n=40, seed=1)", *fits: str) -> State:
    data = dataset(source)
    made = tuple(map(parse_fit, fits or (SVM,)))
    return State(Document(data, made, source=source), workspace_of(data).look(data))


def planes(sheet: PanelSheet, options: Options = PAGE) -> list[PlacedPlane]:
    return [leaf for leaf in laid_out(sheet, options).leaves if isinstance(leaf, PlacedPlane)]


def sheet_of(*states: State, grid=NINE, views=(), options: Options = PAGE) -> PanelSheet:
    figure = SheetFigure(states_of(states or [state_of()], grid), [panel(view) for view in views])
    return figure.node(options)


# What the panels are ----------------------------------------------------------------------------------------
def test_the_first_parameter_goes_across_and_the_second_one_down():
    panels = states_of([state_of()], NINE)
    assert panels.across == ("γ = 0.1", "γ = 1", "γ = 10")
    assert panels.down == ("C = 1", "C = 10", "C = 100")
    found = [(state.document.kernel.gamma, state.document.algorithm.C) for state in panels.states]
    assert found == [(gamma, C) for C in (1.0, 10.0, 100.0) for gamma in (0.1, 1.0, 10.0)]


def test_fits_and_data_sets_are_columns_and_rows_and_each_panel_has_one_fit():
    several = ["linear ; soft-margin-svm(C=1)", "rbf(gamma=2) ; soft-margin-svm(C=1)"]
    sources = ["moons(n=20)", "rings(n=20)", "xor(n=20)"]
    panels = states_of([state_of(source, *several) for source in sources])
    assert panels.across == ("Linear", "Gaussian (γ = 2)")
    assert panels.down == tuple(sources)
    for k, state in enumerate(panels.states):
        assert state.document.fits == (parse_fit(several[k % 2]),)
        assert state.document.source == sources[k // 2]
    over = states_of([state_of("moons(n=20)", *several)], ["C=1,2,3"])
    assert (over.across, over.down) == (("C = 1", "C = 2", "C = 3"), ("Linear", "Gaussian (γ = 2)"))
    assert [state.document.algorithm.C for state in over.states] == [1, 2, 3, 1, 2, 3]


@pytest.mark.parametrize(
    ("sources", "grid", "sentence"),
    [
        (1, ["gamma=0.1:1:40", "C=1:2:25"], r"room for 36 panels, not for 1,000\."),
        (1, ["gama=1,2"], "no number called 'gama'. Did you mean gamma"),
        (1, ["gamma=1,-2"], "gamma of .* must lie between"),
        (1, ["gamma=1,two"], "A list of values of gamma is written as in"),
        (1, ["gamma=1,2", "gamma=3,4"], "gamma is given twice"),
        (1, ["gamma"], "NAME="),
        (1, ["gamma=1,2", "C=1,2", "tol=0.1,0.2"], "One or two numbers"),
        (2, ["gamma=1,2", "C=1,2"], "rows and columns"),
    ],
)
def test_impossible_grids_are_refused_in_a_sentence(sources, grid, sentence):
    with pytest.raises(BadInput, match=sentence):
        states_of([state_of()] * sources, grid)


# Where they stand -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("grid", [NINE, ["gamma=0.1:10:7"], ["gamma=1,2,3,4,5,6", "C=1,2,3,4,5,6"]])
@pytest.mark.parametrize("options", [PAGE, PRESETS["one-column"].applied(Options(), 100.0)])
def test_panels_are_equal_stay_apart_and_on_the_sheet(qapp, grid, options):
    found = planes(sheet_of(grid=grid), options)
    assert len(found) == len(states_of([state_of()], grid).states)
    sheet = QRectF(0, 0, *options.size)
    assert all(sheet.contains(plane.inner) for plane in found)
    assert not any(a.inner.intersects(b.inner) for a, b in combinations(found, 2))
    assert {(round(p.inner.width(), 6), round(p.inner.height(), 6)) for p in found} == {
        (round(found[0].inner.width(), 6), round(found[0].inner.height(), 6))
    }
    assert {plane.view for plane in found} == {found[0].view}


def test_numbers_stand_once_along_each_row_and_column(qapp):
    numbered = [plane.node.axes.numbered for plane in planes(sheet_of())]
    assert numbered == [(k >= 6, k % 3 == 0) for k in range(9)]
    of_others = [state_of("moons(n=40)"), state_of("sine(n=20)", "rbf ; ridge")]
    numbered = [plane.node.axes.numbered for plane in planes(sheet_of(*of_others, grid=["gamma=1,2"]))]
    assert numbered == [(True, True), (True, False)] * 2


def test_one_parameter_fills_the_sheet_with_a_row_or_several(qapp):
    wide, tall = replace(PAGE, width=1200.0, height=300.0), replace(PAGE, width=400.0, height=1000.0)
    sheet = sheet_of(grid=["gamma=1,2,3,4"])
    assert len({plane.inner.top() for plane in planes(sheet, wide)}) == 1
    assert len({plane.inner.left() for plane in planes(sheet, tall)}) < 3


def test_limits_with_equal_units_give_panels_of_that_shape(qapp):
    state = state_of()
    look = state.look.replace(limits=ViewRange(-2.0, 4.0, -1.0, 1.0))
    for plane in planes(sheet_of(replace(state, look=look))):
        assert plane.inner.width() == pytest.approx(3.0 * plane.inner.height())


@pytest.mark.parametrize("width", [64.0, 100.0, 200.0, 400.0])
@pytest.mark.parametrize("height", [64.0, 100.0, 200.0])
def test_where_there_is_no_room_axes_and_words_are_left_out_with_a_remark(qapp, width, height):
    options = replace(PAGE, width=width, height=height, dpi=72.0)
    sheet = sheet_of(grid=["gamma=1,2,3,4,5,6", "C=1,2,3,4,5,6"])
    as_svg(sheet, options)
    assert about_room(sheet, options).startswith("There is no room for")


def test_titles_stand_for_the_names_or_in_the_corners_with_the_letters(qapp):
    words = {"letters": True, "panel_titles": ("wide", "narrow"), "xlabel": "width (cm)"}
    one = sheet_of(grid=["gamma=1,100"], options=replace(PAGE, **words))
    assert (list(one.across), list(one.corners)) == (["wide", "narrow"], ["(a)", "(b)"])
    assert b"width (cm)" in as_svg(one, PAGE)
    drawn = as_svg(one, PAGE)
    assert drawn.rindex(b"(b)") > drawn.rindex(b"<image"), "above the fields"
    two = sheet_of(options=replace(PAGE, **words))
    assert two.across == ("γ = 0.1", "γ = 1", "γ = 10")
    assert two.corners[:3] == ["(a) wide", "(b) narrow", "(c)"]
    with pytest.raises(BadInput, match="3 panel titles for 2"):
        sheet_of(grid=["gamma=1,100"], options=replace(PAGE, panel_titles=("a", "b", "c")))


def test_a_legend_below_the_panels_instead_of_in_a_corner_is_said(qapp):
    for legend, said in (("outside", ""), ("none", ""), ("lower-right", "the legend in its corner")):
        own = replace(PAGE, legend=legend)
        assert said in (told := about_room(sheet_of(options=own), own))
        assert bool(said) == bool(told)


def test_entries_of_the_legend_can_be_renamed_or_left_out(qapp):
    own = replace(PAGE, entries=("class +=healthy", "s = ±1="))
    texts = [entry.text for entry in sheet_of(options=own).legend]
    assert "healthy" in texts
    assert "s = ±1" not in texts
    with pytest.raises(BadInput, match="no entry called 'class x'"):
        sheet_of(options=replace(PAGE, entries=("class x=y",)))


# What is shared ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("source", ["moons(n=40)", "languages(n=16)"])
def test_all_fields_have_one_unit_of_colour(qapp, source):
    fit = SVM if source.startswith("moons") else "subsequence(length=2) ; soft-margin-svm"
    grid = ["C=0.01,1,1000"]
    layers = [layer for plane in planes(sheet_of(state_of(source, fit), grid=grid)) for layer in plane.layers]
    inner = [getattr(layer, "layer", layer) for layer in layers]  # the field of a map is faded
    units = [layer.unit for layer in inner if isinstance(layer, FieldLayer)]
    assert len(units) == 3
    assert len(set(units)) == 1
    assert units[0] is not None


def test_the_legend_has_what_any_panel_shows(qapp):
    texts = [entry.text for entry in sheet_of().legend]
    assert {"class +", "s = 0", "support vector", "at the bound", "misclassified"} <= set(texts)
    assert len(texts) == len(set(texts))


def test_marks_shrink_with_the_panels_and_the_type_does_not(qapp):
    one = planes(sheet_of(grid=["gamma=1,2"]))[0].style
    many = planes(sheet_of(grid=["gamma=1,2,3,4,5,6", "C=1,2,3,4,5,6"]))[0].style
    assert many.glyphs < 0.6 * one.glyphs
    assert many.text == one.text == PAGE.text


def test_the_caption_says_what_all_panels_have_in_common(qapp):
    assert sheet_of().words.caption == "Gaussian · Soft-margin SVM · n = 40"
    assert sheet_of(grid=["gamma=1,2"]).words.caption == "Gaussian · Soft-margin SVM (C = 10) · n = 40"
    assert sheet_of(options=replace(PAGE, caption=False, heading="Nine")).words.title == "Nine"
    assert sheet_of(options=replace(PAGE, caption=False)).words.caption == ""


# Other workspaces -------------------------------------------------------------------------------------------
def test_each_map_says_how_much_of_the_scores_it_shows(qapp):
    sheet = sheet_of(
        state_of("languages(n=16)", "subsequence(length=2) ; soft-margin-svm"), grid=["decay=0.3,0.9"]
    )
    assert all(note.endswith("of the training scores") for note in sheet.notes)
    assert len(set(sheet.notes)) == 2
    assert [e.text for e in sheet.legend if "training scores" in e.text] == ["part of the training scores"]


def test_a_fit_that_has_no_solution_is_said_in_its_panel(qapp):
    sheet = sheet_of(state_of("xor(n=20)", "polynomial(degree=2) ; hard-margin-svm"), grid=["degree=1,2"])
    assert sheet.notes == ["not separable", ""]
    assert b"not separable" in as_svg(sheet, PAGE)


def test_curves_stand_in_panels_too(qapp):
    sheet = sheet_of(state_of("sine(n=20)", "rbf ; ridge"), grid=["gamma=0.1,10", "lam=0.01,1"])
    found = [[type(layer) for layer in plane.layers] for plane in planes(sheet)]
    assert len(found) == 4
    assert all({Polylines, GlyphLayer} <= set(kinds) for kinds in found)


def test_views_are_rows_below_the_canvas(qapp):
    sheet = sheet_of(grid=["gamma=1,10"], views=["gram", "loss"])
    assert len(sheet.panels) == 6
    assert sheet.down == ("", "Gram matrix", "Loss")
    assert not any(isinstance(node, Message) for node in sheet.panels)
    assert len(planes(sheet)) == 2
    alone = sheet_of(grid=["gamma=1,10"], views=["loss"], options=replace(PAGE, canvas=False))
    assert (len(alone.panels), alone.down) == (2, ("Loss",))
    with pytest.raises(BadInput, match="Views are the rows"):
        sheet_of(views=["loss"])


# Files ------------------------------------------------------------------------------------------------------
def test_the_command_line_python_and_what_is_copied_draw_the_same_nine_panels(qapp, run, tmp_path):
    options = replace(PAGE, width=700.0, height=480.0, grid=NINE)
    requested = Requested("moons(n=40, seed=1)", fit=[SVM])
    outcome = draw(FigureJob(requested, str(tmp_path / "cli.png"), options))
    assert (outcome.code, outcome.sentence) == (DONE, "")
    state, extra = load(tmp_path / "cli.png")
    assert state.document.fits == (parse_fit(SVM),)
    assert extra[FIGURE]["grid"] == list(NINE)
    script = kernelviz_script(state, Sheet(options))
    assert f"grid={NINE!r}" in script.replace("\n    ", " ")
    exec(compile(script.replace("figure-kernelviz", str(tmp_path / "py")), "script", "exec"), {})
    line = shlex.split(command_line(state_of(), Sheet(options)))
    assert line[:2] == ["kernelviz", "render"]
    line[line.index("-o") + 1] = str(tmp_path / "copied.png")
    assert run(*line[1:])[::2] == (0, "")
    first, *others = (np.array(Image.open(tmp_path / f"{name}.png")) for name in ("cli", "py", "copied"))
    assert all(np.array_equal(first, other) for other in others)


def test_many_fits_and_several_data_can_be_drawn_from_python(qapp, tmp_path):
    several = [f"rbf(gamma={k}) ; soft-margin-svm" for k in range(1, 7)]
    size = {"size": "800x600", "dpi": 100.0}
    model = kernelviz.render(tmp_path / "fits.png", dataset("moons(n=20)"), fits=several, **size)
    assert model.problem.kernel.gamma == 1.0
    assert load(tmp_path / "fits.png")[0].document.fits == tuple(map(parse_fit, several[:4]))
    data = [dataset("moons(n=20)"), dataset("rings(n=20)")]
    kernelviz.render(tmp_path / "data.svg", data, grid=["gamma=1,2"], **size)
    with pytest.raises(BadInput, match="up to 36 fits"):
        kernelviz.render(tmp_path / "no.png", data[0], fits=several * 7)


def test_every_panel_can_be_written_as_a_figure_of_its_own(qapp, tmp_path):
    options = replace(PAGE, grid=("gamma=0.5,1", "C=1,2"))
    draw(FigureJob(Requested("moons(n=20)", fit=[SVM]), str(tmp_path / "a.svg"), options, each=True))
    names = sorted(path.name for path in tmp_path.iterdir())
    pairs = [f"a-gamma-{gamma}-C-{C}.svg" for gamma in ("0.5", "1") for C in ("1", "2")]
    assert names == sorted(["a.svg", *pairs])
    assert "γ = 0.5" in (tmp_path / pairs[0]).read_text(encoding="utf-8")


def test_several_sources_in_one_file_are_rows(run, tmp_path):
    file = tmp_path / "rows.svg"
    line = ["moons(n=20)", "rings(n=20)", "--grid", "gamma=1,2", "--kernel", "rbf", "-o", str(file)]
    assert run("render", *line) == (0, "", "")
    text = file.read_text(encoding="utf-8")
    assert all(name in text for name in ("moons(n=20)", "rings(n=20)", "γ = 1", "γ = 2"))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--grid", "gamma=1:10:1000", "-o", "a.png"], "room for 36 panels, not for 1,000"),
        (["--grid", "depth=1,2", "-o", "a.png"], "no number called 'depth'"),
        (["--grid", "gamma=1,2", "-o", "a.gif"], "leave --grid out"),
        (["xor", "-o", "a.gif"], "Several sources need a pattern"),
        (["--each", "-o", "-"], "--each writes several files"),
        (["--fit", "rbf ; ridge"] * 37 + ["-o", "a.png"], "room for 36 fits"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_a_line(run, tmp_path, monkeypatch, options, sentence):
    monkeypatch.chdir(tmp_path)
    assert sentence in refused(run("render", "moons(n=20)", *options))


def test_a_grid_is_remembered_as_it_was_typed_and_junk_is_refused():
    assert Options(grid="gamma=1,2; C=1,2").grid == ("gamma=1,2", "C=1,2")
    assert Options(grid=[" gamma=1,2 ", ""]).grid == ("gamma=1,2",)
    with pytest.raises(BadInput, match="not 3"):
        Options(grid=3)
