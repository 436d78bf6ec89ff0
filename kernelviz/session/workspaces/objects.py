"""Objects that are known only by their Gram matrix, and their map by it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kernelviz.engine.core.arrays import Array, read_only
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.objects import Items
from kernelviz.session.workspaces.words import Words


class Objects(Words):
    """A table of objects next to a map of them, as for strings; nothing can be typed, because only the
    similarities in the matrix are known."""

    name = "objects"
    title = "Objects"
    order = 4
    variant_of = "words"
    drawing = "kernelviz.scene.words.painter"
    toggles = {**Words.toggles, "labels": ("Names next to their points", True)}
    start = ("graphs", "gram(normalised=true)", "soft-margin-svm(C=10)")
    takes_texts = False
    wants = "a square table of similarities and a label"
    how_to_add = "Objects come with their Gram matrix: open a file that has one."

    def refusal(self, data: Data) -> str:
        if data.domain != "objects":
            return "Objects need a Gram matrix; these data have none."
        return "" if data.class_names else "The objects need a class each."

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
