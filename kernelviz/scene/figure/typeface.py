"""The bundled typeface, as fonts of any size.

It comes with the program, so that text looks the same everywhere and never turns into boxes."""

from __future__ import annotations

from functools import cache, lru_cache

from PySide6.QtGui import QFont, QFontDatabase

from kernelviz.resource import resource_path


@cache
def family() -> str:
    """Return the family name of the bundled typeface, registered on first use (an application must exist)."""
    names: list[str] = []
    for path in sorted(resource_path("fonts").glob("*.otf")):
        # Without contextual alternates, whose glyphs have no character and are lost when a PDF is copied.
        content = path.read_bytes().replace(b"calt", b"xalt")
        names += QFontDatabase.applicationFontFamilies(QFontDatabase.addApplicationFontFromData(content))
    fallback = "sans-serif"
    # The heavier cuts may register under names of their own ("Inter SemiBold").
    return min(names, key=len) if names else fallback


@lru_cache(maxsize=256)
def font(pixels: float, *, bold: bool = False, italic: bool = False) -> QFont:
    """Return the typeface at a size in the painter's units, unhinted: the same shapes at every resolution.

    Shared: copy it before changing it."""
    made = QFont(family())
    made.setPixelSize(max(1, round(pixels)))
    made.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    made.setItalic(italic)
    made.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return made
