"""The fits compared."""

from __future__ import annotations

from dataclasses import replace

from kernelviz.drawing.insight.comparison import ComparisonMaker, ComparisonPicture
from kernelviz.drawing.insight.picture import NotOpened
from kernelviz.runtime.messages import Failure, Frame
from kernelviz.session.state import LETTERS
from kernelviz.ui.insight.beside_view import BesideView
from kernelviz.ui.workbench.workbench import Workbench


class ComparisonView(BesideView):
    """Takes the frames of all fits once they are of the same request."""

    name = "comparison"
    kind = ComparisonPicture
    made_by = ComparisonMaker
    unopened = NotOpened
    scrolls = True
    maker: ComparisonMaker

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        workbench.other_fit_arrived.connect(self._on_frame)
        workbench.other_fit_failed.connect(self._on_failure)

    def maker_now(self) -> ComparisonMaker:
        latest = [self.workbench.latest.get(k) for k in range(len(self.workbench.session.document.fits))]
        for k, answer in enumerate(latest):
            if isinstance(answer, Failure):
                why = f"There is no fit {LETTERS[k]} to compare. {answer.sentence}"
                return replace(self.maker, frames=(), why_none=why)
        frames = tuple(answer for answer in latest if isinstance(answer, Frame))
        if len(frames) < len(latest) or len({frame.stamp for frame in frames}) > 1:
            return self.maker  # the others are on their way
        return replace(self.maker, frames=frames, why_none=ComparisonMaker.why_none)

    def catch_up(self) -> None:
        super().catch_up()
        if self.maker_now() != self.maker:
            self.take(self.taken)

    def take(self, frame: Frame | None) -> None:
        self.maker = self.maker_now()
        super().take(frame)
