"""Model selection: how every setting of one or two numbers does, as a curve or a map."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

from kernelviz.drawing.figure.strokes import pen
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.text import draw_text, text_width
from kernelviz.drawing.insight.choice_marks import draw_bars, draw_box, draw_ring, draw_uphill
from kernelviz.drawing.insight.picture import InsightPicture, NothingToShow, PictureMaker, PlotPicture, Remark
from kernelviz.drawing.insight.plot import Axis, Curve, Plot, error_axis, error_curves
from kernelviz.drawing.insight.setting_axes import along, borders, edges
from kernelviz.drawing.insight.stamps import Stamps
from kernelviz.drawing.theme import Theme
from kernelviz.drawing.wording import shown
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Task
from kernelviz.engine.core.params import Declared, choice
from kernelviz.engine.selection.choice import Selection
from kernelviz.engine.solvers.likelihood import Ascent
from kernelviz.runtime.messages import Frame, Verdict

# By the name of the face: the number of an outcome.
FACES = {
    "validation": "error",
    "training": "training_error",
    "true": "true_error",
    "likelihood": "likelihood",
}
MISSING = {
    "true": "The true error is known only of generated points that nobody has edited.",
    "likelihood": "Only a Gaussian process has a likelihood.",
}
STRONGEST = 0.85  # How much of the accent the best cell has.
NUMBERED = 2.6  # Width of a cell, in units of the text's size, from which its number can be read.
ROOMY = 60.0  # Width of a plot, in the same units, from which its curves are named above it.
READABLE = 0.85  # Of the type: words above a plot are not smaller.
BAR = 0.3  # Half the width of an error bar's ends, relative to the type size.


@dataclass(frozen=True)
class SelectionSwitches(Declared):
    """Which number of every setting is seen."""

    name: ClassVar[str] = "model selection"
    face: str = choice(
        "validation",
        tuple(FACES),
        label="Show",
        help="The error on the points left out, on those fitted, on fresh ones, or the likelihood ln p(y)",
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class SelectionPicture(PlotPicture):
    """The settings, the best, the simplest that is not clearly worse, and the present one."""

    title = "Model selection"
    switches = SelectionSwitches

    selection: Selection
    face: str = "validation"
    present: tuple[float, ...] = ()  # The numbers of the fit as it is.
    squares: bool = False
    ascent: Ascent | None = None  # The way uphill on the likelihood from the present numbers.

    @property
    def values(self) -> Array:
        """Of the face, in the shape of the grid."""
        return self.selection.face(FACES[self.face])

    @property
    def ground(self) -> Hashable:
        return self.axes

    @property
    def axes(self) -> tuple[Axis, Axis]:
        numbers = self.selection.grid.axes
        if len(numbers) == 2:
            return edges(numbers[1]), edges(numbers[0])
        return along(numbers[0]), self._height()

    def _height(self) -> Axis:
        known = self.values[np.isfinite(self.values)]
        if self.face == "likelihood":
            low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
            return Axis(
                max(low, high - 10.0 * (high - float(np.median(known)))) if len(known) else low, high + 1.0
            )
        spread = self.selection.face("spread")
        top = np.nanmax(np.r_[0.0, (self.values + np.nan_to_num(spread)).ravel()])
        return error_axis(float(top) if len(known) else 0.0, self.squares)

    def draw_data(self, painter: QPainter, rect: QRectF, style: Style, stamps: Stamps | None) -> None:
        plot = self._plot(rect, style)
        if len(self.selection.grid.axes) == 2:
            self._draw_map(painter, plot)
        else:
            self._draw_curves(painter, plot)
        self._draw_choices(painter, plot)

    # A map of two numbers -------------------------------------------------------------------------------
    def _rectangles(self, plot: Plot) -> list[QRectF]:
        """Of every cell."""
        down, across = self.selection.grid.axes
        xs = plot.at(borders(across), plot.y.low)[:, 0].tolist()
        ys = plot.at(plot.x.low, borders(down))[:, 1].tolist()
        return [
            QRectF(QPointF(xs[k], ys[j]), QPointF(xs[k + 1], ys[j + 1])).normalized()
            for j in range(len(ys) - 1)
            for k in range(len(xs) - 1)
        ]

    def _draw_map(self, painter: QPainter, plot: Plot) -> None:
        style, values = plot.style, self.values.ravel()
        shares = _strength(values, self.face == "likelihood")
        cells = self._rectangles(plot)
        numbered = all(
            cell.width() > NUMBERED * style.text and cell.height() > 1.4 * style.text for cell in cells
        )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for cell, share in zip(cells, shares, strict=True):
            if np.isfinite(share):
                painter.fillRect(
                    cell, _mixed(style.theme.paper, style.theme.accent, STRONGEST * float(share))
                )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if numbered:
            for cell, value, share in zip(cells, values, shares, strict=True):
                if np.isfinite(value):
                    ink = style.theme.paper if share > 0.6 else style.theme.ink
                    at = QPointF(cell.center().x(), cell.center().y() + 0.3 * style.text)
                    text, size = self._told(float(value), short=True), 0.8 * style.text
                    if text_width(text, size) < cell.width():
                        draw_text(painter, style, at, text, points=size, colour=ink, anchor="centre")

    # A curve of one number ------------------------------------------------------------------------------
    def _draw_curves(self, painter: QPainter, plot: Plot) -> None:
        at = np.array(self.selection.grid.axes[0].values)
        for face, curve, values in self._curves(plot.style.theme):
            plot.draw_curve(painter, at, values, curve if face == self.face else replace(curve, width=0.8))
        if self.face == "validation":
            self._draw_bars(painter, plot, at)

    def _curves(self, theme: Theme) -> Iterator[tuple[str, Curve, Array]]:
        """All errors as far as they are known, or the likelihood."""
        for face, curve in _curves(theme).items():
            values = self.selection.face(FACES[face])
            if (face == "likelihood") == (self.face == "likelihood") and np.isfinite(values).any():
                yield face, curve, values

    def _named_curves(self, plot: Plot) -> list[tuple[Curve, str]]:
        """The curves for the line above the plot, where there is room to name them."""
        if len(self.selection.grid.axes) == 2 or plot.inner.width() < ROOMY * plot.style.text:
            return []
        return [(curve, "") for _, curve, _ in self._curves(plot.style.theme)]

    def _draw_bars(self, painter: QPainter, plot: Plot, at: Array) -> None:
        error, spread = self.values, self.selection.face("spread")
        low, high = plot.at(at, error - spread), plot.at(at, error + spread)
        wide = BAR * plot.style.text
        painter.setPen(pen(plot.style.theme.highlight, 0.8 * plot.style.strokes))
        for (x, below), (_, above) in zip(low.tolist(), high.tolist(), strict=True):
            if np.isfinite(below) and np.isfinite(above):
                painter.drawLine(QLineF(x, below, x, above))
                painter.drawLines([QLineF(x - wide, y, x + wide, y) for y in (below, above)])

    # What to choose -------------------------------------------------------------------------------------
    def _place(self, plot: Plot, numbers: tuple[float, ...], height: float) -> QPointF:
        x, y = (numbers[1], numbers[0]) if len(numbers) == 2 else (numbers[0], height)
        return QPointF(*plot.at(x, y)[0].tolist())

    def _draw_choices(self, painter: QPainter, plot: Plot) -> None:
        style, judged = plot.style, self._judged
        size = 0.75 * style.text
        if judged.best is not None:
            at = self._place(plot, self._numbers(judged.best), self._height_of(judged.best))
            draw_ring(painter, style, at, size)
        if judged.one_standard_error is not None:
            cell = judged.one_standard_error
            at = self._place(plot, self._numbers(cell), self._height_of(cell))
            draw_box(painter, style, at, 1.4 * size)
        if self.face == "training" and judged.misled is not None:
            at = self._place(plot, self._numbers(judged.misled), self._height_of(judged.misled))
            draw_bars(painter, style, at, (QPointF(0.7 * size, 0.7 * size), QPointF(0.7 * size, -0.7 * size)))
        if self.face == "likelihood" and self.ascent is not None:
            steps = zip(self.ascent.places.tolist(), self.ascent.heights.tolist(), strict=True)
            draw_uphill(painter, plot, [self._place(plot, tuple(place), height) for place, height in steps])
        self._draw_present(painter, plot)
        plot.draw_strip(painter, self.strip(plot))

    def strip(self, plot: Plot) -> list[tuple[Curve, str]]:
        """The line above the plot, in fewer words and at last with fewer choices where it would be too small
        to read."""
        choices = list(self._choices())
        full = [(Curve(name, "", 0.0), value) for name, value, _ in choices]
        brief = [(Curve(text, "", 0.0), "") for _, _, text in choices]
        fewer = (brief[:count] for count in range(len(brief), 0, -1))
        tried = ([*self._named_curves(plot), *full], full, *fewer)
        return next((told for told in tried if plot.strip_scale(told) >= READABLE), brief[:1])

    def _choices(self) -> Iterator[tuple[str, str, str]]:
        """What is marked, most important first: its name, its number, and both in brief."""
        judged = self._judged
        if self.face == "training" and judged.misled is not None:
            error = self._told(self.selection.outcomes[judged.misled].error)
            yield "✕ least training error:", f"{error} on points left out", f"✕ {error} on points left out"
        if judged.best is not None:
            error, tie = self._with_spread(judged.best), len(judged.ties)
            yield "○ best", error + (f", a tie of {tie}" if tie > 1 else ""), f"○ {error}"
        if judged.one_standard_error is not None:
            error = self._with_spread(judged.one_standard_error)
            yield "□ one standard error", error, f"□ {error}"
        if self.face == "likelihood" and self.ascent is not None:
            height = shown(float(self.ascent.heights[-1]), 4)
            yield "▲ uphill from here", height, f"▲ {height}"

    def _draw_present(self, painter: QPainter, plot: Plot) -> None:
        """Where the fit is now."""
        if len(self.present) == 1:
            plot.draw_upright(painter, self.present[0], 1.1)
        elif len(self.present) == 2:
            at = self._place(plot, self.present, 0.0)
            if plot.inner.adjusted(-1, -1, 1, 1).contains(at):
                size = 0.6 * plot.style.text
                draw_bars(painter, plot.style, at, (QPointF(size, 0.0), QPointF(0.0, size)))

    @property
    def _judged(self) -> Selection:
        """Chosen by what the face shows, where that is a way to choose: never by the training error."""
        return replace(self.selection, by="likelihood") if self.face == "likelihood" else self.selection

    def _numbers(self, cell: int) -> tuple[float, ...]:
        return tuple(self.selection.grid.values_of(cell).values())

    def _height_of(self, cell: int) -> float:
        return float(self.values.ravel()[cell])

    def _with_spread(self, cell: int) -> str:
        outcome = self.selection.outcomes[cell]
        if self.face == "likelihood":
            return shown(outcome.likelihood, 4)
        return f"{self._told(outcome.error)} ± {self._told(outcome.spread)}"

    def _told(self, value: float, short: bool = False) -> str:
        if self.face == "likelihood":
            return shown(value, 3)
        return f"{100 * value:.2g}" if short and not self.squares else self._error(value)

    def _error(self, value: float) -> str:
        return shown(value, 3) if self.squares else f"{100 * value:.3g} %"

    # The mouse ------------------------------------------------------------------------------------------
    def words_at(self, at: QPointF, rect: QRectF, style: Style) -> str:
        """What is known of the setting drawn at a place."""
        cell = self.cell_at(at, rect, style)
        if cell is None or not np.isfinite(self.selection.outcomes[cell].converged):
            return ""
        outcome = self.selection.outcomes[cell]
        axes = zip(self.selection.grid.axes, self._numbers(cell), strict=True)
        named = ", ".join(f"{axis.knob.parameter.label} = {shown(value, 4)}" for axis, value in axes)
        errors = {
            "left out": (outcome.error, f" ± {self._error(outcome.spread)}"),
            "training": (outcome.training_error, ""),
            "true": (outcome.true_error, ""),
        }
        told = [f"{what} {self._error(e)}{more}" for what, (e, more) in errors.items() if np.isfinite(e)]
        if np.isfinite(outcome.likelihood):
            told.append(f"log likelihood {shown(outcome.likelihood, 4)}")
        return f"{named}: {', '.join(told)}" if told else f"{named}: could not be fitted"

    def cell_at(self, at: QPointF, rect: QRectF, style: Style) -> int | None:
        """The setting drawn at a place."""
        plot, axes = self._plot(rect, style), self.selection.grid.axes
        if not plot.inner.contains(at):
            return None
        if len(axes) == 2:
            found = (k for k, cell in enumerate(self._rectangles(plot)) if cell.contains(at))
            return next(found, None)
        xs = plot.at(np.array(axes[0].values), plot.y.low)[:, 0]
        return int(np.argmin(np.abs(xs - at.x())))


@dataclass(frozen=True)
class SelectionMaker(PictureMaker):
    """Makes the picture of what is known of the settings, whatever the frame."""

    selection: Selection | None = None
    present: tuple[float, ...] = ()
    ascent: Ascent | None = None
    task: Task = Task.TWO_CLASSES
    reason: str = "Starts when you stop editing."

    def make(
        self, frame: Frame | None, verdict: Verdict | None = None, before: InsightPicture | None = None
    ) -> InsightPicture:
        if self.selection is None:
            return NothingToShow(reason=self.reason)
        face: str = self.switches.values()["face"]
        done, count = self.selection.done, len(self.selection.outcomes)
        if done and not np.isfinite(self.selection.face(FACES[face])).any():
            return NothingToShow(reason=MISSING.get(face, "No setting could be fitted."))
        return SelectionPicture(
            selection=self.selection,
            face=face,
            present=self.present,
            ascent=self.ascent,
            squares=self.task is Task.REGRESSION,
            remark=Remark(f"{done} of {count}" if done < count else "", "Settings tried out so far"),
        )


def _curves(theme: Theme) -> dict[str, Curve]:
    training, held = error_curves(theme)
    return {
        "validation": replace(held, name="validation"),
        "training": replace(training, name="training"),
        "true": Curve("true", theme.ink, 1.3, (1.0, 2.0)),
        "likelihood": Curve("likelihood", theme.highlight, 1.8),
    }


def _strength(values: Array, rising: bool) -> Array:
    """1 for the best, 0 for the worst quarter, or half of the likelihoods: they may be bad without bound.
    Where all but fewer are equally good, 0 for the very worst."""
    goodness = values if rising else -values
    known = goodness[np.isfinite(goodness)]
    if not len(known):
        return np.full(values.shape, np.nan)
    worst, best = float(np.quantile(known, 0.5 if rising else 0.25)), float(known.max())
    if worst == best:
        worst = float(known.min())
    return np.clip((goodness - worst) / max(best - worst, 1e-300), 0.0, 1.0)


def _mixed(paper: str, ink: str, share: float) -> QColor:
    one, other = QColor(paper), QColor(ink)
    parts = ((one.redF(), other.redF()), (one.greenF(), other.greenF()), (one.blueF(), other.blueF()))
    return QColor.fromRgbF(*(a + share * (b - a) for a, b in parts))
