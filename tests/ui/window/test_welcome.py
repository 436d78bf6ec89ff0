"""The card of the first start."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt

from kernelviz.session.state import start_up
from kernelviz.session.workspaces.registry import workspaces
from kernelviz.ui.canvas.welcome import Welcome
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


def test_the_card_stays_within_the_canvas_and_covers_a_corner_of_it_only(qtbot, window):
    window.welcome()
    card = window.findChild(Welcome)
    for size in ((1280, 800), (1024, 700)):
        window.resize(*size)
        qtbot.waitUntil(lambda: window.canvases.rect().contains(card.geometry()))
        covered = card.width() * card.height() / (window.canvases.width() * window.canvases.height())
        assert covered < 0.12


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
