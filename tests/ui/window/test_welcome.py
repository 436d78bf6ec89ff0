"""The card of the first start."""

from __future__ import annotations

import struct

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt

from kernelviz.engine.core.data import same_inputs
from kernelviz.engine.core.generators import finished
from kernelviz.scene.export.composition import render_state
from kernelviz.scene.export.options import Options
from kernelviz.session.files.png_metadata import SIGNATURE, chunk
from kernelviz.session.sources import Requested
from kernelviz.session.starts import STARTS
from kernelviz.session.state import start_up
from kernelviz.session.workspaces.registry import workspaces
from kernelviz.ui.canvas.welcome import Welcome, reading_pictures
from kernelviz.ui.workbench.settings import Settings
from tests.ui.canvas.hand import Hand
from tests.ui.window.acting import LEFT, focus_canvas


def test_the_card_invites_until_it_is_dismissed_and_never_again(qtbot, window, settings, tmp_path):
    window.welcome()
    card = window.findChild(Welcome)
    assert card.isVisible()
    qtbot.mouseClick(card.dismiss, LEFT)
    qtbot.waitUntil(lambda: window.findChild(Welcome) is None)
    assert window.canvas.area.hasFocus() or not window.isActiveWindow()
    window.welcome()
    assert window.findChild(Welcome) is None
    settings.write()
    assert Settings(tmp_path / "settings.ini").welcomed


def test_the_card_stays_within_the_canvas_and_leaves_its_upper_half_free(qtbot, window):
    window.welcome()
    card = window.findChild(Welcome)
    for size in ((1280, 800), (1024, 700)):
        window.resize(*size)
        qtbot.waitUntil(lambda: window.canvases.rect().contains(card.geometry()))
        assert card.geometry().top() > window.canvases.height() / 2
        assert card.width() * card.height() < 0.25 * window.canvases.width() * window.canvases.height()


def test_in_large_type_the_card_leaves_most_of_a_small_canvas_free(qtbot, window):
    window.welcome()
    card = window.findChild(Welcome)
    window.resize(1024, 768)
    window.set_type_size(200)
    qtbot.waitUntil(lambda: 0 < card.height() < 0.4 * window.canvases.height())
    assert "lesson" in card.text.text()


@pytest.mark.parametrize("corner", ["top left", "top right", "bottom left", "bottom right"])
def test_the_card_does_not_cover_the_legend(qtbot, window, corner):
    window.resize(1024, 700)
    window.welcome()
    card, canvas = window.findChild(Welcome), window.canvas
    window.session.adjust(legend=corner)
    qtbot.waitUntil(lambda: canvas.scene.legend.place == corner)

    def apart() -> bool:
        area = canvas.area
        plane = area.box.mapRectToScene(area.box.rect())
        legend = canvas.scene.legend.card(plane.size(), canvas.style_of_figure, canvas.scene.shown)
        legend.translate(QPointF(area.mapTo(canvas, QPoint(0, 0))) + plane.topLeft())
        return not legend.isEmpty() and not legend.intersects(QRectF(card.geometry()))

    qtbot.waitUntil(apart)


def test_where_no_point_can_be_dragged_nobody_is_invited_to_and_nothing_is_covered(qtbot, window):
    window.welcome()
    card = window.findChild(Welcome)
    words = next(workspace for workspace in workspaces() if not workspace.movable)
    window.session.replace("words", start_up(words).document)
    qtbot.waitUntil(lambda: window.canvases.workspace is words)
    assert not card.isVisible()
    card.setParent(None)
    card.deleteLater()
    window.welcome()
    assert window.findChild(Welcome) is None


def test_the_card_leaves_the_keyboard_to_the_canvas(qtbot, window):
    focus_canvas(window)
    window.welcome()
    qtbot.keyClick(window.canvas.area, Qt.Key.Key_Space)
    assert window.playback.playing
    window.playback.pause()


def test_it_is_not_projected(window, settings, qtbot):
    settings.welcomed = False
    window.welcome()
    card = window.findChild(Welcome)
    window.actions_by_name["presentation"].trigger()
    assert not card.isVisible()
    window.actions_by_name["presentation"].trigger()
    qtbot.waitUntil(card.isVisible)


def drag(qtbot, window) -> None:
    Hand(qtbot, window.canvas).drag(0, (0.9, 0.9))


def press(key):
    return lambda qtbot, window: qtbot.keyClick(window.canvas.area, key)


@pytest.mark.parametrize(
    "act",
    [drag, press(Qt.Key.Key_K), press(Qt.Key.Key_G), press(Qt.Key.Key_Space)],
    ids=["drag", "kernel", "algorithm", "watch"],
)
def test_the_card_goes_once_the_user_has_begun(qtbot, window, settings, act):
    settings.welcomed = False
    focus_canvas(window)
    window.welcome()
    assert window.findChild(Welcome).isVisible()
    act(qtbot, window)
    qtbot.waitUntil(lambda: window.findChild(Welcome) is None)
    assert settings.welcomed
    window.playback.pause()


@pytest.mark.parametrize("start", STARTS, ids=lambda start: start.name)
def test_a_picture_begins_with_what_it_shows(qtbot, window, start):
    window.resize(1500, 900)
    window.welcome()
    card = window.findChild(Welcome)
    button = next(b for b in card.pictures if b.accessibleName() == start.title)
    qtbot.mouseClick(button, LEFT)
    wanted = start.state().document
    qtbot.waitUntil(lambda: same_inputs(window.session.document.data.X, wanted.data.X))
    assert window.session.document.fits == wanted.fits
    assert not start.view or start.view in window.insight.shown
    qtbot.waitUntil(lambda: window.findChild(Welcome) is None)


def test_new_shows_it_again_although_it_was_closed(qtbot, window, settings):
    settings.welcomed = True
    window.welcome()
    assert window.findChild(Welcome) is None
    window.actions_by_name["new"].trigger()
    qtbot.waitUntil(lambda: window.findChild(Welcome) is not None and window.findChild(Welcome).isVisible())
    assert window.session.document.data.n == 0
    Hand(qtbot, window.canvas).click((0.0, 0.5))
    qtbot.waitUntil(lambda: window.findChild(Welcome) is None)


def test_the_keyboard_reaches_the_pictures_and_a_screen_reader_names_them(qtbot, window):
    window.welcome()
    card = window.findChild(Welcome)
    first = card.pictures[1]
    first.setFocus(Qt.FocusReason.TabFocusReason)
    assert first.accessibleName() == STARTS[0].title
    assert first.toolTip()
    qtbot.keyClick(first, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window.session.document.source == STARTS[0].state().document.source)


def test_a_picture_opened_last_is_shown_and_opened(qtbot, window, settings, tmp_path):
    path = tmp_path / "last.png"
    state, _ = Requested("rings(n=20)").state()
    render_state(state, path, Options(width=300, height=200, dpi=100.0))
    settings.recent = [str(path), str(tmp_path / "gone.kviz")]
    window.resize(1920, 1000)
    window.welcome()
    card = window.findChild(Welcome)
    qtbot.waitUntil(lambda: card.pictures[-1].text() == "gone")
    assert [button.text() for button in card.pictures[-2:]] == ["last", "gone"]
    qtbot.mouseClick(card.pictures[-2], LEFT)
    qtbot.waitUntil(lambda: window.session.document.data.n == 20)


def test_a_huge_picture_is_not_read(tmp_path):
    path = tmp_path / "bomb.png"
    header = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    path.write_bytes(SIGNATURE + chunk(b"IHDR", header) + chunk(b"IDAT", b"") + chunk(b"IEND", b""))
    ((_, image),) = finished(reading_pictures([path]))
    assert image.isNull()


def test_a_file_that_is_no_picture_is_not_read_as_one(tmp_path, capfd):
    paths = [tmp_path / name for name in ("session.kviz", "text.png", "gone.png")]
    for path in paths[:2]:
        path.write_text("{}")
    assert [image.isNull() for _, image in finished(reading_pictures(paths))] == [True] * 3
    assert capfd.readouterr().err == ""
