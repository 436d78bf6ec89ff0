"""The first minute: a card on the canvas with suggestions, and pictures of states to begin with."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QImage, QImageReader, QPixmap
from PySide6.QtWidgets import QFrame, QLabel

from kernelviz.scene.icons import icon
from kernelviz.session.files.png_metadata import SIGNATURE, is_png
from kernelviz.session.starts import STARTS, Start
from kernelviz.session.state import State
from kernelviz.ui.canvas.base import Canvas
from kernelviz.ui.canvas.legend import CORNERS
from kernelviz.ui.widgets.buttons import ToolButton
from kernelviz.ui.widgets.labels import literal
from kernelviz.ui.widgets.layouts import column, row

WIDEST, FROM_THE_SIDE = 780, 60  # Pixels: the axes are free.
PICTURE = QSize(72, 48)
MOST_PIXELS = 50_000_000  # Of a picture that is read to be shown on a button.
INVITATION = (
    "<b>New here?</b> <b>Drag a point</b> and see what follows, <b>try another kernel</b> (K), "
    "<b>press Space</b> to watch, do a <a href='lessons'>lesson</a>, or see a <a href='lectures'>lecture</a>."
)
IN_BRIEF = "<b>New here?</b> Do a <a href='lessons'>lesson</a>, or see a <a href='lectures'>lecture</a>."


class Welcome(QFrame):
    """A card at the bottom of the canvas, or at its top if the legend is at the bottom, which stays until the
    user closes it or has changed something. It has a line of text, and a picture for each state to begin
    with and for the files opened last, as far as there is room for a row. In a small canvas, or in large
    type, it says less: the points matter more."""

    read = Signal()  # The user does not need it any more.
    lessons_wanted = Signal()
    lectures_wanted = Signal()
    start_wanted = Signal(object)  # A Start, or None for a plane without points.
    file_wanted = Signal(object)

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._fitted: object = None  # The size for which its text and pictures were chosen.
        self.setProperty("role", "card")
        self.setAccessibleName("Welcome")
        self.text = QLabel(INVITATION)
        self.text.setWordWrap(True)
        self.text.linkActivated.connect(self._follow_link)
        self.dismiss = ToolButton("close", "Do not show this again", do=self._on_dismissed)
        head = row((self.text, 1), self.dismiss)
        head.setAlignment(self.dismiss, Qt.AlignmentFlag.AlignTop)
        self.pictures: list[ToolButton] = []
        self._row = row((None, 1), spacing=2)
        self._add(icon("new"), "Blank", "Begin with no points", partial(self.start_wanted.emit, None))
        for start in STARTS:
            self._add_start(start)
        self._column = column(head, self._row, on=self, spacing=4, margins=(14, 8, 8, 8))
        canvas.installEventFilter(self)
        canvas.row.plots[0].pulse.beat.connect(self._place)  # the legend may have moved
        self.show()
        self._place()

    def show_recent(self, recent: Sequence[tuple[Path, QImage]]) -> None:
        """Add the files opened last, each with its picture if it has one."""
        for path, image in recent:
            drawn = icon("open") if image.isNull() else QIcon(QPixmap.fromImage(image))
            self._add(drawn, path.stem, str(path), partial(self.file_wanted.emit, path))
        self._place()

    def _add_start(self, start: Start) -> None:
        drawn = QIcon(QPixmap(str(start.picture)))
        self._add(drawn, start.title, start.about, partial(self.start_wanted.emit, start))

    def _add(self, drawn: QIcon, title: str, about: str, do: Callable[[], object]) -> None:
        """Add a button with a picture and a title below it."""
        short = title if len(title) <= 20 else f"{title[:19]}…"
        button = ToolButton("", title, literal(about), do, text=literal(short))
        button.setIcon(drawn)
        button.setIconSize(PICTURE)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        self._row.insertWidget(len(self.pictures), button)
        self.pictures.append(button)

    def _follow_link(self, target: str) -> None:
        (self.lessons_wanted if target == "lessons" else self.lectures_wanted).emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        return False

    def _place(self) -> None:
        """Put the card at the bottom of the plane, or at its top: not over the legend."""
        from_edge = 12  # Pixels.
        around, area = self._canvas.rect(), self._canvas.area
        width = min(WIDEST, around.width() - 2 * FROM_THE_SIDE)
        if (fitted := (around.size(), self.font(), len(self.pictures))) != self._fitted:
            self._fitted = fitted
            self._fit(width, around.height())
        height = self._column.totalHeightForWidth(width)
        plane = area.mapTo(self._canvas, area.box.mapRectToScene(area.box.rect()).toRect().topLeft())
        left = around.center().x() + FROM_THE_SIDE // 2 - width // 2
        _, legend_below = CORNERS.get(self._canvas.scene.legend.place, (False, False))
        top = plane.y() + (from_edge if legend_below else round(area.pixels[1]) - from_edge - height)
        self.setGeometry(left, top, width, height)
        self.raise_()

    def _fit(self, width: int, room: int) -> None:
        """Say as much as leaves most of the height to the plane."""
        tallest = 0.4  # Of the canvas.
        for text, pictured in ((INVITATION, True), (IN_BRIEF, True), (IN_BRIEF, False)):
            self._say(text, width, pictured)
            if self._column.totalHeightForWidth(width) <= tallest * room:
                break

    def _say(self, text: str, width: int, pictured: bool) -> None:
        """Show a text, and as many pictures as stand in one row of that width, or none."""
        self.text.setText(text)
        left_over = width if pictured else -1
        for button in self.pictures:
            left_over -= button.sizeHint().width() + self._row.spacing()
            button.setVisible(left_over >= 0)

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


def reading_pictures(paths: Sequence[Path]) -> Generator[float, None, list[tuple[Path, QImage]]]:
    """Read the pictures in files at the size of a button; an empty one for a file that has none, or a very
    large one. Yields the fraction done."""
    found = []
    for number, path in enumerate(paths):
        yield number / len(paths)
        found.append((path, _small(path) if _begins_like_png(path) else QImage()))
    return found


def _begins_like_png(path: Path) -> bool:
    """Return True if a file begins like a PNG; libpng complains of others on stderr."""
    try:
        with path.open("rb") as file:
            return path.suffix.lower() == ".png" and is_png(file.read(len(SIGNATURE)))
    except OSError:
        return False


def _small(path: Path) -> QImage:
    """Return the picture in a PNG at the size of a button; an empty one if it is very large or broken."""
    reader = QImageReader(str(path), b"png")
    size = reader.size()
    if not 0 < size.width() * size.height() <= MOST_PIXELS:
        return QImage()
    reader.setScaledSize(size.scaled(PICTURE * 2, Qt.AspectRatioMode.KeepAspectRatio))
    return reader.read()
