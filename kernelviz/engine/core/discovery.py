"""Find the classes of a package that have a name, so that no list of them has to be kept.

A package is scanned on first use, so that importing kernelviz stays as cheap as importing numpy."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from typing import TypeVar

from kernelviz.engine.core.params import Declared

D = TypeVar("D", bound=Declared)


def discover(package_name: str, base: type[D]) -> Mapping[str, type[D]]:
    """Return the named classes that are declared in the package, by name; subclasses elsewhere stay
    private."""
    package = importlib.import_module(package_name)
    found = {}
    for info in pkgutil.iter_modules(package.__path__):
        module = importlib.import_module(f"{package_name}.{info.name}")
        for cls in vars(module).values():
            here = isinstance(cls, type) and issubclass(cls, base) and cls.__module__ == module.__name__
            if here and vars(cls).get("name"):
                found[cls.name] = cls
    return dict(sorted(found.items()))
