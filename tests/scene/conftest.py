"""No display, frames and verdicts as the worker makes them, and scenes painted into images."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from kernelviz.engine.fits.parsing import Fit, algorithm, dataset, kernel
from kernelviz.engine.models.sampling import SampleGrid
from kernelviz.runtime.messages import Frame, Request, Verdict
from kernelviz.runtime.runner import Runner
from kernelviz.scene.figure.style import Style
from kernelviz.scene.painter import Layout
from tests.qt_fixtures import (
    linear_model,
    nothing_is_left_behind,
    qapp_args,
    settings_of_their_own,
    usual_look,
)

__all__ = [
    "application",
    "linear_model",
    "nothing_is_left_behind",
    "qapp_args",
    "settings_of_their_own",
    "usual_look",
]

RECT = QRectF(0, 0, 300, 200)


@pytest.fixture(autouse=True)
def application(qapp):
    """An application: without one Qt crashes when asked for a font."""
    return qapp


@pytest.fixture
def answers():
    """(frame, verdict) for data, kernel and algorithm; `step` None is the optimum."""

    def of(
        data="gaussians(n=40, seed=3)",
        kernel_text="rbf(gamma=1)",
        how="soft-margin-svm(C=1)",
        step=None,
        held_out=None,
    ):
        points = dataset(data) if isinstance(data, str) else data
        told = {}
        runner = Runner(lambda answer: told.__setitem__(type(answer), answer), synchronous=True)
        fits = (Fit(kernel(kernel_text), algorithm(how)),)
        runner.submit(
            Request(
                1, points, fits, SampleGrid(-3, 3, -3, 3, 9, 9), step=step, verdict=True, held_out=held_out
            )
        )
        runner.stop()
        return told[Frame], told.get(Verdict)

    return of


@pytest.fixture
def frame_of(answers):
    """The frame alone."""
    return lambda *args, **kwargs: answers(*args, **kwargs)[0]


@pytest.fixture
def painted(qapp):
    """A scene painted into an image, with some points marked."""

    def paint(scene, style=None, rect=RECT, marks=None) -> QImage:
        image = QImage(round(rect.width()), round(rect.height()), QImage.Format.Format_RGB32)
        image.fill("magenta")
        painter = QPainter(image)
        Layout(scene.root, rect, style or Style()).paint(painter, marks)
        painter.end()
        return image

    return paint


@pytest.fixture
def rect():
    return RECT
