"""What every view does around its picture: follow the frames, hover, select, rest while hidden."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtWidgets import QApplication, QSplitter

from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.params import choice, flag
from kernelviz.engine.fits.parsing import kernel
from kernelviz.scene.nodes import Text
from kernelviz.scene.painter import Layout
from kernelviz.scene.view import Scene, View, message
from kernelviz.session.workspaces.plane import PlaneWorkspace
from kernelviz.ui.canvas.points import PointsCanvas
from kernelviz.ui.insight.scene_view import widget_of
from kernelviz.ui.insight.views import VIEWS
from tests.scene.insight.helpers import exported


@pytest.fixture(params=["balance", "bounds", "convergence", "gram", "loss", "weights"])
def view(request, bench, opened):
    return opened(request.param, workbench=bench())


@pytest.fixture
def loss(bench, opened):
    return opened("loss", workbench=bench())


def reason(view) -> str:
    """Why there is nothing to see; empty when there is."""
    return view.scene.reason


def marks(view):
    """What is marked in the picture."""
    return view.sheet.marks


def points(view):
    """The layer of training points."""
    return view.sheet.layout_of_scene.find("points").layers[-1]


def caption(view) -> str:
    return view.sheet.layout_of_scene.find("text").node.text


def move(view, x: float, y: float) -> None:
    session = view.workbench.session
    session.change("move point", data=PlaneWorkspace().placed(session.document.data, [0], [[x, y]]))


def computed_by(view, monkeypatch) -> list:
    """The frames of which pictures are computed from now on."""
    frames = []
    scene = view.kind.scene
    monkeypatch.setattr(
        view.kind, "scene", lambda self, frame, *rest: frames.append(frame) or scene(self, frame, *rest)
    )
    return frames


# Hover and selection ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["loss", "weights"])
def test_pointing_at_a_mark_highlights_its_point_everywhere(bench, opened, qtbot, place_of, name):
    view = opened(name, workbench=bench())
    i = int(view.workbench.frame.model.support[0])
    with qtbot.waitSignal(view.workbench.hovered) as told:
        qtbot.mouseMove(view.sheet, place_of(view, i))
    assert told.args == [i]


def test_pointing_at_a_cell_highlights_its_two_points(bench, opened, qtbot, place_of):
    view = opened("gram", workbench=bench())
    with qtbot.waitSignal(view.workbench.hovered):
        qtbot.mouseMove(view.sheet, place_of(view, 3, 12))
    assert (view.workbench.hovered_point, view.workbench.hovered_partner) == (3, 12)
    assert "K(point 4, point 13)" in caption(view)


def test_leaving_the_view_ends_the_highlight(loss, qtbot, place_of):
    qtbot.mouseMove(loss.sheet, place_of(loss, 7))
    assert loss.workbench.hovered_point == 7
    QApplication.sendEvent(loss.sheet, QEvent(QEvent.Type.Leave))
    assert loss.workbench.hovered_point is None


@pytest.mark.parametrize("name", ["loss", "weights"])
def test_clicking_a_mark_selects_its_point(bench, opened, qtbot, place_of, name):
    view = opened(name, workbench=bench())
    i = int(view.workbench.frame.model.support[0])
    qtbot.mouseClick(view.sheet, Qt.MouseButton.LeftButton, pos=place_of(view, i))
    assert view.workbench.session.look.selection == (i,)


def test_clicking_a_cell_selects_the_point_of_its_row(bench, opened, qtbot, place_of):
    view = opened("gram", workbench=bench())
    qtbot.mouseClick(view.sheet, Qt.MouseButton.LeftButton, pos=place_of(view, 3, 12))
    assert view.workbench.session.look.selection == (3,)


@pytest.mark.parametrize("name", ["gram", "loss", "weights"])
def test_what_is_highlighted_or_selected_elsewhere_is_seen_here(bench, opened, name):
    view = opened(name, workbench=bench())
    i = int(view.workbench.frame.model.support[0])
    plain = view.grab().toImage()
    view.workbench.hover(i)
    hovered = view.grab().toImage()
    view.workbench.hover(None)
    view.workbench.session.adjust(selection=(i,))
    selected = view.grab().toImage()
    assert hovered != plain
    assert selected != plain


def test_a_highlight_computes_no_new_picture(view, monkeypatch):
    computed = computed_by(view, monkeypatch)
    view.workbench.hover(2)
    assert marks(view).hovered == 2
    assert bool(computed) == view.kind.follows_point


@pytest.mark.parametrize("name", ["loss", "weights", "gram", "space", "balance"])
def test_a_view_shown_again_marks_what_was_selected_while_it_was_hidden(bench, opened, settled, name):
    view = opened(name, workbench=bench())
    session = view.workbench.session
    session.adjust(selection=(3,))
    view.hide()
    session.adjust(selection=(5,))
    view.show()
    settled(view)
    assert marks(view).selected == (5,)


class Passes(QObject):
    """The names of the widgets painted in each pass over a window."""

    def __init__(self, window, **watched) -> None:
        super().__init__(window)
        self.painted: list[list[str]] = []
        self._names = {widget: name for name, widget in watched.items()}
        for widget in (window, *self._names):
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.UpdateRequest:
            self.painted.append([])
        elif event.type() is QEvent.Type.Paint and watched in self._names:
            self.painted[-1].append(self._names[watched])
        return False


@pytest.mark.parametrize("name", ["loss", "space"])
def test_the_contour_of_a_click_is_not_painted_together_with_the_highlight_of_its_point(
    bench, show, settled, qtbot, name
):
    def first_pass() -> list[str]:
        """What is painted first after a click that adds a point."""
        window, workbench = QSplitter(), bench()
        view, canvas = VIEWS[name].widget(workbench), PointsCanvas(workbench)
        window.addWidget(view)
        window.addWidget(canvas)
        show(window, 960, 480)
        canvas.use("add")
        qtbot.waitUntil(lambda: view.taken is not None and not view.waiting)
        settled(view)
        assert reason(view) == ""
        area, n = canvas.area, workbench.session.document.data.n
        spot = QPointF(area.view.left + 0.3, area.view.bottom + 0.3)
        place = area.mapFromScene(area.box.mapViewToScene(spot))
        qtbot.mouseMove(area.viewport(), place)
        QApplication.processEvents()
        passes = Passes(window, view=view.sheet, canvas=area.viewport())
        qtbot.mouseClick(area.viewport(), Qt.MouseButton.LeftButton, pos=place)
        qtbot.waitUntil(lambda: marks(view).hovered == n and canvas.scene.decoration.data.n == n + 1)
        return passes.painted[0]

    # The highlight waits for 40 ms: on a busy machine a picture may take longer, but not each time.
    assert any(first_pass() == ["canvas"] for _ in range(8))


# Switches ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["zero_one", "logistic", "squared"])
def test_a_switch_appears_as_a_box_and_reaches_picture_and_export(loss, qtbot, name):
    before = loss.grab().toImage()
    qtbot.mouseClick(loss.boxes[name], Qt.MouseButton.LeftButton)
    assert loss.boxes[name].isChecked()
    assert loss.grab().toImage() != before
    lines = [line.part for line in exported(loss).root.ground]
    assert lines == [line.part for line in loss.scene.root.ground]
    assert len(lines) == 2


# Frames -----------------------------------------------------------------------------------------------------
def test_the_view_follows_a_moved_point(loss, qtbot):
    before = points(loss).x
    move(loss, 3.0, 3.0)
    qtbot.waitUntil(lambda: not np.array_equal(before, points(loss).x))


def test_of_many_frames_in_a_row_few_are_taken_and_always_the_last(loss, qtbot, monkeypatch):
    taken = computed_by(loss, monkeypatch)
    for k in range(10):
        move(loss, 3.0, 0.1 * k)
    bench = loss.workbench
    qtbot.waitUntil(lambda: taken[-1:] == [bench.frame])
    assert len(taken) < 6
    assert bench.frame.data is bench.session.document.data


def test_a_hidden_view_computes_nothing_and_catches_up_when_shown(view, qapp, monkeypatch, settled):
    view.hide()
    computed = computed_by(view, monkeypatch)
    move(view, 3.0, 3.0)
    view.workbench.hover(1)
    qapp.processEvents()
    view.workbench.refresh()
    qapp.processEvents()
    assert computed == []
    assert not view.waiting
    view.show()
    settled(view)
    assert computed == [view.workbench.frame]


def test_without_a_result_the_view_says_why(view, qtbot):
    view.workbench.session.change("clear", data=PlaneWorkspace().empty())
    qtbot.waitUntil(lambda: view.workbench.frame is None)
    qtbot.waitUntil(lambda: reason(view) == view.workbench.failure.sentence)
    view.grab()


def test_a_verdict_that_comes_later_is_taken_too(bench, opened, qtbot, qapp):
    view = opened("gram", workbench=bench())
    session = view.workbench.session
    session.change("change kernel", kernel=kernel("sigmoid(gamma=1, c=-1)"))
    qapp.processEvents()
    verdict = view.workbench.verdict
    assert verdict.request.kernel is session.document.kernel
    qtbot.waitUntil(lambda: caption(view) == verdict.mercer.verdict)


def test_the_ground_is_kept_while_it_stays_the_same(loss, monkeypatch):
    drawn = []
    real = Layout.paint_ground
    monkeypatch.setattr(Layout, "paint_ground", lambda self, *a: drawn.append(self) or real(self, *a))
    for i in range(5):
        loss.workbench.hover(i)
        loss.grab()
    assert drawn == []
    loss.boxes["squared"].click()
    loss.grab()
    assert len(drawn) == 1
    loss.resize(loss.width() + 40, loss.height())
    loss.grab()
    assert len(drawn) == 2


# A view of one's own ----------------------------------------------------------------------------------------
@dataclasses.dataclass(frozen=True)
class CountView(View):
    """A further view, as somebody who reads CONTRIBUTING would write it."""

    name = "count"
    title = "Count"

    twice: bool = flag(False, label="Twice")
    what: str = choice("points", ("points", "classes"), label="of", help="What is counted")

    def scene(self, frame, now, memory):
        count = frame.data.n if self.what == "points" else len(frame.data.class_names)
        return message("Too few.") if frame.data.n < 40 else Scene(Text(f"{count}"))


@pytest.fixture
def count(show, bench):
    return lambda *setting: show(widget_of(CountView)(bench(*setting)))


def test_a_further_view_is_one_class(count):
    view = count()
    assert caption(view) == "40"
    assert count("gaussians(n=10, seed=1)").scene.reason == "Too few."


def test_a_declared_choice_is_a_list_that_keys_go_through_and_reaches_picture_and_export(count, qtbot):
    view = count()
    assert (list(view.boxes), list(view.lists)) == (["twice"], ["what"])
    qtbot.keyClick(view.lists["what"], Qt.Key.Key_Down)
    assert caption(view) == "2"
    assert exported(view).root.text == "2"


# Without a fit ----------------------------------------------------------------------------------------------
@pytest.fixture
def one_class(bench):
    """Two points of one class, which no classifier can do anything with."""
    return bench(Data(np.array([[0.0, 0.0], [1.0, 1.0]]), np.ones(2), Task.TWO_CLASSES, ("-", "+")))


@pytest.mark.parametrize("name", ["gram", "response"])
def test_what_needs_but_kernel_and_points_is_seen_without_a_fit(one_class, opened, qtbot, name):
    assert one_class.frame is None
    view = opened(name, workbench=one_class)
    qtbot.waitUntil(lambda: reason(view) == "")


def test_so_are_the_eigenvalues(one_class, opened, qtbot):
    view = opened("gram", workbench=one_class)
    view.lists["face"].setCurrentText("spectrum")
    expected = np.linalg.eigvalsh(kernel("rbf(gamma=1)")(one_class.session.document.data.X))[::-1]
    qtbot.waitUntil(lambda: "spectrum" in view.sheet.layout_of_scene.leaves[0].parts)
    (bars,) = view.sheet.layout_of_scene.find("spectrum").below
    assert bars.values == pytest.approx(expected)


@pytest.mark.parametrize("name", ["loss", "space"])
def test_other_views_say_why_there_is_no_fit(one_class, opened, qtbot, name):
    view = opened(name, workbench=one_class)
    qtbot.waitUntil(lambda: reason(view) == one_class.failure.sentence)


def test_another_failure_is_told_anew(one_class, opened, qtbot):
    view = opened("loss", workbench=one_class)
    first = reason(view)
    one_class.session.change("choose", kernel=kernel("words"))
    qtbot.waitUntil(lambda: one_class.failure.sentence != first)
    qtbot.waitUntil(lambda: reason(view) == one_class.failure.sentence)
