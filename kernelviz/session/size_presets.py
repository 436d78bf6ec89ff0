"""Sizes of figures by the names of where they are printed: the widths of columns and pages, each with its
source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from kernelviz.session.figure_options import MM_PER_INCH, FigureOptions

F = TypeVar("F", bound=FigureOptions)


@dataclass(frozen=True)
class SizePreset:
    """A common size: millimetres on paper, resolution, and the type and lines that suit it."""

    title: str
    width: float
    height: float
    dpi: float
    text: float
    strokes: float = 1.0
    source: str = ""  # Who says that the column or the page has that width.

    def applied(self, options: F, dpi: float | None = None) -> F:
        """Return the options with these measures, at another resolution if one is given."""
        dpi = dpi or self.dpi
        width, height = (side / MM_PER_INCH * dpi for side in (self.width, self.height))
        return options.replace(width=width, height=height, dpi=dpi, text=self.text, strokes=self.strokes)


def _printed(title: str, width: float, source: str, text: float = 8.0) -> SizePreset:
    """Return a figure of a width in a paper, with a shape that suits it."""
    narrow = width < 100.0
    height = round((0.94 if narrow else 0.66) * width)
    return SizePreset(f"{title} ({width:g} mm)", width, height, 600.0, text, 0.65 if narrow else 0.85, source)


PRESETS = {
    "one-column": SizePreset("One column (85 mm)", 85.0, 80.0, 600.0, 7.0, 0.65, "an average of journals"),
    "two-columns": SizePreset("Two columns (178 mm)", 178.0, 120.0, 600.0, 8.0, 0.85, "as one column"),
    "slide": SizePreset("Slide 16:9", 338.67, 190.5, 144.0, 18.0, 1.7, "PowerPoint's wide slide, 13.333 in"),
    "poster": SizePreset("Poster (400 mm)", 400.0, 400.0, 300.0, 24.0, 2.4),
    "article": _printed("LaTeX article", 121.25, "article.cls, 10 pt: \\textwidth is 345 pt"),
    "jmlr": _printed("JMLR", 152.4, "jmlr2e.sty: \\textwidth is 6 in", 9.0),
    "neurips": _printed("NeurIPS and ICLR", 139.7, "neurips.sty, iclr_conference.sty: \\textwidth is 5.5 in"),
    "icml": _printed("ICML and AISTATS, column", 82.55, "icml.sty, aistats.sty: a column of 3.25 in", 7.0),
    "icml-wide": _printed("ICML and AISTATS, page", 171.45, "icml.sty, aistats.sty: \\textwidth is 6.75 in"),
    "ieee": _printed("IEEE, column", 88.9, "IEEE Author Center, sizing of graphics: 3.5 in", 7.0),
    "ieee-wide": _printed("IEEE, page", 181.86, "IEEE Author Center, sizing of graphics: 7.16 in"),
    "acm": _printed("ACM, column", 84.76, "acmart.cls, sigconf: \\columnwidth is 241.15 pt", 7.0),
    "lncs": _printed("Springer LNCS", 122.0, "llncs.cls: \\textwidth is 12.2 cm"),
    "elsevier": _printed("Elsevier, column", 90.0, "Elsevier, artwork sizing: 90 mm", 7.0),
    "elsevier-wide": _printed("Elsevier, page", 190.0, "Elsevier, artwork sizing: 190 mm"),
    "nature": _printed("Nature, column", 89.0, "Nature's figure guide: 89 mm, type of 5 to 7 pt", 7.0),
    "nature-wide": _printed("Nature, page", 183.0, "Nature's figure guide: 183 mm, type of 5 to 7 pt", 7.0),
    "beamer": SizePreset(
        "Beamer 16:9 (140 mm)", 140.0, 68.0, 300.0, 8.0, 0.8,
        "beamer.cls, aspectratio=169: paper of 160 mm with margins of 10 mm",
    ),
}  # fmt: skip
