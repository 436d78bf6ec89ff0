"""A workbench that answers in the same call, and views shown on it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtGui import QCursor

from kernelviz.engine.fits.parsing import algorithm, dataset, kernel
from kernelviz.scene.figure.transform import POINTS_PER_PIXEL
from kernelviz.session.session import Session
from kernelviz.session.state import Document, State
from kernelviz.session.workspaces.plane import PlaneWorkspace
from kernelviz.ui.insight.scene_view import SceneView
from kernelviz.ui.insight.views import VIEWS
from kernelviz.ui.workbench.workbench import Workbench


@pytest.fixture
def bench(qapp):
    """Make a synchronous workbench for a data set, kernel and algorithm, its first frame arrived."""
    made = []

    def make(
        data="gaussians(n=40, seed=3)", kernel_text="rbf(gamma=1)", how="soft-margin-svm(C=1)", mode="live"
    ):
        points = dataset(data) if isinstance(data, str) else data
        document = Document.of(points, kernel(kernel_text), algorithm(how))
        workbench = Workbench(
            Session(State(document, PlaneWorkspace().look(points).replace(mode=mode))), synchronous=True
        )
        made.append(workbench)
        workbench.refresh()
        qapp.processEvents()
        return workbench

    yield make
    for workbench in made:
        workbench.stop()


@pytest.fixture
def show(qtbot, settled):
    """Show a view at a given size."""

    def shown(view, width=480, height=360):
        QCursor.setPos(view.screen().geometry().bottomRight())  # not where the last test has left it
        qtbot.addWidget(view)
        view.resize(width, height)
        view.show()
        qtbot.waitExposed(view)
        settled(view)
        view.grab()  # paints
        return view

    return shown


@pytest.fixture
def opened(bench, show, settled, qtbot):
    """Open the view of a name, on a given workbench, or on one of its own for data, kernel and so on; then it
    has something to show."""

    def open_view(name, width=480, height=360, *, workbench=None, **setting):
        view = show(VIEWS[name].widget(workbench or bench(**setting)), width, height)
        if workbench is None:
            qtbot.waitUntil(lambda: not view.scene.reason)
        size = None
        while size != view.sheet.size():  # the switches of a scene may change the size of the sheet
            size = view.sheet.size()
            settled(view)
            qtbot.wait(20)
        return view

    return open_view


@pytest.fixture
def settled(qtbot):
    """Wait for a scene that is made in the background."""

    def wait(view):
        if isinstance(view, SceneView):
            qtbot.waitUntil(lambda: not view.busy)

    return wait


@pytest.fixture
def place_of():
    """The pixel of a view's sheet that shows a point, found as the mouse would find it."""

    def search(view, *points):
        for y in range(0, view.sheet.height(), 3):
            for x in range(0, view.sheet.width(), 3):
                if view.sheet.hit(QPointF(x, y) * POINTS_PER_PIXEL).points == points:
                    return QPoint(x, y)
        raise AssertionError(f"{points} is nowhere")

    return search
