"""What the export dialogues ask for, without the dialogues."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelviz.engine.core.errors import BadInput
from kernelviz.scene.export.options import Options
from kernelviz.session.figure_options import FigureOptions
from kernelviz.session.scripts.command import COMMAND_NAMES
from kernelviz.session.size_presets import PRESETS
from kernelviz.ui.dialogs.choices import OWN, FigureChoices, FilmChoices


@pytest.mark.parametrize("preset", list(PRESETS))
def test_a_preset_brings_all_its_measures(preset):
    made = FigureChoices.usual().with_preset(preset).options()
    usual = PRESETS[preset].applied(Options())
    assert (made.width, made.height, made.dpi) == (usual.width, usual.height, usual.dpi)
    assert (made.text, made.strokes) == (usual.text, usual.strokes)


@given(st.floats(5, 400), st.floats(30, 1200))
def test_the_other_unit_is_the_same_size(width, dpi):
    choices = FigureChoices.usual().replace(width=width, height=width, dpi=dpi)
    there = choices.in_unit("px")
    assert there.preset == OWN
    assert there.width == round(width / 25.4 * dpi)
    assert there.in_unit("mm").width == pytest.approx(width, abs=25.4 / dpi)
    assert there.in_unit("px") is there


def test_a_huge_page_is_no_problem_for_vectors_but_one_for_pixels():
    poster = FigureChoices.usual().replace(width=594.0, height=841.0, dpi=600.0)
    with pytest.raises(BadInput, match="smaller size or a lower dpi"):
        poster.options()
    page = poster.replace(format="PDF").options()
    assert page.size == pytest.approx((594 / 25.4 * 72, 841 / 25.4 * 72), rel=1e-3)


def test_text_becomes_outlines_in_svg_only():
    assert FigureChoices(format="SVG", outlines=True).options().outlines
    assert not FigureChoices(format="PDF", outlines=True).options().outlines


def test_a_films_type_grows_with_its_width():
    small, large = (FilmChoices.usual().replace(width=w).options() for w in (640, 1280))
    assert large.pixels_per_point == pytest.approx(2 * small.pixels_per_point)


@pytest.mark.parametrize("kind", [FigureChoices, FilmChoices])
def test_what_was_chosen_last_comes_back_and_nonsense_does_not(kind):
    choices = kind.usual().replace(theme="dark", text=11.0)
    assert kind.remembered(json.loads(json.dumps(choices.values()))) == choices
    spoilt = {**choices.values(), "text": "large", "theme": "pink", "unknown": 1, "width": -3}
    assert kind.remembered(spoilt) == kind.usual()


def test_every_figure_option_is_offered_by_the_dialogue_and_on_the_command_line(run):
    offered = {parameter.name for group in FigureChoices.groups().values() for parameter in group}
    options = {parameter.name for parameter in FigureOptions.parameters()} - {"width", "height"}
    assert options <= offered | {"canvas"}
    help_text = run("render", "--help")[1]
    for name in options:
        assert f"--{COMMAND_NAMES.get(name, name)} " in help_text or f"--no-{name} " in help_text, name


def test_a_film_has_no_options_that_do_nothing_for_it():
    offered = {parameter.name for group in FilmChoices.groups().values() for parameter in group}
    assert {"theme", "text", "strokes"} < offered
    assert not offered & {"dpi", "transparent", "outlines", "width"}
