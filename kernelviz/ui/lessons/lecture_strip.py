"""The strip of a lecture: small pictures of the stops, notes for the speaker, and the ways to go; and the
question of a stop."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QKeyEvent, QPixmap
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QFrame,
    QListView,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QScrollArea,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from kernelviz.session.lessons.lecture import notes
from kernelviz.session.lessons.lesson import Prediction
from kernelviz.ui.lessons.cards import PredictionCard
from kernelviz.ui.lessons.lecturer import Lecturer
from kernelviz.ui.lessons.prose import Prose
from kernelviz.ui.widgets.buttons import MOVES, Button, KeepsKeys, ToolButton
from kernelviz.ui.widgets.labels import Label, plain
from kernelviz.ui.widgets.layouts import column, row
from kernelviz.ui.widgets.painting import type_scale

PICTURE = QSize(108, 72)  # Of a stop, in pixels for type of the usual size.
USUAL, WIDE = 0.22, 0.3  # The share of the window for a question, at the desk and in presentation mode.


class _PictureAbove(QStyledItemDelegate):
    """Draws the title of a stop below its picture."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: object) -> None:
        super().initStyleOption(option, index)  # type: ignore[arg-type]
        option.decorationPosition = QStyleOptionViewItem.Position.Top
        option.displayAlignment = Qt.AlignmentFlag.AlignHCenter


class StopList(KeepsKeys, QListWidget):
    """The stops, side by side. A click goes to one, a drag orders them; F2 renames and Delete removes
    the current one."""

    kept = MOVES | {Qt.Key.Key_Delete, Qt.Key.Key_F2, Qt.Key.Key_Return}

    shifted = Signal(int, int)  # (the stop, the place it has now)
    renamed = Signal(int, str)
    remove_wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Stops of the lecture")
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(False)
        self.setSpacing(2)
        self.setItemDelegate(_PictureAbove(self))
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._open_menu)
        self.model().rowsMoved.connect(
            lambda _parent, start, _end, _to, row: self.shifted.emit(start, row - (row > start))
        )
        self.itemChanged.connect(self._on_changed)
        self._titles: list[str] = []
        self._pictures: dict[str, QIcon] = {}  # Those drawn so far, by title.

    def forget(self) -> None:
        """List the stops again."""
        self._titles = []

    def show_stops(self, titles: list[str]) -> None:
        """List the stops with the pictures that are known; others come later."""
        if titles == self._titles:
            return
        self._titles = titles
        blank = QPixmap(PICTURE * type_scale(self))
        blank.fill(self.palette().base().color())
        self.setIconSize(blank.size())
        self.blockSignals(True)
        self.clear()
        for title in titles:
            item = QListWidgetItem(self._pictures.get(title, QIcon(blank)), title)
            item.setToolTip(plain(title))
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
            self.addItem(item)
        self.blockSignals(False)
        self.fit_type()

    def fit_type(self) -> None:
        """Be as high as pictures and titles are, in the present type; pictures are small in a low window."""
        most, least = 0.16, 32  # Of the window's height; of a picture's, in pixels.
        title, size = self.fontMetrics().height(), PICTURE * type_scale(self)
        room = max(least, round(most * self.window().height()) - title)
        if size.height() > room:
            size.scale(size.width(), room, Qt.AspectRatioMode.KeepAspectRatio)
        self.setIconSize(size)
        needed = QSize(size.width() + 10, size.height() + title + 10)
        for number in range(self.count()):
            self.item(number).setSizeHint(needed)
        bar = self.horizontalScrollBar().sizeHint().height()
        self.setFixedHeight(needed.height() + bar + 2 * self.frameWidth() + 8)

    def show_picture(self, index: int, png: bytes) -> None:
        """Show the picture of a stop."""
        picture = QPixmap()
        if (item := self.item(index)) is not None and picture.loadFromData(png):
            self._pictures[self._titles[index]] = QIcon(picture)
            if self.state() != self.State.EditingState or index != self.currentRow():
                self._set_picture(item, self._titles[index])

    def _set_picture(self, item: QListWidgetItem, title: str) -> None:
        self.blockSignals(True)
        item.setIcon(self._pictures[title])
        self.blockSignals(False)

    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        """Show the picture that has come while the title was typed, which Qt would have reset."""
        super().closeEditor(editor, hint)
        item, row = self.currentItem(), self.currentRow()
        if item is not None and row < len(self._titles) and self._titles[row] in self._pictures:
            self._set_picture(item, self._titles[row])

    def _on_changed(self, item: QListWidgetItem) -> None:
        row, title = self.row(item), " ".join(item.text().split())
        if title and title != self._titles[row]:
            self.renamed.emit(row, title)
        else:
            item.setText(self._titles[row])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete:
            self.remove_wanted.emit(self.currentRow())
        else:
            super().keyPressEvent(event)

    def _open_menu(self, place: QPoint) -> None:
        if (item := self.itemAt(place) or self.currentItem()) is None:
            return
        menu, row = QMenu(self), self.row(item)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("&Rename…", partial(self.editItem, item))
        menu.addAction("Move &left", partial(self.shifted.emit, row, row - 1)).setEnabled(row > 0)
        last = row + 1 == self.count()
        menu.addAction("Move &right", partial(self.shifted.emit, row, row + 1)).setEnabled(not last)
        menu.addAction("R&emove…", partial(self.remove_wanted.emit, row))
        menu.popup(self.mapToGlobal(place))


class LectureStrip(QFrame):
    """The strip of a lecture. Its buttons call the lecturer; `end_wanted` asks the window to end the
    lecture."""

    end_wanted = Signal()

    def __init__(self, lecturer: Lecturer) -> None:
        super().__init__()
        self._lecturer = lecturer
        self.setAccessibleName("Lecture")
        self.where = Label(role="muted")
        self.back = Button("Back", "Take the last step back (Page Up)", lecturer.back)
        self.next = Button("Next", "The next step (Page Down)", lecturer.on)
        self.back_to_lecture = Button(
            "Back to the lecture", "Restore what the lecture shows here", lecturer.back_to_lecture
        )
        self.return_there = Button(
            "Return to where I was", "Go back to the state before a jump or an edit", lecturer.return_there
        )
        self.end = ToolButton("close", "End lecture", "End the lecture; your work from before comes back")
        self.end.clicked.connect(self.end_wanted)
        self.stops = StopList()
        self.notes = Prose()
        self._reading = QScrollArea()
        self._reading.setFrameShape(QFrame.Shape.NoFrame)
        self._reading.setWidgetResizable(True)
        holder = QWidget()
        column(self.notes, (None, 1), on=holder, margins=(0, 0, 6, 0))
        self._reading.setWidget(holder)
        self._reading.setAccessibleName("Notes")
        head = row(
            self.back,
            self.next,
            (self.where, 1),
            self.back_to_lecture,
            self.return_there,
            self.end,
            spacing=6,
        )
        body = row((self._reading, 3), (self.stops, 7), spacing=8)
        column(head, body, on=self, margins=(8, 4, 8, 4), spacing=4)
        self.stops.itemClicked.connect(lambda item: self._on_chosen(self.stops.row(item)))
        self.stops.itemActivated.connect(lambda item: self._on_chosen(self.stops.row(item)))
        lecturer.moved.connect(self.show_place)
        lecturer.strayed.connect(self._show_ways)
        self.show_place()

    def _on_chosen(self, index: int) -> None:
        if index != self._lecturer.index:
            self._lecturer.go_to(index)

    def show_place(self) -> None:
        """Show the stop that the lecture is at."""
        lecturer, lecture = self._lecturer, self._lecturer.lecture
        if lecture is None:
            return
        self.stops.show_stops([step.title for step in lecture.steps])
        self.stops.setCurrentRow(lecturer.index)
        item = self.stops.item(lecturer.index)
        self.stops.scrollToItem(item, QAbstractItemView.ScrollHint.PositionAtCenter)
        self.where.setText(f"{lecturer.index + 1} of {len(lecture.steps)}: {lecturer.stop.title}")
        self.back.setEnabled((lecturer.index, lecturer.press) != (0, 0))
        last = lecturer.index + 1 == len(lecture.steps) and lecturer.press == len(lecturer.presses)
        self.next.setEnabled(not last)
        self.notes.set_text(notes(lecturer.stop) or lecture.intro)
        self._reading.verticalScrollBar().setValue(0)
        self._show_ways()

    def _show_ways(self) -> None:
        self.back_to_lecture.setVisible(self._lecturer.off_road)
        self.return_there.setVisible(self._lecturer.left is not None)


class QuestionPanel(QFrame):
    """The question of a stop, next to the canvas, and its answer once that is shown."""

    chosen = Signal()  # Any of the choices: the answer is wanted.

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("lesson")
        self.setAccessibleName("Question")
        self.setAutoFillBackground(True)
        self._box = column(on=self, margins=(12, 12, 12, 12))
        self.card: PredictionCard | None = None
        self._asked: tuple[object, ...] = ()

    def ask(self, question: tuple[Prediction, bool] | None, *, presenting: bool) -> None:
        """Show a question; None for none."""
        asked = (question, presenting)
        if asked == self._asked:
            return
        self._asked = asked
        hands: dict[str, int] = {}
        if self.card is not None:
            if question is not None and question[0] is self.card.prediction:
                hands = {letter: field.value() for letter, field in self.card.hands.items()}
            self._box.removeWidget(self.card)
            self.card.hide()
            self.card.deleteLater()
            self.card = None
        if question is not None:
            prediction, answered = question
            self.card = PredictionCard(prediction, "" if answered else None, presenting, hands)
            # queued: the card that was pressed is replaced
            if presenting and not answered:
                self.card.reveal.setText("Reveal")
            self.card.chosen.connect(lambda _: self.chosen.emit(), Qt.ConnectionType.QueuedConnection)
            self._box.insertWidget(0, self.card, 0, Qt.AlignmentFlag.AlignTop)
            share = WIDE if presenting else USUAL
            self.setFixedWidth(round(share * self.window().width()))
        self.setVisible(question is not None)
