"""All kernels, algorithms and data sets by name, found in their packages on first use.

A class is registered by having a name: there is no list to add it to."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TypeVar

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.core.discovery import discover
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Declared, nearest
from kernelviz.engine.datasets.base import DataSet
from kernelviz.engine.kernels.base import Kernel

D = TypeVar("D", bound=Declared)


@lru_cache(maxsize=1)
def kernels() -> Mapping[str, type[Kernel]]:
    """Return all base kernels by name (sums, products and scalings are written with + and *)."""
    return discover("kernelviz.engine.kernels", Kernel)


@lru_cache(maxsize=1)
def algorithms() -> Mapping[str, type[Algorithm]]:
    """Return all algorithms by name."""
    return discover("kernelviz.engine.algorithms", Algorithm)


@lru_cache(maxsize=1)
def datasets() -> Mapping[str, type[DataSet]]:
    """Return all data sets by name."""
    return discover("kernelviz.engine.datasets", DataSet)


def look_up(name: str, registry: Mapping[str, type[D]], kind: str) -> type[D]:
    """Return the class of that name; case does not matter, dash and underscore are the same.

    BadInput names the other thing of that name, or suggests the nearest one."""
    found = {_folded(known): found for known, found in registry.items()}.get(_folded(name))
    if found is not None:
        return found
    raise BadInput(f"There is no {kind} called {name!r}. {hint(name, registry)}")


def knows(name: str, registry: Mapping[str, type[D]]) -> bool:
    """Return True if `look_up` would find the name."""
    return _folded(name) in map(_folded, registry)


def hint(name: str, registry: Mapping[str, type[D]]) -> str:
    """Return the advice after an unknown name: which other kind of thing has it, or the nearest known one."""
    others = {"a kernel": kernels(), "an algorithm": algorithms(), "a data set": datasets()}
    for kind, known in others.items():
        if knows(name, known):
            return f"That is the name of {kind}."
    # People know things by their titles too: gaussian for rbf, kernel-ridge for ridge.
    meant = [own for own, cls in registry.items() if _folded(name) in map(_folded, cls.other_names)]
    if meant:
        return f"Did you mean {meant[0]}?"
    titles = {known: _folded(cls.title).replace(" ", "_") for known, cls in registry.items()}
    called = [known for known, title in titles.items() if len(name) > 3 and title.startswith(_folded(name))]
    return f"Did you mean {called[0]}?" if called else nearest(name, list(registry))


def _folded(name: str) -> str:
    return name.lower().replace("-", "_")
