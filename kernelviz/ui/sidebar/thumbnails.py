"""Thumbnails of the data sets, drawn one by one while the window is idle."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from PySide6.QtCore import QObject, QPointF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap

from kernelviz.engine.core.data import Data
from kernelviz.engine.datasets.base import DataSet
from kernelviz.scene.theme import current_theme
from kernelviz.session.workspaces.registry import workspace_of
from kernelviz.ui.widgets.in_points import type_scale
from kernelviz.ui.widgets.picker import Picker

SIDE = 28  # Pixels, in type of the usual size.
SHARPNESS = 3  # Pixels drawn for each of them.
MOST_POINTS = 90  # More would only make blots.


class Thumbnails(QObject):
    """Fills a picker with thumbnails, one per turn of the event loop so that nothing waits for them."""

    def __init__(self, picker: Picker) -> None:
        super().__init__(picker)
        self._picker = picker
        self._kinds: Mapping[str, type[DataSet]] = {}
        self._waiting: list[str] = []
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._draw_next)

    def start(self, kinds: Mapping[str, type[DataSet]]) -> None:
        """Draw all of them, at first and after a change of theme or type size."""
        side = round(SIDE * type_scale(self._picker))
        self._picker.setIconSize(QSize(side, side))
        self._kinds, self._waiting = kinds, list(kinds)
        self._timer.start()

    def _draw_next(self) -> None:
        if not self._waiting:
            self._timer.stop()
            return
        name = self._waiting.pop(0)
        self._picker.set_icon(name, QIcon(thumbnail(self._kinds[name]().make())))


def thumbnail(data: Data) -> QPixmap:
    """Return a picture of the points as coloured dots, SIDE * SHARPNESS pixels wide and high."""
    theme = current_theme()
    side = SIDE * SHARPNESS
    picture = QPixmap(side, side)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    workspace = workspace_of(data)
    X, radius = workspace.sketch(data)[:MOST_POINTS], (1.6 if data.n > 20 else 3.0) * SHARPNESS / 2
    middle = 0.5 * (X.min(axis=0) + X.max(axis=0))
    reach = max(float(np.ptp(X, axis=0).max()), 1e-9) / 2
    places = side / 2 + (X - middle) / reach * (side / 2 - radius - 2 * SHARPNESS) * (1, -1)
    count = len(data.class_names)
    for (x, y), k in zip(places, workspace.groups(data)[:MOST_POINTS].tolist(), strict=True):
        painter.setBrush(QColor(theme.ink if k < 0 else theme.of_class(k, count)))
        painter.drawEllipse(QPointF(x, y), radius, radius)
    painter.end()
    return picture
