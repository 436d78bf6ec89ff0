"""Fields as PNGs of few levels, whose colours stand apart: the same picture serves every theme, and the level
at a place can be read from it."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from kernelviz.engine.core.arrays import Array
from kernelviz.scene.layers import Shades
from kernelviz.session.themes import Theme

LEVELS = 128  # Of a score, or of all classes together.
REACH = 1.6  # Scores at which three quarters of the levels are used, in units of the field.


@dataclass(frozen=True, eq=False)
class IndexedField:
    """A field whose pixels are numbers of levels. A palette has a colour for each."""

    levels: NDArray[np.uint8]  # From the top row down.
    centres: Shades  # A field of one row with the value in the middle of each level.

    @classmethod
    def of(cls, shades: Shades) -> IndexedField:
        """Return the levels of a score, or of the winners of several classes and how clearly they win."""
        F = np.nan_to_num(shades.values, posinf=1e300, neginf=-1e300)
        if F.ndim == 2:
            unit = REACH * (shades.unit or 1.0)
            share = (np.tanh(np.clip(F / unit, -20.0, 20.0)) + 1.0) / 2.0
            levels = np.rint(share * (LEVELS - 1))
            middles = unit * np.arctanh(np.clip(np.linspace(-1.0, 1.0, LEVELS), -0.999999, 0.999999))
            values = middles[None]
        else:
            classes, clear = len(F), 0.5  # The lead over the next class at which most levels are used.
            steps = LEVELS // classes
            first, second = np.partition(F, -2, axis=0)[-2:][::-1]
            strength = np.tanh((first - second) / clear)
            levels = F.argmax(axis=0) * steps + np.minimum(strength * steps, steps - 1).astype(int)
            leads = clear * np.arctanh((np.arange(steps) + 0.5) / steps)
            values = np.zeros((classes, 1, classes * steps))
            for k in range(classes):
                values[k, :, k * steps : (k + 1) * steps] = leads
        return cls(levels.astype(np.uint8)[::-1], replace(shades, values=values, _images={}))

    @property
    def scores(self) -> Array | None:
        """The score of each level; None for several classes."""
        return self.centres.values[0] if self.centres.values.ndim == 2 else None

    def palette(self, theme: Theme | None) -> bytes:
        """Return the part of a PNG with the colours of a theme, or for None with the number of each level as
        its grey."""
        count = self.centres.values.shape[-1]
        if theme is None:
            return _chunk(b"PLTE", np.repeat(np.arange(count, dtype=np.uint8), 3).tobytes())
        image = self.centres.image(theme)
        colours = [image.pixelColor(k, 0) for k in range(count)]
        return _chunk(b"PLTE", bytes(value for c in colours for value in (c.red(), c.green(), c.blue())))

    def parts(self) -> tuple[bytes, bytes]:
        """Return what a PNG has before its palette, and what it has after it. The lengths of all parts are
        multiples of 3, so that they can be joined as base64."""
        rows, columns = self.levels.shape
        head = _chunk(b"IHDR", struct.pack(">IIBBBBB", columns, rows, 8, 3, 0, 0, 0))
        left = np.diff(self.levels, axis=1, prepend=np.uint8(0))
        above = np.diff(self.levels, axis=0, prepend=np.uint8(0))
        packed = (_packed(kind, pixels) for kind, pixels in ((0, self.levels), (1, left), (2, above)))
        tail = _chunk(b"IDAT", min(packed, key=len)) + _chunk(b"IEND", b"")
        return b"\x89PNG\r\n\x1a\n" + head, tail


def _packed(kind: int, pixels: NDArray[np.uint8]) -> bytes:
    """Return rows of pixels as PNG stores them, with the number of their filter before each."""
    rows = np.hstack([np.full((len(pixels), 1), kind, dtype=np.uint8), pixels])
    return zlib.compress(rows.tobytes(), 9)


def _chunk(kind: bytes, content: bytes) -> bytes:
    check = zlib.crc32(kind + content)
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check)
