"""The list of workspaces, and the workspace of data."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from weakref import WeakKeyDictionary

from kernelviz.engine.core.data import Data
from kernelviz.engine.datasets.base import DataSet
from kernelviz.engine.fits import registry
from kernelviz.engine.fits.parsing import Fit
from kernelviz.session import workspaces as package
from kernelviz.session.workspaces.base import Workspace

_guests: list[Workspace] = []  # Workspaces from other packages, which are asked before our own.
# The workspaces of data that were looked up before: data never change.
_known: WeakKeyDictionary[Data, Workspace] = WeakKeyDictionary()


@lru_cache(maxsize=1)
def _own() -> tuple[Workspace, ...]:
    """Return the workspaces of this package, found by importing all its modules."""
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    made = [kind() for kind in _kinds(Workspace) if kind.__module__.startswith(package.__name__)]
    return tuple(sorted(made, key=lambda workspace: workspace.order))


def _kinds(kind: type[Workspace]) -> Iterator[type[Workspace]]:
    """Yield all subclasses: one workspace may be a variant of another."""
    for known in kind.__subclasses__():
        yield known
        yield from _kinds(known)


def workspaces() -> tuple[Workspace, ...]:
    """Return all workspaces in the order of the switch."""
    return (*_own(), *_guests)


@contextmanager
def guest(workspace: Workspace) -> Iterator[Workspace]:
    """Add a workspace from outside the package for the duration of a block."""
    _guests.append(workspace)
    _known.clear()
    try:
        yield workspace
    finally:
        _guests.remove(workspace)
        _known.clear()


def workspace_of(data: Data) -> Workspace:
    """Return the workspace that shows the data; the first one, whose `refusal` says why, if none can."""
    if (known := _known.get(data)) is None:
        every = (*_guests, *_own())
        known = next((workspace for workspace in every if not workspace.refusal(data)), _own()[0])
        _known[data] = known
    return known


def datasets_for(workspace: Workspace) -> dict[str, type[DataSet]]:
    """Return the data sets to choose from in a workspace, by name: its own, and those of its variants."""
    names = {other.name for other in workspaces() if other.segment == workspace.segment}
    return {name: kind for name, kind in registry.datasets().items() if kind.shown_in in names}


def usual_fit(data: Data) -> Fit:
    """Return the default fit of data: that of their workspace, or the first one that suits data which no
    workspace shows."""
    own = workspace_of(data).fit
    return next((fit for fit in (own, *(w.fit for w in workspaces())) if fit.suits(data)), own)
