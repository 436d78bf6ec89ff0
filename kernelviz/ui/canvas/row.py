"""The plots of several fits of the same data, side by side: all of the same size and with the same view.

With a single fit there is one plot, which fills the canvas and has no title."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import Any

from PySide6.QtCore import QSize, QSizeF, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from kernelviz.scene.wording import fit_names
from kernelviz.scene.workspace_painter import Decoration
from kernelviz.session.session import Session
from kernelviz.session.state import LETTERS
from kernelviz.session.view import Look, ViewRange, sane, surrounds, widened
from kernelviz.ui.canvas.area import MOST_BELOW, MOST_OF_SEVERAL
from kernelviz.ui.canvas.plot import CanvasPlot

LEAST = 220  # Pixels: where plots would be smaller, only that of the active fit is seen.
AIR = 2  # Pixels between two of them.


class PlotRow(QWidget):
    """A plot for each fit, made when it is first needed. Where plots would be too small, or where fits are
    drawn over each other, there is one, which shows the active fit.

    The first plot has the legend and decides which part of the plane all of them show. The view lives in its
    area: `follow` takes it from the session, `write_view` writes it back once the user has moved it, and
    `refit` copies it to the other plots."""

    resized = Signal()
    stale = Signal()  # Something has to be drawn again.

    def __init__(self, session: Session, make: Callable[[], CanvasPlot], lays_over: bool) -> None:
        super().__init__()
        self._session, self._make, self._lays_over = session, make, lays_over
        self.plots: list[CanvasPlot] = []
        self.shown: list[CanvasPlot] = []  # The visible ones, in the order of their fits.
        self._add()
        self.shown = self.plots[:]
        self.scene, self.area = self.plots[0].scene, self.plots[0].area
        self.scene.explained = self._explained

    def _add(self) -> None:
        """Make one more plot, with the present view and the commands of its title."""
        plot, session = self._make(), self._session
        look = session.look
        plot.area.set_equal_units("equal_aspect" in look.shown)
        plot.area.look_at(sane(look.limits or look.view))

        def close() -> None:
            if len(session.document.fits) > 1:  # a quick second click comes before the titles are gone
                name = f"close fit {LETTERS[plot.number]}"
                session.replace(name, session.document.without_fit(plot.number))

        plot.title.pressed.connect(lambda: session.activate(plot.number))
        plot.title.close_wanted.connect(close)
        plot.outgrown.connect(self.refit)
        plot.setParent(self)
        plot.show()
        self.plots.append(plot)

    @property
    def count(self) -> int:
        """Return the number of fits shown side by side."""
        return 1 if self._lays_over else len(self._session.document.fits)

    @property
    def together(self) -> bool:
        """Return True if more than one plot is visible."""
        return len(self.shown) > 1

    @property
    def active(self) -> CanvasPlot:
        """Return the plot of the fit that the panels edit."""
        return next((plot for plot in self.shown if plot.is_active), self.shown[0])

    def arrange(self) -> None:
        """Show as many plots as there are fits, if there is room for them."""
        before, count = self.shown, self.count
        together = count > 1 and min(self._cell_size(count).toTuple()) >= LEAST
        while together and len(self.plots) < count:
            self._add()
        self.shown = self.plots[:count] if together else self.plots[:1]
        for k, plot in enumerate(self.shown):
            if plot not in before:
                plot.fit = k
                plot.show_no_fit()
                plot.show_state(self._session.state)
                plot.show_latest()
            else:
                plot.show_fit(k if together else None)
        self.plots[0].area.most_below = MOST_OF_SEVERAL if together else MOST_BELOW
        self.place()
        self.show_titles()

    def flip(self, on: bool) -> None:
        """Show the next fit where only one is visible, until it is called with False."""
        if self.count > 1 and not self.together:
            self.plots[0].show_fit((self._session.document.active + 1) % self.count if on else None)
            self.show_titles()
            self.stale.emit()

    def show_titles(self) -> None:
        """Write which fit is where, and mark the active one."""
        document, several = self._session.document, self.count > 1
        names = fit_names(document.fits)
        for plot in self.plots:
            visible = plot in self.shown
            if not visible and plot.isAncestorOf(self.window().focusWidget()):
                # Otherwise Qt would give the keyboard to the next control, such as a text field.
                self.active.area.setFocus()
            plot.setVisible(visible)
            plot.title.setVisible(several)
            plot.area.show_outline(self.together and plot.is_active)
            if several and visible:
                k = plot.number
                plot.title.show_fit(k, names[k], document.fits[k], plot.is_active)

    def _explained(self) -> list[Decoration[Any]]:
        """Return the fits that the legend explains: all that are seen."""
        return [shown for plot in self.shown if (shown := plot.scene.decoration) is not None]

    # The view ------------------------------------------------------------------------------------------
    def look_at(self, view: ViewRange) -> None:
        """Show a part of the plane, or a little more where equal units require it."""
        self.area.look_at(sane(view))
        if self.together:
            self.place()
        self.refit()

    def follow(self, old: Look | None, new: Look) -> None:
        """Show the view of the session if something else than the canvas has changed it."""
        equal, limits = "equal_aspect" in new.shown, new.limits
        self.area.set_equal_units(equal)
        if old is None or new.view not in (old.view, self.area.view):
            self.look_at(limits or self._unwidened(new.view))
        elif limits is not None and limits != old.limits and sane(limits) != self.area.asked:
            self.look_at(limits)
        elif equal != ("equal_aspect" in old.shown):
            self.refit()

    def _unwidened(self, view: ViewRange) -> ViewRange:
        """Return the view to request in order to see `view`: the extent of all points if `view` is that
        extent, widened for equal units in a plot of another shape. Otherwise the points would shrink from
        shape to shape."""
        document = self._session.document
        extent = document.workspace.extent(document.data)
        equal = "equal_aspect" in self._session.look.shown
        return extent if equal and surrounds(view, extent) else view

    def write_view(self) -> None:
        """Set the view of the session to the part that is seen, so that the worker computes it."""
        look, view = self._session.look, self.area.view
        limits = look.limits
        if limits is not None and sane(limits) != self.area.asked:
            limits = None
        if (view, limits) != (look.view, look.limits) and min(self.area.pixels) >= 1:
            self._session.adjust(view=view, limits=limits)

    def refit(self, *, resized: bool = False) -> None:
        """Lay out the axes for the view and the size, and draw everything again."""
        for plot in self.plots:
            if plot.area is self.area:
                plot.area.lay_out(afresh=resized)
            else:
                # A copy to the last bit, so that a backdrop painted for one serves all: pyqtgraph's links of
                # axes align views by their places on the screen, which rounds.
                plot.area.set_equal_units(False)
                plot.area.lay_out(afresh=resized, like=self.area)
                plot.area.look_at(self.area.view)
            plot.scene.refit(resized=resized)
            plot.area.viewport().update()
        self.stale.emit()

    def settle_legend(self) -> None:
        """Move the legend off the points; the plane shrinks to make room for it below, or grows back."""
        width, height = self.area.pixels
        height += self.area.row_below
        if self.scene.legend.due and width >= 1 and height >= 1:
            equal = "equal_aspect" in self.scene.shown
            view = widened(self.area.asked, width / height) if equal else self.area.asked
            if self.scene.settle_legend(view, QSizeF(width, height)):
                self.refit(resized=True)

    # Where ---------------------------------------------------------------------------------------------
    def _columns(self, count: int) -> int:
        """Return the number of columns for which the plots show the view largest; equal units give it its
        shape. Plots that are large enough to be read come first."""
        view, equal = self.area.asked, "equal_aspect" in self._session.look.shown
        shape = (view.right - view.left) / (view.top - view.bottom) if equal else 1.0
        across, down = self.area.around_axes
        title = self.plots[0].title.sizeHint().height()

        def size_of_view(columns: int) -> tuple[bool, float]:
            cell = self._cell_in(columns, count)
            sides = (cell.width() - across) / shape, cell.height() - down - title
            return min(cell.toTuple()) >= LEAST, min(sides)

        return max(range(count, 0, -1), key=size_of_view)

    def _cell_in(self, columns: int, count: int) -> QSize:
        """Return the size of each of `count` plots in a grid of `columns`."""
        rows = ceil(count / columns)
        return QSize(
            (self.width() - AIR * (columns - 1)) // columns, (self.height() - AIR * (rows - 1)) // rows
        )

    def _cell_size(self, count: int) -> QSize:
        """Return the size of each of `count` plots."""
        return self._cell_in(self._columns(count), count)

    @property
    def cell_size(self) -> QSize:
        """Return the size of a visible plot with its title."""
        return self._cell_size(len(self.shown))

    def place(self) -> None:
        """Give every visible plot its place."""
        size, columns = self.cell_size, self._columns(len(self.shown))
        for k, plot in enumerate(self.shown):
            row, column = divmod(k, columns)
            plot.setGeometry(
                column * (size.width() + AIR), row * (size.height() + AIR), size.width(), size.height()
            )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    def minimumSizeHint(self) -> QSize:
        return self.plots[0].minimumSizeHint()

    def sizeHint(self) -> QSize:
        return self.plots[0].sizeHint()
