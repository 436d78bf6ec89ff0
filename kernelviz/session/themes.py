"""The themes of the window and of figures: every colour is named here by its role, a theme is one literal."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Theme:
    """Colours by role, as #rrggbb."""

    name: str
    title: str  # As menus show it.
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


LIGHT = Theme(
    name="light",
    title="Light",
    window="#f4f5f7",
    surface="#ffffff",
    raised="#fbfbfc",
    hover="#eaedf2",
    pressed="#d9dde4",
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
    positive_field="#a3cbee",
    negative_field="#f7c08f",
    positive="#0a4f91",
    negative="#8f3600",
    level="#5b6779",
    boundary="#161b26",
    margin="#3a4456",
    bounded="#1c2230",
    misclassified="#9a0a5e",
    highlight="#5a2fc4",
    classes=(
        "#8f3600",
        "#0a4f91",
        "#00704f",
        "#8f3a78",
        "#7a5a00",
        "#1f6f96",
        "#4a4a4a",
        "#6b5ad0",
    ),
    tint=0.27,
)
DARK = Theme(
    name="dark",
    title="Dark",
    window="#16191f",
    surface="#1d2128",
    raised="#242932",
    hover="#2d333e",
    pressed="#363d49",
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
    positive_field="#1b4f80",
    negative_field="#753f14",
    positive="#9bd0ff",
    negative="#ffbb7a",
    level="#93a0b4",
    boundary="#f4f6fa",
    margin="#c9d1dd",
    bounded="#e6e9ef",
    misclassified="#ffa3d6",
    highlight="#c9b2ff",
    classes=(
        "#ffbb7a",
        "#9bd0ff",
        "#6fdcb4",
        "#f0a6dc",
        "#f2dd6e",
        "#8fe3ff",
        "#d0d4da",
        "#bdb2ff",
    ),
    tint=0.27,
)
# Black on white: it can be read on a washed-out projector and be printed.
HIGH_CONTRAST = Theme(
    name="high-contrast",
    title="High contrast",
    window="#ffffff",
    surface="#ffffff",
    raised="#ffffff",
    hover="#e2e8f2",
    pressed="#c8d2e2",
    border="#4f4f4f",
    text="#000000",
    muted="#333333",
    accent="#0030a0",
    on_accent="#ffffff",
    warning="#5a3300",
    error="#8a0000",
    success="#004d20",
    paper="#ffffff",
    ink="#000000",
    soft_ink="#262626",
    grid="#8c8c8c",
    halo="#ffffff",
    zero="#ffffff",
    positive_field="#aed4ff",
    negative_field="#ffcf9c",
    positive="#002b66",
    negative="#661f00",
    level="#404040",
    boundary="#000000",
    margin="#1a1a1a",
    bounded="#000000",
    misclassified="#70003f",
    highlight="#3a1090",
    classes=(
        "#661f00",
        "#002b66",
        "#00452f",
        "#62104d",
        "#4a3600",
        "#00405c",
        "#333333",
        "#3a1f9a",
    ),
    tint=0.2,
)
THEMES = {theme.name: theme for theme in (LIGHT, DARK, HIGH_CONTRAST)}
