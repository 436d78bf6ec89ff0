"""Several fits of the same data compared: all their numbers side by side, or where in the plane they
disagree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.core.params import choice
from kernelviz.engine.models.sampling import GridSample
from kernelviz.engine.numbers.declared import NUMBERS, label
from kernelviz.runtime.messages import Failure, Frame
from kernelviz.scene.axes import Curve
from kernelviz.scene.curve.layers import FITS, fit_ink
from kernelviz.scene.figure.colours import masked_image
from kernelviz.scene.figure.legend import KEY_LENGTH, Entry, key_scale, stroke
from kernelviz.scene.figure.stamps import Stamps
from kernelviz.scene.figure.strokes import pen, tinted
from kernelviz.scene.figure.style import Style
from kernelviz.scene.landscape import clipped_points
from kernelviz.scene.layers import Coordinates, Layer
from kernelviz.scene.plot_layers import Lines
from kernelviz.scene.plots import Field
from kernelviz.scene.rows import NamedValue, ValueRows
from kernelviz.scene.view import DocumentView, Now, Scene, View, ViewMemory, message
from kernelviz.scene.wording import fit_names, number_shown
from kernelviz.session.report import about_disagreement, compared
from kernelviz.session.state import LETTERS
from kernelviz.session.view import ViewRange


@dataclass(frozen=True)
class ComparisonView(DocumentView):
    """A table with a column for each fit, or the part of the plane that they put on different sides.

    It waits until all fits have answered for the same points; meanwhile the last comparison stays."""

    name = "comparison"
    title = "Compare"
    family = "Generalise"
    summary_line = "Several fits side by side: all their numbers, and where in the plane they disagree."
    number = 19
    pictured = (
        "moons(n=40, noise=0.2)",
        "linear ; soft-margin-svm(C=1)",
        "rbf(gamma=2) ; soft-margin-svm(C=10)",
    )
    in_background = True
    all_fits = True
    scrolls = True

    face: str = choice(
        "numbers",
        ("numbers", "difference"),
        label="Show",
        help="All numbers side by side, or where in the plane the fits disagree",
    )

    def without_fit(self, failure: Failure | None, now: Now, memory: ViewMemory) -> Scene:
        if len(now.answers) < 2:
            return View.without_fit(self, failure, now, memory)
        return self.scene(None, now, memory)

    def scene(self, frame: Frame | None, now: Now, memory: ViewMemory) -> Scene:
        """Return the table or the difference of all fits, or a message that names those that could not be
        fitted."""
        frames: tuple[Frame, ...] = memory.recall("frames") or ()
        for letter, answer in zip(LETTERS, now.answers, strict=False):
            if isinstance(answer, Failure):
                return message(f"There is no fit {letter} to compare. {answer.sentence}")
        latest = tuple(answer for answer in now.answers if isinstance(answer, Frame))
        if len(latest) == len(now.answers) and len({each.stamp for each in latest}) < 2:
            frames = latest  # Otherwise the other answers are on their way, and the last ones stay.
        one_fit = "There is only one fit. Press A|B in the toolbar to add another to compare it with."
        if len(frames) < 2:
            return message(one_fit)
        memory.note("frames", frames)
        table, field = memory.keep("nodes", frames, lambda: _compared(frames))
        shown = field if self.face == "difference" and field is not None else table
        return Scene(shown, ("face",) if field is not None else ())


def _compared(frames: Sequence[Frame]) -> tuple[ValueRows, Field | None]:
    """Return the table, and the difference in the plane where the fits have one."""
    found = compared([frame.model for frame in frames], [_report(frame) for frame in frames])
    longest_name = 100  # Letters of the name of a fit, which has a line of its own.
    names = fit_names([frame.request.fits[frame.fit] for frame in frames], longest_name)
    letters = tuple(LETTERS[: len(frames)])
    ties = [label(key) for key, best in found["better"].items() if len(best) == len(frames)]
    tied = [f"A tie: {', '.join(ties)}."] if ties else []
    unfinished = (f"{fit['name']}: {fit['message']}" for fit in found["fits"] if not fit["converged"])
    table = ValueRows(
        part="table",
        items=tuple(_items(found)),
        columns=letters,
        head=tuple(f"{letter}: {name}" for letter, name in zip(letters, names, strict=True)),
        remarks=(*tied, *about_disagreement(found), *unfinished),
        largest=1.0,
    )
    changing = found["disagree"]
    return table, None if changing is None else _difference(frames, np.array(changing, dtype=np.intp))


def _report(frame: Frame) -> dict[str, Any]:
    """Return the report of a fit, without further computation."""
    model = frame.model
    return {
        "n": model.problem.n,
        "kernel": str(model.problem.kernel),
        "algorithm": str(model.algorithm),
        "converged": model.converged,
        "message": model.message,
        "summary": {**model.numbers, **(frame.test.summary() if frame.test is not None else {})},
    }


def _items(found: dict[str, Any]) -> list[NamedValue]:
    """Return a row for each number that at least one fit has."""
    letters, items = LETTERS[: len(found["fits"])], []
    for key, declared in NUMBERS.items():
        values = found["numbers"].get(key)
        if key == "loss":  # each algorithm has its own
            continue
        if values is None or all(value is None for value in values):
            continue
        better = found["better"].get(key, [])
        best = frozenset() if len(better) == len(letters) else frozenset(map(letters.index, better))
        duals = found["numbers"]["dual_objective"]
        cells = ("–" if v is None else number_shown(key, v, d) for v, d in zip(values, duals, strict=True))
        items.append(NamedValue(declared.label, cells=tuple(cells), best=best))
    return items


# The difference in the plane --------------------------------------------------------------------------------
def _difference(frames: Sequence[Frame], changing: Indices) -> Field | None:
    """Return the boundaries of all fits, the part of the view that lies on different sides of them, and the
    points that do; None where the fits have no fields in the plane of the same resolution."""
    samples = [frame.sample for frame in frames]
    fields = [s.field for s in samples if isinstance(s, GridSample) and s.field is not None]
    if len(fields) < len(frames) or len({field.shape for field in fields}) != 1:
        return None
    sides = [
        field.argmax(axis=0) if field.ndim == 3 else np.sign(field)
        for field, frame in zip(fields, frames, strict=True)
        if frame.model.is_classifier
    ]
    apart = np.any([own != sides[0] for own in sides[1:]], axis=0)
    data, grid = frames[0].data, samples[0].grid
    boundary = 1.9  # Width of a boundary, as on the canvas.
    boundaries = (
        Lines.joined(
            f"boundary of {LETTERS[k]}",
            dict(sample.lines).get(0.0, ()),
            Curve("", f"class {FITS[k % len(FITS)]}", boundary),
        )
        for k, sample in enumerate(samples)
    )
    points = clipped_points(data)
    named = [Entry(f"boundary of {LETTERS[k]}", _sample(k)) for k in range(len(frames))]
    share = Entry(f"they disagree: {100 * float(apart.mean()):.3g} % of the view", _swatch)
    return Field(
        part="difference",
        view=ViewRange(grid.left, grid.right, grid.bottom, grid.top),
        ground=(Apart(part="apart", mask=apart), *boundaries),
        layers=(points, SideChangeRings(part="changing", x=points.x[changing], y=points.y[changing])),
        legend=(*named, share, Entry(f"changes sides: {len(changing)}", _draw_ring)),
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class Apart(Layer):
    """The part of the plane in which the fits disagree."""

    mask: NDArray[np.bool_]  # (rows, columns), on the nodes of the grid.

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(axes.inner, masked_image(self.mask, _tint(axes.style)))


@dataclass(frozen=True, eq=False, kw_only=True)
class SideChangeRings(Layer):
    """Rings around the points that change sides."""

    x: Array
    y: Array

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        painter.setClipRect(axes.inner)
        for at in axes.at(self.x, self.y).tolist():
            _draw_ring(painter, QPointF(*at), axes.style)


def _tint(style: Style) -> QColor:
    """Return the colour of the part on which the fits disagree."""
    tint = 0.4  # Opacity of the part of the plane on which the fits disagree.
    return tinted(style.theme.highlight, tint)


@cache  # so that two legends of the same fits are equal
def _sample(k: int) -> Any:
    """Return the sample of the boundary of the k-th fit in the legend."""
    return stroke(fit_ink(k))


def _swatch(painter: QPainter, at: QPointF, style: Style) -> None:
    """Draw the sample of the part on which the fits disagree."""
    half = (KEY_LENGTH - 1) * key_scale(style)
    painter.fillRect(QRectF(at.x() - half, at.y() - 0.5 * half, 2 * half, half), _tint(style))


def _draw_ring(painter: QPainter, at: QPointF, style: Style) -> None:
    """Draw the ring around a point that changes sides; also its sample in the legend."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen(style.theme.ink, style.ring_width))
    painter.drawEllipse(at, *[style.ring_radius(0.0)] * 2)
