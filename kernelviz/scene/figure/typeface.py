"""The typefaces, as fonts of any size.

Inter and STIX Two Text come with the program, so that text looks the same everywhere and never turns into
boxes. The window is set in Inter; a figure may be set in any typeface that is installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache

from PySide6.QtGui import QFont, QFontDatabase, QFontMetricsF

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import nearest
from kernelviz.resource import resource_path
from kernelviz.session.typefaces import BUNDLED

FINENESS = 10  # Fonts have whole-number sizes and metrics; at ten times the size the rounding does not show.
USUAL = BUNDLED[0]
_chosen: ContextVar[str] = ContextVar("typeface", default=USUAL)  # Of the figure that this thread paints.


@contextmanager
def typeface(name: str) -> Iterator[None]:
    """Set everything that is laid out or painted meanwhile in a typeface. BadInput if it is not installed."""
    if name not in BUNDLED and name not in (installed := QFontDatabase.families()):
        near = nearest(name, installed)
        hint = near if near.startswith("Did") else f"{' and '.join(BUNDLED)} are there always."
        raise BadInput(f"No typeface called {name!r} is installed. {hint}")
    before = _chosen.set(name)
    try:
        yield
    finally:
        _chosen.reset(before)


def is_usual() -> bool:
    """Return True while text is set in the typeface of the window."""
    return _chosen.get() == USUAL


def family() -> str:
    """Return the family that text is set in (an application must exist)."""
    name = _chosen.get()
    return _registered(name) if name in BUNDLED else name


@cache
def _registered(name: str) -> str:
    """Return the family name of a bundled typeface, registered on first use."""
    names: list[str] = []
    for path in sorted(resource_path("fonts").glob(f"{name.replace(' ', '')}-*.[ot]tf")):
        # Without contextual alternates, whose glyphs have no character and are lost when a PDF is copied.
        content = path.read_bytes().replace(b"calt", b"xalt")
        names += QFontDatabase.applicationFontFamilies(QFontDatabase.addApplicationFontFromData(content))
    fallback = "sans-serif"
    # The heavier cuts may register under names of their own ("Inter SemiBold").
    return min(names, key=len) if names else fallback


def font(pixels: float, *, bold: bool = False, italic: bool = False) -> QFont:
    """Return the typeface at a size in the painter's units, unhinted: the same shapes at every resolution.

    Shared: copy it before changing it."""
    return _font(family(), pixels, bold, italic)


@lru_cache(maxsize=256)
def _font(name: str, pixels: float, bold: bool, italic: bool) -> QFont:
    made = QFont(name)
    made.setPixelSize(max(1, round(pixels)))
    made.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    made.setItalic(italic)
    made.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return made


@lru_cache(maxsize=4096)
def width_in(name: str, text: str, size: float, bold: bool, italic: bool) -> float:
    """Return the width of a text without formulas, in a family at a size."""
    face = _font(name, FINENESS * size, bold, italic)
    return QFontMetricsF(face).horizontalAdvance(text) * size / face.pixelSize()


@cache
def formula_scale(name: str) -> float:
    """Return how large a formula is set in a line of a family, relative to the type: its letters without
    ascenders are as high as those around it."""
    x_height = 0.473  # Of STIX Two Math, in which formulas are set.
    pixels = 1000
    return QFontMetricsF(_font(name, pixels, False, False)).xHeight() / pixels / x_height
