"""The fit as a vector of its space."""

from __future__ import annotations

from dataclasses import replace

from kernelviz.drawing.insight.functions import FunctionsMaker, FunctionsPicture
from kernelviz.engine.kernel_model import KernelModel
from kernelviz.runtime.messages import Frame
from kernelviz.ui.insight.beside_view import BesideView
from kernelviz.ui.workbench.workbench import Workbench

__all__ = ["FunctionsView"]


class FunctionsView(BesideView):
    """Remembers the function before the edit under way: a drag is one edit, and so is its way back."""

    name = "functions"
    family = "Fit"
    summary_line = "The norm as a sum over points, and how far an edit, or another fit, is away."
    kind = FunctionsPicture
    made_by = FunctionsMaker
    maker: FunctionsMaker

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._edit: tuple[object, int] | None = None
        self._latest: KernelModel | None = None
        self._origin = ""
        """Where the points of the latest fit came from: other points' functions are not compared."""

    def take(self, frame: Frame | None) -> None:
        history, origin = self.workbench.session.history, self.workbench.session.document.origin
        edit = (history, len(history))
        if edit != self._edit:
            known = self._edit is not None and self._edit[0] is history and self._origin == origin
            self._edit = edit
            self.maker = replace(self.maker, reference=self._latest if known else None)
        self._latest = frame.model if frame is not None and isinstance(frame.model, KernelModel) else None
        self._origin = origin
        super().take(frame)
