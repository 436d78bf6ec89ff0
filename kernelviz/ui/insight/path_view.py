"""The regularisation path, and a scrubber along it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from PySide6.QtCore import QPointF

from kernelviz.drawing.insight.path import PathMaker, PathPicture
from kernelviz.engine.core.params import Parameter
from kernelviz.engine.selection.tunable import short
from kernelviz.runtime.background_results import PathRun, path_parameter
from kernelviz.runtime.jobs import Work
from kernelviz.session.state import Document
from kernelviz.ui.insight.resting_view import RestingView
from kernelviz.ui.workbench.workbench import Workbench


class PathView(RestingView):
    """Press or drag anywhere: C, λ or the noise follows the mouse, and the canvas with it."""

    name = "path"
    kind = PathPicture
    made_by = PathMaker
    maker: PathMaker

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._run: PathRun | None = None
        self._gesture: object = None
        self.sheet.dragged.connect(self._on_dragged)

    def key(self, document: Document) -> Hashable:
        """The number the path runs along plays no part, unless it lies beyond the path."""
        price = path_parameter(document.algorithm)
        if price is None or not document.data.n:
            return None
        held = document.held_out
        fixed = document.algorithm.replace(**{price.name: price.default})
        value = _value(document, price)
        own = None if price.soft[0] <= value <= price.soft[1] else value
        return str(document.kernel), str(fixed), document.data, None if held is None else held.data, own

    def begin(self, document: Document) -> Work | None:
        if self._key is None:
            return None
        held = document.held_out
        self._run = PathRun(document.data, document.fit, None if held is None else held.data)
        return self._run.work

    def show_present(self, document: Document) -> None:
        price = path_parameter(document.algorithm)
        known = self.maker.along
        same = known is not None and price is not None and known.parameter.name == price.name
        self.maker = replace(
            self.maker,
            value=None if price is None else _value(document, price),
            along=known if same else None,
        )

    def show_known(self) -> None:
        if self._run is not None and self._run.found is not None:
            self.maker = replace(self.maker, along=self._run.found)

    # The scrubber ---------------------------------------------------------------------------------------
    def on_clicked(self, at: QPointF) -> None:
        self._gesture = object()
        self._scrub(at)

    def _on_dragged(self, at: QPointF | None) -> None:
        if at is None:
            self._gesture = None
        elif self._gesture is not None:
            self._scrub(at)

    def _scrub(self, at: QPointF) -> None:
        session, picture = self.workbench.session, self.picture
        price = path_parameter(session.document.algorithm)
        if price is None or not isinstance(picture, PathPicture):
            return
        value = short(picture.value_at(at, self.sheet.room, self.sheet.style_of_picture))
        value = min(max(value, price.low), price.high)
        if value != _value(session.document, price):
            algorithm = session.document.algorithm.replace(**{price.name: value})
            session.change(f"change {price.label}", gesture=self._gesture, algorithm=algorithm)


def _value(document: Document, price: Parameter) -> float:
    return float(document.algorithm.values()[price.name])
