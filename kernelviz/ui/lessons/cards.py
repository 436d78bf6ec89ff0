"""The parts of a lesson's panel: dots for the steps, a question, a task with its light."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QFrame, QSpinBox, QWidget

from kernelviz.scene.theme import current_theme
from kernelviz.session.lessons.lesson import LessonTask, Prediction
from kernelviz.ui.lessons.prose import Clickable, Prose
from kernelviz.ui.lessons.tutor import Light
from kernelviz.ui.widgets.buttons import Button
from kernelviz.ui.widgets.labels import Label, describe
from kernelviz.ui.widgets.layouts import Flow, column, row
from kernelviz.ui.widgets.painting import type_scale

SIGNS: dict[Light, str] = {"waiting": "", "missed": "!", "done": "✓"}  # So that colour is not the only sign.


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
    """A question with its choices as buttons; once it is answered, an explanation of the right choice and of
    the chosen one.

    presenting: with large letters and a field for the number of hands, and no choice is remembered."""

    chosen = Signal(str)

    def __init__(
        self, prediction: Prediction, answer: str | None, presenting: bool, counts: Mapping[str, int]
    ) -> None:
        """counts: the numbers of hands that have been typed already, by letter."""
        super().__init__()
        self.prediction, self._counts = prediction, counts
        self.buttons: dict[str, Button] = {}
        self.hands: dict[str, QSpinBox] = {}
        self.verdict: Prose | None = None  # Whether the answer was right, and why.
        self.setAccessibleName("Prediction")
        shown = "The answer" if answer == "" else "You expected"
        self.box.addWidget(Label("What do you expect?" if answer is None else shown, role="muted"))
        self.add(prediction.ask, bold=True)
        for letter, text in prediction.choices.items():
            self._add_choice(letter, text, answer, presenting)
        if answer is not None:
            right = answer == prediction.answer
            verdict = "Right." if right else f"It is {prediction.answer.upper()}."
            why = (prediction.why or {}).get(answer or prediction.answer, "")
            self.verdict = self.add(f"**{verdict}** {why}", "success" if right or not answer else "warning")
        elif presenting:
            self.reveal = Button("Reveal (Space)", "Show the answer", lambda: self.chosen.emit(""))
            self.box.addWidget(self.reveal)

    def _add_choice(self, letter: str, text: str, answer: str | None, presenting: bool) -> None:
        most_hands = 999
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
        # The first line of the words is level with the letter.
        above = max(0, (button.sizeHint().height() - words.fontMetrics().height()) // 2)
        line = row(button, (column(words, margins=(0, above, 0, 0)), 1))
        line.setAlignment(button, Qt.AlignmentFlag.AlignTop)
        if mark:
            sign = Label({"right": "✓", "wrong": "✗"}[mark])
            describe(sign, "right" if mark == "right" else "not right")
            line.addWidget(sign)
        if presenting:
            self.hands[letter] = field = QSpinBox()
            field.setRange(0, most_hands)
            field.setSpecialValueText(" ")
            field.setValue(self._counts.get(letter, 0))
            field.setProperty("role", "count")
            field.setFixedWidth(round(48 * type_scale(words)))
            describe(field, f"Hands for {letter.upper()}", "How many hands went up")
            line.addWidget(field)
            line.setAlignment(field, Qt.AlignmentFlag.AlignTop)
        self.buttons[letter] = button
        self.box.addLayout(line)


class TaskCard(Card):
    """A task: its sentence, its light with the reason, hints one at a time, and *Show me*."""

    def __init__(self, task: LessonTask, hints: int) -> None:
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
        self.show_me = Button("Show me", "Show how it is done; Undo reverts it")
        holder = QWidget()
        flow = Flow(holder)
        for button in (self.hint, self.show_me):
            flow.addWidget(button)
        self.hint.setVisible(hints < len(task.hints))
        self.box.addWidget(holder)

    def show_light(self, light: Light, reason: str) -> None:
        self.lamp.show_light(light)
        sentences = {"waiting": "", "missed": "Not yet.", "done": "Done."}
        self.reason.set_text(reason or sentences[light], "success" if light == "done" else "warning")
        self.reason.setVisible(light != "waiting")
        if light == "done":
            self.hint.hide()
