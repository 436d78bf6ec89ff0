"""The small pictures of the states to begin with."""

from __future__ import annotations

from pathlib import Path

from kernelviz.scene.export.composition import render_state
from kernelviz.scene.export.options import Options
from kernelviz.session.starts import Start

SMALL = Options(width=252, height=168, dpi=100.0, text=5.0, strokes=0.8, formula=False, caption=False)


def draw_start(start: Start, path: Path) -> None:
    """Draw the picture of a start, without a legend."""
    render_state(start.state().with_legend(False), path, SMALL)
