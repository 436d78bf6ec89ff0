"""Feature space in three dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter

from PySide6.QtCore import QPointF, Qt, QTimer
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QWidget

from kernelviz.drawing.icons import icon
from kernelviz.drawing.insight.feature_list import ORDERS, FeatureList
from kernelviz.drawing.insight.feature_space import FeatureSpaceMaker, FeatureSpacePicture
from kernelviz.drawing.insight.picture import InsightPicture
from kernelviz.ui.insight.beside_view import BesideView
from kernelviz.ui.insight.turning_sheet import TurningSheet
from kernelviz.ui.widgets.buttons import ToolButton
from kernelviz.ui.workbench.workbench import Workbench

SECONDS = 1.6  # From the plane to the lift.
FRAME = 16  # Milliseconds between two pictures of it.
FEATURES = "kernel's features"


class FeatureSpaceView(BesideView):
    """Dragging and the arrow keys turn it, the wheel zooms. In the list a click on a row makes its feature an
    axis of the space, one on the headings sorts; the wheel and the keys scroll it."""

    name = "space"
    kind = FeatureSpacePicture
    made_by = FeatureSpaceMaker
    sheet_kind = TurningSheet
    maker: FeatureSpaceMaker
    sheet: TurningSheet

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self.sheet.setAccessibleName("Feature space; arrow keys turn it")
        self.sheet.turned.connect(self._turn)
        self.sheet.zoomed.connect(self._zoom)
        self.sheet.reset.connect(self._reset)
        self.sheet.scrolled.connect(self._scroll)
        self._clock = QTimer(self, interval=FRAME, timerType=Qt.TimerType.PreciseTimer)
        self._clock.timeout.connect(self._unfold_on)
        self._began, self._from, self._goal = 0.0, 1.0, 1.0

    def choosers(self) -> Sequence[QWidget]:
        self.unfold = ToolButton()
        self.unfold.setIcon(icon("play"))
        self.unfold.setToolTip("Fold the space back to the plane and unfold it again")
        self.unfold.setAccessibleName("Fold and unfold")
        self.unfold.clicked.connect(self._toggle_unfolded)
        return (self.unfold,)

    # Camera ---------------------------------------------------------------------------------------------
    def _turn(self, azimuth: float, elevation: float) -> None:
        if isinstance(self.picture, FeatureSpacePicture):
            self._look(replace(self.maker, camera=self.picture.camera.turned(azimuth, elevation)))

    def _zoom(self, factor: float) -> None:
        if isinstance(self.picture, FeatureSpacePicture):
            self._look(replace(self.maker, camera=self.picture.camera.zoomed(factor)))

    def _reset(self) -> None:
        self._look(replace(self.maker, first=0) if self.sheet.lists else replace(self.maker, camera=None))

    def _scroll(self, rows: int, pages: int) -> None:
        if isinstance(self.picture, FeatureSpacePicture):
            first = self.picture.scrolled(rows, pages, self.sheet.room, self.sheet.style_of_picture)
            self._look(replace(self.maker, first=first))

    def _look(self, maker: FeatureSpaceMaker) -> None:
        """The same picture as another maker would show it."""
        self.maker = maker
        if isinstance(self.picture, FeatureSpacePicture):
            self.sheet.show_picture(maker.shown(self.picture))

    def show_made(self, picture: InsightPicture) -> None:
        if isinstance(picture, FeatureSpacePicture):  # it may have been turned while it was made
            picture = self.maker.shown(picture)
            self.unfold.setVisible(picture.features is None)
            self.sheet.lists = picture.features is not None
        super().show_made(picture)

    # Unfolding ------------------------------------------------------------------------------------------
    def _toggle_unfolded(self) -> None:
        """To the plane if it is unfolded or on its way there, else to the lift; folded, it goes on to the
        lift by itself the next time."""
        self._from, self._goal = self.maker.unfolded, 0.0 if self._goal == 1.0 else 1.0
        self._began = perf_counter()
        self._clock.start()

    def _unfold_on(self) -> None:
        done = min(1.0, (perf_counter() - self._began) / SECONDS)
        smooth = done * done * (3.0 - 2.0 * done)
        self._look(replace(self.maker, unfolded=self._from + (self._goal - self._from) * smooth))
        if done == 1.0:
            self._clock.stop()

    def hideEvent(self, event: QHideEvent) -> None:
        self._clock.stop()
        self._goal = round(self.maker.unfolded)
        self.maker = replace(self.maker, unfolded=float(self._goal))
        super().hideEvent(event)

    # The list -------------------------------------------------------------------------------------------
    def on_clicked(self, at: QPointF) -> None:
        picture = self.picture
        if not isinstance(picture, FeatureSpacePicture) or not isinstance(picture.features, FeatureList):
            super().on_clicked(at)
            return
        j = picture.feature_at(at, self.sheet.room, self.sheet.style_of_picture)
        if j == -1:
            order = picture.features.order
            self.lists["order"].setCurrentText(ORDERS[(ORDERS.index(order) + 1) % len(ORDERS)])
        elif j is not None and picture.data.domain == "vectors":
            self.maker = self.maker.with_axis(j)
            self.lists["lift"].setCurrentText(FEATURES)
            self.take(self.taken)
