"""No display, frames and verdicts as the worker makes them, and scenes painted into images."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QImage, QPainter

from kernelviz.drawing.figure.style import Style
from kernelviz.scene.painter import Layout
from tests.drawing.conftest import (
    application,
    linear_model,
    nothing_is_left_behind,
    qapp_args,
    settings_of_their_own,
)
from tests.drawing.insight.conftest import RECT, answers, frame_of, rect

__all__ = [
    "answers",
    "application",
    "frame_of",
    "linear_model",
    "nothing_is_left_behind",
    "qapp_args",
    "rect",
    "settings_of_their_own",
]


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
