"""Formulas typeset in the background, and the label that shows them."""

from __future__ import annotations

import re
from collections.abc import Generator
from functools import cache, partial

from PySide6.QtCore import QEvent, QObject, QPointF, QRect, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QWidget

from kernelviz.drawing.formula import draw_formula, formula_size, plain, too_long
from kernelviz.drawing.theme import current_theme
from kernelviz.runtime.jobs import Beat, Job, Jobs, News, Told


class Typesetter(QObject):
    """Sets one formula after the other."""

    done = Signal(str)  # The LaTeX of a formula that can now be drawn at once.
    _broke = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._jobs = Jobs("kernelviz-typesetter", self._hear, queue=True)
        self._ready: set[str] = set()
        self._asked: dict[str, None] = {}
        self._held = False
        self._broke.connect(self._raise, Qt.ConnectionType.QueuedConnection)

    def hold(self) -> None:
        """Set nothing for now: while the program starts, the first picture goes first."""
        self._held = True

    def release(self) -> None:
        """Begin with what has been waiting."""
        if self._held:
            self._held = False
            for latex in self._asked:
                self._jobs.start(Job(partial(_setting, latex)))

    def stop(self, patience: float = 2.0) -> bool:
        """Set nothing of what is waiting; whether the thread has ended. If not, it ends with the program."""
        self._jobs.clear()
        self._asked.clear()
        return self._jobs.join(patience)

    def ready(self, latex: str) -> bool:
        """Whether a formula has been set; if not, it will be, and `done` will say so."""
        if latex in self._ready:
            return True
        if latex not in self._asked:
            self._asked[latex] = None
            if not self._held:
                self._jobs.start(Job(partial(_setting, latex)))
        return False

    def _hear(self, told: Told) -> None:
        """Runs on the thread."""
        if told.news is News.DONE:
            self._ready.add(told.value)
            self.done.emit(told.value)
        elif told.news is News.RAISED:
            self._broke.emit(told.value)

    @Slot(object)
    def _raise(self, mistake: Exception) -> None:
        raise mistake


def _setting(latex: str, _beat: Beat) -> Generator[float, None, str]:
    yield 0.0
    formula_size(latex, 1.0)  # remembers the shape, which is the slow part
    return latex


@cache
def typesetter() -> Typesetter:
    """The one typesetter of the program."""
    return Typesetter()


# Milliseconds a formula must stand still before it is set: a slider's drag is not worth hundreds of them.
PAUSE = 120
LEADING = 6.0
GAPS = {"": 0.25, r"\quad": 1.0, r"\qquad": 2.0}  # Spaces between pieces, in units of the type size.
SMALLEST_SCALE = 0.6
WRAPPED = Qt.TextFlag.TextWordWrap | Qt.TextFlag.TextWrapAnywhere


def pieces(latex: str) -> list[tuple[str, str]]:
    """A formula cut where a line may end, each piece with what joins it to the one before.

    Lines may end at wide spaces, at \\allowbreak, and before every + outside all brackets."""
    found: list[tuple[str, str]] = []
    joint = ""
    for part in re.split(r"(\\q?quad|\\allowbreak)(?![A-Za-z])", latex):
        if part in (r"\quad", r"\qquad", r"\allowbreak"):
            joint = "" if part == r"\allowbreak" else part
            continue
        for term in _terms(part):
            found.append((joint, term))
            joint = ""
    return [(joint, piece) for joint, piece in found if piece]


def _terms(latex: str) -> list[str]:
    """The formula cut before every + outside all brackets."""
    terms, depth, begin = [], 0, 0
    for match in re.finditer(r"\\left|\\right|[{}()]| \+ ", latex):
        token = match.group()
        if token in ("{", "(", "\\left"):
            depth += 1
        elif token in ("}", ")", "\\right"):
            depth -= 1
        elif token == " + " and depth == 0:
            terms.append(latex[begin : match.start()].strip())
            begin = match.start()
    return [*terms, latex[begin:].strip()]


def _line(some: list[tuple[str, str]]) -> str:
    """Pieces set as one line. With nothing before it a plus would be set as a sign, hence the braces."""
    text = some[0][1] + "".join(f" {joint} {piece}" for joint, piece in some[1:])
    return f"{{}} {text}" if text.startswith("+") else text


def _without_numbers(latex: str) -> str:
    return re.sub(r"[\d.]+", "", latex)


class FormulaLabel(QWidget):
    """Shows LaTeX typeset in the theme's ink, as soon as it has been set elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._latex = ""
        self._instead = ""
        self._as_text = False
        self._pieces: list[tuple[str, str]] = []
        self._awaited: list[str] = []
        self._lines: list[tuple[str, float]] = []
        self._size = 1.0
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._ask)
        typesetter().done.connect(self._on_done)
        self._extent = 0.0

    @property
    def latex(self) -> str:
        return self._latex

    @property
    def text(self) -> str:
        """The expression that is shown, empty when the formula is."""
        return self._instead if self._as_text else ""

    def set_latex(self, latex: str, instead: str = "") -> None:
        """Show another formula, or the expression `instead` of one that is too long. The old one stays until
        the new one is set if only its numbers differ."""
        self._instead = instead
        if latex == self._latex:
            return
        same = _without_numbers(latex) == _without_numbers(self._latex)
        self._latex = latex
        self.setAccessibleName(instead or plain(latex))
        if not same:
            self._lines = []
            self.update()
        self._timer.start(PAUSE if same else 0)

    # Setting ------------------------------------------------------------------------------------------
    def _ask(self) -> None:
        self._pieces = [] if too_long(self._latex) else pieces(self._latex)
        if self._pieces:
            self._arrange()
        else:
            self._show_text()

    def _on_done(self, latex: str) -> None:
        if latex in self._awaited:
            self._arrange()

    def _arrange(self) -> None:
        """Pack the pieces into lines for the present width, then the lines below each other, once set."""
        if not self._set([_line([piece]) for piece in self._pieces]):
            return
        room, size = self._room(), self._type_size()
        lines = [_line(some) for some in self._packed(room, size)]
        if not self._set(lines):
            return
        widest = max((formula_size(line, size)[0] for line in lines), default=1.0)
        if room < SMALLEST_SCALE * widest and self._instead:
            self._show_text()
            return
        self._as_text = False
        self._size = size * min(1.0, max(SMALLEST_SCALE, room / widest))
        self._lines, y = [], 1.0
        for line in lines:
            self._lines.append((line, y))
            y += formula_size(line, self._size)[1] + LEADING
        self._extent = y - LEADING
        self.updateGeometry()
        self.update()

    def _show_text(self) -> None:
        """The expression, for it is neither typeset nor read as a formula."""
        self._as_text, self._lines, self._awaited = True, [], []
        room = QRect(0, 0, round(self._room()), 1 << 20)
        self._extent = self.fontMetrics().boundingRect(room, WRAPPED, self._instead).height()
        self.updateGeometry()
        self.update()

    def _room(self) -> float:
        """The width for the lines: as if there were a scroll bar, whether there is one or not.

        If a formula grew taller for its sake, it would come and go for ever, and Qt's stack run over."""
        width, area = self.width(), self.parentWidget()
        while area is not None and not isinstance(area, QScrollArea):
            area = area.parentWidget()
        content = area.widget() if area is not None else None
        if area is not None and content is not None:
            beside = content.width() - width
            bar = area.verticalScrollBar().sizeHint().width()
            width = min(width, area.contentsRect().width() - bar - beside)
        return max(1.0, width - 4.0)

    def _set(self, formulas: list[str]) -> bool:
        """Whether all have been set; if not, they will be, and `_on_done` will hear of it."""
        self._awaited = [formula for formula in formulas if not typesetter().ready(formula)]
        return not self._awaited

    def _packed(self, room: float, size: float) -> list[list[tuple[str, str]]]:
        """As many pieces in a line as fit."""
        lines: list[list[tuple[str, str]]] = []
        used = 0.0
        for joint, piece in self._pieces:
            width = formula_size(_line([("", piece)]), size)[0]
            gap = GAPS[joint] * size
            if lines and used + gap + width <= room:
                lines[-1].append((joint, piece))
                used += gap + width
            else:
                lines.append([(joint, piece)])
                used = width
        return lines

    def _type_size(self) -> float:
        return 1.25 * self.fontInfo().pixelSize()

    # Qt -----------------------------------------------------------------------------------------------
    def sizeHint(self) -> QSize:
        return QSize(200, round(self._extent or 1.6 * self._type_size()) + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() == event.oldSize().width():
            return
        if self._pieces:
            self._arrange()
        elif self._as_text:
            self._show_text()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange) and hasattr(self, "_extent"):
            self._timer.start(0)

    def paintEvent(self, event: QPaintEvent) -> None:
        ink = current_theme().text
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for line, y in self._lines:
            draw_formula(painter, QPointF(1, y), line, self._size, ink)
        if self._as_text:
            painter.setPen(ink)
            painter.drawText(QRect(1, 0, round(self._room()), self.height()), WRAPPED, self._instead)
