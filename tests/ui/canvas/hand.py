"""A hand that uses a canvas as a person does: mouse and keys, in coordinates of the plane."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from kernelviz.engine.core.data import Data
from kernelviz.ui.canvas.plot import CanvasPlot
from kernelviz.ui.canvas.points import PointsCanvas

LEFT, RIGHT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton
NOTHING = Qt.KeyboardModifier.NoModifier


def two_clouds() -> Data:
    """Eight points, four of each class, separable; points 0 and 4 face each other."""
    X = [[1, 0], [2, 1], [2, -1], [2.5, 0], [-1, 0], [-2, 1], [-2, -1], [-2.5, 0]]
    return Data.labelled(np.array(X, float), [1, 1, 1, 1, -1, -1, -1, -1])


class Hand:
    """Mouse and keys on a canvas, on its first plot or another one, in coordinates of the plane."""

    def __init__(self, qtbot, canvas: PointsCanvas, plot: CanvasPlot | None = None) -> None:
        self.qtbot = qtbot
        self.canvas = canvas
        self.plot = plot or canvas.row.plots[0]
        self.bench = canvas.workbench
        self.session = canvas.workbench.session

    # Where ---------------------------------------------------------------------------------------------
    def pixel(self, x: float, y: float) -> QPoint:
        scene = self.plot.area.box.mapViewToScene(QPointF(x, y))
        return self.plot.area.mapFromScene(scene)

    def at(self, where: int | tuple[float, float] | QPoint) -> QPoint:
        """The pixel of a point by its index, of a place in the plane, or as given."""
        if isinstance(where, QPoint):
            return where
        if isinstance(where, int):
            where = tuple(self.points[where])
        return self.pixel(*where)

    @property
    def data(self) -> Data:
        return self.session.document.data

    @property
    def points(self) -> np.ndarray:
        return self.canvas.editor.points

    @property
    def selection(self) -> tuple[int, ...]:
        return self.session.look.selection

    @property
    def steps(self) -> int:
        return len(self.session.history)

    @property
    def undo_name(self) -> str | None:
        return self.session.history.undo_name

    # Mouse ---------------------------------------------------------------------------------------------
    def press(self, where, button=LEFT, held=NOTHING) -> None:
        QTest.mousePress(self.plot.area.viewport(), button, held, self.at(where))

    def move(self, where) -> None:
        QTest.mouseMove(self.plot.area.viewport(), self.at(where))

    def release(self, where, button=LEFT, held=NOTHING) -> None:
        QTest.mouseRelease(self.plot.area.viewport(), button, held, self.at(where))

    def click(self, where, button=LEFT, held=NOTHING) -> None:
        pixel = self.at(where)  # once: the press may remove the point
        self.press(pixel, button, held)
        self.release(pixel, button, held)

    def drag(self, start, *stops, button=LEFT, held=NOTHING) -> None:
        self.press(start, button, held)
        for stop in stops:
            self.move(stop)
            self.beat()
        self.release(stops[-1], button, held)

    def wheel(self, where, turned: int, held=NOTHING, *, sideways: bool = False) -> None:
        turn_wheel(self.plot.area.viewport(), self.at(where), turned, held, sideways=sideways)

    def key(self, key: Qt.Key, held=NOTHING) -> None:
        QTest.keyClick(self.plot.area, key, held)

    # Time ----------------------------------------------------------------------------------------------
    def beat(self) -> None:
        """Let the canvas take in what happened."""
        with self.qtbot.waitSignal(self.plot.pulse.beat):
            self.plot.pulse.ask(0)

    def settle(self) -> None:
        """Until the picture of the present state is on screen."""
        self.beat()
        self.qtbot.waitUntil(lambda: self.bench.up_to_date)
        self.beat()

    # What is seen --------------------------------------------------------------------------------------
    def picture(self) -> np.ndarray:
        """The pixels of the canvas, (rows, columns, 3)."""
        self.settle()
        return pixels_of(self.canvas.grab().toImage())

    @property
    def legend(self) -> list[str]:
        """What the legend says, line by line."""
        return [entry.text for entry in self.plot.scene.legend.legend.entries]

    def boundary(self) -> np.ndarray:
        """Vertices of the drawn line s = 0."""
        lines = self.plot.scene.decoration.picture.lines_at(0.0)
        return np.vstack(lines)


def pixels_of(image: QImage) -> np.ndarray:
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    flat = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine() // 4, 4)
    return flat[:, : image.width(), 2::-1].astype(np.int16)


def turn_wheel(viewport: QWidget, at: QPoint, turned: int, held=NOTHING, *, sideways: bool = False) -> None:
    """Turn the wheel over a pixel; with a modifier some systems turn it sideways."""
    event = QWheelEvent(
        QPointF(at),
        QPointF(viewport.mapToGlobal(at)),
        QPoint(),
        QPoint(turned, 0) if sideways else QPoint(0, turned),
        Qt.MouseButton.NoButton,
        held,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(viewport, event)
