"""Every theme: readable, and put on and changed without a complaint from Qt."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QComboBox, QMenu, QWidget
from shiboken6 import getCppPointer

from kernelviz.scene.figure.colours import blend
from kernelviz.scene.theme import choose_theme, current_theme
from kernelviz.session.themes import DARK, HIGH_CONTRAST, LIGHT, THEMES, Theme
from kernelviz.ui.window.appearance import apply_theme, stylesheet


def luminance(colour: str) -> float:
    """Relative luminance as WCAG defines it."""
    c = QColor(colour)
    channels = [v / 12.92 if v <= 0.03928 else ((v + 0.055) / 1.055) ** 2.4 for v in c.getRgbF()[:3]]
    return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]


def contrast(one: str, other: str) -> float:
    """WCAG's contrast ratio, 1 to 21."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


every = pytest.mark.parametrize("theme", THEMES.values(), ids=lambda t: t.name)


def enough(theme: Theme) -> float:
    """The least contrast of what is to be read or told apart (WCAG's AAA and AA for text)."""
    return 7.0 if theme is HIGH_CONTRAST else 4.5


@every
def test_text_is_readable_on_every_surface(theme):
    for ground in (theme.window, theme.surface, theme.raised, theme.hover, theme.pressed):
        assert contrast(theme.text, ground) >= 7
    for ground in (theme.window, theme.surface, theme.raised, theme.hover):
        for words in (theme.muted, theme.warning, theme.error, theme.success, theme.accent):
            assert contrast(words, ground) >= enough(theme)
    assert contrast(theme.on_accent, theme.accent) >= enough(theme)


@every
def test_the_frame_of_what_has_the_keyboard_stands_out_from_window_and_paper(theme):
    for ground in (theme.window, theme.surface, theme.raised, theme.paper):
        assert contrast(theme.accent, ground) >= enough(theme)


@every
def test_axes_and_labels_are_readable_on_the_paper(theme):
    assert contrast(theme.ink, theme.paper) >= 7
    for colour in (theme.soft_ink, theme.highlight, theme.misclassified, theme.positive, theme.negative):
        assert contrast(colour, theme.paper) >= enough(theme)


@every
def test_glyphs_lines_and_rings_stand_out_from_every_part_of_the_field(theme):
    for ground in (theme.zero, theme.positive_field, theme.negative_field, theme.halo):
        for mark in (
            *(theme.positive, theme.negative, theme.boundary, theme.margin),
            *(theme.bounded, theme.misclassified, theme.highlight),
        ):
            assert contrast(mark, ground) >= enough(theme)
        assert contrast(theme.level, ground) >= 3


@every
def test_glyphs_lines_and_rings_stand_out_from_the_regions_of_several_classes(theme):
    count = len(theme.classes)
    for k in range(count):
        region = blend(theme.zero, theme.of_class(k, count), theme.tint)
        for mark in (theme.boundary, theme.bounded, theme.misclassified, theme.highlight):
            assert contrast(mark, region) >= enough(theme)
        # A glyph brings the halo it is drawn on; without it, it would still be seen.
        assert contrast(theme.of_class(k, count), region) >= (7 if theme is HIGH_CONTRAST else 3)


@every
def test_every_class_of_several_is_visible_on_the_paper_and_on_its_halo(theme):
    assert len(set(theme.classes)) == len(theme.classes) >= 8
    for ground in (theme.paper, theme.halo):
        assert all(contrast(colour, ground) >= enough(theme) for colour in theme.classes)


@every
def test_the_two_classes_differ_also_without_red_and_green(theme):
    """Blue and orange stay apart along the blue-yellow axis, which the common colour blindnesses keep."""
    for one, other in ((theme.positive, theme.negative), (theme.positive_field, theme.negative_field)):
        r1, _, b1, _ = QColor(one).getRgbF()
        r2, _, b2, _ = QColor(other).getRgbF()
        assert (b1 - r1) - (b2 - r2) > 0.5


@every
def test_the_pictures_that_the_style_sheet_names_are_there(theme):
    named = set(re.findall(r'url\("([^"]+)"\)', stylesheet(theme, 1.0)))
    assert len(named) > 3, "it names no pictures"
    assert [path for path in sorted(named) if not Path(path).exists()] == []


@pytest.mark.parametrize("scale", [1.0, 1.75])
def test_a_theme_can_be_put_on_changed_and_scaled(qtbot, qapp, scale):
    window = QWidget()
    qtbot.addWidget(window)
    QComboBox(window)
    window.show()
    for theme in THEMES.values():
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
    settings.theme = "no such theme"
    window = request.getfixturevalue("window")
    assert window.isVisible()
    assert current_theme() is choose_theme("system")


class Hints:
    """What Qt says of a system that asks for contrast."""

    class Preference:
        name = "HighContrast"

    @classmethod
    def contrastPreference(cls) -> type[Preference]:
        return cls.Preference


def test_a_system_that_asks_for_contrast_gets_it_unless_the_user_has_chosen(qapp, monkeypatch):
    monkeypatch.setattr("kernelviz.scene.theme.contrast_hints", lambda _: Hints)
    assert choose_theme("system") is HIGH_CONTRAST
    assert choose_theme("light") is LIGHT
    monkeypatch.setattr("kernelviz.scene.theme.contrast_hints", lambda _: None)  # an older Qt
    assert choose_theme("system") is not HIGH_CONTRAST


def entry(window, title: str, text: str):
    """The entry of a submenu of View."""
    menu = next(m for m in window.menuBar().findChildren(QMenu) if m.title().replace("&", "") == title)
    return next(action for action in menu.actions() if action.text() == text)


def test_high_contrast_is_in_the_theme_menu_and_reaches_window_and_canvas(qtbot, window):
    entry(window, "Theme", "High contrast").trigger()
    qtbot.waitUntil(window.updatesEnabled)
    assert current_theme() is HIGH_CONTRAST
    assert window.settings.theme == "high-contrast"
    assert window.canvas.style_of_figure.theme is HIGH_CONTRAST
    assert window.grab().toImage().pixelColor(3, 3).name() == HIGH_CONTRAST.window
    window.set_theme("light")
    qtbot.waitUntil(window.updatesEnabled)


@pytest.mark.parametrize("percent", [80, 250])
def test_all_type_can_be_set_from_80_to_250_percent(qtbot, qapp, window, percent):
    usual = window.canvas.style_of_figure.text
    entry(window, "Type size", f"{percent} %").trigger()
    qtbot.waitUntil(window.updatesEnabled)
    assert qapp.font().pointSizeF() == pytest.approx(10 * percent / 100)
    assert (window.canvas.style_of_figure.text > usual) == (percent > 100)
    assert window.settings.type_size == percent
    window.set_type_size(100)
    qtbot.waitUntil(window.updatesEnabled)


def test_a_presentation_is_no_smaller_than_the_type_chosen_and_no_larger_than_the_largest(window, settings):
    stage = window.presentation
    for percent, scale in ((80, 1.28), (100, 1.6), (250, 2.5)):
        settings.type_size = percent
        stage.on = True
        assert stage.scale == pytest.approx(scale)
        stage.on = False


@pytest.mark.parametrize(("kept", "size"), [("huge", 100), ("9000", 250), ("-3", 80), ("130", 130)])
def test_a_size_of_type_that_somebody_wrote_into_the_settings_is_brought_within_bounds(settings, kept, size):
    settings.store.setValue("type_size", kept)
    assert settings.type_size == size
