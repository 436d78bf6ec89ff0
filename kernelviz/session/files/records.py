"""The contents of a session file as typed records, and the conversion from a state to them and back."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from msgspec import Meta

from kernelviz.engine.analysis.kernel_pca import COMPONENTS_OFFERED
from kernelviz.engine.core.arrays import LARGEST_INPUT, read_only
from kernelviz.engine.core.data import MOST_CATEGORIES, Categories, Data, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.objects import MOST_OBJECTS, Items, objects
from kernelviz.engine.fits.held_out import SHARES, HeldOut, fresh, other
from kernelviz.engine.fits.parsing import Fit, algorithm, kernel
from kernelviz.session.state import MOST_FITS, Document, State
from kernelviz.session.view import LegendPlace, Look, ViewRange, sane
from kernelviz.session.workspaces.registry import workspace_of

Text = Annotated[str, Meta(max_length=4000)]
Component = Annotated[int, Meta(ge=0, lt=COMPONENTS_OFFERED)]
Row = Annotated[list[float | str], Meta(min_length=1, max_length=1001)]
Weights = Annotated[list[float], Meta(max_length=500_000)] | msgspec.UnsetType


class ObjectsRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The Gram matrix of objects as its lower triangle, and their names; the names of erased ones are
    empty."""

    names: Annotated[list[Text], Meta(max_length=MOST_OBJECTS)]
    gram: Annotated[list[list[float]], Meta(max_length=MOST_OBJECTS)]


class CategoriesRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The names of the categories, and the range of every other column when the data were made."""

    names: Annotated[list[Text], Meta(min_length=1, max_length=MOST_CATEGORIES)]
    spans: Annotated[list[tuple[float, float]], Meta(max_length=1000)]


class DataRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The points: a row has the coordinates (or one text, or the row of an object in the Gram matrix), then
    the target if there is one."""

    task: Literal["two classes", "more than two classes", "regression", "no target"]
    columns: Annotated[list[str], Meta(min_length=1, max_length=1000)]
    points: Annotated[list[Row], Meta(max_length=500_000)]
    classes: Annotated[list[str], Meta(max_length=20)] = []
    source: str = ""
    edited_from: str = ""
    sampled_from: Annotated[int, Meta(ge=1)] | msgspec.UnsetType = msgspec.UNSET
    standardised: bool = False
    target_name: Text = ""
    objects: ObjectsRecord | msgspec.UnsetType = msgspec.UNSET
    categories: CategoriesRecord | msgspec.UnsetType = msgspec.UNSET
    weights: Weights = msgspec.UNSET


class HeldOutRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Points that are not fitted: a share that was set aside, with their rows among all points, or others.

    Fresh points of a data set are drawn again, so their number is enough, unless some were moved."""

    share: Annotated[float, Meta(ge=SHARES[0], le=SHARES[1])] | None = None
    seed: Annotated[int, Meta(ge=0, lt=2**31)] = 0
    rows: Annotated[list[Annotated[int, Meta(ge=0, lt=1_000_000)]], Meta(max_length=500_000)] | None = None
    source: Text = ""
    count: Annotated[int, Meta(ge=1, le=5000)] | None = None
    points: Annotated[list[Row], Meta(max_length=500_000)] = []
    weights: Weights = msgspec.UNSET


class ViewRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The rectangle of the plane on screen."""

    left: float
    right: float
    bottom: float
    top: float


class LookRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The look of the document."""

    view: ViewRecord
    limits: ViewRecord | msgspec.UnsetType = msgspec.UNSET  # Limits of the axes, if they were typed.
    shown: Annotated[list[Text], Meta(max_length=100)]
    mode: Literal["live", "watch"] = "live"
    step: Annotated[int, Meta(ge=0, le=2**62)] = 0
    selection: Annotated[list[Annotated[int, Meta(ge=0)]], Meta(max_length=500_000)] = []
    # The two components that a map shows, unless they are the first two.
    components: tuple[Component, Component] | msgspec.UnsetType = msgspec.UNSET
    legend: LegendPlace | msgspec.UnsetType = msgspec.UNSET  # Where it is pinned.


class FitRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A kernel and an algorithm, as expressions."""

    kernel: Text
    algorithm: Text


class SessionRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A whole session. Unknown fields of a file are kept separately and written back."""

    format: Literal["kernelviz"]
    version: int
    data: DataRecord
    fits: Annotated[list[FitRecord], Meta(min_length=1, max_length=MOST_FITS)]
    active: Annotated[int, Meta(ge=0, lt=MOST_FITS)] = 0
    held_out: HeldOutRecord | msgspec.UnsetType | None = msgspec.UNSET
    look: LookRecord | None = None


# To records -------------------------------------------------------------------------------------------
def record_of(state: State, version: int) -> SessionRecord:
    """Return the record of a state without its points, which may be many: `rows_of` yields those."""
    document, look = state.document, state.look
    return SessionRecord(
        format="kernelviz",
        version=version,
        data=_data_record(document),
        fits=[FitRecord(kernel=str(f.kernel), algorithm=str(f.algorithm)) for f in document.fits],
        active=document.active,
        held_out=msgspec.UNSET if document.held_out is None else _held_out_record(document.held_out),
        look=LookRecord(
            view=_view_record(look.view),
            limits=msgspec.UNSET if look.limits is None else _view_record(look.limits),
            shown=sorted(look.shown),
            mode=look.mode,
            step=int(look.step),
            selection=[int(i) for i in look.selection],
            components=msgspec.UNSET if look.components == (0, 1) else look.components,
            legend=msgspec.UNSET if look.legend is None else look.legend,
        ),
    )


def _view_record(view: ViewRange) -> ViewRecord:
    """Return the view in plain numbers: it may have numpy's, which msgspec does not write."""
    left, right, bottom, top = map(float, (view.left, view.right, view.bottom, view.top))
    return ViewRecord(left=left, right=right, bottom=bottom, top=top)


def rows_of(data: Data, count: int) -> Iterator[list[Any]]:
    """Yield the rows of the points, `count` at a time."""
    for begin in range(0, data.n, count):
        part = slice(begin, begin + count)
        if data.domain == "objects":
            inputs = [[item.place] for item in data.X[part]]
        else:
            inputs = data.X[part].tolist() if data.has_numbers else [[text] for text in data.X[part]]
        if data.target is None:
            yield inputs
            continue
        target = data.target[part]
        if data.task is not Task.REGRESSION:
            target = target.astype(int)
        yield [[*row, t] for row, t in zip(inputs, target.tolist(), strict=True)]


def _data_record(document: Document) -> DataRecord:
    """Return the record of the data without the points: their task, the names of columns and classes, and
    where they came from."""
    data = document.data
    return DataRecord(
        task=data.task.value,
        columns=list(data.columns),
        points=[],
        classes=list(data.class_names),
        source=_text(document.source),
        edited_from=_text(document.edited_from),
        sampled_from=document.sampled_from or msgspec.UNSET,
        standardised=document.standardised,
        target_name=_text(data.target_name),
        objects=_objects_record(document.together),
        categories=msgspec.UNSET
        if data.categories is None
        else CategoriesRecord(names=[*map(_text, data.categories.names)], spans=[*data.categories.spans]),
        weights=_weights_record(data),
    )


def _weights_record(data: Data) -> Weights:
    """Return the weights of the points, where they are not all 1."""
    return msgspec.UNSET if data.weights is None else data.weights.tolist()


def _objects_record(data: Data) -> ObjectsRecord | msgspec.UnsetType:
    """Return the record of the Gram matrix of the data, if there is one."""
    if data.domain != "objects" or not data.n:
        return msgspec.UNSET
    matrix = data.X[0].matrix
    names = {item.place: _text(item) for item in data.X}
    triangle = [row[: i + 1] for i, row in enumerate(matrix.tolist())]
    return ObjectsRecord(names=[names.get(i, "") for i in range(len(matrix))], gram=triangle)


def _held_out_record(held: HeldOut) -> HeldOutRecord:
    """Return how the held-out points were chosen: a share with its rows, or the data set and number of fresh
    ones. The points themselves are written separately, and only where they cannot be drawn again."""
    if held.share is not None:
        rows = None if held.rows is None else held.rows.tolist()
        return HeldOutRecord(share=held.share, seed=held.seed, rows=rows, weights=_weights_record(held.data))
    return HeldOutRecord(source=_text(held.source), count=None if held.moved else held.data.n)


def _text(name: str) -> str:
    """Return a name as valid text: the name of a file may contain invalid bytes."""
    return name.encode(errors="replace").decode()


# From records -----------------------------------------------------------------------------------------
def state_of(record: SessionRecord) -> State:
    """Return the state of a record; BadInput where its values do not fit together."""
    data = _data_of(record.data)
    fits = tuple(Fit(kernel(fit.kernel), algorithm(fit.algorithm)) for fit in record.fits)
    for fit in fits:
        if not data.n and fit.kernel.domain in ("strings", "objects"):  # only the kernel shows their kind
            data = dataclasses.replace(data, X=() if fit.kernel.domain == "strings" else Items())
        if fit.kernel.domain not in data.kernel_domains:
            raise BadInput(f"its kernel is for {fit.kernel.domain}, its points are {data.domain}.")
    if record.active >= len(fits):
        raise BadInput(f"its active fit is number {record.active}; its fits go from 0 to {len(fits) - 1}.")
    held = _held_out_of(record.held_out, record.data, data) if record.held_out else None
    if held is not None and not held.data.n:
        held = None
    points = record.data
    document = Document(
        data,
        fits,
        record.active,
        points.source,
        points.standardised,
        held,
        points.edited_from,
        points.sampled_from or 0,
    )
    return State(document, _look_of(record.look, data))


def _held_out_of(held: HeldOutRecord, record: DataRecord, fitted: Data) -> HeldOut:
    """Return the held-out points of a record: drawn again from their data set, or as they were written."""
    if held.count is not None:
        return other(fresh(held.source, held.count).data, fitted, held.source)
    data = _data_of(msgspec.structs.replace(record, points=held.points, weights=held.weights))
    if held.share is None:
        return HeldOut(data, source=held.source, moved=True)
    rows = np.array(held.rows, dtype=np.intp) if held.rows is not None else None
    if rows is not None and (len(rows) != data.n or len(np.unique(rows)) != data.n):
        raise BadInput("its held-out points do not say where they belong.")
    return HeldOut(data, held.share, held.seed, rows)


def _data_of(record: DataRecord) -> Data:
    """Return the points of a record as arrays, or as strings. BadInput for rows of different lengths, for
    texts among numbers, and for targets that the task does not allow."""
    task = Task(record.task)
    width = len(record.columns) + (task is not Task.NONE)
    for number, row in enumerate(record.points, 1):
        if len(row) != width:
            raise BadInput(f"point {number} has {len(row)} values instead of {width}.")
    rows, targets = record.points, None
    if task is not Task.NONE:
        targets = _numbers([row[-1:] for row in rows], 1)[:, 0]
        rows = [row[:-1] for row in rows]
        _check_targets(record, task, targets)
    words = bool(rows) and width - (task is not Task.NONE) == 1 and isinstance(rows[0][0], str)
    if words and not all(isinstance(row[0], str) for row in rows):
        raise BadInput("some of its points are texts and some are numbers.")
    X = tuple(str(row[0]) for row in rows) if words else read_only(_numbers(rows, len(record.columns)))
    if isinstance(record.objects, ObjectsRecord):
        X = _items(record.objects, X)
    names = tuple(record.classes) if task in (Task.TWO_CLASSES, Task.CLASSES) else ()
    target = None if targets is None else read_only(targets)
    data = Data(X, target, task, names, tuple(record.columns), target_name=record.target_name)
    if isinstance(record.weights, list):
        data = data.weighted(record.weights)
    if not isinstance(record.categories, CategoriesRecord):
        return data
    spans = tuple(record.categories.spans)
    if len(spans) != len(record.columns) - 1 or not all(low < high for low, high in spans):
        raise BadInput("its categories do not say how far its points reach.")
    return dataclasses.replace(
        data.with_categories(record.categories.names),
        categories=Categories(tuple(record.categories.names), spans),
    )


def _items(record: ObjectsRecord, rows: Any) -> Items:
    """Return the objects in these rows of a Gram matrix, (n, 1)."""
    if [len(row) for row in record.gram] != [*range(1, len(record.gram) + 1)]:
        raise BadInput("its Gram matrix is not a triangle.")
    K = np.zeros((len(record.gram), len(record.gram)))
    K[np.tri(len(K), dtype=bool)] = [value for row in record.gram for value in row]
    every = objects(K + np.tril(K, -1).T, record.names, "its Gram matrix")
    if not isinstance(rows, np.ndarray) or rows.shape[1] != 1 or not np.isin(rows, range(len(every))).all():
        raise BadInput("some of its points are not in its Gram matrix.")
    return Items(every[int(row)] for row in rows[:, 0])


def _numbers(rows: list[list[float | str]], columns: int) -> np.ndarray:
    """Return rows as an array (rows, columns); BadInput names the first point with a text or without a finite
    value."""
    if any(isinstance(value, str) for row in rows for value in row):
        number = next(k for k, row in enumerate(rows, 1) if any(isinstance(v, str) for v in row))
        raise BadInput(f"point {number} has a text where a number belongs.")
    values = np.array(rows, dtype=np.float64).reshape(len(rows), columns)
    if not np.isfinite(values).all():
        raise BadInput(f"point {int(np.argwhere(~np.isfinite(values))[0, 0]) + 1} is not finite.")
    if len(far := np.argwhere(np.abs(values) > LARGEST_INPUT)):
        raise BadInput(f"point {int(far[0, 0]) + 1} is too large to compute with: beyond {LARGEST_INPUT:g}.")
    return values


def _check_targets(record: DataRecord, task: Task, targets: np.ndarray) -> None:
    """Raise BadInput unless the classes have different names and every point is in one of them: -1 or +1 for
    two classes, 0, 1, 2 … for more."""
    if task not in (Task.TWO_CLASSES, Task.CLASSES):
        return
    two = task is Task.TWO_CLASSES
    allowed = [-1, 1] if two else list(range(len(record.classes)))
    least, most = (2, 2) if two else (3, 20)
    if not least <= len(record.classes) <= most or len(set(record.classes)) != len(record.classes):
        wanted = "two" if two else f"{least} to {most}"
        raise BadInput(f"its classes need {wanted} different names.")
    wrong = ~np.isin(targets, allowed)
    if wrong.any():
        number = int(np.flatnonzero(wrong)[0]) + 1
        raise BadInput(f"point {number} has the class {targets[number - 1]:g}, which does not exist.")


def _look_of(record: LookRecord | None, data: Data) -> Look:
    """Return the look of a record, or the default one of the data; selected points that do not exist are left
    out."""
    if record is None:
        return workspace_of(data).look(data)
    return Look(
        view=_rectangle(record.view),
        limits=_rectangle(record.limits) if isinstance(record.limits, ViewRecord) else None,
        shown=frozenset(record.shown),
        mode=record.mode,
        step=record.step,
        selection=tuple(i for i in record.selection if i < data.n),
        components=record.components if isinstance(record.components, tuple) else (0, 1),
        legend=None if record.legend is msgspec.UNSET else record.legend,
    )


def _rectangle(v: ViewRecord) -> ViewRange:
    """Return the view of a record, moved into the range that can be drawn; BadInput if it is not a
    rectangle."""
    sides = (v.left, v.right, v.bottom, v.top)
    if not (all(map(math.isfinite, sides)) and v.left < v.right and v.bottom < v.top):
        raise BadInput("its view is not a rectangle.")
    return sane(ViewRange(*sides))
