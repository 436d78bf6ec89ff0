"""The first start: a card on the canvas with an invitation to three things."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel

from kernelviz.session.state import State
from kernelviz.ui.canvas.base import Canvas
from kernelviz.ui.canvas.legend import CORNERS
from kernelviz.ui.widgets.buttons import ToolButton
from kernelviz.ui.widgets.layouts import row

WIDEST, FROM_THE_SIDE, FROM_BELOW, FROM_ABOVE = 440, 60, 60, 24  # Pixels: the axes are free.
INVITATION = (
    "<b>New here?</b> <b>Drag a point</b> and see what follows, <b>try another kernel</b> (K), "
    "<b>press Space</b> to watch, or <a href='lessons'>do a lesson</a>."
)


class Welcome(QFrame):
    """A card at the bottom of the canvas, or at its top if the legend is at the bottom, which stays until the
    user closes it or has changed something."""

    read = Signal()  # The user does not need it any more.
    lessons_wanted = Signal()

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self.setProperty("role", "card")
        self.setAccessibleName("Welcome")
        self.text = QLabel(INVITATION)
        self.text.setWordWrap(True)
        self.text.linkActivated.connect(lambda _: self.lessons_wanted.emit())
        self.dismiss = ToolButton("close", "Do not show this again", do=self._on_dismissed)
        self._row = row((self.text, 1), self.dismiss, on=self, margins=(14, 8, 8, 8))
        self._row.setAlignment(self.dismiss, Qt.AlignmentFlag.AlignTop)
        canvas.installEventFilter(self)
        canvas.row.plots[0].pulse.beat.connect(self._place)  # the legend may have moved
        self.show()
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        return False

    def _place(self) -> None:
        """Put the card at the bottom of the canvas, above the axis, or at the top: not over the legend."""
        around = self._canvas.rect()
        width = min(WIDEST, around.width() - 2 * FROM_THE_SIDE)
        height = self._row.totalHeightForWidth(width)
        left = around.center().x() + FROM_THE_SIDE // 2 - width // 2
        _, legend_below = CORNERS.get(self._canvas.scene.legend.place, (False, False))
        top = FROM_ABOVE if legend_below else around.bottom() - FROM_BELOW - height
        self.setGeometry(left, top, width, height)
        self.raise_()

    def follow(self, old: State, new: State) -> None:
        """Disappear once the user has changed the points, the kernel or the algorithm, or watches it."""
        before, now = old.document, new.document
        if before.workspace is not now.workspace:
            return
        same_fit = before.kernel is now.kernel and before.algorithm is now.algorithm
        if before.data is not now.data or not same_fit or new.look.mode == "watch":
            self._on_dismissed()

    def _on_dismissed(self) -> None:
        """Report that the card has been read, and remove it."""
        self.read.emit()
        self.hide()
        self.deleteLater()
