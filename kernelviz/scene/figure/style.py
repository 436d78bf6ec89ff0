"""Line widths, sizes and colours of everything drawn, in points (1/72 inch).

A `Style` is passed to everything that draws. It grows with the type of a presentation, and shrinks in a small
figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from kernelviz.session.line_styles import LineStyle
from kernelviz.session.themes import LIGHT, Theme

SMALLEST_MARKS = 0.6  # Times their size, at least: smaller marks cannot be seen.
CAPTION = 0.88  # Times the size of the type, as that of captions.
LARGEST_SCALE = 1.5  # Times the usual size, up to which it grows.
FULL_SIZE_UP_TO = 500  # Points up to which their glyphs have their full size.
STEP_OF_SIZES = 0.05  # Sizes change by steps: every one has its own sprites.


@dataclass
class Notes:
    """Notes on the parts a figure has no room for, in their order, each once."""

    left_out: dict[str, None] = field(default_factory=dict)
    smaller: dict[str, None] = field(default_factory=dict)

    @property
    def sentence(self) -> str:
        """A remark on the parts without room, with advice; empty if everything has room."""
        smaller = [name for name in self.smaller if name not in self.left_out]
        parts = (("There is no room for", [*self.left_out]), ("Smaller or shorter than usual:", smaller))
        said = [
            f"{begin} {', '.join([*names[:-2], ' and '.join(names[-2:])])}."
            for begin, names in parts
            if names
        ]
        return " ".join([*said, "Choose a larger figure or smaller type."]) if said else ""


@dataclass(frozen=True)
class Style:
    """Sizes and colours of everything that is drawn.

    Lengths in layers are multiples of these, such as `1.2 * style.strokes` or `0.5 * style.text`, so that a
    figure keeps its proportions at every size. `Style(theme=DARK, text=12.0)` is a dark one with larger
    type."""

    theme: Theme = LIGHT
    text: float = 9.0  # Size of tick labels and legend; other text is relative to it.
    strokes: float = 1.0  # Factor on every line.
    glyphs: float = 1.0  # Factor on glyphs and rings.
    outlines: bool = False  # Draw text as shapes, for files that may be opened without the typeface.
    transparent: bool = False  # Leave the paper out.
    lines: Mapping[str, LineStyle] = field(
        default_factory=dict, hash=False
    )  # Of single lines, by their names.
    texture: bool = False  # Hatch the regions of the classes.
    # The resolution the result will have; decides how finely fields are sampled.
    pixels_per_point: float = 1.0
    notes: Notes | None = field(default=None, compare=False)  # Collects the parts without room.

    def leave_out(self, what: str) -> None:
        """Note that something is left out."""
        if self.notes is not None:
            self.notes.left_out[what] = None

    def make_smaller(self, what: str) -> None:
        """Note that something is set in smaller type than requested, or in fewer words."""
        if self.notes is not None:
            self.notes.smaller[what] = None

    def scaled(self, factor: float) -> Style:
        """Return the same look, larger, for a lecture hall."""
        text, strokes, glyphs = (size * factor for size in (self.text, self.strokes, self.glyphs))
        return replace(self, text=text, strokes=strokes, glyphs=glyphs)

    def with_type(self, scale: float) -> Style:
        """Return the same look with type larger by a factor; strokes and glyphs follow as far as a lecture
        hall needs it: larger ones would hide each other."""
        largest_marks = 1.6  # Times their size, however large the type.
        return replace(self.scaled(min(scale, largest_marks)), text=self.text * scale)

    def with_marks(self, factor: float) -> Style:
        """Return the same look with larger or smaller strokes and glyphs and type of the same size."""
        return replace(self.scaled(factor), text=self.text)

    def for_room(self, width: float, height: float) -> Style:
        """Return the same look, with smaller strokes and marks where they would fill a small figure; the type
        keeps the requested size."""
        roomy = 20.0  # Lines of type to a side: where there are fewer, strokes and marks are made smaller.
        fits = min(width, height) / (roomy * self.text)
        return self if fits >= 1.0 else self.with_marks(max(SMALLEST_MARKS, fits))

    def for_window(self, width: float, height: float) -> Style:
        """Return the same look, larger in a large window, by less than it: the data have more room there too.
        In a small one the marks are smaller, but not the type."""
        side = min(width, height)
        # Lines of type to the shorter side of a window: where there is room for more, everything grows.
        lines = 42.0
        grown = min(max(1.0, side / (lines * self.text)), LARGEST_SCALE**2) ** 0.5
        style = self.scaled(round(grown / STEP_OF_SIZES) * STEP_OF_SIZES)
        full_marks = 30.0  # Lines of type to the shorter side of a window below which marks are made smaller.
        small = min(1.0, max(SMALLEST_MARKS, side / (full_marks * self.text)))
        return replace(style, glyphs=style.glyphs * round(small / STEP_OF_SIZES) * STEP_OF_SIZES)

    def among(self, count: int) -> Style:
        """Return the same look with smaller glyphs where many would hide each other and the lines below."""
        if count <= FULL_SIZE_UP_TO:
            return self
        shrunk = max(SMALLEST_MARKS, (FULL_SIZE_UP_TO / count) ** 0.25)
        return replace(self, glyphs=self.glyphs * round(shrunk / STEP_OF_SIZES) * STEP_OF_SIZES)

    def line(self, name: str, width: float, dash: Sequence[float] = ()) -> tuple[float, Sequence[float]]:
        """Return the width and the dashes of a line: the usual ones, or its own."""
        own = self.lines.get(name)
        if own is None:
            return width, dash
        width = own.width or width
        return width, dash if own.dash is None else own.dashes(width)

    def dash(self, *lengths: float) -> list[float]:
        """Return the lengths of dashes and of the gaps between them, in points: they grow with strokes."""
        return [length * self.strokes for length in lengths]

    @property
    def boundary_width(self) -> float:
        """The width of the boundary s = 0, and of a curve."""
        return 1.9 * self.strokes

    @property
    def margin_width(self) -> float:
        """The width of the margins s = ±1."""
        return 1.1 * self.strokes

    @property
    def level_width(self) -> float:
        """The width of the other level lines."""
        return 0.5 * self.strokes

    @property
    def axis_width(self) -> float:
        """The width of axes, frames and grid lines."""
        return 0.7 * self.strokes

    @property
    def arm(self) -> float:
        """Half the length of the strokes of + and −."""
        return 3.2 * self.glyphs

    @property
    def glyph_width(self) -> float:
        """The width of the strokes of + and −."""
        return 1.75 * self.glyphs

    @property
    def halo_width(self) -> float:
        """How far the halo of a mark reaches beyond its strokes."""
        return 0.9 * self.glyphs

    @property
    def ring_width(self) -> float:
        """The width of the rings around support vectors."""
        return 1.0 * self.glyphs

    def ring_radius(self, strength: float) -> float:
        """Return a radius, from a snug ring at strength 0 to a wide one at 1."""
        return (5.0 + 3.6 * strength) * self.glyphs
