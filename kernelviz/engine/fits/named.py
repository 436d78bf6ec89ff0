"""The parameters of a kernel or an algorithm by name, as the searches of scikit-learn read and set them.

    values_by_name(kernel("2*rbf(gamma=3)"))        # {"scale": 2.0, "gamma": 3.0}

A name that several parts of a kernel share is numbered in the order in which they are written: gamma_1,
gamma_2."""

from __future__ import annotations

from collections import Counter
from typing import Any

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Declared, Viewed, nearest
from kernelviz.engine.fits.widths import is_width, width_of
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.kernels.derivatives import ParameterPath
from kernelviz.engine.kernels.editing import Path, walk


def paths_by_name(owner: Kernel | Algorithm) -> dict[str, ParameterPath]:
    """Return where each parameter is, by its name."""
    return {name: (*part, key) for name, (part, key, _) in _named(owner, views=False).items()}


def values_by_name(owner: Kernel | Algorithm) -> dict[str, Any]:
    """Return the value of every parameter; a width that waits for its points is a word, such as "median"."""
    values = {name: getattr(part, key) for name, (_, key, part) in _named(owner, views=False).items()}
    waiting = {k: v.given for k, v in values.items() if isinstance(v, Viewed) and is_width(v.given)}
    return values | waiting


def with_value(owner: Kernel | Algorithm, name: str, value: Any) -> Kernel | Algorithm:
    """Return the kernel or the algorithm with a parameter changed, which may have the name of a view, such as
    sigma for gamma, and a kernel's width may be a word, such as "median"."""
    known = _named(owner, views=True)
    if name not in known:
        raise BadInput(f"{owner} has no parameter {name!r}. {nearest(name, list(known))}")
    path, key, part = known[name]
    if is_width(value):
        target, word = width_of(type(part), key, value)
        value = Viewed(getattr(part, target), target, word)
    else:
        target, value = part.resolve(key, value)
    if isinstance(owner, Kernel):
        return owner.having((*path, target), value)
    return owner.replace(**{target: value})


def _named(owner: Kernel | Algorithm, views: bool) -> dict[str, tuple[Path, str, Declared]]:
    """Return for every name the path to a part, the parameter's own name, and the part."""
    parts: list[tuple[Path, Declared]] = [((), owner)]
    if isinstance(owner, Kernel):
        parts = list(walk(owner))
    every = [
        (path, name, part)
        for path, part in parts
        for parameter in part.parameters()
        for name in (parameter.names if views else parameter.names[:1])
    ]
    often, seen = Counter(key for _, key, _ in every), Counter[str]()
    found: dict[str, tuple[Path, str, Declared]] = {}
    for path, key, part in every:
        seen[key] += 1
        found[f"{key}_{seen[key]}" if often[key] > 1 else key] = (path, key, part)
    return found
