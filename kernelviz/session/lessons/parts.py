"""The parts of the window that a session or a stop of a lecture can hide, besides the layers of the canvas.

This stands apart from the language of lessons, which the window does not load until a lesson opens."""

from __future__ import annotations

from functools import cache

from kernelviz.engine.fits import registry

# The parts of the window.
PARTS = ("data", "kernel", "algorithm", "insight", "toolbar", "playback", "status")


@cache
def controls() -> frozenset[str]:
    """Return the names of the controls of all parameters, such as `kernel.gamma`, views included."""
    declared = {"kernel": registry.kernels(), "algorithm": registry.algorithms(), "data": registry.datasets()}
    return frozenset(
        f"{whose}.{name}"
        for whose, kinds in declared.items()
        for kind in kinds.values()
        for parameter in kind.parameters()
        for name in parameter.names
    )
