"""Three looks, light, dark and high contrast: every colour of widgets and figures is named here by its
role."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QStyleHints

ThemeName = Literal["light", "dark", "high-contrast"]
Choice = Literal["system", "light", "dark", "high-contrast"]
CHOICES: tuple[Choice, ...] = get_args(Choice)
BASE_POINTS = 10.0  # Size of the widgets' type before presentation scaling.


@dataclass(frozen=True)
class Theme:
    """Colours by role, as #rrggbb."""

    name: ThemeName
    # Widgets
    window: str
    surface: str
    raised: str
    hover: str
    pressed: str
    border: str
    text: str
    muted: str
    accent: str
    on_accent: str
    warning: str
    error: str
    success: str
    # Figures
    paper: str
    ink: str
    soft_ink: str
    grid: str
    halo: str
    zero: str  # The field where s = 0.
    positive_field: str
    negative_field: str
    positive: str  # The + glyphs, and everything else of that class.
    negative: str
    level: str
    boundary: str
    margin: str
    bounded: str
    misclassified: str
    highlight: str
    # Glyphs of the first, second … of several classes (Okabe and Ito's palette, adapted to the paper).
    classes: tuple[str, ...]
    # How far the region of one of several classes is on its way from `zero` to the class' colour.
    tint: float

    def of_class(self, k: int, count: int) -> str:
        """Return the colour of class k among `count`; of two, the second is the positive one."""
        if count <= 2:
            return self.positive if k == 1 else self.negative
        return self.classes[k % len(self.classes)]


# The colour of each role in the three looks. High contrast is black on white: it can be read on a washed-out
# projector and be printed.
COLOURS = {
    "window": ("#f4f5f7", "#16191f", "#ffffff"),
    "surface": ("#ffffff", "#1d2128", "#ffffff"),
    "raised": ("#fbfbfc", "#242932", "#ffffff"),
    "hover": ("#eaedf2", "#2d333e", "#e2e8f2"),
    "pressed": ("#d9dde4", "#363d49", "#c8d2e2"),
    "border": ("#d9dde4", "#363d49", "#4f4f4f"),
    "text": ("#1a1f2b", "#e8ebf0", "#000000"),
    "muted": ("#5a6475", "#a0aabb", "#333333"),
    "accent": ("#1f66c1", "#6db0ff", "#0030a0"),
    "on_accent": ("#ffffff", "#0d1b2e", "#ffffff"),
    "warning": ("#8a5300", "#f2b65a", "#5a3300"),
    "error": ("#b3261e", "#ff8a80", "#8a0000"),
    "success": ("#1b7340", "#74d99f", "#004d20"),
    "paper": ("#ffffff", "#16191f", "#ffffff"),
    "ink": ("#1c2230", "#e6e9ef", "#000000"),
    "soft_ink": ("#556070", "#a3acba", "#262626"),
    "grid": ("#e3e6eb", "#2b313b", "#8c8c8c"),
    "halo": ("#ffffff", "#12151a", "#ffffff"),
    "zero": ("#fbfaf7", "#1c2027", "#ffffff"),
    "positive_field": ("#a3cbee", "#1b4f80", "#aed4ff"),
    "negative_field": ("#f7c08f", "#753f14", "#ffcf9c"),
    "positive": ("#0a4f91", "#9bd0ff", "#002b66"),
    "negative": ("#8f3600", "#ffbb7a", "#661f00"),
    "level": ("#5b6779", "#93a0b4", "#404040"),
    "boundary": ("#161b26", "#f4f6fa", "#000000"),
    "margin": ("#3a4456", "#c9d1dd", "#1a1a1a"),
    "bounded": ("#1c2230", "#e6e9ef", "#000000"),
    "misclassified": ("#9a0a5e", "#ffa3d6", "#70003f"),
    "highlight": ("#5a2fc4", "#c9b2ff", "#3a1090"),
}
CLASSES = (
    ("#8f3600", "#0a4f91", "#00704f", "#8f3a78", "#7a5a00", "#1f6f96", "#4a4a4a", "#6b5ad0"),
    ("#ffbb7a", "#9bd0ff", "#6fdcb4", "#f0a6dc", "#f2dd6e", "#8fe3ff", "#d0d4da", "#bdb2ff"),
    ("#661f00", "#002b66", "#00452f", "#62104d", "#4a3600", "#00405c", "#333333", "#3a1f9a"),
)


def _theme(k: int, name: ThemeName, tint: float) -> Theme:
    """Return the k-th of the looks."""
    return Theme(name, **{role: looks[k] for role, looks in COLOURS.items()}, classes=CLASSES[k], tint=tint)


LIGHT, DARK = _theme(0, "light", 0.27), _theme(1, "dark", 0.27)
HIGH_CONTRAST = _theme(2, "high-contrast", 0.2)
THEMES: dict[ThemeName, Theme] = {theme.name: theme for theme in (LIGHT, DARK, HIGH_CONTRAST)}


def contrast_hints(hints: QStyleHints) -> Any:
    """Return the object that says if the system asks for more contrast (`contrastPreference`, and a signal
    when that changes), valid as long as the hints are kept; None before Qt 6.10."""
    ask = getattr(hints, "accessibility", None)
    return ask() if ask is not None else None


def choose_theme(choice: Choice) -> Theme:
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
