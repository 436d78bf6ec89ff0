"""A panel in one line: what is chosen in it, and the slider of its main parameter."""

from __future__ import annotations

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from kernelviz.ui.controls.elided import Elided
from kernelviz.ui.controls.scale import Scale
from kernelviz.ui.controls.slider import Slider
from kernelviz.ui.panels.panel import Panel

__all__ = ["Gist"]


class Gist(QWidget):
    """ "Gaussian (RBF), γ = 1" and the slider of γ, which does what the panel's own does."""

    def __init__(self, panel: Panel) -> None:
        super().__init__()
        self._panel = panel
        self.words = Elided()
        self.words.setProperty("role", "")
        self.slider = Slider(Scale(0, 1, 0, 1))
        for part in (self.words, self.slider):  # whatever the words are, a slider being dragged must not move
            part.setSizePolicy(QSizePolicy.Policy.Ignored, part.sizePolicy().verticalPolicy())
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.words, 5)
        row.addWidget(self.slider, 2)
        self.slider.setAccessibleName(f"{panel.accessibleName()}, main parameter")
        self.slider.picked.connect(self._on_picked)
        panel.shown.connect(self._follow)

    def _follow(self) -> None:
        """Out of sight it costs nothing."""
        if not self.isVisible():
            return
        main = self._panel.main
        self.words.set_text(self._panel.gist, "" if main is None else f", {main.told}")
        self.slider.setHidden(main is None)
        if main is not None:
            main.mirror(self.slider)

    def _on_picked(self, value: float, gesture: object) -> None:
        if (main := self._panel.main) is not None:
            main.turn(value, gesture)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._follow()
