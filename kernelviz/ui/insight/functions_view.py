"""The fit as a vector of its space."""

from __future__ import annotations

from dataclasses import replace

from kernelviz.drawing.insight.functions import FunctionsMaker, FunctionsPicture
from kernelviz.engine.models.kernel import KernelModel
from kernelviz.session.state import Document, State
from kernelviz.ui.insight.beside_view import BesideView
from kernelviz.ui.workbench.workbench import Workbench


class FunctionsView(BesideView):
    """Remembers the function before the edit under way, seen or not: a drag is one edit, and so is its way
    back."""

    name = "functions"
    kind = FunctionsPicture
    made_by = FunctionsMaker
    maker: FunctionsMaker

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._edit = self._edit_now()

    def _edit_now(self) -> tuple[object, int, int]:
        session = self.workbench.session
        return session.history, len(session.history), session.document.active

    def _on_state(self, old: State, new: State) -> None:
        edit = self._edit_now()
        if edit != self._edit:
            self._edit = edit
            # Functions of other points, which came as a whole, or of another fit are not the one before.
            same = (old.document.origin, old.document.active) == (new.document.origin, new.document.active)
            self.maker = replace(self.maker, reference=self._fitted(old.document) if same else None)
        super()._on_state(old, new)

    def _fitted(self, document: Document) -> KernelModel | None:
        """The latest fit, if it is that of a document."""
        frame = self.workbench.frame
        if frame is None or frame.data is not document.data:
            return None
        same = frame.request.fits[frame.fit] == document.fit
        return frame.model if same and isinstance(frame.model, KernelModel) else None
