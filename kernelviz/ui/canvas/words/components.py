"""Which two components the map shows, and how much that is."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from kernelviz.scene.words.painter import MapPicture, percent, ranked, told
from kernelviz.ui.widgets.buttons import Combo
from kernelviz.ui.widgets.labels import Label, describe
from kernelviz.ui.widgets.layouts import fill, row

# Pixels below which the sentence beside the lists would be a column of words: then it is below them.
ROOM = 620


class ComponentChooser(QWidget):
    """Two lists and a sentence."""

    chosen = Signal(tuple)

    def __init__(self) -> None:
        super().__init__()
        self.lists = (Combo(), Combo())
        self.words = Label(role="muted", wraps=True)
        self.words.setToolTip(
            "Principal components of the kernel: the directions in which the strings spread most. The colour "
            "is as strong as the part of the training scores that these two tell; the boundary is drawn "
            "where they tell the score of every string."
        )
        choices = row()
        for axis, (combo, name) in enumerate(zip(self.lists, ("across", "up"), strict=True)):
            label = Label(name, role="muted")
            label.setBuddy(combo)
            combo.setMinimumContentsLength(6)
            tip = "A principal component of the kernel, and its share of the variance"
            describe(combo, f"Component {name}", tip)
            combo.activated.connect(lambda row, axis=axis: self._choose(axis, row))
            fill(choices, label, combo)
        fill(choices, (None, 1))
        self._both = row(choices, (self.words, 1), on=self, spacing=4, margins=(8, 2, 8, 4))
        self._pair = (0, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        way = QBoxLayout.Direction
        self._both.setDirection(way.LeftToRight if self.width() >= ROOM else way.TopToBottom)

    def show_map(self, picture: MapPicture | None) -> None:
        """Offer the components there are; say how much the two show."""
        if picture is None or not picture.map.pca.components:
            self._offer([], (-1, -1))
            self.words.setText("")
            return
        chart, self._pair = picture.map, picture.map.pair
        ranks, shares = ranked(chart.pca), sorted(chart.pca.shares.tolist(), reverse=True)
        texts = [f"{rank} · {percent(share)}" for rank, share in enumerate(shares, 1)]
        across, up = (ranks[c] - 1 if c < len(ranks) else -1 for c in self._pair)
        self._offer(texts, (across, up))
        said = told(chart, picture.slope)
        self.words.setText(f"{said[0].upper()}{said[1:]}.")

    def _offer(self, texts: list[str], rows: tuple[int, int]) -> None:
        for combo, chosen in zip(self.lists, rows, strict=True):
            if texts != [combo.itemText(k) for k in range(combo.count())]:
                combo.clear()
                combo.addItems(texts)
            combo.setCurrentIndex(chosen)
            combo.setEnabled(len(texts) > 1)

    def _choose(self, axis: int, component: int) -> None:
        """Choose a component for one axis. The same one on both axes would be a line, so the other axis takes
        the one this axis had."""
        across, up = self._pair
        other = up if axis == 0 else across
        if component == other:
            other = self._pair[axis]
        self.chosen.emit((component, other) if axis == 0 else (other, component))
