"""How a figure is to be written: size, resolution, look."""

from __future__ import annotations

from dataclasses import dataclass, replace

from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.theme import THEMES, Theme, ThemeName
from kernelviz.engine.core.errors import BadInput

SHORTEST_SIDE, LONGEST_SIDE, MOST_PIXELS = 64, 20_000, 120_000_000
POINTS_PER_INCH = 72.0
NARROW = 0.05  # Of the shorter side: more than that is not left white around a figure.
MM_PER_INCH = 25.4


@dataclass(frozen=True)
class Options:
    """Width and height in pixels at `dpi`; for SVG and PDF their quotient, the size on paper, counts."""

    width: int = 1600
    height: int = 1200
    dpi: float = 200.0
    theme: ThemeName = "light"
    text: float = 9.0  # Type size in points.
    strokes: float = 1.0  # Factor on lines and glyphs.
    transparent: bool = False
    outlines: bool = False  # SVG only: text as shapes instead of text.

    def __post_init__(self) -> None:
        for side in (self.width, self.height):
            if not SHORTEST_SIDE <= side <= LONGEST_SIDE:
                raise BadInput(
                    f"A figure can be {SHORTEST_SIDE} to {LONGEST_SIDE} pixels wide and high, not {side}."
                )
        if self.width * self.height > MOST_PIXELS:
            raise BadInput(
                f"{self.width}x{self.height} is more than {MOST_PIXELS // 10**6} million pixels. "
                "Choose a smaller size, or SVG or PDF."
            )
        if not 10 <= self.dpi <= 2400:
            raise BadInput(f"The resolution must lie between 10 and 2400 dpi, not be {self.dpi:g}.")
        if self.theme not in THEMES:
            raise BadInput(f"The theme must be light, dark or high-contrast, not {self.theme!r}.")
        if not 2 <= self.text <= 200:
            raise BadInput(f"The type size must lie between 2 and 200 points, not be {self.text:g}.")
        if not 0.1 <= self.strokes <= 10:
            raise BadInput(f"The line scale must lie between 0.1 and 10, not be {self.strokes:g}.")

    @property
    def pixels_per_point(self) -> float:
        return self.dpi / POINTS_PER_INCH

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in points."""
        return self.width / self.pixels_per_point, self.height / self.pixels_per_point

    @property
    def margin(self) -> float:
        """White space around everything, in points."""
        return min(0.9 * self.text, NARROW * min(self.size))

    @property
    def colours(self) -> Theme:
        return THEMES[self.theme]

    def style(self) -> Style:
        """What the painter needs of this."""
        return Style(
            theme=self.colours,
            text=self.text,
            strokes=self.strokes,
            glyphs=self.strokes,
            outlines=self.outlines,
            transparent=self.transparent,
            pixels_per_point=self.pixels_per_point,
        )


@dataclass(frozen=True)
class Preset:
    """A usual size: millimetres on paper, resolution, and a type size that suits it."""

    title: str
    width: float
    height: float
    dpi: float
    text: float
    strokes: float = 1.0

    def options(self, base: Options | None = None, dpi: float | None = None) -> Options:
        """These measures, at another resolution if given, with everything else as in `base`."""
        dpi = dpi or self.dpi
        return replace(
            base or Options(),
            width=round(self.width / MM_PER_INCH * dpi),
            height=round(self.height / MM_PER_INCH * dpi),
            dpi=dpi,
            text=self.text,
            strokes=self.strokes,
        )


PRESETS = {
    "one-column": Preset("One column (85 mm)", 85.0, 80.0, 600.0, 7.0, 0.65),
    "two-columns": Preset("Two columns (178 mm)", 178.0, 120.0, 600.0, 8.0, 0.85),
    "slide": Preset("Slide 16:9", 338.66667, 190.5, 144.0, 18.0, 1.7),
    "poster": Preset("Poster (400 mm)", 400.0, 400.0, 300.0, 24.0, 2.4),
}
