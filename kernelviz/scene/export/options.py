"""Figure options as painting needs them: pixels, size on paper, margin, style."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import nearest
from kernelviz.scene.figure.colours import coloured
from kernelviz.scene.figure.style import Style
from kernelviz.scene.formula import can_be_set, unknown_command
from kernelviz.session.colour_sets import check_contrast
from kernelviz.session.figure_options import LONGEST_SIDE, FigureOptions
from kernelviz.session.labels import LabelKind, LabelsKind, pieces
from kernelviz.session.line_styles import line_styles
from kernelviz.session.themes import THEMES, Theme


@dataclass(frozen=True)
class Options(FigureOptions):
    """Figure options with a size that can be painted. BadInput for one that is too small or too large.

    >>> Options(width=1600, height=1200, dpi=200).size
    (576.0, 432.0)"""

    def __post_init__(self) -> None:
        shortest_side, most_pixels = 64, 120_000_000
        for side in (self.width, self.height):
            if isinstance(side, int | float) and not shortest_side <= side <= LONGEST_SIDE:
                raise BadInput(
                    f"A figure can be {shortest_side} to {LONGEST_SIDE} pixels wide and high, not {side:.0f}."
                )
        super().__post_init__()
        check_contrast(THEMES[self.theme], self.colours)
        self._check_formulas()
        width, height = self.pixels
        if width * height > most_pixels:
            raise BadInput(
                f"{width}x{height} is more than {most_pixels // 10**6} million pixels. "
                "Choose a smaller size or a lower dpi."
            )

    def _check_formulas(self) -> None:
        """Raise BadInput for a label with mathematics that cannot be typeset."""
        for parameter in self.parameters():
            value = getattr(self, parameter.name)
            labels = value if parameter.kind.several else (value,)
            for label in labels if isinstance(parameter.kind, LabelKind | LabelsKind) else ():
                for latex in pieces(label)[1::2]:
                    if not can_be_set(latex):
                        raise BadInput(f"{parameter.label}: the formula ${latex}$ cannot be typeset.")
                    # A paper may have commands of its own.
                    if self.words != "latex" and (command := unknown_command(latex)):
                        raise BadInput(f"{parameter.label}: the command {command} is not known.")

    @property
    def pixels(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return round(self.width), round(self.height)

    @property
    def pixels_per_point(self) -> float:
        """The resolution, at which fields are sampled."""
        points_per_inch = 72.0
        return self.dpi / points_per_inch

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in points; the pixels are rounded, this is not."""
        return self.width / self.pixels_per_point, self.height / self.pixels_per_point

    @property
    def margin(self) -> float:
        """White space around everything, in points."""
        widest_margin = 0.05  # White space around a figure, as a share of its shorter side.
        return min(0.9 * self.text, widest_margin * min(self.size))

    @property
    def painted_theme(self) -> Theme:
        """The theme of that name in the chosen colours."""
        return coloured(THEMES[self.theme], self.colours)

    def style(self) -> Style:
        """Return the style of the painter."""
        return Style(
            theme=self.painted_theme,
            text=self.text,
            strokes=self.strokes,
            glyphs=self.strokes,
            outlines=self.outlines,
            transparent=self.transparent,
            texture=self.texture,
            lines=line_styles(self.line_styles),
            pixels_per_point=self.pixels_per_point,
        )


def check_names(given: Iterable[str]) -> None:
    """Raise BadInput for a name that no figure option has; in Python the heading is called title."""
    known = ["title" if option.name == "heading" else option.name for option in fields(Options)]
    for name in given:
        if name not in known:
            raise BadInput(f"Unknown figure option {name!r}. {nearest(name, known)}")
