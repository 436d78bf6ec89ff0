"""Views as text: `gram(face=Mercers_sum)` on the command line, in scripts and in figures."""

from __future__ import annotations

import pytest

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import CHOICE
from kernelviz.engine.fits.expressions import calls
from kernelviz.scene.export.composition import Composition
from kernelviz.scene.panels import FigurePanel, opened, panel, views_for_scripts, written
from kernelviz.session.sources import Requested
from kernelviz.session.view_listing import parse_view

FACES = [
    (view, parameter.name, option)
    for view in views_for_scripts().values()
    for parameter in view.parameters()
    if parameter.kind is CHOICE
    for option in parameter.options
]


@pytest.mark.parametrize(("view", "name", "option"), FACES)
def test_every_face_of_a_view_can_be_written_and_read(view, name, option):
    shown = FigurePanel(view().replace(**{name: option}))
    assert panel(written(shown)).view == shown.view
    assert panel(f'{view.name}({name}="{option}")').view == shown.view
    assert not set(written(shown)) & set("'\"₀|·")


@pytest.mark.parametrize(
    "text", ["gram(face=Mercers_sum)", "gram(face=mercers-sum)", 'gram(face="Mercer\'s sum")']
)
def test_a_face_is_read_with_and_without_blanks_and_apostrophes(text):
    assert panel(text).view.values()["face"] == "Mercer's sum"


def test_the_advice_for_a_misspelt_face_can_be_typed():
    with pytest.raises(BadInput, match=r"Did you mean three_widths\?"):
        panel("response(face=three_width)")
    assert panel("response(face=three_widths)").view.values()["face"] == "three widths"


def test_views_that_need_long_work_are_drawn_once_it_is_done(qapp):
    known = Composition.computed(Requested("moons(n=20)").state()[0])
    panels = opened(map(parse_view, ["gram", "edits", "inspector", "learning", "sweep(support=true)"]))
    assert [written_out.view.name for written_out in panels] == ["gram", "learning", "sweep"]
    assert panels[2].view.support
    assert "Open it first" in known.scene_of(panels[2]).reason
    assert [known.scene_of(each).reason for each in known.worked_out(panels)] == ["", "", ""]


def test_views_are_separated_by_commas_outside_of_parentheses_and_quotes():
    assert calls('functions(other="K(x₀, ·)"), loss(hinge=true, over=s) ,gram') == [
        'functions(other="K(x₀, ·)")',
        "loss(hinge=true, over=s)",
        "gram",
    ]
