"""What is found under the mouse, and what is marked."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Hit:
    """What is drawn at a place of a scene; empty where nothing is."""

    part: str = ""  # The name of the node or layer.
    points: tuple[int, ...] = ()  # The training points drawn there: none, one, or the two of a pair.
    row: str = ""  # The name of the row there.
    at: tuple[float, float] | None = None  # The place in the units of the axes.
    tip: str = ""  # An explanation, for a tooltip.


@dataclass(frozen=True)
class Marks:
    """What is highlighted: the selected points, the hovered one, the other of a pair, and what is under the
    mouse in this very scene."""

    selected: tuple[int, ...] = ()
    hovered: int | None = None
    partner: int | None = None
    pointed: Hit = field(default_factory=Hit)

    def among(self, n: int) -> tuple[int, ...]:
        """Return the marked ones of the first n points; the hovered one is the last."""
        chosen = (*self.selected, *(() if self.hovered is None else (self.hovered,)))
        return tuple(i for i in chosen if i < n)

    @property
    def point(self) -> int | None:
        """The point whose details are shown: the hovered one, else the first of the selected."""
        return self.selected[0] if self.hovered is None and self.selected else self.hovered
