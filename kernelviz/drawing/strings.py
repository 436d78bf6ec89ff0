"""Strings in words: short enough for a label, and with nothing in them that cannot be seen."""

from __future__ import annotations

from kernelviz.engine.data import Data

__all__ = ["LONGEST", "named", "shortened"]

LONGEST = 28
"""Characters of a label."""
BLANK = "␣"


def shortened(text: str, longest: int = LONGEST) -> str:
    """A string on one line, not too long; what could not be seen is shown by signs."""
    line = "".join(sign if sign.isprintable() else "·" for sign in text[: longest + 1])
    if not line.strip():
        line = line.replace(" ", BLANK) or "(empty)"
    return line if len(text) <= longest else f"{line[: longest - 1]}…"


def named(data: Data, i: int) -> str:
    """What a training point is called: a string by itself, others by their number."""
    return f"point {i + 1}" if data.domain == "vectors" else shortened(data.X[i])
