"""The choices of the export dialogues: the options of a figure and of its file.

The choices are declared parameters on top of `FigureOptions`, which the command line and Python use too. They
are checked, shown and remembered by their declarations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Parameter, choice, flag, integer, real
from kernelviz.scene.export.film_formats import pace_for
from kernelviz.scene.export.options import Options
from kernelviz.session.figure_options import LEAST_DPI, MM_PER_INCH, FigureOptions
from kernelviz.session.labels import LabelKind, LabelsKind
from kernelviz.session.size_presets import PRESETS

OWN = "own"
VECTOR = ("SVG", "PDF")
FILM_WIDTH = 640  # Pixels of width at which a film's type has the size it would have on screen.


@dataclass(frozen=True)
class Choices(FigureOptions):
    """Choices of a dialogue: those of a figure and of its file. They are remembered until the next time.

    `options` turns them into what the painter needs. The form of the dialogue is made from their
    declarations."""

    remembered_as: ClassVar[str]  # The name under which the settings keep them.
    unused: ClassVar[frozenset[str]] = frozenset()  # Figure options that the dialogue does not offer.

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

    @classmethod
    def groups(cls) -> dict[str, list[Parameter]]:
        """Return the options that are offered, by the headings they are declared under."""
        found: dict[str, list[Parameter]] = {}
        for parameter in cls.parameters():
            if parameter.group and parameter.name not in cls.unused:
                found.setdefault(parameter.group, []).append(parameter)
        return found

    def chosen(self, name: str, value: Any) -> Self:
        """Return the choices with one changed, and those that it implies."""
        return self.replace(**{name: value})

    @property
    def filter(self) -> str:
        """The filter of the file dialogue, such as "PNG (*.png)"."""
        raise NotImplementedError

    def options(self) -> Options:
        """Return the options for the painter. BadInput when the measures are impossible."""
        raise NotImplementedError

    def _options(self, **changes: Any) -> Options:
        shared = {parameter.name: getattr(self, parameter.name) for parameter in Options.parameters()}
        return Options(**(shared | changes))

    @property
    def remembered_values(self) -> dict[str, Any]:
        """The choices without the words, which belong to a single figure."""
        return {
            p.name: getattr(self, p.name)
            for p in self.parameters()
            if not isinstance(p.kind, LabelKind | LabelsKind)
        }


@dataclass(frozen=True)
class FigureChoices(Choices):
    """A figure: its format, and its size in millimetres or pixels.

    A preset, such as one column of a journal, sets size, resolution and type together; changing the size
    leaves the preset."""

    remembered_as = "figure"
    format: str = choice("PNG", ("PNG", *VECTOR), label="Format", group="File")
    preset: str = choice(OWN, (*PRESETS, OWN), label="Size", group="File")
    unit: str = choice("px", ("mm", "px"), label="Unit")

    @classmethod
    def usual(cls) -> Self:
        """Return a figure that fits a column of a journal, with its text as outlines."""
        return cls(outlines=True).with_preset("one-column")

    def with_preset(self, preset: str) -> Self:
        """Return the choices with the measures of a preset; "own" keeps the present ones."""
        if preset == OWN:
            return self.replace(preset=OWN)
        usual = PRESETS[preset]
        return self.replace(
            preset=preset,
            width=usual.width,
            height=usual.height,
            unit="mm",
            dpi=usual.dpi,
            text=usual.text,
            strokes=usual.strokes,
        )

    def chosen(self, name: str, value: Any) -> Self:
        """Return the choices with another value: a preset brings its measures, another unit converts them,
        and a width or height of one's own leaves the preset."""
        if name == "preset":
            return self.with_preset(value)
        if name == "unit":
            return self.in_unit(value)
        made = super().chosen(name, value)
        return made.replace(preset=OWN) if name in ("width", "height") else made

    def in_unit(self, unit: str) -> Self:
        """Return the same size in the other unit."""
        if unit == self.unit:
            return self
        factor = self.dpi / MM_PER_INCH if unit == "px" else MM_PER_INCH / self.dpi
        digits = 0 if unit == "px" else 2
        width, height = (round(side * factor, digits) for side in (self.width, self.height))
        return self.replace(unit=unit, width=width, height=height, preset=OWN)

    @property
    def filter(self) -> str:
        """The filter of the chosen format."""
        return f"{self.format} (*.{self.format.lower()})"

    def options(self) -> Options:
        """Return the options for the painter, in pixels. A large page in a vector format is sampled more
        coarsely."""
        finest_sampling = 5000  # Most pixels along the longer side at which a vector format is sampled.
        dpi, pixels = self.dpi, [self.width, self.height]
        if self.unit == "mm":
            pixels = [side / MM_PER_INCH * dpi for side in pixels]
        shrink = finest_sampling / max(pixels)
        if self.format in VECTOR and shrink < 1 and dpi * shrink >= LEAST_DPI:
            # Only the size on paper counts, so a huge page need not be refused.
            dpi, pixels = dpi * shrink, [side * shrink for side in pixels]
        width, height = pixels
        outlines = self.outlines and self.format == "SVG"
        words = self.words if self.format == "PDF" else "drawn"
        return self._options(width=width, height=height, dpi=dpi, outlines=outlines, words=words)


@dataclass(frozen=True)
class FilmChoices(Choices):
    """An animation: its format, what it shows, and its speed."""

    remembered_as = "film"
    unused = frozenset({"dpi", "transparent", "outlines", "words"})  # Its resolution follows from its width.
    format: str = choice("GIF", ("GIF", "APNG", "PNGs"), label="Format")
    of: str = choice("run", ("run", "sweep", "unfolding"), label="Show")
    frames: int = integer(
        40, low=2, high=2000, soft=(2, 200), label="Frames",
        help="Maximum number of frames; a longer run is thinned out",
    )  # fmt: skip
    speed: float = real(
        10.0, low=0.05, high=50.0, soft=(1.0, 30.0), label="Per second", help="Frames per second"
    )
    paced: bool = flag(
        True, label="Choose the speed by the number of frames",
        help="10 frames per second, or fewer so that a short film lasts 3 seconds",
    )  # fmt: skip

    @classmethod
    def usual(cls) -> Self:
        """Return a film of the usual size on screen."""
        return cls(width=FILM_WIDTH, height=480)

    def chosen(self, name: str, value: Any) -> Self:
        """Return the choices with another value; a speed of one's own no longer follows the frames."""
        made = super().chosen(name, value)
        return made.replace(paced=False) if name == "speed" else made

    def for_frames(self, count: int) -> Self:
        """Return the choices for a film with this number of frames, with the speed adapted if that is
        wanted."""
        return self.replace(speed=round(pace_for(count), 2)) if self.paced else self

    @property
    def filter(self) -> str:
        """The filter of the chosen format."""
        kinds = {
            "GIF": "Animated GIF (*.gif)",
            "APNG": "Animated PNG (*.apng)",
            "PNGs": "Numbered PNGs (*.png)",
        }
        return kinds[self.format]

    def options(self) -> Options:
        """Return the options for the painter; type and lines grow with the width."""
        return self._options(dpi=max(LEAST_DPI, 96.0 * self.width / FILM_WIDTH))
