"""Words around a figure."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["NO_WORDS", "Captions"]


@dataclass(frozen=True)
class Captions:
    """Words around the plot; what is empty takes no room."""

    title: str = ""
    formula: str = ""
    caption: str = ""


NO_WORDS = Captions()
