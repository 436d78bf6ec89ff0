"""Tab goes through the panels as the eye does."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QAbstractButton, QApplication

from kernelviz.engine.fits.parsing import algorithm, kernel
from kernelviz.ui.sidebar.algorithm_panel import AlgorithmPanel
from kernelviz.ui.sidebar.data_panel import DataPanel
from kernelviz.ui.sidebar.kernel_panel import KernelPanel
from kernelviz.ui.widgets.focus import takes_tab

LINE = 12  # Pixels: controls whose middles are closer than this are in one line.


def stops(panel):
    """What Tab visits, from the first, until it comes round."""
    visited, widget = [], panel
    while (widget := widget.nextInFocusChain()) is not panel:
        if widget.isVisible() and takes_tab(widget):
            visited.append(widget)
    return visited


def follows(before: QPoint, after: QPoint) -> bool:
    """Whether a place comes after another: further right in the same line, or in a line below."""
    if abs(after.y() - before.y()) < LINE:
        return after.x() > before.x()
    return after.y() > before.y()


@pytest.mark.parametrize("kind", [DataPanel, KernelPanel, AlgorithmPanel])
def test_tab_follows_the_panel_from_top_to_bottom_whatever_was_shown_first(shown, session, kind):
    panel = shown(kind)
    panel.resize(300, 900)
    session.change(
        "choose", kernel=kernel("ard(l1=2) + rbf(gamma=2)"), algorithm=algorithm("soft-margin-svm")
    )
    QApplication.processEvents()
    visited = stops(panel)
    assert len(visited) >= 4
    places = [widget.mapTo(panel, QPoint(0, widget.height() // 2)) for widget in visited]
    assert all(follows(before, after) for before, after in pairwise(places))
    assert all(w.accessibleName() or (isinstance(w, QAbstractButton) and w.text()) for w in visited)
