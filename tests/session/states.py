"""Data and states that tests of sessions use, and how to tell that two states are the same."""

from __future__ import annotations

import numpy as np

from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import algorithm, dataset, kernel
from kernelviz.session.state import Document, State
from kernelviz.session.tables.columns import guess, to_data
from kernelviz.session.tables.formats import parse, read_text
from kernelviz.session.tables.table import Table
from kernelviz.session.view import Look
from kernelviz.session.workspaces.plane import PlaneWorkspace


def data_of(table: Table | str | bytes) -> Data:
    """Return the data of a table, of a text or of the bytes of a file, its columns guessed."""
    if isinstance(table, str):
        table = read_text(table, "points.csv")
    elif isinstance(table, bytes):
        table = parse(table, "points.csv")
    return to_data(table, guess(table))


def state_with(data=None, kernel_text="rbf(gamma=1)", how="soft-margin-svm(C=10)", look=None, **document):
    points = dataset("rings(n=12, seed=1)") if data is None else data
    return State(
        Document.of(points, kernel(kernel_text), algorithm(how), **document),
        look or Look(shown=PlaneWorkspace().shown),
    )


def same(a: State, b: State) -> bool:
    """Whether two states are equal in every field that is saved."""
    x, y = a.document, b.document
    targets = (x.data.target is None and y.data.target is None) or np.array_equal(
        x.data.target, y.data.target
    )
    return (
        np.array_equal(x.data.X, y.data.X)
        and targets
        and (x.data.task, x.data.class_names, x.data.columns)
        == (y.data.task, y.data.class_names, y.data.columns)
        and (x.kernel, x.algorithm, x.source, x.edited_from, x.standardised, x.sampled_from)
        == (y.kernel, y.algorithm, y.source, y.edited_from, y.standardised, y.sampled_from)
        and a.look == b.look
    )
