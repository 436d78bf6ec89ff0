"""What the export dialogues ask for: the options of a figure, and those of its file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import choice, flag, integer, real
from kernelviz.scene.export.options import Options
from kernelviz.session.figure_options import LEAST_DPI, MM_PER_INCH, PRESETS, FigureOptions

OWN = "own"
VECTOR = ("SVG", "PDF")
FINEST_SAMPLING = 5000  # Most pixels along the longer side at which a vector format is sampled.
FILM_WIDTH = 640  # Pixels of width at which a film's type has the size it would have on screen.


@dataclass(frozen=True)
class Choices(FigureOptions):
    """Choices of a dialogue, which are remembered."""

    legend: bool = flag(True, label="Legend", help="What lines, points and rings mean")

    @classmethod
    def usual(cls) -> Self:
        """Return the choices before anything was chosen."""
        return cls()

    @classmethod
    def remembered(cls, values: Mapping[str, Any]) -> Self:
        """Return the choices with the values of the last time, as far as they still make sense."""
        made = cls.usual()
        for parameter in cls.parameters():
            if parameter.name in values:
                try:
                    made = made.replace(**{parameter.name: values[parameter.name]})
                except BadInput:
                    continue
        return made

    def options(self) -> Options:
        """Return what the painter needs. BadInput when the measures are impossible."""
        raise NotImplementedError

    def _options(self, **changes: Any) -> Options:
        shared = {parameter.name: getattr(self, parameter.name) for parameter in Options.parameters()}
        return Options(heading=self.heading, **(shared | changes))


@dataclass(frozen=True)
class FigureChoices(Choices):
    """A figure: its format, and its size in millimetres or pixels."""

    format: str = choice("PNG", ("PNG", *VECTOR), label="Format")
    preset: str = choice(OWN, (*PRESETS, OWN), label="Size")
    unit: str = choice("px", ("mm", "px"), label="Unit")

    @classmethod
    def usual(cls) -> Self:
        return cls(outlines=True).with_preset("one-column")

    def with_preset(self, preset: str) -> Self:
        """Return the choices with the measures of a preset; "own" keeps the present ones."""
        if preset == OWN:
            return self.replace(preset=OWN)
        usual = PRESETS[preset]
        return self.replace(
            preset=preset,
            width=round(usual.width, 2),
            height=round(usual.height, 2),
            unit="mm",
            dpi=usual.dpi,
            text=usual.text,
            strokes=usual.strokes,
        )

    def in_unit(self, unit: str) -> Self:
        """Return the same size in the other unit."""
        if unit == self.unit:
            return self
        factor = self.dpi / MM_PER_INCH if unit == "px" else MM_PER_INCH / self.dpi
        digits = 0 if unit == "px" else 2
        width, height = (round(side * factor, digits) for side in (self.width, self.height))
        return self.replace(unit=unit, width=width, height=height, preset=OWN)

    def options(self) -> Options:
        dpi, pixels = self.dpi, [self.width, self.height]
        if self.unit == "mm":
            pixels = [side / MM_PER_INCH * dpi for side in pixels]
        shrink = FINEST_SAMPLING / max(pixels)
        if self.format in VECTOR and shrink < 1 and dpi * shrink >= LEAST_DPI:
            # Only the size on paper counts, so a huge page need not be refused.
            dpi, pixels = dpi * shrink, [side * shrink for side in pixels]
        width, height = map(round, pixels)
        outlines = self.outlines and self.format == "SVG"
        return self._options(width=width, height=height, dpi=dpi, outlines=outlines)


@dataclass(frozen=True)
class FilmChoices(Choices):
    """An animation: its format, what it shows, and its speed."""

    format: str = choice("GIF", ("GIF", "APNG", "PNGs"), label="Format")
    of: str = choice("run", ("run", "sweep", "unfolding"), label="Show")
    frames: int = integer(
        40, low=2, high=2000, soft=(2, 200), label="Frames",
        help="Most frames of the film; a longer run is thinned out",
    )  # fmt: skip
    speed: float = real(
        10.0, low=0.05, high=50.0, soft=(1.0, 30.0), label="Per second", help="Frames per second"
    )

    @classmethod
    def usual(cls) -> Self:
        return cls(width=FILM_WIDTH, height=480)

    @property
    def suffix(self) -> str:
        return {"GIF": ".gif", "APNG": ".apng", "PNGs": ".png"}[self.format]

    def options(self) -> Options:
        """Return what the painter needs; type and lines grow with the width."""
        return self._options(dpi=max(LEAST_DPI, 96.0 * self.width / FILM_WIDTH))
