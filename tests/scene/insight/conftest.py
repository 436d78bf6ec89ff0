"""A workbench that answers in the same call, and views shown on it."""

from __future__ import annotations

import pytest

from kernelviz.ui.insight.views import VIEWS
from tests.ui.insight.conftest import bench, place_of, settled, show

__all__ = ["bench", "opened", "place_of", "settled", "show"]


@pytest.fixture
def opened(bench, show, qtbot):
    """Open the view of a name on a workbench of its own; `setting` are the data, the kernel and so on."""

    def open_view(name, width=480, height=360, **setting):
        view = show(VIEWS[name].widget(bench(**setting)), width, height)
        qtbot.waitUntil(lambda: not view.scene.reason)
        return view

    return open_view
