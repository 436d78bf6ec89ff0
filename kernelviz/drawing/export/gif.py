"""Animated GIF: a palette per frame by median cut, and LZW; no library needed."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator

import numpy as np

__all__ = ["gif_blocks", "lzw", "quantised"]

COLOURS = 256
KEPT_BITS = 6
"""Bits per channel that tell colours apart; finer differences are averaged."""
LARGEST_CODE = 4096
TRAILER = b"\x3b"


def gif_blocks(frames: Iterable[np.ndarray], seconds: float) -> Iterator[bytes]:
    """The file in pieces, one per frame of (height, width, 3) bytes. It loops for ever.

    After the first frame only the rectangle that changed is stored."""
    hundredths = max(2, round(100 * seconds))  # viewers slow anything faster down
    previous: np.ndarray | None = None
    for frame in frames:
        if previous is None:
            height, width, _ = frame.shape
            yield b"GIF89a" + struct.pack("<HHBBB", width, height, 0x70, 0, 0)
            yield b"\x21\xff\x0bNETSCAPE2.0\x03\x01" + struct.pack("<H", 0) + b"\0"
            top, left, part = 0, 0, frame
        else:
            top, left, part = _changed(previous, frame)
        yield _image(part, left, top, hundredths)
        previous = frame
    yield TRAILER


def _changed(old: np.ndarray, new: np.ndarray) -> tuple[int, int, np.ndarray]:
    """Top, left and content of the smallest rectangle with all changes; one pixel when there are none."""
    differs = (old != new).any(axis=2)
    rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
    if len(rows) == 0:
        return 0, 0, new[:1, :1]
    top, bottom, left, right = rows[0], rows[-1] + 1, columns[0], columns[-1] + 1
    return int(top), int(left), new[top:bottom, left:right]


def _image(pixels: np.ndarray, left: int, top: int, hundredths: int) -> bytes:
    palette, indices = quantised(pixels)
    height, width = indices.shape
    table = np.zeros((COLOURS, 3), dtype=np.uint8)
    table[: len(palette)] = palette
    control = b"\x21\xf9\x04" + struct.pack("<BHBB", 0x04, hundredths, 0, 0)
    descriptor = b"\x2c" + struct.pack("<HHHHB", left, top, width, height, 0x87)
    data = lzw(indices.tobytes())
    blocks = b"".join(bytes([len(data[i : i + 255])]) + data[i : i + 255] for i in range(0, len(data), 255))
    return control + descriptor + table.tobytes() + b"\x08" + blocks + b"\0"


def quantised(pixels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """At most 256 colours and, for every pixel, the index of the nearest one."""
    shift = 8 - KEPT_BITS
    r, g, b = (pixels[..., c].astype(np.intp) >> shift for c in range(3))
    cells = (r << 2 * KEPT_BITS) | (g << KEPT_BITS) | b
    used, inverse, counts = np.unique(cells, return_inverse=True, return_counts=True)
    colours = np.stack(
        [
            np.bincount(inverse.ravel(), weights=pixels[..., c].ravel().astype(float)) / counts
            for c in range(3)
        ],
        axis=1,
    )
    palette = _median_cut(colours, counts) if len(used) > COLOURS else colours
    squares = (palette**2).sum(axis=1) - 2 * colours @ palette.T
    nearest = squares.argmin(axis=1).astype(np.uint8)
    return np.rint(palette).astype(np.uint8), nearest[inverse].reshape(cells.shape)


def _median_cut(colours: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Split the box with the most spread at its median until there are 256; their means are the palette."""

    def spread(members: np.ndarray) -> float:
        # Square roots let the few pixels of thin lines have their say against a large smooth field.
        return float(np.ptp(colours[members], axis=0).max() * np.sqrt(counts[members].sum()))

    boxes = [np.arange(len(colours))]
    spreads = [spread(boxes[0])]
    while len(boxes) < COLOURS and max(spreads) > 0:
        widest = int(np.argmax(spreads))
        members = boxes[widest]
        axis = int(np.argmax(np.ptp(colours[members], axis=0)))
        members = members[np.argsort(colours[members, axis], kind="stable")]
        running = np.cumsum(np.sqrt(counts[members]))
        middle = int(np.clip(np.searchsorted(running, running[-1] / 2), 1, len(members) - 1))
        halves = members[:middle], members[middle:]
        boxes[widest : widest + 1] = halves
        spreads[widest : widest + 1] = [spread(half) for half in halves]
    return np.array([np.average(colours[box], axis=0, weights=counts[box]) for box in boxes])


def lzw(indices: bytes) -> bytes:
    """GIF's variable-width LZW of 8-bit symbols."""
    clear, end = 256, 257
    codes: dict[int, int] = {}
    width, following = 9, 258
    out = bytearray()
    buffer, bits = clear, width
    prefix = indices[0]
    for symbol in indices[1:]:
        key = (prefix << 8) | symbol
        found = codes.get(key)
        if found is not None:
            prefix = found
            continue
        buffer |= prefix << bits
        bits += width
        while bits >= 8:
            out.append(buffer & 0xFF)
            buffer >>= 8
            bits -= 8
        if following < LARGEST_CODE:
            codes[key] = following
            if following == 1 << width:
                width += 1
            following += 1
        else:
            buffer |= clear << bits
            bits += width
            codes.clear()
            width, following = 9, 258
        prefix = symbol
    buffer |= prefix << bits
    bits += width
    buffer |= end << bits
    bits += width
    out += buffer.to_bytes((bits + 7) // 8, "little")
    return bytes(out)
