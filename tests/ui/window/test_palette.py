"""The palette finds whatever the window can do, and does what the command line would take."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from kernelviz.session.files.link import link_to
from kernelviz.session.sources import Requested
from kernelviz.ui.window.palette import CommandPalette
from tests.ui.window.acting import CONTROL, SHIFT, focus_canvas, settle

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def opened(qtbot, window):
    """Opens the palette with the keys and types into it."""

    def act(text=""):
        focus_canvas(window)
        qtbot.waitUntil(lambda: QApplication.activeWindow() is window)
        QTest.keyClick(window.canvas.area, Qt.Key.Key_P, CONTROL | SHIFT)
        qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), CommandPalette))
        palette = QApplication.activePopupWidget()
        QTest.keyClicks(palette.line, text)
        return palette

    return act


def listed(palette) -> list[str]:
    return palette.list.model().stringList()


def enter(palette) -> None:
    """Take the marked entry, and give the event loop the turn in which it is done."""
    QTest.keyClick(palette.line, Qt.Key.Key_Return)
    QApplication.processEvents()


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("knn", "Nearest neighbours"),
        ("gp", "Gaussian process"),
        ("krr", "Kernel ridge"),
        ("svm", "Soft-margin SVM"),
        ("gaus", "Gaussian"),
        ("gram", "Gram"),
        ("expo fig", "Export figure"),
        ("legend", "Legend"),
        ("no line", "No line does it"),
        ("lesson 3", "Learning from"),
        ("theme dark", "Dark"),
        ("type size 200", "200 %"),
        ("panels kernel", "Kernel"),
    ],
)
def test_a_few_letters_find_it(window, opened, typed, first):
    if typed == "gp":
        window.session.change("choose data", data=Requested("sine(n=20)").state()[0].document.data)
    palette = opened(typed)
    texts = listed(palette)
    assert any(text.casefold().startswith(first.casefold()) for text in texts[:3]), texts[:5]


def test_return_takes_the_marked_entry_and_the_arrows_mark_another(qtbot, window, opened):
    palette = opened("laplacian")
    assert listed(palette)[0].startswith("Laplacian")
    enter(palette)
    assert window.session.document.kernel.name == "laplacian"
    assert QApplication.activePopupWidget() is None
    palette = opened("matérn".replace("é", "e"))
    before = palette.list.currentIndex().row()
    QTest.keyClick(palette.line, Qt.Key.Key_Down)
    assert palette.list.currentIndex().row() == before + 1
    QTest.keyClick(palette, Qt.Key.Key_Escape)
    settle(qtbot, window)


@pytest.mark.parametrize(
    ("typed", "kernel", "algorithm"),
    [
        ("C = 33", "rbf(gamma=1)", "soft-margin-svm(C=33)"),
        ("rbf(gamma=2) + linear", "rbf(gamma=2) + linear", "soft-margin-svm(C=10)"),
        ("linear ; logistic(lam=2)", "linear", "logistic(lam=2)"),
    ],
)
def test_what_can_be_read_comes_first_and_is_done(window, opened, typed, kernel, algorithm):
    palette = opened(typed)
    assert listed(palette)[0] == f"{typed}  ·  do this"
    enter(palette)
    document = window.session.document
    assert (str(document.kernel), str(document.algorithm)) == (kernel, algorithm)
    assert len(window.session.history) == 1


def test_a_data_set_is_drawn(window, opened):
    enter(opened("moons(n=30, noise=0.3)"))
    assert window.session.document.data.n == 30


def test_the_caret_goes_to_the_fault(window, opened):
    palette = opened("rbf(gamma=2) + lineer")
    assert palette.message.isVisible()
    assert "linear" in palette.message.sentence
    enter(palette)
    assert palette.isVisible()
    assert palette.line.cursorPosition() == 15
    assert len(window.session.history) == 0


def test_a_link_can_be_typed(qtbot, window, opened):
    state, _ = Requested("rings(n=30)", kernel="rbf(gamma=3)").state()
    palette = opened()
    palette.line.setText(link_to(state))
    enter(palette)
    qtbot.waitUntil(lambda: window.session.document.data.n == 30)


def test_only_what_can_be_done_now_is_listed(window, opened):
    assert not any(text.startswith("Undo") for text in listed(opened("undo")))
    QApplication.activePopupWidget().close()
    window.session.toggle("slack")
    window.canvas.editor.clear()
    assert any(text.startswith("Undo") for text in listed(opened("undo")))


def test_an_entry_that_opens_a_dialogue_waits_until_the_palette_is_gone(qtbot, window, opened, monkeypatch):
    seen = []

    def dialogue(self):
        seen.append(QApplication.activePopupWidget())
        loop = QEventLoop()
        QTimer.singleShot(0, loop.quit)
        loop.exec()
        return False

    monkeypatch.setattr(type(window.files), "open_path", lambda files, path: dialogue(files))
    palette = opened("no line")
    gone = []
    palette.destroyed.connect(lambda: gone.append(True))
    QTest.keyClick(palette.line, Qt.Key.Key_Return)
    assert seen == []  # Nothing opens within the key press.
    qtbot.waitUntil(lambda: bool(gone) and seen == [None])


def test_it_opens_from_a_button_that_is_always_seen(qtbot, window):
    button = window.menuBar().cornerWidget()
    assert button.isVisible()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), CommandPalette))
