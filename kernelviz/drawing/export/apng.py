"""Animated PNG: the frames' own PNG data, rearranged; lossless, and a still picture to old viewers."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator

from kernelviz.session.png_text import SIGNATURE, chunk, chunks

__all__ = ["apng_blocks"]


def apng_blocks(frames: Iterable[bytes], count: int, seconds: float) -> Iterator[bytes]:
    """The file in pieces from `count` PNGs of one size and colour type. It loops for ever."""
    delay = struct.pack(">HHBB", round(1000 * seconds), 1000, 0, 0)
    header = b""
    sequence = 0
    for number, png in enumerate(frames):
        parts = list(chunks(png))
        own_header = dict(parts)[b"IHDR"]
        block = b""
        if number == 0:
            header = own_header
            before = [chunk(kind, data) for kind, data in parts if kind in (b"pHYs", b"sRGB", b"gAMA")]
            animation = chunk(b"acTL", struct.pack(">II", count, 0))
            block = SIGNATURE + chunk(b"IHDR", header) + animation + b"".join(before)
        elif own_header != header:
            raise ValueError("all frames must have the same size and colour type")
        size = struct.unpack(">II", header[:8])
        block += chunk(b"fcTL", struct.pack(">IIIII", sequence, *size, 0, 0) + delay)
        sequence += 1
        for kind, data in parts:
            if kind != b"IDAT":
                continue
            if number == 0:
                block += chunk(b"IDAT", data)
            else:
                block += chunk(b"fdAT", struct.pack(">I", sequence) + data)
                sequence += 1
        yield block
    yield chunk(b"IEND", b"")
