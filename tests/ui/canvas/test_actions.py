"""What the menus and panels call."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtWidgets import QToolBar

from kernelviz.engine.core.data import Data, Task
from kernelviz.ui.canvas.tools import TOOLS

ACTIONS = {
    "delete_selection": "delete 2 points",
    "flip_selection": "flip class",
    "duplicate_selection": "duplicate",
    "jitter": "jitter",
    "clear": "clear",
}


@pytest.mark.parametrize(("action", "name"), ACTIONS.items())
def test_undo_after_every_action_restores_state_and_picture(h, action, name):
    document, before = h.session.document, h.picture()
    h.canvas.editor.select([0, 1])
    getattr(h.canvas, action)()
    assert h.session.document.data is not document.data
    assert h.session.document.source == ""
    assert h.undo_name == name
    h.canvas.editor.select(())
    assert (h.picture() != before).any()
    h.session.undo()
    assert h.session.document is document
    assert np.abs(h.picture() - before).mean() < 0.02


def test_coordinates_that_are_no_numbers_are_refused_in_words(h):
    h.canvas.editor.move([0], np.array([[np.nan, 0.0]]))
    assert h.steps == 0
    assert "finite" in h.canvas.banner.text


def test_actions_on_nothing_do_nothing(h):
    for action in ("delete_selection", "flip_selection", "duplicate_selection"):
        getattr(h.canvas, action)()
    assert h.steps == 0


def test_jitter_without_a_selection_shakes_every_point_a_little(h):
    before = h.points
    h.canvas.jitter()
    moved = np.abs(h.points - before)
    assert (moved > 0).all()
    assert moved.max() < 0.3


def test_clearing_several_classes_leaves_a_plane_for_plus_and_minus(hand):
    h = hand(Data.labelled(np.eye(3, 2), ["a", "b", "c"]), "rbf(gamma=1)")
    h.canvas.clear()
    assert h.data.n == 0
    assert h.data.task is Task.TWO_CLASSES
    h.click((0.2, 0.2))
    assert h.data.n == 1


def test_the_toolbar_has_a_button_for_every_tool_and_the_options_of_the_one_in_use(h, qtbot):
    bar = QToolBar()
    qtbot.addWidget(bar)
    actions = h.canvas.fill_toolbar(bar)
    bar.resize(1200, 60)
    bar.show()
    assert list(actions) == [tool.name for tool in TOOLS]
    assert actions["add"].isChecked()
    actions["erase"].trigger()
    assert h.canvas.tool.name == "erase"
    h.canvas.use("brush")
    assert actions["brush"].isChecked()
    options = h.canvas.toolbar_part.options
    qtbot.waitUntil(lambda: options["brush"].isVisible() and not options["erase"].isVisible())
    assert set(options["brush"].controls) == {"radius", "density"}
    options["brush"].controls["density"].offer(17)
    assert h.canvas.tools["brush"].options.density == 17
