"""Checked, frozen data: points with labels, with real targets or with neither.

The labels of two classes become z in {-1, +1}, those of k > 2 classes the codes 0..k-1; the values and names
that the user gave are kept, so that predictions come back in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from types import NoneType
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernelviz.engine.core.arrays import (
    CELLS_NAMED,
    LARGEST_INPUT,
    Array,
    Indices,
    as_points,
    read_only,
    without_results,
)
from kernelviz.engine.core.displayed import Displayed
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.frames import is_frame, names_of, values_of
from kernelviz.engine.core.objects import GramItem, Items
from kernelviz.engine.core.params import number

Domain = Literal["vectors", "strings", "objects", "categories"]
MOST_CLASSES = 20
MOST_CATEGORIES = 9  # Each has a picture of its own.


class Classes(NamedTuple):
    """The classes of some points.

    codes: z in {-1, +1}, or 0..k-1 for more than two classes. names and labels: one per class in that
    order, as words to display and as the values the user gave."""

    codes: Array
    names: tuple[str, ...]
    labels: tuple[Any, ...]


def classes_of(labels: Any, n: int) -> Classes:
    """Return the classes of n points.

    Of two values the larger is +1, so that 0/1, -1/+1 and -/+ mean what they say."""
    values = _listed(labels)
    if len(values) != n:
        raise BadInput(f"There are {n} points but {len(values)} labels.")
    distinct = set(values)
    if any(map(_is_missing, distinct)):
        rows = [row for row, value in enumerate(values, 1) if _is_missing(value)]
        if len(rows) == 1:
            raise BadInput(f"The label of row {rows[0]} is missing or not a finite number.")
        told, more = ", ".join(map(str, rows[:CELLS_NAMED])), len(rows) - CELLS_NAMED
        told += f" and {more:,} more" if more > 0 else ""
        raise BadInput(f"The labels of rows {told} are missing or not finite numbers.")
    if distinct <= {"+", "-"}:
        order = sorted(distinct, reverse=True)
    else:  # the smaller first, and numbers before words
        order = sorted(distinct, key=lambda value: (isinstance(value, str), value))
    if len(order) > MOST_CLASSES:
        raise BadInput(
            f"The labels take {len(order)} different values; at most {MOST_CLASSES} classes make sense here. "
            'If they are measured, ask for regression (task="regression", or --task regression) with an '
            "algorithm such as ridge or svr."
        )
    if len(order) < 2:
        return _lone_class(order, n)
    position = {value: float(k) for k, value in enumerate(order)}
    codes = np.array(list(map(position.__getitem__, values)))
    names = tuple(map(_shown, order))
    return Classes(2.0 * codes - 1.0 if len(order) == 2 else codes, names, tuple(order))


def measured(target: Any) -> bool:
    """Return True if these are numbers with decimals and few repetitions: a quantity rather than classes.

        measured([0.1, 0.7, 1.3, 2.2])      # True
        measured([0.0, 1.0, 1.0, 0.0])      # False: labels

    Labels that are whole numbers written as floats are not measured."""
    try:
        values = np.asarray(target)
    except ValueError:  # ragged
        return False
    if values.dtype.kind != "f" or values.ndim == 0 or not np.isfinite(values).all():
        return False
    distinct = np.unique(values)
    return len(distinct) > max(2, values.size // 2) and bool((distinct != np.floor(distinct)).any())


def _listed(labels: Any) -> list[Any]:
    """Return the labels as plain Python values."""
    if isinstance(labels, str | Set | Mapping) or not isinstance(labels, Iterable):
        raise BadInput("The labels must be a list with one value for each point.")
    array = np.asarray(labels) if hasattr(labels, "__array__") else None
    values = list(labels) if array is None else array.reshape(-1).tolist()
    if array is not None and array.ndim > 1 and array.size != len(array):
        raise BadInput(
            f"The labels must be a list with one value for each point, not {array.ndim}-dimensional."
        )
    # A hundred thousand labels have a handful of types.
    kinds = set(map(type, values))
    if any(issubclass(kind, np.generic) for kind in kinds):
        values = [value.item() if isinstance(value, np.generic) else value for value in values]
        kinds = set(map(type, values))
    if not all(issubclass(kind, str | int | float | NoneType) for kind in kinds):
        raise BadInput("The labels must be numbers or words.")
    return values


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and not np.isfinite(value)) or value == ""


def _lone_class(order: list[Any], n: int) -> Classes:
    """Return the classes for no label or a single one, which keeps its sign if it has one; the other class
    is just - or +."""
    if not order:
        return Classes(np.empty(0), ("-", "+"), (-1, 1))
    (label,) = order
    word = isinstance(label, str)
    if label in ("-", "-1") or (not word and label <= 0):
        return Classes(np.full(n, -1.0), (_shown(label), "+"), (label, "+" if word else 1))
    return Classes(np.full(n, 1.0), ("-", _shown(label)), ("-" if word else -1, label))


def _shown(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


class Task(StrEnum):
    """The kind of target that data have."""

    TWO_CLASSES = "two classes"
    CLASSES = "more than two classes"
    REGRESSION = "regression"
    NONE = "no target"

    @property
    def words(self) -> str:
        """The kind of target in words."""
        return "real targets" if self is Task.REGRESSION else str(self)


@dataclass(frozen=True)
class Categories:
    """The values of a category column, which is the last column of X and has their indices.

    spans: the smallest and the largest value of every other column when the data were made. The pictures of
    the categories show these ranges, and stay where they are while points move."""

    names: tuple[str, ...]
    spans: tuple[tuple[float, float], ...]


@dataclass(frozen=True, eq=False)
class Data(Displayed):
    """n inputs with their targets, checked and frozen.

    X: (n, p) read-only rows, a tuple of strings, or objects of a Gram matrix. target: z in {-1, +1} for two
    classes, 0..k-1 for more, real y for regression, None for none. class_names: the user's words, in the
    order (-1, +1) or 0..k-1; labels: the values they stand for. target_name: what the user calls y, if
    anything. weights: how much the loss of each point counts, or None if all count 1.

    The three constructors check their input and raise BadInput with a sentence that names what is wrong:

        Data.labelled([[0, 0], [1, 1]], ["no", "yes"])
        Data.regression(x[:, None], y)
        Data.unlabelled(X)
    """

    X: Any
    target: Array | None
    task: Task
    class_names: tuple[str, ...] = ()
    columns: tuple[str, ...] = field(default=("x1", "x2"))
    labels: tuple[Any, ...] = ()
    target_name: str = ""
    categories: Categories | None = None
    weights: Array | None = None

    __getstate__ = without_results

    def __post_init__(self) -> None:
        if self.weights is not None and len(self.weights) < len(self.X):  # a point that is added weighs 1
            more = np.ones(len(self.X) - len(self.weights))
            object.__setattr__(self, "weights", read_only(np.concatenate([self.weights, more])))

    def __len__(self) -> int:
        return len(self.X)

    def __repr__(self) -> str:
        """Return one line with the number of points, the inputs and the classes or the target."""
        inputs = f"{self.X.shape[1]} inputs" if self.has_numbers else f"{self.domain}"
        some = ", ".join(self.columns[:4]) + (", …" if len(self.columns) > 4 else "")
        classes = "" if not self.class_names else f" {', '.join(self.class_names[:6])}"
        more = ", …" if len(self.class_names) > 6 else ""
        return f"<Data: {self.n} points, {inputs} ({some}), {self.task.words}{classes}{more}>"

    @property
    def n(self) -> int:
        """The number of inputs."""
        return len(self.X)

    @property
    def z(self) -> Array:
        """Labels in {-1, +1}."""
        if self.task is not Task.TWO_CLASSES or self.target is None:
            raise BadInput(f"This needs labels of two classes; the data have {self.task.words}.")
        return self.target

    @property
    def y(self) -> Array:
        """Real targets."""
        if self.target is None:
            raise BadInput("This needs a target for every point; the data have none.")
        return self.target

    @cached_property
    def checked_for(self) -> set[Domain]:
        """The kinds of kernel that have accepted these inputs, so that a slider does not check them again."""
        return set()

    @property
    def domain(self) -> Domain:
        """The kind of inputs, which decides which kernels can compare them."""
        if isinstance(self.X, np.ndarray):
            return "vectors" if self.categories is None else "categories"
        return "objects" if isinstance(self.X, Items) else "strings"

    @property
    def has_numbers(self) -> bool:
        """Whether the inputs are rows of numbers; otherwise they are strings or the names of objects."""
        return isinstance(self.X, np.ndarray)

    @property
    def kernel_domains(self) -> tuple[Domain, ...]:
        """The kinds of kernels that can compare the inputs; one on numbers ignores a category."""
        return (self.domain,) if self.categories is None else ("vectors", self.domain)

    @property
    def numbers(self) -> Any:
        """The inputs without a category column."""
        return self.X if self.categories is None else self.X[:, :-1]

    @property
    def category_of_each(self) -> list[str]:
        """The category of every point; empty without categories."""
        if self.categories is None:
            return []
        return [self.categories.names[int(code)] for code in self.X[:, -1].tolist()]

    @property
    def codes(self) -> Indices | None:
        """The index of each point's class in `class_names`, or None without classes."""
        if self.target is None or not self.class_names:
            return None
        return (self.target > 0 if self.task is Task.TWO_CLASSES else self.target).astype(np.intp)

    @property
    def class_order(self) -> tuple[int, ...]:
        """The classes in the order in which they are listed: of two, + before -."""
        every = range(len(self.class_names))
        return tuple(reversed(every) if self.task is Task.TWO_CLASSES else every)

    @property
    def class_of_each(self) -> list[str]:
        """The class name of every point; empty without classes."""
        return [] if self.codes is None else [self.class_names[code] for code in self.codes.tolist()]

    @property
    def noun(self) -> str:
        """The word for one input: "point", "string" or "object"."""
        return {"strings": "string", "objects": "object"}.get(self.domain, "point")

    def target_text(self, i: int) -> str:
        """Return the target of point i in words, such as "class A" or "y = 0.3"; empty if there is none."""
        if (codes := self.codes) is not None:
            name = self.class_names[codes[i]]
            return f"class {name.replace('-', '−') if name in ('-', '-1') else name}"  # a minus, no hyphen
        return "" if self.target is None else f"y = {number(float(f'{self.target[i]:.4g}'))}"

    def named(self, score: Any) -> str | None:
        """Return the class that a score predicts, or that the largest of several scores predicts.

        The answer is "" on the boundary between two classes, and None where a score predicts no class."""
        if np.ndim(score):
            return self.class_names[int(np.argmax(score))]
        if self.task is not Task.TWO_CLASSES:
            return None
        return self.class_names[int(score > 0)] if score else ""

    @property
    def answers(self) -> NDArray[Any]:
        """The values a prediction can have, one per class: the labels, or the names where only those are
        known.

        Without labels - and + become -1 and +1."""
        signs = not self.labels and self.class_names == ("-", "+")
        values = (-1.0, 1.0) if signs else self.labels or self.class_names
        alike = len({isinstance(value, str) for value in values}) == 1
        return np.array(values, dtype=None if alike else object)

    @classmethod
    def labelled(cls, X: Any, labels: Any, columns: Sequence[str] = ()) -> Data:
        """Return data with two or more classes. Of two values the larger is +1."""
        columns, points = columns or names_of(X), _inputs(X)
        codes, names, values = classes_of(labels, len(points))
        task = Task.TWO_CLASSES if len(names) == 2 else Task.CLASSES
        return cls(points, read_only(codes), task, names, _columns(points, columns), values)

    @classmethod
    def regression(cls, X: Any, y: Any, columns: Sequence[str] = (), target_name: str = "") -> Data:
        """Return data with real targets."""
        columns, points = columns or names_of(X), _inputs(X)
        target = as_points(y, "The targets", LARGEST_INPUT)
        if target.shape != (len(points), 1):
            raise BadInput(f"There are {len(points)} points but {target.size} targets.")
        names = _columns(points, columns)
        return cls(points, read_only(target[:, 0]), Task.REGRESSION, (), names, target_name=target_name)

    @classmethod
    def unlabelled(cls, X: Any, columns: Sequence[str] = ()) -> Data:
        """Return data without targets."""
        columns, points = columns or names_of(X), _inputs(X)
        return cls(points, None, Task.NONE, (), _columns(points, columns))

    def weighted(self, weights: Any) -> Data:
        """Return the same data with a weight for each point, 0 or more; if all are 1, without weights."""
        try:
            found = np.array(weights, dtype=np.float64)
        except (TypeError, ValueError):
            found = np.empty((0, 0))
        if found.ndim != 1 or len(found) != self.n:
            size = f"{len(found)}" if found.ndim == 1 else "something else"
            raise BadInput(f"There must be a list with one weight for each of {self.n} points, not {size}.")
        lightest, heaviest = 1e-8, 1e8  # Beyond them a weight would leave the others no digits.
        wrong = ~((found == 0.0) | ((found >= lightest) & (found <= heaviest)))
        if wrong.any():
            i = int(wrong.argmax())
            raise BadInput(
                f"A weight is 0 or a number from {lightest:g} to {heaviest:g}; that of point {i + 1} is "
                f"{number(float(found[i]))}."
            )
        if self.n and not found.any():
            raise BadInput("All weights are 0: give some point a larger one.")
        return replace(self, weights=None if (found == 1.0).all() else read_only(found))

    def total(self, values: Array) -> float:
        """Return the sum of a value for each point, times its weight."""
        return float(np.add.reduce(values) if self.weights is None else self.weights.dot(values))

    def with_categories(self, names: Sequence[str]) -> Data:
        """Return the same data with their last column as categories: it has the indices of these names."""
        if not 1 <= len(names) <= MOST_CATEGORIES or len(set(names)) < len(names):
            raise BadInput(
                f"A category column may have {MOST_CATEGORIES} different values at most, each with a name of "
                f"its own; {self.columns[-1]} has {len(names)}."
            )
        codes = self.X[:, -1] if self.has_numbers and self.X.shape[1] > 1 else np.full(1, -1.0)
        if not np.isin(codes, range(len(names))).all():
            raise BadInput(
                f"The last of several columns has the categories, as numbers from 0 to {len(names) - 1}."
            )
        spans = tuple(_span(column) for column in self.X[:, :-1].T)
        return replace(self, categories=Categories(tuple(names), spans))

    def recoded(self, like: Data) -> Any:
        """Return the inputs with their categories numbered as in other data."""
        if self.categories is None or like.categories is None:
            return self.X
        place = {name: float(k) for k, name in enumerate(like.categories.names)}
        if unknown := sorted(set(self.category_of_each) - set(place)):
            raise BadInput(
                f"There is no category {unknown[0]!r} among the points; there are {', '.join(place)}."
            )
        return read_only(np.column_stack([self.numbers, [place[name] for name in self.category_of_each]]))

    def swapped(self) -> Data:
        """Return the data with the other one of two classes as +. Classes called + and −, or +1 and −1, keep
        their signs, so there every point gets the other class."""
        signs = set(self.class_names) in ({"+", "-"}, {"1", "-1"})
        if signs:
            return replace(self, target=read_only(-self.z))
        return replace(
            self, target=read_only(-self.z), class_names=self.class_names[::-1], labels=self.labels[::-1]
        )

    def subset(self, rows: Any) -> Data:
        """Return the data restricted to some rows, given by indices or a mask."""
        X = self.X[rows] if self.has_numbers else type(self.X)(np.array(self.X, object)[rows])
        target = None if self.target is None else read_only(self.target[rows])
        weights = None if self.weights is None else read_only(self.weights[rows])
        return replace(
            self, X=read_only(X) if isinstance(X, np.ndarray) else X, target=target, weights=weights
        )


def joined_weights(first: Data, second: Data) -> Array | None:
    """Return the weights of the points of two data, one after the other."""
    if first.weights is None and second.weights is None:
        return None
    parts = (np.ones(data.n) if data.weights is None else data.weights for data in (first, second))
    return read_only(np.concatenate([*parts]))


def misclassified(z: Array, scores: Array) -> NDArray[np.bool_]:
    """Return which points of classes z = ±1 are on the wrong side of s = 0, or exactly on it: z s <= 0."""
    return np.asarray(z * scores <= 0.0)


def _inputs(X: Any) -> Any:
    """Return checked inputs: read-only rows of numbers, a tuple of strings, or objects of a Gram matrix."""
    if is_frame(X) and isinstance(texts := values_of(X), list):
        X = texts
    if hasattr(X, "__array__") and (array := np.asarray(X)).ndim == 1 and array.dtype.kind in "OTU":
        X = array.tolist()
    if isinstance(X, list | tuple) and X and all(isinstance(x, str) for x in X):
        return Items(X) if all(isinstance(x, GramItem) for x in X) else tuple(X)
    return read_only(as_points(X, most=LARGEST_INPUT))


def _columns(points: Any, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the columns if there is one for each, else x1, x2, …."""
    p = points.shape[1] if isinstance(points, np.ndarray) else 1
    return tuple(names) if len(names) == p else tuple(f"x{j + 1}" for j in range(p))


def _span(column: Array) -> tuple[float, float]:
    """Return the smallest and the largest value; a range around it for a single one."""
    low, high = (float(column.min()), float(column.max())) if len(column) else (0.0, 0.0)
    return (low, high) if low < high else (low - 1.0, high + 1.0)


def same_inputs(first: Any, second: Any) -> bool:
    """Return True if two sets of inputs are the same rows of numbers, strings or objects in one order."""
    if isinstance(first, tuple) and isinstance(second, tuple):
        return first is second or first == second
    return first is second or np.array_equal(first, second)


def are_others(data: Data, fitted: Data) -> bool:
    """Return True if fewer than half of the points are those that were fitted, in the order that they had."""
    m, X, Y = min(data.n, fitted.n), data.X, fitted.X
    if type(X) is not type(Y):  # numbers here, strings there
        return True
    if isinstance(X, np.ndarray) and isinstance(Y, np.ndarray):
        same = int((X[:m] == Y[:m]).all(axis=1).sum()) if X.shape[1] == Y.shape[1] else 0
    else:
        same = sum(here == there for here, there in zip(X, Y, strict=False))
    return 2 * same < max(data.n, fitted.n)
