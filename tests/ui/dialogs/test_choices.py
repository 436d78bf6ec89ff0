"""What the export dialogues ask for, without the dialogues."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import algorithm, dataset, kernel
from kernelviz.engine.selection.tunable import knobs
from kernelviz.scene.export.options import Options
from kernelviz.session.figure_options import PRESETS
from kernelviz.session.state import Document
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
    with pytest.raises(BadInput, match="SVG or PDF"):
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


# Knobs ---------------------------------------------------------------------------------------------------
def document(kernel_text: str, algorithm_text: str) -> Document:
    return Document.of(dataset("rings(n=20, seed=1)"), kernel(kernel_text), algorithm(algorithm_text))


def knob(doc: Document, name: str):
    return next(k for k in knobs(doc.fit) if k.parameter.name == name)


def test_every_number_can_be_turned_also_those_of_the_parts_of_a_kernel():
    doc = document("linear + 2*rbf(gamma=3)", "soft-margin-svm(C=10)")
    found = {k.parameter.name: k.value for k in knobs(doc.fit)}
    assert {"scale": 2.0, "gamma": 3.0, "C": 10.0}.items() <= found.items()
    silent = [k.parameter.silent for k in knobs(doc.fit)]
    assert silent == sorted(silent)


def test_an_algorithm_without_a_kernel_offers_none_of_its_parameters():
    doc = document("rbf(gamma=1)", "feature-map")
    assert not [k for k in knobs(doc.fit) if k.whose == "kernel"]


def test_a_sweep_runs_on_the_parameters_scale_both_ways():
    gamma = knob(document("rbf(gamma=1)", "ridge(lam=1)"), "gamma")
    assert gamma.usual() == (0.01, 100.0)
    assert gamma.values(0.01, 100.0, 5) == pytest.approx([0.01, 0.1, 1.0, 10.0, 100.0])
    assert gamma.values(100.0, 0.01, 5) == pytest.approx([100.0, 10.0, 1.0, 0.1, 0.01])


def test_whole_numbers_are_swept_without_repeats():
    degree = knob(document("polynomial(degree=3, c=1)", "ridge(lam=1)"), "degree")
    assert degree.values(1, 4, 20) == [1, 2, 3, 4]


def test_each_state_of_a_sweep_has_its_value():
    doc = document("rbf(gamma=1)", "soft-margin-svm(C=10)")
    swept = [doc.turned(knob(doc, "C"), value) for value in (1.0, 3.0)]
    assert [s.algorithm.C for s in swept] == [1.0, 3.0]


@pytest.mark.parametrize(("start", "end", "sentence"), [(1.0, 1.0, "different"), (-1.0, 1.0, "lie between")])
def test_impossible_ends_are_refused_in_words(start, end, sentence):
    gamma = knob(document("rbf(gamma=1)", "ridge(lam=1)"), "gamma")
    with pytest.raises(BadInput, match=sentence):
        gamma.values(start, end, 5)
