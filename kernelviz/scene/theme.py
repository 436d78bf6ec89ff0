"""The theme to show: the chosen one, or the one the system prefers."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QStyleHints

from kernelviz.session.themes import DARK, HIGH_CONTRAST, LIGHT, THEMES, Theme

# The titles of the choices, by name.
CHOICES = {"system": "As the system", **{theme.name: theme.title for theme in THEMES.values()}}
BASE_POINTS = 10.0  # Size of the widgets' type before presentation scaling.


def contrast_hints(hints: QStyleHints) -> Any:
    """Return the object that knows if the system asks for more contrast (`contrastPreference`, and a signal
    when that changes), valid as long as the hints are kept; None before Qt 6.10."""
    ask = getattr(hints, "accessibility", None)
    return ask() if ask is not None else None


def choose_theme(choice: str) -> Theme:
    """Return the theme of that name, or the one the system prefers."""
    if choice != "system":
        return THEMES[choice]
    app = QGuiApplication.instance()
    if not isinstance(app, QGuiApplication):
        return LIGHT
    hints = app.styleHints()
    contrast = contrast_hints(hints)
    if contrast is not None and contrast.contrastPreference().name == "HighContrast":
        return HIGH_CONTRAST
    return DARK if hints.colorScheme() is Qt.ColorScheme.Dark else LIGHT


def current_theme() -> Theme:
    """Return the theme applied last, light before any."""
    app = QGuiApplication.instance()
    return THEMES[(app.property("kernelviz-theme") if app else None) or "light"]
