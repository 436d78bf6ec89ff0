"""Compare two records: pictures with a tolerance for antialiasing, tables and texts value by value."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

__all__ = ["compare", "differing_share"]

STRONG = 40
"""Difference of a colour channel, of 255, that counts."""
SHARE = 3e-4
"""Share of the pixels that may differ strongly in a picture that counts as equal."""
ROUNDING = 1e-9
"""Relative difference of two numbers that count as equal."""
ON_SHEET = 40
"""Pairs of pictures on the contact sheet."""


def compare(old: Path, new: Path) -> list[str]:
    """Return a line for each difference; write a contact sheet of the pictures that differ into `new`."""
    lines, worst = [], []
    before, after = ({str(p.relative_to(root)) for p in root.rglob("*.*")} for root in (old, new))
    before, after = before - {"differences.png"}, after - {"differences.png"}
    lines += [f"only before: {name}" for name in sorted(before - after)]
    lines += [f"only now: {name}" for name in sorted(after - before)]
    for name in sorted(before & after):
        if name.endswith(".json"):
            first, second = (json.loads((root / name).read_text(encoding="utf-8")) for root in (old, new))
            lines += [f"{name}: {line}" for line in _differences(first, second)]
        elif name.endswith(".png") and (share := differing_share(old / name, new / name)) > SHARE:
            worst.append((share, name))
    worst.sort(reverse=True)
    lines += [f"{100 * share:6.2f} % of {name}" for share, name in worst]
    if worst:
        _contact_sheet(old, new, [name for _, name in worst[:ON_SHEET]]).save(new / "differences.png")
    return lines


def differing_share(old: Path, new: Path) -> float:
    """Return the share of pixels that no neighbour in the other picture comes close to; 1 for other sizes."""
    if old.read_bytes() == new.read_bytes():
        return 0.0
    first, second = _pixels(old), _pixels(new)
    if first.shape != second.shape:
        return 1.0
    rows, columns = np.nonzero((np.abs(first - second) > STRONG).any(axis=2))
    far = _far(first, second, rows, columns) | _far(second, first, rows, columns)
    return float(far.sum() / first[..., 0].size)


def _pixels(path: Path) -> np.ndarray:
    return np.asarray(Image.open(path).convert("RGB"), dtype=np.int16)


def _far(picture: np.ndarray, other: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Return which of these pixels differ strongly from all nine around their place in the other picture."""
    own, least = picture[rows, columns], np.full(len(rows), 255, dtype=np.int16)
    height, width = other.shape[:2]
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            near = other[(rows + dy).clip(0, height - 1), (columns + dx).clip(0, width - 1)]
            np.minimum(least, np.abs(own - near).max(axis=1), out=least)
    return least > STRONG


def _differences(old: Any, new: Any, where: str = "") -> Iterator[str]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*old, *(key for key in new if key not in old)]:
            if key not in new or key not in old:
                yield f"{where}/{key} is only {'before' if key in old else 'now'}"
            else:
                yield from _differences(old[key], new[key], f"{where}/{key}")
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for k, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from _differences(one, other, f"{where}[{k}]")
    elif isinstance(old, list) and isinstance(new, list) and all(isinstance(x, str) for x in old + new):
        yield from (f"{where} lost {text!r}" for text in old if text not in new)
        yield from (f"{where} gained {text!r}" for text in new if text not in old)
    elif isinstance(old, float) and isinstance(new, float):
        if not math.isclose(old, new, rel_tol=ROUNDING, abs_tol=1e-12):
            yield f"{where}: {old} -> {new}"
    elif old != new:
        yield f"{where}: {str(old)[:120]} -> {str(new)[:120]}"


def _contact_sheet(old: Path, new: Path, names: list[str]) -> Image.Image:
    """Return the pictures that differ most, before and now, side by side."""
    cell, columns = (380, 260), 2
    rows = math.ceil(len(names) / columns)
    sheet = Image.new("RGB", (2 * columns * cell[0], rows * cell[1]), "white")
    for k, name in enumerate(names):
        for side, root in enumerate((old, new)):
            picture = Image.open(root / name).convert("RGB")
            picture.thumbnail((cell[0] - 8, cell[1] - 8))
            row, column = divmod(k, columns)
            sheet.paste(picture, ((2 * column + side) * cell[0], row * cell[1]))
    return sheet
