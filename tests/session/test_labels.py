"""Labels that an author types: text with mathematics between two $."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelviz.engine.core.errors import BadInput
from kernelviz.session.figure_options import FigureOptions
from kernelviz.session.labels import LONGEST_LABEL, pieces, renaming


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("", [""]),
        ("depth (m)", ["depth (m)"]),
        ("speed $v_1$ (m/s)", ["speed ", "v_1", " (m/s)"]),
        ("$x_1$", ["", "x_1", ""]),
        ("price in $", ["price in $"]),
        (r"5 \$ and 6 \$", ["5 $ and 6 $"]),
        (r"$f(x)$ costs 5 $", ["", "f(x)", " costs 5 $"]),
    ],
)
def test_mathematics_stands_between_two_dollars_and_a_single_one_is_a_dollar(typed, found):
    assert pieces(typed) == found


@given(st.text(max_size=60))
def test_any_text_is_a_label_of_text_and_formulas_in_turn(typed):
    found = pieces(FigureOptions(heading=typed).heading)
    assert len(found) % 2 == 1


@pytest.mark.parametrize(
    ("entry", "found"),
    [
        ("class +=healthy", ("class +", "healthy")),
        ("class -= ill", ("class −", "ill")),
        ("s = 0=the boundary", ("s = 0", "the boundary")),
        ("s=+-1=$s = \\pm 1$", ("s = ±1", "$s = \\pm 1$")),
        ("s = 0=", ("s = 0", "")),
        ("s=boundary", None),
    ],
)
def test_an_entry_is_found_by_its_name_which_may_have_an_equals_sign_too(entry, found):
    assert renaming(entry, ["class +", "class −", "s = 0", "s = ±1"]) == found


def test_several_titles_are_a_list_or_a_text_with_semicolons():
    typed = FigureOptions(panel_titles="linear; ; Gaussian;")
    assert typed.panel_titles == ("linear", "", "Gaussian")
    assert FigureOptions(panel_titles=["linear", "", "Gaussian"]) == typed


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"xlabel": "a" * (LONGEST_LABEL + 1)}, "x axis: 501 characters are too many for a figure"),
        ({"panel_titles": ["a" * 10_000]}, "Panel titles: 10000 characters are too many"),
        ({"xlabel": 3}, "xlabel of the figure must be a text"),
        ({"panel_titles": 3}, "must be a list of texts"),
        ({"entries": ["healthy"]}, "Legend entries are written as NAME=WORDS"),
        ({"legend": "lower"}, "must be one of outside, upper-left"),
    ],
)
def test_what_is_no_label_is_refused_in_a_sentence(options, sentence):
    with pytest.raises(BadInput, match=sentence):
        FigureOptions(**options)
