"""Kernel PCA: made in the background, linked, chosen by lists and bars."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt

from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import dataset, kernel
from kernelviz.engine.models.problem import Problem
from kernelviz.scene.insight.components import COMPONENTS_SHOWN, ComponentsView
from kernelviz.scene.view import ViewMemory
from kernelviz.session.workspaces.plane import PlaneWorkspace
from tests.scene.insight.helpers import exported, found, laid_out, made, pixel

VIEW = ComponentsView()
RINGS = "rings(n=80, seed=1)"
LARGE = QRectF(0, 0, 600, 400)
LEFT = Qt.MouseButton.LeftButton
MAP, FUNCTION = "points", "points of the function"


@pytest.fixture
def cloud_of(frame_of):
    """The places of the points along all components."""

    def make(*setting, memory=None):
        memory = memory or ViewMemory()
        scene = made(VIEW, frame_of(*setting), memory)
        assert not scene.reason
        return memory.recall("cloud")

    return make


def titles(scene) -> tuple[str, str]:
    """The names of the axes."""
    node = found(scene, "map", LARGE).node
    return node.x.label, node.y.label


# The scene --------------------------------------------------------------------------------------------------
def test_the_first_component_of_a_gaussian_unfolds_two_rings(frame_of):
    frame = frame_of(RINGS)
    first = found(made(VIEW, frame), MAP, LARGE).x * frame.data.z
    assert (first > 0).all() or (first < 0).all(), "one number separates the rings"


def test_the_function_beside_the_map_has_the_values_of_the_map(frame_of):
    memory = ViewMemory()
    scene = made(VIEW, frame_of(RINGS), memory)
    field, cloud = found(scene, "function", LARGE), memory.recall("cloud")
    values, view = found(scene, "contours", LARGE).values, field.node.view
    rows, columns = values.shape
    x = np.linspace(view.left, view.right, columns)[::20]
    y = np.linspace(view.bottom, view.top, rows)[::20]
    nodes = np.array([[a, b] for b in y for a in x])
    np.testing.assert_allclose(values[::20, ::20].ravel(), cloud.pca.project(nodes)[:, 0], atol=1e-8)
    points = found(scene, FUNCTION, LARGE)
    np.testing.assert_array_equal(np.column_stack([points.x, points.y]), cloud.problem.X)


def test_along_a_line_it_is_a_curve_through_the_points(frame_of):
    data = dataset("sine(n=30, seed=1)")
    scene = made(VIEW, frame_of(data, "rbf(gamma=3)", "ridge"))
    points, curve = found(scene, FUNCTION, LARGE), found(scene, "curve", LARGE)
    np.testing.assert_array_equal(points.x, data.X[:, 0])
    np.testing.assert_allclose(points.y, np.interp(data.X[:, 0], curve.x, curve.y), atol=1e-9)


def test_strings_have_a_map_and_no_function_of_the_input(frame_of):
    scene = made(VIEW, frame_of("spelling", "subsequence(length=2, normalised=true)"))
    assert [leaf.part for leaf in laid_out(scene, LARGE).leaves] == ["map", "shares"]
    assert len(found(scene, "shares", LARGE).node.shares) == COMPONENTS_SHOWN


def test_the_chosen_components_are_the_axes_and_the_share_they_show_is_told(frame_of):
    scene = made(ComponentsView(across="3", up="1"), frame_of(RINGS))
    assert titles(scene) == ("component 3", "component 1")
    assert "component 3" in found(scene, "function", LARGE).title
    shares = found(scene, "shares", LARGE).node.shares
    assert scene.remark.words == f"{100 * (shares[0] + shares[2]):.3g} %"


def test_a_component_the_points_do_not_have_is_said_to_be_none(frame_of, painted):
    scene = made(ComponentsView(across="4"), frame_of(RINGS, "linear"))
    assert "function" not in [leaf.part for leaf in laid_out(scene, LARGE).leaves]
    assert titles(scene)[0] == "component 4 (none)"
    painted(scene)


def test_points_that_are_all_the_same_have_no_direction(frame_of):
    same = Data.labelled(np.ones((6, 2)), [1, 1, 1, -1, -1, -1])
    assert "All points coincide" in made(VIEW, frame_of(same, how="prototype")).reason


def test_a_kernel_too_large_for_numbers_says_so(frame_of):
    data = dataset("rings(n=20, seed=1)")
    far = Data.labelled(100.0 * data.X, data.z)
    assert "too large" in made(VIEW, frame_of(far, "exponential(gamma=1)", "feature-map")).reason


def test_while_a_point_is_dragged_no_component_turns_round_or_changes_places(cloud_of):
    memory = ViewMemory()
    cloud = cloud_of(RINGS, memory=memory)
    data = cloud.problem.data
    for d in np.linspace(0.0, 1.5, 12):
        before, cloud = cloud, cloud_of(PlaneWorkspace().placed(data, [0], data.X[[0]] + d), memory=memory)
        step = np.abs(cloud.places - before.places)[1:, :2].max()
        assert step < 0.3 * np.abs(before.places).max()


def test_another_algorithm_on_the_same_points_computes_nothing_again(frame_of):
    frame, memory = frame_of(RINGS), ViewMemory()
    first = made(VIEW, frame, memory)
    cloud = memory.recall("cloud")
    again = made(VIEW, frame_of(frame.data, how="logistic"), memory)
    assert memory.recall("cloud") is cloud
    assert found(again, "contours", LARGE) is found(first, "contours", LARGE)


def test_a_place_on_a_bar_is_its_component(frame_of):
    layout = laid_out(made(VIEW, frame_of(RINGS, "polynomial(degree=2)")), LARGE)
    y = LARGE.bottom() - 2 * layout.style.text
    hits = [layout.hit(QPointF(x, y)) for x in range(0, 600, 3)]
    numbers = sorted({hit.row for hit in hits if hit.part == "shares"})
    assert numbers == ["1", "2", "3", "4", "5"], "five directions, however many bars fit"
    assert layout.hit(QPointF(300, 20)).part != "shares"


@pytest.mark.parametrize("rect", [LARGE, QRectF(0, 0, 220, 420), QRectF(0, 0, 200, 110)])
def test_a_point_is_found_on_the_map_and_on_the_plane_at_any_size(frame_of, rect):
    layout = laid_out(made(VIEW, frame_of(RINGS)), rect)
    for part in (MAP, FUNCTION):
        xy = layout.find(part).places(part)
        (found_there,) = layout.hit(QPointF(*xy[5].tolist())).points
        assert np.hypot(*(xy[found_there] - xy[5])) < 3.0


def test_the_map_agrees_with_the_kernel_matrix(cloud_of):
    cloud = cloud_of(RINGS, "polynomial(degree=2)")
    K = Problem(cloud.problem.data, kernel("polynomial(degree=2)")).gram
    distances = np.diag(K)[:, None] - 2 * K + np.diag(K)
    between = ((cloud.places[:, None] - cloud.places[None]) ** 2).sum(axis=-1)
    np.testing.assert_allclose(between, distances, atol=1e-8)


# On screen --------------------------------------------------------------------------------------------------
@pytest.fixture
def view(opened):
    return opened("components", width=640, height=480, data="rings(n=60, seed=1)")


@pytest.fixture
def made_by(monkeypatch):
    """Have a function see the arguments of every scene that is made."""

    def watch(see):
        scene = ComponentsView.scene
        monkeypatch.setattr(
            ComponentsView, "scene", lambda self, *arguments: see(*arguments) or scene(self, *arguments)
        )

    return watch


def move(view, i: int, x: float, y: float) -> None:
    session = view.workbench.session
    session.change("move point", data=PlaneWorkspace().placed(session.document.data, [i], [[x, y]]))


def mark(view, part: str, i: int) -> QPoint:
    """The pixel of a point."""
    return pixel(QPointF(*view.sheet.layout_of_scene.find(part).places(part)[i].tolist()))


def test_the_picture_is_never_made_on_the_thread_of_the_window(view, qtbot, made_by):
    threads = []
    made_by(lambda *_: threads.append(threading.current_thread()))
    before = view.scene
    move(view, 0, 1.0, 1.0)
    qtbot.waitUntil(lambda: view.scene is not before)
    assert threads
    assert threading.main_thread() not in threads


def test_the_map_follows_a_dragged_point_without_turning_round(view, qtbot):
    for d in np.linspace(0.0, 1.0, 5):
        before = view.scene
        first = found(view, MAP).x[1:]
        move(view, 0, d, d)
        qtbot.waitUntil(lambda before=before: view.scene is not before)
        assert np.corrcoef(first, found(view, MAP).x[1:])[0, 1] > 0.9


@pytest.mark.parametrize("part", [MAP, FUNCTION])
def test_pointing_at_a_mark_on_the_map_or_on_the_plane_highlights_the_point(view, qtbot, part):
    xy = view.sheet.layout_of_scene.find(part).places(part)
    qtbot.mouseMove(view.sheet, mark(view, part, 7))
    assert np.hypot(*(xy[view.workbench.hovered_point] - xy[7])) < 3.0


def test_what_is_highlighted_elsewhere_is_lit_here_and_computes_nothing(view, monkeypatch):
    monkeypatch.setattr(ComponentsView, "scene", None)
    plain = view.grab().toImage()
    view.workbench.hover(5)
    hovered = view.grab().toImage()
    view.workbench.hover(None)
    view.workbench.session.adjust(selection=(5,))
    assert hovered != plain
    assert view.grab().toImage() not in (plain, hovered)


def test_a_click_on_a_mark_selects_its_point(view, qtbot):
    xy = view.sheet.layout_of_scene.find(MAP).places(MAP)
    qtbot.mouseClick(view.sheet, LEFT, pos=mark(view, MAP, 7))
    (selected,) = view.workbench.session.look.selection
    assert np.hypot(*(xy[selected] - xy[7])) < 3.0


def test_a_click_on_a_bar_shows_its_component_to_the_right_and_as_contours(view, qtbot):
    bars = found(view, "shares").rect
    at = QPointF(bars.left() + 2.5 * bars.width() / COMPONENTS_SHOWN, bars.center().y())
    qtbot.mouseClick(view.sheet, LEFT, pos=pixel(at))
    assert view.lists["across"].currentText() == "3"
    qtbot.waitUntil(lambda: titles(view) == ("component 3", "component 2"))
    assert "component 3" in found(view, "function").title


def test_arrow_keys_go_through_the_components(view, qtbot):
    qtbot.keyClick(view.lists["up"], Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: titles(view) == ("component 1", "component 3"))
    printed = exported(view)
    assert titles(printed) == ("component 1", "component 3"), "printed as it is seen"


def test_a_hidden_view_computes_nothing_and_catches_up_when_shown(view, qtbot, qapp, made_by):
    frames = []
    made_by(lambda frame, *_: frames.append(frame))
    view.hide()
    move(view, 0, 0.3, 0.3)
    qapp.processEvents()
    assert frames == []
    before = view.scene
    view.show()
    qtbot.waitUntil(lambda: frames == [view.workbench.frame])
    qtbot.waitUntil(lambda: view.scene is not before)
    assert found(view, FUNCTION).x[0] == 0.3


def test_hidden_while_a_picture_is_on_its_way_it_is_made_again_when_seen(view, qtbot, made_by):
    begun, hidden = threading.Event(), threading.Event()
    made_by(lambda *_: begun.set() or (hidden.wait(60) and None))
    before = view.scene
    view.workbench.session.change("kernel", kernel=kernel("rbf(gamma=3)"))
    qtbot.waitUntil(begun.is_set)
    view.hide()
    hidden.set()
    view.show()
    qtbot.waitUntil(lambda: view.scene is not before)
    assert "gamma=3" in str(view.memory.recall("cloud").problem.kernel)


def test_without_a_result_the_view_says_why(view, qtbot):
    view.workbench.session.change("clear", data=PlaneWorkspace().empty())
    qtbot.waitUntil(lambda: view.workbench.failure is not None)
    qtbot.waitUntil(lambda: view.scene.reason == view.workbench.failure.sentence)


def test_a_kernel_without_numbers_on_these_points_says_so_and_the_next_one_is_shown(view, qtbot):
    session = view.workbench.session
    session.change("move", data=PlaneWorkspace().placed(session.document.data, [0], [[300.0, 300.0]]))
    session.change("kernel", kernel=kernel("exponential(gamma=1)"))
    qtbot.waitUntil(lambda: view.scene.reason != "")
    session.change("kernel", kernel=kernel("linear"))
    qtbot.waitUntil(lambda: view.scene.reason == "")
