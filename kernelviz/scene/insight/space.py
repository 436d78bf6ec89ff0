"""Feature space in three dimensions: the inputs lifted, the boundary on them, a plane where it is one.

A kernel is an inner product in feature space, K(x, x′) = φ(x)·φ(x′). A lift gives every input three
coordinates, some of its features or principal components; the boundary of a fit that is linear in them is a
plane. Instead of the space, the features of a finite map can be listed with their weights, w = Σ βᵢ φ(xᵢ)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import Qt

from kernelviz.engine.analysis.lifts import (
    COMPONENTS,
    FEATURES,
    LIFTS,
    FeatureWeights,
    lifts_of,
)
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import choice, flag, integer
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.several_classes import MultiClassModel
from kernelviz.runtime.messages import Frame
from kernelviz.scene.bar_list import Bar, BarList, PlacedBarList
from kernelviz.scene.insight.parts.lifted_space import Lifted, LiftedSpace, PlacedSpace
from kernelviz.scene.insight.parts.space3d import (
    ABOVE,
    ASLANT,
    Camera,
)
from kernelviz.scene.nodes import Hit, Message
from kernelviz.scene.painter import Layout
from kernelviz.scene.view import (
    NOT_YET,
    Glide,
    Intent,
    Keys,
    Menu,
    Now,
    Scene,
    Set,
    Several,
    View,
    ViewMemory,
    message,
)
from kernelviz.scene.wording import Remark, named, readable, shortened, shown

ORDERS = ("as listed", "by |w|", "by name")
SECONDS = 1.6  # From the plane to the lift.
PER_KEY = 5.0  # Degrees that a key turns.
PER_NOTCH = 1.15  # How far a notch of the wheel zooms.
TURNS = {
    Qt.Key.Key_Left: (PER_KEY, 0.0),
    Qt.Key.Key_Right: (-PER_KEY, 0.0),
    Qt.Key.Key_Up: (0.0, PER_KEY),
    Qt.Key.Key_Down: (0.0, -PER_KEY),
}
HOME = Qt.Key.Key_Home
ZOOMS = {Qt.Key.Key_PageUp: PER_NOTCH, Qt.Key.Key_PageDown: 1 / PER_NOTCH, HOME: 0.0}
SCROLLS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


@dataclass(frozen=True)
class FeatureSpaceView(View):
    """The inputs lifted into three dimensions, or the list of features with their weights.

    Dragging and the arrow keys turn the space, the wheel zooms. In the list a click on a row makes its
    feature an axis of the space, one on the headings sorts; the wheel and the keys scroll it.

    Turning, folding and scrolling change only how a result is seen: the lifted fit is kept in the memory,
    and the scene is made again in the same call."""

    name = "space"
    title = "Feature space"
    family = "Geometry"
    summary_line = "The inputs lifted into three dimensions, where a boundary may become a plane."
    number = 12
    pictured = ("xor(n=60, noise=0.3)", "homogeneous(degree=2) ; soft-margin-svm(C=10)")
    in_background = True
    turns = True
    instant = frozenset({"camera", "unfolded", "first"})
    menus = (
        Menu("", "Fold and unfold", "Fold the space back to the plane and unfold it again", icon="play"),
    )
    keys = (
        Keys(frozenset(TURNS), "Arrow keys", "in Feature space, after a click: turn it"),
        Keys(frozenset(ZOOMS) - {HOME}, "Page Up, Page Down", "there: zoom in or out, or scroll the list"),
        Keys(frozenset({HOME}), "Home", "there: reset the view, or go to the top of the list"),
    )

    lift: str = choice(
        LIFTS[0], LIFTS, label="Lift", help="The three coordinates that the inputs are mapped to"
    )
    sheet: bool = flag(True, label="Sheet", help="All inputs lifted, coloured by the score")
    plane: bool = flag(True, label="Plane", help="Boundary and s = ±1, where they are planes here")
    features: bool = flag(False, label="List", help="The features of a finite map, with their weights wⱼ")
    degree: int = integer(
        8,
        low=1,
        high=20,
        label="to degree",
        help="Number of features to list (the kernel has infinitely many)",
    )
    order: str = choice(ORDERS[1], ORDERS, label="sorted", help="The order of the list")
    camera: Camera | None = None  # Where it is seen from; until it is turned, flat lifts from above.
    axes: tuple[int, ...] = ()  # Features of a finite map that were chosen as axes.
    unfolded: float = 1.0  # From 0, the plane of the inputs, to 1, the lift.
    folded: bool = False  # Whether it is folded, or on its way there.
    first: int = 0  # The row at which the list begins.

    # What is to be seen ---------------------------------------------------------------------------------
    def scene(self, frame: Frame, now: Now, memory: ViewMemory) -> Scene:
        """Return the space, or the list of features. Lifting a fit takes long, so it is kept while the fit
        and the lift stay the same."""
        model = frame.model
        if self.features:
            return self._list(model, memory)
        last: Lifted | None = memory.recall("lifted")
        key = (model, self.lift, self.axes)
        try:
            lifted = memory.keep("lifted", key, lambda: Lifted.of(model, self.lift, self.axes, last))
        except BadInput as problem:
            return message(str(problem))
        flat = lifted.fit.lift.flat
        camera = self.camera or (ABOVE if flat else ASLANT)
        space = LiftedSpace(lifted, self.sheet, self.plane, camera, self.unfolded)
        given = {"sheet": lifted.fit.sheet, "plane": lifted.fit.plane}
        offered = [lift.title for lift in lifts_of(model)]
        if frame.data.domain == "vectors":
            offered.append(FEATURES)
        return Scene(
            space,
            ("lift", *(name for name, drawn in given.items() if drawn is not None), "features"),
            self._remark(lifted),
            {"lift": (lifted.fit.lift.title, (*offered, COMPONENTS))},
        )

    def _remark(self, lifted: Lifted) -> Remark:
        """Return the remark: a replaced lift, a plane boundary, or the share of the variance shown."""
        model, fit = lifted.model, lifted.fit
        if self.lift == FEATURES != fit.lift.title and model.problem.data.domain == "vectors":
            kernel = readable(model.problem.kernel)
            return Remark(
                "no features to draw",
                f"{kernel} has no features that could be drawn here: this is the lift “{fit.lift.title}”.",
            )
        if fit.plane is not None:
            what = "a line" if fit.lift.flat else "a plane"
            meaning = f"In these coordinates the score is b + w·u: its boundary is {what}."
            return Remark(f"boundary: {what}", meaning)
        if lifted.cloud is not None:
            share = float(lifted.cloud.pca.shares[:3].sum())
            meaning = "The part of the points' variance in feature space that is seen here."
            return Remark(f"{100 * share:.3g} % of the variance", meaning)
        return Remark()

    def _list(self, model: Model, memory: ViewMemory) -> Scene:
        key = (model, self.degree)
        known = memory.keep("weights", key, lambda: FeatureWeights.of(model, self.degree))
        if known is None:
            return Scene(Message(_why_no_list(model)), ("features",), menus=())
        listed = _feature_list(model, known, self.order, self.axes, self.first)
        offered = ("features", "order") if known.degree is None else ("features", "degree", "order")
        return Scene(listed, offered, menus=())

    # What the user does ---------------------------------------------------------------------------------
    def on_menu(self, entry: str, memory: ViewMemory) -> Intent | None:
        folded = not self.folded
        return Several((Set("folded", folded), Glide("unfolded", 0.0 if folded else 1.0, SECONDS)))

    def on_turn(self, right: float, down: float, layout: Layout) -> Intent | None:
        per_pixel = 0.5  # Degrees that a pixel of dragging turns.
        return self._turned(-per_pixel * right, per_pixel * down, layout)

    def _turned(self, azimuth: float, elevation: float, layout: Layout) -> Intent | None:
        space = layout.get("space")
        return (
            Set("camera", space.node.camera.turned(azimuth, elevation))
            if isinstance(space, PlacedSpace)
            else None
        )

    def on_wheel(self, notches: float, layout: Layout) -> Intent | None:
        rows_per_notch = 3  # Rows that a notch of the wheel scrolls.
        return self._zoomed(PER_NOTCH**notches, layout) or self._scrolled(
            -round(rows_per_notch * notches), layout
        )

    def _zoomed(self, factor: float, layout: Layout) -> Intent | None:
        space = layout.get("space")
        return Set("camera", space.node.camera.zoomed(factor)) if isinstance(space, PlacedSpace) else None

    def _scrolled(self, rows: int, layout: Layout) -> Intent | None:
        listed = layout.get("features")
        return Set("first", listed.scrolled(rows)) if isinstance(listed, PlacedBarList) else None

    def on_key(self, key: Qt.Key, shift: bool, now: Now, layout: Layout) -> Intent | None:
        """Turn or zoom the space, or scroll the list, whichever is shown."""
        listed = layout.get("features")
        if key == Qt.Key.Key_Home:
            return Set("camera", None) if listed is None else Set("first", 0)
        if isinstance(listed, PlacedBarList):
            page = {Qt.Key.Key_PageUp: -listed.page, Qt.Key.Key_PageDown: listed.page}
            return self._scrolled((SCROLLS | page).get(key, 0), layout)
        return self._turned(*TURNS[key], layout) if key in TURNS else self._zoomed(ZOOMS[key], layout)

    def on_click(self, hit: Hit, now: Now) -> Intent | None:
        """Sort the list, choose a feature as an axis of the space, or select a point. Three features at
        most are axes: a fourth replaces the first of them."""
        if hit.part == "headings of features":
            return Set("order", ORDERS[(ORDERS.index(self.order) + 1) % len(ORDERS)])
        if hit.part != "features":
            return super().on_click(hit, now)
        if now.document is None or now.document.data.domain != "vectors":
            return None
        j = int(hit.row)
        others = tuple(k for k in self.axes if k != j)
        axes = others if j in self.axes else (*others, j)[-3:]
        return Several((Set("lift", FEATURES), Set("axes", axes)))


# The list of features ---------------------------------------------------------------------------------------
def _why_no_list(model: Model) -> str:
    """Return why the features of a model are not listed."""
    kernel = readable(model.problem.kernel)
    if isinstance(model, MultiClassModel):
        return "Every pair of classes has weights of its own: choose two classes to see a list."
    if not model.algorithm.uses_kernel or model.beta is None or model.b is None:
        return f"{model.algorithm.title} is not a sum of features with weights."
    if model.problem.data.domain == "strings":
        return f"{kernel} has more features on these strings than can be listed."
    if model.problem.kernel.feature_map(1) is not None:
        return f"{kernel} has too many features of these inputs to be listed."
    return f"{kernel} has infinitely many features, so they cannot be listed."


def _feature_list(
    model: Model, known: FeatureWeights, order: str, axes: tuple[int, ...], first: int
) -> BarList:
    """Return the features φ_j with their weights w_j and, for a marked point, the terms w_j φ_j(x)."""
    data, q, w = model.problem.data, known.q, known.weights
    largest = float(np.abs(w).max(initial=0.0))
    rows = np.arange(q)
    if order == "by |w|":
        rows = np.argsort(-np.abs(w), kind="stable")
    elif order == "by name":
        rows = np.array(sorted(range(q), key=lambda j: known.names[j]))

    nothing = 1e-12  # Weights below this, in units of the largest, are written 0.

    def bar(k: int) -> Bar:
        j = int(rows[k])
        name = shortened(known.names[j]) if data.domain == "strings" else known.names[j]
        ink = "positive" if w[j] >= 0 else "negative"
        text = shown(float(w[j]), 3, nothing * largest)
        return Bar(str(j), name, float(w[j]), text, ink, name_ink="highlight" if j in axes else "ink")

    def rest(first: int, count: int) -> Bar | None:
        below = q - first - count
        name = f"{first:,} above, {below:,} below" if first else f"{below:,} others"
        if known.degree is not None:
            name = f"{name}, and all of higher degree" if count < q else "all of higher degree"
        complete = count == q and known.degree is None
        return None if complete else Bar("", name, 0.0, "", "soft_ink", name_ink="soft_ink")

    def squares(point: int, shown_rows: Sequence[int]) -> tuple[str, list[str], str]:
        """Return φⱼ(x)² of the rows, which with all that are not listed add up to K(x, x)."""
        seen = known.features(data.X[point])[rows[list(shown_rows)]] ** 2
        left = float(model.problem.kernel.diagonal(data.X[[point]])[0] - seen.sum())
        return f"φⱼ² at {named(data, point)}", [shown(square, 3) for square in seen.tolist()], shown(left, 3)

    def terms(point: int, shown_rows: Sequence[int]) -> tuple[str, list[str], str]:
        if point >= data.n:
            return "", [], ""
        if known.degree is not None:
            return squares(point, shown_rows)
        every = known.terms(data.X[point])
        seen = every[rows[list(shown_rows)]]
        zero = nothing * float(np.abs(every).max(initial=0.0))
        texts = [shown(term, 3, zero) for term in seen.tolist()]
        return f"at {named(data, point)}", texts, shown(float(every.sum() - seen.sum()), 3)

    return BarList(
        part="features",
        count=q,
        bar=bar,
        largest=largest,
        rest=rest,
        first=first,
        head=_about(model, known),
        headings=("φⱼ", f"wⱼ, {order}"),
        point_column=terms,
    )


def _about(model: Model, known: FeatureWeights) -> str:
    """Return a remark on the number of features and how they are computed."""
    kernel, q = readable(model.problem.kernel), known.q
    if model.problem.data.domain == "strings":
        return (
            f"s(x) = b + w·φ(x): {q:,} substrings of the support vectors have non-zero weight. "
            f"{kernel} computes their inner product without listing them."
        )
    if known.degree is not None:
        return (
            f"s(x) = b + w·φ(x): {kernel} has infinitely many features; these are the {q:,} up to degree "
            f"{known.degree}. At a point all squares φⱼ² add up to K(x, x)."
        )
    if known.computed:
        return f"s(x) = b + w·φ(x) with q = {q:,} features, all of them computed."
    return (
        f"s(x) = b + w·φ(x) with q = {q:,} features, none of which is computed: "
        f"{kernel} computes their inner product directly."
    )


# Films ------------------------------------------------------------------------------------------------------
def unfolding(view: FeatureSpaceView, frame: Frame | None, count: int) -> list[Scene]:
    """Return scenes of a fit on its way from the plane to feature space, as it is turned now, and back.

    BadInput if there is nothing to show."""
    if frame is None:
        raise BadInput(NOT_YET)
    memory, shown_space = ViewMemory(), view.replace(features=False)
    shares = np.sin(np.linspace(0.0, np.pi, count)) ** 2
    whole = [1.0 if share > 1.0 - 1e-9 else float(share) for share in shares]
    scenes = [shown_space.replace(unfolded=share).scene(frame, Now(), memory) for share in whole]
    if scenes[0].reason:
        raise BadInput(scenes[0].reason)
    return scenes
