"""The Gram matrix as colours, its eigenvalues, or the proof that it is indefinite."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from kernelviz.engine.analysis.functions import response, unfitted
from kernelviz.engine.analysis.gram import MERCER, MercerSum, centred, clustered, normalised, pair
from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import choice, integer
from kernelviz.engine.kernels.mercer import MOST_JUDGED, mercer
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.problem import Problem
from kernelviz.runtime.messages import Failure, Frame, Verdict
from kernelviz.scene.axes import Axis, Curve, decades
from kernelviz.scene.insight.mercer_sum import MOST_POINTS, caption, regression
from kernelviz.scene.landscape import can_be_drawn, landscape
from kernelviz.scene.layers import Bars, Discs
from kernelviz.scene.matrix import SCALE, Matrix
from kernelviz.scene.nodes import Blank, Column, Either, Marks, Message, Node, Row, Size, Text, WithSquare
from kernelviz.scene.plots import Field, Plot
from kernelviz.scene.view import Copy, Intent, Memory, Menu, Now, Scene, View, message
from kernelviz.scene.wording import Remark, named, shown
from kernelviz.session.workspaces.registry import workspace_of

ROWS_SHOWN = 300  # Rows shown; of more points every so-many-th.
LOW = 20.0  # Height in units of the type size below which the caption stands to the right of the matrix.
CAPTION = Size(lines=3.1)
LARGEST = 1.3  # Radius of the largest weight of a witness, in units of the type size.
ABOUT_THE_SPECTRUM = (
    "Effective rank: exp(−Σ p ln p), p the shares of the eigenvalues: the number of directions "
    "in which points spread. Condition: the largest eigenvalue over the smallest; digits lost by inverting K."
)


@dataclass(frozen=True)
class GramView(View):
    """Pointing at a cell names its two points and highlights them everywhere. Its row, or that of a point
    that is pointed at or selected elsewhere, is drawn as a function of the input, K(x_i, ·)."""

    name = "gram"
    title = "Gram matrix"
    family = "Fit"
    summary_line = "The kernel of every pair of points."
    number = 4
    in_background = True
    follows_point = True
    menus = (
        Menu(
            "Copy",
            "Copy the matrix",
            "The matrix as it is ordered here, for a paper or a spreadsheet",
            ("as LaTeX", "as CSV"),
        ),
    )

    face: str = choice(
        "matrix",
        ("matrix", "spectrum", "witness", MERCER),
        label="Show",
        help="The matrix; its eigenvalues; weights on the points that prove it indefinite; or the matrix as "
        "a sum of m terms λvv′, with ridge regression on m eigenfunctions",
    )
    m: int = integer(3, low=1, high=400, scale="log", label="m", help="Terms of the sum")
    order: str = choice(
        "class",
        ("class", "index", "score", "alike"),
        label="by",
        help="The order of the rows: by class, by number, by score, or those that behave alike together",
    )
    version: str = choice(
        "K",
        ("K", "centred", "normalised"),
        label="of",
        help="K itself; the inner products seen from the mean of all points; or the cosines of the angles",
    )

    def scene(self, frame: Frame, now: Now, memory: Memory) -> Scene:
        return self._shown(frame.model, now.verdict, now, memory)

    def without_fit(self, failure: Failure | None, now: Now, memory: Memory) -> Scene:
        """Return the matrix all the same: it needs only kernel and points."""
        if failure is None or not failure.request.data.n:
            return super().without_fit(failure, now, memory)
        fit, data = failure.request.fits[failure.fit], failure.request.data
        try:
            model = unfitted(data, fit.kernel, fit.algorithm)
            if self.face == "matrix":
                return self._shown(model, None, now, memory)
            few = Problem(data.subset(np.arange(min(data.n, MOST_JUDGED))), fit.kernel)
            return self._shown(model, Verdict(failure.request, mercer(few.gram, data.n)), now, memory)
        except BadInput as problem:
            return message(str(problem))

    def _shown(self, model: Model, verdict: Verdict | None, now: Now, memory: Memory) -> Scene:
        if self.face == "spectrum":
            return _spectrum(verdict)
        if self.face == "witness":
            return _witness(verdict)
        if self.face == MERCER:
            return self._mercer_sum(model, now, memory)
        return self._matrix(model, verdict, now, memory)

    def on_menu(self, entry: str, memory: Memory) -> Intent | None:
        gram: SortedGram | None = memory.recall("gram") if self.face == "matrix" else None
        if gram is None:
            return None
        return Copy(gram.as_latex() if entry == "as LaTeX" else gram.as_csv())

    def _matrix(self, model: Model, verdict: Verdict | None, now: Now, memory: Memory) -> Scene:
        problem, rows = model.problem, ordered(model, self.order)
        found_later = self.order == "alike"
        key = (problem.data, problem.kernel, self.order, self.version, not found_later and rows.tobytes())
        gram = memory.keep("gram", key, lambda: SortedGram.of(problem, rows, self.order, self.version))
        if len(gram.values) == 0:
            return message("There is no kernel matrix to show for these points.", ("face",))
        said = "" if verdict is None else verdict.mercer.verdict
        caption = gram.about_pair(now.marks) or said
        root = gram.with_function(_row_of(model, now, memory), caption)
        return Scene(root, ("face", "order", "version"))

    def _mercer_sum(self, model: Model, now: Now, memory: Memory) -> Scene:
        """Return K after m terms of Mercer's sum, and the regression on as many eigenfunctions."""
        problem, offered = model.problem, ("face", "m", "order")
        if problem.n > MOST_POINTS:
            return message(f"Mercer's sum is shown for up to {MOST_POINTS} points.", offered)
        try:
            found = MercerSum.of(problem)
        except (BadInput, np.linalg.LinAlgError) as trouble:
            return message(str(trouble), offered)
        m = min(self.m, problem.n)
        rows = ordered(model, self.order)
        gram = memory.keep("sum", (found, m, rows.tobytes()), lambda: found.gram(m)[np.ix_(rows, rows)])
        shown_gram, marks = SortedGram(problem.data, (self.order, "K"), rows, gram, gram), now.marks
        pointed = (marks.hovered, marks.partner) if marks.partner is not None else marks.selected
        points = [i for i in pointed if i is not None and i < problem.n]
        both = (points[0], points[1]) if len(points) == 2 else None
        function = regression(model, found, m, memory)
        return Scene(shown_gram.with_function(function, caption(model, found, m, both)), offered)


def _row_of(model: Model, now: Now, memory: Memory) -> Node | None:
    """Return the row of the point that is looked at as a function of the input; a hint while there is none,
    and None where there is no room for either."""
    problem, point = model.problem, now.point
    if not can_be_drawn(problem.data):
        return None
    row = None
    if point is not None and point < problem.n:
        key = (point, problem.data, problem.kernel)
        row = memory.keep("row", key, lambda: _function(model, point, memory))
    if row is None and not now.on_paper:
        return Message("Point at a row, or select a point, to see K(x, ·).")
    return row


def _function(model: Model, point: int, memory: Memory) -> Node | None:
    problem = model.problem
    try:
        values = problem.kernel(problem.X, problem.X[[point]])[:, 0]
        alone = response(problem.kernel, problem.X[[point]], model.algorithm)
        return landscape(alone, problem.data, f"K(point {point + 1}, ·)", memory, values=values, ringed=point)
    except BadInput:  # a kernel too large for numbers
        return None


# The matrix -------------------------------------------------------------------------------------------------
def ordered(model: Model, how: str) -> Indices:
    """Return the rows to be shown, at most ROWS_SHOWN, evenly taken; rows that behave alike are found among
    them later."""
    data = model.problem.data
    if how == "score" and model.training_scores.shape == (data.n,):  # votes of several classes have no order
        order = np.argsort(-model.training_scores, kind="stable")
    elif how == "index" or data.target is None:
        order = np.arange(data.n)
    else:
        order = np.argsort(-data.target, kind="stable")
    if len(order) <= ROWS_SHOWN:
        return order
    return order[np.linspace(0, len(order) - 1, ROWS_SHOWN).astype(np.intp)]


@dataclass(frozen=True, eq=False)
class SortedGram:
    """K of the points in the order shown."""

    data: Data
    how: tuple[str, str]  # Order and version.
    order: Indices
    raw: Array  # K itself.
    values: Array  # The version shown.

    @classmethod
    def of(cls, problem: Problem, rows: Indices, order: str, version: str) -> SortedGram:
        raw = _values(problem, rows)
        if order == "alike" and len(raw):
            found = clustered(raw)
            rows, raw = rows[found], raw[np.ix_(found, found)]
        values = normalised(raw) if version == "normalised" else centred(raw) if version == "centred" else raw
        return cls(problem.data, (order, version), rows, raw, values)

    def as_csv(self) -> str:
        """Return all digits, a row a line."""
        return "".join(",".join(map(repr, row)) + "\n" for row in self.values.tolist())

    def as_latex(self, digits: int = 4) -> str:
        """Return a matrix for a paper."""
        rows = [" & ".join(f"{value:.{digits}g}" for value in row) for row in self.values.tolist()]
        return "\\begin{pmatrix}\n" + " \\\\\n".join(rows) + "\n\\end{pmatrix}\n"

    @property
    def borders(self) -> tuple[int, ...]:
        """The rows at which another class begins."""
        if self.how[0] != "class" or self.data.target is None or not self.data.class_names:
            return ()
        return tuple(int(k) + 1 for k in np.flatnonzero(np.diff(self.data.target[self.order])))

    @cached_property
    def matrix(self) -> Matrix:
        """The matrix with a scale of its colours."""
        names = () if self.data.has_numbers else tuple(named(self.data, int(i)) for i in self.order)
        return Matrix(values=self.values, points=self.order, names=names, borders=self.borders)

    def with_function(self, function: Node | None, words: str) -> Node:
        """Return the matrix, a function next to it if there is one, and a caption below them; in a low place
        the caption is to the right, and there is no scale."""
        caption = Text(words)
        body: Node = self.matrix if function is None else WithSquare(self.matrix, function)
        right: Node = caption if function is None else Column(((function, None), (caption, CAPTION)))
        tall = Column(((body, None), (Blank(), Size(lines=SCALE)), (caption, CAPTION)))
        lying = Row(((replace(self.matrix, scale=False), Size(across=1.0)), (right, None)), gap=1.0)
        return Either(lambda width, height: height < LOW and width > 2 * height, lying, tall)

    def about_pair(self, marks: Marks) -> str:
        """Return the geometry of the pair pointed at, or of two selected points; nothing without one."""
        rows = self.order.tolist()
        pairs = ((marks.hovered, marks.partner), marks.selected)
        cells = [[rows.index(i) for i in points if i in rows] for points in pairs if len(points) == 2]
        row, column = next((cell for cell in cells if len(cell) == 2), (None, None))
        if row is None or column is None:
            return ""
        found = pair(self.raw, row, column)
        i, j = (named(self.data, rows[k]) for k in (row, column))
        parts = [f"K({i}, {j}) = {shown(found.product)}"]
        if self.how[1] != "K":
            parts.append(f"{self.how[1]} {shown(float(self.values[row, column]))}")
        if found.cosine is not None:
            parts.append(f"cos {shown(found.cosine, 3)}")
        if found.angle is not None:
            parts.append(f"{found.angle:.3g}°")
        apart = "no distance" if found.distance is None else f"|φ − φ′| = {shown(found.distance, 3)}"
        return ", ".join((*parts, apart))


def _values(problem: Problem, order: Indices) -> Array:
    """Return the rows and columns shown, from the Gram matrix if it has been computed anyway."""
    if (known := problem.known_gram) is not None:
        return np.asarray(known[np.ix_(order, order)])
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            K = problem.kernel(problem.data.subset(order).X)
    except BadInput:  # too large for numbers; an algorithm that needs no kernel may have fitted all the same
        return np.empty((0, 0))
    return K if np.isfinite(K).all() else np.empty((0, 0))


# The other faces --------------------------------------------------------------------------------------------
def _spectrum(verdict: Verdict | None) -> Scene:
    """Return a bar for each eigenvalue that is more than rounding, the negative ones by their size in the
    other colour. They are those of the last moment in which nothing moved."""
    if verdict is None:
        return message("Eigenvalues are computed when you stop editing.", ("face",))
    found, n = verdict.mercer, verdict.request.data.n
    values = found.eigenvalues[::-1]
    sizes = np.abs(values)
    if not len(values) or not sizes.max() > 0.0:
        return message("All eigenvalues of this matrix are 0.", ("face",))
    seen = sizes > found.rounding
    low, high = decades(np.append(sizes[seen], 0.5 * sizes[seen].min()))  # the smallest has a bar too
    inks = np.where(seen, np.where(values > 0, "positive", "negative"), "")
    legend = [
        (Curve("effective rank", "ink", 0.0), f"{shown(found.effective_rank, 3)} of {len(values)}"),
        (Curve("condition", "ink", 0.0), shown(found.condition, 3)),
    ]
    if not found.holds:
        negative = int(np.count_nonzero(values < -found.rounding))
        legend.append((Curve("negative", "negative", 3.0), str(negative)))
    if zero := int(np.count_nonzero(~seen)):
        legend.append((Curve("zero (numerically)", "ink", 0.0), str(zero)))
    plot = Plot(
        part="spectrum",
        x=Axis(0.0, float(len(sizes)), "eigenvalue", whole=True),
        y=Axis(low, high, "λ", log=True),
        ground=(Bars(part="eigenvalues", values=sizes, inks=tuple(inks.tolist())),),
        legend=tuple(legend),
    )
    few = Remark(f"the first {MOST_JUDGED} of {n} points", ABOUT_THE_SPECTRUM)
    return Scene(plot, ("face",), few if n > MOST_JUDGED else Remark())


def _witness(verdict: Verdict | None) -> Scene:
    """Return every point at its place as a disc whose area is its weight in v, |v| = 1 and v'Kv < 0."""
    if verdict is None:
        return message("The kernel is checked when you stop editing.", ("face",))
    found, data = verdict.mercer, verdict.request.data
    v = found.witness
    if v is None:
        reason = f"{found.verdict} No combination of the points has a negative square."
        return message(reason if found.holds else found.verdict, ("face",))
    workspace = workspace_of(data)
    places = workspace.positions(data)
    discs = Discs(
        part="witness",
        x=places[:, 0],
        y=places[:, 1],
        weights=v,
        largest=LARGEST,
        label=lambda i: f"point {i + 1}: v = {shown(float(v[i]), 3)}",
    )
    caption = (
        f"With these weights v on the points, |v| = 1, the square of Σ vᵢφ(xᵢ) would be "
        f"v′Kv = {shown(found.smallest, 3)}: no φ has this kernel as its inner product."
    )
    field = Field(view=workspace.extent(data), layers=(discs,))
    return Scene(Column(((field, None), (Text(caption), Size(lines=3.2)))), ("face",))
