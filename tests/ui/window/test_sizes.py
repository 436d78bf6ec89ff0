"""Windows of every size, at the desk and on the stage: nothing is cut off, and the canvas has its share."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QAbstractButton, QApplication, QScrollArea, QTextBrowser

from kernelviz.engine.fits.parsing import dataset
from kernelviz.ui.dialogs.export_dialog import ExportDialog
from kernelviz.ui.sidebar.panel import PanelSummary
from kernelviz.ui.window.keyboard import ShortcutsSheet
from tests.ui.window.acting import LEFT, chosen_in_menu, present
from tests.ui.window.cut import _path, cut_off

SIZES = [(1024, 768), (1366, 768), (1920, 1080), (960, 540), (800, 600)]
SHARES = {(1024, 768): 0.5, (1366, 768): 0.35, (1920, 1080): 0.45, (960, 540): 0.6, (800, 600): 0.6}


def settle() -> None:
    for _ in range(3):
        QApplication.processEvents()


def take_size(window, size) -> None:
    window.resize(*size)
    settle()
    assert (window.width(), window.height()) == size


def assert_nothing_is_cut_off(qtbot, window) -> None:
    """Once formulas, which are set elsewhere, and what they displace have come to rest."""

    def whole() -> None:
        assert cut_off(window) == []

    qtbot.waitUntil(whole)


def share_of_the_canvas(window) -> float:
    canvas = window.canvas
    return canvas.width() * canvas.height() / (window.width() * window.height())


def icon_of(window, name):
    return window.arrangement.icon_bar.widgetForAction(window.docks[name].toggleViewAction())


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_at_the_desk_nothing_is_cut_off_and_the_canvas_has_its_share(qtbot, window, size):
    take_size(window, size)
    insight = window.docks["insight"]
    for shown in (insight.isVisible(), not insight.isVisible()):
        if insight.isVisible() != shown:
            insight.toggleViewAction().trigger()
            settle()
        assert insight.isVisible() is shown
        assert_nothing_is_cut_off(qtbot, window)
        if not shown or size[0] >= 1300:
            assert share_of_the_canvas(window) > SHARES[size]


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("panel", ["", "Insight", "Data", "Kernel", "Algorithm"])
def test_on_the_stage_nothing_is_cut_off_and_the_canvas_has_its_share(
    qtbot, window, monkeypatch, size, panel
):
    take_size(window, size)
    if panel:
        chosen_in_menu(window, panel).trigger()
    # The tests have no such screen.
    monkeypatch.setattr(window, "showFullScreen", lambda: take_size(window, size))
    present(window)
    settle()
    assert (window.width(), window.height()) == size
    assert_nothing_is_cut_off(qtbot, window)
    assert share_of_the_canvas(window) > (0.35 if panel else 0.6)
    for gist in window.strip.findChildren(PanelSummary):
        assert gist.slider.isVisible()
    assert window.playback.mode.isVisible()


@pytest.mark.parametrize("size", [(960, 540), (800, 600)], ids=str)
def test_no_panel_over_the_canvas_of_a_small_window_is_cut_off(qtbot, window, size):
    take_size(window, size)
    for name in ("data", "kernel", "algorithm", "insight"):
        qtbot.mouseClick(icon_of(window, name), LEFT)
        settle()
        assert window.docks[name].isVisible()
        assert_nothing_is_cut_off(qtbot, window)


@pytest.fixture
def type_size(qtbot, window):
    """Sets the size of all type, and the usual one afterwards."""

    def take(percent: int) -> None:
        window.set_type_size(percent)
        qtbot.waitUntil(window.updatesEnabled)
        settle()

    yield take
    take(100)


@pytest.mark.parametrize(
    ("size", "percent", "shape"),
    [((1920, 1080), 150, "accordion"), ((1920, 1080), 200, "icons"), ((1366, 768), 150, "icons")],
    ids=str,
)
def test_in_large_type_a_window_has_the_shape_of_a_smaller_one(
    qtbot, window, type_size, size, percent, shape
):
    take_size(window, size)
    assert window.arrangement.shape == "columns"
    type_size(percent)
    assert window.arrangement.shape == shape
    assert (window.width(), window.height()) == size
    for name in ("data", "kernel", "algorithm") if shape == "icons" else ("",):
        if name:
            window.docks[name].toggleViewAction().trigger()
            settle()
        assert_nothing_is_cut_off(qtbot, window)
    type_size(100)
    assert window.arrangement.shape == "columns"


def test_on_a_small_stage_large_type_leaves_room_for_the_playback(window, monkeypatch, type_size):
    take_size(window, (1024, 768))
    type_size(200)
    chosen_in_menu(window, "Kernel").trigger()
    monkeypatch.setattr(window, "showFullScreen", lambda: take_size(window, (1024, 768)))
    present(window)
    settle()
    assert window.presentation.scale == 2.0
    assert not [line for line in cut_off(window) if "PlaybackBar" in line]
    present(window)


def test_what_is_cut_off_is_found(window):
    take_size(window, (1024, 768))
    window.playback.mode.setMaximumWidth(60)
    window.playback._speed_label.setFixedWidth(10)
    settle()
    found = "\n".join(cut_off(window))
    assert "segments" in found
    assert "Label < PlaybackBar" in found
    window.docks["kernel"].widget().widget().setFixedWidth(400)
    settle()
    assert "is not within" in "\n".join(cut_off(window))


def icon_sides(window) -> dict[str, int]:
    """The side of every icon on a button, by the button's place in the window."""
    return {
        f"{_path(button)} {button.accessibleName() or button.text()}": button.iconSize().width()
        for button in window.findChildren(QAbstractButton)
        if not button.icon().isNull() and not button.objectName().startswith("qt_")
    }


def test_the_icons_of_toolbars_panels_and_titles_grow_with_the_type(qtbot, window, type_size):
    window.session.change("open data", data=dataset("blobs(n=30)"), source="blobs(n=30)")
    qtbot.waitUntil(lambda: any("Undo open data" in name for name in icon_sides(window)))
    settle()
    usual = icon_sides(window)
    for percent in (130, 200, 250):
        type_size(percent)
        now = icon_sides(window)
        gone = usual.keys() - now.keys()
        assert all(name.startswith("QToolButton < commands") for name in gone)  # commands give way to tools
        assert not any(tool.title in name for name in gone for tool in window.canvas.kinds_of_tools)
        wrong = {
            name: (usual[name], side)
            for name, side in now.items()
            if name in usual and abs(side - usual[name] * percent / 100) > 1
        }
        assert not wrong


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_beside_a_floating_panel_large_type_leaves_the_window_its_size(window, type_size):
    take_size(window, (1366, 768))
    shape = window.arrangement.shape
    window.docks["kernel"].setFloating(True)
    settle()
    for percent in (200, 250):
        type_size(percent)
        settle()
        assert (window.width(), window.height()) == (1366, 768)
    type_size(100)
    settle()
    assert window.arrangement.shape == shape
    assert window.docks["kernel"].isFloating()
    assert window.docks["kernel"].isVisible()


def assert_fits_its_screen(widget) -> None:
    screen = widget.screen().availableSize()
    assert widget.width() <= screen.width()
    assert widget.height() <= screen.height()


@pytest.mark.qt_log_ignore("This plugin does not support")
@pytest.mark.parametrize("percent", [100, 130, 200, 250])
def test_in_any_type_size_letters_dialogues_and_the_sheet_of_keys_are_whole(
    qtbot, window, type_size, percent
):
    take_size(window, (1366, 768))
    type_size(percent)
    assert_the_greek_letters_of_parameters_are_whole(window)
    for command in ("export_figure", "export_animation"):
        window.actions_by_name[command].trigger()
        settle()
        dialog = next(d for d in window.findChildren(ExportDialog) if d.isVisible())
        assert_a_dialogue_fits_and_what_is_cut_off_can_be_scrolled(dialog)
        dialog.close()
    window.actions_by_name["shortcuts"].trigger()
    settle()
    assert_the_sheet_is_as_wide_as_its_words(window.findChild(ShortcutsSheet))


def assert_the_greek_letters_of_parameters_are_whole(window) -> None:
    if not window.docks["kernel"].isVisible():
        window.docks["kernel"].toggleViewAction().trigger()
        settle()
    label = window.docks["kernel"].widget().form.main.label
    assert label.text() == "γ ▾"
    assert label.isVisible()
    assert label.height() >= label.sizeHint().height()


def assert_a_dialogue_fits_and_what_is_cut_off_can_be_scrolled(dialog) -> None:
    assert_fits_its_screen(dialog)
    area = dialog.findChild(QScrollArea)
    wide = area.widget().width() > area.viewport().width()
    assert area.horizontalScrollBar().isVisible() == wide
    assert area.widget().width() >= area.widget().minimumSizeHint().width()
    assert [fault for fault in cut_off(dialog) if not wide or "QScrollArea" not in fault] == []
    fields = [row.mapTo(dialog, QPoint()).x() for row in dialog.controls.values()]
    assert len(set(fields)) == 1, "the controls of all groups begin at the same place"


def assert_the_sheet_is_as_wide_as_its_words(sheet) -> None:
    assert_fits_its_screen(sheet)
    text = sheet.findChild(QTextBrowser)
    text.document().size()  # lays out all of it, not only what is seen first
    settle()
    assert not text.horizontalScrollBar().isVisible()
    assert narrowest_text(text) >= 12


def narrowest_text(browser) -> int:
    """The letters of the longest line of a description, of that which has the shortest one."""
    block, found = browser.document().begin(), []
    while block.isValid():
        lines = [block.layout().lineAt(k).textLength() for k in range(block.layout().lineCount())]
        if len(lines) > 1:
            found.append(max(lines))
        block = block.next()
    return min(found, default=99)
