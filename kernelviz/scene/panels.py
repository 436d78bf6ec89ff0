"""Insight views as a script writes them, `loss(hinge=true)`, and what draws them beside the canvas."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from kernelviz.engine.core.params import number
from kernelviz.engine.fits.expressions import parse_call
from kernelviz.scene.bridge import SceneMaker
from kernelviz.scene.listing import listed_scenes
from kernelviz.scene.view import Now


@cache
def _makers() -> dict[str, SceneMaker]:
    """Return the makers of all views a script can draw, by name."""
    views = {listed.name: listed.view for listed in listed_scenes()}
    return {name: SceneMaker.of(view) for name, view in views.items() if view().repeatable(Now())}


def panel(text: str) -> SceneMaker:
    """Return what draws the view a text stands for, such as `gram` or `gram(face=spectrum)`."""
    makers = _makers()
    switches = parse_call(text, "view for scripts", {name: type(m.switches) for name, m in makers.items()})
    maker = next(maker for maker in makers.values() if type(maker.switches) is type(switches))
    return replace(maker, switches=switches)


def written(name: str, maker: object) -> str:
    """Return the text that stands for a view; empty if a script cannot draw it as it is."""
    if name not in _makers() or not isinstance(maker, SceneMaker):
        return ""
    if not maker.switches.repeatable(maker.now):
        return ""
    values = maker.switches.values()
    changed = {p.name: values[p.name] for p in maker.switches.parameters() if values[p.name] != p.default}
    given = (f"{key}={value if isinstance(value, str) else number(value)}" for key, value in changed.items())
    return f"{name}({', '.join(given)})" if changed else name
