"""The layers paint what they promise: sampled well inside what they draw, not pixel by pixel."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter

import kernelviz
from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import dataset
from kernelviz.engine.models.base import Mark
from kernelviz.scene.figure.colours import blend, field_image, field_unit, region_image
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.text import text_width
from kernelviz.scene.layers import Coordinates, OfPoints
from kernelviz.scene.plane import lines
from kernelviz.scene.plane.layers import PanelLayer, SelectionLayer
from kernelviz.scene.plane.lines import DistanceLayer
from kernelviz.scene.plane.painter import PAINTER
from kernelviz.scene.plane.picture import Picture, contour_lines, picture_of_model, sampled
from kernelviz.session.panels import Panels
from kernelviz.session.themes import DARK, LIGHT
from kernelviz.session.view import ViewRange, widened
from kernelviz.session.workspaces.plane import PlaneWorkspace

VIEW = ViewRange(-3.0, 3.0, -3.0, 3.0)
SIDE = 300.0
RGB = QImage.Format.Format_RGB32
SCALE = 2
EVERYTHING = frozenset(PlaneWorkspace.toggles)
both_themes = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda t: t.name)


def picture(model):
    x1, x2, F = sampled(model, VIEW, 100, 100)
    return picture_of_model(model, VIEW, x1, x2, F, contour_lines(model, VIEW, 101))


def painted(drawn, shown, style, *more):
    """Layers of a picture on paper, and more, with a way to ask for the colour at data coordinates."""
    image = QImage(int(SIDE * SCALE), int(SIDE * SCALE), RGB)
    image.fill(QColor(style.theme.paper))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(SCALE, SCALE)
    axes = Coordinates(VIEW, QRectF(0, 0, SIDE, SIDE), style)
    for layer in (*PAINTER.drawing(drawn, shown).layers.values(), *more):
        painter.save()
        layer.draw(axes, painter, None)
        painter.restore()
    painter.end()

    def at(x1, x2):
        ((px, py),) = axes(np.array([[x1, x2]])) * SCALE
        return image.pixelColor(int(px), int(py))

    return at


def near(colour, wanted, tolerance=6):
    expected = QColor(wanted)
    return all(
        abs(a - b) <= tolerance for a, b in zip(colour.getRgb()[:3], expected.getRgb()[:3], strict=True)
    )


@both_themes
def test_the_field_is_blue_where_the_score_is_positive_and_orange_where_negative(qapp, linear_model, theme):
    at = painted(picture(linear_model), {"field"}, Style(theme))
    plus, zero, minus = at(2.8, 1.0), at(0.0, 1.0), at(-2.8, 1.0)
    assert plus.blue() - plus.red() > 40
    assert minus.red() - minus.blue() > 40
    assert near(zero, theme.zero, 8)


@both_themes
def test_boundary_and_margins_run_where_the_score_says(qapp, linear_model, theme):
    at = painted(picture(linear_model), {"boundary"}, Style(theme))
    assert all(near(at(0.0, x2), theme.boundary) for x2 in (-2.0, -1.0, 1.0, 2.0))
    assert near(at(0.2, 1.0), theme.paper)
    at = painted(picture(linear_model), {"margins"}, Style(theme))
    along = [near(at(1 / 0.82, x2), theme.margin, 60) for x2 in np.linspace(-2.5, 2.5, 200)]
    assert 0.3 < np.mean(along) < 0.9  # dashed


@both_themes
def test_glyphs_have_the_shape_and_colour_of_their_class_and_a_halo(qapp, linear_model, theme):
    style = Style(theme, glyphs=2.0)
    at = painted(picture(linear_model), {"points"}, style)
    unit = 6.0 / SIDE  # data units per point
    assert near(at(2.0, 0.0), theme.positive)
    assert near(at(2.0, 0.6 * style.arm * unit), theme.positive)
    assert near(at(-2.0, 0.0), theme.negative)
    beside = 0.5 * (style.glyph_width + style.halo_width) * unit
    assert near(at(-2.0 + 0.5 * style.arm * unit, beside), theme.halo, 12)
    assert near(at(-2.0, 0.8 * style.arm * unit), theme.paper)  # a minus has no upright stroke


def ring_share(at, centre, radius, colour):
    """How much of a circle has a colour."""
    angles = np.linspace(0, 2 * np.pi, 360, endpoint=False)
    return np.mean([near(at(centre + radius * np.cos(a), radius * np.sin(a)), colour, 70) for a in angles])


def test_rings_are_whole_when_free_and_dashed_at_the_bound_and_mistakes_have_four_strokes(qapp, linear_model):
    style = Style(LIGHT, glyphs=1.0)
    places = np.array([[2, 0], [-2, 0], [0.7, 0], [-0.7, 0], [0, 2]])
    at = painted(replace(picture(linear_model), points=places), {"rings"}, style)
    radius = style.ring_radius(1.0) * 6.0 / SIDE
    assert ring_share(at, 2.0, radius, LIGHT.bounded) > 0.95
    assert 0.3 < ring_share(at, 0.7, radius, LIGHT.bounded) < 0.85
    assert 0.3 < ring_share(at, -0.7, radius, LIGHT.bounded) < 0.85
    stroke = 7.0 * np.sqrt(0.5) * 6.0 / SIDE
    for i, j in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        assert near(at(-0.7 + i * stroke, j * stroke), LIGHT.misclassified, 40)
        assert not near(at(0.7 + i * stroke, j * stroke), LIGHT.misclassified, 40)


def test_slack_lines_and_highlights_appear(qapp, linear_model):
    at = painted(picture(linear_model), {"slack"}, Style(LIGHT, strokes=3.0))
    assert near(at(0.9, 0.0), LIGHT.misclassified, 30)
    seen = picture(linear_model)
    points = OfPoints(seen.points)
    marked = SelectionLayer(points, [1]), SelectionLayer(points, [0], hovered=True)
    at = painted(seen, {"points"}, Style(LIGHT), *marked)
    assert ring_share(at, 2.0, Style(LIGHT).ring_radius(1.6) * 6.0 / SIDE, LIGHT.highlight) > 0.95
    assert ring_share(at, -2.0, Style(LIGHT).ring_radius(1.0) * 6.0 / SIDE, LIGHT.highlight) > 0.8


def test_what_is_switched_off_is_not_drawn(qapp, linear_model):
    seen = picture(linear_model)
    assert list(PAINTER.drawing(seen, set()).layers) == []
    assert list(PAINTER.drawing(seen, {"points", "field"}).layers) == ["field", "points"]


def test_points_and_marks_outside_the_view_leave_no_trace(qapp):
    outside = Picture.of_data(Data.labelled([[9.0, 0.0], [0.0, -9.0]], [1, -1]), VIEW)
    mark = Mark("line", np.array([[5.0, 5.0], [9.0, 9.0]]), "away")
    at = painted(replace(outside, marks=(mark,)), EVERYTHING - {"grid"}, Style(LIGHT))
    assert all(near(at(x1, x2), LIGHT.paper, 0) for x1 in (-2.9, 0, 2.9) for x2 in (-2.9, 0, 2.9))


@pytest.mark.parametrize(
    ("mark", "spot"),
    [
        (Mark("point", np.array([[1.0, 1.0]]), "mean", side=1), (1.0, 1.0)),
        (Mark("line", np.array([[-9.0, 2.0], [9.0, 2.0]]), "line", side=1), (2.5, 2.0)),
        (Mark("segments", np.array([[-2.0, 1.0], [2.0, 1.0]]), "pair", side=1), (0.0, 1.0)),
        (Mark("wave", np.array([[0.0, 1.0]]), "basis", np.array([0.0]), side=1), (1.5, 0.0)),
    ],
    ids=lambda value: getattr(value, "kind", ""),
)
def test_marks_of_every_kind_are_drawn_in_the_colour_of_their_side(qapp, mark, spot):
    empty = Picture.of_data(Data.labelled(np.empty((0, 2)), []), VIEW)
    at = painted(replace(empty, marks=(mark,)), {"marks"}, Style(LIGHT, strokes=4.0))
    shade = LIGHT.positive if mark.kind != "wave" else blend(LIGHT.paper, LIGHT.positive, 0.45)
    assert near(at(*spot), shade, 30 if mark.kind == "wave" else 12)


def test_three_classes_have_their_own_colours_and_shapes(qapp):
    data = Data.labelled([[-2.0, 0.0], [0.0, 0.0], [2.0, 0.0]], ["a", "b", "c"])
    at = painted(Picture.of_data(data, VIEW), {"points"}, Style(LIGHT, glyphs=2.0))
    for k, x in enumerate((-2.0, 0.0, 2.0)):
        assert near(at(x, 0.0), LIGHT.classes[k])


def test_regions_are_tinted_with_the_winner_and_paler_where_it_barely_wins(qapp):
    lead = np.linspace(-1.0, 1.0, 101)[None, :].repeat(11, axis=0)
    image = region_image(np.stack([-lead, lead, np.full_like(lead, -9.0)]), LIGHT)
    clear, close = image.pixelColor(100, 5), image.pixelColor(52, 5)
    assert clear.saturation() > close.saturation() + 20
    hue = QColor(LIGHT.classes[1]).hue()
    assert abs(clear.hue() - hue) < 25


def test_row_zero_of_the_field_is_at_the_bottom(qapp):
    image = field_image(np.array([[-5.0, -5.0], [5.0, 5.0]]), LIGHT)
    assert image.pixelColor(0, 1).red() > image.pixelColor(0, 1).blue()
    assert image.pixelColor(0, 0).blue() > image.pixelColor(0, 0).red()


def test_colours_do_not_saturate_or_fade_when_the_score_has_another_scale():
    F = np.random.default_rng(1).normal(size=(40, 40))
    assert field_unit(F) == 1.0
    assert field_unit(100 * F) > 10
    assert field_unit(0.01 * F) < 0.1
    assert field_unit(0 * F) == 1.0


def test_narrow_peaks_keep_their_gradient_where_nearly_nothing_is_left_of_the_score():
    x = np.linspace(-1, 1, 101)
    r = np.hypot.outer(x, x)
    for scale in (1.0, 1e-6):
        assert 0.001 * scale < field_unit(scale * np.exp(-r / 0.005)) <= 0.1 * scale


def test_blending_runs_from_one_colour_to_the_other():
    assert blend("#000000", "#ffffff", 0.0) == "#000000"
    assert blend("#000000", "#ffffff", 1.0) == "#ffffff"
    assert "#000000" < blend("#000000", "#ffffff", 0.5) < "#ffffff"


def test_a_widened_view_has_the_aspect_asked_for_and_keeps_its_centre():
    wide = widened(ViewRange(0.0, 2.0, 0.0, 4.0), 2.0)
    assert (wide.right - wide.left) / (wide.top - wide.bottom) == pytest.approx(2.0)
    assert (wide.left + wide.right, wide.bottom, wide.top) == (2.0, 0.0, 4.0)


@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf, 1e300, -1e308])
@pytest.mark.parametrize("count", [1, 400])
def test_scores_beyond_all_bounds_still_give_a_picture(qapp, odd, count):
    F = np.add.outer(np.linspace(-1, 1, 20), np.linspace(-1, 1, 20))
    F.ravel()[:count] = odd
    assert field_image(F, LIGHT, field_unit(F)).width() == 20
    assert region_image(np.stack([F, -F, F.T]), LIGHT).width() == 20


def test_infinite_scores_beside_the_largest_numbers_still_give_a_picture(qapp):
    F = np.full((20, 20), 1.7e308)
    F[0] = np.inf
    assert field_image(F, LIGHT, 1.7e308).width() == 20


def test_held_out_points_are_coloured_by_their_value_where_both_are_shown():
    held = dataset("gaussians(n=30, seed=2)")
    model = kernelviz.fit(dataset("gaussians(n=40)"), kernel="linear", algorithm="logistic")
    seen = picture(model).with_held_out(held)
    layer = PAINTER.drawing(seen, {"values", "held_out"}).layers["held_out_values"]
    np.testing.assert_allclose(layer.values, 1 / (1 + np.exp(-model.score(held.X))), rtol=1e-9)
    np.testing.assert_allclose(layer.points, held.X)
    for shown in ({"values"}, {"held_out"}):
        assert "held_out_values" not in PAINTER.drawing(seen, shown).layers


@pytest.mark.parametrize("covering", [[], [[0.62, 0.02]], [[0.62, 0.02], [0.9, 0.02], [0.4, 0.02]]])
def test_the_distance_of_the_line_is_written_where_no_point_covers_it(monkeypatch, covering):
    """The line x₁ = 1, with points where the label would be: next to the segment from the origin."""
    written = {}
    monkeypatch.setattr(lines, "draw_text", lambda painter, style, at, text, **_: written.update({text: at}))
    points = np.array([[1.5, 1.5], *covering])
    layer = DistanceLayer(points, np.array([1.0, 0.0]), -1.0)
    axes = Coordinates(ViewRange(-2, 2, -2, 2), QRectF(0, 0, 400, 400), Style())
    image = QImage(400, 400, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        layer.draw(axes, painter, None)
    at, text = written["|b|/‖w‖ = 1"], axes.style.text
    wide = text_width("|b|/‖w‖ = 1", text, bold=True)
    box = QRectF(at.x(), at.y() - text, wide, 1.3 * text)
    assert not [place for place in axes(points).tolist() if box.contains(QPointF(*place))]
    assert axes.inner.contains(box)


@pytest.mark.parametrize("side", [120.0, 400.0])
def test_the_name_of_a_panel_stands_between_the_frames_above_and_below_it(side):
    def drawn(names):
        panels, image = Panels(names, ViewRange(-1.0, 1.0, -1.0, 1.0)), QImage(800, 800, RGB)
        image.fill(QColor("white"))
        painter = QPainter(image)
        painter.scale(800 / side, 800 / side)
        axes = Coordinates(panels.extent, QRectF(0.0, 0.0, side, side), Style())
        PanelLayer(panels).draw(axes, painter, None)
        painter.end()
        pixels = np.frombuffer(image.constBits(), np.uint8).reshape(800, 800, 4)[:, :, :3].astype(int)
        return pixels, panels, axes

    (with_names, panels, axes), (without, *_) = drawn(("Åy", "Ög", "Éj", "Qp")), drawn((" ",) * 4)
    lettered = np.flatnonzero((with_names != without).any(axis=(1, 2))) * side / 800
    assert len(lettered) > 0
    edges = [axes(np.array([[0.0, edge]]))[0, 1] for edge in (panels.extent.top, panels.of_category(0).top)]
    edges += [axes(np.array([[0.0, edge]]))[0, 1] for edge in (panels.of_category(0).bottom, 1.0)]
    (top, first), (end, second) = edges[:2], edges[2:]
    free = Style().axis_width / 2
    assert all(top < y < first - free or end + free < y < second - free for y in lettered.tolist())


@both_themes
def test_margin_lines_and_bayes_boundary_differ_in_the_rhythm_of_their_dashes(theme):
    """Screen, legend and paper have the same pens; colours alone would not tell the lines apart in print."""
    margins, bayes = (lines.PENS[name](Style(theme)).dashPattern() for name in ("margins", "bayes"))
    assert len(margins) == 2  # dashes
    assert len(bayes) == 4  # a dash, a dot
    assert bayes[0] > 3 * bayes[2]
