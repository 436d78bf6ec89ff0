"""Columns of unlike scales are pointed out and mended by a click."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from PySide6.QtCore import Qt

from kernelviz.engine.core.data import Data
from kernelviz.session.tables.preparation import standardised, unlike_columns
from kernelviz.session.view import shows
from kernelviz.session.workspaces.plane import PlaneWorkspace
from kernelviz.ui.sidebar.data_panel import DataPanel

HEIGHTS = np.random.default_rng(1).normal(size=(40, 2))


def people(times: float) -> Data:
    return Data.labelled(HEIGHTS * [times, 1.0], [1, -1] * 20, ["income", "height"])


@pytest.mark.parametrize(("times", "told"), [(3.0, False), (30.0, True), (0.01, True)])
def test_a_tenfold_spread_is_told_with_the_names_of_the_columns(qtbot, shown, session, times, told):
    panel = shown(DataPanel)
    session.change("open", data=people(times), source="people.csv")
    qtbot.waitUntil(lambda: panel.scales.isVisible() is told)
    if told:
        wide, narrow = ("income", "height") if times > 1 else ("height", "income")
        assert panel.scales.message.sentence.startswith(f"{wide} varies ")
        assert f"times more than {narrow}," in panel.scales.message.sentence


def test_one_click_standardises_and_undo_brings_back_the_points_and_their_view(qtbot, shown, session):
    panel = shown(DataPanel)
    session.change("open", data=people(30.0), source="people.csv")
    session.adjust(view=PlaneWorkspace().extent(session.document.data))
    before = session.document
    qtbot.waitUntil(panel.scales.isVisible)
    qtbot.mouseClick(panel.scales.button, Qt.MouseButton.LeftButton)
    assert session.document.standardised
    assert session.document.source == "people.csv"
    assert session.document.data.X.std(axis=0) == pytest.approx([1.0, 1.0])
    assert session.look.view == PlaneWorkspace().extent(session.document.data)
    qtbot.waitUntil(lambda: not panel.scales.isVisible())
    session.undo()
    assert session.document is before
    qtbot.waitUntil(lambda: shows(session.look.view, session.document.data.X))
    qtbot.waitUntil(panel.scales.isVisible)


def test_held_out_points_are_scaled_by_the_same_numbers(qtbot, shown, session):
    panel = shown(DataPanel)
    session.change("open", data=people(30.0), source="people.csv")
    session.replace("hold out", session.document.with_share_aside(0.25))
    before = session.document
    qtbot.waitUntil(panel.scales.isVisible)
    qtbot.mouseClick(panel.scales.button, Qt.MouseButton.LeftButton)
    mean, spread = before.data.X.mean(axis=0), before.data.X.std(axis=0)
    assert pytest.approx((before.held_out.data.X - mean) / spread) == session.document.held_out.data.X


def test_few_points_and_a_constant_column_are_not_judged():
    few = people(30.0).subset(range(4))
    flat = dataclasses.replace(people(30.0), X=HEIGHTS * [1.0, 0.0])
    assert unlike_columns(few) is None
    assert unlike_columns(flat) is None
    assert unlike_columns(PlaneWorkspace().empty()) is None


@pytest.mark.parametrize("unit", [1e-200, 1e-6, 1e6, 1e200])
def test_the_hint_and_its_remedy_are_the_same_in_any_unit(unit):
    usual, other = people(30.0), dataclasses.replace(people(30.0), X=people(30.0).X * unit)
    assert unlike_columns(other) == (*unlike_columns(usual)[:2], pytest.approx(unlike_columns(usual)[2]))
    assert pytest.approx(standardised(usual).X) == standardised(other).X
