"""The icon set: complete, drawn, and in the theme's colours."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QAction, QColor, QIcon
from PySide6.QtWidgets import QAbstractButton
from shiboken6 import isValid

from kernelviz.resource import resource_path
from kernelviz.scene.icons import icon
from kernelviz.session.themes import DARK, LIGHT
from kernelviz.ui.window.appearance import apply_theme

NAMES = sorted(path.stem for path in resource_path("icons").glob("*.svg"))


@pytest.mark.parametrize("name", NAMES)
def test_every_icon_draws_something_within_its_square(qapp, name):
    picture = icon(name).pixmap(QSize(48, 48)).toImage()
    alpha = [picture.pixelColor(x, y).alpha() for x in range(48) for y in range(48)]
    assert 0.01 < sum(alpha) / (255 * 48 * 48) < 0.6


def shown_now(window) -> set[int]:
    """Keys of the icons on all buttons and in all menus, the dialogues' too."""
    parts = (*window.findChildren(QAction), *window.findChildren(QAbstractButton))
    return {part.icon().cacheKey() for part in parts if isValid(part)}


def test_every_icon_is_shown_somewhere(qtbot, window):
    for command in ("export_figure", "export_animation"):
        window.actions_by_name[command].trigger()
    shown = shown_now(window)
    window.actions_by_name["play_pause"].trigger()
    qtbot.waitUntil(lambda: window.playback.playing)
    shown |= shown_now(window)
    window.playback.pause()
    window.insight.enlarge(window.insight.slots[0])
    shown |= shown_now(window)
    assert [name for name in NAMES if icon(name).cacheKey() not in shown] == []


def darkest(state: QIcon.State) -> QColor:
    picture = icon("plus").pixmap(QSize(48, 48), QIcon.Mode.Normal, state).toImage()
    return picture.pixelColor(24, 20)


def test_an_icon_follows_the_theme_and_shows_that_it_is_on(qapp):
    for theme in (DARK, LIGHT):
        apply_theme(qapp, theme)
        assert darkest(QIcon.State.Off).name() == theme.text
        assert darkest(QIcon.State.On).name() == theme.accent


def test_an_unknown_icon_is_an_error_of_the_programmer(qapp):
    with pytest.raises(KeyError, match="no-such-icon"):
        icon("no-such-icon")
