"""The options of a figure, declared once for the export dialogues, `kernelviz render`, `kernelviz.render` and
the scripts that *Copy as Python* writes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Declared, choice, flag, of_kind, real
from kernelviz.session.colour_sets import COLOURS
from kernelviz.session.grids import GRID
from kernelviz.session.labels import ENTRIES, LABEL, LABELS
from kernelviz.session.line_styles import LINE_STYLES
from kernelviz.session.themes import THEMES
from kernelviz.session.typefaces import BUNDLED, TYPEFACE

LONGEST_SIDE = 20_000  # Pixels.
LEAST_DPI, MOST_DPI = 10.0, 2400.0
FILM_SIZE, FILM_DPI = "800x600", 100.0  # Of films, unless a size is given.
MM_PER_INCH = 25.4
OUTSIDE = "outside"  # Of the plot: the legend stands beside or below it.
NOWHERE = "none"
LEGEND_CORNERS = ("upper-left", "upper-right", "lower-left", "lower-right")


@dataclass(frozen=True)
class FigureOptions(Declared):
    """Size, look and contents of a figure.

    Width and height are in pixels at `dpi`. An SVG or PDF has the size on paper that follows from them."""

    name: ClassVar[str] = "the figure"
    width: float = real(1600.0, low=1.0, high=LONGEST_SIDE, label="Width")
    height: float = real(1200.0, low=1.0, high=LONGEST_SIDE, label="Height")
    dpi: float = real(
        200.0, low=LEAST_DPI, high=MOST_DPI, soft=(72.0, 1200.0), scale="log", label="Dots per inch",
        help="Resolution in pixels per inch. In SVG and PDF only the coloured field has pixels.",
        group="File",
    )  # fmt: skip
    theme: str = choice("light", tuple(THEMES), label="Theme", group="Look")
    colours: str = of_kind(
        COLOURS, "default", label="Colours", group="Look",
        help="A set of colours, or two of your own for + and −, as in #0a4f91,#8f3600",
    )  # fmt: skip
    texture: bool = flag(
        False, label="Texture", help="Regions hatched, so that they differ without any colour", group="Look"
    )
    text: float = real(
        9.0, low=2.0, high=200.0, soft=(4.0, 36.0), scale="log", label="Type size",
        help="Font size of the axis numbers, in points. Other text scales with it.", group="Look",
    )  # fmt: skip
    strokes: float = real(
        1.0, low=0.1, high=10.0, soft=(0.3, 4.0), scale="log", label="Line scale",
        help="Factor on the width of lines and the size of points", group="Look",
    )  # fmt: skip
    line_styles: tuple[str, ...] = of_kind(
        LINE_STYLES, (), label="Single lines", group="Look",
        help="Width in points and dashes of a line, as in “boundary=2 dashed” or “levels=dotted”",
    )  # fmt: skip
    transparent: bool = flag(
        False, label="Transparent background", help="No paper behind the figure", group="Look"
    )
    outlines: bool = flag(
        False,
        label="Text as outlines",
        help="SVG that looks the same where the typeface is missing",
        group="Look",
    )
    canvas: bool = flag(True, label="Canvas", help="The plane with points and fit")
    formula: bool = flag(True, label="Formula", help="The kernel, typeset", group="Words")
    caption: bool = flag(
        True, label="Caption", help="Kernel, algorithm and parameters in one line", group="Words"
    )
    heading: str = of_kind(
        LABEL, "", label="Title", group="Words", help="The title of the figure, with LaTeX between two $"
    )  # fmt: skip
    xlabel: str = of_kind(
        LABEL, "", label="x axis", group="Words", help="The horizontal axis, with LaTeX between two $"
    )  # fmt: skip
    ylabel: str = of_kind(
        LABEL, "", label="y axis", group="Words", help="The vertical axis, with LaTeX between two $"
    )  # fmt: skip
    font: str = of_kind(
        TYPEFACE, BUNDLED[0], label="Typeface", group="Look",
        help="Inter, STIX Two Text (serifs, as the formulas have), or any installed family",
    )  # fmt: skip
    words: str = choice(
        "drawn", ("drawn", "latex"), label="Words", group="Look",
        help="Drawn, or left to LaTeX: a PDF without words, and a .pdf_tex that puts them at their places",
    )  # fmt: skip
    panel_titles: tuple[str, ...] = of_kind(
        LABELS, (), label="Panel titles", group="Words",
        help="The titles of the plots and views, in their order",
    )  # fmt: skip
    entries: tuple[str, ...] = of_kind(
        ENTRIES, (), label="Legend entries", group="Words",
        help="Entries of the legend in your words, as in “class +=healthy”; without words one is left out",
    )  # fmt: skip
    legend: str = choice(
        OUTSIDE, (OUTSIDE, *LEGEND_CORNERS, NOWHERE), label="Legend", group="Words",
        help="Where the legend stands: outside the plot, in one of its corners, or nowhere",
    )  # fmt: skip
    letters: bool = flag(False, label="Letters", help="(a), (b) above the plots and views", group="Words")
    caption_text: str = of_kind(
        LABEL, "", label="Own caption", group="Words",
        help="A caption of your own, with LaTeX between two $, in place of kernel and algorithm",
    )  # fmt: skip

    grid: tuple[str, ...] = of_kind(
        GRID, (), label="Grid", group="In the figure",
        help="A panel for each value of a parameter, as in gamma=0.1,1,10 or C=1:100:3, and of a second one, "
        "which goes down; several fits or sources are columns or rows as well",
    )  # fmt: skip

    def panel_words(self, count: int) -> list[tuple[str, str]]:
        """Return the letter and the title of each of `count` plots and views."""
        if len(self.panel_titles) > count:
            some = "1 plot or view" if count == 1 else f"{count} plots and views"
            raise BadInput(f"There are {len(self.panel_titles)} panel titles for {some}.")
        titles = (*self.panel_titles, *[""] * (count - len(self.panel_titles)))
        letters = (f"({chr(ord('a') + k)})" if self.letters else "" for k in range(count))
        return list(zip(letters, titles, strict=True))

    def carried(self) -> dict[str, object]:
        """Return the options that a picture carries besides its session: sides that are not whole pixels were
        chosen on paper, and are given in millimetres."""
        in_pixels = all(side == round(side) for side in (self.width, self.height))
        factor = 1.0 if in_pixels else MM_PER_INCH / self.dpi
        width, height = (round(side * factor, 4) for side in (self.width, self.height))
        unit = "px" if in_pixels else "mm"
        own = {"width": width, "height": height, "unit": unit, "preset": "own"}
        return {"format": "PNG", **self.values(), **own}


def size_in_pixels(text: str, dpi: float) -> tuple[float, float]:
    """Return width and height in pixels, not rounded, of a text such as 1600x1200, or 85x80mm at a
    resolution."""
    units_per_inch = {"mm": MM_PER_INCH, "cm": MM_PER_INCH / 10, "in": 1.0}
    side = r"(\d{1,6}(?:\.\d{1,6})?)"
    found = re.fullmatch(rf"\s*{side}\s*[xX×]\s*{side}\s*(px|mm|cm|in|)\s*", str(text))
    if found is None:
        raise BadInput(f"The size is width x height, as in 1600x1200 (pixels) or 85x80mm, not {text!r}.")
    width, height = float(found[1]), float(found[2])
    if (per_inch := units_per_inch.get(found[3])) is None:
        return width, height
    return width / per_inch * dpi, height / per_inch * dpi
