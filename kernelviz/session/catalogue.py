"""Everything there is to choose from, as plain values: the source of `kernelviz list` and of the docs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kernelviz.engine.core.params import Declared, Parameter
from kernelviz.engine.fits import registry


def catalogue(kind: str) -> list[dict[str, Any]]:
    """All kernels, algorithms, data sets or lessons, each with its parameters, bounds and defaults."""
    return KINDS[kind]()


def _declared(registered: Mapping[str, type[Declared]]) -> list[dict[str, Any]]:
    return [
        {
            "name": cls.name,
            "title": cls.title or cls.name,
            "summary": cls.summary_line,
            "parameters": [_parameter(p) for p in cls.parameters()],
        }
        for cls in registered.values()
    ]


def _lessons() -> list[dict[str, Any]]:
    from kernelviz.session.lessons.reader import read_lesson, shipped

    lessons = map(read_lesson, shipped())
    return [
        {"name": lesson.name, "title": lesson.title, "summary": lesson.intro, "minutes": lesson.minutes}
        for lesson in lessons
    ]


def _parameter(p: Parameter) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": p.name, "kind": p.kind.name, "default": p.default}
    return (
        entry | p.kind.record(p) | {"also": [name for view in p.views for name in view.names], "help": p.help}
    )


KINDS: Mapping[str, Callable[[], list[dict[str, Any]]]] = {
    "kernels": lambda: _declared(registry.kernels()),
    "algorithms": lambda: _declared(registry.algorithms()),
    "datasets": lambda: _declared(registry.datasets()),
    "lessons": _lessons,
}
