"""The sets of colours of figures: what can be seen in them, and two colours of one's own."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QImage

from kernelviz.engine.core.errors import BadInput
from kernelviz.scene.export.options import Options
from kernelviz.scene.figure.colours import VISIONS, as_seen, blend, coloured
from kernelviz.session.colour_sets import COLOUR_SETS, contrast, luminance
from kernelviz.session.figure_options import FigureOptions
from kernelviz.session.themes import DARK, LIGHT, THEMES

every = pytest.mark.parametrize(
    ("theme", "colours"),
    [(theme, colours) for theme in THEMES.values() for colours in COLOUR_SETS],
    ids=lambda each: each if isinstance(each, str) else each.name,
)


@every
def test_lines_can_be_told_from_every_part_of_the_field(theme, colours):
    own = coloured(theme, colours)
    for ground in (own.zero, own.positive_field, own.negative_field, own.paper):
        for line in (own.boundary, own.margin, own.bounded, own.misclassified):
            assert contrast(line, ground) >= 4.5
        assert contrast(own.level, ground) >= 3


@every
def test_points_can_be_told_from_the_halo_they_are_drawn_on(theme, colours):
    own = coloured(theme, colours)
    for mark in (own.positive, own.negative):
        assert contrast(mark, own.halo) >= 3
        assert contrast(mark, own.paper) >= 3


@every
def test_the_classes_of_a_set_differ(theme, colours):
    classes = coloured(theme, colours).classes
    assert len(set(classes)) == len(classes) == 8


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_in_the_greyscale_set_a_grey_print_shows_the_sign(theme):
    own = coloured(theme, "greyscale")
    minus, zero, plus = map(luminance, (own.negative_field, own.zero, own.positive_field))
    assert minus > zero > plus or minus < zero < plus
    assert contrast(own.positive_field, own.negative_field) > 1.9
    assert contrast(theme.positive_field, theme.negative_field) < 1.1, "as those of the theme do not"


def test_okabe_and_itos_colours_are_theirs():
    assert coloured(LIGHT, "okabe-ito").positive == "#0072b2"
    assert coloured(LIGHT, "okabe-ito").negative == "#d55e00"


def test_two_colours_of_ones_own_colour_points_field_and_classes():
    own = Options(colours="1B7837, #762a83").painted_theme
    assert (own.positive, own.negative, own.classes[:2]) == ("#1b7837", "#762a83", ("#762a83", "#1b7837"))
    assert own.positive_field == blend(LIGHT.zero, "#1b7837", 0.35)
    assert own.ink == LIGHT.ink


@pytest.mark.parametrize(
    ("colours", "sentence"),
    [
        ("#0a4f91,#0A4F91", "two different colours: both are #0a4f91"),
        ("#000 #000000", "two different colours"),
        ("#0a4f91", "needs two colours, of [+] and of −"),
        ("#0a4f91,#8f3600,#123456", "needs two colours"),
        ("#0a4f91,orange", "colours such as #0a4f91, not 'orange'"),
        ("okabe", "Did you mean okabe-ito?"),
        ("", "must be one of default, greyscale"),
        (17, "must be one of default"),
    ],
)
def test_colours_that_make_no_sense_are_a_sentence(colours, sentence):
    with pytest.raises(BadInput, match=sentence):
        FigureOptions(colours=colours)


@pytest.mark.parametrize(
    ("theme", "colours", "sentence"),
    [
        ("light", "#ffee00,#8f3600", "#ffee00 of [+] can hardly be seen .* light .* a darker one"),
        ("dark", "#9bd0ff,#402000", "#402000 of − can hardly be seen .* dark .* a lighter one"),
    ],
)
def test_a_colour_that_cannot_be_seen_on_the_paper_is_refused(theme, colours, sentence):
    with pytest.raises(BadInput, match=sentence):
        Options(theme=theme, colours=colours)


def seen(colour: str, vision: str) -> QColor:
    """A colour as it is seen."""
    image = QImage(3, 2, QImage.Format.Format_RGB32)
    image.fill(QColor(colour))
    image.setPixelColor(0, 1, QColor("#ffffff"))
    made = as_seen(image, vision)
    assert made.pixelColor(0, 1).name() == "#ffffff", "white is white, and where it was"
    return made.pixelColor(1, 0)


def test_red_and_green_look_alike_without_cones_for_red_or_green():
    for vision in VISIONS:
        reds = [seen(colour, vision) for colour in ("#8f3600", "#4f5a00")]
        hues = [colour.hsvHue() for colour in reds]
        assert abs(hues[0] - hues[1]) <= 12, vision
    assert QColor("#8f3600").hsvHue() + 40 < QColor("#4f5a00").hsvHue()


def test_grey_has_the_luminance_of_the_colour():
    grey = seen("#1f66c1", "grey")
    assert grey.red() == grey.green() == grey.blue()
    assert luminance(grey.name()) == pytest.approx(luminance("#1f66c1"), abs=0.004)


def test_what_is_transparent_stays_so():
    image = QImage(2, 2, QImage.Format.Format_ARGB32)
    image.fill(QColor(0, 0, 0, 0))
    assert as_seen(image, "protan").pixelColor(0, 0).alpha() == 0
