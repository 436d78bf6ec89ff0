"""Of several classes, the one that points are added of: a row of swatches, or a list when there are many."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QIcon, QKeySequence, QPainter, QPixmap, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QWidget

from kernelviz.engine.core.arrays import Array
from kernelviz.scene.figure.glyphs import draw_glyphs
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.transform import POINTS_PER_PIXEL
from kernelviz.scene.theme import current_theme
from kernelviz.session.state import State
from kernelviz.ui.widgets.buttons import Combo
from kernelviz.ui.widgets.controls import Segment, Segments
from kernelviz.ui.widgets.labels import literal, plain

if TYPE_CHECKING:
    from kernelviz.ui.canvas.base import Canvas


MANY = 6  # Classes that no longer fit side by side.
LONG = 12  # Letters of a name that fit on a button.
KEYS = 9
SIDE = 18
SHARP = 5  # Device pixels per pixel of a swatch: enough for every screen and type size.
MIDDLE: Array = np.array([[0.0, 0.0]])


class ClassChooser(QWidget):
    """Swatches with the shape, colour and name of each class; Ctrl and a number choose too."""

    offered = Signal()  # Other classes are on offer, or none any more.

    def __init__(self, canvas: Canvas) -> None:
        super().__init__()
        self._canvas = canvas
        self._names: tuple[str, ...] = ()
        self._with_names = True
        self.segments: Segments | None = None
        self.combo: Combo | None = None
        self._layout = row = QHBoxLayout(self)
        row.setContentsMargins(8, 0, 8, 0)
        row.addStretch(1)
        for k in range(KEYS):
            shortcut = QShortcut(QKeySequence(f"Ctrl+{k + 1}"), self)
            shortcut.activated.connect(lambda k=k: canvas.choose_class(k))
        canvas.workbench.state_changed.connect(self._on_state)
        canvas.class_chosen.connect(self._show_chosen)
        self._offer(canvas.editor.classes)

    @property
    def needed(self) -> bool:
        """Return True if there is anything to choose from."""
        return bool(self._names)

    def show_names(self, wanted: bool) -> None:
        """Show the names next to the swatches, or only in tooltips where room is scarce."""
        self._with_names = wanted
        for k, button in enumerate(self._buttons):
            button.setText(literal(_short(self._names[k])) if wanted else "")

    @property
    def _buttons(self) -> list[Segment]:
        return list(self.segments.buttons.values()) if self.segments is not None else []

    def _on_state(self, old: State, new: State) -> None:
        if old.document.data is not new.document.data:
            names = self._canvas.editor.classes
            if names != self._names:
                self._offer(names)
                self.offered.emit()

    def _offer(self, names: tuple[str, ...]) -> None:
        """Put up the buttons, or the list, for these classes."""
        self._names = names
        for gone in (self.segments, self.combo):
            if gone is not None:
                self._layout.removeWidget(gone)
                gone.deleteLater()
        self.segments = self.combo = None
        if not names:
            return
        if len(names) <= MANY:
            self.segments = self._row(names)
            self._layout.insertWidget(0, self.segments)
        else:
            self.combo = self._list(names)
            self._layout.insertWidget(0, self.combo)
        self._paint_swatches()
        self.show_names(self._with_names)
        self._show_chosen(self._canvas.editor.chosen)

    def _row(self, names: tuple[str, ...]) -> Segments:
        row = Segments({str(k): name for k, name in enumerate(names)})
        row.chosen.connect(lambda k: self._canvas.choose_class(int(k)))
        for k, button in enumerate(row.buttons.values()):
            button.setProperty("swatch", True)
            button.setAccessibleName(f"Add points of class {names[k]}")
            tip = f"Add points of class {names[k]} (Ctrl+{k + 1}); C goes to the next class"
            button.setToolTip(plain(tip))
        return row

    def _list(self, names: tuple[str, ...]) -> Combo:
        combo = Combo()
        combo.setAccessibleName("Class to add points of")
        combo.setToolTip("The class to add points of; C goes to the next one, Ctrl and a number to that one")
        combo.addItems(names)
        combo.activated.connect(self._canvas.choose_class)
        return combo

    def _show_chosen(self, k: int) -> None:
        if self.segments is not None:
            self.segments.show_option(str(k))
        elif self.combo is not None:
            self.combo.setCurrentIndex(k)

    def _paint_swatches(self) -> None:
        count = len(self._names)
        for k, button in enumerate(self._buttons):
            button.setIcon(swatch(k, count))
        if self.combo is not None:
            for k in range(count):
                self.combo.setItemIcon(k, swatch(k, count))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._paint_swatches()


def swatch(k: int, count: int) -> QIcon:
    """Return the mark of class k as it is on the plane, in the present theme."""
    made = QPixmap(SHARP * SIDE, SHARP * SIDE)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(SHARP, SHARP)
    painter.translate(QPointF(SIDE / 2, SIDE / 2))
    painter.scale(1 / POINTS_PER_PIXEL, 1 / POINTS_PER_PIXEL)
    draw_glyphs(painter, Style(current_theme(), glyphs=1.3), MIDDLE, k, count)
    painter.end()
    return QIcon(made)


def _short(name: str) -> str:
    return name if len(name) <= LONG else f"{name[: LONG - 1]}…"
