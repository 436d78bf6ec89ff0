"""The chart of model selection: a map of two numbers or curves over one, and the settings worth a look.

Signs mark settings: ○ the best (of equal ones the simplest), □ the simplest within one standard error of it,
✕ the one that the training error would have chosen if that is clearly worse, + or a line the present fit,
and ▲ the top of the way uphill on the likelihood."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPainterPath, QPolygonF

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.selection.choice import Selection
from kernelviz.engine.selection.grid import GridAxis
from kernelviz.engine.solvers.likelihood import Ascent
from kernelviz.scene.axes import Axis, Curve, written
from kernelviz.scene.figure.colours import blend
from kernelviz.scene.figure.stamps import Stamps
from kernelviz.scene.figure.strokes import pen
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.text import draw_text, text_width
from kernelviz.scene.insight.parts.errors import HELD_OUT, TRAINING, error_axis
from kernelviz.scene.layers import Coordinates, Layer
from kernelviz.scene.nodes import Column, Custom, Either, Hit, Marks, Node, Size
from kernelviz.scene.plot_layers import Dots, Lines, Upright
from kernelviz.scene.plots import Plot
from kernelviz.scene.wording import error_shown, shown

# By the name of the face: the number of an outcome.
FACES = {
    "validation": "error",
    "training": "training_error",
    "true": "true_error",
    "likelihood": "likelihood",
}
ERROR_CURVES = {
    "validation": replace(HELD_OUT, name="validation"),
    "training": replace(TRAINING, name="training"),
    "true": Curve("true", "ink", 1.3, (1.0, 2.0)),
    "likelihood": Curve("likelihood", "highlight", 1.8),
}
SPREAD = Curve("", "highlight", 0.8)
STRONGEST = 0.85  # Share of the accent in the colour of the best cell.
SIGN = 0.75  # Half the size of a sign, in units of the type.


def limits(values: Array, rising: bool) -> tuple[float, float] | None:
    """Return the values with the palest and the strongest colour: the worst quarter, or half of the
    likelihoods, which may be bad without bound, is paper. Where all but fewer are equally good, only the very
    worst is. None without any value."""
    known = values[np.isfinite(values)]
    if not len(known):
        return None
    goodness = known if rising else -known
    worst, best = float(np.quantile(goodness, 0.5 if rising else 0.25)), float(goodness.max())
    if worst == best:
        worst = float(goodness.min())
    return (worst, best) if rising else (-worst, -best)


def strength(values: Array, rising: bool) -> Array:
    """Return the strength of the colour of each value, in the shape of the values: 1 for the best, 0 for the
    worst of `limits` and all beyond it, NaN where there is no value."""
    worst, best = limits(values, rising) or (0.0, 0.0)
    away = max(abs(best - worst), 1e-300) * (1.0 if rising else -1.0)
    return np.clip((values - worst) / away, 0.0, 1.0)


def borders(numbers: GridAxis) -> Array:
    """Return where the cells of a map begin and end: midway between the values, on their scale."""
    values = np.array(numbers.values)
    ruled = np.log(values) if logarithmic(numbers) else values
    middles = 0.5 * (ruled[1:] + ruled[:-1])
    ends = np.r_[2.0 * ruled[0] - middles[0], middles, 2.0 * ruled[-1] - middles[-1]]
    return np.asarray(np.exp(ends) if logarithmic(numbers) else ends)


def logarithmic(numbers: GridAxis) -> bool:
    """Return True if the values of a number are spaced on a logarithmic scale."""
    return numbers.knob.logarithmic and min(numbers.values) > 0


def _axis(numbers: GridAxis, ends: Array) -> Axis:
    """Return the axis of a number."""
    name = f"{numbers.knob.parameter.label} of {numbers.knob.owner}"
    return Axis(float(min(ends)), float(max(ends)), name, log=logarithmic(numbers))


@dataclass(frozen=True, eq=False)
class SettingsChart:
    """The results of the settings so far, the best ones, and the present fit; `node` draws them.

    `face` selects the number of every setting that is drawn: the error on points left out, on those fitted
    or on fresh ones, or the likelihood. Settings not tried yet, or that could not be fitted, are NaN."""

    selection: Selection
    face: str
    present: tuple[float, ...]  # The numbers of the fit as it is.
    squares: bool  # Whether errors are mean squares, not shares of mistakes.
    ascent: Ascent | None  # The way uphill on the likelihood from there.

    @cached_property
    def values(self) -> Array:
        """The numbers of the face, in the shape of the grid."""
        return self.selection.face(FACES[self.face])

    @cached_property
    def judged(self) -> Selection:
        """The selection by the number that is shown, if that is a way to choose; never by training error."""
        return replace(self.selection, by="likelihood") if self.face == "likelihood" else self.selection

    @property
    def summary(self) -> str:
        """A summary of all settings, once they are computed."""
        known = self.selection
        return known.message if known.done == len(known.outcomes) else ""

    # The plot -------------------------------------------------------------------------------------------
    @property
    def node(self) -> Node:
        """The chart: a plot with a line above it that explains its signs, and below a map a key of its
        colours."""
        axes, full, brief = self.selection.grid.axes, [], []
        for name, value, short in self._choices():
            full.append(written(name, value))
            brief.append(written(short))
        flat = len(axes) == 2
        x, y = (
            (_axis(axes[1], borders(axes[1])), _axis(axes[0], borders(axes[0])))
            if flat
            else (_axis(axes[0], np.array(axes[0].values)), self._height())
        )
        drawn = self._map() if flat else list(self._curves())
        found = SettingFinder(
            part="settings", cell_at=lambda at: self._cell_at(x, y, at), place=self._place, tip=self._words
        )
        plot = Plot(
            part="chart",
            x=x,
            y=y,
            layers=(*drawn, *self._signs(), found),
            legend=tuple(full),
            shorter=(tuple(full), *(tuple(brief[:count]) for count in range(len(brief), 0, -1))),
        )
        ends = limits(self.values, self.face == "likelihood")
        if not flat or ends is None or ends[0] == ends[1]:
            return plot
        more = "or less" if self.face == "likelihood" else "or more"
        key = Custom("key", (f"{self._written(ends[0])} {more}", self._written(ends[1])), draw_key)
        key_height = 1.7  # Height of the colour key.
        with_key = Column(((plot, None), (key, Size(lines=key_height))))
        low = 18.0  # Height of the chart below which there is no key.
        return Either(lambda _width, height: height < low, plot, with_key)

    def _height(self) -> Axis:
        """Return the vertical axis of curves."""
        known = self.values[np.isfinite(self.values)]
        if self.face == "likelihood":
            if not len(known):
                return Axis(0.0, 2.0)
            high = float(known.max())
            low = max(float(known.min()), high - 10.0 * (high - float(np.median(known))))
            return Axis(low, high + 1.0)
        spread = np.nan_to_num(self.selection.face("spread"))
        return error_axis(float(np.nanmax(np.r_[0.0, (self.values + spread).ravel()])), self.squares)

    def _map(self) -> list[Layer]:
        down, across = self.selection.grid.axes
        texts = tuple(self._text(cell) for cell in range(self.values.size))
        shades = strength(self.values, self.face == "likelihood").ravel()
        return [Cells(part="cells", x=borders(across), y=borders(down), shades=shades, texts=texts)]

    def _curves(self) -> Iterator[Layer]:
        """Yield all errors as far as they are known, the one of the face stronger; or the likelihood."""
        at = np.array(self.selection.grid.axes[0].values)
        for face, curve in ERROR_CURVES.items():
            values = self.selection.face(FACES[face])
            if (face == "likelihood") == (self.face == "likelihood") and np.isfinite(values).any():
                drawn = curve if face == self.face else replace(curve, width=0.8)
                yield Lines(part=face, x=at, y=values, curve=drawn, number="")
        if self.face == "validation":
            spread = self.selection.face("spread")
            ends = zip(at, self.values - spread, self.values + spread, strict=True)
            yield Lines.joined("spread", [np.array([[x, y], [x, z]]) for x, y, z in ends], SPREAD)

    # The settings worth a look --------------------------------------------------------------------------
    def _place(self, cell: int) -> tuple[float, float]:
        """Return where a setting is, in the units of the axes."""
        first, *second = self._numbers(cell)
        return (second[0], first) if second else (first, float(self.values.ravel()[cell]))

    def _numbers(self, cell: int) -> tuple[float, ...]:
        return tuple(self.selection.grid.values_of(cell).values())

    def _text(self, cell: int) -> str:
        """Return the text in a cell of the map; curves have no cells."""
        value = float(self.values.ravel()[cell])
        flat = len(self.selection.grid.axes) == 2
        return self._written(value, 2) if flat and np.isfinite(value) else ""

    def _signs(self) -> Iterator[Layer]:
        judged = self.judged
        misled = judged.misled if self.face == "training" else None
        for sign, cell in (("○", judged.best), ("□", judged.one_standard_error), ("✕", misled)):
            if cell is not None:
                x, y = self._place(cell)
                yield Sign(part=sign, x=x, y=y, sign=sign, around=self._text(cell))
        uphill = Curve("", "highlight", 1.6)
        if self.face == "likelihood" and self.ascent is not None:
            places, heights = self.ascent.places, self.ascent.heights
            flat = places.shape[1] == 2
            across, up = (places[:, 1], places[:, 0]) if flat else (places[:, 0], heights)
            yield Lines(part="uphill", x=across, y=up, curve=uphill)
            yield Dots(part="steps", x=across[1:-1], y=up[1:-1], curve=uphill)
            yield Sign(part="top", x=float(across[-1]), y=float(up[-1]), sign="▲")
        if len(self.present) == 1:
            yield Upright(part="present", x=self.present[0], width=1.1)
        elif len(self.present) == 2:
            yield Sign(part="present", x=self.present[1], y=self.present[0], sign="+")

    def _choices(self) -> Iterator[tuple[str, str, str]]:
        """Yield the entries of the legend, most important first: a name, a number, and both in brief."""
        judged = self.judged
        if self.face == "training" and judged.misled is not None:
            error = self._error(self.selection.outcomes[judged.misled].error)
            yield "✕ least training error:", f"{error} on points left out", f"✕ {error} on points left out"
        if judged.best is not None:
            error, equal = self._with_spread(judged.best), len(judged.ties)
            yield (
                "○ best",
                error + (f", simplest of {equal}" if equal > 1 else ""),
                f"○ {error}",
            )
        if judged.one_standard_error is not None:
            error = self._with_spread(judged.one_standard_error)
            yield "□ one standard error", error, f"□ {error}"
        if self.face == "likelihood" and self.ascent is not None:
            height = shown(float(self.ascent.heights[-1]), 4)
            yield "▲ uphill from here", height, f"▲ {height}"

    # In words -------------------------------------------------------------------------------------------
    def _with_spread(self, cell: int) -> str:
        outcome = self.selection.outcomes[cell]
        if self.face == "likelihood":
            return shown(outcome.likelihood, 4)
        return f"{self._error(outcome.error)} ± {self._error(outcome.spread)}"

    def _written(self, value: float, digits: int = 3) -> str:
        """Return a number of the face."""
        return error_shown(value, self.squares or self.face == "likelihood", digits)

    def _error(self, value: float) -> str:
        return error_shown(value, self.squares)

    def _words(self, cell: int) -> str:
        """Describe a setting, as in "γ = 1, C = 10: left out 8 % ± 2 %, training 3 % (mean of the folds)",
        and below that the summary of all."""
        outcome = self.selection.outcomes[cell]
        if not np.isfinite(outcome.converged):
            return self.summary
        axes = zip(self.selection.grid.axes, self._numbers(cell), strict=True)
        named = ", ".join(f"{axis.knob.parameter.label} = {shown(value, 4)}" for axis, value in axes)
        errors = {
            "left out": (outcome.error, f" ± {self._error(outcome.spread)}"),
            "training": (outcome.training_error, " (mean of the folds)" if self.selection.by == "cv" else ""),
            "true": (outcome.true_error, ""),
        }
        parts = [f"{what} {self._error(e)}{more}" for what, (e, more) in errors.items() if np.isfinite(e)]
        if np.isfinite(outcome.likelihood):
            parts.append(f"log likelihood {shown(outcome.likelihood, 4)}")
        words = f"{named}: {', '.join(parts) or 'could not be fitted'}"
        return "\n".join(filter(None, (words, self.summary)))

    def _cell_at(self, x: Axis, y: Axis, at: tuple[float, float]) -> int:
        """Return the number of the setting nearest to a place, given in the units of the axes; a cell of the
        map belongs to its value, as its borders lie midway between two of them."""
        ruled = (y, x) if len(self.selection.grid.axes) == 2 else (x,)
        places = (at[1], at[0]) if len(ruled) == 2 else at[:1]
        steps = [
            int(np.argmin(np.abs(axis.fraction(np.array(numbers.values)) - axis.fraction(place))))
            for axis, numbers, place in zip(ruled, self.selection.grid.axes, places, strict=True)
        ]
        return int(np.ravel_multi_index(steps, self.selection.grid.shape))


# Layers -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True, eq=False, kw_only=True)
class SettingFinder(Layer):
    """Finds the setting under the mouse, whose number is the row of a hit, and marks it with a dot."""

    cell_at: Callable[[tuple[float, float]], int]
    place: Callable[[int], tuple[float, float]]
    tip: Callable[[int], str]

    def mark(self, axes: Coordinates, painter: QPainter, marks: Marks) -> None:
        dot = 0.25  # Radius of the dot at the setting under the mouse, in units of the type.
        if marks.pointed.part == self.part:
            at = axes.at(*self.place(int(marks.pointed.row)))[0]
            if np.isfinite(at).all():
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(axes.style.theme.highlight))
                painter.drawEllipse(QPointF(*at.tolist()), *[dot * axes.style.text] * 2)

    def hit(self, axes: Coordinates, at: QPointF) -> Hit | None:
        place = axes.value_at(at)
        if place is None or not axes.inner.contains(at):
            return None
        cell = self.cell_at(place)
        return Hit(self.part, row=str(cell), tip=self.tip(cell))


@dataclass(frozen=True, eq=False, kw_only=True)
class Cells(Layer):
    """Cells in shades of the accent, with their numbers where there is room."""

    x: Array  # Where the columns begin and end, in the units of the axis.
    y: Array
    shades: Array  # Of every cell, row by row, from 0 to 1; NaN leaves it out.
    texts: tuple[str, ...]

    def rects(self, axes: Coordinates) -> list[QRectF]:
        """Return the places of the cells."""
        xs = axes.at(self.x, float(self.y[0]))[:, 0].tolist()
        ys = axes.at(float(self.x[0]), self.y)[:, 1].tolist()
        rows, columns = range(len(ys) - 1), range(len(xs) - 1)
        corners = ((QPointF(xs[k], ys[j]), QPointF(xs[k + 1], ys[j + 1])) for j in rows for k in columns)
        return [QRectF(*ends).normalized() for ends in corners]

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        style, theme, cells = axes.style, axes.style.theme, self.rects(axes)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for cell, shade in zip(cells, self.shades.tolist(), strict=True):
            if np.isfinite(shade):
                painter.fillRect(cell, QColor(blend(theme.paper, theme.accent, round(STRONGEST * shade, 3))))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for cell, text, shade in zip(cells, self.texts, self.shades.tolist(), strict=True):
            if text_width(text, style.text) > cell.width() or cell.height() < 1.2 * style.text:
                continue
            colour = theme.paper if shade > 0.6 else theme.ink
            draw_text(painter, style, cell.center(), text, colour=colour, anchor="centre", middle=True)


@dataclass(frozen=True, eq=False, kw_only=True)
class Sign(Layer):
    """One of ○, □, ✕, + and ▲ at a place; ○ and □ are wide enough for the number of their cell."""

    x: float
    y: float
    sign: str
    around: str = ""

    # Lines through the places of its corners, in units of its size.
    strokes: ClassVar[dict[str, tuple[tuple[tuple[float, float], ...], ...]]] = {
        "✕": (((-0.7, -0.7), (0.7, 0.7)), ((-0.7, 0.7), (0.7, -0.7))),
        "+": (((-0.8, 0.0), (0.8, 0.0)), ((0.0, -0.8), (0.0, 0.8))),
        "▲": (((0.0, -0.8), (0.7, 0.5), (-0.7, 0.5), (0.0, -0.8)),),
    }

    def box(self, axes: Coordinates) -> QRectF:
        """Return the rectangle of ○ or □, around the number of its cell."""
        text = axes.style.text
        least = 1.0 if self.sign == "○" else 1.4
        wide, high = 2.0 * least * SIGN * text, 2.0 * max(least, 1.25 * bool(self.around)) * SIGN * text
        if self.around:
            wide = max(wide, text_width(self.around, text) + (1.2 if self.sign == "○" else 0.7) * text)
        box = QRectF(0.0, 0.0, wide, high)
        box.moveCenter(QPointF(*axes.at(self.x, self.y)[0].tolist()))
        return box

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        style, size = axes.style, SIGN * axes.style.text
        at = QPointF(*axes.at(self.x, self.y)[0].tolist())
        if not axes.inner.adjusted(-1, -1, 1, 1).contains(at):
            return
        path = QPainterPath()
        if self.sign in "○□":
            room = self.box(axes)
            path.addEllipse(room) if self.sign == "○" else path.addRect(room)
        for corners in self.strokes.get(self.sign, ()):
            path.addPolygon(QPolygonF([at + QPointF(x, y) * size for x, y in corners]))
        colour = style.theme.highlight if self.sign in "✕+▲" else style.theme.ink
        for width, stroke in ((3.2, style.theme.paper), (1.6, colour)):
            painter.strokePath(path, pen(stroke, width * style.strokes))
        if self.sign == "▲":
            painter.fillPath(path, QColor(colour))


def key_bar(worst: str, best: str, rect: QRectF, style: Style) -> QRectF:
    """Return the place of the colour key, between its two words. It is at the left, because the button that
    stops the work covers the right end."""
    text = style.text
    before, after = (text_width(word, text) + 0.5 * text for word in (worst, best))
    button = 7.0  # Width of the button in the corner, in units of the type.
    wide = min(10.0 * text, rect.width() - before - after - button * text)
    return QRectF(rect.left() + before, rect.bottom() - 1.1 * text, wide, 0.8 * text)


def draw_key(worst: str, best: str, painter: QPainter, rect: QRectF, style: Style) -> None:
    """Draw the colours of a map from the worst to the best value."""
    theme, text, bar = style.theme, style.text, key_bar(worst, best, rect, style)
    if bar.width() < text:
        return
    shades = QLinearGradient(bar.topLeft(), bar.topRight())
    shades.setColorAt(0.0, QColor(theme.paper))
    shades.setColorAt(1.0, QColor(blend(theme.paper, theme.accent, STRONGEST)))
    painter.fillRect(bar, shades)
    painter.setPen(pen(theme.soft_ink, style.axis_width))
    painter.drawRect(bar)
    foot = bar.bottom() - 0.05 * text
    left, right = QPointF(bar.left() - 0.4 * text, foot), QPointF(bar.right() + 0.4 * text, foot)
    draw_text(painter, style, left, worst, anchor="right", colour=theme.soft_ink)
    draw_text(painter, style, right, best, colour=theme.soft_ink)
