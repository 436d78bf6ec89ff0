"""A view whose picture takes longer than the window may wait."""

from __future__ import annotations

from collections.abc import Generator

from PySide6.QtGui import QHideEvent

from kernelviz.drawing.insight.picture import InsightPicture, NothingToShow
from kernelviz.runtime.jobs import Beat
from kernelviz.runtime.messages import Frame
from kernelviz.ui.insight.base import PictureView
from kernelviz.ui.workbench.workbench import Workbench


class BesideView(PictureView):
    """Pictures are made on a thread of its own; until one is there, the last one stays. They are taken less
    often than others: the canvas goes first, and threads share one interpreter."""

    pause = 160

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._background = workbench.background(f"kernelviz-{self.name}", self)
        self._background.done.connect(self.show_made)
        self._background.failed.connect(lambda sentence: self.show_made(NothingToShow(reason=sentence)))

    def take(self, frame: Frame | None) -> None:
        self._judged = judged = self.workbench.verdict
        maker, theme, failure = self.maker, self.sheet.style_of_picture.theme, self.workbench.failure

        def work(beat: Beat) -> Generator[float, None, InsightPicture]:
            yield 0.0
            last = self._last_of_kind
            known = frame is not None
            made = maker.make(frame, judged, last) if known else maker.without_fit(failure, last)
            made.prepare(theme)
            return made

        self._background.start(work)

    def hideEvent(self, event: QHideEvent) -> None:
        if self._background.busy:
            self._background.cancel()
            self._seen = (None, None)  # to be taken again when it is seen
        super().hideEvent(event)
