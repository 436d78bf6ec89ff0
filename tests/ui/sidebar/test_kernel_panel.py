"""The kernel panel, as a user acts."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCompleter

from kernelviz.engine.fits import registry
from kernelviz.engine.fits.parsing import algorithm, dataset, kernel
from kernelviz.engine.kernels.base import Scaled
from kernelviz.engine.kernels.editing import walk
from kernelviz.session.workspaces.plane import PlaneWorkspace
from kernelviz.ui.sidebar.expression_line import suggestions
from kernelviz.ui.sidebar.kernel_panel import KernelPanel, described
from tests.ui.sidebar.acting import pick
from tests.ui.widgets.acting import LEFT, change, drag, type_into

# The list of names is a window of its own, which the offscreen plugin cannot raise.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def panel(shown):
    return shown(KernelPanel)


def write(panel, text):
    line = panel.line.line
    line.selectAll()
    QTest.keyClicks(line, text)


def choose_from(button, title):
    next(a for a in button.menu().actions() if a.text() == title).trigger()


def tree_texts(panel):
    def below(item):
        return [item.text(0), *(text for k in range(item.childCount()) for text in below(item.child(k)))]

    root = panel.tree.topLevelItem(0)
    return below(root) if root is not None else []


def in_step(panel, session):
    """Whether session, expression line and tree tell the same kernel."""
    present = session.document.kernel
    return panel.line.line.text() == present.expression() and tree_texts(panel) == [
        described(node) for _, node in walk(present)
    ]


# Parameters -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", [k for k, kind in registry.kernels().items() if kind.domain == "vectors"])
def test_every_control_of_every_kernel_reaches_the_session_and_undo_restores_both(panel, session, name):
    if registry.kernels()[name].weights_only:
        session.change("choose algorithm", algorithm=algorithm("density"))
    if name != "rbf":
        pick(panel, name)
    assert session.document.kernel == registry.kernels()[name]()
    for parameter in registry.kernels()[name].parameters():
        before = session.document
        control = panel.form.current.controls[parameter.name]
        was = control.value
        change(control)
        assert getattr(session.document.kernel, parameter.name) == control.value != was
        assert in_step(panel, session)
        session.undo()
        assert session.document is before
        assert control.value == was
        assert in_step(panel, session)


def test_the_box_is_offered_where_the_algorithm_takes_it_and_stays_while_it_is_in_use(panel, session):
    def offered():
        titles = [action.text() for action in panel.multiply.menu().actions()]
        assert ("box" in panel.picker.names()) == ("Box" in titles)
        return "box" in panel.picker.names()

    assert not offered()
    session.change("choose algorithm", algorithm=algorithm("density"))
    assert offered()
    pick(panel, "box")
    session.change("choose algorithm", algorithm=algorithm("soft-margin-svm"))
    assert offered()
    assert panel.picker.currentText() == "Box"
    pick(panel, "rbf")
    assert not offered()


def test_the_kernel_keeps_its_name_where_an_algorithm_changes_what_is_offered(panel, session):
    name = panel.picker.currentText()
    for text in ("density", "soft-margin-svm"):
        session.change("choose algorithm", algorithm=algorithm(text))
        assert (panel.picker.currentText(), panel.headline) == (name, name)


def test_a_drag_is_one_step_of_undo_named_after_the_parameter(panel, session):
    drag(panel.form.current.controls["gamma"].slider, 0.9)
    assert len(session.history) == 1
    assert session.history.undo_name == "change γ"
    session.undo()
    assert session.document.kernel == kernel("rbf(gamma=1)")


def test_a_number_that_is_not_allowed_changes_nothing_and_says_why(panel, session):
    before = session.document
    control = panel.form.current.controls["gamma"]
    type_into(control.field, "1e99")
    assert session.document is before
    assert control.message.sentence.startswith("gamma of rbf must lie between")


def test_a_kernel_met_again_has_the_parameters_it_had(panel, session):
    type_into(panel.form.current.controls["gamma"].field, "7")
    pick(panel, "linear")
    pick(panel, "rbf")
    assert session.document.kernel == kernel("rbf(gamma=7)")


# The median heuristic ---------------------------------------------------------------------------------
@pytest.mark.parametrize("name", registry.kernels())
def test_the_median_heuristic_is_offered_to_the_kernels_that_have_a_width(panel, session, name):
    if registry.kernels()[name].weights_only:
        session.change("choose algorithm", algorithm=algorithm("density"))
    if name != "rbf":
        pick(panel, name)
    present, points = session.document.kernel, session.document.data.X
    assert panel.median.isHidden() == (present.scaled_to(points) == present.scaled_to(10 * points))


def test_the_median_heuristic_sets_the_width_as_one_step(panel, session):
    wanted = session.document.kernel.scaled_to(session.document.data.X)
    QTest.mouseClick(panel.median, LEFT)
    assert session.document.kernel == wanted
    assert panel.form.current.controls["gamma"].value == wanted.gamma
    assert session.history.undo_name == "set width by median heuristic"


def test_without_points_the_median_heuristic_leaves_the_width_alone(panel, session):
    session.change("clear", data=PlaneWorkspace().empty(), source="")
    QTest.mouseClick(panel.median, LEFT)
    assert session.document.kernel == kernel("rbf(gamma=1)")


# The expression line ------------------------------------------------------------------------------------
def test_what_is_typed_becomes_the_kernel_and_the_tree(panel, session):
    write(panel, "2*rbf(gamma=3)*linear + polynomial(degree=2)")
    QTest.keyClick(panel.line.line, Qt.Key.Key_Return)
    assert session.document.kernel == kernel("2*rbf(gamma=3)*linear + polynomial(degree=2)")
    assert in_step(panel, session)
    assert panel.tree.isVisible()


def test_typing_is_one_step_of_undo(panel, session):
    write(panel, "linear + sigmoid(gamma=0.5)")
    QTest.keyClick(panel.line.line, Qt.Key.Key_Return)
    assert session.history.undo_name == "edit kernel"
    session.undo()
    assert session.document.kernel == kernel("rbf(gamma=1)")
    assert in_step(panel, session)


def test_the_text_is_left_alone_while_it_is_typed(panel, session):
    write(panel, "sigmoid")
    assert session.document.kernel.name == "sigmoid"
    assert panel.line.line.text() == "sigmoid"
    QTest.keyClick(panel.line.line, Qt.Key.Key_Return)
    assert panel.line.line.text() == "sigmoid(gamma=1, c=0)"


@pytest.mark.parametrize(
    "text",
    ["rbf(gamma=1", "lnear", "linear - rbf", "rbf(gamma=-1)", "rbf(sgma=1)", "", "spectrum(length=2)"],
)
def test_text_that_is_no_kernel_of_such_points_gets_a_sentence_and_changes_nothing(panel, session, text):
    panel.line.line.selectAll()
    panel.line.line.insert(text)
    panel.line.line.textEdited.emit(text)
    present = session.document.kernel
    QTest.keyClick(panel.line.line, Qt.Key.Key_Return)
    assert session.document.kernel is present
    assert panel.line.message.isVisible()
    assert panel.line.message.sentence
    QTest.keyClick(panel.line.line, Qt.Key.Key_Escape)
    assert panel.line.message.isHidden()
    assert in_step(panel, session)


def test_return_puts_the_cursor_where_the_text_is_wrong(panel):
    write(panel, "rbf(gamma=1) + lnear")
    QTest.keyClick(panel.line.line, Qt.Key.Key_Return)
    assert panel.line.line.cursorPosition() == len("rbf(gamma=1) + ")
    assert "Did you mean linear?" in panel.line.message.sentence


def test_half_typed_text_is_not_called_wrong_at_once(qtbot, panel):
    write(panel, "linear + ")
    assert panel.line.message.isHidden()
    qtbot.waitUntil(panel.line.message.isVisible)


@pytest.mark.parametrize(
    ("before", "word", "offered"),
    [
        ("lap", "lap", "laplacian("),
        ("rbf(gamma=1) + lin", "lin", "linear"),
        ("rbf(sig", "sig", "sigma="),
        ("polynomial(degree=2, c", "c", "c="),
    ],
)
def test_names_are_offered_where_they_fit(before, word, offered):
    found, names = suggestions(before)
    assert found == word
    assert offered in names


def test_a_name_can_be_completed_with_the_keyboard(panel, session):
    write(panel, "lapl")
    popup = panel.line.line.findChild(QCompleter).popup()
    assert popup.isVisible()
    QTest.keyClick(popup, Qt.Key.Key_Down)
    QTest.keyClick(popup, Qt.Key.Key_Return)
    assert panel.line.line.text() == "laplacian("
    QTest.keyClicks(panel.line.line, "2)")
    popup.hide()
    assert session.document.kernel == kernel("laplacian(gamma=2)")


def test_a_width_written_as_median_suits_the_points_and_becomes_a_number(panel, session):
    write(panel, "rbf(gamma=median)")
    suited = kernel("rbf(gamma=1)").scaled_to(session.document.data.X)
    assert session.document.kernel == suited
    assert panel.line.line.text() == "rbf(gamma=median)"
    QTest.keyClick(panel.line.line, Qt.Key.Key_Return)
    assert "median" not in panel.line.line.text()
    assert session.document.kernel == suited


def test_a_median_of_what_is_no_width_is_called_wrong(panel, session):
    write(panel, "polynomial(degree=median)")
    QTest.keyClick(panel.line.line, Qt.Key.Key_Return)
    assert "polynomial needs a number for degree" in panel.line.message.text()
    assert session.document.kernel == kernel("polynomial")  # the last text that was a kernel


# The tree -----------------------------------------------------------------------------------------------
def test_a_simple_kernel_shows_no_tree(panel):
    assert not panel.tree.isVisible()
    assert not panel.remove.isEnabled()


def test_adding_multiplying_scaling_and_removing_keep_tree_and_text_in_step(panel, session):
    choose_from(panel.add, "Linear")
    assert session.document.kernel == kernel("rbf(gamma=1) + linear")
    assert panel.selected.name == "linear"
    choose_from(panel.multiply, "Sigmoid")
    assert session.document.kernel == kernel("rbf(gamma=1) + linear*sigmoid")
    assert panel.selected.name == "sigmoid"
    assert in_step(panel, session)
    QTest.mouseClick(panel.scale, LEFT)
    assert session.document.kernel == kernel("rbf(gamma=1) + 1*linear*sigmoid")
    type_into(panel.form.current.controls["scale"].field, "0.5")
    assert session.document.kernel == kernel("rbf(gamma=1) + 0.5*linear*sigmoid")
    assert in_step(panel, session)
    QTest.mouseClick(panel.remove, LEFT)
    assert session.document.kernel == kernel("rbf(gamma=1) + linear*sigmoid")
    for _ in range(5):
        session.undo()
        assert in_step(panel, session)
    assert session.document.kernel == kernel("rbf(gamma=1)")


def test_the_form_edits_the_part_that_is_selected_with_the_keyboard(panel, session):
    write(panel, "rbf(gamma=1) + 0.5*rbf(gamma=2)")
    QTest.keyClick(panel.line.line, Qt.Key.Key_Return)
    for _ in range(2):
        QTest.keyClick(panel.tree, Qt.Key.Key_Down)
    assert panel.selected == kernel("rbf(gamma=2)")
    type_into(panel.form.current.controls["gamma"].field, "9")
    assert session.document.kernel == kernel("rbf(gamma=1) + 0.5*rbf(gamma=9)")
    assert in_step(panel, session)
    pick(panel, "linear")
    assert session.document.kernel == kernel("rbf(gamma=1) + 0.5*linear")
    QTest.keyClick(panel.tree, Qt.Key.Key_Delete)
    assert session.document.kernel == kernel("rbf(gamma=1)")


def test_dragging_a_number_in_front_of_a_kernel_stays_on_it(panel, session):
    write(panel, "rbf(gamma=1) + linear")
    QTest.keyClick(panel.line.line, Qt.Key.Key_Return)
    QTest.mouseClick(panel.scale, LEFT)
    steps = len(session.history)
    drag(panel.form.current.controls["scale"].slider, 0.8)
    assert len(session.history) == steps + 1
    assert panel.selected.title == "Multiple"
    assert in_step(panel, session)


def test_a_sum_can_be_turned_into_a_product(panel, session):
    write(panel, "rbf(gamma=1) + linear")
    QTest.keyClick(panel.line.line, Qt.Key.Key_Return)
    QTest.keyClick(panel.tree, Qt.Key.Key_Up)
    assert panel.turn.isVisible()
    QTest.mouseClick(panel.turn, LEFT)
    assert session.document.kernel == kernel("rbf(gamma=1)*linear")
    assert in_step(panel, session)


# Formula and verdict ------------------------------------------------------------------------------------
def test_the_formula_is_that_of_the_whole_kernel(panel, session):
    assert panel.formula.latex == f"K(x, x') = \\allowbreak {session.document.kernel.latex}"
    session.change("edit", kernel=kernel("rbf(gamma=1) + 3*linear"))
    assert panel.formula.latex == f"K(x, x') = \\allowbreak {session.document.kernel.latex_with_values()}"


def test_a_verdict_on_other_points_is_removed_while_the_worker_is_late(qtbot, panel, workbench, session):
    workbench.refresh()
    qtbot.waitUntil(panel.verdict.isVisible)
    session.change("other points", data=dataset("rings(n=20)"))
    workbench.busy_changed.emit(True)
    assert not panel.verdict.isVisible()
    workbench.busy_changed.emit(False)
    qtbot.waitUntil(panel.verdict.isVisible)
    session.change("a point less", data=session.document.data.subset(range(19)))
    workbench.busy_changed.emit(True)
    assert panel.verdict.isVisible(), "it holds for nearly all points, and must not flicker"
    workbench.busy_changed.emit(False)


def test_the_verdict_on_a_kernel_is_quiet_and_the_verdict_on_an_impostor_warns(
    qtbot, panel, session, workbench
):
    workbench.refresh()
    qtbot.waitUntil(lambda: panel.verdict.sentence.startswith("Positive semi-definite"))
    assert panel.verdict.tone == "muted"
    session.change("edit", kernel=kernel("sigmoid(gamma=1, c=-2)"))
    qtbot.waitUntil(lambda: panel.verdict.sentence.startswith("Not positive semi-definite"))
    assert panel.verdict.tone == "warning"


def test_without_points_nothing_is_claimed(qtbot, panel, session, workbench):
    workbench.refresh()
    qtbot.waitUntil(lambda: bool(panel.verdict.sentence))
    session.change("clear", data=PlaneWorkspace().empty(), source="")
    qtbot.waitUntil(lambda: not panel.verdict.sentence)


def test_showing_the_panel_changes_nothing(panel, session):
    assert len(session.history) == 0


def test_an_algorithm_without_a_kernel_is_said_to_have_none(panel, session):
    assert panel.unused.isHidden()
    session.change("choose algorithm", algorithm=algorithm("feature-map"))
    assert "no kernel" in panel.unused.sentence


def test_a_kernel_that_is_added_scrolls_into_sight(qtbot, panel):
    panel.resize(300, 260)
    choose_from(panel.add, "Linear")
    qtbot.waitUntil(lambda: panel.tree.visibleRegion().boundingRect().height() > 40)


@pytest.mark.parametrize("text", ["linear + rbf", "linear * rbf", "2*linear"])
def test_every_composition_is_explained_in_a_sentence(panel, session, text):
    session.change("kernel", kernel=kernel(text))
    panel.tree.selected.emit(())
    assert panel.summary.text().endswith(".")
    assert ">=" not in panel.summary.text()


def test_the_menus_list_the_kernels_as_the_picker_does(panel):
    titles = [registry.kernels()[name].title for name in panel.picker.names()]
    for menu in (panel.add.menu(), panel.multiply.menu()):
        assert [action.text() for action in menu.actions() if not action.isSeparator()] == titles


@pytest.mark.parametrize("text", ["linear", "2*linear", "rbf*linear", "2*rbf*linear", "rbf*(linear + 2*rbf)"])
def test_every_part_of_a_kernel_can_be_scaled_and_its_number_is_selected(panel, session, text):
    for path, _ in walk(kernel(text)):
        session.change("change kernel", kernel=kernel(text))
        panel.tree.selected.emit(path)
        QTest.mouseClick(panel.scale, LEFT)
        assert isinstance(panel.selected, Scaled)
