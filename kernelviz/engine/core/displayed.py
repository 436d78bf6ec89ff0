"""Objects that a notebook displays with a picture, which an outer layer draws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# The function that returns an object as HTML; the package enters it when it is imported.
_drawn_by: list[Callable[[Any], Any]] = []


def draw_with(function: Callable[[Any], Any]) -> None:
    """Let all objects be drawn by a function that returns what a notebook displays."""
    _drawn_by[:] = [function]


class Displayed:
    """An object that a notebook displays as its picture, with its numbers in a table."""

    def _repr_html_(self) -> str | None:
        """Return the picture and the numbers as HTML, which notebooks ask for by this name."""
        return _drawn_by[0](self)._repr_html_() if _drawn_by else None

    def _repr_svg_(self) -> str | None:
        """Return the picture alone, for notebooks on paper."""
        return _drawn_by[0](self)._repr_svg_() if _drawn_by else None
