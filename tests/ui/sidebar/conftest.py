"""A session, a workbench that answers at once, and panels on it."""

from __future__ import annotations

import pytest

from kernelviz.engine.fits.parsing import algorithm, dataset, kernel
from kernelviz.session.session import Session
from kernelviz.session.state import Document, State
from kernelviz.session.themes import DARK, LIGHT
from kernelviz.ui.window.appearance import apply_theme
from kernelviz.ui.workbench.workbench import Workbench

SMALL = "gaussians(n=10, distance=4)"


@pytest.fixture
def session():
    """A cheap state: few points, a closed form."""
    return Session(State(Document.of(dataset(SMALL), kernel("rbf(gamma=1)"), algorithm("prototype"), SMALL)))


@pytest.fixture
def workbench(qtbot, session):
    made = Workbench(session, synchronous=True)
    yield made
    made.stop()


@pytest.fixture
def shown(qtbot, workbench):
    """Make a panel of a class, shown at the narrowest width."""

    def make(kind, *arguments):
        panel = kind(workbench, *arguments)
        qtbot.addWidget(panel)
        panel.resize(280, 700)
        panel.show()
        return panel

    return make


@pytest.fixture(params=[LIGHT, DARK], ids=lambda theme: theme.name)
def themed(qapp, request):
    """The application in either theme."""
    apply_theme(qapp, request.param)
    return request.param
