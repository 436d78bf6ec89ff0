"""Tables of one's own in a window: their units, their gaps, and how their target is treated."""

from __future__ import annotations

import gzip

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QCheckBox, QDialogButtonBox, QMessageBox

from kernelviz.engine.core.data import Task
from kernelviz.engine.fits.parsing import algorithm
from kernelviz.ui.dialogs.column_picker import ColumnPicker
from kernelviz.ui.dialogs.questions import GapsQuestion
from kernelviz.ui.sidebar.data_panel import DataPanel
from kernelviz.ui.sidebar.kernel_panel import KernelPanel
from kernelviz.ui.window.files import openable

LEFT = Qt.MouseButton.LeftButton
RNG = np.random.default_rng(5)


def people(n: int = 30) -> list[str]:
    """Heights in cm and weights in kg, with a kind."""
    kind = np.arange(n) % 2
    height = 168 + 12 * kind + RNG.normal(0, 7, n)
    rows = zip(height, 0.9 * (height - 100) + RNG.normal(0, 8, n), kind, strict=True)
    return [f"{a:.1f},{b:.1f},{'mw'[k]}" for a, b, k in rows]


def opened(qtbot, window, tmp_path, text: str | bytes, name: str = "own.csv", n: int = 0):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    window.files.open_path(path)
    if n:
        qtbot.waitUntil(lambda: window.session.document.data.n == n and window.workbench.up_to_date)
    return window.session


def told(window) -> str:
    banner = window.canvas.banner
    return f"{banner.text} {banner.suggestion}".strip() if banner.isVisible() else ""


def test_a_table_in_centimetres_gets_a_suitable_width_in_one_step_of_undo(qtbot, window, tmp_path):
    before = window.session.document
    session = opened(qtbot, window, tmp_path, "\n".join(["height,weight,sex", *people()]), n=30)
    assert session.document.kernel.gamma < 0.1
    assert told(window).startswith("γ = 1 is far too narrow for these distances. It is set to 0.0")
    assert window.workbench.frame.model.support.size < 25
    assert not window.findChild(KernelPanel).width_hint.isVisible()
    session.change("wider", kernel=session.document.kernel.replace(gamma=0.01))
    qtbot.waitUntil(lambda: told(window) == "")  # it would not be true any more
    session.undo()
    session.undo()
    assert session.document is before


def test_a_curve_in_degrees_gets_a_width_and_a_level(qtbot, window, tmp_path):
    x = np.linspace(0, 50, 40)
    rows = [f"{a:.2f},{20 + 5 * np.sin(a / 6):.3f}" for a in x]
    session = opened(qtbot, window, tmp_path, "\n".join(["week,degrees", *rows]), n=40)
    assert "keeps the curve near the mean of y away from points." in told(window)
    frame = window.workbench.frame
    assert frame.model.score([[-1000.0]]) == pytest.approx(20, abs=2)
    assert session.document.workspace.name == "curve"


def test_a_narrow_kernel_is_pointed_out_below_it_and_mended_by_a_click(qtbot, window):
    hint = window.findChild(KernelPanel).width_hint
    assert not hint.isVisible()
    window.session.change("narrow", kernel=window.session.document.kernel.replace(gamma=1000.0))
    qtbot.waitUntil(hint.isVisible)
    assert hint.message.sentence == "γ = 1000 is far too narrow for these distances."
    qtbot.mouseClick(hint.button, LEFT)
    assert window.session.document.kernel.gamma < 3
    qtbot.waitUntil(lambda: not hint.isVisible())


def test_nothing_is_said_about_the_width_where_no_kernel_is_used(qtbot, window):
    hint = window.findChild(KernelPanel).width_hint
    kernel = window.session.document.kernel.replace(gamma=1000.0)
    window.session.change("narrow", kernel=kernel)
    qtbot.waitUntil(hint.isVisible)
    window.session.change("lines", algorithm=algorithm("by-hand"))
    qtbot.waitUntil(lambda: not hint.isVisible())


def test_a_table_in_units_of_its_own_is_offered_to_be_standardised(qtbot, window, tmp_path):
    session = opened(qtbot, window, tmp_path, "\n".join(["height,weight,sex", *people()]), n=30)
    scales = window.findChild(DataPanel).scales
    qtbot.waitUntil(scales.isVisible)
    assert scales.message.sentence == "The points are much more than 1 apart."
    assert session.document.data.X.mean() > 50  # raw unless asked
    qtbot.mouseClick(scales.button, LEFT)
    assert session.document.data.X.mean() == pytest.approx(0, abs=1e-9)
    qtbot.waitUntil(lambda: not scales.isVisible())


def test_the_window_says_how_a_file_was_read(qtbot, window, tmp_path):
    rows = [f"{i};{i % 3},5;{'männlich' if i % 2 else 'weiblich'}" for i in range(10)]
    text = "\n".join(["Größe;Gewicht;Art", *rows]).encode("cp1252")
    opened(qtbot, window, tmp_path, gzip.compress(text), "excel.csv.gz", 10)
    assert told(window).startswith("excel.csv.gz is not in UTF-8 (line 1); it is read as Windows-1252.")
    assert window.session.document.data.class_names == ("männlich", "weiblich")


def test_an_index_column_is_left_out_with_a_remark(qtbot, window, tmp_path):
    rows = [f"{i},{i % 4},{i % 3},{'uv'[i % 2]}" for i in range(12)]
    opened(qtbot, window, tmp_path, "\n".join([",a,b,kind", *rows]), n=12)
    assert told(window) == "The first column of own.csv has no name and counts the rows: it is left out."
    assert window.session.document.data.columns == ("a", "b")


@pytest.mark.parametrize("suffix", ["arff", "gz", "csv"])
def test_the_dialogue_lists_all_that_is_read(suffix):
    assert f"*.{suffix}" in openable()


# Gaps ---------------------------------------------------------------------------------------------------
GAPS = "a,b,kind\n1,2,u\n2,,v\n3,1,u\nNA,1,v\n5,5,v\n"


def test_rows_that_lack_a_value_are_left_out_once_the_user_agrees(qtbot, window, tmp_path):
    opened(qtbot, window, tmp_path, GAPS)
    qtbot.waitUntil(lambda: window.findChild(GapsQuestion) is not None)
    question = window.findChild(GapsQuestion)
    assert question.text() == "2 of 5 rows lack a value: leave them out?"
    assert "line 5, column 1 (a): the number is missing (NA)" in question.informativeText()
    assert window.session.document.data.n == 120
    qtbot.keyClick(question, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.document.data.n == 3)
    assert window.session.document.data.X.tolist() == [[1, 2], [3, 1], [5, 5]]


def test_cancelling_the_question_about_gaps_keeps_the_points(qtbot, window, tmp_path):
    opened(qtbot, window, tmp_path, GAPS)
    qtbot.waitUntil(lambda: window.findChild(GapsQuestion) is not None)
    before = window.session.document
    question = window.findChild(GapsQuestion)
    qtbot.mouseClick(question.button(QMessageBox.StandardButton.Cancel), LEFT)
    qtbot.waitUntil(lambda: window.findChild(GapsQuestion) is None)
    assert window.session.document is before


def test_pasted_rows_that_lack_a_value_are_left_out_as_well(qtbot, window):
    window.actions_by_name["clear"].trigger()
    QGuiApplication.clipboard().setText("1,2,u\n3,nan,v\n0,0,v\n")
    window.actions_by_name["paste"].trigger()
    qtbot.waitUntil(lambda: window.findChild(GapsQuestion) is not None)
    question = window.findChild(GapsQuestion)
    assert question.text() == "1 of 3 rows lacks a value: leave it out?"
    qtbot.keyClick(question, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.document.data.n == 2)


def test_a_table_of_gaps_alone_is_refused(qtbot, window, tmp_path):
    opened(qtbot, window, tmp_path, "a,b,kind\n1,,u\n,2,v\n")
    qtbot.waitUntil(lambda: bool(told(window)))
    assert told(window) == "own.csv: every row lacks a value in one of the columns."


def test_the_column_picker_offers_to_leave_out_rows_with_gaps(qtbot, window, tmp_path, monkeypatch):
    rows = [f"{i},{'' if i == 3 else i % 5},{i % 4},{i},{'uv'[i % 2]}" for i in range(10)]
    seen = []

    def choose(picker: ColumnPicker) -> int:
        picker.show()
        box = next(box for box in picker.findChildren(QCheckBox) if "lacks a value" in box.text())
        ok = picker.buttons.button(QDialogButtonBox.StandardButton.Ok)
        seen.append((box.text(), ok.isEnabled()))
        qtbot.mouseClick(box, LEFT, pos=QPoint(9, box.height() // 2))  # on the box itself
        seen.append(ok.isEnabled())
        picker.accept()
        return 1

    monkeypatch.setattr(ColumnPicker, "exec", choose)
    opened(qtbot, window, tmp_path, "\n".join(["p,q,r,s,kind", *rows]), n=9)
    assert seen == [("Leave out 1 row that lacks a value, of 10", False), True]


# Class or number ----------------------------------------------------------------------------------------
def test_a_target_that_may_be_either_can_be_taken_as_the_other(qtbot, window, tmp_path):
    rows = [f"{i},{1 + i % 3}" for i in range(9)]
    session = opened(qtbot, window, tmp_path, "\n".join(["x,level", *rows]), n=9)
    hint = window.findChild(DataPanel).task
    qtbot.waitUntil(hint.isVisible)
    assert (hint.message.sentence, hint.button.text()) == (
        "The target is treated as a number.",
        "Treat it as a class",
    )
    qtbot.mouseClick(hint.button, LEFT)
    assert session.document.data.class_names == ("1", "2", "3")
    qtbot.waitUntil(lambda: hint.button.text() == "Treat it as a number" and window.workbench.up_to_date)
    qtbot.mouseClick(hint.button, LEFT)
    assert session.document.data.task is Task.REGRESSION
    session.undo()
    session.undo()
    assert session.document.data.y.tolist() == [1.0, 2.0, 3.0] * 3


def test_held_out_points_are_taken_in_the_other_way_too(qtbot, window, tmp_path):
    rows = [f"{i},{1 + i % 3}" for i in range(30)]
    session = opened(qtbot, window, tmp_path, "\n".join(["x,level", *rows]), n=30)
    session.replace("hold out", session.document.with_share_aside(0.3))
    hint = window.findChild(DataPanel).task
    qtbot.waitUntil(hint.isVisible)
    qtbot.mouseClick(hint.button, LEFT)
    document = session.document
    assert document.held_out.data.class_names == document.data.class_names
    assert document.data.n + document.held_out.data.n == 30


def test_nothing_is_said_of_the_target_of_a_data_set(window):
    assert not window.findChild(DataPanel).task.isVisible()
