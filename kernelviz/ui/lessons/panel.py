"""The panel of a lesson: prose, predictions, tasks, the controls it names, and the way from step to step."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QFrame, QScrollArea, QSplitter, QWidget

from kernelviz.session.lessons.lesson import Do, LessonTask, Prediction, Stage
from kernelviz.session.lessons.shipped import following
from kernelviz.ui.lessons.cards import Card, PredictionCard, StepDots, TaskCard
from kernelviz.ui.lessons.controls import LessonControls
from kernelviz.ui.lessons.prose import Prose
from kernelviz.ui.lessons.tutor import Light, Tutor
from kernelviz.ui.widgets.buttons import Button, ToolButton, needs
from kernelviz.ui.widgets.focus import order_tabs
from kernelviz.ui.widgets.layouts import column, row, soon
from kernelviz.ui.widgets.number_field import NumberField
from kernelviz.ui.widgets.painting import type_scale

WIDTH = 300  # In type of the usual size.


class LessonPanel(QFrame):
    """The lesson panel. Its buttons call the tutor; `end_wanted` and the other signals are for the window."""

    end_wanted = Signal()
    copy_wanted = Signal()
    next_lesson_wanted = Signal()
    fold_wanted = Signal()  # Of a panel that lies over the canvas.

    def __init__(self, tutor: Tutor, controls: LessonControls) -> None:
        super().__init__()
        self.tutor, self.controls = tutor, controls
        self.presenting = False
        self._points = 0.0  # The size of the type that the text was made for.
        self.prediction: PredictionCard | None = None
        self.task: TaskCard | None = None
        self._after: list[QWidget] = []  # The text and the task after the prediction.
        self._shown_step = -1
        self._counts: dict[str, int] = {}  # The numbers of hands for the question of this step.
        self._divided_by_hand = False  # The student has moved the border between text and views.
        self.setObjectName("lesson")
        self.setAccessibleName("Lesson")
        self.setAutoFillBackground(True)
        self.title = Prose("", bold=True)
        self.dots = StepDots()
        self.fold = ToolButton("chevron-right", "Fold the lesson away", do=self.fold_wanted.emit)
        self.fold.hide()
        self.copy = ToolButton(
            "copy", "Copy my answers", "Copy my answers as one line of text", self.copy_wanted.emit
        )
        self.end = ToolButton("close", "End lesson", "End the lesson; your work from before comes back")
        self.end.clicked.connect(self.end_wanted)
        # The text is made again when there is more to see; the controls stay, one of them may be in use.
        self._text = QWidget()
        self._content = QWidget()
        self._content.installEventFilter(self)
        self._flow = column(self._text, controls, (None, 1), on=self._content, spacing=10)
        self.area = self._scrolled(self._content)
        self.more = Button("Question below", "Scroll to the question or task of the step", self.show_card)
        self.more.hide()
        self.back_to_lesson = Button(
            "Back to the lesson",
            "You have changed something that the lesson needs. This restores the start of the step",
            tutor.back_to_lesson,
        )
        self.back_to_lesson.hide()
        self.next_lesson = Button(
            "Next lesson", "Go on with the next lesson of the list", self.next_lesson_wanted.emit
        )
        self.next_lesson.hide()
        self.back = Button("Back", "The step before (Ctrl+Page Up)", lambda: tutor.go_to(tutor.index))
        self.next = Button("Next", "The next step (Ctrl+Page Down)", self._on_next)
        head = row((self.title, 1), self.fold, self.copy, self.end, spacing=2)
        head.setAlignment(self.title, Qt.AlignmentFlag.AlignVCenter)
        self._reading = QWidget()
        self._whole = column(
            head,
            (self.area, 1),
            self.more,
            self.back_to_lesson,
            self.next_lesson,
            on=self._reading,
            spacing=6,
            margins=(12, 6, 12, 6),
        )
        self._split = QSplitter(Qt.Orientation.Vertical)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self._reading)
        self._split.splitterMoved.connect(self._keep_division)
        # At the bottom right whatever views there are, so that one need not look for them in every step.
        self._ways = QWidget()
        self._steps = row((self.back, 1), self.dots, (self.next, 1), on=self._ways, margins=(12, 2, 12, 8))
        column((self._split, 1), row((None, 1), self._ways), on=self, spacing=0)
        bar = self.area.verticalScrollBar()
        bar.valueChanged.connect(self._offer_more)
        bar.rangeChanged.connect(self._show_newest)  # there is more to see, or less room
        self.dots.chosen.connect(tutor.go_to)
        tutor.step_changed.connect(self.show_step)
        tutor.progressed.connect(self._show_progress)
        tutor.light_changed.connect(self._show_light)
        tutor.wandered.connect(self.back_to_lesson.setVisible)
        tutor.player.playing_changed.connect(self._show_playing)

    def _scrolled(self, content: QWidget) -> QScrollArea:
        least_text = 150  # The height that stays where there is no room for all.
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setMinimumHeight(round(least_text * type_scale(self)))
        area.setWidget(content)
        for behind in (content, area.viewport()):
            behind.setAutoFillBackground(False)
        return area

    def _on_next(self) -> None:
        if self.tutor.lesson is not None and self.tutor.index + 1 == len(self.tutor.lesson.steps):
            self.end_wanted.emit()
        else:
            self.tutor.go_to(self.tutor.index + 2)

    # The views ------------------------------------------------------------------------------------------
    def hold(self, views: QWidget) -> None:
        """Give the insight views a place next to the text, or below it."""
        self._views = views
        self._split.addWidget(views)

    def arrange(self, *, side_by_side: bool, alone: int) -> None:
        """Put the views next to the text where there is room for both, otherwise below it.

        alone: the width of the panel without views, which the buttons keep."""
        border = self.width() - self.contentsRect().width()
        self._ways.setFixedWidth(alone - border)
        flat = Qt.Orientation.Horizontal if side_by_side else Qt.Orientation.Vertical
        self._divided_by_hand = self._divided_by_hand and flat == self._split.orientation()
        self._split.setOrientation(flat)
        soon(self, self._share_out)  # once it is laid out

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:  # more or less text, or a formula is typeset
            soon(self, self._share_out)
        return False

    def _share_out(self) -> None:
        """Share the panel between the text and the views: half of the width each, or as much of the height as
        the text needs and the views can spare. A border that the student has moved stays in that step."""
        least_views = 231  # The height of the views below the text that they can be read in.
        split = self._split
        if self._divided_by_hand:
            return
        if split.orientation() == Qt.Orientation.Horizontal:
            split.setSizes([split.width() // 2, split.width() // 2])
            return
        around = self._reading.sizeHint().height() - self.area.sizeHint().height()
        needed = around + self._flow.totalHeightForWidth(self.area.viewport().width())
        spare = split.height() - round(least_views * type_scale(self))
        text = min(needed, spare)
        split.setSizes([text, split.height() - text])

    def _keep_division(self) -> None:
        self._divided_by_hand = True

    def show_for(self, presenting: bool, points: float) -> None:
        """Ask a whole room, or one person, in type of this size."""
        if (presenting, points) != (self.presenting, self._points):
            self.presenting, self._points = presenting, points
            self.show_step()

    # The step -------------------------------------------------------------------------------------------
    def show_step(self) -> None:
        """Show the revealed part of the tutor's step."""
        tutor, lesson = self.tutor, self.tutor.lesson
        if lesson is None:
            return
        place = self.area.verticalScrollBar().value() if self._shown_step == tutor.index else 0
        self._divided_by_hand = self._divided_by_hand and self._shown_step == tutor.index
        if self.prediction is not None:
            self._counts |= {letter: field.value() for letter, field in self.prediction.hands.items()}
        if self._shown_step != tutor.index:
            self._counts = {}
        self._shown_step = tutor.index
        asking = tutor.open_prediction is not None
        text = QWidget()
        box = column(on=text, spacing=8, margins=(0, 0, 6, 0))
        self.prediction = self.task = None
        self._after = []
        if tutor.index == 0 and lesson.intro:
            box.addWidget(Prose(lesson.intro, "muted"))
        box.addWidget(Prose(tutor.step.title, bold=True, size=1.15))
        for part in tutor.shown_parts():
            if isinstance(part, Stage | Do):
                continue
            made = Prose(part) if isinstance(part, str) else self._card(part)
            box.addWidget(made)
            if self.prediction not in (None, made):
                self._after.append(made)
        self._flow.replaceWidget(self._text, text)
        self._text.hide()
        self._text.deleteLater()
        self._text = text
        text.show()
        self.controls.setHidden(self.controls.empty or asking)  # predict first, then try
        self.title.set_text(lesson.title)
        self.back.setEnabled(tutor.index > 0)
        self._show_progress()
        self.back_to_lesson.setVisible(tutor.off_path)
        self.controls.ring(action.control for action in tutor.actions_ahead())
        order_tabs(box, self._whole, self._steps)
        self._content.adjustSize()
        self.area.verticalScrollBar().setValue(place)
        self._show_light(tutor.light, tutor.reason)

    def _card(self, part: Prediction | LessonTask) -> Card:
        queued = Qt.ConnectionType.QueuedConnection  # the card that was pressed is replaced
        if isinstance(part, Prediction):
            self.prediction = PredictionCard(part, self.tutor.answer, self.presenting, self._counts)
            self.prediction.chosen.connect(self.tutor.choose, queued)
            return self.prediction
        self.task = TaskCard(part, self.tutor.hints)
        self.task.hint.clicked.connect(self.tutor.give_hint, queued)
        self.task.show_me.clicked.connect(self.tutor.show_me, queued)
        return self.task

    def _show_progress(self) -> None:
        lesson, progress = self.tutor.lesson, self.tutor.progress
        if lesson is not None and progress is not None:
            self.dots.show_steps(len(lesson.steps), progress.step, self.tutor.steps_done)
            last = progress.step == len(lesson.steps)
            self.next.setText("Finish" if last else "Next (Space)" if self.space_goes_on else "Next")
            self.next_lesson.setVisible(progress.completes(lesson) and following(lesson) is not None)

    def _show_light(self, light: Light, reason: str) -> None:
        if self.task is not None:
            self.task.show_light(light, reason)
        soon(self, self._show_newest)  # once it is laid out

    def _show_playing(self, on: bool) -> None:
        if self.task is not None:
            self.task.show_me.setEnabled(not on)

    # What is in view ------------------------------------------------------------------------------------
    def _show_newest(self) -> None:
        """Scroll to the card that the student is at, if it is not the first."""
        if self.tutor.answer is not None:
            self.show_card()
        self._offer_more()

    def show_card(self) -> None:
        """Scroll to the open question, or the task after it, and as far as there is room to the text between
        them and to the controls. Until the task is tried, the verdict stays in view."""
        last = self._after[-1] if self._after else self.prediction
        newest = self.task if last is None or self.task in self._after else last
        if newest is None:
            return
        tried = self.task in self._after and (self.tutor.light != "waiting" or self.tutor.hints > 0)
        verdict = None if tried or self.prediction is None else self.prediction.verdict
        for widget in (self.controls, *reversed(self._after), newest, verdict):
            if widget is not None:
                self._bring_into_view(widget)

    def _bring_into_view(self, widget: QWidget) -> None:
        """Scroll up or down until a widget is seen, or its top if it is too high."""
        margin = 4  # Pixels above or below a part that is scrolled into view.
        bar, top = self.area.verticalScrollBar(), widget.mapTo(self._content, QPoint()).y()
        seen = self.area.viewport().height()
        bar.setValue(max(bar.value(), top + widget.height() + margin - seen))
        bar.setValue(min(bar.value(), top - margin))

    @property
    def space_goes_on(self) -> bool:
        """Return True if Space leads to the next step: a room has its answer, and no task is left here."""
        tutor, lesson = self.tutor, self.tutor.lesson
        if lesson is None or not self.presenting or self.prediction is None or "watch" in lesson.shows:
            return False
        return tutor.index + 1 in tutor.steps_done and tutor.index + 1 < len(lesson.steps)

    @property
    def question_hidden(self) -> bool:
        """Return True if the choices of the open question are not in view."""
        card = self.prediction
        if card is None or self.tutor.open_prediction is None:
            return False
        return all(button.visibleRegion().isEmpty() for button in card.buttons.values())

    def _offer_more(self) -> None:
        """Show that there is a question below if it is out of view."""
        self.more.setVisible(self.question_hidden)

    def minimumSizeHint(self) -> QSize:
        return QSize(round(0.8 * WIDTH), 200)


class PredictionKeys(QObject):
    """Answers the question of a panel with A to D, and for a room reveals the answer with Space; a question
    that is scrolled away is shown first. A further Space leads to the next step if the panel says so, and
    starts no run in a lesson that has no control for it.

    It watches the window, the canvas, and a number field, which would keep the letters although it has no
    use for them."""

    def __init__(self, panel: LessonPanel, window: QWidget, canvas: Callable[[], QObject]) -> None:
        """canvas: returns the part of the canvas in front that has the keyboard."""
        super().__init__(panel)
        self._panel, self._window, self._canvas = panel, window, canvas
        self._watched: list[QObject] = []
        if isinstance(app := QApplication.instance(), QApplication):
            app.focusChanged.connect(self._on_focus)

    def listen(self, on: bool) -> None:
        """Watch for the keys, or no longer."""
        for watched in self._watched:
            watched.removeEventFilter(self)
        focused = QApplication.focusWidget()
        self._watched = [self._window, self._canvas()] if on else []
        if on and isinstance(focused, QAbstractSpinBox):
            self._watched.append(focused)
        for watched in self._watched:
            watched.installEventFilter(self)

    def _on_focus(self, before: QWidget | None, now: QWidget | None) -> None:
        if self._watched and (isinstance(before, QAbstractSpinBox) or isinstance(now, QAbstractSpinBox)):
            self.listen(True)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        letters = {Qt.Key.Key_A: "a", Qt.Key.Key_B: "b", Qt.Key.Key_C: "c", Qt.Key.Key_D: "d"}
        keys_down = (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress)
        panel, card, prediction = self._panel, self._panel.prediction, self._panel.tutor.open_prediction
        if not isinstance(event, QKeyEvent) or event.type() not in keys_down or card is None:
            return False
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        letter = letters.get(Qt.Key(event.key()), "")
        if event.key() == Qt.Key.Key_Space and panel.presenting:
            if prediction is None:
                return self._go_on_with(event)
        elif letter not in card.prediction.choices:
            return False
        if needs(QApplication.focusWidget(), event):
            return False
        typed = isinstance(watched, NumberField) and watched.has_typed()
        if isinstance(watched, QAbstractSpinBox) and (prediction is None or typed):
            return False  # the field says what is wrong with its text
        event.accept()
        if prediction is None or event.type() != QEvent.Type.KeyPress:
            return True  # the question is answered: a second press chooses no tool
        if panel.question_hidden:
            panel.show_card()  # a question must be in view to be answered
        else:
            panel.tutor.choose(letter)
        return True

    def _go_on_with(self, event: QKeyEvent) -> bool:
        """Use a Space that comes after the answer; return True if a run must not start by it."""
        panel, lesson = self._panel, self._panel.tutor.lesson
        if lesson is None or "watch" in lesson.shows or needs(QApplication.focusWidget(), event):
            return False
        event.accept()
        pressed = event.type() == QEvent.Type.KeyPress and not event.isAutoRepeat()
        if pressed and panel.space_goes_on and panel.tutor.ready:
            panel.next.click()
        return True
