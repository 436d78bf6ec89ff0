"""Points that no model is fitted to: a share of the data set aside, or fresh ones of the same distribution.

Their error shows how well a model does on unseen points, which the training error cannot."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from kernelviz.engine.core.arrays import Indices, read_only
from kernelviz.engine.core.data import Data, Task, joined_weights
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.expressions import BadExpression, parse_dataset

FRESH_POINTS = 1000
SHARES = (0.05, 0.9)  # The smallest and the largest share of the points that can be set aside.


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Held-out points, and how they were chosen: a share of all points, or other data.

    With a share, `rows` are the places of the points among all, so that they can be put back (`joined`)."""

    data: Data
    # Which part of the points they are; None for points that never were among those fitted.
    share: float | None = None
    seed: int = 0
    rows: Indices | None = None  # Where points set aside stood among all.
    # What points that were not set aside are: the data set they are drawn from, or a file's name.
    source: str = ""
    moved: bool = False  # Whether some were moved by hand since.

    def with_data(self, data: Data) -> Self:
        """Return the same held-out points, some of them moved."""
        return replace(self, data=data, moved=True)

    def joined(self, rest: Data) -> Data:
        """Return the data with the points set aside back in their places; other points were never part of
        them."""
        if self.share is None or not self.data.n:
            return rest
        n = rest.n + self.data.n
        places = np.arange(rest.n, n) if self.rows is None or (self.rows >= n).any() else self.rows
        order = np.empty(n, dtype=np.intp)
        order[places] = np.arange(rest.n, n)
        order[np.setdiff1d(np.arange(n), places)] = np.arange(rest.n)
        return _both(rest, self.data).subset(order)

    def among(self, data: Data) -> HeldOut | None:
        """Return the same points with their classes and categories numbered as in edited data; None if those
        lack one of them."""
        if _names(self.data) == _names(data):
            return self
        try:
            return replace(self, data=other(self.data, data, self.source).data)
        except BadInput:
            return None

    def for_other_data(self, data: Data, source: str) -> tuple[Data, HeldOut | None]:
        """Return (training data, held out): the same choice for other data as a whole, or None if it is
        impossible."""
        try:
            if self.share is not None:
                return set_aside(data, self.share, self.seed)
            return data, fresh(source, self.data.n)
        except BadInput:
            return data, None


def set_aside(data: Data, share: float, seed: int = 0) -> tuple[Data, HeldOut]:
    """Return (training data, held out): a share of the points, drawn at random with the seed, the classes
    in proportion; at least one point of every class is left for training."""
    low, high = SHARES
    if not low <= share <= high:
        raise BadInput(f"The share of points to hold out is between {low:g} and {high:g}, not {share:g}.")
    rows = proportional(data, round(share * data.n), seed)
    held = np.zeros(data.n, dtype=bool)
    held[rows] = True
    if (codes := data.codes) is not None:
        for code in np.unique(codes):
            mine = np.flatnonzero(codes == code)
            if held[mine].all():
                held[mine[0]] = False
    if not held.any():
        raise BadInput("There are too few points to hold some out.")
    rows = np.flatnonzero(held)
    rows.flags.writeable = False
    return data.subset(~held), HeldOut(data.subset(held), share, seed, rows)


def fresh(source: str, count: int = FRESH_POINTS) -> HeldOut:
    """Return fresh points of the data set that an expression such as "moons(n=80)" describes.

    They have the same distribution and other random numbers. BadInput for data that are not generated."""
    try:
        data = parse_dataset(source).fresh(count)
    except BadExpression:
        raise BadInput("Only generated data have fresh points. Hold out a share of these instead.") from None
    if data is None:
        raise BadInput(f"Cannot draw fresh points from {source}. Hold out a share of it instead.")
    return HeldOut(data, source=source)


def other(data: Data, fitted: Data, source: str) -> HeldOut:
    """Return other data to test on, in the classes of the fitted data and their order."""
    inputs, wanted = np.shape(data.X)[1:], np.shape(fitted.X)[1:]
    if inputs != wanted or data.domain != fitted.domain:
        raise BadInput(f"{source}: the points to test on need the same coordinates as those fitted.")
    if not fitted.class_names:
        if data.task is not fitted.task:
            raise BadInput(f"{source}: these have {data.task}; those fitted have {fitted.task}.")
        return HeldOut(data, source=source)
    if not data.class_names:
        raise BadInput(f"{source}: the points to test on have no classes.")
    used = data.class_of_each
    place = {name: float(k) for k, name in enumerate(fitted.class_names)}
    if unknown := sorted(set(used) - set(place)):
        raise BadInput(f"{source}: no point fitted is of the class {unknown[0]}.")
    places = np.array([place[name] for name in used])
    two = fitted.task is Task.TWO_CLASSES
    target = read_only(2.0 * places - 1.0 if two else places)
    found = replace(fitted, X=data.recoded(fitted), target=target, weights=None)
    return HeldOut(found, source=source)


def proportional(data: Data, count: int, seed: int) -> Indices:
    """Return rows drawn at random with the seed, the classes in proportion, in ascending order."""
    if count <= 0:
        return np.empty(0, dtype=np.intp)
    rng = np.random.Generator(np.random.PCG64(seed))
    classes = np.zeros(data.n) if data.codes is None else data.codes
    order = rng.permutation(data.n)
    # By class and then at random; equal steps through that list draw each class in its proportion.
    order = order[np.argsort(classes[order], kind="stable")]
    return np.sort(order[np.linspace(0, data.n - 1, count).round().astype(np.intp)])


def _names(data: Data) -> tuple[object, ...]:
    """Return the names that the codes of classes and categories refer to."""
    return data.task, data.class_names, None if data.categories is None else data.categories.names


def _both(first: Data, second: Data) -> Data:
    """Return the points of two data of the same kind, one after the other."""
    X: Any = (
        read_only(np.concatenate([first.X, second.X]))
        if isinstance(first.X, np.ndarray)
        else type(first.X)((*first.X, *second.X))
    )
    target = None if first.target is None else read_only(np.concatenate([first.y, second.y]))
    return replace(first, X=X, target=target, weights=joined_weights(first, second))
