"""Every insight view, in the order of its key: an entry, and a module imported when it is first wanted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING

from kernelviz.engine.core.data import Domain

if TYPE_CHECKING:
    from kernelviz.ui.insight.base import InsightView


FAMILIES = ("Point", "Fit", "Geometry", "Generalise")
"""What a view is about, in the order of the picker."""


@dataclass(frozen=True)
class Listed:
    """A view as menus and pickers have it."""

    name: str
    title: str
    family: str
    summary_line: str
    home: str
    """Its module here, and its class."""
    domains: tuple[Domain, ...] = ("vectors", "strings")
    """Inputs it can show something of."""

    @property
    def place(self) -> int:
        return FAMILIES.index(self.family)

    @property
    def module(self) -> str:
        return f"kernelviz.ui.insight.{self.home.partition('.')[0]}"

    @cached_property
    def widget(self) -> type[InsightView]:
        """The view itself."""
        found: type[InsightView] = getattr(import_module(self.module), self.home.partition(".")[2])
        return found


_IN_ORDER = (
    Listed(
        "loss",
        "Loss",
        "Fit",
        "What each point costs: the loss as a function of z·s(x), or of y − s(x).",
        "loss_view.LossView",
    ),
    Listed(
        "convergence",
        "Convergence",
        "Fit",
        "Objectives, loss and error over the steps of the algorithm.",
        "convergence_view.ConvergenceView",
    ),
    Listed(
        "weights",
        "Dual weights",
        "Fit",
        "The weight of each point, and how far it is from its optimality condition.",
        "weights_view.WeightsView",
    ),
    Listed(
        "gram",
        "Gram matrix",
        "Fit",
        "The kernel of every pair of points.",
        "gram_view.GramView",
    ),
    Listed(
        "sweep",
        "Sweep",
        "Generalise",
        "Training and held-out error against one number of the kernel or the algorithm.",
        "sweep_view.SweepView",
    ),
    Listed(
        "inspector",
        "Point",
        "Point",
        "Everything about the point, or the place, the mouse is on.",
        "inspector.PointInspector",
    ),
    Listed(
        "table",
        "Table",
        "Point",
        "All points with their numbers, sorted, edited and copied.",
        "table_view.TableView",
    ),
    Listed(
        "edits",
        "Edits",
        "Fit",
        "Losses and errors over the last minutes of editing.",
        "edits_view.EditsView",
    ),
    Listed(
        "balance",
        "Fit and complexity",
        "Fit",
        "What the points cost and what ‖w‖ costs: the two terms the algorithm minimises.",
        "balance_view.BalanceView",
    ),
    Listed(
        "components",
        "Kernel PCA",
        "Geometry",
        "The points along the directions of feature space in which they spread most.",
        "components_view.ComponentsView",
    ),
    Listed(
        "pair",
        "Two strings",
        "Point",
        "Two strings, letter by letter: the pieces they share add up to the kernel.",
        "pair_view.PairView",
        ("strings",),
    ),
    Listed(
        "space",
        "Feature space",
        "Geometry",
        "The inputs lifted into three dimensions, where a boundary may become a plane.",
        "feature_space_view.FeatureSpaceView",
    ),
    Listed(
        "bounds",
        "Bounds and numbers",
        "Generalise",
        "Every number of the fit with its formula, and what three theorems promise about new data.",
        "bounds_view.BoundsView",
    ),
    Listed(
        "path",
        "Regularisation path",
        "Generalise",
        "Every weight and the errors for all C; drag to move the canvas along.",
        "path_view.PathView",
    ),
    Listed(
        "selection",
        "Model selection",
        "Generalise",
        "How every setting of one or two numbers does on points left out; click to adopt one.",
        "selection_view.SelectionView",
    ),
    Listed(
        "response",
        "Kernel response",
        "Geometry",
        "K(x₀, ·) around a point that you move: its section, widths, degrees and parts.",
        "response_view.ResponseView",
        ("vectors",),
    ),
    Listed(
        "waves",
        "Random features",
        "Geometry",
        "Random cosines that stand in for the kernel: waves, weights, error over q, and the fit.",
        "waves_view.WavesView",
        ("vectors",),
    ),
    Listed(
        "functions",
        "Function space",
        "Fit",
        "The norm as a sum over points, and how far an edit, or another fit, is away.",
        "functions_view.FunctionsView",
    ),
    Listed(
        "comparison",
        "Compare",
        "Generalise",
        "Several fits side by side: all their numbers, and where in the plane they disagree.",
        "comparison_view.ComparisonView",
    ),
)
VIEWS = {view.name: view for view in _IN_ORDER}
