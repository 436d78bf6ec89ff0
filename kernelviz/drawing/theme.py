"""Two looks, light and dark: every colour of the widgets and of the figures is named here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

__all__ = ["CHOICES", "DARK", "LIGHT", "THEMES", "Choice", "Theme", "choose_theme", "current_theme"]

Choice = Literal["system", "light", "dark"]
CHOICES: tuple[Choice, ...] = get_args(Choice)
BASE_POINTS = 10.0
"""Size of the widgets' type before presentation scaling."""


@dataclass(frozen=True)
class Theme:
    """Colours by role, as #rrggbb."""

    name: Literal["light", "dark"]
    # Widgets
    window: str
    surface: str
    raised: str
    hover: str
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
    zero: str
    """The field where s = 0."""
    positive_field: str
    negative_field: str
    positive: str
    """The + glyphs, and everything else of that class."""
    negative: str
    level: str
    boundary: str
    margin: str
    bounded: str
    misclassified: str
    highlight: str
    classes: tuple[str, ...]
    """Glyphs of the first, second … of several classes (Okabe and Ito's palette, adapted to the paper)."""

    @property
    def dark(self) -> bool:
        return self.name == "dark"

    def of_class(self, k: int, count: int) -> str:
        """The colour of class k among `count`; of two, the second is the positive one."""
        if count <= 2:
            return self.positive if k == 1 else self.negative
        return self.classes[k % len(self.classes)]


LIGHT = Theme(
    name="light",
    window="#f4f5f7",
    surface="#ffffff",
    raised="#fbfbfc",
    hover="#eaedf2",
    border="#d9dde4",
    text="#1a1f2b",
    muted="#5a6475",
    accent="#1f66c1",
    on_accent="#ffffff",
    warning="#8a5300",
    error="#b3261e",
    success="#1b7340",
    paper="#ffffff",
    ink="#1c2230",
    soft_ink="#556070",
    grid="#e3e6eb",
    halo="#ffffff",
    zero="#fbfaf7",
    positive_field="#86b9e6",
    negative_field="#f4b074",
    positive="#0a4f91",
    negative="#a53f00",
    level="#5b6779",
    boundary="#161b26",
    margin="#3a4456",
    bounded="#1c2230",
    misclassified="#b0126e",
    highlight="#6a3fd4",
    classes=("#a53f00", "#0a4f91", "#00704f", "#8f3a78", "#7a5a00", "#2a7fa8", "#4a4a4a", "#6b5ad0"),
)

DARK = Theme(
    name="dark",
    window="#16191f",
    surface="#1d2128",
    raised="#242932",
    hover="#2d333e",
    border="#363d49",
    text="#e8ebf0",
    muted="#a0aabb",
    accent="#6db0ff",
    on_accent="#0d1b2e",
    warning="#f2b65a",
    error="#ff8a80",
    success="#74d99f",
    paper="#16191f",
    ink="#e6e9ef",
    soft_ink="#a3acba",
    grid="#2b313b",
    halo="#12151a",
    zero="#1c2027",
    positive_field="#205d97",
    negative_field="#92501b",
    positive="#9bd0ff",
    negative="#ffbb7a",
    level="#93a0b4",
    boundary="#f4f6fa",
    margin="#c9d1dd",
    bounded="#e6e9ef",
    misclassified="#ffa3d6",
    highlight="#c9b2ff",
    classes=("#ffbb7a", "#9bd0ff", "#6fdcb4", "#f0a6dc", "#f2dd6e", "#8fe3ff", "#d0d4da", "#bdb2ff"),
)

THEMES = {"light": LIGHT, "dark": DARK}


def choose_theme(choice: Choice = "system") -> Theme:
    """The theme of that name, or the one the system prefers."""
    if choice != "system":
        return THEMES[choice]
    app = QGuiApplication.instance()
    dark = isinstance(app, QGuiApplication) and app.styleHints().colorScheme() is Qt.ColorScheme.Dark
    return DARK if dark else LIGHT


def current_theme() -> Theme:
    """The theme applied last, light before any."""
    app = QGuiApplication.instance()
    return THEMES[(app.property("kernelviz-theme") if app else None) or "light"]
