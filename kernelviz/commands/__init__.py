"""The subcommands, one module each; every module here is found, nothing is listed.

A module has a docstring (its first line is the help), `configure(parser)` and `run(arguments) -> exit code`.
Whatever is heavy is imported inside `run`."""

from __future__ import annotations

import importlib
import pkgutil
from argparse import ArgumentParser, Namespace
from typing import Protocol, cast


class Command(Protocol):
    """What a module of this package offers."""

    __doc__: str | None

    def configure(self, parser: ArgumentParser) -> None: ...

    def run(self, arguments: Namespace) -> int: ...


def names() -> list[str]:
    """The names of all subcommands."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_"))


def load(name: str) -> Command:
    """The module of that name."""
    return cast(Command, importlib.import_module(f"{__name__}.{name}"))
