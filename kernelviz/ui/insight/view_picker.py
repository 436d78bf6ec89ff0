"""The list of insight views, each with a small picture and a line on what it shows."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from kernelviz.scene.theme import current_theme
from kernelviz.ui.insight.views import VIEWS
from kernelviz.ui.widgets.picker import Picker

Index = QModelIndex | QPersistentModelIndex
INSET = 6  # Pixels around a picture.


class ViewPicker(Picker):
    """A picker of views. The pictures are read when their rows are first seen."""

    def __init__(self) -> None:
        super().__init__("View", ())

    def _rows(self) -> QStyledItemDelegate:
        return PicturedRows(self)


class PicturedRows(QStyledItemDelegate):
    """Paints the row of a view: its picture, and beside it the title above the line; headings as usual."""

    def __init__(self, picker: Picker) -> None:
        super().__init__(picker)
        self._pictures: dict[tuple[str, str], QPixmap] = {}  # By view and theme.

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        if not (name := index.data(Qt.ItemDataRole.UserRole)):
            return super().sizeHint(option, index)
        picture, metrics = _size(option), option.fontMetrics
        words = max(map(metrics.horizontalAdvance, (VIEWS[name].title, VIEWS[name].summary_line)))
        return picture + QSize(words + 4 * INSET, 2 * INSET)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        if not (name := index.data(Qt.ItemDataRole.UserRole)):
            return
        theme, place = (
            current_theme(),
            QRect(option.rect.topLeft(), _size(option)).translated(INSET, INSET),
        )
        picture = self._picture(name, theme.name)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawPixmap(place, picture)
        painter.setPen(QColor(theme.border))
        painter.drawRect(place.adjusted(0, 0, -1, -1))
        words = option.rect.adjusted(place.width() + 3 * INSET, INSET + 2, -INSET, -INSET - 2)
        upper, lower = Qt.AlignmentFlag.AlignTop, Qt.AlignmentFlag.AlignBottom
        for text, where, ink in (
            (VIEWS[name].title, upper, theme.text),
            (VIEWS[name].summary_line, lower, theme.muted),
        ):
            painter.setPen(QColor(ink))
            brief = option.fontMetrics.elidedText(text, Qt.TextElideMode.ElideRight, words.width())
            painter.drawText(words, where, brief)
        painter.restore()

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """Leave the text of a view to `paint`."""
        super().initStyleOption(option, index)
        if index.data(Qt.ItemDataRole.UserRole):
            option.text = ""

    def _picture(self, name: str, theme: str) -> QPixmap:
        if (name, theme) not in self._pictures:
            self._pictures[name, theme] = QPixmap(str(VIEWS[name].picture(theme)))
        return self._pictures[name, theme]


def _size(option: QStyleOptionViewItem) -> QSize:
    """Return the size of a picture beside two lines of type."""
    height = round(2.4 * option.fontMetrics.height())
    return QSize(round(1.5 * height), height)
