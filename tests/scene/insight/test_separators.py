"""Separating lines: fewer of them are left the larger the margin that is asked for."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from kernelviz.scene.insight.separators import COUNT
from tests.scene.insight.helpers import exported, found, pixel

APART = "gaussians(n=40, distance=5, seed=3)"


def left(view) -> int:
    return int(view.scene.remark.words.split(":")[1].split()[0])


def test_all_lines_are_left_at_first_and_fewer_after_a_click_to_the_right(opened):
    view = opened("separators", data=APART, kernel_text="linear")
    assert left(view) == COUNT
    inner = view.sheet.layout_of_scene.find("left").inner
    place = QPointF(inner.left() + 0.5 * inner.width(), inner.center().y())
    QTest.mouseClick(view.sheet, Qt.MouseButton.LeftButton, pos=pixel(place))
    assert 0 < left(view) < 0.5 * COUNT
    assert view.view.asked == pytest.approx(0.5, abs=0.02)


def test_the_lines_left_are_written_once_in_the_window_and_above_the_plane_in_a_figure(opened):
    view = opened("separators", 708, 146, data=APART, kernel_text="linear")
    assert found(view, "plane").title == ""
    assert found(exported(view), "plane").title == view.scene.remark.words


def test_classes_that_no_line_separates_get_a_sentence(opened, bench):
    view = opened("separators", workbench=bench("rings(n=30)"))
    assert "No line separates" in view.scene.reason


def test_the_curve_is_below_the_lines_in_a_column_of_the_window(opened):
    view = opened("separators", 300, 330, data=APART, kernel_text="linear")
    plane, curve = found(view, "plane"), found(view, "left")
    assert curve.inner.top() > plane.inner.bottom()
    assert curve.legend.scale >= 0.95


def test_the_slider_and_the_axis_are_of_a_share_of_the_largest_margin_and_the_caption_of_a_distance(opened):
    view = opened("separators", 300, 330, data=APART, kernel_text="linear")
    assert view.width() == 300
    inner = found(view, "left").inner
    QTest.mouseClick(view.sheet, Qt.MouseButton.LeftButton, pos=pixel(inner.center()))
    (asked,) = (parameter for parameter in view.view.parameters() if parameter.name == "asked")
    assert asked.label.lower().endswith("/largest")
    assert found(view, "left").node.x.label.endswith("/ largest")
    widest = found(view, "plane").layer("lines").lines.widest
    distance = float(view.scene.remark.words.split("≥")[1].split(":")[0])
    assert distance == pytest.approx(view.view.asked * widest, rel=0.01)
