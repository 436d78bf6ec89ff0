"""List kernels, algorithms, data sets or lessons with their parameters, bounds and defaults."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Mapping
from typing import Any

from kernelviz.cli.terminal import DONE
from kernelviz.engine.core.params import Declared, Parameter, number
from kernelviz.engine.fits import registry
from kernelviz.runtime.streams import say
from kernelviz.session.lessons.reader import read_lesson, shipped

KINDS = ("kernels", "algorithms", "datasets", "lessons")


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of `kernelviz list`."""
    parser.add_argument("kind", nargs="?", choices=KINDS, help="what to list (default: everything)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: Namespace) -> int:
    """Print the catalogue as text or as JSON."""
    kinds = [arguments.kind] if arguments.kind else KINDS
    if arguments.json:
        say(json.dumps({kind: catalogue(kind) for kind in kinds}, indent=2, allow_nan=False) + "\n")
    else:
        say("\n".join(map(_section, kinds)))
    return DONE


def catalogue(kind: str) -> list[dict[str, Any]]:
    """Return all kernels, algorithms, data sets or lessons as plain values, with parameters and bounds.

    >>> catalogue("kernels")[0]["name"]
    'ard'"""
    if kind == "lessons":
        return _lessons()
    return [
        {
            "name": declared.name,
            "title": declared.title or declared.name,
            "summary": declared.summary_line,
            "parameters": [
                {"name": p.name, "kind": p.kind.name, "default": p.default}
                | p.kind.record(p)
                | {"also": _other_names(p), "help": p.help}
                for p in declared.parameters()
            ],
        }
        for declared in _registered(kind)
    ]


def _registered(kind: str) -> Iterable[type[Declared]]:
    """Return the classes of all kernels, algorithms or data sets, by name in alphabetical order."""
    registered: Mapping[str, type[Declared]] = getattr(registry, kind)()
    return registered.values()


def _lessons() -> list[dict[str, Any]]:
    """Return the lessons that come with kernelviz, in the order in which they are taught."""
    return [
        {"name": lesson.name, "title": lesson.title, "summary": lesson.intro, "minutes": lesson.minutes}
        for lesson in map(read_lesson, shipped())
    ]


def _other_names(parameter: Parameter) -> list[str]:
    """Return other ways to write a parameter, such as sigma for gamma."""
    return [name for view in parameter.views for name in view.names]


def _section(kind: str) -> str:
    """Return the list of one kind for people."""
    if kind == "lessons":
        lessons = [f"  {lesson['name']:<34} {lesson['title']}." for lesson in _lessons()]
        return "\n".join(["lessons:", *lessons]) + "\n"
    lines = []
    for declared in _registered(kind):
        described = " ".join(filter(None, (f"{declared.title or declared.name}.", declared.summary_line)))
        lines.append(f"  {declared.name:<20} {described}")
        for parameter in declared.parameters():
            default = parameter.default if isinstance(parameter.default, str) else number(parameter.default)
            names = _other_names(parameter)
            also = f" Also written as {', '.join(names)}." if names else ""
            about = f"  {parameter.help}." if parameter.help else ""
            values = parameter.kind.values(parameter)
            lines.append(f"      {parameter.name} = {default}  ({values}){about}{also}")
    return "\n".join([f"{kind}:" if lines else f"{kind}: none yet", *lines]) + "\n"
