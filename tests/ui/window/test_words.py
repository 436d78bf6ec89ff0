"""Words in the window: pasting lines, what is not offered, films, and large type."""

from __future__ import annotations

import threading

import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QTextBrowser

from kernelviz.cli import main
from kernelviz.engine.fits.parsing import algorithm, kernel
from kernelviz.engine.models import problem
from kernelviz.session.state import start_up
from kernelviz.session.workspaces.registry import workspaces
from kernelviz.ui.canvas.words.table import StringTable
from kernelviz.ui.dialogs.column_picker import ColumnPicker
from kernelviz.ui.dialogs.questions import GapsQuestion, PasteQuestion
from kernelviz.ui.window.keyboard import ShortcutsSheet
from kernelviz.ui.window.status_line import figures
from tests.ui.window.acting import CONTROL, LEFT, come_to_rest, present

pytestmark = pytest.mark.usefixtures("qapp")  # a command that draws would make one without windows
WORDS = next(workspace for workspace in workspaces() if workspace.name == "words")


@pytest.fixture
def state():
    return start_up(WORDS)


def paste(qtbot, window, text, count):
    QGuiApplication.clipboard().setText(text)
    window.actions_by_name["paste"].trigger()
    qtbot.waitUntil(lambda: window.session.document.data.n == count)
    qtbot.waitUntil(lambda: window.workbench.up_to_date)


@pytest.mark.parametrize(
    "text",
    ["sentenze\nsentens\nsendence", "one two three\nfour, five\nsix\tseven", 'say "no"\n;;\n#hash, a'],
)
def test_pasted_lines_are_strings_of_one_class_which_a_key_flips(qtbot, window, text):
    before = window.session.document
    paste(qtbot, window, text, 27)
    data = window.session.document.data
    assert data.X[24:] == tuple(text.split("\n"))
    assert set(data.class_of_each[24:]) == {"sentence"}
    assert window.canvas.banner.text == "3 strings added as class sentence."
    assert window.session.look.selection == (24, 25, 26)
    window.actions_by_name["flip_selection"].trigger()
    assert set(window.session.document.data.class_of_each[24:]) == {"banana"}
    window.actions_by_name["undo"].trigger()
    window.actions_by_name["undo"].trigger()
    assert window.session.document is before


GOOD = "text\tlabel\nsent\tx\nsend\ty\nban\tx\nbans\ty\nbun\tx\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (GOOD + "abc", "line 7: 1 value, but line 1 has 2"),
        (GOOD.partition("\n")[2] + "abc", "line 6: 1 value, but line 1 has 2"),
    ],
)
def test_a_table_with_a_wrong_line_is_no_heap_of_lines(qtbot, window, text, told):
    before = window.session.document
    QGuiApplication.clipboard().setText(text)
    window.actions_by_name["paste"].trigger()
    qtbot.waitUntil(lambda: told in window.canvas.banner.text)
    assert window.session.document is before


def test_a_pasted_table_with_a_missing_label_asks_about_its_row(qtbot, window):
    before = window.session.document
    QGuiApplication.clipboard().setText(GOOD + "abc\t")
    window.actions_by_name["paste"].trigger()
    qtbot.waitUntil(lambda: window.findChild(GapsQuestion) is not None)
    question = window.findChild(GapsQuestion)
    assert "the label is missing" in question.informativeText()
    qtbot.keyClick(question, Qt.Key.Key_Escape)
    assert window.session.document is before


def test_of_a_pasted_table_of_texts_with_more_than_a_label_the_columns_are_asked_for(
    qtbot, window, monkeypatch
):
    asked = []
    monkeypatch.setattr(ColumnPicker, "exec", lambda picker: asked.append(picker._table.names))
    QGuiApplication.clipboard().setText("text,label,when\nabc def,x,monday\nabc,y,friday\n")
    window.actions_by_name["paste"].trigger()
    qtbot.waitUntil(lambda: asked == [("text", "label", "when")])


def test_strings_are_called_strings_when_they_are_pasted_counted_and_misclassified(qtbot, window):
    QGuiApplication.clipboard().setText("text\tlabel\nsent\tsentence\nban\tbanana\nbans\tbanana\nbun\tbanana")
    window.actions_by_name["paste"].trigger()
    qtbot.waitUntil(lambda: window.findChild(PasteQuestion) is not None)
    question = window.findChild(PasteQuestion)
    assert question.text().startswith("Add 4 strings to the 24 on the canvas")
    question.close()
    assert figures(window.workbench.frame)["points"] == "24 strings"
    window.session.change("choose algorithm", algorithm=algorithm("perceptron"))
    window.session.adjust(mode="watch", step=1)
    qtbot.waitUntil(lambda: window.workbench.up_to_date and window.workbench.frame.step == 1)
    assert window.workbench.frame.change.text.startswith("string 1 misclassified")


def test_what_does_not_apply_to_words_is_neither_in_menus_nor_on_the_sheet_of_keys(window):
    assert not window.actions_by_name["jitter"].isVisible()
    assert window.actions_by_name["flip_selection"].isVisible()
    told = ShortcutsSheet(window, window.canvas).findChild(QTextBrowser).toPlainText()
    assert "Drag a point" not in told
    assert "change the letters" in told


def test_algorithms_that_need_numbers_are_not_offered(window):
    names = window.docks["algorithm"].widget().picker.names()
    assert "soft-margin-svm" in names
    assert not {"random-features", "feature-map"} & set(names)


def test_watching_the_perceptron_frames_the_strings_it_errs_on(qtbot, window):
    from kernelviz.engine.fits.parsing import algorithm

    window.session.change("choose algorithm", algorithm=algorithm("perceptron"))
    window.session.adjust(mode="watch", step=2)
    qtbot.waitUntil(lambda: window.workbench.up_to_date)
    decoration = window.canvas.scene.decoration
    assert [mark.kind for mark in decoration.picture.marks] == ["around"]


def test_presenting_keeps_table_and_map_in_sight(qtbot, window):
    window.actions_by_name["presentation"].trigger()
    qtbot.waitUntil(lambda: window.workbench.up_to_date)
    canvas = window.canvas
    assert canvas.table.isVisible()
    assert canvas.area.isVisible()
    window.actions_by_name["presentation"].trigger()


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_strings_are_rendered_with_the_usual_fit(tmp_path, suffix):
    out = tmp_path / f"it.{suffix}"
    assert main(["render", "spelling(n=12)", "-o", str(out), "--size", "300x240", "--dpi", "72"]) == 0
    assert out.stat().st_size > 1000


def test_a_film_of_the_perceptron_on_strings(tmp_path):
    out = tmp_path / "it.gif"
    asked = ["render", "spelling(n=12)", "-o", str(out), "--algorithm", "perceptron", "--frames", "4"]
    assert main([*asked, "--size", "200x160"]) == 0
    with Image.open(out) as film:
        assert film.n_frames > 1


def test_a_file_of_texts_and_labels_is_fitted_and_drawn(tmp_path, capsys):
    path = tmp_path / "texts.csv"
    path.write_text('text,label\n"say ""hi"", you",a\nhello there,a\ngood bye,b\nbye now,b\n')
    assert main(["fit", str(path)]) == 0
    assert '"subsequence(' in capsys.readouterr().out
    assert main(["render", str(path), "-o", str(tmp_path / "it.png"), "--size", "300x240"]) == 0


def test_digits_are_texts_to_a_kernel_for_strings_on_the_command_line(tmp_path, capsys):
    path = tmp_path / "digits.csv"
    path.write_text("text,label\n12,x\n13,y\n14,x\n")
    assert main(["fit", str(path), "--kernel", "spectrum(length=2)"]) == 0
    assert '"n": 3' in capsys.readouterr().out
    out = str(tmp_path / "it.png")
    assert main(["render", str(path), "-o", out, "--kernel", "words", "--size", "300x240"]) == 0


def test_the_help_leaves_the_usual_kernel_to_the_data(capsys):
    assert main(["fit", "--help"]) == 0
    assert "default: rbf" not in capsys.readouterr().out


def test_the_switch_leads_from_words_to_the_plane_and_back_to_the_same_strings(qtbot, window):
    data = window.session.document.data
    for name in ("plane", "words"):
        qtbot.mouseClick(window.canvases.switch.buttons[name], LEFT)
        qtbot.waitUntil(lambda: window.workbench.up_to_date)
    assert window.session.document.data is data
    assert window.canvas.table.points.rowCount() == data.n
    assert len(window.canvas.scene.bare.picture.points) == data.n


def test_a_worker_that_is_late_after_the_switch_leaves_the_strings_alone(qtbot, window):
    qtbot.waitUntil(lambda: window.workbench.up_to_date)
    words = window.canvas
    qtbot.mouseClick(window.canvases.switch.buttons["plane"], LEFT)
    for busy in (True, False):
        window.workbench.busy_changed.emit(busy)
    assert words.scene.decoration is not None
    qtbot.waitUntil(lambda: window.workbench.up_to_date)


def test_each_workspace_has_its_own_words_in_the_menu_and_the_views_that_show_something_there(qtbot, window):
    texts = lambda: {a.text() for a in window.menus.toggles.values() if a.isVisible()}  # noqa: E731
    window.insight.choose(window.insight.slots[0], "pair")
    picker = window.insight.slots[0].picker
    for name in ("plane", "words", "curve", "words"):
        qtbot.mouseClick(window.canvases.switch.buttons[name], LEFT)
        qtbot.waitUntil(lambda: window.workbench.up_to_date)
        workspace = next(workspace for workspace in workspaces() if workspace.name == name)
        assert texts() == {text for text, _ in workspace.toggles.values()}
        assert ("pair" in picker.names(), "waves" in picker.names()) == (name == "words", name != "words")
        assert (picker.currentText() or picker.unlisted) == "Two strings"


def test_back_from_the_curve_the_map_has_the_components_it_was_left_with(qtbot, window):
    window.session.adjust(components=(0, 2))
    for name in ("curve", "words"):  # where the frame at hand is still one of a curve
        qtbot.mouseClick(window.canvases.switch.buttons[name], LEFT)
        qtbot.waitUntil(lambda: window.workbench.up_to_date)
    assert window.session.look.components == (0, 2)
    assert [label.split(" (")[0] for label in window.canvas.area.labels] == ["component 1", "component 3"]


@pytest.mark.parametrize("by", ["button", "key"])
def test_comparing_very_many_strings_tells_how_far_it_is_and_can_be_stopped(qtbot, window, monkeypatch, by):
    ordinary, stopped = problem._compare, threading.Event()

    def slow(*words):
        stopped.wait(0.4)
        return ordinary(*words)

    monkeypatch.setattr(problem, "FIRST", 1)
    monkeypatch.setattr(problem, "SECONDS", 0.0)
    monkeypatch.setattr(problem, "_compare", slow)
    line, before = window.status_line, window.session.document
    window.session.change("kernel", kernel=kernel("subsequence(length=2)"))
    qtbot.waitUntil(line.stop.isVisible)
    assert "strings compared" in line.computing.text()
    if by == "button":
        qtbot.mouseClick(line.stop, LEFT)
    else:
        qtbot.keyClick(window, Qt.Key.Key_Period, CONTROL)
    qtbot.waitUntil(lambda: window.workbench.up_to_date)
    stopped.set()
    assert window.canvas.banner.text.startswith("Stopped before it was done.")
    qtbot.waitUntil(line.stop.isHidden)
    assert window.session.document.data is before.data
    window.actions_by_name["undo"].trigger()
    qtbot.waitUntil(lambda: window.workbench.up_to_date)
    assert window.workbench.frame.model.problem.kernel == before.kernel


def test_commands_on_strings_call_them_strings_and_on_points_points(qtbot, window):
    paste, clear = (window.actions_by_name[name] for name in ("paste", "clear"))
    assert paste.text() == "&Paste strings"
    assert paste.toolTip() == "Paste strings from a spreadsheet or a text, or open a link (Ctrl+V)"
    assert clear.text() == "C&lear all strings"
    assert not any("oint" in action.text() for action in window.actions_by_name.values())
    window.session.visit(workspaces()[0])
    qtbot.waitUntil(lambda: window.workbench.up_to_date)
    assert paste.text() == "&Paste points"


def test_the_marks_of_classes_are_whole_in_large_type(qtbot, window):
    window.session.visit(next(workspace for workspace in workspaces() if workspace.name == "words"))
    qtbot.waitUntil(lambda: window.workbench.up_to_date)
    present(window)
    table = window.canvas.findChild(StringTable)
    plus = next(row for row in range(table.points.rowCount()) if window.session.document.data.z[row] > 0)
    index = table.points.index(plus, 0)
    table.scrollTo(index)
    settled = table.viewport().grab(table.visualRect(index)).toImage()
    ground = settled.pixelColor(settled.width() // 2, 0)
    drawn = [
        (x, y)
        for x in range(settled.width())
        for y in range(settled.height())
        if settled.pixelColor(x, y).blue() - ground.blue() < -60
    ]
    across, up = ([place[axis] for place in drawn] for axis in (0, 1))
    assert min(across) > 0
    assert max(across) < settled.width() - 1
    assert max(across) - min(across) == pytest.approx(max(up) - min(up), abs=2), "a plus is as wide as high"
    present(window)


def test_in_large_type_on_a_small_screen_canvas_and_map_keep_half_of_the_window(qtbot, window):
    window.resize(1366, 749)
    window.set_type_size(200)
    come_to_rest(window)
    canvas, area = window.canvas, window.canvas.maps[0].area
    assert canvas.width() * canvas.height() > 0.5 * window.width() * window.height()
    assert area.height() > 0.5 * window.height()
