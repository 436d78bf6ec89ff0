"""Feature space turned: 500 points, a sheet of 400 patches, the plane and its margins, as a sheet on screen
paints them."""

from __future__ import annotations

from time import perf_counter

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPixmap

from kernelviz.engine.fits.parsing import Fit, algorithm, dataset, kernel
from kernelviz.engine.models.sampling import SampleGrid
from kernelviz.runtime.messages import Frame, Request
from kernelviz.runtime.runner import Runner
from kernelviz.scene.export.files import ensure_application
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.transform import POINTS_PER_PIXEL
from kernelviz.scene.insight.parts.space3d import ASLANT
from kernelviz.scene.insight.space import FeatureSpaceView
from kernelviz.scene.nodes import Marks
from kernelviz.scene.painter import Layout, ScreenPainter
from kernelviz.scene.view import Now, ViewMemory
from tests.benchmarks.report import Report

WIDTH, HEIGHT = 800, 600
A_SECOND = 30
"""Frames while it is turned."""
LIFTS = {"products": "homogeneous(degree=2)", "paraboloid": "rbf(gamma=1)", "kernel PCA": "rbf(gamma=1)"}


def run(report: Report, quick: bool) -> None:
    """Frames a second by the median of a turn."""
    ensure_application()
    report.heading(f"Feature space of 500 points, turned, {WIDTH} x {HEIGHT} pixels")
    for lift, how_alike in LIFTS.items():
        seconds = turning(lift, how_alike, 20 if quick else 72)
        rate = 1.0 / float(np.median(seconds))
        report.check(lift, rate >= A_SECOND, f"{rate:.0f} frames a second, at least {A_SECOND}")


def turning(lift: str, how_alike: str, frames: int, n: int = 500) -> list[float]:
    """The seconds each frame of a turn takes to paint."""
    frame, memory, screen = _frame(how_alike, n), ViewMemory(), ScreenPainter()
    view, camera = FeatureSpaceView(lift=lift), ASLANT
    view.scene(frame, Now(), memory)
    style, paper = Style(text=8.2, glyphs=0.85), QPixmap(WIDTH, HEIGHT)
    room = QRectF(0, 0, POINTS_PER_PIXEL * WIDTH, POINTS_PER_PIXEL * HEIGHT)
    found = []
    for _ in range(frames):
        camera = camera.turned(5.0, 0.5)
        begin = perf_counter()
        scene = view.replace(camera=camera).scene(frame, Now(), memory)
        with QPainter(paper) as painter:
            painter.scale(1 / POINTS_PER_PIXEL, 1 / POINTS_PER_PIXEL)
            screen.paint(painter, Layout(scene.root, room, style), 1.0, Marks())
        found.append(perf_counter() - begin)
    return found[1:]  # the first draws the stamps


def _frame(how_alike: str, n: int) -> Frame:
    told: dict[type, Frame] = {}
    runner = Runner(lambda answer: told.__setitem__(type(answer), answer), synchronous=True)
    fit = Fit(kernel(how_alike), algorithm("soft-margin-svm(C=10)"))
    runner.submit(Request(1, dataset(f"rings(n={n}, seed=1)"), (fit,), SampleGrid(-2, 2, -2, 2, 9, 9)))
    runner.stop()
    return told[Frame]
