"""What a figure of the plane makes of the room it gets."""

from __future__ import annotations

import re

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

import kernelviz
from kernelviz.engine.fits.parsing import algorithm, dataset, kernel, parse_fit
from kernelviz.scene.axes import Frame
from kernelviz.scene.export.composition import captions_of, figure_of, fitted
from kernelviz.scene.export.files import as_image, as_svg
from kernelviz.scene.export.options import Options
from kernelviz.scene.figure.figure import AxesFigure
from kernelviz.scene.figure.legend import Legend
from kernelviz.scene.figure.style import Style
from kernelviz.scene.plane.painter import PAINTER
from kernelviz.scene.theme import LIGHT
from kernelviz.session.state import Document, State
from kernelviz.session.view import Look, ViewRange
from kernelviz.session.workspaces.plane import Plane

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
    look = Look(view=view or Plane().extent(data), shown=frozenset(Plane.toggles))
    state = State(Document.of(data, k, a), look)
    return figure_of(state, fitted(state)[0], words or Options(heading="A title of some length"))


@pytest.fixture
def plots(monkeypatch):
    """The rectangles that pictures were drawn into."""
    found = []
    draw = AxesFigure._plot

    def plot(self, painter, rect, *rest):
        found.append(QRectF(rect))
        draw(self, painter, rect, *rest)

    monkeypatch.setattr(AxesFigure, "_plot", plot)
    return found


@pytest.mark.parametrize("size", [(200, 200), (300, 300), (400, 400), (500, 500), (200, 600), (700, 200)])
@pytest.mark.parametrize("name", STATES)
def test_whatever_is_said_around_it_the_plot_has_the_largest_share(qapp, plots, name, size):
    options = Options(*size)
    as_image(figure(name), options)
    [plot], (width, height) = plots, options.size
    assert plot.width() > 0.5 * width
    assert plot.height() > 0.4 * height


def seen(figure, width, height):
    """What of the plane a figure of a size shows."""
    return figure._framed(QRectF(0, 0, width, height))


def test_the_tall_view_of_a_narrow_window_is_not_inherited_by_a_wide_figure(qapp):
    tall = figure("slack and mistakes", view=ViewRange(-3.0, 3.0, -20.0, 20.0))
    own = Plane().extent(dataset(STATES["slack and mistakes"][0]))
    view = seen(tall, 400, 300)
    assert (view.bottom, view.top) == pytest.approx((own.bottom, own.top))


def test_a_view_somebody_has_zoomed_into_is_all_in_the_figure(qapp):
    near = ViewRange(-0.5, 0.5, -0.4, 0.4)
    view = seen(figure("slack and mistakes", view=near), 400, 200)
    assert (view.bottom, view.top) == pytest.approx((near.bottom, near.top))
    assert (view.left, view.right) == pytest.approx((-0.8, 0.8))


def test_without_equal_aspect_a_figure_shows_the_very_limits_of_the_axes(qapp):
    data, limits = dataset("rings(n=20)"), ViewRange(-3.0, 3.0, -20.0, 20.0)
    free = PAINTER.figure_of_data(data, Look(view=limits, shown=frozenset(Plane.toggles) - {"equal_aspect"}))
    assert seen(free, 400, 200) == limits


def test_a_figure_too_small_for_axes_is_all_plot(qapp, plots):
    as_image(figure("three points"), Options(64, 64))
    [plot] = plots
    assert plot.width() * plot.height() > 0.75 * (64 * 72 / 200) ** 2


def test_where_there_is_room_nothing_is_left_out_and_nothing_is_smaller(qapp, monkeypatch):
    from kernelviz.scene.figure import figure as module

    told, sizes = [], set()

    def draw_text(painter, style, at, text, **rest):
        told.append(text)
        sizes.add(style.text)

    monkeypatch.setattr(module, "draw_text", draw_text)
    monkeypatch.setattr(module, "draw_formula", lambda *rest: told.append("formula"))
    paper = QImage(10, 10, QImage.Format.Format_RGB32)
    with QPainter(paper) as painter:
        figure("slack and mistakes").paint(painter, QRectF(0, 0, 400, 400), Options().style())
    assert told[:2] == ["A title of some length", "formula"]
    assert "n = 60" in " ".join(told)
    assert sizes == {Options().text}


def crowd(n):
    """The figure of so many points of two overlapping classes, which hide what is below them."""
    data = dataset(f"gaussians(n={n}, seed=1)")
    document = Document.of(data, kernel("linear"), algorithm("prototype"))
    state = State(document, Look(view=Plane().extent(data), shown=frozenset({"points", "boundary"})))
    return figure_of(state, fitted(state)[0], Options(formula=False, caption=False))


@pytest.mark.parametrize(("n", "above"), [(300, False), (3000, True)])
def test_thousands_of_points_are_drawn_smaller_and_below_the_boundary(qapp, n, above):
    svg = as_svg(crowd(n), Options(600, 600, 96.0)).decode()
    # What comes last is on top.
    assert (svg.rindex(LIGHT.boundary) > svg.rindex(LIGHT.positive)) == above
    [width] = {float(w) for w in re.findall(rf'stroke="{LIGHT.positive}"[^>]*stroke-width="([\d.]+)"', svg)}
    assert (width < 0.75 * Style().glyph_width) == above


@pytest.mark.parametrize("size", [(500, 500), (480, 520), (400, 700)])
def test_the_legend_of_a_figure_stands_below_its_plot_and_on_no_point(qapp, plots, monkeypatch, size):
    rows = []
    paint = Legend.paint_strip

    def paint_strip(self, painter, rect, style):
        rows.append(QRectF(rect))
        paint(self, painter, rect, style)

    monkeypatch.setattr(Legend, "paint_strip", paint_strip)
    as_image(figure("slack and mistakes"), Options(*size, 96.0))
    [plot], [row] = plots, rows
    assert row.top() > plot.bottom()


LIMITS = ViewRange(-1.0, 3.0, 0.1, 0.7)


@pytest.fixture
def axes(monkeypatch):
    """The views of the axes that were drawn, with the rectangles they were drawn around."""
    found = []
    draw = Frame.paint

    def paint(self, painter, rect, style):
        found.append((self.view, QRectF(rect)))
        draw(self, painter, rect, style)

    monkeypatch.setattr(Frame, "paint", paint)
    return found


@pytest.mark.parametrize("equal", [True, False])
@pytest.mark.parametrize("limits", [LIMITS, ViewRange(-2, 2, -2, 2), ViewRange(0, 1, 0, 5)])
@pytest.mark.parametrize("size", [(500, 500), (900, 400), (400, 700)])
def test_the_axes_of_a_figure_have_exactly_the_limits_typed_whatever_its_shape(
    qapp, axes, size, limits, equal
):
    data = dataset("moons(n=20)")
    document = Document.of(data, kernel("linear"), algorithm("soft-margin-svm"))
    shown = frozenset(Plane.toggles) - (set() if equal else {"equal_aspect"})
    state = State(document, Look(view=Plane().extent(data), limits=limits, shown=shown))
    as_image(figure_of(state, fitted(state)[0]), Options(*size, 96.0))
    [(view, rect)] = axes
    assert view == limits
    if equal:
        units = rect.width() / (limits.right - limits.left), rect.height() / (limits.top - limits.bottom)
        assert units[0] == pytest.approx(units[1])


def test_limits_that_would_make_a_sliver_of_the_plot_keep_its_room_and_are_exact_too(qapp, axes):
    limits = ViewRange(0.0, 1000.0, 0.0, 1.0)
    data = dataset("moons(n=20)")
    state = State(
        Document.of(data, kernel("linear"), algorithm("ridge")),
        Look(view=Plane().extent(data), limits=limits, shown=frozenset(Plane.toggles)),
    )
    as_image(figure_of(state, fitted(state)[0]), Options(500, 500, 96.0))
    [(view, rect)] = axes
    assert view == limits
    assert rect.height() > 0.4 * 375


def test_figures_side_by_side_have_their_plots_alike(qapp):
    data = kernelviz.dataset("moons(n=40, noise=0.3)")
    fits = [parse_fit("linear ; logistic"), parse_fit("rbf(gamma=2) ; soft-margin-svm(C=10)")]
    models = [kernelviz.fit(data, kernel=fit.kernel, algorithm=fit.algorithm) for fit in fits]
    figures = [
        PAINTER.figure_of_model(model, Look(shown=Plane().shown), captions_of(model)) for model in models
    ]
    apart = {_frame(figure) for figure in figures}
    together = {_frame(figure) for figure in PAINTER.together(figures, fits)}
    assert len(apart) == 2
    assert len(together) == 1


def _frame(figure):
    """Top and bottom of the plot's frame in the middle of an image of the figure."""
    image = as_image(figure, Options(width=400, height=400, dpi=100.0))
    grey = np.array([[image.pixelColor(x, y).lightness() for x in range(80, 360, 7)] for y in range(400)])
    rows = np.flatnonzero((grey < 190).mean(axis=1) > 0.9)
    return int(rows[0]), int(rows[-1])
