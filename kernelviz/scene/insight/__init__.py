"""The insight views, one file for each, named as the view; `parts` has shared parts.

`view_class("loss")` returns a view. `session/view_listing.py` lists them without importing any."""

from __future__ import annotations

from importlib import import_module

from kernelviz.scene.view import View


def view_class(name: str) -> type[View]:
    """Return the class of a view by its name; its module is imported now."""
    declared = vars(import_module(f"{__name__}.{name}")).values()
    return next(kind for kind in declared if isinstance(kind, type) and vars(kind).get("name") == name)
