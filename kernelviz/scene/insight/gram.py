"""The Gram matrix as colours, its eigenvalues, the proof that it is indefinite, or Mercer's sum.

Mercer's sum is K after m terms λⱼvⱼvⱼ′, with ridge regression on the first m eigenfunctions. The eigenvectors
are those of K itself, uncentred. At the points √λⱼvⱼ are features whose inner products are K;
regression on the first m of them comes close to kernel ridge as m grows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.algorithms.gaussian_process import GaussianProcess
from kernelviz.engine.algorithms.ridge import Ridge
from kernelviz.engine.analysis.functions import response, unfitted
from kernelviz.engine.analysis.gram import MERCER, MercerSum
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import choice, integer
from kernelviz.engine.kernels.mercer import MOST_JUDGED, mercer
from kernelviz.engine.models.base import Model, Status
from kernelviz.engine.models.kernel import KernelModel
from kernelviz.engine.models.problem import Problem
from kernelviz.runtime.messages import Failure, Frame, Verdict
from kernelviz.scene.axes import Axis, Curve, decades, written
from kernelviz.scene.insight.parts.gram_matrix import SortedGram, ordered
from kernelviz.scene.landscape import can_be_drawn, dashed, landscape
from kernelviz.scene.nodes import Column, Message, Node, Size, Text
from kernelviz.scene.plot_layers import Bars, Discs
from kernelviz.scene.plots import Field, Plot
from kernelviz.scene.view import Copy, Intent, Menu, Now, Scene, View, ViewMemory, message
from kernelviz.scene.wording import Remark, named, shown
from kernelviz.session.workspaces.registry import workspace_of

MOST_FOR_MERCER = 400  # Points up to which Mercer's sum is shown: of more all eigenvectors take too long.
LAM = 0.1  # Regularisation of the regression on eigenfunctions where the fit is no ridge.
LARGEST_WEIGHT = 1.3  # Radius of the largest weight of a witness, in units of the type size.


@dataclass(frozen=True)
class GramView(View):
    """The kernel of every pair of points, in four faces: the matrix, its spectrum, a witness against it,
    Mercer's sum.

    Pointing at a cell names its two points and highlights them everywhere. Its row, or that of a point that
    is pointed at or selected elsewhere, is drawn as a function of the input, K(xᵢ, ·)."""

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
        help="The order of the rows: by class, by number, by score, or with similar rows together",
    )
    version: str = choice(
        "K",
        ("K", "centred", "normalised"),
        label="of",
        help="K itself; the inner products seen from the mean of all points; or the cosines of the angles",
    )

    def scene(self, frame: Frame, now: Now, memory: ViewMemory) -> Scene:
        return self._shown(frame.model, now.verdict, now, memory)

    def without_fit(self, failure: Failure | None, now: Now, memory: ViewMemory) -> Scene:
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

    def _shown(self, model: Model, verdict: Verdict | None, now: Now, memory: ViewMemory) -> Scene:
        if self.face == "spectrum":
            return _spectrum(verdict)
        if self.face == "witness":
            return _witness(verdict)
        if self.face == MERCER:
            return self._mercer_sum(model, now, memory)
        return self._matrix(model, verdict, now, memory)

    def on_menu(self, entry: str, memory: ViewMemory) -> Intent | None:
        gram: SortedGram | None = memory.recall("gram") if self.face == "matrix" else None
        if gram is None:
            return None
        return Copy(gram.as_latex() if entry == "as LaTeX" else gram.as_csv())

    def _matrix(self, model: Model, verdict: Verdict | None, now: Now, memory: ViewMemory) -> Scene:
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

    def _mercer_sum(self, model: Model, now: Now, memory: ViewMemory) -> Scene:
        """Return K after m terms of Mercer's sum, and the regression on as many eigenfunctions."""
        problem, offered = model.problem, ("face", "m", "order")
        if problem.n > MOST_FOR_MERCER:
            return message(f"Mercer's sum is shown for up to {MOST_FOR_MERCER} points.", offered)
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
        return Scene(shown_gram.with_function(function, mercer_caption(model, found, m, both)), offered)


def _row_of(model: Model, now: Now, memory: ViewMemory) -> Node | None:
    """Return the row of the highlighted point as a function of the input; without one a hint, and None on
    paper or where it cannot be drawn."""
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


def _function(model: Model, point: int, memory: ViewMemory) -> Node | None:
    """Return K(xᵢ, ·) as a landscape with a ring around the point; None where its values are no finite
    numbers."""
    problem = model.problem
    try:
        values = problem.kernel(problem.X, problem.X[[point]])[:, 0]
        alone = response(problem.kernel, problem.X[[point]], model.algorithm)
        return landscape(alone, problem.data, f"K(point {point + 1}, ·)", memory, values=values, ringed=point)
    except BadInput:  # a kernel too large for numbers
        return None


# The other faces --------------------------------------------------------------------------------------------
def _spectrum(verdict: Verdict | None) -> Scene:
    """Return a bar for each eigenvalue that is more than rounding, the negative ones by their size in the
    other colour. They are from the last moment at which nothing moved."""
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
        written("effective rank", f"{shown(found.effective_rank, 3)} of {len(values)}"),
        written("condition", shown(found.condition, 3)),
    ]
    if not found.holds:
        negative = int(np.count_nonzero(values < -found.rounding))
        legend.append((Curve("negative", "negative", 3.0), str(negative)))
    if zero := int(np.count_nonzero(~seen)):
        legend.append(written("zero (numerically)", str(zero)))
    plot = Plot(
        part="spectrum",
        x=Axis(0.0, float(len(sizes)), "eigenvalue", whole=True),
        y=Axis(low, high, "λ", log=True),
        ground=(Bars(part="eigenvalues", values=sizes, inks=tuple(inks.tolist())),),
        legend=tuple(legend),
    )
    about_the_spectrum = (
        "Effective rank: exp(−Σ p ln p), p the shares of the eigenvalues: the number of directions in which "
        "points spread. Condition: the largest eigenvalue over the smallest; digits lost by inverting K."
    )
    few = Remark(f"the first {MOST_JUDGED} of {n} points", about_the_spectrum)
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
        largest=LARGEST_WEIGHT,
        label=lambda i: f"point {i + 1}: v = {shown(float(v[i]), 3)}",
    )
    caption = (
        f"With these weights v on the points, |v| = 1, the square of Σ vᵢφ(xᵢ) would be "
        f"v′Kv = {shown(found.smallest, 3)}: no φ has this kernel as its inner product."
    )
    field = Field(view=workspace.extent(data), layers=(discs,))
    return Scene(Column(((field, None), (Text(caption), Size(lines=3.2)))), ("face",))


# Mercer's sum -----------------------------------------------------------------------------------------------
def penalty_of(model: Model) -> float:
    """Return λ of a ridge or of a Gaussian process, or else LAM."""
    how = model.algorithm
    return how.lam if isinstance(how, Ridge) else how.noise if isinstance(how, GaussianProcess) else LAM


def regression(model: Model, found: MercerSum, m: int, memory: ViewMemory) -> Node | None:
    """Return ridge on the first m eigenfunctions as a landscape, with kernel ridge dashed; None where there
    is nothing to regress on or the inputs are no places."""
    problem, data = model.problem, model.problem.data
    if data.task not in (Task.TWO_CLASSES, Task.REGRESSION) or not can_be_drawn(data):
        return None

    def fitted(terms: int) -> KernelModel:
        weights = found.ridge(problem.y, penalty_of(model), terms)
        return KernelModel(problem, model.algorithm, Status.CONVERGED, "", 1, weights, 0.0)

    some = memory.keep("regression", (found, penalty_of(model), m), lambda: fitted(m))
    every = memory.keep("ridge", (found, penalty_of(model)), lambda: fitted(len(found.values)))
    off = float(np.sqrt(np.mean((some.training_scores - every.training_scores) ** 2)))
    return landscape(
        some,
        data,
        f"ridge on {m} eigenfunctions; on all, dashed: {shown(off, 2)} apart",
        memory,
        part="regression",
        below=dashed(every, data, memory, "ridge"),
    )


def mercer_caption(model: Model, found: MercerSum, m: int, pair: tuple[int, int] | None) -> str:
    """Return how much of K is left out after m terms, or for a pair of points the product of their
    features."""
    if pair is None:
        return (
            f"{m} of {len(found.values)} terms λⱼvⱼvⱼ′ of K, uncentred: {100 * found.error(m):.2g} % of K is "
            "left. The rows of √λⱼvⱼ are features of the points."
        )
    data, (i, j) = model.problem.data, pair
    F = found.features(m)
    features = f"{named(data, i)} {_listed(F[i])}, {named(data, j)} {_listed(F[j])}"
    exact = shown(float(model.problem.gram[i, j]), 3)
    return f"√λⱼvⱼ of {features}: their product is {shown(float(F[i] @ F[j]), 3)}, K = {exact}"


def _listed(features: Array) -> str:
    """Return the first features of a point in brackets."""
    listed = 4  # Features of a point that are written out.
    texts = [shown(value, 2) for value in features[:listed].tolist()]
    return f"({', '.join(texts)}{', …' if len(features) > listed else ''})"
