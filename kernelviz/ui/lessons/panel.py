"""The panel of a lesson: prose, predictions, a task with its light, hints, and the way from step to step."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QSizePolicy, QSpinBox, QSplitter, QWidget

from kernelviz.scene.theme import current_theme
from kernelviz.session.lessons.lesson import Prediction, Stage, Task
from kernelviz.ui.lessons.controls import LessonControls
from kernelviz.ui.lessons.prose import Clickable, Prose
from kernelviz.ui.lessons.tutor import Light, Tutor
from kernelviz.ui.widgets.buttons import Button, ToolButton
from kernelviz.ui.widgets.focus import order_tabs
from kernelviz.ui.widgets.in_points import type_scale
from kernelviz.ui.widgets.labels import Label, describe
from kernelviz.ui.widgets.layouts import Flow, column, row

WIDTH = 300  # In type of the usual size.
SIGNS: dict[Light, str] = {"waiting": "", "missed": "!", "done": "✓"}  # So that colour is not all that tells.
MOST_HANDS = 999
VIEWS_SHARE = 0.42  # Of the height, for the views below the text.
LEAST_TEXT, LEAST_CONTROLS = 150, 44  # Heights that stay where there is no room for all.


class StepDots(QWidget):
    """A dot for each step: the present one is large, those that are done are green. A click goes there."""

    chosen = Signal(int)  # A step, counted from 1.

    def __init__(self) -> None:
        super().__init__()
        self._count, self._step, self._done = 1, 1, frozenset[int]()

    def show_steps(self, count: int, step: int, done: frozenset[int]) -> None:
        self._count, self._step, self._done = count, step, done
        describe(self, f"Step {step} of {count}", f"Step {step} of {count}; click a dot to go there")
        self.updateGeometry()
        self.update()

    @property
    def _pitch(self) -> float:
        return min(18 * type_scale(self), max(4.0, self.width() / max(self._count, 1)))

    def sizeHint(self) -> QSize:
        return QSize(round(18 * type_scale(self) * self._count), round(18 * type_scale(self)))

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, pitch = current_theme(), self._pitch
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for step in range(1, self._count + 1):
            radius = 0.3 * pitch if step == self._step else 0.22 * pitch
            colour = theme.success if step in self._done else theme.accent
            painter.setPen(QPen(QColor(colour if step <= self._step else theme.muted), 1.5))
            filled = step in self._done or step == self._step
            painter.setBrush(QColor(colour) if filled else Qt.BrushStyle.NoBrush)
            x, y = (step - 0.5) * pitch, self.height() / 2
            painter.drawEllipse(QRectF(x - radius, y - radius, 2 * radius, 2 * radius))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        step = int(event.position().x() / self._pitch) + 1
        if event.button() == Qt.MouseButton.LeftButton and 1 <= step <= self._count:
            self.chosen.emit(step)


class Lamp(QWidget):
    """The light of a task: grey, amber with an exclamation mark, green with a tick."""

    def __init__(self) -> None:
        super().__init__()
        self.light: Light = "waiting"

    def show_light(self, light: Light) -> None:
        self.light = light
        describe(self, {"waiting": "Not done yet", "missed": "Not yet", "done": "Done"}[light])
        self.update()

    def sizeHint(self) -> QSize:
        side = round(20 * type_scale(self))
        return QSize(side, side)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        colour = {"waiting": theme.muted, "missed": theme.warning, "done": theme.success}[self.light]
        side = self.sizeHint().width()
        disc = QRectF(1.5, 1.5, side - 3, side - 3)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colour), 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush if self.light == "waiting" else QColor(colour))
        painter.drawEllipse(disc)
        font = self.font()
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(QColor(theme.surface))
        painter.drawText(disc, Qt.AlignmentFlag.AlignCenter, SIGNS[self.light])


class Card(QFrame):
    """A frame around a question or a task."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.box = column(on=self, margins=(10, 8, 10, 10), spacing=6)

    def add(self, text: str, tone: str = "text", **how: bool) -> Prose:
        """Add a paragraph."""
        made = Prose(text, tone, **how)  # type: ignore[arg-type]
        self.box.addWidget(made)
        return made


class PredictionCard(Card):
    """A question with its choices as buttons; once it is answered, what is right and what was overlooked.

    presenting: with large letters and a field for the number of hands, and nobody's choice is remembered."""

    chosen = Signal(str)

    def __init__(self, prediction: Prediction, answer: str | None, presenting: bool) -> None:
        super().__init__()
        self.prediction = prediction
        self.buttons: dict[str, Button] = {}
        self.hands: dict[str, QSpinBox] = {}
        self.setAccessibleName("Prediction")
        self.box.addWidget(Label("What do you expect?" if answer is None else "You expected", role="muted"))
        self.add(prediction.ask, bold=True)
        for letter, text in prediction.choices.items():
            self._add_choice(letter, text, answer, presenting)
        if answer is not None:
            self._add_reason(answer)
        elif presenting:
            self.reveal = Button(
                "Reveal (Space)", "Show the answer", lambda: self.chosen.emit(prediction.answer)
            )
            self.box.addWidget(self.reveal)

    def _add_choice(self, letter: str, text: str, answer: str | None, presenting: bool) -> None:
        right = letter == self.prediction.answer
        button = Button(letter.upper(), "", lambda: self.chosen.emit(letter))
        button.setFixedWidth(round((40 if presenting else 34) * type_scale(button)))
        button.setProperty("role", "letter")
        button.setCheckable(True)
        button.setChecked(letter == answer)
        button.setEnabled(answer is None)
        if presenting:
            large = QApplication.font()
            large.setPointSizeF(1.6 * large.pointSizeF())
            large.setBold(True)
            button.setFont(large)
        words = Clickable(text, button)
        mark = "" if answer is None else "right" if right else "wrong" if letter == answer else ""
        describe(button, f"{letter.upper()}: {words.accessibleName()}", f"Answer {letter.upper()}")
        left = column(button, spacing=2)
        if presenting:
            self.hands[letter] = field = QSpinBox()
            field.setRange(0, MOST_HANDS)
            field.setSpecialValueText(" ")
            field.setFixedWidth(round(40 * type_scale(button)))
            field.setButtonSymbols(QSpinBox.ButtonSymbols.NoButtons)
            describe(field, f"Hands for {letter.upper()}", "How many hands went up")
            left.addWidget(field)
        left.addStretch(1)
        line = row(left, (words, 1))
        if mark:
            sign = Label({"right": "✓", "wrong": "✗"}[mark])
            describe(sign, "right" if mark == "right" else "not right")
            line.addWidget(sign)
        self.buttons[letter] = button
        self.box.addLayout(line)

    def _add_reason(self, answer: str) -> None:
        prediction = self.prediction
        right = answer == prediction.answer
        verdict = "Right." if right else f"It is {prediction.answer.upper()}."
        why = (prediction.why or {}).get(answer, "")
        self.add(f"**{verdict}** {why}", "success" if right else "warning")


class TaskCard(Card):
    """A task: its sentence, its light with the reason, hints one at a time, and *Show me*."""

    def __init__(self, task: Task, hints: int) -> None:
        super().__init__()
        self.setAccessibleName("Task")
        self._task = task
        self.lamp = Lamp()
        say = Prose(task.say, bold=True)
        line = row(self.lamp, (say, 1), spacing=8)
        line.setAlignment(self.lamp, Qt.AlignmentFlag.AlignTop)
        self.box.addLayout(line)
        self.reason = Prose("", "warning")
        self.box.addWidget(self.reason)
        for hint in task.hints[:hints]:
            self.add(f"*Hint.* {hint}", "muted")
        self.hint = Button("Hint" if not hints else "Another hint", "Show one hint (one more each time)")
        self.show_me = Button("Show me", "Do it, so that you see how; undo takes it back")
        holder = QWidget()
        flow = Flow(holder)
        for button in (self.hint, self.show_me):
            flow.addWidget(button)
        self.hint.setVisible(hints < len(task.hints))
        self.box.addWidget(holder)

    def show_light(self, light: Light, reason: str) -> None:
        self.lamp.show_light(light)
        sentences = {"waiting": "", "missed": reason or "Not yet.", "done": "Done."}
        self.reason.set_text(sentences[light], "success" if light == "done" else "warning")
        self.reason.setVisible(light != "waiting")
        if light == "done":
            self.hint.hide()


class _Scrolled(QScrollArea):
    """As high as its content, or lower where there is no room for all of it."""

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def hold(self, content: QWidget) -> None:
        """Show a widget, on the background of the panel."""
        self.setWidget(content)
        content.show()
        for behind in (content, self.viewport()):
            behind.setAutoFillBackground(False)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Qt watches the content here; it may need another height now."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def sizeHint(self) -> QSize:
        content = self.widget()
        return QSize(200, 0 if content is None else content.sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(60, min(self.sizeHint().height(), round(LEAST_CONTROLS * type_scale(self))))


class LessonPanel(QFrame):
    """All of it. What is pressed goes to the tutor; the window hears when the lesson shall end."""

    end_wanted = Signal()
    copy_wanted = Signal()
    fold_wanted = Signal()  # Of a panel that lies over the canvas.

    def __init__(self, tutor: Tutor, controls: LessonControls) -> None:
        super().__init__()
        self.tutor, self.controls = tutor, controls
        self.presenting = False
        self.prediction: PredictionCard | None = None
        self.task: TaskCard | None = None
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
        self.area = _Scrolled()
        self.area.setMinimumHeight(round(LEAST_TEXT * type_scale(self)))
        self.more = Button("Question below", "Scroll to what the step asks", self.show_card)
        self.more.hide()
        self._below = below = _Scrolled()
        below.hold(controls)
        below.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.stray = Card()
        self.stray.add("You have left the path of the lesson. Look around as long as you like.", "muted")
        self.back_to_lesson = Button(
            "Back to the lesson", "Restore the stage of this step", tutor.back_to_lesson
        )
        self.stray.box.addWidget(self.back_to_lesson)
        self.stray.hide()
        self.back = Button("Back", "The step before (Ctrl+Page Up)", lambda: tutor.go_to(tutor.index))
        self.next = Button("Next", "The next step (Ctrl+Page Down)", self._on_next)
        heading = row((self.title, 1), self.fold, self.copy, self.end, spacing=2)
        reading = QWidget()
        self._whole = column(
            heading,
            self.dots,
            (self.area, 1),
            self.more,
            self.stray,
            below,
            row((self.back, 1), (self.next, 1)),
            on=reading,
            spacing=8,
            margins=(12, 8, 12, 10),
        )
        self._split = QSplitter(Qt.Orientation.Vertical)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(reading)
        column(self._split, on=self)
        for signal in (
            self.area.verticalScrollBar().valueChanged,
            self.area.verticalScrollBar().rangeChanged,
        ):
            signal.connect(self._offer_more)
        self.dots.chosen.connect(tutor.go_to)
        tutor.step_changed.connect(self.show_step)
        tutor.progressed.connect(self._show_progress)
        tutor.light_changed.connect(self._show_light)
        tutor.wandered.connect(self.stray.setVisible)
        tutor.playing_changed.connect(self._show_playing)

    def _on_next(self) -> None:
        if self.tutor.lesson is not None and self.tutor.index + 1 == len(self.tutor.lesson.steps):
            self.end_wanted.emit()
        else:
            self.tutor.go_to(self.tutor.index + 2)

    def hold(self, views: QWidget) -> None:
        """Give the insight views a place below the text."""
        self._split.addWidget(views)
        height = max(self.height(), 1000)
        self._split.setSizes([round((1 - VIEWS_SHARE) * height), round(VIEWS_SHARE * height)])

    def set_presenting(self, on: bool) -> None:
        """Ask a whole room, or one person."""
        self.presenting = on
        self.show_step()

    def show_step(self) -> None:
        """Show the step of the tutor, as far as it is to be seen."""
        tutor, lesson = self.tutor, self.tutor.lesson
        if lesson is None:
            return
        place = self.area.verticalScrollBar().value() if self.area.property("step") == tutor.index else 0
        self.area.setProperty("step", tutor.index)
        content = QWidget()
        box = column(on=content, spacing=10, margins=(0, 0, 6, 0))
        self.prediction = self.task = None
        # A whole room is asked one thing at a time; the lecturer says the rest.
        brief = self.presenting and tutor.open_prediction is not None
        self._below.setHidden(self.controls.empty or brief)
        if tutor.index == 0 and lesson.intro and not self.presenting:
            box.addWidget(Prose(lesson.intro, "muted"))
        box.addWidget(Prose(tutor.step.title, bold=True, size=1.15))
        for part in tutor.shown_parts():
            if isinstance(part, str):
                if not brief:
                    box.addWidget(Prose(part))
            elif not isinstance(part, Stage):
                box.addWidget(self._card(part))
        box.addStretch(1)
        self.area.hold(content)
        self.title.set_text(lesson.title)
        last = tutor.index + 1 == len(lesson.steps)
        self.back.setEnabled(tutor.index > 0)
        self.next.setText("Finish" if last else "Next")
        self._show_progress()
        self.stray.setVisible(tutor.off_path)
        self._ring()
        order_tabs(box, self._whole)
        content.adjustSize()
        self.area.verticalScrollBar().setValue(place)
        self._show_light(tutor.light, tutor.reason)

    def _card(self, part: Prediction | Task) -> Card:
        tutor = self.tutor
        if isinstance(part, Prediction):
            self.prediction = PredictionCard(part, tutor.answer, self.presenting)
            self.prediction.chosen.connect(tutor.choose, Qt.ConnectionType.QueuedConnection)
            return self.prediction
        self.task = TaskCard(part, tutor.hints)
        queued = Qt.ConnectionType.QueuedConnection  # the card that was pressed is replaced
        self.task.hint.clicked.connect(tutor.give_hint, queued)
        self.task.show_me.clicked.connect(tutor.show_me, queued)
        return self.task

    def _ring(self) -> None:
        """Mark the controls that the open part of the step speaks of."""
        parts = self.tutor.shown_parts()
        last = next((part for part in reversed(parts) if isinstance(part, Prediction | Task)), None)
        actions = () if last is None else last.do if isinstance(last, Task) else last.reveal
        self.controls.ring(action.control for action in actions)

    def _show_progress(self) -> None:
        lesson, progress = self.tutor.lesson, self.tutor.progress
        if lesson is not None and progress is not None:
            self.dots.show_steps(len(lesson.steps), progress.step, progress.green)

    def _show_light(self, light: Light, reason: str) -> None:
        if self.task is not None:
            self.task.show_light(light, reason)
        QTimer.singleShot(0, self, self._show_newest)  # once it is laid out

    def _show_newest(self) -> None:
        """Scroll to the card that the student is at, if it is not the first."""
        if self.tutor.answer is not None:
            self.show_card()
        self._offer_more()

    def show_card(self) -> None:
        """Scroll to what the step asks: the open question, or the task after it."""
        card = self.task or self.prediction
        if card is not None:
            self.area.ensureWidgetVisible(card, 0, 4)

    @property
    def question_hidden(self) -> bool:
        """Return True if no part of the open question is in view."""
        card = self.prediction
        if card is None or self.tutor.open_prediction is None:
            return False
        return bool(card.visibleRegion().isEmpty())

    def _offer_more(self) -> None:
        """Say that there is a question below, where there is no room for it."""
        self.more.setVisible(self.question_hidden)

    def _show_playing(self, on: bool) -> None:
        if self.task is not None:
            self.task.show_me.setEnabled(not on)

    def minimumSizeHint(self) -> QSize:
        return QSize(round(0.8 * WIDTH), 200)
