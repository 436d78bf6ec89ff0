"""The data a problem is posed on: frozen, checked once, with the user's own names for the classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from kernelviz.engine.arrays import Array, Indices, as_points, read_only
from kernelviz.engine.errors import BadInput
from kernelviz.engine.labels import classes_of
from kernelviz.engine.params import number

__all__ = ["Data", "Domain", "Task"]

Domain = Literal["vectors", "strings"]


class Task(StrEnum):
    """What kind of target the data carry."""

    TWO_CLASSES = "two classes"
    CLASSES = "more than two classes"
    REGRESSION = "regression"
    NONE = "no target"

    @property
    def words(self) -> str:
        """What such data have."""
        return "real targets" if self is Task.REGRESSION else str(self)


@dataclass(frozen=True, eq=False)
class Data:
    """n inputs with their targets.

    X: (n, p) read-only rows, or a tuple of strings. target: z in {-1, +1} for two classes, 0..k-1 for
    more, real y for regression, None for none. class_names: the user's words, in the order (-1, +1) or
    0..k-1; labels: the values they stand for. target_name: what the user calls y, if anything. Build with
    `labelled`, `regression` or `unlabelled`, which check.
    """

    X: Any
    target: Array | None
    task: Task
    class_names: tuple[str, ...] = ()
    columns: tuple[str, ...] = field(default=("x1", "x2"))
    labels: tuple[Any, ...] = ()
    target_name: str = ""

    def __len__(self) -> int:
        return len(self.X)

    @property
    def n(self) -> int:
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
    def largest_target(self) -> float:
        """max |y|"""
        return float(np.abs(self.y).max(initial=0.0))

    @cached_property
    def checked_for(self) -> set[Domain]:
        """Kernels on such inputs have accepted these: they need not look again when a slider moves."""
        return set()

    @property
    def domain(self) -> Domain:
        """What kind of inputs these are, and so which kernels compare them."""
        return "vectors" if isinstance(self.X, np.ndarray) else "strings"

    @property
    def codes(self) -> Indices | None:
        """The number of each point's class among `class_names`; None without classes."""
        if self.target is None or not self.class_names:
            return None
        return (self.target > 0 if self.task is Task.TWO_CLASSES else self.target).astype(np.intp)

    @property
    def class_order(self) -> tuple[int, ...]:
        """The classes as they are listed: of two, + before -."""
        every = range(len(self.class_names))
        return tuple(reversed(every) if self.task is Task.TWO_CLASSES else every)

    @property
    def class_of_each(self) -> list[str]:
        """The name of every point's class; nothing without classes."""
        return [] if self.codes is None else [self.class_names[code] for code in self.codes.tolist()]

    @property
    def noun(self) -> str:
        """What one of them is called."""
        return "string" if self.domain == "strings" else "point"

    def told(self, i: int) -> str:
        """The target of a point in words: "class A", "y = 0.3"; empty where there is none."""
        if (codes := self.codes) is not None:
            name = self.class_names[codes[i]]
            return f"class {name.replace('-', '−') if name in ('-', '-1') else name}"  # a minus, no hyphen
        return "" if self.target is None else f"y = {number(float(f'{self.target[i]:.4g}'))}"

    def named(self, score: Any) -> str | None:
        """The class that a score speaks for, or of several scores the largest; "" on the boundary between two
        classes, None where a score speaks for none."""
        if np.ndim(score):
            return self.class_names[int(np.argmax(score))]
        if self.task is not Task.TWO_CLASSES:
            return None
        return self.class_names[int(score > 0)] if score else ""

    @property
    def answers(self) -> NDArray[Any]:
        """What a prediction says, one for each class: the labels, or the names where only those are known.

        - and + without labels are -1 and +1."""
        signs = not self.labels and self.class_names == ("-", "+")
        values = (-1.0, 1.0) if signs else self.labels or self.class_names
        alike = len({isinstance(value, str) for value in values}) == 1
        return np.array(values, dtype=None if alike else object)

    @classmethod
    def labelled(cls, X: Any, labels: Any, columns: Sequence[str] = ()) -> Data:
        """Two or more classes. Of two values the larger is +1."""
        points = _inputs(X)
        codes, names, values = classes_of(labels, len(points))
        task = Task.TWO_CLASSES if len(names) == 2 else Task.CLASSES
        return cls(points, read_only(codes), task, names, _columns(points, columns), values)

    @classmethod
    def regression(cls, X: Any, y: Any, columns: Sequence[str] = (), target_name: str = "") -> Data:
        """Real targets."""
        points = _inputs(X)
        target = as_points(y, "The targets")
        if target.shape != (len(points), 1):
            raise BadInput(f"There are {len(points)} points but {target.size} targets.")
        names = _columns(points, columns)
        return cls(points, read_only(target[:, 0]), Task.REGRESSION, (), names, target_name=target_name)

    @classmethod
    def unlabelled(cls, X: Any, columns: Sequence[str] = ()) -> Data:
        """Inputs alone."""
        points = _inputs(X)
        return cls(points, None, Task.NONE, (), _columns(points, columns))

    def subset(self, rows: Any) -> Data:
        """The same data restricted to some rows (indices or a mask)."""
        X = self.X[rows] if isinstance(self.X, np.ndarray) else tuple(np.array(self.X, object)[rows])
        target = None if self.target is None else read_only(self.target[rows])
        return replace(self, X=read_only(X) if isinstance(X, np.ndarray) else X, target=target)


def _inputs(X: Any) -> Any:
    if hasattr(X, "__array__") and (array := np.asarray(X)).ndim == 1 and array.dtype.kind in "OTU":
        X = array.tolist()
    if isinstance(X, list | tuple) and X and all(isinstance(x, str) for x in X):
        return tuple(X)
    return read_only(as_points(X))


def _columns(points: Any, names: Sequence[str]) -> tuple[str, ...]:
    p = points.shape[1] if isinstance(points, np.ndarray) else 1
    return tuple(names) if len(names) == p else tuple(f"x{j + 1}" for j in range(p))
