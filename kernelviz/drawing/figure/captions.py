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
    longest: str = ""
    """The longest caption among the frames of a film: all keep room for it, or the plot would jump."""


NO_WORDS = Captions()
