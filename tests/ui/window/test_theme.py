"""Both themes: readable, and put on and changed without a complaint from Qt."""

from __future__ import annotations

from collections import Counter

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QComboBox, QWidget
from shiboken6 import getCppPointer

from kernelviz.drawing.theme import DARK, LIGHT, THEMES, choose_theme, current_theme
from kernelviz.ui.window.appearance import apply_theme


def luminance(colour: str) -> float:
    """Relative luminance as WCAG defines it."""
    c = QColor(colour)
    channels = [v / 12.92 if v <= 0.03928 else ((v + 0.055) / 1.055) ** 2.4 for v in c.getRgbF()[:3]]
    return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]


def contrast(one: str, other: str) -> float:
    """WCAG's contrast ratio, 1 to 21."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


both = pytest.mark.parametrize("theme", THEMES.values(), ids=lambda t: t.name)


@both
def test_text_is_readable_on_every_surface(theme):
    for ground in (theme.window, theme.surface, theme.raised, theme.hover):
        assert contrast(theme.text, ground) >= 7
        assert contrast(theme.muted, ground) >= 4.5
        for state in (theme.warning, theme.error, theme.success):
            assert contrast(state, ground) >= 4.5
    assert contrast(theme.on_accent, theme.accent) >= 4.5
    assert contrast(theme.accent, theme.surface) >= 4.5


@both
def test_axes_and_labels_are_readable_on_the_paper(theme):
    assert contrast(theme.ink, theme.paper) >= 7
    assert contrast(theme.soft_ink, theme.paper) >= 4.5


@both
def test_glyphs_lines_and_rings_stand_out_from_every_part_of_the_field(theme):
    for ground in (theme.zero, theme.positive_field, theme.negative_field):
        for glyph in (theme.positive, theme.negative, theme.boundary, theme.margin):
            assert contrast(glyph, ground) >= 3
        for ring in (theme.bounded, theme.misclassified, theme.highlight):
            assert contrast(ring, ground) >= 3


@both
def test_every_class_of_several_is_visible_on_the_paper(theme):
    assert len(set(theme.classes)) == len(theme.classes) >= 8
    assert all(contrast(colour, theme.paper) >= 4 for colour in theme.classes)


@both
def test_the_two_classes_differ_also_without_red_and_green(theme):
    """Blue and orange stay apart along the blue-yellow axis, which the common colour blindnesses keep."""
    for one, other in ((theme.positive, theme.negative), (theme.positive_field, theme.negative_field)):
        r1, _, b1, _ = QColor(one).getRgbF()
        r2, _, b2, _ = QColor(other).getRgbF()
        assert (b1 - r1) - (b2 - r2) > 0.5


@pytest.mark.parametrize("scale", [1.0, 1.75])
def test_a_theme_can_be_put_on_changed_and_scaled(qtbot, qapp, scale):
    window = QWidget()
    qtbot.addWidget(window)
    QComboBox(window)
    window.show()
    for theme in (DARK, LIGHT):
        apply_theme(qapp, theme, scale)
        assert current_theme() is theme
        assert window.palette().color(QPalette.ColorRole.Window).name() == theme.window
        assert qapp.font().pointSizeF() == pytest.approx(10 * scale)


def test_the_system_choice_is_one_of_the_themes(qapp):
    assert choose_theme("system") in THEMES.values()
    assert choose_theme("dark") is DARK


class Polished(QObject):
    """Counts how often each widget is told of a new style."""

    def __init__(self) -> None:
        super().__init__()
        self.times: Counter[int] = Counter()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.StyleChange:
            self.times[getCppPointer(watched)[0]] += 1  # Python may not keep its own object for it
        return False


def test_a_change_of_theme_polishes_every_widget_twice_however_deep_it_stands(qapp, window):
    # Left to itself Qt does so once for every widget around it, which is what takes long.
    polished = Polished()
    qapp.installEventFilter(polished)
    window.set_theme("dark")
    qapp.removeEventFilter(polished)
    assert len(polished.times) > 100
    assert sum(polished.times.values()) <= 2.2 * len(polished.times)
    window.set_theme("light")


def test_the_window_is_painted_in_a_turn_of_its_own_after_a_change_of_theme(qtbot, window):
    window.set_theme("dark")
    assert not window.updatesEnabled()
    qtbot.waitUntil(window.updatesEnabled)
    assert window.grab().toImage().pixelColor(3, 3).lightnessF() < 0.3
    window.set_theme("light")
    qtbot.waitUntil(window.updatesEnabled)


def test_a_window_opens_in_the_systems_theme_when_its_settings_name_none_there_is(settings, request):
    settings.theme = "sepia"
    window = request.getfixturevalue("window")
    assert window.isVisible()
    assert current_theme() is choose_theme("system")
