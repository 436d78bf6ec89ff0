"""Names from tables and files that look like HTML are shown letter by letter, wherever they are shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPoint
from PySide6.QtGui import QAction, QGuiApplication, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLabel, QMessageBox, QWidget

from kernelviz.session.files import kviz
from kernelviz.session.files.crashed_sessions import recovery_directory
from kernelviz.ui.dialogs.column_picker import ColumnPicker
from kernelviz.ui.dialogs.questions import PasteQuestion
from kernelviz.ui.dialogs.recovery_dialog import RecoveryDialog
from kernelviz.ui.insight.views import VIEWS
from tests.ui.window.acting import settle
from tests.ui.window.answers import answering, ask_really, press

IMAGE = '<img src="picture.png">'
COLUMN = "<b>height</b>"
FILE = "<i>points<i>"
TAGS = ("<img", "<b>height", "<i>points")
TIP = Qt.ItemDataRole.ToolTipRole
BUTTON = QMessageBox.StandardButton


def texts_of(widget: QWidget) -> Iterator[tuple[str, bool]]:
    """Return every text of a widget that Qt may take for HTML, each with whether it does."""
    for text in (widget.toolTip(), widget.whatsThis()):
        yield text, Qt.mightBeRichText(text)
    if isinstance(widget, QLabel):
        rich, auto = (
            widget.textFormat() == kind for kind in (Qt.TextFormat.RichText, Qt.TextFormat.AutoText)
        )
        yield widget.text(), rich or (auto and Qt.mightBeRichText(widget.text()))
    if isinstance(widget, QAbstractItemView) and widget.model() is not None:
        for text in tips_of(widget.model()):
            yield text, Qt.mightBeRichText(text)
    if widget.isWindow():
        for action in widget.findChildren(QAction):
            yield action.toolTip(), Qt.mightBeRichText(action.toolTip())


def tips_of(model: QAbstractItemModel) -> Iterator[str]:
    root = QModelIndex()
    for row in range(min(model.rowCount(root), 20)):
        for column in range(model.columnCount(root)):
            yield str(model.index(row, column, root).data(TIP) or "")


def rendered() -> list[str]:
    """Return the texts with a hostile name that some widget would render as HTML."""
    return [
        f"{type(widget).__name__}: {text}"
        for widget in QApplication.allWidgets()
        for text, rich in texts_of(widget)
        if rich and any(tag in text for tag in TAGS)
    ]


def seen() -> str:
    """Return all that labels show."""
    return "\n".join(w.text() for w in QApplication.allWidgets() if isinstance(w, QLabel) and w.isVisible())


def opened(qtbot, window, tmp_path: Path, content: str) -> Path:
    path = tmp_path / f"{FILE}.csv"
    path.write_text(content, encoding="utf-8")
    window.files.open_path(path)
    qtbot.waitUntil(lambda: window.session.document.source == path.name)
    settle(qtbot, window)
    return path


KINDS = ["two classes", "three classes", "a curve", "strings"]
CLASSES = f"{COLUMN},y,kind\n" + "".join(f"{x},{x % 3},{IMAGE}{x % 2}\n" for x in range(12))
THREE = f"{COLUMN},y,kind\n" + "".join(f"{x},{x % 5},{IMAGE}{x % 3}\n" for x in range(12))
CURVE = f"{COLUMN},<b>height2\n" + "".join(f"{x},{x % 3}.5\n" for x in range(12))
STRINGS = f"{COLUMN},kind\n" + "".join(f"{IMAGE}{'ab'[x % 2] * x},{IMAGE}{x % 2}\n" for x in range(1, 9))


@pytest.mark.parametrize(
    "content", [CLASSES, THREE, CURVE, STRINGS], ids=["two", "three", "curve", "strings"]
)
def test_no_widget_renders_the_names_of_a_table(qtbot, window, tmp_path, content):
    window.resize(1600, 1000)
    opened(qtbot, window, tmp_path, content)
    domain = window.session.document.data.domain
    for view in (view for view in VIEWS.values() if domain in view.domains):
        window.keyboard.go_to_view(view.name)
        settle(qtbot, window)
        window.workbench.hover(3)
        QTest.qWait(40)
        for sheet in window.insight.findChildren(QWidget):
            if sheet.isVisible() and sheet.hasMouseTracking():
                for part in range(1, 8):
                    place = QPoint(sheet.width() // 3, part * sheet.height() // 8)
                    QTest.mouseMove(sheet, place)
        assert rendered() == []
        window.workbench.hover(None)


def test_the_point_inspector_shows_a_class_name_as_it_is_written(qtbot, window, tmp_path):
    opened(qtbot, window, tmp_path, CLASSES)
    window.keyboard.go_to_view("inspector")
    window.workbench.hover(2)
    qtbot.waitUntil(lambda: f"Point 3, class {IMAGE}0" in seen())
    assert rendered() == []


def test_questions_show_the_name_of_a_file_as_it_is_written(qtbot, window, tmp_path, monkeypatch):
    monkeypatch.setattr(QMessageBox, "question", ask_really)
    path = tmp_path / f"{FILE}.kviz"
    assert window.files.save_to(path)
    window.canvas.clear()
    shown = []

    def look(answer):
        def looked(widget):
            shown.append((rendered(), widget.windowTitle()))
            answer(widget)

        return looked

    with answering(look(press(BUTTON.Cancel))):
        assert not window.files.may_close()
    path.write_bytes(b"theirs")
    with answering(look(press(BUTTON.Cancel))):
        assert not window.files.save()
    assert [found for found, _ in shown] == [[], []]


def test_dialogues_show_names_of_columns_and_files_as_written(qtbot, window, tmp_path, monkeypatch):
    found = []

    def look(picker: ColumnPicker) -> int:
        picker.show()
        picker.pickers[0].setCurrentIndex(0)
        picker.pickers[2].setCurrentIndex(1)
        found.append(rendered())
        picker.hide()
        return 0

    monkeypatch.setattr(ColumnPicker, "exec", look)
    path = tmp_path / f"{FILE}.csv"
    path.write_text(f"{COLUMN},b,{IMAGE},d,e\n1,{IMAGE},3,4,a\n2,x,6,7,b\n")
    window.files.open_path(path)
    qtbot.waitUntil(lambda: bool(found))
    assert found == [[]]
    kept = recovery_directory() / "1.kviz"
    kept.parent.mkdir(parents=True)
    kviz.save(kept, window.session.state, {"recovery": {"path": f"/home/{FILE}.kviz", "seen": ""}})
    window.files.offer_recovery()
    qtbot.waitUntil(lambda: window.findChild(RecoveryDialog) is not None)
    assert rendered() == []
    window.findChild(RecoveryDialog).reject()


def test_reading_and_refusing_a_file_show_its_name_as_it_is_written(qtbot, window, tmp_path):
    path = tmp_path / f"{FILE}.kviz"
    path.write_text(IMAGE)
    window.files.open_path(path)
    assert rendered() == []
    qtbot.waitUntil(lambda: FILE in window.canvas.banner.text)
    assert rendered() == []


def test_pasting_shows_names_as_they_are_written(qtbot, window):
    QGuiApplication.clipboard().setText(f"0\t0\t{IMAGE}\n1\t1\tb\n")
    window.actions_by_name["paste"].trigger()
    qtbot.waitUntil(
        lambda: window.findChild(PasteQuestion) is not None or window.session.document.data.n == 2
    )
    assert rendered() == []
    for question in window.findChildren(PasteQuestion):
        question.reject()


def test_an_ampersand_in_a_name_is_shown(qtbot, window, tmp_path):
    opened(qtbot, window, tmp_path, CLASSES.replace(f"{IMAGE}0", "R&D").replace(f"{IMAGE}1", "S"))
    path = tmp_path / "R&D.kviz"
    window.files.save_to(path)
    menu = window.findChild(QWidget, "recent")
    menu.aboutToShow.emit()
    assert menu.actions()[0].text() == str(path).replace("&", "&&")


def test_a_place_is_classified_as_what_is_written(qtbot, window, tmp_path):
    opened(qtbot, window, tmp_path, CLASSES)
    window.keyboard.go_to_view("inspector")
    window.canvases.pointed.emit(0.25, 0.25)
    qtbot.waitUntil(lambda: f"classified as {IMAGE}" in seen())
    assert rendered() == []
