"""The icon set: complete, drawn, and in the theme's colours."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QIcon

import kernelviz
from kernelviz.drawing.icons import icon, icon_names
from kernelviz.drawing.theme import DARK, LIGHT
from kernelviz.ui.window.appearance import apply_theme


@pytest.mark.parametrize("name", icon_names())
def test_every_icon_draws_something_within_its_square(qapp, name):
    picture = icon(name).pixmap(QSize(48, 48)).toImage()
    alpha = [picture.pixelColor(x, y).alpha() for x in range(48) for y in range(48)]
    assert 0.01 < sum(alpha) / (255 * 48 * 48) < 0.6


@pytest.mark.parametrize("name", icon_names())
def test_every_icon_is_shown_somewhere(name):
    """Its name stands in the code, alone between quotes; the button that plays and pauses is called so."""
    package = Path(kernelviz.__file__).parent
    sources = [path.read_text(encoding="utf-8") for path in package.rglob("*.py")]
    assert any(f'"{word}"' in source for source in sources for word in (name, name.capitalize()))


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
