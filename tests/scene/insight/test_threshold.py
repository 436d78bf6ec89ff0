"""Threshold and ROC: the table follows the threshold, and a click on the curve moves it."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from kernelviz.engine.numbers.roc import confusion
from kernelviz.scene.insight.threshold import ThresholdView
from tests.scene.insight.helpers import found, made, pixel

SETTING = {"data": "returning(seed=1)", "kernel_text": "linear", "how": "logistic"}


def table(view) -> np.ndarray:
    items = found(view, "table").node.items
    return np.array([[int(cell) for cell in item.cells] for item in items[1:3]])


def test_the_table_counts_the_training_points_by_true_and_called_class(opened):
    view = opened("threshold", **SETTING)
    model = view.workbench.frame.model
    assert np.array_equal(table(view), confusion(model.training_scores, model.problem.z))


def test_a_click_to_the_right_calls_more_points_positive(opened):
    view = opened("threshold", **SETTING)
    before = table(view)
    inner = view.sheet.layout_of_scene.find("roc").inner
    place = QPointF(inner.left() + 0.9 * inner.width(), inner.top() + 2)
    QTest.mouseClick(view.sheet, Qt.MouseButton.LeftButton, pos=pixel(place))
    after = table(view)
    assert after[:, 1].sum() > before[:, 1].sum()
    assert after.sum() == before.sum()
    assert view.view.threshold < 0


@pytest.mark.parametrize("on_paper", [False, True])
def test_a_figure_names_the_threshold_which_the_window_has_in_its_controls(frame_of, on_paper):
    frame = frame_of("returning(seed=1)", "linear", "logistic")
    scene = made(ThresholdView(threshold=0.75), frame, on_paper=on_paper)
    assert scene.remark.words.startswith("threshold s = 0.75, p = 0.6")
    first = found(scene, "table").node.items[0].name
    assert (first == scene.remark.words) is on_paper


@pytest.mark.parametrize(
    ("how", "name"), [("logistic", "p"), ("nearest-neighbours(k=5)", "p"), ("ridge", "value")]
)
def test_only_what_stays_between_0_and_1_is_called_p(frame_of, how, name):
    scene = made(ThresholdView(threshold=0.75), frame_of("returning(seed=1)", "linear", how))
    assert f", {name} = " in scene.remark.words


def test_held_out_points_have_a_table_and_a_curve_of_their_own(opened, bench, qtbot):
    workbench = bench("returning(seed=1)", "linear", "logistic")
    session = workbench.session
    session.replace("hold out", session.document.with_share_aside(0.3))
    workbench.refresh()
    view = opened("threshold", workbench=workbench)
    qtbot.waitUntil(lambda: len(found(view, "table").node.items) == 6)
    names = [item.name for item in found(view, "table").node.items]
    assert [name.partition(":")[0].strip() for name in names] == ["training", "0", "1", "held out", "0", "1"]
    assert {curve.name for curve, _ in view.sheet.layout_of_scene.find("roc").node.entries} == {
        "training",
        "held out",
    }


@pytest.mark.parametrize(("width", "height"), [(300, 300), (420, 300), (700, 210)])
def test_the_areas_and_the_names_of_the_classes_are_seen_in_a_small_window(opened, width, height):
    view = opened("threshold", width, height, **SETTING)
    plot, rows = found(view, "roc").node, found(view, "table")
    area = view.workbench.frame.model.summary()["roc_area"]
    assert f"area {area:.3f}" in rows.node.items[0].name
    assert (plot.x.label, plot.y.label) == ("share of 0 called 1", "share of 1 called 1")
    assert "class 1 has a larger score than one of class 0" in view.scene.remark.meaning
    assert rows.size >= 0.9 * rows.style.text
    assert rows.node.width(rows.style) <= rows.rect.width()


def test_moving_the_threshold_can_be_undone(opened):
    view = opened("threshold", **SETTING)
    before, inner = table(view), view.sheet.layout_of_scene.find("roc").inner
    place = QPointF(inner.left() + 0.9 * inner.width(), inner.top() + 2)
    QTest.mouseClick(view.sheet, Qt.MouseButton.LeftButton, pos=pixel(place))
    view.workbench.session.undo()
    assert view.view.threshold == view.numbers["threshold"].value == 0.0
    assert np.array_equal(table(view), before)


def test_data_without_two_classes_get_a_sentence(opened, bench):
    view = opened("threshold", workbench=bench("blobs"))
    assert "two classes" in view.scene.reason
