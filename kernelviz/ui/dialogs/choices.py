"""What the export dialogues ask for, declared like any other parameters: bounds, help, controls follow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, TypeVar, cast

from kernelviz.drawing.export.options import MM_PER_INCH, PRESETS, Options
from kernelviz.drawing.export.states import Words
from kernelviz.drawing.theme import THEMES, ThemeName
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Declared, choice, flag, integer, real
from kernelviz.session.scripts.text import Sheet

OWN = "own"
VECTOR = ("SVG", "PDF")
FINEST_SAMPLING = 5000  # Pixels along the longer side that a vector format is sampled at, at most.
LEAST_DPI = 10.0
W = TypeVar("W", bound=Declared)


@dataclass(frozen=True)
class FigureChoices(Declared):
    """A figure: format, size, look, and which words stand around it."""

    name: ClassVar[str] = "the figure"
    format: str = choice("PNG", ("PNG", *VECTOR), label="Format")
    preset: str = choice("one-column", (*PRESETS, OWN), label="Size")
    width: float = real(85.0, low=1.0, high=20_000.0, label="Width")
    height: float = real(80.0, low=1.0, high=20_000.0, label="Height")
    unit: str = choice("mm", ("mm", "px"), label="Unit")
    dpi: float = real(
        600.0, low=LEAST_DPI, high=2400.0, soft=(72.0, 1200.0), scale="log", label="Dots per inch",
        help="Resolution of the pixels; of SVG and PDF only the field has any",
    )  # fmt: skip
    theme: str = choice("light", tuple(THEMES), label="Theme")
    text: float = real(
        7.0, low=2.0, high=200.0, soft=(4.0, 36.0), scale="log", label="Type size",
        help="Font size of the axis numbers, in points. Other text scales with it.",
    )  # fmt: skip
    strokes: float = real(
        0.65, low=0.1, high=10.0, soft=(0.3, 4.0), scale="log", label="Line scale",
        help="Factor on the width of lines and the size of points",
    )  # fmt: skip
    transparent: bool = flag(False, label="Transparent background", help="No paper behind the figure")
    outlines: bool = flag(
        True, label="Text as outlines", help="SVG that looks the same where the typeface is missing"
    )
    canvas: bool = flag(True, label="Canvas", help="The plane with points and fit")
    legend: bool = flag(True, label="Legend", help="What lines, points and rings mean")
    formula: bool = flag(True, label="Formula", help="The kernel, typeset")
    caption: bool = flag(True, label="Caption", help="Kernel, algorithm and parameters in one line")

    def with_preset(self, preset: str) -> FigureChoices:
        """The measures of a preset; "own" keeps the present ones."""
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

    def in_unit(self, unit: str) -> FigureChoices:
        """The same size told in the other unit."""
        if unit == self.unit:
            return self
        factor = self.dpi / MM_PER_INCH if unit == "px" else MM_PER_INCH / self.dpi
        digits = 0 if unit == "px" else 2
        width, height = (round(side * factor, digits) for side in (self.width, self.height))
        return self.replace(unit=unit, width=width, height=height, preset=OWN)

    def options(self) -> Options:
        """What the painter needs. BadInput when the measures are impossible."""
        dpi, pixels = self.dpi, [self.width, self.height]
        if self.unit == "mm":
            pixels = [side / MM_PER_INCH * dpi for side in pixels]
        shrink = FINEST_SAMPLING / max(pixels)
        if self.format in VECTOR and shrink < 1 and dpi * shrink >= LEAST_DPI:
            # Only the size on paper counts; a huge page is no reason to refuse.
            dpi, pixels = dpi * shrink, [side * shrink for side in pixels]
        return Options(
            width=round(pixels[0]),
            height=round(pixels[1]),
            dpi=dpi,
            theme=cast(ThemeName, self.theme),
            text=self.text,
            strokes=self.strokes,
            transparent=self.transparent,
            outlines=self.outlines and self.format == "SVG",
        )


BROAD = 640  # Pixels of width at which a film's type has the size it would have on screen.


@dataclass(frozen=True)
class FilmChoices(Declared):
    """An animation: format, size, speed, look."""

    name: ClassVar[str] = "the animation"
    format: str = choice("GIF", ("GIF", "APNG", "PNGs"), label="Format")
    of: str = choice("run", ("run", "sweep", "unfolding"), label="Show")
    frames: int = integer(
        40, low=2, high=2000, soft=(2, 200), label="Frames",
        help="Pictures at most; a long run is thinned out",
    )  # fmt: skip
    speed: float = real(
        10.0, low=0.05, high=50.0, soft=(1.0, 30.0), label="Per second", help="Frames per second"
    )
    width: int = integer(640, low=64, high=4000, label="Width")
    height: int = integer(480, low=64, high=4000, label="Height")
    theme: str = choice("light", tuple(THEMES), label="Theme")
    text: float = real(
        9.0, low=2.0, high=60.0, soft=(5.0, 24.0), label="Type size",
        help="In points, for a width of 640 pixels",
    )  # fmt: skip
    strokes: float = real(1.0, low=0.1, high=10.0, soft=(0.3, 4.0), scale="log", label="Line scale")
    legend: bool = flag(True, label="Legend")
    formula: bool = flag(True, label="Formula")
    caption: bool = flag(True, label="Caption", help="Which step or which parameters a frame shows")

    @property
    def suffix(self) -> str:
        return {"GIF": ".gif", "APNG": ".apng", "PNGs": ".png"}[self.format]

    @property
    def seconds(self) -> float:
        return self.frames / self.speed

    def options(self) -> Options:
        """What the painter needs; type and lines grow with the width."""
        return Options(
            width=self.width,
            height=self.height,
            dpi=max(LEAST_DPI, 96.0 * self.width / BROAD),
            theme=cast(ThemeName, self.theme),
            text=self.text,
            strokes=self.strokes,
        )


def remembered(kind: type[W], values: Mapping[str, Any]) -> W:
    """The choices with the values remembered from last time, as far as they still make sense."""
    made = kind()
    known = {parameter.name for parameter in kind.parameters()}
    for name in known & set(values):
        try:
            made = made.replace(**{name: values[name]})
        except BadInput:
            continue
    return made


def sheet_of(options: Options, words: Words, suffix: str = ".png") -> Sheet:
    """Options and words as a script needs them: those that are not as usual."""
    changed = {
        field.name: getattr(options, field.name)
        for field in fields(options)
        if field.name not in ("width", "height", "dpi") and getattr(options, field.name) != field.default
    }
    said = {name: False for name in ("formula", "caption") if not getattr(words, name)}
    return Sheet(
        suffix,
        options.width,
        options.height,
        options.dpi,
        title=words.title,
        transparent=options.transparent,
        options=changed | said,
    )
