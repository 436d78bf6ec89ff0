"""What a figure of the plane makes of the room it gets."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter

import kernelviz
from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import algorithm, dataset, kernel, parse_fit
from kernelviz.scene.axes import axis_name
from kernelviz.scene.export.composition import captions_of, figure_of, fitted
from kernelviz.scene.export.files import as_svg, laid_out
from kernelviz.scene.export.options import Options
from kernelviz.scene.figure.legend import Legend
from kernelviz.scene.figure.style import Style
from kernelviz.scene.painter import Layout
from kernelviz.scene.plane.painter import PAINTER
from kernelviz.scene.workspace_painter import Subject
from kernelviz.session.state import Document, State
from kernelviz.session.themes import LIGHT
from kernelviz.session.view import Look, ViewRange
from kernelviz.session.workspaces.plane import PlaneWorkspace

STATES = {
    "three points": ("three_points", "linear", "soft-margin-svm(C=10)"),
    "slack and mistakes": ("gaussians(n=60)", "rbf(gamma=1)", "soft-margin-svm(C=1)"),
    "long words": (
        "moons(n=30)",
        "rbf(gamma=1) * polynomial(degree=3) + 0.5*linear + 2*rbf(gamma=0.1)",
        "feature-map",
    ),
    "random waves": ("rings(n=40)", "rbf(gamma=1)", "random-features(q=20)"),
    "not separable": ("just_not_separable", "linear", "hard-margin-svm"),
    "many classes": ("blobs(n=80, classes=8)", "linear", "soft-margin-svm(C=10)"),
    "one class": ("rings(n=40)", "rbf(gamma=1)", "one-class-svm"),
}


def figure(name, words=None, view=None):
    data, k, a = (make(text) for make, text in zip((dataset, kernel, algorithm), STATES[name], strict=True))
    look = Look(view=view or PlaneWorkspace().extent(data), shown=frozenset(PlaneWorkspace.toggles))
    state = State(Document.of(data, k, a), look)
    return figure_of(state, fitted(state)[0], words or Options(heading="A title of some length"))


@pytest.mark.parametrize("size", [(200, 200), (300, 300), (400, 400), (500, 500), (200, 600), (700, 200)])
@pytest.mark.parametrize("name", STATES)
def test_whatever_is_said_around_it_the_plot_has_the_largest_share(qapp, name, size):
    options = Options(*size)
    plot, (width, height) = laid_out(figure(name), options).find("plane").rect, options.size
    assert plot.width() > 0.5 * width
    assert plot.height() > 0.4 * height


def seen(figure, width, height):
    """What of the plane a figure of a size shows."""
    return figure.view_in(QRectF(0, 0, width, height))


def test_the_tall_view_of_a_narrow_window_is_not_inherited_by_a_wide_figure(qapp):
    tall = figure("slack and mistakes", view=ViewRange(-3.0, 3.0, -20.0, 20.0))
    own = PlaneWorkspace().extent(dataset(STATES["slack and mistakes"][0]))
    view = seen(tall, 400, 300)
    assert (view.bottom, view.top) == pytest.approx((own.bottom, own.top))


def test_a_view_somebody_has_zoomed_into_is_all_in_the_figure(qapp):
    near = ViewRange(-0.5, 0.5, -0.4, 0.4)
    view = seen(figure("slack and mistakes", view=near), 400, 200)
    assert (view.bottom, view.top) == pytest.approx((near.bottom, near.top))
    assert (view.left, view.right) == pytest.approx((-0.8, 0.8))


def test_without_equal_aspect_a_figure_shows_the_very_limits_of_the_axes(qapp):
    data, limits = dataset("rings(n=20)"), ViewRange(-3.0, 3.0, -20.0, 20.0)
    look = Look(view=limits, shown=frozenset(PlaneWorkspace.toggles) - {"equal_aspect"})
    assert seen(PAINTER.figure(Subject(data, look)), 400, 200) == limits


def test_a_figure_too_small_for_axes_is_all_plot(qapp):
    plot = laid_out(figure("three points"), Options(64, 64)).find("plane").rect
    assert plot.width() * plot.height() > 0.75 * (64 * 72 / 200) ** 2


def test_where_there_is_room_nothing_is_left_out_and_nothing_is_smaller(qapp):
    words = Layout(figure("slack and mistakes"), QRectF(0, 0, 400, 400), Options().style()).find("words")
    assert words.words.title == "A title of some length"
    assert words.words.formula
    assert "n = 60" in words.words.caption
    assert words.style.text == Options().text


LONG = "minimum_inhibitory_concentration_of_penicillin_" * 14
HOSTILE = "a\tb\x01c\nd"


@pytest.mark.parametrize("size", [(300, 300), (500, 300), (200, 400)])
def test_names_of_hundreds_of_letters_end_in_dots_within_the_figure(qapp, size):
    data = Data.labelled([[0.0, 0.0], [1.0, 1.0], [2.0, 0.5]], [LONG, "B", "C"], [LONG, f"other {LONG}"])
    look = Look(view=PlaneWorkspace().extent(data), shown=frozenset(PlaneWorkspace.toggles))
    image = QImage(*size, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    blank, room = image.copy(), image.rect().adjusted(20, 20, -20, -20)
    with QPainter(image) as painter:
        Layout(PAINTER.figure(Subject(data, look)), QRectF(room), Style(LIGHT)).paint(painter)
        assert image != blank
        painter.fillRect(room, Qt.GlobalColor.white)
    assert image == blank, "nothing is outside of its place"


@pytest.mark.parametrize("width", [-40.0, 0.0, 3.0])
def test_a_legend_without_room_has_a_row_for_each_entry(qapp, width):
    data = Data.labelled([[0.0, 0.0], [1.0, 1.0]], ["A", "B"])
    made = PAINTER.figure(
        Subject(data, Look(view=PlaneWorkspace().extent(data), shown=frozenset(PlaneWorkspace.toggles)))
    )
    legend = Legend(tuple(made.own_entries()))
    assert legend.rows(width, Style(LIGHT)) == [[entry] for entry in legend.entries]


def test_invisible_letters_of_names_have_a_sign_in_labels_and_legends(qapp):
    data = Data.labelled([[0.0, 0.0], [1.0, 1.0]], [HOSTILE, "B"], [HOSTILE, "y"])
    look = Look(view=PlaneWorkspace().extent(data), shown=frozenset(PlaneWorkspace.toggles))
    made = PAINTER.figure(Subject(data, look))
    assert {entry.text for entry in made.own_entries()} >= {"a·b·c·d", "B"}
    assert axis_name(made.columns[0]) == "a·b·c·d"
    assert axis_name("") == ""


def crowd(n):
    """The figure of so many points of two overlapping classes, which hide what is below them."""
    data = dataset(f"gaussians(n={n}, seed=1)")
    document = Document.of(data, kernel("linear"), algorithm("prototype"))
    state = State(document, Look(view=PlaneWorkspace().extent(data), shown=frozenset({"points", "boundary"})))
    return figure_of(state, fitted(state)[0], Options(formula=False, caption=False))


@pytest.mark.parametrize(("n", "above"), [(300, False), (3000, True)])
def test_thousands_of_points_are_drawn_smaller_and_below_the_boundary(qapp, n, above):
    svg = as_svg(crowd(n), Options(600, 600, 96.0)).decode()
    # What comes last is on top.
    assert (svg.rindex(LIGHT.boundary) > svg.rindex(LIGHT.positive)) == above
    [width] = {float(w) for w in re.findall(rf'stroke="{LIGHT.positive}"[^>]*stroke-width="([\d.]+)"', svg)}
    assert (width < 0.75 * Style().glyph_width) == above


@pytest.mark.parametrize("size", [(500, 500), (480, 520), (400, 700)])
def test_the_legend_of_a_figure_stands_below_its_plot_and_on_no_point(qapp, size):
    layout = laid_out(figure("slack and mistakes"), Options(*size, 96.0))
    assert layout.find("legend").rect.top() > layout.find("plane").rect.bottom()


LIMITS = ViewRange(-1.0, 3.0, 0.1, 0.7)


def with_limits(limits, how, equal=True):
    """The moons in a figure with the limits typed."""
    data = dataset("moons(n=20)")
    shown = frozenset(PlaneWorkspace.toggles) - (set() if equal else {"equal_aspect"})
    look = Look(view=PlaneWorkspace().extent(data), limits=limits, shown=shown)
    state = State(Document.of(data, kernel("linear"), algorithm(how)), look)
    return figure_of(state, fitted(state)[0])


@pytest.mark.parametrize("equal", [True, False])
@pytest.mark.parametrize("limits", [LIMITS, ViewRange(-2, 2, -2, 2), ViewRange(0, 1, 0, 5)])
@pytest.mark.parametrize("size", [(500, 500), (900, 400), (400, 700)])
def test_the_axes_of_a_figure_have_exactly_the_limits_typed_whatever_its_shape(qapp, size, limits, equal):
    plane = laid_out(with_limits(limits, "soft-margin-svm", equal), Options(*size, 96.0)).find("plane")
    assert plane.view == plane.node.axes.view == limits
    if equal:
        across, up = limits.right - limits.left, limits.top - limits.bottom
        assert plane.rect.width() / across == pytest.approx(plane.rect.height() / up)


def test_limits_that_would_make_a_sliver_of_the_plot_keep_its_room_and_are_exact_too(qapp):
    limits = ViewRange(0.0, 1000.0, 0.0, 1.0)
    plane = laid_out(with_limits(limits, "ridge"), Options(500, 500, 96.0)).find("plane")
    assert plane.view == limits
    assert plane.rect.height() > 0.4 * 375


def test_figures_side_by_side_have_their_plots_alike(qapp):
    data, options = kernelviz.dataset("moons(n=40, noise=0.3)"), Options(width=400, height=400, dpi=100.0)
    fits = [parse_fit("linear ; logistic"), parse_fit("rbf(gamma=2) ; soft-margin-svm(C=10)")]
    models = [kernelviz.fit(data, kernel=fit.kernel, algorithm=fit.algorithm) for fit in fits]
    look = Look(shown=PlaneWorkspace().shown)
    figures = [PAINTER.figure(Subject.of(model, look), captions_of(model)) for model in models]

    def frames(figures):
        return {laid_out(each, options).find("plane").rect.getRect() for each in figures}

    assert len(frames(figures)) == 2
    assert len(frames(PAINTER.together(figures, fits))) == 1
