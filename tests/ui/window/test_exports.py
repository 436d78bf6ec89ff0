"""The export and copy commands of the window's menus."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from itertools import accumulate, pairwise

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton

from kernelviz.api import fit
from kernelviz.engine.fits.parsing import algorithm, kernel
from kernelviz.session.session import Session
from kernelviz.session.state import start_up
from kernelviz.session.themes import THEMES
from kernelviz.session.workspaces.plane import PlaneWorkspace
from kernelviz.ui.dialogs.export_dialog import ExportDialog
from kernelviz.ui.dialogs.snapshot import Snapshot
from kernelviz.ui.widgets.focus import takes_tab
from kernelviz.ui.window import main_window
from tests.elsewhere import exists, pids_in, staying
from tests.patience import PATIENCE


@pytest.fixture(autouse=True)
def empty_clipboard(qapp):
    QGuiApplication.clipboard().clear()
    yield
    QGuiApplication.clipboard().clear()


def copied_image(qtbot):
    qtbot.waitUntil(lambda: not QGuiApplication.clipboard().image().isNull())
    return QGuiApplication.clipboard().image()


@pytest.mark.parametrize("theme", THEMES)
def test_the_figure_is_copied_as_it_is_seen(qtbot, window, theme):
    window.set_theme(theme)
    window.actions_by_name["copy_figure"].trigger()
    image = copied_image(qtbot)
    area = window.canvas.area
    assert (image.width(), image.height()) == (2 * area.width(), 2 * area.height())
    assert image.pixelColor(1, 1).name() == THEMES[theme].paper
    assert "copied" in window.statusBar().currentMessage()


def test_the_copied_figure_has_the_toggles_of_the_canvas(qtbot, window):
    def colours() -> int:
        QGuiApplication.clipboard().clear()
        window.actions_by_name["copy_figure"].trigger()
        image = copied_image(qtbot)
        return len(np.unique(np.frombuffer(image.constBits(), np.uint32)))

    with_field = colours()
    window.session.toggle("field")
    assert colours() < with_field


def test_points_without_a_fit_are_copied_alone(qtbot, window):
    window.session.change("clear", data=PlaneWorkspace().empty())
    qtbot.waitUntil(lambda: window.workbench.failure is not None)
    window.actions_by_name["copy_figure"].trigger()
    copied_image(qtbot)
    assert "copied" in window.statusBar().currentMessage()


def test_the_copied_script_rebuilds_the_fit(window):
    window.actions_by_name["copy_script"].trigger()
    script = QGuiApplication.clipboard().text()
    document = window.session.document
    assert str(document.kernel) in script
    assert str(document.algorithm) in script
    compile(script, "script.py", "exec")
    assert "script copied" in window.statusBar().currentMessage()


def test_the_scikit_learn_script_is_copied_or_it_is_said_why_not(window):
    window.actions_by_name["copy_sklearn"].trigger()
    assert "SVC" in QGuiApplication.clipboard().text()
    QGuiApplication.clipboard().clear()
    window.session.change("change algorithm", algorithm=algorithm("online-perceptron"))
    window.actions_by_name["copy_sklearn"].trigger()
    assert QGuiApplication.clipboard().text() == ""
    assert window.canvas.banner.isVisible()
    assert window.canvas.banner.text.endswith(".")


def test_what_is_copied_belongs_to_the_document_even_before_its_picture_is_there(qtbot, window):
    window.session.change("change kernel", kernel=kernel("linear"))
    taken = Snapshot.of(window.workbench)
    assert taken.frame is None
    document = window.session.document
    expected = fit(document.data, kernel="linear", algorithm=str(document.algorithm))
    x = np.array([[0.3, -0.4]])
    assert taken.model.score(x) == pytest.approx(expected.score(x), abs=1e-6)
    qtbot.waitUntil(lambda: window.workbench.up_to_date)
    after = Snapshot.of(window.workbench)
    assert after.model is window.workbench.frame.model


def test_a_step_is_exported_as_that_step(qtbot, window):
    window.session.adjust(mode="watch", step=3)
    qtbot.waitUntil(lambda: window.workbench.up_to_date)
    taken = Snapshot.of(window.workbench)
    assert taken.frame.step == 3
    assert taken.state.look.step == 3
    assert taken.figure().captions.caption.endswith("step 3")


def the_dialogue(window) -> ExportDialog:
    """Return the only export dialogue that was opened."""
    (dialog,) = window.findChildren(ExportDialog)
    return dialog


@pytest.mark.parametrize("name", ["figure", "animation"])
def test_a_dialogue_opens_beside_the_work_once(qtbot, window, name):
    window.actions_by_name[f"export_{name}"].trigger()
    dialog = the_dialogue(window)
    assert dialog.isVisible()
    assert not dialog.isModal()
    dialog.close()
    window.actions_by_name[f"export_{name}"].trigger()
    assert the_dialogue(window) is dialog
    assert dialog.isVisible()


@pytest.mark.parametrize("name", ["figure", "animation"])
def test_tab_goes_through_the_choices_first_and_everything_it_visits_has_a_name(qtbot, window, name):
    window.actions_by_name[f"export_{name}"].trigger()
    dialog = the_dialogue(window)
    dialog.resize(1000, 900)
    visited = [w for w in stops(dialog) if w.isVisible()]
    begin = (
        visited.index(dialog.save_button) + 1
    )  # which has the focus: Return saves, Tab goes on to the choices
    visited = visited[begin:] + visited[:begin]
    middles = [w.mapTo(dialog, w.rect().center()) for w in visited]
    row = rows_of([at.y() for at in middles])
    after_form = [not dialog.form.parentWidget().isAncestorOf(w) for w in visited]
    places = [(after, row[at.y()], at.x()) for after, at in zip(after_form, middles, strict=True)]
    assert len(visited) > 15
    assert places == sorted(places)
    assert all(w.accessibleName() or (isinstance(w, QAbstractButton) and w.text()) for w in visited)


def rows_of(heights):
    """The row of each height: those within a few pixels of each other share one."""
    ordered = sorted(set(heights))
    ends = [below > above + 8 for above, below in pairwise(ordered)]
    return dict(zip(ordered, accumulate([0, *ends]), strict=True))


def stops(dialog):
    """What Tab visits, until it comes round."""
    widget = dialog
    while (widget := widget.nextInFocusChain()) is not dialog:
        if takes_tab(widget):
            yield widget


@pytest.mark.parametrize("name", ["figure", "animation"])
def test_closing_the_window_ends_every_thread_of_the_dialogues(qtbot, window, name):
    window.actions_by_name[f"export_{name}"].trigger()
    dialog = the_dialogue(window)
    dialog._refresh()
    window.actions_by_name["copy_figure"].trigger()
    window.close()
    assert not dialog.previews.busy
    assert not dialog.writer.busy


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="looks at processes as Unix has them")
def test_closing_the_window_ends_what_other_processes_do_for_it(window, qtbot, tmp_path):
    window.actions_by_name["copy_figure"].trigger()
    window.exports._copier.start(staying(tmp_path))
    qtbot.waitUntil(lambda: len(pids_in(tmp_path)) == 2, timeout=1000 * PATIENCE)
    window.close()
    assert not any(map(exists, pids_in(tmp_path)))


FORESIGHT = """
import sys
from itertools import accumulate, pairwise
from kernelviz.session.session import Session
from kernelviz.session.state import start_up
from kernelviz.ui.window.main_window import MainWindow
from kernelviz.ui.workbench.settings import Settings
from pathlib import Path
from PySide6.QtWidgets import QApplication
app = QApplication([])
window = MainWindow(Session(start_up()), Settings(Path("settings.ini")))
assert "kernelviz.ui.dialogs.animation_dialog" not in sys.modules
window.menuBar().actions()[0].menu().aboutToShow.emit()
while window.exports._importer.busy:
    app.processEvents()
assert window.close()
assert "kernelviz.ui.dialogs.animation_dialog" in sys.modules
print("import_aheadn")
"""


def test_opening_the_file_menu_has_the_dialogues_imported_in_the_background(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", FORESIGHT],
        cwd=tmp_path,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_STATE_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "import_aheadn" in done.stdout, done.stderr


def test_the_dialogues_are_made_ready_once_the_window_has_nothing_else_to_do(
    qtbot, settings, tmp_path, monkeypatch
):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(main_window, "IDLE", 1)
    asked = []
    monkeypatch.setattr(main_window.Exports, "import_ahead", lambda self: asked.append(self))
    made = main_window.MainWindow(Session(start_up()), settings)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: asked == [made.exports])


def test_the_dialogues_are_not_made_ready_while_somebody_drags(window):
    window._idle.start(100_000)
    data = window.session.document.data
    window.session.change("move point", data=PlaneWorkspace().placed(data, [0], [[0.1, 0.2]]))
    assert window._idle.isActive()
    assert window._idle.interval() == main_window.IDLE, "the wait begins anew"
