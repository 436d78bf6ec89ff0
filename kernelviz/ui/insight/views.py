"""Every insight view, in the order of its key. A further view is one line here."""

from __future__ import annotations

from kernelviz.ui.insight.balance_view import BalanceView
from kernelviz.ui.insight.base import InsightView
from kernelviz.ui.insight.bounds_view import BoundsView
from kernelviz.ui.insight.comparison_view import ComparisonView
from kernelviz.ui.insight.components_view import ComponentsView
from kernelviz.ui.insight.convergence_view import ConvergenceView
from kernelviz.ui.insight.edits_view import EditsView
from kernelviz.ui.insight.feature_space_view import FeatureSpaceView
from kernelviz.ui.insight.functions_view import FunctionsView
from kernelviz.ui.insight.gram_view import GramView
from kernelviz.ui.insight.inspector import PointInspector
from kernelviz.ui.insight.loss_view import LossView
from kernelviz.ui.insight.pair_view import PairView
from kernelviz.ui.insight.path_view import PathView
from kernelviz.ui.insight.response_view import ResponseView
from kernelviz.ui.insight.selection_view import SelectionView
from kernelviz.ui.insight.sweep_view import SweepView
from kernelviz.ui.insight.table_view import TableView
from kernelviz.ui.insight.waves_view import WavesView
from kernelviz.ui.insight.weights_view import WeightsView

__all__ = ["VIEWS"]

_IN_ORDER: tuple[type[InsightView], ...] = (
    LossView,
    ConvergenceView,
    WeightsView,
    GramView,
    SweepView,
    PointInspector,
    TableView,
    EditsView,
    BalanceView,
    ComponentsView,
    PairView,
    FeatureSpaceView,
    BoundsView,
    PathView,
    SelectionView,
    ResponseView,
    WavesView,
    FunctionsView,
    ComparisonView,
)
VIEWS = {view.name: view for view in _IN_ORDER}
