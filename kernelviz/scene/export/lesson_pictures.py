"""Pictures of the states of lessons and lectures, for those who write them: canvas and open views."""

from __future__ import annotations

from pathlib import Path

from kernelviz.engine.core.errors import NotWritten, reason
from kernelviz.scene.export.composition import render_state
from kernelviz.scene.export.options import Options
from kernelviz.scene.nodes import Marks
from kernelviz.scene.panels import opened
from kernelviz.session.lessons.state import LessonState


class LessonPictures:
    """Draws states into a folder, which is made if it is not there."""

    def __init__(self, folder: Path, theme: str) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise NotWritten(f"{folder} cannot be made: {reason(problem)}.") from None
        self._folder = folder
        self._options = Options(width=800, height=600, dpi=100.0, theme=theme)

    def draw(self, name: str, state: LessonState) -> None:
        """Draw what the window shows of a state: the canvas, and next to it the views that are pictures."""
        selected = () if state.look is None else state.look.selection
        panels = opened(state.open_views, Marks(selected).point)
        options = self._options.replace(width=self._options.width * (1 + len(panels)))
        render_state(state.shown(), self._folder / f"{name}.png", options, panels)
