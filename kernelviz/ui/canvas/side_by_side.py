"""Several fits of the same data on canvases side by side, below a line that tells which is which."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from kernelviz.engine.fits.parsing import Fit
from kernelviz.scene.icons import icon
from kernelviz.scene.wording import fit_names
from kernelviz.session.state import LETTERS, State
from kernelviz.ui.canvas.area import MOST_BELOW, MOST_OF_SEVERAL
from kernelviz.ui.canvas.pane import Pane
from kernelviz.ui.widgets.buttons import ToolButton
from kernelviz.ui.widgets.labels import Elided, Label, plain

LEAST = 220  # Pixels: where canvases would be smaller, only that of the active fit is seen.
AIR = 2  # Pixels between two of them.


class Title(QWidget):
    """Letter and name of a fit; a press chooses it, a cross closes it."""

    pressed = Signal()
    close_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.letter = Label()
        self.letter.setProperty("role", "heading")
        self.name = Elided()
        self.cross = ToolButton()
        self.cross.setIcon(icon("close"))
        self.cross.setAccessibleName("Close this fit")
        self.cross.clicked.connect(self.close_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 1, 4, 1)
        row.setSpacing(6)
        row.addWidget(self.letter)
        row.addWidget(self.name, 1)
        row.addWidget(self.cross)

    def show_fit(self, k: int, name: str, fit: Fit, active: bool) -> None:
        """Say which fit is shown below it."""
        self.letter.setText(LETTERS[k])
        self.letter.setProperty("role", "chosen" if active else "heading")
        self.letter.style().polish(self.letter)
        self.name.set_text(name)
        self.setToolTip(plain(f"{LETTERS[k]}: {fit}"))
        self.cross.setToolTip(f"Close fit {LETTERS[k]}")
        self.cross.setAccessibleName(f"Close fit {LETTERS[k]}")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()
        self.pressed.emit()


class Cell(QWidget):
    """A canvas below its title, which is there only beside others."""

    def __init__(self, content: QWidget) -> None:
        super().__init__()
        self.title = Title()
        self.title.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.title)
        column.addWidget(content, 1)


class SideBySide(QWidget):
    """The plot of a canvas, and beside it those of its companions: one for each further fit, made when it is
    first needed. All are of the same size; where that would be too small, the first one shows the active fit
    and the others rest."""

    def __init__(self, leader: Pane, plot: QWidget, companion: Callable[[], Pane]) -> None:
        super().__init__()
        self._leader = leader
        self._companion = companion
        self.panes: list[Pane] = [leader]
        self.cells: list[Cell] = []
        self.together = False  # Whether more than one is seen.
        self._add_cell(plot)

    def _add_cell(self, content: QWidget) -> None:
        cell, k = Cell(content), len(self.cells)
        cell.title.pressed.connect(lambda: self._leader.workbench.session.activate(self._fit_in(k)))
        cell.title.close_wanted.connect(lambda: self._close(self._fit_in(k)))
        cell.setParent(self)
        cell.show()
        self.cells.append(cell)

    def _fit_in(self, k: int) -> int:
        """Return which fit is in a cell."""
        fit = self.panes[k].fit
        return self._leader.workbench.session.document.active if fit is None else fit

    def _close(self, k: int) -> None:
        session = self._leader.workbench.session
        session.replace(f"close fit {LETTERS[k]}", session.document.without_fit(k))

    # How many ---------------------------------------------------------------------------------------------
    @property
    def _count(self) -> int:
        return len(self._leader.workbench.session.document.fits)

    @property
    def shown(self) -> list[Pane]:
        """Return the visible panes, in the order of their fits."""
        return self.panes[: self._count] if self.together else [self._leader]

    def follow(self, old: State, new: State) -> None:
        """Show a change of the session."""
        before, now = old.document, new.document
        if len(before.fits) != len(now.fits):
            self.arrange()
        elif before.fits != now.fits or before.active != now.active:
            self.show_titles()

    def arrange(self) -> None:
        """Show as many panes as there are fits, if there is room for them."""
        count = self._count
        self.together = count > 1 and min(self._cell_size(count).toTuple()) >= LEAST
        while self.together and len(self.panes) < count:
            made = self._companion()
            self.panes.append(made)
            self._add_cell(made)
        for k, pane in enumerate(self.panes):
            pane.show_fit(k if self.together else None, resting=k > 0 and pane not in self.shown)
        self._leader.area.most_below = MOST_OF_SEVERAL if self.together else MOST_BELOW
        self._place()
        self.show_titles()
        for pane in self.shown:
            pane.update_style()

    def flip(self, on: bool) -> None:
        """Show the next fit where only one is visible, until it is called with False."""
        document = self._leader.workbench.session.document
        if self._count > 1 and not self.together:
            self._leader.show_fit((document.active + 1) % self._count if on else None)
            self.show_titles()

    def show_titles(self) -> None:
        """Write which fit is where, and mark the active one."""
        document = self._leader.workbench.session.document
        names, had_keys = fit_names(document.fits), any(pane.area.hasFocus() for pane in self.panes)
        for k, (pane, cell) in enumerate(zip(self.panes, self.cells, strict=True)):
            cell.setVisible(pane in self.shown)
            cell.title.setVisible(self._count > 1)
            pane.area.show_outline(self.together and pane.is_active)
            if pane in self.shown and pane.is_active:
                self._leader.setFocusProxy(pane.area)
                if had_keys:
                    pane.area.setFocus()
            if self._count > 1 and pane in self.shown:
                fit = self._fit_in(k)
                cell.title.show_fit(fit, names[fit], document.fits[fit], fit == document.active)

    # Where ------------------------------------------------------------------------------------------------
    def _columns(self, count: int) -> int:
        """Return the number of columns for which the shorter sides of the cells are longest."""
        sides = {
            columns: min(self.width() // columns, self.height() // ceil(count / columns))
            for columns in range(count, 0, -1)
        }
        return max(sides, key=lambda columns: sides[columns])

    def _cell_size(self, count: int) -> QSize:
        columns = self._columns(count)
        rows = ceil(count / columns)
        return QSize(
            (self.width() - AIR * (columns - 1)) // columns, (self.height() - AIR * (rows - 1)) // rows
        )

    @property
    def cell_size(self) -> QSize:
        """Return the size of a visible cell."""
        return self._cell_size(len(self.shown))

    def _place(self) -> None:
        count, size = len(self.shown), self.cell_size
        columns = self._columns(count)
        for k in range(count):
            row, column = divmod(k, columns)
            self.cells[k].setGeometry(
                column * (size.width() + AIR), row * (size.height() + AIR), size.width(), size.height()
            )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._count > 1:
            self.arrange()
        else:
            self._place()

    def minimumSizeHint(self) -> QSize:
        return self.cells[0].minimumSizeHint()

    def sizeHint(self) -> QSize:
        return self.cells[0].sizeHint()
