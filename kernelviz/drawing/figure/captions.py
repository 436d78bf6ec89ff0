"""Words around a figure."""

from __future__ import annotations

from dataclasses import dataclass, replace

__all__ = ["NO_WORDS", "Captions"]


@dataclass(frozen=True)
class Captions:
    """Words around the plot; what is empty takes no room."""

    title: str = ""
    formula: str = ""
    caption: str = ""
    longest: str = ""
    """The longest caption among the frames of a film, or the panels of a figure: all keep room for it, or the
    plot would jump."""
    brief: Captions | None = None
    """What to say instead where there is no room for all of it."""

    def untitled(self) -> Captions:
        """Without the title, which somebody else says."""
        return replace(self, title="", brief=self.brief and self.brief.untitled())


NO_WORDS = Captions()
