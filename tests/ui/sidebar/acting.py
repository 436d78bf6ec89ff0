"""What a user does to a panel."""

from __future__ import annotations

from kernelviz.ui.sidebar.panel import Panel


def pick(panel: Panel, name: str) -> None:
    """Pick an entry of a panel's list by its name."""
    panel.picker.setCurrentIndex(panel.picker.findData(name))
    panel.picker.activated.emit(panel.picker.currentIndex())
