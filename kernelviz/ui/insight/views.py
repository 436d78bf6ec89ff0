"""Every insight view, in the order of its key. A further view is one line here."""

from __future__ import annotations

from kernelviz.ui.insight.balance_view import BalanceView
from kernelviz.ui.insight.base import InsightView
from kernelviz.ui.insight.convergence_view import ConvergenceView
from kernelviz.ui.insight.edits_view import EditsView
from kernelviz.ui.insight.gram_view import GramView
from kernelviz.ui.insight.inspector import PointInspector
from kernelviz.ui.insight.loss_view import LossView
from kernelviz.ui.insight.sweep_view import SweepView
from kernelviz.ui.insight.table_view import TableView
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
)
VIEWS = {view.name: view for view in _IN_ORDER}
