"""A window, lessons to do in it, and time that passes quickly."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernelviz.session.lessons import playing
from kernelviz.ui.lessons import tutor
from tests.ui.lessons.student import PLANE, Student
from tests.ui.window.conftest import kept_window, settings, shared_window, start_again, state, window

__all__ = ["kept_window", "settings", "shared_window", "start_again", "state", "window"]


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Actions are played in a moment, and checks are evaluated soon."""
    monkeypatch.setattr(tutor, "REST", 20)
    for name, value in (("FRAMES", 3), ("PACE", 1), ("PAUSE", 1)):
        monkeypatch.setattr(playing, name, value)


@pytest.fixture
def plane_lesson(tmp_path) -> Path:
    path = tmp_path / "width.md"
    path.write_text(PLANE, encoding="utf-8")
    return path


@pytest.fixture
def student(qtbot, window, plane_lesson) -> Student:
    """Somebody who has just opened the lesson in the plane."""
    made = Student(qtbot, window)
    made.open(plane_lesson)
    return made
