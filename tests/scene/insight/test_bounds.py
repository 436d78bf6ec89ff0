"""The table of numbers and bounds."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtWidgets import QApplication

from kernelviz.engine.numbers.bounds import best_reference, bound_compression, error_bounds, slack_ratio
from kernelviz.engine.numbers.of_fit import NAMES
from kernelviz.scene.figure.style import Style
from kernelviz.scene.insight.bounds import LISTED, NO_BOUNDS, BoundsView
from kernelviz.scene.painter import Layout
from kernelviz.scene.view import Now, ViewMemory
from kernelviz.ui.insight.area import InsightArea
from tests.scene.insight.helpers import exported, pixel, press

SEPARABLE = ("barely_separable(n=60, gap=1.5)", "linear")


def make(frame, verdict=None, view=None, **now):
    return (view or BoundsView()).scene(frame, Now(verdict, **now), ViewMemory())


def items(scene):
    return (*scene.root.items, *scene.root.more)


def values(scene) -> dict[str, str]:
    return {item.name: item.value for item in items(scene)}


def test_every_number_of_the_fit_is_there(frame_of):
    frame = frame_of()
    told, numbers = values(make(frame)), frame.model.numbers
    assert told["training error"] == f"{100 * numbers['training_error']:.3g} %"
    assert float(told["R"]) == pytest.approx(frame.model.radius)
    assert float(told["‖w‖"]) == pytest.approx(numbers["norm"], rel=1e-3)
    vectors = f"{numbers['support_vectors']} ({numbers['free']} free, {numbers['bounded']} bounded)"
    assert told["support vectors"] == vectors
    apart = {"loss", "support_vectors", "free", "bounded"}
    assert set(NAMES) - apart <= {row.key for row in LISTED}, "whatever the summary has, the table can tell"


def test_of_real_targets_their_own_and_no_bounds(answers):
    frame, verdict = answers("sine(n=30, seed=1)", "rbf(gamma=3)", "ridge(lam=0.1)")
    scene = make(frame, verdict)
    told = values(scene)
    assert float(told["mean squared error"]) == pytest.approx(frame.model.residuals.var(), rel=0.1)
    freedom = frame.model.summary()["degrees_of_freedom"]
    assert float(told["degrees of freedom"]) == pytest.approx(freedom, rel=1e-3)
    assert scene.root.more == ()
    assert scene.switches == ()


@pytest.mark.parametrize(
    ("data", "kernel", "why"),
    [
        ("blobs(n=30, classes=3)", "rbf(gamma=1)", "two classes"),
        ("rings(n=30)", "sigmoid(gamma=5, c=1)", "indefinite"),
    ],
)
def test_where_bounds_do_not_apply_it_says_why(frame_of, data, kernel, why):
    item = make(frame_of(data, kernel)).root.more[0]
    assert item.name == NO_BOUNDS
    assert why in item.note


def test_delta_and_the_reference_margin_reach_the_bounds(frame_of):
    frame = frame_of(*SEPARABLE)
    model = frame.model
    told, norm = values(make(frame, view=BoundsView(delta=0.3, reference=2.0))), model.numbers["norm"]
    expected = bound_compression(60, model.numbers["support_vectors"], 0.0, 0.3).value
    assert told["compression"] == f"ε = {100 * expected:.3g} %"
    margins = model.problem.z * model.training_scores / norm
    ratio = slack_ratio(margins, model.radius, 2.0 * best_reference(margins, model.radius))
    assert float(told["slack"]) == pytest.approx(ratio, rel=1e-3)


def test_a_bound_says_in_words_that_it_is_vacuous_and_how_many_points_would_help(frame_of):
    frame = frame_of("moons(n=20, noise=0.05, seed=1)", "rbf(gamma=2)", "hard-margin-svm")
    bound = error_bounds(frame.model)[2]
    assert bound.vacuous
    item = next(item for item in make(frame).root.more if item.name == "compression")
    assert item.value.startswith("vacuous")
    assert f"with {bound.needs:,} or more points" in item.note


def test_the_count_of_a_perceptron_is_beside_its_bound(answers):
    frame, verdict = answers(*SEPARABLE, "perceptron(sweeps=1000)")
    told = values(make(frame, verdict))["mistakes"]
    assert told == f"{frame.model.iterations} (at most {int(verdict.mistake_bound)})"


@pytest.mark.parametrize("size", [(300.0, 200.0), (160.0, 120.0), (600.0, 400.0)], ids=str)
def test_every_row_is_found_where_it_is_written(frame_of, qapp, size):
    scene = make(frame_of())
    layout = Layout(scene.root, QRectF(0, 0, *size), Style())
    places = layout.find("rows").rows
    assert len(places) == len(items(scene))
    for item in items(scene):
        hit = layout.hit(places[item.name].center())
        assert hit.row == item.name
        assert item.tip in hit.tip
    assert layout.hit(QPointF(-5, -5)).row == ""


def test_at_its_height_the_type_can_be_read(frame_of, qapp):
    root, style = make(frame_of()).root, Style()
    height = root.height(300.0, style)
    placed = Layout(root, QRectF(0, 0, 300.0, height), style).find("rows")
    assert placed.size > 0.9 * style.text
    assert max(place.bottom() for place in placed.rows.values()) < height


def test_in_a_large_place_the_type_is_larger_but_not_on_paper(frame_of, qapp):
    frame, style, large = frame_of(), Style(), QRectF(0, 0, 900, 600)
    assert Layout(make(frame).root, large, style).find("rows").size > 1.2 * style.text
    assert Layout(make(frame, on_paper=True).root, large, style).find("rows").size == style.text


# By real events ---------------------------------------------------------------------------------------------
@pytest.fixture
def view(bench, opened):
    return opened("bounds", workbench=bench("barely_separable(n=60, gap=1.5)", "linear"))


def bound(view, name: str) -> str:
    return next(item.value for item in view.scene.root.more if item.name == name)


def places(view):
    """Where the rows are, by name."""
    return view.sheet.layout_of_scene.find("rows").rows


def test_pointing_at_a_number_tells_its_formula(view, qtbot):
    plain = view.sheet.grab().toImage()
    for name, formula in (("smallest margin", "minᵢ zᵢ s(xᵢ)/‖w‖"), ("slack", "(R² + ‖h‖²)/γ₀²")):
        qtbot.mouseMove(view.sheet, pixel(places(view)[name].center()))
        assert view.sheet.marks.pointed.row == name
        assert formula in view.sheet.toolTip()
        assert view.sheet.grab().toImage() != plain
    QApplication.sendEvent(view.sheet, QEvent(QEvent.Type.Leave))
    assert view.sheet.toolTip() == ""
    assert view.sheet.grab().toImage() == plain


def test_the_formula_stays_while_the_numbers_move(view, qtbot):
    name, place = next(iter(places(view).items()))
    qtbot.mouseMove(view.sheet, pixel(place.center()))
    view.workbench.refresh()
    QApplication.processEvents()
    qtbot.waitUntil(lambda: view.taken is view.workbench.frame)
    assert view.sheet.marks.pointed.row == name


def test_keys_on_the_slider_ask_for_more_or_less_certainty(view):
    before = bound(view, "compression")
    slider = view.numbers["delta"].slider
    press(slider, Qt.Key.Key_Right)
    assert view.view.delta > 0.05
    assert bound(view, "compression") != before


def test_a_reference_margin_is_typed(view, qtbot):
    field = view.numbers["reference"].field
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "4")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert view.view.reference == 4.0
    printed = exported(view)
    assert bound(view, "slack") == next(item.value for item in printed.root.more if item.name == "slack")


def test_without_bounds_there_is_nothing_to_set(bench, opened):
    view = opened("bounds", workbench=bench("gaussians(n=30)", how="nearest-neighbours(k=3)"))
    assert all(not control.isVisible() for control in view.numbers.values())


def test_in_a_small_place_it_scrolls_rather_than_shrinks(view, qtbot):
    view.resize(300, 100)
    qtbot.waitUntil(lambda: view.sheet.minimumHeight() > 150)


def test_its_controls_wrap_so_that_no_value_is_cut_off_in_a_narrow_place(view, qtbot):
    area = InsightArea(view.workbench)
    qtbot.addWidget(area)
    area.restore(["bounds"])
    area.resize(370, 260)
    area.show()
    qtbot.waitExposed(area)
    area.grab()
    shown = area.view("bounds")
    assert shown.width() <= area.width()
    delta, reference = shown.numbers.values()
    assert reference.mapTo(shown, reference.rect().topRight()).x() <= shown.width()
    assert reference.mapTo(shown, reference.rect().topLeft()).y() > delta.mapTo(shown, delta.pos()).y()
