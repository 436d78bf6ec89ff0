"""The curve and the words have what the plane has, or say in words why not."""

from __future__ import annotations

import json

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QPoint, QPointF, Qt

import kernelviz
from kernelviz.engine.fits import registry
from kernelviz.engine.fits.parsing import algorithm
from kernelviz.scene.export.composition import render_state
from kernelviz.scene.export.options import Options
from kernelviz.session.files import kviz
from kernelviz.session.scripts.script import kernelviz_script, sklearn_script
from kernelviz.session.suiting import suited
from kernelviz.session.workspaces.registry import datasets_for, workspace_of, workspaces
from kernelviz.ui.dialogs.snapshot import Snapshot
from kernelviz.ui.insight.scene_view import SceneView
from kernelviz.ui.insight.views import VIEWS
from tests.ui.sidebar.acting import pick
from tests.ui.window.acting import LEFT, panel

BOTH = pytest.mark.parametrize("name", ["curve", "words"])


@pytest.fixture
def guests():
    return {workspace.name: workspace for workspace in workspaces()}


@pytest.fixture
def go_to(qtbot, window):
    def go(name):
        qtbot.mouseClick(window.canvases.switch.buttons[name], LEFT)
        qtbot.waitUntil(lambda: window.workbench.up_to_date)
        return window

    return go


def do(window, *commands):
    for command in commands:
        window.actions_by_name[command].trigger()


@BOTH
def test_the_switch_shows_its_example_fitted_and_undo_leads_back(go_to, guests, name):
    window = go_to(name)
    assert window.canvas.workspace is guests[name]
    assert window.workbench.failure is None
    assert window.canvas.banner.text == ""
    do(window, "undo")
    assert window.canvas.workspace.name == "plane"


REFUSED = {
    "curve": ("flip_selection", "These points have no class to flip."),
    "words": ("jitter", "A string lies where the kernel puts it; change its letters to move it."),
}


@BOTH
def test_the_edit_menu_does_what_it_says_or_says_why_not(qtbot, go_to, guests, name):
    window = go_to(name)
    before = window.session.document.data
    commands = {"jitter": 1, "flip_selection": 1, "duplicate_selection": 2, "delete_selection": 0, "clear": 0}
    for command, times in commands.items():
        do(window, "select_all", command)
        after = window.session.document.data
        if command == REFUSED[name][0]:
            assert window.canvas.banner.text == REFUSED[name][1]
            assert after is before
            continue
        assert after.n == times * before.n
        assert after is not before
        assert workspace_of(after) is guests[name]
        qtbot.waitUntil(lambda: window.workbench.up_to_date)
        if not after.n:
            assert guests[name].how_to_add in window.canvas.banner.suggestion
        do(window, "undo")
        assert window.session.document.data is before


@BOTH
def test_every_command_of_the_canvas_can_be_given(monkeypatch, go_to, guests, name):
    from kernelviz.ui.canvas.points import LimitsDialog
    from kernelviz.ui.window.commands import COMMANDS

    monkeypatch.setattr(LimitsDialog, "exec", lambda self: False)
    window = go_to(name)
    for command in COMMANDS:
        if command.by == "canvas":
            do(window, command.name)
            assert workspace_of(window.session.document.data) is guests[name], command.name


@BOTH
def test_what_does_not_apply_is_in_no_picker(go_to, guests, name):
    window = go_to(name)
    data = window.session.document.data
    kernels, algorithms = panel(window, "kernel").picker.names(), panel(window, "algorithm").picker.names()
    assert set(kernels) == {
        k for k, kind in registry.kernels().items() if kind.domain == data.domain and not kind.weights_only
    }
    assert ("subsequence" in kernels) == (name == "words")
    assert set(algorithms) == {
        a for a, kind in registry.algorithms().items() if kind.learns(data.task, data.domain)
    }
    assert set(panel(window, "data").picker.names()) == set(datasets_for(guests[name]))
    go_to("plane")
    assert "rings" in panel(window, "data").picker.names()
    assert "subsequence" not in panel(window, "kernel").picker.names()


@BOTH
def test_panels_and_status_line_speak_of_what_there_is(qtbot, go_to, name):
    window = go_to(name)
    data = window.session.document.data
    counts = panel(window, "data").counts
    qtbot.waitUntil(lambda: counts.text().startswith(f"{data.n} {data.noun}s"))
    assert ("</b>" in counts.text()) == (name == "words")
    figures = window.status_line.figures
    # The number of points is shown before the fit is there, the other numbers with it.
    qtbot.waitUntil(lambda: figures.text().startswith(f"{data.n} {data.noun}s") and "·" in figures.text())
    assert ("training error" in figures.text()) == (name == "words")


@BOTH
def test_every_insight_view_shows_something_or_says_what_it_would_need(qtbot, go_to, name):
    window = go_to(name)
    qtbot.waitUntil(lambda: window.workbench.up_to_date)
    for listed in VIEWS.values():
        if window.session.document.data.domain in listed.domains and issubclass(listed.widget, SceneView):
            scene = Snapshot.of(window.workbench).scene_of(window.insight.panel(listed.widget))
            assert not scene.reason or scene.reason.endswith(".")


@BOTH
def test_the_inspector_tells_of_a_selected_point(qtbot, go_to, name):
    window = go_to(name)
    window.session.adjust(selection=(1,))
    inspector = panel(window, "inspector")
    told = {"curve": "Point 2, y = ", "words": "“banana”, class banana"}[name]
    qtbot.waitUntil(lambda: inspector.heading.text().startswith(told))
    qtbot.waitUntil(lambda: inspector.values["score"].text() != "–")


def test_the_inspector_tells_what_the_curve_says_at_a_place(qtbot, go_to):
    window = go_to("curve")
    inspector = panel(window, "inspector")
    inspector.show_place(0.5, 7.0)
    qtbot.waitUntil(lambda: inspector.heading.text() == "Place (0.5)")
    assert float(inspector.values["score"].text()) == pytest.approx(np.sin(np.pi / 2), abs=0.1)


@BOTH
def test_it_is_saved_opened_and_rendered_also_without_points(go_to, guests, tmp_path, name):
    window = go_to(name)
    state = window.session.state
    render_state(state, tmp_path / "it.png", Options(width=240, height=200, dpi=72))
    with Image.open(tmp_path / "it.png") as picture:
        assert len(picture.convert("RGB").getcolors(100_000)) > 10
    do(window, "clear")
    for kept in (state, window.session.state):
        kviz.save(tmp_path / "it.kviz", kept)
        opened, _ = kviz.load(tmp_path / "it.kviz")
        assert workspace_of(opened.document.data) is guests[name]
        assert opened.document.data.n == kept.document.data.n
        assert opened.document.fits == kept.document.fits


@BOTH
def test_new_is_an_empty_document_of_the_same_workspace(go_to, guests, name):
    window = go_to(name)
    window.session.mark_saved()
    do(window, "new")
    assert window.session.document.data.n == 0
    assert window.canvas.workspace is guests[name]


def test_scripts_rebuild_the_curve_and_its_figure_here_and_with_scikit_learn(go_to, tmp_path, monkeypatch):
    window = go_to("curve")
    state, names = window.session.state, {}
    monkeypatch.chdir(tmp_path)
    exec(kernelviz_script(state), {})
    exec(sklearn_script(state), names)
    assert (tmp_path / "figure-kernelviz.png").exists()
    assert (tmp_path / "figure-sklearn.png").exists()
    x = np.linspace(-2, 2, 30)[:, None]
    assert names["score"](x) == pytest.approx(window.workbench.frame.model.score(x), abs=1e-6)


def test_scripts_of_words_hold_the_strings(go_to):
    window = go_to("words")
    window.session.change("edit", data=window.session.document.data, source="")
    state = window.session.state
    assert "'sentance'" in kernelviz_script(state)
    assert "'sentance'" in sklearn_script(state)


def test_a_click_adds_a_point_to_the_curve_and_a_drag_changes_its_target(qtbot, go_to):
    window = go_to("curve")
    n, area = window.session.document.data.n, window.canvas.area
    view, port = area.view, area.viewport()
    x, y = view.left + 0.1 * (view.right - view.left), view.bottom + 0.9 * (view.top - view.bottom)
    at = area.mapFromScene(area.box.mapViewToScene(QPointF(x, y)))
    qtbot.mouseClick(port, LEFT, pos=at)
    step = 1.5 * float(max(window.canvas.area.units(1.0)))
    assert window.session.document.data.n == n + 1
    assert (window.session.document.data.X[-1, 0], window.session.document.data.y[-1]) == pytest.approx(
        (x, y), abs=step
    )
    qtbot.mousePress(port, LEFT, pos=at)
    qtbot.mouseMove(port, at + QPoint(0, 40))
    qtbot.mouseRelease(port, LEFT, pos=at + QPoint(0, 40))
    assert window.session.document.data.y[-1] < y - 30 * float(window.canvas.area.units(1.0)[1])


@pytest.mark.parametrize("text", ["kernel-sgd(seed=1)", "svr(C=10, epsilon=0.1)"])
def test_arrow_keys_step_the_curve_forward_and_back_and_space_plays_it(qtbot, go_to, text):
    window = go_to("curve")
    window.session.change("choose algorithm", algorithm=algorithm(text))
    area = window.canvas.area
    area.setFocus()

    def after(key):
        qtbot.keyClick(area, key)
        qtbot.waitUntil(lambda: window.workbench.up_to_date)
        qtbot.waitUntil(lambda: shown().model is window.workbench.frame.model)
        x, s = np.vstack(shown().curve).T
        assert s == pytest.approx(window.workbench.frame.model.score(x[:, None]), abs=1e-9)
        return np.interp(np.linspace(x[0], x[-1], 50), x, s)

    def shown():
        return window.canvas.scene.decoration.picture

    first, second, third = (after(Qt.Key.Key_Right) for _ in range(3))
    assert window.session.look.mode == "watch"
    assert np.abs(second - first).max() > 1e-3
    assert np.abs(third - second).max() > 1e-3
    assert after(Qt.Key.Key_Left) == pytest.approx(second, abs=1e-9)
    assert after(Qt.Key.Key_Left) == pytest.approx(first, abs=1e-9)
    step = window.session.look.step
    qtbot.keyClick(area, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window.session.look.step > step + 1)
    qtbot.keyClick(area, Qt.Key.Key_Space)
    assert not window.playback.playing
    after(Qt.Key.Key_L)
    assert window.session.look.mode == "live"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("curve", "x,y\n" + "\n".join(f"{k / 7},{k * k / 31}" for k in range(30))),
        ("words", "text,label\n" + "\n".join(f"{'ab' * k}c,{k % 2}" for k in range(12))),
    ],
)
def test_a_pasted_table_goes_to_the_workspace_that_shows_it_with_a_fit_that_suits_it(
    qtbot, window, guests, name, text
):
    from PySide6.QtGui import QGuiApplication

    QGuiApplication.clipboard().setText(text)
    do(window, "paste")
    qtbot.waitUntil(lambda: window.canvas.workspace is guests[name])
    qtbot.waitUntil(lambda: window.workbench.up_to_date)
    assert window.workbench.failure is None
    document = window.session.document
    assert document.fit == suited(guests[name].fit, document.data)[0]
    do(window, "undo")
    assert window.canvas.workspace.name == "plane"


@BOTH
def test_points_and_model_are_saved_or_it_is_said_why_not(go_to, tmp_path, name):
    window = go_to(name)
    for suffix in ("csv", "svm", "npz", "json"):
        path = tmp_path / f"it.{suffix}"
        window.data_files.save_points(path)
        assert path.exists() or window.canvas.banner.text.endswith(".")
        if suffix == "json":
            assert json.loads(path.read_text())["n"] == window.session.document.data.n
        elif name == "curve":
            assert path.stat().st_size > 0


def test_the_inspector_of_a_curve_tells_residual_leverage_and_what_leaving_the_point_out_does(qtbot, go_to):
    window = go_to("curve")
    inspector = panel(window, "inspector")
    window.session.adjust(selection=(3,))
    qtbot.waitUntil(lambda: "leverage" in inspector.values and inspector.values["leverage"].text() != "–")
    model = window.workbench.frame.model
    data, told = model.problem.data, {name: label.text() for name, label in inspector.values.items()}
    others = kernelviz.fit(
        data.subset([i for i in range(data.n) if i != 3]),
        kernel=model.problem.kernel,
        algorithm=model.algorithm,
    )
    left_out = data.y[3] - others.score(data.X[[3]])[0]
    assert float(told["left_out"].replace("−", "-")) == pytest.approx(left_out, rel=1e-2)
    assert float(told["residual"].replace("−", "-")) == pytest.approx(model.residuals[3], rel=1e-2)
    assert "alpha" not in told
    assert "margin" not in told
    go_to("plane")
    qtbot.waitUntil(lambda: "margin" in inspector.values)


def test_the_target_of_a_point_is_typed_in_the_inspector_and_in_the_table(qtbot, go_to):
    window = go_to("curve")
    window.session.adjust(selection=(3,))
    inspector, table = panel(window, "inspector"), panel(window, "table")
    qtbot.waitUntil(lambda: len(inspector.fields) == 2)
    inspector.fields[1].typed.emit(0.75)
    assert window.session.document.data.y[3] == 0.75
    assert table.put(4, 1, "-0.25")
    assert window.session.document.data.y[4] == -0.25
    assert window.session.history.undo_name == "move point"


def test_nothing_in_the_curves_window_speaks_of_classes(go_to):
    window = go_to("curve")
    for name in ("flip_selection", "next_class"):
        assert not window.actions_by_name[name].isVisible()
    go_to("plane")
    assert window.actions_by_name["flip_selection"].isVisible()


def test_of_a_wide_table_the_curve_asks_for_x_and_y_alone(qtbot, go_to, tmp_path, monkeypatch):
    from kernelviz.ui.dialogs.column_picker import ColumnPicker

    window, path = go_to("curve"), tmp_path / "wide.csv"
    path.write_text("id,height,weight,kind\n" + "".join(f"{k},{k / 3},{k * k / 7},a\n" for k in range(9)))

    def choose(picker):
        assert len(picker.pickers) == 2
        picker.pickers[0].setCurrentIndex(1)
        picker.pickers[1].setCurrentIndex(1)
        assert picker.problem.text().startswith("Curve needs a column of numbers and a number for each")
        picker.pickers[1].setCurrentIndex(2)
        picker.accept()
        return 1

    monkeypatch.setattr(ColumnPicker, "exec", choose)
    window.files.open_path(path)
    qtbot.waitUntil(lambda: window.session.document.data.columns == ("height",))
    assert window.session.document.data.y == pytest.approx([k * k / 7 for k in range(9)])
    assert window.canvas.workspace.name == "curve"


@pytest.mark.parametrize(
    ("name", "example", "variant"), [("plane", "colours", "categories"), ("words", "graphs", "objects")]
)
def test_a_variant_is_reached_by_its_data_sets_and_left_by_the_segment_it_shares(
    qtbot, go_to, name, example, variant
):
    window = go_to(name)
    before = window.session.document
    pick(panel(window, "data"), example)
    qtbot.waitUntil(lambda: window.workbench.up_to_date)
    assert window.canvas.workspace.name == variant
    assert window.workbench.failure is None
    assert window.canvases.switch.buttons[name].isChecked()
    assert set(window.canvases.switch.buttons) == {"plane", "curve", "words"}
    go_to(name)
    assert window.session.document is before
    do(window, "undo")
    assert window.canvas.workspace.name == variant
