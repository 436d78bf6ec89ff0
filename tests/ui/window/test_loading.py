"""Tables on their way into the window: what is shown meanwhile, and what their columns are called."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QProgressDialog

from kernelviz.engine.fits.parsing import dataset
from kernelviz.session.workspaces.curve import CurveWorkspace
from kernelviz.ui.dialogs.column_picker import ColumnPicker
from kernelviz.ui.window.status_line import StatusLine


def test_no_progress_window_appears_while_the_columns_are_chosen(qtbot, window, tmp_path, monkeypatch):
    path = tmp_path / "wide.csv"
    path.write_text("id,height,weight,age,kind\n1,2,3,4,a\n2,5,6,7,b\n3,8,8,9,a\n")
    seen: list[QProgressDialog] = []

    def choose(picker: ColumnPicker) -> int:
        picker.show()
        for timer in window.findChildren(QTimer):  # what is due in four seconds is due now
            if timer.isActive() and isinstance(timer.parent(), QProgressDialog):
                timer.start(0)
        loop = QEventLoop()
        QTimer.singleShot(50, loop.quit)
        loop.exec()
        seen.extend(dialog for dialog in window.findChildren(QProgressDialog) if dialog.isVisible())
        picker.accept()
        return 1

    monkeypatch.setattr(ColumnPicker, "exec", choose)
    window.files.open_path(path)
    qtbot.waitUntil(lambda: window.session.document.data.n == 3)
    assert not seen


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("time (s),current (A),voltage (V)\n0,1,2.5\n1,2,3.5\n2,2.5,4\n", ("time (s)", "voltage (V)")),
        ("time (s),voltage (V)\n0,2.5\n1,3.5\n2,4\n", ("time (s)", "voltage (V)")),
        ("0,2.5\n1,3.5\n2,4\n", ("x₁", "y")),
    ],
)
def test_the_axes_are_called_as_the_columns(qtbot, window, tmp_path, monkeypatch, text, names):
    window.session.visit(CurveWorkspace())
    path = tmp_path / "log.csv"
    path.write_text(text)

    def accept(picker: ColumnPicker) -> int:
        picker.accept()
        return 1

    monkeypatch.setattr(ColumnPicker, "exec", accept)
    window.files.open_path(path)
    qtbot.waitUntil(lambda: window.session.document.data.n == 3 and window.workbench.up_to_date)
    assert window.canvas.scene.area.labels == names


def test_while_pasted_points_compute_the_status_line_counts_them(qtbot, window):
    line = window.findChild(StatusLine)
    qtbot.waitUntil(lambda: line.figures.text().startswith("120 points  ·"))
    before = line.figures.text()
    window.workbench.busy_changed.emit(True)
    assert line.figures.text() == before
    window.session.change("paste points", data=dataset("moons(n=400, seed=3)"), source="")
    assert line.figures.text() == "400 points"
    qtbot.waitUntil(lambda: line.figures.text().startswith("400 points  ·"))
