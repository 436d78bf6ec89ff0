"""Tab goes through the panels as the eye does."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QAbstractButton, QApplication

from kernelviz.engine.fits.parsing import algorithm, kernel
from kernelviz.ui.sidebar.algorithm_panel import AlgorithmPanel
from kernelviz.ui.sidebar.data_panel import DataPanel
from kernelviz.ui.sidebar.kernel_panel import KernelPanel
from kernelviz.ui.widgets.focus import takes_tab


def stops(panel):
    """What Tab visits, from the first, until it comes round."""
    visited, widget = [], panel
    while (widget := widget.nextInFocusChain()) is not panel:
        if widget.isVisible() and takes_tab(widget):
            visited.append(widget)
    return visited


def place(widget, panel):
    corner = widget.mapTo(panel, QPoint(0, widget.height() // 2))
    return round(corner.y() / 12), corner.x()


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
    assert [place(w, panel) for w in visited] == sorted(place(w, panel) for w in visited)
    assert all(w.accessibleName() or (isinstance(w, QAbstractButton) and w.text()) for w in visited)
