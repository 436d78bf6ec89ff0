"""The course of the algorithm."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPointF, QTimer
from PySide6.QtGui import QHideEvent

from kernelviz.drawing.insight.convergence import ConvergencePicture, CourseMaker
from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.runtime.convergence_runs import CourseRun
from kernelviz.runtime.messages import Frame
from kernelviz.ui.insight.base import PictureView
from kernelviz.ui.workbench.workbench import Workbench

REST = 300
"""Milliseconds without a new result after which nobody is dragging."""


class ConvergenceView(PictureView):
    """While watching, a click goes to that step. Live, the iterations of the present fit are run in the
    background once nothing moves; of an algorithm that can be run in explicit features too, also that."""

    name = "convergence"
    kind = ConvergencePicture

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self.maker: CourseMaker = CourseMaker.of(ConvergencePicture)
        self._run: CourseRun | None = None
        self._background = workbench.background("kernelviz-course", self)
        self._background.progressed.connect(self._show_course)
        self._background.done.connect(self._show_course)
        self._rest = QTimer(self, singleShot=True, interval=REST)
        self._rest.timeout.connect(self._compute)

    def take(self, frame: Frame | None) -> None:
        super().take(frame)
        if frame is None or not _worth_running(frame):
            self._rest.stop()
            self._background.cancel()
        elif self._run is None or self._run.problem is not frame.model.problem:
            self._background.cancel()
            if frame.request.step is None or not self._rest.isActive():  # frames of a run go on and on
                self._rest.start()

    def hideEvent(self, event: QHideEvent) -> None:
        self._rest.stop()
        self._background.cancel()
        self._run = None
        super().hideEvent(event)

    def _compute(self) -> None:
        frame = self.taken
        if frame is None:
            return
        algorithm = frame.model.algorithm
        assert isinstance(algorithm, Algorithm)
        self._run = CourseRun(algorithm, frame.model.problem)
        self._background.start(self._run.work)

    def _show_course(self) -> None:
        if self._run is not None:
            course = (self._run.problem, self._run.so_far)
            self.maker = replace(self.maker, course=course)
            super().take(self.taken)

    def on_clicked(self, at: QPointF) -> None:
        session, picture = self.workbench.session, self.picture
        if session.look.mode == "watch" and isinstance(picture, ConvergencePicture):
            session.adjust(step=picture.step_at(at, self.sheet.room, self.sheet.style_of_picture))


def _worth_running(frame: Frame) -> bool:
    """A finished live result; of what is watched the course is known, but not what it is in features."""
    if frame.request.step is None:
        return frame.finished
    return frame.model.algorithm.in_features(frame.model.problem) is not None
