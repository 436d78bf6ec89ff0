"""Films of a run or a sweep."""

from __future__ import annotations

import os
import shutil
from collections.abc import Generator, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from PySide6.QtGui import QImage

from kernelviz.drawing.export.files import png_bytes
from kernelviz.drawing.export.film_formats import Pixels, apng_blocks, gif_blocks
from kernelviz.drawing.insight.feature_space import FeatureSpaceMaker, FeatureSpacePicture
from kernelviz.drawing.insight.picture import NothingToShow
from kernelviz.engine.core.errors import BadInput
from kernelviz.runtime.messages import Frame
from kernelviz.session.files.atomic import beside, may_replace, replacing


def unfolding(maker: FeatureSpaceMaker, frame: Frame | None, count: int) -> list[FeatureSpacePicture]:
    """So many pictures of a fit, the first and the last folded, the middle one lifted and seen as it is
    turned now. BadInput where there is nothing to see."""
    made = maker.switched("features", False).make(frame)
    if not isinstance(made, FeatureSpacePicture):
        raise BadInput(made.reason if isinstance(made, NothingToShow) else "There is nothing to unfold.")
    shares = np.sin(np.linspace(0.0, np.pi, count)) ** 2
    return [replace(made, unfolded=1.0 if share > 1.0 - 1e-9 else float(share)) for share in shares]


ANIMATIONS = ("gif", "apng", "png")
FASTEST, SLOWEST = 50.0, 0.05


def write_animation(
    path: str | os.PathLike[str], frames: Iterable[QImage], count: int, per_second: float
) -> Generator[float, None, None]:
    """Write `count` frames into one file; yields the share done.

    Closing the generator before its end leaves no file behind, and an old one untouched."""
    target = Path(path)
    kind = target.suffix.lower().lstrip(".")
    if kind not in ANIMATIONS:
        raise BadInput(
            f"Animations are written as gif, apng or png, not as {kind or 'a file without suffix'}."
        )
    if not SLOWEST <= per_second <= FASTEST:
        raise BadInput(f"An animation has {SLOWEST:g} to {FASTEST:g} frames per second, not {per_second:g}.")
    seconds = 1 / per_second
    if kind == "gif":
        blocks = gif_blocks((_pixels(frame) for frame in frames), count, seconds)
    else:
        blocks = apng_blocks((_png(frame) for frame in frames), count, seconds)
    return _streamed(target, blocks)


def _streamed(target: Path, blocks: Iterator[tuple[float, bytes]]) -> Generator[float, None, None]:
    """Blocks into a file beside the target, which it replaces when all are written."""
    with replacing(target) as file:
        for share, block in blocks:
            file.write(block)
            yield share


def write_numbered(
    path: str | os.PathLike[str], frames: Iterable[QImage], count: int
) -> Generator[float, None, None]:
    """Write film-0001.png, film-0002.png … for `film.png`; yields the share done.

    They appear together at the end: closing the generator before leaves old ones as they were."""
    target = Path(path)
    folder: Path | None = None
    try:
        may_replace(numbered(target, 1, count))
        folder = beside(target)
        folder.mkdir()
        for number, frame in enumerate(frames, start=1):
            (folder / numbered(target, number, count).name).write_bytes(_png(frame))
            yield number / count
        for part in folder.iterdir():
            may_replace(target.parent / part.name)
        for part in sorted(folder.iterdir()):
            part.replace(target.parent / part.name)
    except OSError as problem:
        reason = (problem.strerror or str(problem)).lower()
        raise BadInput(f"The pictures cannot be saved: {reason}.") from None
    finally:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


def numbered(path: Path, number: int, count: int) -> Path:
    """film-0001.png for film.png; of more than 9999 all have as many digits as the last."""
    return path.with_name(f"{path.stem}-{number:0{max(4, len(str(count)))}}.png")


def _pixels(image: QImage) -> Pixels:
    """(height, width) numbers 0xRRGGBB."""
    opaque = image.convertToFormat(QImage.Format.Format_RGB32)
    rows = np.frombuffer(opaque.constBits(), dtype=np.uint32).reshape(opaque.height(), -1)
    return rows & np.uint32(0xFFFFFF)


def _png(image: QImage) -> bytes:
    wanted = QImage.Format.Format_RGBA8888 if image.hasAlphaChannel() else QImage.Format.Format_RGB888
    return png_bytes(image.convertToFormat(wanted))
