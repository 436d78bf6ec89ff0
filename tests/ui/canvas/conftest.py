"""A canvas on its own session and worker, and the hand that uses it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import algorithm, kernel
from kernelviz.session.session import Session
from kernelviz.session.state import Document, State
from kernelviz.session.themes import LIGHT, Theme
from kernelviz.session.workspaces.registry import workspace_of
from kernelviz.ui.canvas.points import PointsCanvas
from kernelviz.ui.workbench.workbench import Workbench
from tests.ui.canvas.hand import Hand, two_clouds

SIZE = (560, 500)


@pytest.fixture
def hand(qtbot) -> Iterator[Callable[..., Hand]]:
    """Makes a canvas with given data, kernel and algorithm, and the hand that uses it."""
    benches: list[Workbench] = []

    def make(
        data: Data | None = None,
        kernel_text: str = "linear",
        algorithm_text: str = "soft-margin-svm(C=10)",
        *,
        threaded: bool = False,
        theme: Theme = LIGHT,
        size: tuple[int, int] = SIZE,
    ) -> Hand:
        data = two_clouds() if data is None else data
        document = Document.of(data, kernel(kernel_text), algorithm(algorithm_text), "test")
        session = Session(State(document, workspace_of(data).look(data)))
        bench = Workbench(session, synchronous=not threaded)
        benches.append(bench)
        canvas = PointsCanvas(bench, theme)
        qtbot.addWidget(canvas)
        canvas.resize(*size)
        canvas.show()
        bench.refresh()
        made = Hand(qtbot, canvas)
        made.settle()
        canvas.area.setFocus()
        return made

    yield make
    for bench in benches:
        assert bench.stop()


@pytest.fixture
def h(hand) -> Hand:
    """A hand on the canvas of two clouds with a linear boundary."""
    return hand()
