"""List kernels, algorithms, data sets, views, layers or lessons, with parameters, bounds and defaults."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Mapping
from typing import Any

from kernelviz.cli.points import add_arguments, answer
from kernelviz.cli.terminal import DONE
from kernelviz.engine.core.params import Declared, Parameter, assigned
from kernelviz.engine.fits import registry
from kernelviz.scene.qt_check import require_qt
from kernelviz.session.lessons.reader import read_lesson
from kernelviz.session.lessons.shipped import shipped
from kernelviz.session.workspaces.registry import workspaces

KINDS = ("kernels", "algorithms", "datasets", "views", "layers", "lessons")


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of `kernelviz list`."""
    parser.add_argument("kind", nargs="?", choices=KINDS, help="what to list (default: everything)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_arguments(parser, "--output")


def run(arguments: Namespace) -> int:
    """Print the catalogue as text or as JSON."""
    kinds = [arguments.kind] if arguments.kind else KINDS
    if "views" in kinds:
        require_qt()
    if arguments.json:
        text = json.dumps({kind: catalogue(kind) for kind in kinds}, indent=2, allow_nan=False) + "\n"
    else:
        text = "\n".join(map(_section, kinds))
    answer(text, arguments.output)
    return DONE


def catalogue(kind: str) -> list[dict[str, Any]]:
    """Return all entries of a kind as plain values, with parameters and bounds.

    >>> catalogue("kernels")[0]["name"]
    'ard'"""
    if kind == "lessons":
        return _lessons()
    if kind == "layers":
        return _layers()
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
    """Return the classes of all kernels, algorithms, data sets or views, by name in alphabetical order."""
    if kind == "views":
        from kernelviz.scene.panels import views_for_scripts

        return [view for _, view in sorted(views_for_scripts().items())]
    registered: Mapping[str, type[Declared]] = getattr(registry, kind)()
    return registered.values()


def _layers() -> list[dict[str, Any]]:
    """Return what `render --show` and `--hide` take: name, title, and the workspaces that have it."""
    found: dict[str, dict[str, Any]] = {}
    for workspace in workspaces():
        for name, (title, shown) in workspace.toggles.items():
            layer = found.setdefault(name, {"name": name, "title": title, "workspaces": {}})
            layer["workspaces"][workspace.title] = "shown" if shown else "hidden"
    return list(found.values())


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
    if kind == "layers":
        layers = []
        for layer in _layers():
            where = layer["workspaces"]
            hidden = "" if "shown" in where.values() else "; hidden unless asked for"
            layers.append(f"  {layer['name']:<20} {layer['title']} ({', '.join(where)}{hidden})")
        return "\n".join(["layers:", *layers]) + "\n"
    lines = []
    for declared in _registered(kind):
        described = " ".join(filter(None, (f"{declared.title or declared.name}.", declared.summary_line)))
        lines.append(f"  {declared.name:<20} {described}")
        for parameter in declared.parameters():
            _, _, default = assigned(parameter.name, parameter.default).partition("=")
            names = _other_names(parameter)
            also = f" Also written as {', '.join(names)}." if names else ""
            about = f"  {parameter.help.rstrip('.')}." if parameter.help else ""
            values = parameter.kind.values(parameter)
            lines.append(f"      {parameter.name} = {default}  ({values}){about}{also}")
    return "\n".join([f"{kind}:" if lines else f"{kind}: none yet", *lines]) + "\n"
