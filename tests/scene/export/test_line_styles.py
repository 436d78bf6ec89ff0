"""The width and the dashes of single lines of a figure."""

from __future__ import annotations

import pytest

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import dataset, parse_fit
from kernelviz.scene.curve.layers import PENS as CURVE_PENS
from kernelviz.scene.export.composition import Composition
from kernelviz.scene.export.files import as_image
from kernelviz.scene.export.options import Options
from kernelviz.scene.figure.style import Style
from kernelviz.scene.plane.lines import PENS
from kernelviz.session.line_styles import DASHES, LINES, line_styles
from kernelviz.session.state import Document, State
from kernelviz.session.workspaces.registry import workspace_of


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize("dash", list(DASHES))
def test_every_line_has_the_width_and_the_dashes_asked_for(name, dash):
    ink = {**CURVE_PENS, **PENS}[name]
    made = ink(Style(strokes=0.6, lines=line_styles((f"{name}=2.5 {dash}",))))
    assert made.widthF() == 2.5
    assert len(made.dashPattern()) == len(DASHES[dash])
    usual = ink(Style(strokes=0.6))
    assert ink(Style(strokes=0.6, lines=line_styles((f"{name}=1.5",)))).dashPattern() == pytest.approx(
        [length * usual.widthF() / 1.5 for length in usual.dashPattern()]
    )
    assert ink(Style(strokes=0.6, lines=line_styles((f"{name}={dash}",)))).widthF() == usual.widthF()


def test_the_figure_has_the_line_too(qapp):
    data = dataset("moons(n=20)")
    fit = parse_fit("rbf ; soft-margin-svm")
    figure = Composition.of_state(State(Document(data, (fit,)), workspace_of(data).look(data))).figure
    usual = as_image(figure(), Options(400, 300, 72.0))
    assert as_image(figure(), Options(400, 300, 72.0, line_styles=("margins=3 dotted",))) != usual
    assert as_image(figure(), Options(400, 300, 72.0, line_styles=("truth=3",))) == usual


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("bondary=2", "no line called 'bondary'. Did you mean boundary"),
        ("boundary", "as in boundary=2 dashed"),
        ("boundary=thick", "as in boundary=2 dashed"),
        ("boundary=50", "lies between 0.05 and 20 points, not 50"),
    ],
)
def test_what_is_no_line_is_refused_in_a_sentence(text, sentence):
    with pytest.raises(BadInput, match=sentence):
        Options(line_styles=(text,))
