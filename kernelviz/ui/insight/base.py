"""What every insight view has: the latest frame, the shared highlight, and no work while it is hidden."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable
from typing import ClassVar

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QMouseEvent, QPainter, QPaintEvent, QPixmap, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.transform import POINTS_PER_PIXEL
from kernelviz.drawing.plots.plot import draw_message
from kernelviz.drawing.theme import BASE_POINTS, current_theme
from kernelviz.engine.arrays import Array, Indices
from kernelviz.runtime.messages import Failure, Frame
from kernelviz.session.state import State
from kernelviz.ui.insight.stamps import Stamps, on_screen
from kernelviz.ui.workbench.pace import Pace
from kernelviz.ui.workbench.workbench import Workbench

__all__ = ["InsightView", "Picture", "PictureView", "nearest_mark", "screen_style"]

REACH = 9.0
"""Points around a mark within which the mouse means it."""


def screen_style(widget: QWidget) -> Style:
    """The style of the current theme, its type as large as the application's."""
    size = widget.font().pointSizeF()
    scale = size / BASE_POINTS if size > 0 else 1.0
    return Style(theme=current_theme(), text=8.2, glyphs=0.85).scaled(scale)


def nearest_mark(xy: Array, indices: Indices, at: QPointF, reach: float = REACH) -> int | None:
    """The index of the mark nearest to a place, None when none is near."""
    if len(xy) == 0:
        return None
    d2 = ((xy - (at.x(), at.y())) ** 2).sum(axis=1)
    k = int(np.argmin(d2))
    return int(indices[k]) if d2[k] <= reach**2 else None


class InsightView(QWidget):
    """Takes frames while visible and catches up when shown. Subclasses say what to do with a frame.

    The canvas goes first: a frame is taken once the canvas has drawn it, and not more often than the eye
    reads numbers and curves."""

    title: ClassVar[str] = ""
    pause: ClassVar[int] = 80
    """Milliseconds between two frames taken."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.workbench = workbench
        self.taken: Frame | None = None
        self._soon = Pace(self, self.pause, self.catch_up)
        self._glance = Pace(self, 0, self.point_out)
        workbench.frame_arrived.connect(self._on_frame)
        workbench.failed.connect(self._on_failure)
        workbench.hovered.connect(self._on_hover)
        workbench.state_changed.connect(self._on_state)

    @abstractmethod
    def take(self, frame: Frame | None) -> None:
        """Prepare what is shown from a frame (None: there is no result)."""

    @abstractmethod
    def point_out(self) -> None:
        """The highlighted or selected points have changed."""

    @property
    def marked(self) -> tuple[int, ...]:
        """Selected points of the frame, then the hovered one, which is drawn last."""
        n = self.taken.data.n if self.taken is not None else 0
        hovered = self.workbench.hovered_point
        chosen = (*self.workbench.session.look.selection, *(() if hovered is None else (hovered,)))
        return tuple(i for i in chosen if i < n)

    def catch_up(self) -> None:
        """Take the latest frame if it has not been taken yet."""
        self._soon.stop()
        if self.taken is not self.workbench.frame:
            self.taken = self.workbench.frame
            self.take(self.taken)

    def glance(self) -> None:
        """Show what is pointed at: at once, or when the canvas has drawn the frame it is waiting for."""
        if self.workbench.up_to_date:
            self._glance.now()
        else:
            self._glance.ask()

    def _on_frame(self, frame: Frame) -> None:
        if self.isVisible():
            self._soon.ask()

    def _on_failure(self, failure: Failure) -> None:
        if self.isVisible():
            self.catch_up()

    def _on_hover(self, point: int | None) -> None:
        if self.isVisible():
            self.glance()

    def _on_state(self, old: State, new: State) -> None:
        if self.isVisible() and old.look.selection != new.look.selection:
            self.point_out()

    def showEvent(self, event: QShowEvent) -> None:
        self.catch_up()
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._soon.stop()
        self._glance.stop()
        super().hideEvent(event)


class Picture(QWidget):
    """A painted area whose coordinates are points, on screen as on paper."""

    pointed = Signal(object)
    """Where the mouse is (QPointF in points), or None when it has left."""
    clicked = Signal(object)

    def __init__(self, view: PictureView) -> None:
        super().__init__(view)
        self._view = view
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def sizeHint(self) -> QSize:
        return QSize(360, 240)

    def minimumSizeHint(self) -> QSize:
        return QSize(180, 126)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        k = POINTS_PER_PIXEL
        painter.scale(1 / k, 1 / k)
        try:
            self._view.paint(painter, QRectF(0, 0, k * self.width(), k * self.height()), screen_style(self))
        finally:  # a painter that outlives its paint event takes the program down
            painter.end()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.pointed.emit(event.position() * POINTS_PER_PIXEL)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.clicked.emit(event.position() * POINTS_PER_PIXEL)

    def leaveEvent(self, event: QEvent) -> None:
        self.pointed.emit(None)
        super().leaveEvent(event)


class PictureView(InsightView):
    """A view that is one painted picture, perhaps with controls above it.

    It can be painted into any figure: `paint(painter, rect, style)` in points."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self.picture = Picture(self)
        self.picture.pointed.connect(self.on_pointed)
        self.picture.clicked.connect(self.on_clicked)
        self.stamps = Stamps()
        self._background = QPixmap()
        self._background_key: Hashable = None
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(0)
        self.column.addWidget(self.picture, 1)

    def paint(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        """Draw the view into a rectangle of points."""
        self.catch_up()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not style.transparent:
            painter.fillRect(rect, style.theme.paper)
        reason = self.nothing_to_show()
        if reason:
            draw_message(painter, style, rect, reason)
            return
        margin = 0.5 * style.text
        inner = rect.adjusted(margin, margin, -margin, -margin)
        if on_screen(painter):
            self._paint_kept_background(painter, rect, inner, style)
        else:
            self.paint_background(painter, inner, style)
        self.paint_frame(painter, inner, style)

    def _paint_kept_background(self, painter: QPainter, rect: QRectF, inner: QRectF, style: Style) -> None:
        """Axes and curves stay the same over many frames: keep them as a picture."""
        ratio = self.picture.devicePixelRatioF()
        key = (self.picture.width(), self.picture.height(), ratio, style, self.background_key())
        if key != self._background_key:
            self._background_key = key
            self._background = QPixmap(self.picture.size() * ratio)
            self._background.setDevicePixelRatio(ratio)
            self._background.fill(style.theme.paper)
            board = QPainter(self._background)
            board.setRenderHint(QPainter.RenderHint.Antialiasing)
            board.scale(1 / POINTS_PER_PIXEL, 1 / POINTS_PER_PIXEL)
            try:
                self.paint_background(board, inner, style)
            finally:
                board.end()
        painter.save()
        painter.scale(POINTS_PER_PIXEL, POINTS_PER_PIXEL)
        painter.drawPixmap(0, 0, self._background)
        painter.restore()

    def background_key(self) -> Hashable:
        """Changes whenever the background must be drawn anew."""
        return None

    def paint_background(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        """Draw what stays the same from frame to frame."""

    def nothing_to_show(self) -> str:
        """Why there is nothing to plot; empty when there is something."""
        return "" if self.taken is not None else "There is no result to show yet."

    @abstractmethod
    def paint_frame(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        """Draw what was taken, on the background."""

    def take(self, frame: Frame | None) -> None:
        self.picture.update()

    def point_out(self) -> None:
        self.picture.update()

    def mark_at(self, at: QPointF) -> int | None:
        """The training point drawn at a place of the picture, if any."""
        return None

    def on_pointed(self, at: QPointF | None) -> None:
        self.workbench.hover(None if at is None else self.mark_at(at))

    def on_clicked(self, at: QPointF) -> None:
        point = self.mark_at(at)
        if point is not None:
            self.workbench.session.adjust(selection=(point,))
