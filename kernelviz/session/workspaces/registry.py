"""Which workspaces there are, and which one some data belong to."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from weakref import WeakKeyDictionary

from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import Fit
from kernelviz.session import workspaces as package
from kernelviz.session.workspaces.base import Workspace

_guests: list[Workspace] = []  # Workspaces from elsewhere, asked before our own.
# The workspace of data that were asked for before: data never change.
_known: WeakKeyDictionary[Data, Workspace] = WeakKeyDictionary()


@lru_cache(maxsize=1)
def _own() -> tuple[Workspace, ...]:
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    made = [kind() for kind in Workspace.__subclasses__() if kind.__module__.startswith(package.__name__)]
    return tuple(sorted(made, key=lambda workspace: workspace.order))


def workspaces() -> tuple[Workspace, ...]:
    """All of them, in the order of the switch."""
    return (*_own(), *_guests)


@contextmanager
def guest(workspace: Workspace) -> Iterator[Workspace]:
    """Have one more workspace, from outside the package, for a while."""
    _guests.append(workspace)
    _known.clear()
    try:
        yield workspace
    finally:
        _guests.remove(workspace)
        _known.clear()


def workspace_of(data: Data) -> Workspace:
    """The one that shows such data; the first of all for data that none can show, which says so itself."""
    if (known := _known.get(data)) is None:
        every = (*_guests, *_own())
        known = next((workspace for workspace in every if not workspace.refusal(data)), _own()[0])
        _known[data] = known
    return known


def usual_fit(data: Data) -> Fit:
    """What is fitted to data when nobody has said anything: what their workspace begins with, or for data
    that none shows the first that suits them."""
    own = workspace_of(data).fit
    return next((fit for fit in (own, *(w.fit for w in workspaces())) if fit.suits(data)), own)
