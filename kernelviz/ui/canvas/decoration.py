"""What of a frame can be prepared before it reaches the window: images and lines, on any thread."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from kernelviz.runtime.messages import Frame
from kernelviz.session.state import TOGGLES, ViewRange
from kernelviz.ui.figure.layers import FieldLayer, Layer, layers
from kernelviz.ui.figure.picture import Picture, picture_of_model, slack_lines
from kernelviz.ui.theme import LIGHT, Theme

__all__ = ["Decoration", "Decorator", "decorate"]

EVERYTHING = frozenset(TOGGLES)
AT_ONCE = EVERYTHING - {"slack"}
"""What costs nothing worth waiting for; slack lines are looked for only when they are shown."""


@dataclass(frozen=True, eq=False)
class Decoration:
    """A frame as a picture with everything in it; what is shown of it is decided when it is drawn."""

    frame: Frame
    picture: Picture

    @cached_property
    def layers(self) -> Mapping[str, Layer]:
        """By toggle, without slack."""
        return layers(self.picture)

    @cached_property
    def with_slack(self) -> Picture:
        picture = self.picture
        if picture.several:
            return picture
        found = slack_lines(self.frame.model, self.frame.lines, picture.view)
        return replace(picture, slack=found, shown=EVERYTHING)

    @cached_property
    def slack(self) -> Layer | None:
        return layers(self.with_slack).get("slack")

    def layer(self, name: str) -> Layer | None:
        return self.slack if name == "slack" else self.layers.get(name)


class Decorator:
    """Decorates frames. The canvas says what it will need so that the worker can have it ready."""

    def __init__(self) -> None:
        self.theme: Theme = LIGHT
        self.slack = False

    def __call__(self, frame: Frame) -> Decoration:
        grid = frame.request.grid
        view = ViewRange(grid.left, grid.right, grid.bottom, grid.top)
        picture = picture_of_model(
            frame.model, view, frame.x1, frame.x2, frame.field, frame.lines, shown=AT_ONCE
        )
        made = Decoration(frame, picture)
        field = made.layers.get("field")
        if isinstance(field, FieldLayer):
            field.image(self.theme)
        if self.slack:
            made.slack  # noqa: B018 (computed now, kept for later)
        return made


decorate = Decorator()
"""For `Workbench(decorate=…)`."""
