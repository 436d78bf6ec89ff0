"""Feature space: lifted, turned by mouse and keys, unfolded, its features in a list."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QWheelEvent
from PySide6.QtWidgets import QApplication

from kernelviz.engine.analysis.lifts import COMPONENTS, FEATURES, LIFTS
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import algorithm, dataset, kernel
from kernelviz.scene.insight import space as space_view
from kernelviz.scene.insight.parts.space3d import ABOVE, ASLANT, Camera, planes_of, straight_lines
from kernelviz.scene.insight.space import ORDERS, FeatureSpaceView, unfolding
from kernelviz.scene.nodes import Marks
from kernelviz.scene.view import ViewMemory
from kernelviz.session.themes import LIGHT
from tests.scene.insight.helpers import RECT, exported, laid_out, made, number, part, pixel

RINGS = "rings(n=60, seed=1)"
PIXELS = QImage.Format.Format_RGB32
LEFT = Qt.MouseButton.LeftButton
LIST = FeatureSpaceView(features=True)


def lifted(scene):
    return scene.root.lifted


@pytest.mark.parametrize("lift", LIFTS)
@pytest.mark.parametrize(
    ("data", "kernel_text", "how"),
    [
        (RINGS, "rbf(gamma=1)", "soft-margin-svm(C=10)"),
        (RINGS, "homogeneous(degree=2)", "hard-margin-svm"),
        ("xor_line(n=20)", "polynomial(degree=2)", "soft-margin-svm"),
        ("sine(n=20, seed=1)", "rbf(gamma=2)", "svr(C=10)"),
        ("blobs(n=30, classes=3, seed=1)", "linear", "soft-margin-svm"),
        ("topics", "words", "perceptron"),
    ],
)
def test_every_lift_of_any_data_is_painted_folded_halfway_and_unfolded(
    frame_of, painted, lift, data, kernel_text, how
):
    frame = frame_of(data, kernel_text, how)
    folded, halfway, unfolded = (
        painted(made(FeatureSpaceView(lift=lift, unfolded=share), frame)) for share in (0.0, 0.5, 1.0)
    )
    assert folded != unfolded
    assert halfway != unfolded


def test_folded_the_points_lie_as_on_the_canvas(frame_of):
    frame = frame_of(RINGS)
    xy = part(made(FeatureSpaceView(unfolded=0.0), frame), "space").places("points")
    X = frame.data.X
    across = np.polyfit(X[:, 0], xy[:, 0], 1)
    up = np.polyfit(X[:, 1], -xy[:, 1], 1)
    assert across[0] == pytest.approx(up[0], rel=1e-6), "one unit is as long both ways"
    np.testing.assert_allclose(np.polyval(across, X[:, 0]), xy[:, 0], atol=1e-6)


def test_lifts_to_two_dimensions_are_seen_from_above_until_they_are_turned(frame_of):
    frame, own = frame_of(RINGS), Camera(10.0, 20.0)
    assert made(FeatureSpaceView(lift="squares"), frame).root.camera == ABOVE
    assert made(FeatureSpaceView(lift="products"), frame).root.camera == ASLANT
    assert made(FeatureSpaceView(lift="squares", camera=own), frame).root.camera == own


def test_a_plane_is_shown_where_the_score_is_linear_and_can_be_left_out(frame_of, painted):
    frame = frame_of(RINGS, "homogeneous(degree=2)")
    scene = made(FeatureSpaceView(lift="products"), frame)
    assert "plane" in scene.switches
    assert scene.remark.words == "boundary: a plane"
    assert painted(made(FeatureSpaceView(lift="products", plane=False), frame)) != painted(scene)
    assert "plane" not in made(FeatureSpaceView(lift="paraboloid"), frame_of(RINGS)).switches


def test_in_two_dimensions_the_boundary_is_a_line_and_no_slab(frame_of, painted):
    frame = frame_of(RINGS, "rbf(gamma=1)", "feature-map(features=squares, model=ridge)")
    view = FeatureSpaceView(lift="squares", camera=Camera(30.0, 30.0))
    scene = made(view, frame)
    fit, box = lifted(scene).fit, lifted(scene).box
    assert fit.plane is not None
    assert scene.remark.words == "boundary: a line"
    assert planes_of(fit, box, LIGHT) == []
    (line,) = (line for level, line in straight_lines(fit, box) if level == 0.0)
    scores = fit.plane.offset + (box.middle + line * box.half) @ fit.plane.weights
    np.testing.assert_allclose(scores, 0.0, atol=1e-9)
    assert painted(made(view.replace(plane=False), frame)) != painted(scene)


def test_of_components_it_is_told_how_much_they_show(frame_of):
    scene = made(FeatureSpaceView(lift=COMPONENTS), frame_of(RINGS))
    shares = lifted(scene).cloud.pca.shares
    assert scene.remark.words == f"{100 * shares[:3].sum():.3g} % of the variance"


def test_another_lift_than_the_one_asked_for_says_so(frame_of):
    asked = made(FeatureSpaceView(lift=FEATURES), frame_of(RINGS))
    assert lifted(asked).fit.lift.title == "paraboloid"
    assert "Gaussian (γ = 1) has no features" in asked.remark.meaning
    finite = made(FeatureSpaceView(lift=FEATURES), frame_of(RINGS, "polynomial(degree=2)"))
    assert "no features" not in finite.remark.words


def test_axes_have_the_names_of_the_columns(frame_of, painted):
    X, z = dataset(RINGS).X, dataset(RINGS).z
    plain, named = (Data.labelled(X, z, columns) for columns in (("x1", "x2"), ("mass", "age")))
    view = FeatureSpaceView()
    assert painted(made(view, frame_of(plain))) != painted(made(view, frame_of(named)))


@pytest.mark.parametrize("camera", [ASLANT, Camera(20.0, 10.0), Camera(130.0, 50.0)], ids=str)
def test_the_names_of_the_axes_cover_nothing_of_the_plot(frame_of, camera):
    """Without the names the picture is the same, but for places at which there was only paper."""
    view, frame = FeatureSpaceView(camera=camera), frame_of(RINGS)
    placed = part(made(view, frame), "space", QRectF(0, 0, 400, 260))
    images = []
    for leave_out in ("_draw_names", "none"):
        image = QImage(400, 260, PIXELS)
        image.fill("white")
        with QPainter(image) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if leave_out == "_draw_names":
                setattr(placed, leave_out, lambda painter: None)
            placed.draw_data(painter, None)
            vars(placed).pop("_draw_names", None)
        images.append(image)
    plot, named = images
    written = [(x, y) for x in range(400) for y in range(260) if plot.pixel(x, y) != named.pixel(x, y)]
    assert written
    covered = [at for at in written if plot.pixelColor(*at).name() != "#ffffff"]
    assert len(covered) < 0.08 * len(written)


def test_turning_moves_the_points_and_the_mouse_finds_them_there(frame_of):
    frame, seen = frame_of(RINGS), []
    for camera in (ASLANT, ASLANT.turned(90.0, 10.0)):
        layout = laid_out(made(FeatureSpaceView(camera=camera), frame))
        xy = layout.find("space").places("points")
        hits = [layout.hit(QPointF(*at.tolist())).points for at in xy]
        assert all(np.hypot(*(xy[found] - at)) < 3.0 for (found,), at in zip(hits, xy, strict=True))
        seen.append(xy)
    assert not np.allclose(*seen)


def test_components_do_not_jump_while_a_kernel_changes(frame_of):
    frame, memory = frame_of(RINGS), ViewMemory()
    view = FeatureSpaceView(lift=COMPONENTS)
    before = lifted(made(view, frame, memory)).fit.points
    for gamma in (1.02, 1.04, 1.06):
        points = lifted(made(view, frame_of(frame.data, f"rbf(gamma={gamma})"), memory)).fit.points
        assert np.abs(points - before).max() < 0.2
        before = points


def test_a_kernel_too_large_for_numbers_says_so(frame_of):
    frame = frame_of(RINGS)
    far = Data.labelled(100.0 * frame.data.X, frame.data.z)
    scene = made(FeatureSpaceView(lift=COMPONENTS), frame_of(far, "exponential(gamma=1)", "feature-map"))
    assert "too large" in scene.reason


# The list ---------------------------------------------------------------------------------------------------
def test_the_list_says_how_many_features_the_kernel_never_computes(frame_of, painted):
    listed = made(LIST, frame_of(RINGS, "polynomial(degree=10)")).root
    assert "q = 66 features, none of which is computed" in listed.head
    assert "all of them computed" in made(LIST, frame_of(RINGS, how="feature-map")).root.head
    infinite = made(LIST, frame_of(RINGS, "laplacian(gamma=1)"))
    assert "infinitely many features" in infinite.reason
    assert infinite.switches == ("features",)
    painted(infinite)


@pytest.mark.parametrize("text", ["rbf(gamma=0.5)", "exponential(gamma=0.5)"])
def test_infinitely_many_features_are_listed_up_to_a_degree_and_their_squares_add_up_to_k(frame_of, text):
    frame = frame_of("three_points", text, "ridge")
    scene = made(LIST.replace(degree=6), frame)
    listed = scene.root
    assert "these are the 28 up to degree 6" in listed.head
    assert set(scene.switches) == {"features", "degree", "order"}
    heading, squares, left = listed.point_column(1, range(listed.count))
    assert heading == "φⱼ² at point 2"
    total = sum(map(number, squares)) + number(left)
    assert total == pytest.approx(frame.model.problem.gram[1, 1], rel=0.01)
    further = [number(made(LIST.replace(degree=d), frame).root.point_column(1, range(3))[2]) for d in (1, 20)]
    assert all(0 < rest < total for rest in further)
    assert "all of higher degree" in listed.rest(0, listed.count).name


def test_the_pieces_of_strings_are_listed_with_their_weights(frame_of, painted):
    scene = made(LIST, frame_of("languages(n=20)", "spectrum(length=2)"))
    assert "have non-zero weight" in scene.root.head
    names = [scene.root.bar(k).name for k in range(scene.root.count)]
    assert " " * 2 not in names, "blanks can be seen"
    painted(scene, marks=Marks(hovered=1))


def test_why_there_is_no_list_is_true(frame_of):
    assert "pair of classes" in made(LIST, frame_of("blobs(n=30, classes=3)", "linear")).reason
    assert "not a sum of features" in made(LIST, frame_of(RINGS, "linear", "nearest-neighbours")).reason


def test_the_list_is_sorted_as_asked(frame_of):
    frame, bars = frame_of(RINGS, "polynomial(degree=3)"), {}
    for order in ORDERS:
        listed = made(LIST.replace(order=order), frame).root
        bars[order] = [listed.bar(k) for k in range(listed.count)]
    assert (np.diff([abs(bar.value) for bar in bars["by |w|"]]) <= 0).all()
    assert [bar.row for bar in bars["as listed"]] == list(map(str, range(10)))
    names = [bar.name for bar in bars["by name"]]
    assert names == sorted(names)


def test_at_a_point_the_terms_are_told_and_rows_are_found_by_the_mouse(frame_of, painted):
    scene = made(LIST, frame_of(RINGS, "polynomial(degree=2)"))
    assert painted(scene, marks=Marks((), 4)) != painted(scene, marks=Marks())
    layout = laid_out(scene)
    top = layout.find("features").inner.top()
    hits = [layout.hit(QPointF(30, top + d)) for d in range(-10, 120, 3)]
    assert "headings of features" in {hit.part for hit in hits}
    assert {hit.row for hit in hits if hit.row} == set(map(str, range(6)))
    assert not any(hit.points for hit in hits)


def test_chosen_features_are_the_axes(frame_of):
    view = FeatureSpaceView(lift=FEATURES, axes=(5, 1, 3))
    scene = made(view, frame_of(RINGS, "polynomial(degree=2)"))
    assert lifted(scene).fit.lift.axes == ("x₂²", "√2 x₁", "x₁²")


# Films ------------------------------------------------------------------------------------------------------
def test_a_film_goes_from_the_plane_to_the_lift_and_back(frame_of):
    shares = [scene.root.unfolded for scene in unfolding(FeatureSpaceView(), frame_of(RINGS), 9)]
    assert (shares[0], shares[-1]) == pytest.approx((0.0, 0.0))
    assert shares[4] == 1.0
    assert shares == pytest.approx(shares[::-1])
    with pytest.raises(BadInput, match="no result"):
        unfolding(FeatureSpaceView(), None, 5)


def test_painting_leaves_the_painter_as_it_was(frame_of):
    layout, image = laid_out(made(FeatureSpaceView(), frame_of(RINGS)), RECT), QImage(300, 200, PIXELS)
    with QPainter(image) as painter:
        layout.paint(painter)
        assert painter.testRenderHint(QPainter.RenderHint.Antialiasing)
        assert not painter.hasClipping()


# By real events ---------------------------------------------------------------------------------------------
@pytest.fixture
def view(opened):
    return opened("space", 640, 480, data=RINGS, kernel_text="polynomial(degree=2)")


def space(view):
    return view.sheet.layout_of_scene.find("space")


def camera(view) -> Camera:
    return view.scene.root.camera


def listed(view, qtbot):
    """The list of features, opened."""
    if not view.boxes["features"].isChecked():
        qtbot.mouseClick(view.boxes["features"], LEFT)
    qtbot.waitUntil(lambda: view.sheet.layout_of_scene.get("features") is not None)
    return view.sheet.layout_of_scene.find("features")


def button(view):
    return view.bar.menus["Fold and unfold"]


def test_dragging_turns_and_selects_nothing(view, qtbot):
    before = view.grab().toImage()
    qtbot.mousePress(view.sheet, LEFT, pos=QPoint(300, 200))
    for x in range(310, 420, 10):
        qtbot.mouseMove(view.sheet, QPoint(x, 220))
    qtbot.mouseRelease(view.sheet, LEFT, pos=QPoint(410, 220))
    assert camera(view).azimuth == pytest.approx(ASLANT.azimuth - 55.0)
    assert camera(view).elevation == pytest.approx(ASLANT.elevation + 10.0)
    assert view.grab().toImage() != before
    assert view.workbench.session.look.selection == ()
    printed = exported(view)
    assert printed.root.camera == camera(view), "printed as it is seen"


def test_arrow_keys_turn_and_page_keys_zoom_and_home_goes_back(view, qtbot):
    view.sheet.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(view.sheet, Qt.Key.Key_Right)
    qtbot.keyClick(view.sheet, Qt.Key.Key_Up)
    assert (camera(view).azimuth, camera(view).elevation) == (-65.0, 30.0)
    qtbot.keyClick(view.sheet, Qt.Key.Key_PageUp)
    assert camera(view).zoom == pytest.approx(1.15)
    qtbot.keyClick(view.sheet, Qt.Key.Key_Home)
    assert camera(view) == ASLANT


def turn_wheel(view, notches: int) -> None:
    middle, way = QPointF(view.sheet.rect().center()), QPoint(0, 120 * notches)
    none = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(middle, view.sheet.mapToGlobal(middle), QPoint(), way, *none, False)
    QApplication.sendEvent(view.sheet, event)


def test_the_wheel_zooms_and_a_double_click_goes_back(view, qtbot):
    turn_wheel(view, 2)
    assert camera(view).zoom == pytest.approx(1.15**2)
    qtbot.mouseDClick(view.sheet, LEFT, pos=QPoint(4, 4))
    qtbot.mouseRelease(view.sheet, LEFT, pos=QPoint(4, 4))
    assert camera(view) == ASLANT


def test_turning_computes_nothing_and_what_comes_later_is_seen_from_the_same_place(view, qtbot):
    fit = lifted(view.scene).fit
    for _ in range(5):
        qtbot.keyClick(view.sheet, Qt.Key.Key_Left)
    assert lifted(view.scene).fit is fit
    turned = camera(view)
    view.lists["lift"].setCurrentText("products")
    qtbot.waitUntil(lambda: lifted(view.scene).fit is not fit)
    assert camera(view) == turned


def test_pointing_highlights_and_a_click_selects(view, qtbot):
    def pointed_at() -> QPoint:
        xy = space(view).places("points")
        at = pixel(QPointF(*xy[7].tolist()))
        qtbot.mouseMove(view.sheet, at)
        assert np.hypot(*(xy[view.workbench.hovered_point] - xy[7])) < 3.0
        return at

    qtbot.waitUntil(lambda: pointed_at() is not None)  # switches may still change the size of the sheet
    at, found = pointed_at(), view.workbench.hovered_point
    qtbot.mouseClick(view.sheet, LEFT, pos=at)
    assert view.workbench.session.look.selection == (found,)


def test_what_is_highlighted_elsewhere_is_lit_here(view):
    plain = view.grab().toImage()
    view.workbench.hover(3)
    assert view.grab().toImage() != plain


# Unfolding --------------------------------------------------------------------------------------------------
def test_the_button_folds_to_the_plane_and_unfolds_again(view, qtbot, monkeypatch):
    monkeypatch.setattr(space_view, "SECONDS", 0.1)
    for end in (0.0, 1.0):
        seen = []
        qtbot.mouseClick(button(view), LEFT)
        qtbot.waitUntil(lambda: seen.append(view.scene.root.unfolded) or seen[-1] == end)  # noqa: B023
        assert seen == sorted(seen, reverse=end == 0.0)


def test_pressed_halfway_it_turns_round_where_it_is(view, qtbot, monkeypatch):
    monkeypatch.setattr(space_view, "SECONDS", 0.2)
    qtbot.mouseClick(button(view), LEFT)
    qtbot.waitUntil(lambda: view.scene.root.unfolded < 0.9)
    assert view.scene.root.unfolded > 0.0
    qtbot.mouseClick(button(view), LEFT)
    qtbot.waitUntil(lambda: view.scene.root.unfolded == 1.0)


def test_out_of_sight_nothing_runs_on(view, qtbot):
    qtbot.mouseClick(button(view), LEFT)
    view.hide()
    ended = view.view.unfolded
    assert ended in (0.0, 1.0)
    qtbot.wait(50)
    assert view.view.unfolded == ended
    view.show()
    assert view.view.unfolded == ended


# The list on screen -----------------------------------------------------------------------------------------
def test_a_click_on_a_row_makes_its_feature_an_axis(view, qtbot):
    features, chosen = listed(view, qtbot), []
    names = {bar.row: bar.name for bar in features.bars}
    for row, box in list(features.rows.items())[:3]:
        chosen.append(int(row))
        qtbot.mouseClick(view.sheet, LEFT, pos=pixel(box.center()))
        qtbot.waitUntil(lambda: view.view.axes == tuple(chosen))
    assert view.lists["lift"].currentText() == FEATURES
    qtbot.mouseClick(view.boxes["features"], LEFT)
    qtbot.waitUntil(lambda: view.sheet.layout_of_scene.get("space") is not None)
    assert lifted(view.scene).fit.lift.axes == tuple(names[str(j)] for j in chosen)


def test_another_click_takes_an_axis_away_and_a_fourth_replaces_the_first(view, qtbot):
    rows = list(listed(view, qtbot).rows.values())
    for k, expected in ((0, 1), (1, 2), (2, 3), (3, 3), (3, 2)):
        qtbot.mouseClick(view.sheet, LEFT, pos=pixel(rows[k].center()))
        qtbot.waitUntil(lambda expected=expected: len(view.view.axes) == expected)


def test_what_is_not_seen_cannot_be_unfolded(view, qtbot):
    listed(view, qtbot)
    assert not button(view).isVisible()
    qtbot.mouseClick(view.boxes["features"], LEFT)
    qtbot.waitUntil(lambda: button(view).isVisible())


def test_a_click_on_the_headings_sorts(view, qtbot):
    for order in ("by name", "as listed"):
        inner = listed(view, qtbot).inner
        qtbot.mouseClick(view.sheet, LEFT, pos=pixel(QPointF(inner.left() + 30, inner.top() - 4)))
        qtbot.waitUntil(lambda order=order: view.scene.root.headings[1] == f"wⱼ, {order}")
        assert view.lists["order"].currentText() == order


def test_wheel_and_keys_reach_every_row_of_a_long_list(view, qtbot):
    listed(view, qtbot)
    view.workbench.session.change("kernel", kernel=kernel("polynomial(degree=8)"))
    qtbot.waitUntil(lambda: view.scene.root.count == 45)
    page = listed(view, qtbot).page
    assert page < 40

    def first() -> int:
        return view.sheet.layout_of_scene.find("features").first

    assert first() == 0
    turn_wheel(view, -1)
    assert first() == 3
    qtbot.keyClick(view.sheet, Qt.Key.Key_Down)
    assert first() == 4
    qtbot.keyClick(view.sheet, Qt.Key.Key_Up)
    qtbot.keyClick(view.sheet, Qt.Key.Key_PageDown)
    assert first() == min(3 + page, 45 - page)
    turn_wheel(view, -100)
    assert first() == 45 - page, "the last row is the last"
    row, box = next(iter(view.sheet.layout_of_scene.find("features").rows.items()))
    qtbot.mouseClick(view.sheet, LEFT, pos=pixel(box.center()))
    qtbot.waitUntil(lambda: view.view.axes == (int(row),))
    qtbot.keyClick(view.sheet, Qt.Key.Key_Home)
    assert (first(), view.view.camera) == (0, None)


def test_beside_the_list_nothing_is_said_of_the_space(view, qtbot):
    view.lists["lift"].setCurrentText("kernel PCA")
    qtbot.waitUntil(lambda: "variance" in view.bar.remark.text())
    listed(view, qtbot)
    assert view.bar.remark.text() == ""


# The lifts --------------------------------------------------------------------------------------------------
def test_only_lifts_of_such_inputs_are_offered_and_the_one_shown_is_named(view, qtbot):
    chooser, session = view.lists["lift"], view.workbench.session

    def offered() -> set[str]:
        return {chooser.itemText(k) for k in range(chooser.count())}

    def title(data) -> str:
        """Of the lift of these data, once it is shown."""
        qtbot.waitUntil(lambda: not view.scene.reason and lifted(view.scene).model.problem.data is data)
        return lifted(view.scene).fit.lift.title

    assert {"paraboloid", "polar"} <= offered()
    assert "parabola" not in offered()
    qtbot.keyClick(chooser, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: title(session.document.data) == "products")
    line = dataset("sine(n=20)")
    session.change("open data", data=line, source="sine(n=20)", algorithm=algorithm("ridge"))
    assert title(line) == "parabola"
    assert offered() == {"parabola", "kernel's features", "kernel PCA"}
    assert chooser.currentText() == "parabola"
    session.undo()
    assert title(session.document.data) == "products"
    assert chooser.currentText() == "products"
