"""Formulas in the panels: typeset on a thread of their own, broken into lines that fit.

Typesetting takes 10 ms and more, too long for the window's thread. A `FormulaLabel` cuts its LaTeX into
pieces between which a line may end, asks the `Typesetter` for them, packs them into lines for its width,
and then asks for the lines. Until the new formula is there the old one stays, if only numbers differ. Very
long formulas are shown as expressions."""

from __future__ import annotations

import re
from collections.abc import Generator
from functools import cache, partial

from PySide6.QtCore import QEvent, QObject, QPointF, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QWidget

from kernelviz.runtime.jobs import Beat
from kernelviz.scene.formula import draw_formula, formula_size, plain, too_long
from kernelviz.scene.theme import current_theme
from kernelviz.ui.workbench.background import Background

TYPESET_AFTER = (
    120  # Milliseconds without a change until a formula is typeset: not for every value of a slider.
)
WRAPPED = Qt.TextFlag.TextWordWrap | Qt.TextFlag.TextWrapAnywhere


class Typesetter(QObject):
    """Typesets formulas one after the other on a background thread; the result stays in a cache.

    Call `ready` before drawing a formula. If it returns False, the formula is typeset and `done` is emitted
    with it."""

    done = Signal(str)  # The LaTeX of a formula that can be drawn now.

    def __init__(self) -> None:
        super().__init__()
        self._background = Background("kernelviz-typesetter", self, queue=True)
        self._background.done.connect(self._on_done)
        self._ready: set[str] = set()
        self._asked: dict[str, None] = {}
        self._held = False

    def hold(self) -> None:
        """Typeset nothing for now: while the program starts, the first picture goes first."""
        self._held = True

    def release(self) -> None:
        """Begin with the formulas that have been waiting."""
        if self._held:
            self._held = False
            for latex in self._asked:
                self._background.start(partial(_typeset, latex))

    def stop(self, patience: float = 2.0) -> bool:
        """Drop the waiting formulas; return True if the thread has ended. If not, it ends with the
        program."""
        self._asked.clear()
        return self._background.stop(patience)

    def ready(self, latex: str) -> bool:
        """Return True if a formula can be drawn; if not, typeset it and emit `done` then."""
        if latex in self._ready:
            return True
        if latex not in self._asked:
            self._asked[latex] = None
            if not self._held:
                self._background.start(partial(_typeset, latex))
        return False

    def _on_done(self, latex: str) -> None:
        """Note that a formula can be drawn, and emit it."""
        self._ready.add(latex)
        self.done.emit(latex)


def _typeset(latex: str, _beat: Beat) -> Generator[float, None, str]:
    """Typeset a formula, which leaves its shape in the cache; return its LaTeX."""
    yield 0.0
    formula_size(latex, 1.0)  # which keeps the shape: making it is the slow part
    return latex


@cache
def typesetter() -> Typesetter:
    """Return the one typesetter of the program."""
    return Typesetter()


def pieces(latex: str) -> list[tuple[str, str]]:
    """Return the pieces of a formula between which a line may end, each with the space before it.

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
    """Return the formula cut before every + outside all brackets."""
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
    """Return pieces as one line. A plus at its beginning gets empty braces: without them it would be a
    sign."""
    text = some[0][1] + "".join(f" {joint} {piece}" for joint, piece in some[1:])
    return f"{{}} {text}" if text.startswith("+") else text


def _without_numbers(latex: str) -> str:
    """Return a formula without its numbers: equal for two that differ in nothing else."""
    return re.sub(r"[\d.]+", "", latex)


class FormulaLabel(QWidget):
    """Shows a formula once it has been typeset, in lines that fit the width of the label.

    A formula that is too long or too wide is shown as an expression. While a slider moves, the formula with
    the old number stays until the new one is typeset, so that the panel does not flicker."""

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
        """The formula to show."""
        return self._latex

    @property
    def lines(self) -> list[str]:
        """The typeset lines; empty while the formula is not typeset, or when it is shown as an expression."""
        return [line for line, _ in self._lines]

    @property
    def type_size(self) -> float:
        """The type size of the lines, in pixels."""
        return self._size

    @property
    def busy(self) -> bool:
        """True while the formula is being typeset."""
        return self._timer.isActive() or bool(self._awaited)

    @property
    def text(self) -> str:
        """The expression that is shown instead of the formula, if it is."""
        return self._instead if self._as_text else ""

    def set_latex(self, latex: str, instead: str = "") -> None:
        """Show another formula, or the expression `instead` if it is too long.

        If only numbers differ, the old formula stays until the new one is typeset."""
        self._instead = instead
        if latex == self._latex:
            return
        same = _without_numbers(latex) == _without_numbers(self._latex)
        self._latex = latex
        self.setAccessibleName(instead or plain(latex))
        if not same:
            self._lines = []
            self.update()
        self._timer.start(TYPESET_AFTER if same else 0)

    # Setting ------------------------------------------------------------------------------------------
    def _ask(self) -> None:
        """Cut the formula into pieces and arrange them, or show the expression instead."""
        self._pieces = [] if too_long(self._latex) else pieces(self._latex)
        if self._pieces:
            self._arrange()
        else:
            self._show_text()

    def _on_done(self, latex: str) -> None:
        """Arrange the formula again: one of the pieces it waits for has been typeset."""
        if latex in self._awaited:
            self._arrange()

    def _arrange(self) -> None:
        """Pack the pieces into lines for the present width; do nothing until all of them are typeset."""
        leading = 6.0  # Pixels between two lines.
        smallest_scale = 0.6  # A formula too wide for this scale is shown as an expression.
        if not self._set([_line([piece]) for piece in self._pieces]):
            return
        room, size = self._room(), self._type_size()
        lines = [_line(some) for some in self._packed(room, size)]
        if not self._set(lines):
            return
        widest = max((formula_size(line, size)[0] for line in lines), default=1.0)
        if room < smallest_scale * widest and self._instead:
            self._show_text()
            return
        self._as_text = False
        self._size = size * min(1.0, max(smallest_scale, room / widest))
        self._lines, y = [], 1.0
        for line in lines:
            self._lines.append((line, y))
            y += formula_size(line, self._size)[1] + leading
        self._extent = y - leading
        self.updateGeometry()
        self.update()

    def _show_text(self) -> None:
        """Show the expression, wrapped, instead of the formula."""
        self._as_text, self._lines, self._awaited = True, [], []
        room = QRect(0, 0, round(self._room()), 1 << 20)
        self._extent = self.fontMetrics().boundingRect(room, WRAPPED, self._instead).height()
        self.updateGeometry()
        self.update()

    def _room(self) -> float:
        """Return the width for the lines, always leaving room for a scroll bar.

        A formula that grew taller because of the bar would show and hide it for ever, until Qt's stack
        overflows."""
        width, area = self.width(), self.parentWidget()
        while area is not None and not isinstance(area, QScrollArea):
            area = area.parentWidget()
        content = area.widget() if area is not None else None
        if area is not None and content is not None:
            around = content.width() - width
            bar = area.verticalScrollBar().sizeHint().width()
            width = min(width, area.contentsRect().width() - bar - around)
        return max(1.0, width - 4.0)

    def _set(self, formulas: list[str]) -> bool:
        """Return True if all formulas are typeset; if not, `_on_done` is called for each of them."""
        self._awaited = [formula for formula in formulas if not typesetter().ready(formula)]
        return not self._awaited

    def _packed(self, room: float, size: float) -> list[list[tuple[str, str]]]:
        """Return lines of as many pieces as fit."""
        gaps = {"": 0.25, r"\quad": 1.0, r"\qquad": 2.0}  # Spaces between pieces, in units of the type size.
        lines: list[list[tuple[str, str]]] = []
        used = 0.0
        for joint, piece in self._pieces:
            width = formula_size(_line([("", piece)]), size)[0]
            gap = gaps[joint] * size
            if lines and used + gap + width <= room:
                lines[-1].append((joint, piece))
                used += gap + width
            else:
                lines.append([(joint, piece)])
                used = width
        return lines

    def _type_size(self) -> float:
        """Return the size of the type, in pixels; formulas are a little larger than text."""
        return 1.25 * self.fontInfo().pixelSize()

    # Qt -----------------------------------------------------------------------------------------------
    def sizeHint(self) -> QSize:
        """Return the size of the formula, in lines that fit."""
        return QSize(200, round(self._extent or 1.6 * self._type_size()) + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break the formula into other lines for another width."""
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
        """Draw the lines of the formula, or the expression."""
        ink = current_theme().text
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for line, y in self._lines:
            draw_formula(painter, QPointF(1, y), line, self._size, ink)
        if self._as_text:
            painter.setPen(ink)
            painter.drawText(QRect(1, 0, round(self._room()), self.height()), WRAPPED, self._instead)
