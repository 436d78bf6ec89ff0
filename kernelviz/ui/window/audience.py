"""The audience window: the canvas once more, with one view and the question of a lecture next to it, on
another screen and without panels.

It is no second canvas on the same workbench: both would set the view of the plane, each for its own shape,
and the worker would paint for one of them only. Whenever a plot of the window is painted, the same part is
painted here, enlarged."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import (
    QCloseEvent,
    QColor,
    QGuiApplication,
    QHideEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QRegion,
    QScreen,
    QShowEvent,
)
from PySide6.QtWidgets import QWidget

from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.transform import POINTS_PER_PIXEL
from kernelviz.scene.painter import Layout, ScreenPainter
from kernelviz.scene.theme import current_theme
from kernelviz.ui.canvas.plot import CanvasPlot
from kernelviz.ui.insight.scene_view import SceneView
from kernelviz.ui.insight.sheet import SceneSheet
from kernelviz.ui.widgets.layouts import soon
from kernelviz.ui.window.shell import Shell
from kernelviz.ui.workbench.throttle import Throttle

FIRST_SIZE = QSize(960, 600)  # In pixels, where there is no other screen.


class AudienceWindow(QWidget):
    """Paints what the lecturer's window shows, as large as there is room: plots with their titles, banners
    and notes, the mouse over them, the view that is large or else the first, and the question of a lecture.
    It never has the keyboard.

    With another screen it fills that; its name is remembered, and the window hidden while the screen is gone.
    During a drag the backdrop of the canvas is enlarged; at rest it is painted again."""

    def __init__(self, window: Shell) -> None:
        between_paints, rest = 33, 150  # Milliseconds.
        flags = Qt.WindowType.Window | Qt.WindowType.WindowDoesNotAcceptFocus
        super().__init__(None, flags)
        self.setWindowTitle("kernelviz – audience")
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.resize(FIRST_SIZE)
        self._window = window
        self._watched: list[QWidget] = []
        self._blank = False
        self._copying = False  # A question is painted here, which its panel takes for a paint of its own.
        self._sharp: object = None  # The picture painted at its own resolution.
        self._pointer: QPointF | None = None  # The mouse, in pixels of the row of plots.
        self._screen = ""  # The name of the screen it fills.
        self._stale, self._places_seen = QRect(), (QRectF(), QRect(), QRect())
        self._pulse = Throttle(self, between_paints, self._beat)
        self._rest = QTimer(self, singleShot=True, interval=rest)
        self._rest.timeout.connect(self._sharpen)
        self._painter = ScreenPainter()
        self._laid_out: tuple[object, Layout] | None = None
        app = QGuiApplication.instance()
        assert isinstance(app, QGuiApplication)
        app.screenRemoved.connect(self._on_screen_removed)
        app.screenAdded.connect(self._on_screen_added)
        window.blanked.connect(self._show_blank)
        window.canvases.currentChanged.connect(self._look_again)
        for changed in (window.insight.changed, window.docks["insight"].visibilityChanged):
            changed.connect(self._look_soon)

    # Commands -------------------------------------------------------------------------------------------
    def audience_window(self) -> None:
        """Open the window or close it, as the checked menu entry says."""
        self._window.arrangement.follow_audience()
        if not self._window.actions_by_name["audience_window"].isChecked():
            self._screen = ""
            self.hide()
            return
        mine = self._window.screen()
        others = [screen for screen in QGuiApplication.screens() if screen is not mine]
        if others:
            self._fill(others[0])
            return
        self.setWindowState(Qt.WindowState.WindowNoState)
        if not mine.geometry().contains(self.geometry()):  # it filled a screen that is gone
            self.setGeometry(QRect(mine.availableGeometry().topLeft() + QPoint(60, 60), FIRST_SIZE))
        self.show()

    def stop(self) -> None:
        """Close it together with the lecturer's window."""
        self._end()
        self.hide()
        self.deleteLater()

    def _end(self) -> None:
        """Leave the screen, and give the lecturer's window its own layout back."""
        self._screen = ""
        self._window.actions_by_name["audience_window"].setChecked(False)
        self._window.arrangement.follow_audience()

    # Screens --------------------------------------------------------------------------------------------
    def _fill(self, screen: QScreen) -> None:
        """Fill a screen, and stay with it."""
        self._screen = screen.name()
        self.setScreen(screen)
        self.setGeometry(screen.geometry())
        self.setWindowState(Qt.WindowState.WindowFullScreen)  # `showFullScreen` asks for the keyboard too
        self.show()

    def _on_screen_removed(self, screen: QScreen) -> None:
        if self._screen and screen.name() == self._screen:
            self.hide()  # Qt would put it over the lecturer's window

    def _on_screen_added(self, screen: QScreen) -> None:
        if self._screen and screen.name() == self._screen:
            self._fill(screen)

    # What is where --------------------------------------------------------------------------------------
    @property
    def _row(self) -> QWidget:
        """The plots of the canvas in front."""
        return self._window.canvas.row

    @property
    def _sheet(self) -> SceneSheet | None:
        """The sheet of the view next to the canvas, if there is one."""
        area = self._window.insight
        names = [area.enlarged] if area.enlarged is not None else area.shown
        for name in names:
            view = area.views.get(name)
            if isinstance(view, SceneView) and view.isVisible():
                return view.sheet
        return None

    @property
    def _question(self) -> QWidget | None:
        """The panel with the question that a lecture asks now."""
        return self._window.lessons.question

    @property
    def _places(self) -> tuple[QRectF, QRect, QRect]:
        """The places of the plots, of the question, and of the view below it."""
        row, asked, width, height, air = self._row, self._question, self.width(), self.height(), 24
        share = 1.0
        if self._sheet is not None or asked is not None:
            share = 0.62 if self._window.insight.enlarged is None else 0.38
        scale = min(share * width / max(1, row.width()), height / max(1, row.height()))
        size = QRectF(row.rect()).size() * scale if row.isVisible() else QRectF().size()
        left = 0 if share < 1.0 else (width - size.width()) // 2
        plots = QRectF(left, (height - size.height()) // 2, size.width(), size.height())
        beside = self.rect().adjusted(int(plots.right()) + air, air, -air, -air)
        if share == 1.0 or asked is None:
            return plots, QRect(), beside if share < 1.0 else QRect()
        words = asked.childrenRect().size()
        most = beside.height() if self._sheet is None else beside.height() // 2
        words.scale(beside.width(), most, Qt.AspectRatioMode.KeepAspectRatio)
        return plots, QRect(beside.topLeft(), words), beside.adjusted(0, words.height() + air, 0, 0)

    # When to paint --------------------------------------------------------------------------------------
    def _watch(self, on: bool = True) -> None:
        """Follow the paints of the plots and of the view, or of nothing."""
        wanted: list[QWidget] = []
        if on:
            wanted = [plot.area.viewport() for plot in self._window.canvas.row.plots]
            wanted += [part for part in (self._sheet, self._question) if part is not None]
        if wanted != self._watched:
            for widget in self._watched:
                widget.removeEventFilter(self)
            for widget in wanted:
                widget.installEventFilter(self)
            self._watched = wanted

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Note repainted widgets of the lecturer's window, and the place of the mouse."""
        if self._copying:
            return False
        if isinstance(event, QPaintEvent) and isinstance(watched, QWidget):
            self._rest.start()
            if not self._row.isAncestorOf(watched):
                _, question, view = self._places
                self._ask(view if isinstance(watched, SceneSheet) else question)
            else:
                part = event.rect().translated(watched.mapTo(self._row, QPoint()))
                self._ask(self._enlarged(QRectF(part)))
        elif isinstance(event, QMouseEvent) and isinstance(watched, QWidget):
            if self._row.isAncestorOf(watched):
                self._point(QPointF(watched.mapTo(self._row, event.position().toPoint())))
        elif event.type() == QEvent.Type.Leave:
            self._point(None)
        return False

    def _point(self, at: QPointF | None) -> None:
        """Show the mouse at a place of the row, or nowhere."""
        before, self._pointer = self._pointer, at
        for place in (before, at):
            if place is not None:
                self._ask(self._enlarged(QRectF(place, place)).adjusted(-4, -4, 60, 60))

    def _enlarged(self, part: QRectF) -> QRect:
        """Return where a part of the row of plots is painted."""
        plots = self._places[0]
        scale = plots.width() / max(1, self._row.width())
        corner, size = plots.topLeft() + part.topLeft() * scale, part.size() * scale
        return QRectF(corner, size).toAlignedRect().adjusted(-1, -1, 1, 1)

    def _ask(self, part: QRect) -> None:
        self._stale |= part
        self._pulse.ask(0)

    def _beat(self) -> None:
        """Paint the parts that have changed, or everything if they have moved."""
        stale, self._stale = self._stale, QRect()
        self._watch(self.isVisible())
        places = self._places
        self.update(stale if places == self._places_seen else self.rect())
        self._places_seen = places

    def _look_soon(self) -> None:
        soon(self, self._look_again)  # once the view has its place

    def _look_again(self) -> None:
        """Show another canvas or another view."""
        if self.isVisible():
            self._rest.start()
            self._ask(self.rect())

    @property
    def _behind(self) -> object:
        """A key of the backdrops of the plots."""
        plots = self._window.canvas.row.shown
        return [(p.scene.decoration, p.scene.shown, p.scene.style, p.area.view, p.size()) for p in plots]

    def _sharpen(self) -> None:
        self._sharp = self._behind
        self._ask(self.rect())

    def _show_blank(self, on: bool) -> None:
        self._blank = on
        self.update()

    # Painting -------------------------------------------------------------------------------------------
    def paintEvent(self, event: QPaintEvent) -> None:
        part = event.rect()
        with QPainter(self) as painter:
            if self._blank:
                painter.fillRect(part, Qt.GlobalColor.black)
                return
            painter.fillRect(part, QColor(current_theme().paper))
            plots, question, beside = self._places
            if plots.intersects(QRectF(part)):
                painter.save()
                self._paint_plots(painter, plots, part)
                painter.restore()
            if (asked := self._question) is not None and question.intersects(part):
                self._paint_question(painter, asked, question)
            if (sheet := self._sheet) is not None and beside.intersects(part):
                painter.translate(beside.topLeft())
                painter.scale(1 / POINTS_PER_PIXEL, 1 / POINTS_PER_PIXEL)
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                self._painter.paint(
                    painter, self._layout(sheet, beside), self.devicePixelRatioF(), sheet.marks
                )

    def _paint_question(self, painter: QPainter, asked: QWidget, place: QRect) -> None:
        """Paint a question with its choices, without the paper around them."""
        words = asked.childrenRect()
        painter.save()
        painter.translate(place.topLeft())
        painter.scale(place.width() / words.width(), place.height() / words.height())
        self._copying = True
        asked.render(painter, QPoint(), QRegion(words), QWidget.RenderFlag.DrawChildren)
        self._copying = False
        painter.restore()

    def _layout(self, sheet: SceneSheet, beside: QRect) -> Layout:
        """Return the scene of a view laid out for its place here."""
        sides = (POINTS_PER_PIXEL * side for side in self.size().toTuple())
        key = (sheet.scene, beside, Style(current_theme()).for_window(*sides))
        if self._laid_out is None or self._laid_out[0] != key:
            room = QRectF(0, 0, POINTS_PER_PIXEL * beside.width(), POINTS_PER_PIXEL * beside.height())
            self._laid_out = key, Layout(sheet.scene.root, room, key[2])
        return self._laid_out[1]

    def _paint_plots(self, painter: QPainter, plots: QRectF, part: QRect) -> None:
        """Paint a part of the row of plots, and the mouse."""
        row = self._row
        scale = plots.width() / max(1, row.width())
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.translate(plots.topLeft())
        painter.scale(scale, scale)
        seen = painter.transform().inverted()[0].mapRect(QRectF(part)).toAlignedRect()
        ratio = row.devicePixelRatioF()
        if self._sharp == self._behind:
            ratio = self.devicePixelRatioF() * scale
        for plot in self._window.canvas.row.shown:
            self._paint_plot(painter, plot, seen & plot.geometry(), ratio)
        if self._pointer is not None:
            arrow = ((0, 0), (0, 17), (4, 13.5), (7, 20), (9.5, 19), (6.5, 12.5), (12, 12.5))  # in pixels
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.translate(self._pointer)
            painter.setPen(QPen(Qt.GlobalColor.white, 1.2))
            painter.setBrush(Qt.GlobalColor.black)
            painter.drawPolygon(QPolygonF([QPointF(*corner) for corner in arrow]))

    def _paint_plot(self, painter: QPainter, plot: CanvasPlot, seen: QRect, ratio: float) -> None:
        """Paint a plot, and what lies on or above it: its title, banner and notes."""
        here = seen.translated(-plot.pos())
        painter.save()
        painter.translate(plot.pos())
        area = plot.area
        if not (part := here & area.geometry()).isEmpty():
            area.paint_copy(painter, QRectF(part), part.translated(-area.pos()), ratio)
        for parent in (area.viewport(), plot):  # names of points lie on the viewport, banners on the plot
            for child in parent.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
                place = QRect(child.mapTo(plot, QPoint()), child.size())
                if child is not area and child.isVisible() and place.intersects(here):
                    painter.save()
                    painter.translate(place.topLeft())
                    child.render(painter, QPoint(), renderFlags=QWidget.RenderFlag.DrawChildren)
                    painter.restore()
        painter.restore()

    # Qt's events ----------------------------------------------------------------------------------------
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._look_again()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():
            self._pulse.stop()
            self._rest.stop()
            self._watch(False)
            self._pointer = self._sharp = None

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self._end()
