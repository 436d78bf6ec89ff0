"""The picture of the map: labels that do not overlap, no false boundary, smooth movement."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

import kernelviz
from kernelviz.engine.analysis.kernel_pca import ComponentMap, kernel_pca
from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import parse_fit
from kernelviz.engine.models.problem import Problem
from kernelviz.scene.axes import axis_name
from kernelviz.scene.export.files import laid_out
from kernelviz.scene.export.options import Options
from kernelviz.scene.figure.captions import Captions
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.text import place_labels
from kernelviz.scene.layers import Coordinates
from kernelviz.scene.wording import named, shortened
from kernelviz.scene.words.labels import PointedLabels, TriedLayer
from kernelviz.scene.words.painter import (
    PAINTER,
    LastMap,
    MapPicture,
    WordsPainter,
    about_map,
    axes_of,
    percent,
)
from kernelviz.scene.workspace_painter import Subject
from kernelviz.session.view import Look, ViewRange
from kernelviz.session.workspaces.plane import PlaneWorkspace
from kernelviz.session.workspaces.words import WordsWorkspace

KERNEL = "subsequence(length=2, decay={}, normalised=true)"
VIEW = ViewRange(-1.2, 1.2, -1.2, 1.2)
EVERYTHING = frozenset(WordsWorkspace.toggles)


def fitted(data="spelling", decay=0.5, algorithm="soft-margin-svm(C=10)"):
    data = kernelviz.dataset(data) if isinstance(data, str) else data
    return kernelviz.fit(data, kernel=KERNEL.format(decay), algorithm=algorithm)


def picture(model):
    chart = ComponentMap(kernel_pca(model.problem, 6))
    return MapPicture.of_model(model, chart, VIEW)


def boxes(found, sizes):
    return [(left, top, left + sizes[k][0], top + sizes[k][1]) for k, left, top in found]


@pytest.mark.parametrize("count", [3, 40, 300])
def test_labels_cover_neither_each_other_nor_a_point(count):
    rng = np.random.default_rng(count)
    centres, room = rng.uniform(0, 400, (count, 2)), QRectF(0, 0, 400, 400)
    sizes = np.column_stack([rng.uniform(10, 90, count), np.full(count, 11.0)])
    found = place_labels(centres, sizes, np.full(count, 7.0), centres, 3.0, room)
    assert found
    taken = boxes(found, sizes)
    for i, (a, b, c, d) in enumerate(taken):
        assert a >= 0
        assert b >= 0
        assert c <= 400
        assert d <= 400
        assert not any(a < x and x < c and b < y and y < d for x, y in centres.tolist())
        for p, q, r, s in taken[:i]:
            assert c <= p or r <= a or d <= q or s <= b


def test_a_boundary_is_drawn_only_where_two_components_tell_the_whole_score():
    partly = picture(fitted("topics"))
    assert partly.lines == ()
    assert partly.F is not None
    whole = picture(fitted(Data.labelled(["abc", "abd", "xyz"], ["a", "a", "b"])))
    assert whole.slope.whole
    assert whole.lines_at(0.0)
    outside = picture(fitted(Data.labelled(["abc", "abd", "xyz"], ["a", "a", "b"]), algorithm="ridge"))
    assert outside.slope.share == pytest.approx(1.0), "of the training scores"
    assert outside.lines == ()


def test_the_colour_is_as_strong_as_the_part_of_the_score_it_shows():
    partly = picture(fitted("topics"))
    drawing = PAINTER.drawing(partly, EVERYTHING)
    assert drawing.layers["field"].share == pytest.approx(partly.slope.share)
    assert f"{percent(partly.slope.share)} of the training scores" in [e.text for e in drawing.entries]


def test_the_axes_are_drawn_with_a_thin_space_before_the_sign_of_per_cent():
    assert axis_name(f"component 1 ({percent(0.72)})") == "component 1 (72\u202f%)"
    assert axis_name("a\u00a0column\tof one's own") == "a·column·of one's own"


def test_neighbours_have_points_and_rings_but_no_colour():
    alone = picture(fitted(algorithm="nearest-neighbours"))
    assert alone.slope is None
    assert "field" not in PAINTER.drawing(alone, EVERYTHING).layers
    assert "score" not in about_map(alone.map, alone.slope)


def test_the_axes_say_how_much_they_show():
    model = fitted()
    chart = ComponentMap(kernel_pca(model.problem, 6), (1, 0))
    first, second = kernel_pca(model.problem, 6).shares[:2]
    assert axes_of(chart) == (f"component 2 ({percent(second)})", f"component 1 ({percent(first)})")
    assert percent(0.004).startswith("less than")
    assert percent(0.996).startswith("more than")
    assert percent(1.0) == "100\u202f%"
    assert percent(0.0) == "0\u202f%"


@pytest.mark.parametrize("text", ["subsequence(length=2, decay=0.5)", "spectrum(length=1)"])
def test_the_numbers_at_the_axes_are_the_projections(text):
    model = kernelviz.fit(kernelviz.dataset("topics"), kernel=text, algorithm="soft-margin-svm")
    projections = kernel_pca(model.problem, 6).projections[:, :2]
    seen = picture(model)
    assert seen.unit != pytest.approx(1.0)
    np.testing.assert_allclose(np.abs(seen.points) * seen.unit, np.abs(projections))
    figure = WordsPainter().figure(Subject.of(model, WordsWorkspace().look(model.problem.data)))
    assert figure.unit == seen.unit
    assert PAINTER.drawing(seen, EVERYTHING).layers["grid"].unit == seen.unit


def test_the_map_moves_smoothly_while_the_decay_moves():
    last, before, farthest = LastMap(), None, 0.0
    for decay in np.linspace(0.2, 0.9, 71):
        pca = last.follow(kernel_pca(fitted("topics", float(decay)).problem, 6), moving=True)
        places = ComponentMap(pca).places
        if before is not None:
            farthest = max(farthest, float(np.abs(places - before).max()))
        before = places
    assert farthest < 0.35  # a flipped or swapped component would jump by up to 2


def test_other_strings_come_in_an_order_of_their_own():
    last = LastMap()
    last.follow(kernel_pca(fitted("spelling").problem, 6))
    other = kernel_pca(fitted("topics").problem, 6)
    assert last.follow(other) is other


def test_strings_that_are_added_leave_the_map_at_its_first_components():
    last, data, words = LastMap(), kernelviz.dataset("spelling"), WordsWorkspace()
    last.follow(kernel_pca(fitted(data).problem, 6))
    for text in ("zzzz qqqq", "wwww kkkk", "yyyy jjjj"):
        data = words.with_text(data, text, 1)
        for moving in (True, False):
            assert last.follow(kernel_pca(fitted(data).problem, 6), moving).ranked


def test_another_kernel_of_the_same_strings_does_not_turn_the_map_over():
    data = kernelviz.dataset("spelling")
    before = kernel_pca(fitted(data).problem, 6)
    other = kernelviz.fit(data, kernel="spectrum(length=2, normalised=true)", algorithm="soft-margin-svm")
    for sign in (1.0, -1.0):
        last = LastMap()
        last.follow(replace(before, vectors=sign * before.vectors))
        followed = last.follow(kernel_pca(other.problem, 6), moving=True)
        assert followed.ranked
        assert sign * before.vectors[:, 0] @ followed.vectors[:, 0] > 0


def test_adding_a_string_does_not_turn_the_map_over():
    last, data = LastMap(), kernelviz.dataset("spelling")
    words = WordsWorkspace()
    before = ComponentMap(last.follow(kernel_pca(fitted(data).problem, 6))).places
    more = words.with_text(data, "banena", -1)
    after = ComponentMap(last.follow(kernel_pca(fitted(more).problem, 6))).places
    assert np.abs(after[:-1] - before).max() < 0.3


def test_held_out_strings_lie_on_the_map_and_those_of_a_step_are_framed():
    model = fitted()
    held_out = Data.labelled(["sentense", "banan"], ["sentence", "banana"])
    seen = picture(model).with_changed((1,)).with_held_out(held_out)
    assert seen.held_out.shape == (2, 2)
    assert [mark.kind for mark in seen.marks] == ["around"]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("", "(empty)"),
        ("   ", "␣␣␣"),
        ("a\tb\nc", "a·b·c"),
        ("x" * 100, "x" * 27 + "…"),
        ("Привет", "Привет"),
    ],
)
def test_a_label_is_short_and_shows_what_could_not_be_seen(text, label):
    assert shortened(text) == label


def test_strings_are_called_by_themselves_and_points_by_their_number():
    assert named(Data.labelled(["ab", "ba"], [1, -1]), 1) == "ba"
    assert named(Data.labelled([[0.0, 1.0], [1.0, 1.0]], [1, -1]), 1) == "point 2"


def test_without_a_model_the_strings_lie_where_the_kernel_puts_them():
    data = kernelviz.dataset("spelling")
    words, painter = WordsWorkspace(), WordsPainter()
    figure = painter.figure(Subject(data, words.look(data), kernel=kernelviz.kernel("spectrum")))
    drawing = figure.make(VIEW, 100, 100)
    assert {"points", "labels"} <= set(drawing.layers)
    assert figure.columns[0].startswith("component 1 (")


def test_maps_side_by_side_have_the_same_frame_and_name_their_fits(qapp):
    fits = [parse_fit(f"{kernel} ; soft-margin-svm(C=10)") for kernel in ("words", "subsequence")]
    painter, data = WordsPainter(), kernelviz.dataset("spelling")
    models = [kernelviz.fit(data, kernel=fit.kernel, algorithm=fit.algorithm) for fit in fits]
    too_long = Captions(caption="what there is no room for " * 20)
    look, options = Look(shown=PlaneWorkspace().shown), Options(width=600, height=500, dpi=200.0)
    figures = [painter.figure(Subject.of(model, look), too_long) for model in models]
    first, second = (laid_out(each, options) for each in painter.together(figures, fits))
    assert first.find("plane").rect == second.find("plane").rect
    assert first.find("plane").style.text == second.find("plane").style.text
    assert first.find("words").words.caption.startswith("A: Words · ")
    assert second.find("words").words.caption.startswith("B: Subsequence (k = 3, d = 0.5) · ")


@pytest.mark.parametrize(
    ("place", "edge"),
    [((5.0, 0.0), (1, 0)), ((-3.0, 2.0), (-1, 1)), ((0.1, -9.0), (0, -1)), ((0.2, 0.3), None)],
)
def test_a_string_tried_outside_of_the_map_is_an_arrow_at_its_edge(qapp, place, edge):
    image = QImage(400, 400, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    layer = TriedLayer("far", np.array([place]))
    layer.draw(Coordinates(VIEW, QRectF(0, 0, 400, 400), Style()), painter, None)
    painter.end()
    drawn = np.array([[image.pixel(x, y) >> 24 for x in range(400)] for y in range(400)]) > 0
    rows, columns = np.nonzero(drawn)
    assert len(rows), "seen"
    if edge is not None:
        across, up = edge
        assert (columns.max() > 385) == (across > 0)
        assert (columns.min() < 15) == (across < 0)
        assert (rows.min() < 15) == (up > 0)
        assert (rows.max() > 385) == (up < 0)


@pytest.mark.parametrize("place", [(0.0, 0.0), (1.19, 1.19), (-1.19, -1.19)])
def test_strings_of_points_at_one_place_are_all_readable_under_the_mouse(qapp, place):
    texts = ["colour", "color", "coulour", "collor"]
    room = QRectF(0, 0, 400, 400)
    layer = PointedLabels(texts, np.array([place, place, (place[0], 0.98 * place[1]), place]))
    found = layer.boxes(Coordinates(VIEW, room, Style()))
    assert [label for label, _ in found] == texts
    boxes = [box for _, box in found]
    assert all(room.contains(box) for box in boxes)
    assert not any(a.intersects(b) for a, b in combinations(boxes, 2))


def test_maps_of_several_kernels_drawn_in_turn_are_never_turned_over():
    data, last = kernelviz.dataset("spelling(n=24)"), LastMap()
    kernels = [kernelviz.kernel(text) for text in ("spectrum(length=2)", "spectrum(length=3)", "subsequence")]
    drawn = [
        [last.follow(kernel_pca(Problem(data, kernel), 3)).projections for kernel in kernels]
        for _ in range(4)
    ]
    for later in drawn[1:]:
        for before, now in zip(drawn[0], later, strict=True):
            np.testing.assert_allclose(now, before, atol=1e-9)
