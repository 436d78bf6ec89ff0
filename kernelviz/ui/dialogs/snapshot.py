"""A snapshot of what is on screen, from which a figure can be painted on any thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kernelviz.runtime.messages import Failure, Frame, Verdict
from kernelviz.scene.export.composition import USUAL_OPTIONS, Composition
from kernelviz.scene.export.sheets import SheetFigure, is_sheet, states_of
from kernelviz.scene.nodes import Node
from kernelviz.scene.panels import FigurePanel
from kernelviz.session.figure_options import FigureOptions
from kernelviz.session.state import State
from kernelviz.ui.workbench.workbench import Workbench


@dataclass(frozen=True)
class Snapshot(Composition):
    """A figure of what is on screen, which can be painted on any thread.

    It has the frames and the verdict that the worker has answered, as far as they belong to the present
    document. The rest is fitted again when the figure is painted, so an export never shows an outdated
    fit."""

    @classmethod
    def of(cls, workbench: Workbench) -> Snapshot:
        """Return a snapshot of the screen."""
        state, verdict = workbench.session.state, workbench.verdict
        active = cls._of(state, workbench.frame or workbench.failure, verdict)
        if len(state.document.fits) == 1:
            return active
        answers = [workbench.latest.get(k) for k in range(len(state.document.fits))]
        each = zip(state.each_fit(), answers, strict=True)
        return replace(active, together=tuple(cls._of(own, answer, verdict) for own, answer in each))

    def figure(self, options: FigureOptions = USUAL_OPTIONS, panels: Sequence[FigurePanel] = ()) -> Node:
        """Return the figure, or one with a panel for each value of its grid."""
        if is_sheet([self.state], options.grid):
            return SheetFigure(states_of([self.state], options.grid), panels).node(options)
        return super().figure(options, panels)

    @classmethod
    def _of(cls, state: State, answer: Frame | Failure | None, verdict: Verdict | None) -> Snapshot:
        """Return the snapshot of the active fit, with its answer and the verdict if they are about it."""
        document, look = state.document, state.look
        if answer is None or answer.request.data is not document.data:
            return cls(state)
        if isinstance(answer, Failure):
            return cls(state, failure=answer)
        fit, live = answer.request.fits[answer.fit], answer.request.step is None
        same = fit.kernel is document.kernel and fit.algorithm is document.algorithm
        if not same or live != (look.mode == "live"):
            return cls(state)
        if not live:  # the picture may be a few steps behind the one asked for
            state = replace(state, look=look.replace(step=answer.step))
        judged, shown = (verdict or answer).request, answer.model.problem
        if judged.data is not shown.data or judged.kernel != shown.kernel:
            verdict = None
        return cls(state, answer, verdict)
