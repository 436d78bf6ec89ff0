"""Writes the facts of all insight views to `session/views.json`, from which menus and lessons list them:

    python -m tests.view_listing

Needed after a change of a view's name, title, family, summary_line, number, domains or switches."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

from kernelviz.engine.core.discovery import discover
from kernelviz.engine.core.params import Parameter
from kernelviz.scene import insight
from kernelviz.scene.view import View
from kernelviz.session import view_listing
from kernelviz.ui.insight.views import WIDGETS

FILE = Path(view_listing.__file__).with_name("views.json")
FACTS = ("name", "title", "family", "summary_line", "number")


def listing() -> str:
    """The text of the file: a line for each view, in the order of their numbers."""
    kinds = [*discover(insight.__name__, View).values()]
    kinds += [getattr(import_module(module), name) for module, name in WIDGETS.values()]
    lines = [
        json.dumps(
            {fact: getattr(kind, fact) for fact in FACTS}
            | {"domains": getattr(kind, "domains", View.domains), "is_scene": issubclass(kind, View)}
            | (switches(kind) if issubclass(kind, View) else {}),
            ensure_ascii=False,
        )
        for kind in sorted(kinds, key=lambda kind: kind.number)
    ]
    return "[\n{}\n]\n".format(",\n".join(lines))


def switches(kind: type[View]) -> dict[str, Any]:
    """The declared switches of a view, and which of them are toggles of the canvas."""
    declared = [switch(parameter) for parameter in kind.parameters()]
    facts = {"switches": declared, "on_canvas": kind.on_canvas}
    return {key: value for key, value in facts.items() if value}


def switch(parameter: Parameter) -> dict[str, Any]:
    """The facts about a switch that a text such as `gram(face=spectrum)` is checked against."""
    facts = {"name": parameter.name, "kind": parameter.kind.name, "default": parameter.default}
    if parameter.is_number:
        return facts | {"low": parameter.low, "high": parameter.high}
    return facts | ({"options": parameter.options} if parameter.options else {})


if __name__ == "__main__":
    FILE.write_text(listing(), encoding="utf-8")
