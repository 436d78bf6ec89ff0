"""The SOURCE of the command line, and the requested fits.

A source is a data set expression such as `rings(n=200, seed=1)`, a file of points, a session, a picture
that contains one, a link, or `-` for a table that comes through standard input.

>>> Requested("rings(n=40)", kernel="rbf(gamma=2)", test="0.3").open().fits"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from io import BufferedReader
from pathlib import Path
from typing import Any, cast

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput, reason
from kernelviz.engine.fits import registry
from kernelviz.engine.fits.expressions import parse_dataset
from kernelviz.engine.fits.held_out import HeldOut, other, set_aside
from kernelviz.engine.fits.parsing import Fit, parse_fit
from kernelviz.engine.fits.parsing import algorithm as as_algorithm
from kernelviz.engine.fits.parsing import kernel as as_kernel
from kernelviz.engine.fits.posing import about_task
from kernelviz.engine.fits.solve import learning
from kernelviz.engine.fits.widths import SOME_POINTS
from kernelviz.engine.kernels.base import Kernel
from kernelviz.session.files import kviz, link
from kernelviz.session.state import MOST_FITS, Document, State
from kernelviz.session.suiting import about_width, suited
from kernelviz.session.tables.columns import choose, guess, is_called_class, to_data, weighed_by, without_gaps
from kernelviz.session.tables.formats import parse, read
from kernelviz.session.tables.gram import objects_in
from kernelviz.session.tables.preparation import manageable, prepared, standardised
from kernelviz.session.tables.table import BYTES, MissingCells, Table
from kernelviz.session.workspaces.registry import usual_fit

STANDARD_INPUT = "-"
PIECE = 1 << 16


@dataclass(frozen=True)
class Requested:
    """The request of a command line: the points, their preparation, and the fits, each as it was typed.

    fit: whole fits, "KERNEL ; ALGORITHM", in place of a kernel and an algorithm."""

    source: str = ""
    kernel: str | None = None
    algorithm: str | None = None
    fit: Sequence[str] = ()
    columns: str | None = None
    standardise: bool = False
    test: str | None = None
    missing: str | None = None
    task: str | None = None
    positive: str | None = None
    weights: str | None = None
    multiclass: str | None = None
    most_fits: int = MOST_FITS  # A figure has room for more than the window.

    @classmethod
    def by(cls, arguments: Mapping[str, Any]) -> Requested:
        """Return the request of parsed arguments; a command need not have all of them, and may have
        others."""
        return cls(**{own.name: arguments[own.name] for own in fields(cls) if own.name in arguments})

    def open(self) -> Source:
        """Return the points, with those held out, and the fits."""
        algorithm, drop = self.algorithm_named(), self.missing == "drop"
        source = open_source(
            self.source, self.columns, algorithm, self.texts, self.objects, drop, self.task, self.weights
        )
        own, active = source.fits, source.active
        source = source.tested(self.test, columns=self.columns, drop=drop).with_positive(self.positive)
        fits, active = self.fits_for(source.data, own, active)
        if self.multiclass is not None:
            fits = tuple(fit.replace(algorithm=learning(fit.algorithm, self.multiclass)) for fit in fits)
        note = source.note
        if self.kernel is None and not self.fit and not own and _is_file(self.source):
            scaled = standardised(source.data) if self.standardise else source.data
            fit, sentence = suited(fits[active], scaled)
            fits, note = (fit,), " ".join(filter(None, (note, sentence)))
        elif not own and _is_file(self.source):
            scaled = (
                standardised(source.data) if self.standardise and source.data.has_numbers else source.data
            )
            note = " ".join(filter(None, (note, *(about_width(fit, scaled) for fit in fits))))
        source = replace(source, fits=fits, active=active, note=note)
        held = source.held_out
        if held is not None and self.standardise:
            source = replace(source, held_out=held.with_data(standardised(held.data, by=source.data)))
        return source

    def state(self) -> tuple[State, str]:
        """Return the state that a figure shows, and a sentence on changes to the data, or an empty text.

        A session has its own columns, which are not scaled."""
        own = (
            replace(self, columns=None, weights=None, standardise=False) if _is_session(self.source) else self
        )
        source = own.open()
        if source.session is not None:
            document, look = source.session.document, source.session.look
            parts = {name: getattr(source, name) for name in ("data", "fits", "active", "held_out")}
            document, note = manageable(document.replace(**parts))
        else:
            data, note = prepared(source.data, source.fits, self.standardise)
            note = " ".join(filter(None, (source.note, note)))
            document = Document(
                data, source.fits, source.active, self.source, self.standardise, source.held_out
            )
            look = document.require_workspace().look(data)
        if source.swapped:  # the source alone would bring the classes back
            document = document.replace(source="")
        return State(document, look), note

    def algorithm_named(self) -> Algorithm | None:
        """Return the algorithm that was named, which may decide whether a target is a quantity or a class; of
        several the first that decides it."""
        named = [parse_fit(fit, SOME_POINTS).algorithm for fit in self.fit]
        if not named:
            return None if self.algorithm is None else as_algorithm(self.algorithm)
        return next((how for how in named if _wants_quantity(how) is not None), named[0])

    @property
    def texts(self) -> bool:
        """True if a kernel for strings was named: then digits are letters."""
        return any(named.domain == "strings" for named in self._kernels())

    @property
    def objects(self) -> bool:
        """True if the kernel of a Gram matrix was named: then the table must be one."""
        return any(named.domain == "objects" for named in self._kernels())

    def _kernels(self) -> list[Kernel]:
        """Return the kernels that were named."""
        kernels = [parse_fit(fit, SOME_POINTS).kernel for fit in self.fit]
        if self.kernel is not None:
            kernels.append(as_kernel(self.kernel, SOME_POINTS))
        return kernels

    def fits_for(self, data: Data, own: tuple[Fit, ...], active: int) -> tuple[tuple[Fit, ...], int]:
        """Return the fits and the index of the active one. A kernel or an algorithm that was not named is
        taken from the source's own fits, or suits the data."""
        if self.fit:
            if self.kernel is not None or self.algorithm is not None:
                raise BadInput("Give either --fit, or --kernel and --algorithm.")
            if len(self.fit) > self.most_fits:
                raise BadInput(f"There is room for {self.most_fits} fits, not for {len(self.fit)}.")
            return tuple(parse_fit(fit, self._inputs(data)) for fit in self.fit), 0
        fits = list(own or (usual_fit(data),))
        if self.kernel is not None:
            fits[active] = fits[active].replace(kernel=as_kernel(self.kernel, self._inputs(data)))
        if self.algorithm is not None:
            fits[active] = fits[active].replace(algorithm=as_algorithm(self.algorithm))
        return tuple(fits), active

    def _inputs(self, data: Data) -> Any:
        """Return the inputs of the points as they are fitted."""
        return (standardised(data) if self.standardise and data.has_numbers else data).numbers


@dataclass(frozen=True, eq=False)
class Source:
    """Points, those held out, and fits of them; a session has all of these, other sources only points."""

    data: Data
    fits: tuple[Fit, ...] = ()
    active: int = 0
    held_out: HeldOut | None = None
    session: State | None = None  # The state in the file of a session.
    note: str = ""  # Remarks on how the points were read.
    swapped: bool = False  # Whether another class is + than in the source.

    @property
    def test_data(self) -> Data | None:
        """The held-out points; None if there are none."""
        return None if self.held_out is None else self.held_out.data

    def tested(self, on: str | None, columns: str | None = None, drop: bool = False) -> Source:
        """Return the source with points held out: a share of its own ("0.3"), or other data. None keeps the
        points that the source itself holds out."""
        if on is None:
            return self
        whole = self.data if self.held_out is None else self.held_out.joined(self.data)
        try:
            share = float(on)
        except ValueError:
            share = None
        if share is not None:
            data, held = set_aside(whole, share)
            return replace(self, data=data, held_out=held)
        same = columns if _is_file(on) else None
        algorithm = self.fits[self.active].algorithm if self.fits else None
        strings, objects = whole.domain == "strings", whole.domain == "objects"
        task = "regression" if whole.task is Task.REGRESSION else None
        found = open_source(on, same, algorithm, strings, objects, drop=drop, task=task)
        return replace(self, data=whole, held_out=other(found.data, whole, on))

    def with_positive(self, name: str | None) -> Source:
        """Return the source with the class of a name as +; None keeps the classes as they are."""
        names = self.data.class_names if self.data.task is Task.TWO_CLASSES else ()
        if name is None or names[1:] == (name,):
            return self
        if name not in names:
            there = f"these are {' and '.join(names)}" if names else f"these data have {self.data.task.words}"
            raise BadInput(f"--positive is the name of one of two classes; {there}, not {name!r}.")
        held = self.held_out
        if held is not None:
            held = replace(held, data=held.data.swapped())
        return replace(self, data=self.data.swapped(), held_out=held, swapped=True)


def open_source(
    source: str,
    columns: str | None = None,
    algorithm: Algorithm | None = None,
    texts: bool = False,
    objects: bool = False,
    drop: bool = False,
    task: str | None = None,
    weights: str | None = None,
) -> Source:
    """Open SOURCE.

    columns: the chosen columns of a wide table. algorithm: decides whether a target is a quantity or a class,
    and task overrides it. texts: whether a single column is read as strings, even if all are digits. objects:
    whether the table must be a Gram matrix; otherwise it is read as one only if it looks like one. drop:
    whether rows that lack a value are left out. weights: the column with the weights of the points."""
    piped = _standard_input() if source == STANDARD_INPUT else b""
    is_session = piped.lstrip().startswith(b"{")
    if _is_file(source) and not is_session:
        quantity = _wants_quantity(algorithm) if task is None else task == "regression"
        return _from_table(_table(source, piped), columns, quantity, texts, objects, drop, weights)
    if columns is not None or weights is not None or drop or task is not None:
        option = "Columns are" if columns is not None else "Missing values are" if drop else "The task is"
        option = option if weights is None else "Weights are"
        raise BadInput(f"{option} chosen in files of points; data sets and sessions have their own.")
    if not is_session and not _is_session(source):
        return Source(parse_dataset(source).make())
    if is_session:
        state, _ = kviz.loads(piped, "Standard input")
    else:
        state, _ = link.state_in(source) if link.is_link(source) else kviz.load(source)
    document = state.document
    return Source(document.data, document.fits, document.active, document.held_out, state)


def _from_table(
    table: Table,
    columns: str | None,
    quantity: bool | None,
    texts: bool,
    objects: bool,
    drop: bool,
    weights: str | None,
) -> Source:
    """Return the points of a table, with remarks on how they were read."""
    notes = table.remarks
    if columns is None and (found := objects_in(table, objects)) is not None:
        return Source(found, note=" ".join(notes))
    if weights is not None:
        choice = weighed_by(table, columns, weights)
    else:
        choice = guess(table) if columns is None else choose(table, columns)
    if drop:
        table, sentence = without_gaps(table, choice)
        notes = (*notes, sentence)
    try:
        data = to_data(table, choice, quantity, texts)
    except MissingCells as problem:
        raise BadInput(f"{problem} Leave such rows out by --missing drop.") from None
    if quantity is None and not is_called_class(table, choice):
        notes = (*notes, about_task(data, "--task "))
    if choice.weights is not None:
        data = data.weighted(table.numbers(choice.weights))
        notes = (*notes, f"The weights of the points are those of the column {table.names[choice.weights]}.")
    return Source(data, note=" ".join(filter(None, notes)))


def _is_session(source: str) -> bool:
    """Return True for a link, and for the name of a session file, or of a picture, which may contain one."""
    session_suffixes = (kviz.SUFFIX, ".png")
    return link.is_link(source) or (
        source != STANDARD_INPUT and Path(source).suffix.lower() in session_suffixes
    )


def _is_file(source: str) -> bool:
    """Return True for a file of points. A file with the name of a data set needs a path or a suffix."""
    name = source.partition("(")[0].strip()
    called = source.rstrip().endswith(")") and not _exists(source)
    return not called and not registry.knows(name, registry.datasets()) and not _is_session(source)


def _table(source: str, piped: bytes) -> Table:
    """Return the table in a file or in standard input. A name without a dot or slash may be a data set with a
    spelling mistake: BadInput names the nearest one."""
    if source == STANDARD_INPUT:
        return parse(piped, "Standard input")
    if not _exists(source) and not any(c in source for c in "./\\"):
        hint = registry.hint(source, registry.datasets())
        raise BadInput(f"There is neither a file nor a data set called {source!r}. {hint}")
    return read(source)


def _standard_input() -> bytes:
    """Return the bytes that come through standard input, up to the limit for files; BadInput if it is closed
    or cannot be read."""
    if sys.stdin is None:
        raise BadInput("Standard input is closed; give a file, or a table through a pipe.")
    stream, content = cast(BufferedReader, sys.stdin.buffer), bytearray()
    try:
        # In pieces: between two of them Python handles Ctrl+C, which one long read may delay.
        while len(content) <= BYTES and (piece := stream.read1(PIECE)):
            content += piece
    except OSError as problem:
        raise BadInput(f"Standard input cannot be read: {reason(problem)}.") from None
    return bytes(content)


def _wants_quantity(algorithm: Algorithm | None) -> bool | None:
    """Return True or False if the algorithm needs a quantity or a class as target; None if it takes both."""
    if algorithm is None or {Task.REGRESSION} < algorithm.tasks:
        return None
    return Task.REGRESSION in algorithm.tasks


def _exists(source: str) -> bool:
    """Return True if there is a file or folder of that name; False for a text that cannot be a name."""
    try:
        return bool(source) and Path(source).exists()
    except (OSError, ValueError):
        return False
