"""Animated GIF and PNG files, and numbered pictures, written frame by frame.

The writers are generators that yield the share done; closing one before its end leaves an old file
unchanged."""

from __future__ import annotations

import os
import shutil
import struct
import zlib
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryFile

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

from kernelviz.engine.core.errors import BadInput, reason
from kernelviz.runtime.unfinished import unfinished
from kernelviz.scene.export.files import png_bytes
from kernelviz.session.files.atomic import may_replace, replacing, temporary_name
from kernelviz.session.files.png_metadata import SIGNATURE, chunk, chunks

Pixels = NDArray[np.uint32]  # Numbers 0xRRGGBB.
Bytes = NDArray[np.uint8]

CLEAR = 255  # The index that means "as in the frame before"; the others are colours.
DRAWING = 0.8  # The share of the time until the last frame is drawn.


def check_film(frames: int, per_second: float | None) -> None:
    """Raise BadInput unless films can have this many frames, and this many per second."""
    most_frames = 2000
    if not isinstance(frames, int) or not 1 <= frames <= most_frames:
        raise BadInput(f"A film has 1 to {most_frames} frames, not {frames}.")
    if per_second is not None:
        check_pace(per_second)


def check_pace(per_second: float) -> None:
    """Raise BadInput unless films can have this number of frames per second."""
    fastest, slowest = 50.0, 0.05
    if not slowest <= per_second <= fastest:
        raise BadInput(f"An animation has {slowest:g} to {fastest:g} frames per second, not {per_second:g}.")


def pace_for(count: int) -> float:
    """Return the frames per second for a film of `count` frames: fewer where it would be over too soon to be
    seen."""
    usual_pace, shortest = 10.0, 3.0  # Frames per second, and seconds that a film of a few frames lasts.
    return min(usual_pace, count / shortest)


def write_animation(
    path: str | os.PathLike[str], frames: Iterable[QImage], count: int, per_second: float
) -> Generator[float, None, None]:
    """Write `count` frames into one file; yield the share done.

    Closing the generator before its end leaves no file behind, and an old one unchanged."""
    target = Path(path)
    kind = target.suffix.lower().lstrip(".")
    animations = ("gif", "apng", "png")
    if kind not in animations:
        raise BadInput(
            f"Animations are written as gif, apng or png, not as {kind or 'a file without suffix'}."
        )
    check_pace(per_second)
    seconds = 1 / per_second
    if kind == "gif":
        blocks = gif_blocks((_pixels(frame) for frame in frames), count, seconds)
    else:
        blocks = apng_blocks((_png(frame) for frame in frames), count, seconds)
    return _streamed(target, blocks)


def _streamed(target: Path, blocks: Iterator[tuple[float, bytes]]) -> Generator[float, None, None]:
    """Write blocks into a temporary file, which replaces the target when all are written."""
    with replacing(target) as file:
        for share, block in blocks:
            file.write(block)
            yield share


def write_numbered(
    path: str | os.PathLike[str], frames: Iterable[QImage], count: int
) -> Generator[float, None, None]:
    """Write film-0001.png, film-0002.png … for `film.png`; yield the share done.

    They appear together at the end; closing the generator before leaves old ones unchanged."""
    target = Path(path)
    try:
        may_replace(numbered(target, 1, count))
        folder = temporary_name(target)
        with unfinished(folder):
            try:
                folder.mkdir()
                for number, frame in enumerate(frames, start=1):
                    (folder / numbered(target, number, count).name).write_bytes(_png(frame))
                    yield number / count
                for part in folder.iterdir():
                    may_replace(target.parent / part.name)
                for part in sorted(folder.iterdir()):
                    part.replace(target.parent / part.name)
            finally:
                shutil.rmtree(folder, ignore_errors=True)
    except OSError as problem:
        raise BadInput(f"The pictures cannot be saved: {reason(problem)}.") from None


def numbered(path: Path, number: int, count: int) -> Path:
    """Return film-0001.png for film.png; with more than 9999 all have as many digits as the last."""
    return path.with_name(f"{path.stem}-{number:0{max(4, len(str(count)))}}.png")


def _pixels(image: QImage) -> Pixels:
    """Return an array (height, width) of numbers 0xRRGGBB."""
    opaque = image.convertToFormat(QImage.Format.Format_RGB32)
    rows = np.frombuffer(opaque.constBits(), dtype=np.uint32).reshape(opaque.height(), -1)
    return rows & np.uint32(0xFFFFFF)


def _png(image: QImage) -> bytes:
    """Return a frame as PNG, with the same colour type for all frames of a film."""
    wanted = QImage.Format.Format_RGBA8888 if image.hasAlphaChannel() else QImage.Format.Format_RGB888
    return png_bytes(image.convertToFormat(wanted))


# The formats --------------------------------------------------------------------------------------------
def gif_blocks(frames: Iterable[Pixels], count: int, seconds: float) -> Iterator[tuple[float, bytes]]:
    """Yield a GIF in pieces, each with the share done, from `count` arrays of pixels 0xRRGGBB. It loops for
    ever.

    All frames share one palette, so that unchanged pixels keep their colour and are not stored again. The
    palette is known only after the last frame; until then the frames are kept, compressed, in a temporary
    file."""
    sample: list[Pixels] = []
    lengths: list[int] = []
    shape: tuple[int, ...] = ()
    palette_sample = 500_000  # Pixels of the whole film the palette is made from.
    with TemporaryFile() as waiting:
        for frame in frames:
            shape = frame.shape
            step = -(-count * frame.size // palette_sample)
            sample.append(frame.ravel()[len(sample) % step :: step].copy())  # a view would keep the frame
            lengths.append(waiting.write(zlib.compress(frame.data, 1)))
            yield DRAWING * len(lengths) / count, b""
        palette = Palette(np.concatenate(sample))
        waiting.seek(0)
        unpacked = (zlib.decompress(waiting.read(length)) for length in lengths)
        indices = (palette.nearest(np.frombuffer(raw, np.uint32).reshape(shape)) for raw in unpacked)
        for done, block in enumerate(_images(indices, palette.table, seconds), start=1):
            yield DRAWING + (1 - DRAWING) * done / count, block
    trailer = b";"
    yield 1.0, trailer


def _images(frames: Iterable[Bytes], table: bytes, seconds: float) -> Iterator[bytes]:
    """Yield the block of each frame: the whole first one, then the smallest rectangle around the changes."""
    from PIL import GifImagePlugin, Image

    hundredths = max(2, round(100 * seconds))  # viewers slow anything faster down
    settings = {"duration": 10 * hundredths, "disposal": 1}
    before: Bytes | None = None
    for frame in frames:
        if before is None:
            picture, corner = Image.fromarray(frame), (0, 0)
            picture.putpalette(table)
            header, _ = GifImagePlugin.getheader(picture, info={"loop": 0})
        else:
            header = []
            changed = frame != before
            left, top, right, bottom = Image.fromarray(changed).getbbox() or (0, 0, 1, 1)
            part = np.where(changed, frame, np.uint8(CLEAR))[top:bottom, left:right]
            picture, corner = Image.fromarray(part), (left, top)
            settings["transparency"] = CLEAR
        yield b"".join(header + GifImagePlugin.getdata(picture, corner, **settings))
        before = frame


class Palette:
    """At most 255 colours that serve all the pixels 0xRRGGBB of a sample."""

    def __init__(self, sample: Pixels) -> None:
        from PIL import Image

        colours, counts = np.unique(sample, return_counts=True)
        # Square roots give the few pixels of thin lines some weight against a large smooth field.
        sheet = np.repeat(_channels(colours), np.rint(np.sqrt(counts)).astype(int), axis=0)
        most_colours = 255
        found = Image.fromarray(sheet[np.newaxis]).quantize(most_colours, Image.Quantize.MEDIANCUT, kmeans=1)
        chosen = (found.getpalette() or [])[: 3 * most_colours]
        self._colours = np.array(chosen, dtype=float).reshape(-1, 3)
        self.table = bytes(chosen).ljust(3 * (CLEAR + 1), b"\0")  # Red, green and blue of all 256 indices.
        self._known = np.full(1 << 24, CLEAR, dtype=np.uint8)

    def nearest(self, pixels: Pixels) -> Bytes:
        """Return the index of the colour nearest to each pixel; each colour is looked up only once."""
        indices = self._known[pixels]
        new = np.unique(pixels[indices == CLEAR])
        if len(new) == 0:
            return indices
        distances = (self._colours**2).sum(axis=1) - 2 * _channels(new).astype(float) @ self._colours.T
        self._known[new] = distances.argmin(axis=1)
        return self._known[pixels]


def _channels(colours: Pixels) -> Bytes:
    """Return colours 0xRRGGBB as bytes (n, 3)."""
    return np.stack([colours >> 16, colours >> 8, colours], axis=1).astype(np.uint8)


def apng_blocks(frames: Iterable[bytes], count: int, seconds: float) -> Iterator[tuple[float, bytes]]:
    """Yield an animated PNG in pieces, each with the share done, from `count` PNGs of one size and colour
    type.

    It loops for ever."""
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
        yield (number + 1) / count, block
    yield 1.0, chunk(b"IEND", b"")
