"""The style sheet of the widgets: calm surfaces, round corners, room to breathe."""

from __future__ import annotations

from string import Template
from typing import TYPE_CHECKING

from kernelviz.resource import resource_path

if TYPE_CHECKING:
    from kernelviz.ui.theme import Theme

__all__ = ["stylesheet"]

SIZES = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20, 24, 28, 32)


def stylesheet(theme: Theme, scale: float = 1.0) -> str:
    """Qt style sheet text for a theme; $p6 in resources/style.qss is 6 pixels times the scale."""
    pixels = {f"p{n}": f"{max(1, round(n * scale))}px" for n in SIZES}
    colours = {
        name: getattr(theme, name)
        for name in ("window", "surface", "raised", "hover", "border", "text", "muted", "accent", "on_accent")
    }
    icons = resource_path("icons", "controls").as_posix()
    return Template(resource_path("style.qss").read_text(encoding="utf-8")).substitute(
        colours, **pixels, icons=icons, theme=theme.name
    )
