"""The icon set: line drawings recoloured for the theme when painted, sharp at every size.

The SVG files are in `resources/icons`; `icon("play")` is the one called play.svg."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QByteArray, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from kernelviz.resource import resource_path
from kernelviz.scene.theme import current_theme
from kernelviz.session.themes import Theme


@cache
def icon(name: str) -> QIcon:
    """Return the icon of that name, which follows the theme, or raise KeyError."""
    path = resource_path("icons", f"{name}.svg")
    if not path.is_file():
        raise KeyError(f"no icon called {name!r}")
    return QIcon(_engine(path.read_text(encoding="utf-8")))


@cache
def _engine(source: str) -> QIconEngine:
    """Return what paints the icon of an SVG."""
    # Kept for good: Qt holds the engine without Python knowing.
    return LineIcon(source)


@cache
def _renderer(source: str, colour: str) -> QSvgRenderer:
    """Return an SVG in a colour, ready to be drawn."""
    return QSvgRenderer(QByteArray(source.replace("currentColor", colour).encode()))


class LineIcon(QIconEngine):
    """Draws an SVG whose strokes are `currentColor` in the colour the theme has for the icon's state."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self._source = source

    def clone(self) -> QIconEngine:
        return _engine(self._source)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        side = min(rect.width(), rect.height())
        target = QRectF(0, 0, side, side)
        target.moveCenter(QRectF(rect).center())
        if mode is QIcon.Mode.Disabled:
            painter.setOpacity(0.4)
        _renderer(self._source, _colour(current_theme(), mode, state)).render(painter, target)
        painter.setOpacity(1.0)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        made = QPixmap(size)
        if made.isNull():  # a button squeezed to nothing
            return made
        made.fill(Qt.GlobalColor.transparent)
        painter = QPainter(made)
        self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        painter.end()
        return made


def _colour(theme: Theme, mode: QIcon.Mode, state: QIcon.State) -> str:
    """Return the colour of an icon: the accent while its button is on, pale while it is disabled."""
    if mode is QIcon.Mode.Disabled:
        return theme.muted
    return theme.accent if state is QIcon.State.On else theme.text
