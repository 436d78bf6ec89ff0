"""A few words on what an edit has changed, such as "γ 1 → 2"."""

from __future__ import annotations

from kernelviz.engine.core.params import Declared
from kernelviz.scene.wording import counted, shown
from kernelviz.session.state import State


def change_in_words(old: State, new: State) -> str:
    """Describe the difference between two states: the kind or the parameters of kernel and algorithm, the
    layers shown, the number of points. The text is empty for any other difference."""
    before, now = old.document, new.document
    found = [*_declared(before.kernel, now.kernel), *_declared(before.algorithm, now.algorithm)]
    toggles = now.workspace.toggles
    switched = [name for name in toggles if (name in old.look.shown) is not (name in new.look.shown)]
    found += [f"{toggles[name][0]} {'on' if name in new.look.shown else 'off'}" for name in switched]
    if before.data.n != now.data.n:
        found.append(f"{before.data.n} → {counted(now.data.n, now.data.noun)}")
    return ", ".join(found)


def _declared(old: Declared, new: Declared) -> list[str]:
    """Return what differs between two kernels or algorithms: their kinds, or else parameters."""
    if type(old) is not type(new):
        return [f"{old.title} → {new.title}"]
    before, now = old.values(), new.values()
    return [
        f"{p.label} {_text(before[p.name])} → {_text(now[p.name])}"
        for p in new.parameters()
        if before[p.name] != now[p.name]
    ]


def _text(value: object) -> str:
    """Return a value of a parameter as the panels show it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return shown(value) if isinstance(value, int | float) else str(value)
