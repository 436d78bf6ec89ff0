"""What is to be seen: layers, toggles, themes, and that the fast screen looks like the careful figure."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import dataset
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.transform import POINTS_PER_PIXEL
from kernelviz.scene.layers import Coordinates
from kernelviz.scene.plane.painter import PAINTER
from kernelviz.session.themes import DARK, LIGHT
from tests.ui.canvas.hand import pixels_of


def _rings(hand, **options):
    return hand(dataset("rings(n=60, seed=3, noise=0.25)"), "rbf(gamma=1)", "soft-margin-svm(C=1)", **options)


def _drawn_by_the_figure(h, theme) -> np.ndarray:
    """The same picture, drawn layer by layer without stamps and caches."""
    decoration, box = h.canvas.scene.decoration, h.canvas.area.box.rect()
    picture = decoration.picture
    image = QImage(box.size().toSize(), QImage.Format.Format_RGB32)
    image.fill(QColor(theme.paper))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(1 / POINTS_PER_PIXEL, 1 / POINTS_PER_PIXEL)
    rect = QRectF(0, 0, box.width() * POINTS_PER_PIXEL, box.height() * POINTS_PER_PIXEL)
    axes = Coordinates(h.canvas.area.view, rect, Style(theme))
    for layer in PAINTER.drawing(picture, h.session.look.shown).layers.values():
        layer.draw(axes, painter, None)
    painter.end()
    return pixels_of(image)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_the_canvas_looks_like_the_exported_figure(hand, theme):
    h = _rings(hand, theme=theme)
    h.session.toggle("legend")
    shown = h.picture()
    corner = h.canvas.area.box.mapToScene(0.0, 0.0).toPoint()
    expected = _drawn_by_the_figure(h, theme)
    rows, columns, _ = expected.shape
    part = shown[corner.y() : corner.y() + rows, corner.x() : corner.x() + columns]
    difference = np.abs(part - expected)
    # Stamps are put on whole pixels, so edges of glyphs differ; everything else is the same.
    assert difference.mean() < 3.0
    assert (difference.max(axis=2) > 40).mean() < 0.04


@pytest.mark.parametrize(
    "name", ["field", "levels", "boundary", "margins", "points", "rings", "slack", "legend", "grid"]
)
def test_every_toggle_changes_the_picture_and_back(hand, name):
    h = _rings(hand)
    before = h.picture()
    h.session.toggle(name)
    assert (h.picture() != before).any()
    h.session.toggle(name)
    assert (h.picture() == before).all()


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (Data.labelled([[-1.0, 0.0], [1.0, 1.0]], [1, 1]), "rugs"),
        (dataset("colours").subset(slice(0)), "panels"),
    ],
    ids=["points of one class", "categories without points"],
)
def test_toggles_show_layers_of_points_without_a_fit_as_in_a_figure(hand, data, name):
    h = hand(data)
    assert h.canvas.scene.decoration is None
    before = h.picture()
    h.session.toggle(name)
    assert (h.picture() != before).any()


def test_hiding_everything_leaves_paper(hand):
    h = _rings(hand)
    for name in tuple(h.session.look.shown - {"equal_aspect"}):
        h.session.toggle(name)
    shown = h.picture()
    paper = QColor(LIGHT.paper)
    middle = shown[100:400, 100:500].reshape(-1, 3)
    assert (middle == [paper.red(), paper.green(), paper.blue()]).all()
    assert set(PAINTER.behind) & h.session.look.shown == set()


def test_the_themes_differ_and_can_be_changed_while_running(hand):
    h = _rings(hand)
    light = h.picture()
    h.canvas.set_theme(DARK)
    dark = h.picture()
    assert light.mean() > dark.mean() + 60
    h.canvas.set_theme(LIGHT)
    assert (h.picture() == light).all()


def test_the_canvas_follows_the_applications_theme_and_scale(hand, qapp):
    from kernelviz.ui.window.appearance import apply_theme

    apply_theme(qapp, DARK, 1.6)
    h = _rings(hand, theme=None)
    assert h.canvas.scene.style.theme is DARK
    assert h.canvas.scene.style.text == pytest.approx(1.6 * Style().text)
    apply_theme(qapp, LIGHT)
    h.settle()
    assert h.canvas.scene.style == Style(LIGHT)


def test_dragging_a_point_that_is_not_a_support_vector_leaves_the_boundary_alone(h):
    assert 3 not in h.bench.frame.model.support
    before = h.boundary()
    h.canvas.use("move")
    h.drag(3, (2.6, 0.2), (2.4, 0.3))
    h.settle()
    assert h.bench.frame.data is h.data
    np.testing.assert_allclose(h.boundary(), before, atol=1e-6)


def test_dragging_a_support_vector_moves_the_boundary(h):
    assert 0 in h.bench.frame.model.support
    before = h.boundary()
    h.canvas.use("move")
    h.drag(0, (0.5, 0.4))
    h.settle()
    assert np.abs(h.boundary()[:, 0].mean() - before[:, 0].mean()) > 0.1


def test_a_dragged_point_is_redrawn_before_the_fit_follows(h):
    h.canvas.use("move")
    h.press(3)
    h.move((2.2, 0.6))
    h.plot.pulse.now()
    shown = h.canvas.scene.bare.picture.points[3]
    np.testing.assert_allclose(shown, [2.2, 0.6], atol=h.canvas.area.units(2.0).max())
    assert h.bench.frame.data.X[3].tolist() == [2.5, 0.0]
    h.release((2.2, 0.6))


def test_the_legend_explains_what_is_there_and_goes_to_the_nearest_corner(hand):
    h = _rings(hand)
    texts = h.legend
    assert texts[:2] == ["class +", "class −"]
    assert "s = 0" in texts
    h.session.toggle("boundary")
    h.settle()
    assert "s = 0" not in h.legend
    card = h.canvas.scene.card
    grip = h.canvas.area.box.mapToScene(card.center()).toPoint()
    from PySide6.QtCore import QPoint

    n = h.data.n
    h.press(grip)
    h.move(QPoint(80, 440))
    h.beat()
    h.release(QPoint(80, 440))
    assert h.canvas.scene.legend.place == "bottom left"
    assert h.data.n == n


def test_undo_of_a_gesture_restores_the_picture(hand):
    h = _rings(hand)
    before = h.picture()
    h.drag(5, (0.0, 0.0))
    assert (h.picture() != before).any()
    h.session.undo()
    h.bench.hover(None)
    assert np.abs(h.picture() - before).mean() < 0.02


def test_thinned_lines_keep_their_ends_and_stay_within_a_fraction_of_a_cell():
    from kernelviz.engine.fields.contours import contours, nearest_on_lines
    from kernelviz.scene.plane.painter import thinned

    x, y = np.linspace(-2, 2, 150), np.linspace(-1, 1, 120)
    F = np.sin(2 * x)[None] * np.cos(5 * y)[:, None]
    cell = (x[1] - x[0], y[1] - y[0])
    lines = contours(x, y, F, (-0.5, 0.0, 0.7, 9.0))
    fewer = thinned(lines, cell)
    assert [level for level, _ in fewer] == [level for level, _ in lines]
    total = [sum(len(line) for _, found in some for line in found) for some in (lines, fewer)]
    assert total[1] < 0.6 * total[0]
    for (_, before), (_, after) in zip(lines, fewer, strict=True):
        assert len(before) == len(after)
        for old, new in zip(before, after, strict=True):
            assert (old[[0, -1]] == new[[0, -1]]).all()
            away = (nearest_on_lines(old, [new]) - old) / cell
            assert np.hypot(*away.T).max() < 0.08


def test_thinning_no_lines_gives_none():
    from kernelviz.scene.plane.painter import thinned

    assert thinned(((0.0, []),), (1.0, 1.0)) == ((0.0, []),)


def test_the_worker_paints_what_the_window_will_need(hand):
    h = _rings(hand, threaded=True)
    h.canvas.scene.touch()
    h.settle()
    h.drag(0, (0.3, 0.3))
    h.qtbot.waitUntil(lambda: h.bench.up_to_date and h.bench.frame.data is h.data)
    ready = set(h.bench.frame.decoration._images)
    assert len(ready) == 1
    h.canvas.grab()
    assert set(h.bench.frame.decoration._images) == ready


def test_the_point_a_watched_step_has_changed_is_framed(hand):
    h = hand(dataset("gaussians(n=20, seed=1)"), "rbf(gamma=1)", "perceptron")
    h.session.adjust(mode="watch", step=2)
    h.settle()
    (mark,) = (m for m in h.canvas.scene.decoration.picture.marks if m.kind == "around")
    (mistake,) = h.bench.frame.change.points
    assert mark.xy.tolist() == [h.session.document.data.X[mistake].tolist()]
    assert "this step" in h.legend
    framed = h.picture()
    h.session.toggle("marks")
    h.settle()
    assert (h.picture() != framed).any()
    assert "this step" not in h.legend
    h.session.adjust(mode="live")
    h.settle()
    assert not h.canvas.scene.decoration.picture.marks


def test_the_legend_says_what_the_many_thin_lines_of_random_features_are(hand):
    h = hand(dataset("gaussians(n=20, seed=1)"), "rbf(gamma=1)", "random-features(q=20)")
    assert "random waves" in h.legend
    h.session.toggle("marks")
    h.settle()
    assert "random waves" not in h.legend


def test_a_crowd_of_points_is_thinned_to_what_can_be_told_apart():
    from kernelviz.scene.figure.stamps import thinned
    from kernelviz.scene.plane.layers import CROWD_APART

    pixels = np.random.default_rng(0).uniform(0, 300, (50_000, 2))
    kept = pixels[thinned(pixels, np.zeros(len(pixels)), CROWD_APART)]
    assert len(kept) <= np.ceil(300 / CROWD_APART) ** 2
    # Nothing that was there is missing: every point has a kept one in its own small square.
    cells = {tuple(c) for c in np.floor(kept / CROWD_APART).astype(int)}
    assert {tuple(c) for c in np.floor(pixels / CROWD_APART).astype(int)} == cells
