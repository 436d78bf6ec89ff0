"""Words: strings with classes, and their map by a kernel; objects that have only a Gram matrix."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from kernelviz.engine.analysis.kernel_pca import ComponentMap, Components, kernel_pca
from kernelviz.engine.core.arrays import Array, read_only
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.objects import Items
from kernelviz.engine.models.problem import Problem
from kernelviz.session.view import ViewRange
from kernelviz.session.workspaces.base import Workspace


class WordsWorkspace(Workspace):
    """A table of strings next to a map of them. Their places follow from the kernel, so they cannot be moved
    by hand."""

    name = "words"
    drawn_as = "words"
    title = "Words"
    summary_line = "Strings of two or more classes: a table, and a map of how alike the kernel finds them"
    order = 2
    toggles = {
        "field": ("Score, as far as the map shows it", True),
        "boundary": ("Boundary s = 0, where the map shows it", True),
        "labels": ("Strings next to their points", True),
        "points": ("Points", True),
        "held_out": ("Held-out points", False),
        "rings": ("Support vectors and mistakes", True),
        "marks": ("Algorithm's own marks", True),
        "legend": ("Legend", True),
        "grid": ("Grid lines", False),
        "equal_aspect": ("Equal aspect", True),
    }
    start = ("spelling", "subsequence(length=2, decay=0.5, normalised=true)", "soft-margin-svm(C=10)")
    movable = False
    takes_texts: ClassVar[bool] = True  # Whether strings can be typed.
    roles = ("Text", "Label")
    wants = "a column of texts and a label"
    how_to_add = "Type a string below the table, and Enter."

    def refusal(self, data: Data) -> str:
        if data.domain != "strings":
            return "The words are strings; these data are numbers."
        return "" if data.class_names else "The words need a class for each string."

    def empty(self) -> Data:
        return Data((), read_only(np.empty(0)), Task.TWO_CLASSES, ("-", "+"), ("text",))

    # Positions -----------------------------------------------------------------------------------------
    def positions(self, data: Data) -> Array:
        """Return the origin for all strings: without a kernel they have no place."""
        return np.zeros((data.n, 2))

    def sketch(self, data: Data) -> Array:
        return ComponentMap(kernel_pca(Problem(data, self.fit.kernel))).places

    def axes(self, data: Data) -> tuple[str, str]:
        return "component 1", "component 2"

    def extent(self, data: Data) -> ViewRange:
        around = 1.18  # Half the side of the map; the farthest string lies at distance 1.
        return ViewRange(-around, around, -around, around)

    # Edits ---------------------------------------------------------------------------------------------
    def placed(self, data: Data, rows: Sequence[int], xy: Array) -> Data:
        raise BadInput("A string lies where the kernel puts it; change its letters to move it.")

    def added(self, data: Data, xy: Array, label: int) -> Data:
        raise BadInput(f"A string cannot be added by its place. {self.how_to_add}")

    def duplicated(self, data: Data, rows: Sequence[int], offset: Array) -> Data:
        self.check_room(data, len(rows))
        return data.subset([*range(data.n), *rows])

    def typable(self, data: Data) -> tuple[str, ...]:
        return ()

    def values(self, data: Data) -> Array:
        return np.empty((data.n, 0))

    def with_text(self, data: Data, text: str, label: int) -> Data:
        """Return the data with one more string of + (1) or - (-1), or with several classes of that class."""
        self.check_room(data, 1)
        return dataclasses.replace(data, X=(*data.X, text), target=read_only(np.append(data.y, float(label))))

    def retyped(self, data: Data, row: int, text: str) -> Data:
        """Return the data with another text in place of a string."""
        if text == data.X[row]:
            return data
        return dataclasses.replace(data, X=(*data.X[:row], text, *data.X[row + 1 :]))

    def relabelled(self, data: Data, row: int, name: str) -> Data:
        """Return the data with a string in another class, given by its name or how that begins."""
        name = name.strip().replace("−", "-")
        names = data.class_names
        found = [k for k, known in enumerate(names) if known == name] or [
            k for k, known in enumerate(names) if name and known.casefold().startswith(name.casefold())
        ]
        if len(found) != 1:
            raise BadInput(f"There is no class {name!r} here; there are {', '.join(names)}.")
        label = 2 * found[0] - 1 if data.task is Task.TWO_CLASSES else found[0]
        if data.y[row] == label:
            return data
        target = data.y.copy()
        target[row] = label
        return dataclasses.replace(data, target=read_only(target))

    def plain(self, data: Data, text: str) -> Data | None:
        """Return the data with one string for each line, of the class that Enter gives."""
        lines = [line for line in text.splitlines() if line.strip()]
        label = 0.0 if data.task is Task.CLASSES else 1.0
        return dataclasses.replace(
            data, X=tuple(lines), target=read_only(np.full(len(lines), label)), weights=None
        )

    # Drawing -------------------------------------------------------------------------------------------
    def sampling(self, data: Data, view: ViewRange, source: str = "") -> Components:
        return Components(view.left, view.right, view.bottom, view.top)


class Objects(WordsWorkspace):
    """A table of objects next to a map of them, as for strings; nothing can be typed, because only the
    similarities in the matrix are known."""

    name = "objects"
    title = "Objects"
    order = 4
    variant_of = "words"
    toggles = {**WordsWorkspace.toggles, "labels": ("Names next to their points", True)}
    start = ("graphs", "gram", "soft-margin-svm(C=10)")
    takes_texts = False
    wants = "a square table of similarities and a label"
    how_to_add = "Objects come with their Gram matrix: open a file that has one."

    def refusal(self, data: Data) -> str:
        if data.domain != "objects":
            return "Objects need a Gram matrix; these data have none."
        return "" if data.class_names else "Each object needs a class."

    def empty(self) -> Data:
        return Data(Items(), read_only(np.empty(0)), Task.TWO_CLASSES, ("-", "+"), ("object",))

    def placed(self, data: Data, rows: Sequence[int], xy: Array) -> Data:
        raise BadInput("An object lies where the kernel puts it.")

    def added(self, data: Data, xy: Array, label: int) -> Data:
        raise BadInput(f"An object cannot be added by its place. {self.how_to_add}")

    def with_text(self, data: Data, text: str, label: int) -> Data:
        raise BadInput(f"An object cannot be typed. {self.how_to_add}")

    def retyped(self, data: Data, row: int, text: str) -> Data:
        if text == data.X[row][:]:
            return data
        raise BadInput("An object keeps the name that it has in its file.")

    def plain(self, data: Data, text: str) -> Data | None:
        return None
