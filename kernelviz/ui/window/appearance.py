"""The appearance of the application in a theme: type, palette and style sheet."""

from __future__ import annotations

from string import Template

from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QApplication

from kernelviz.resource import resource_path
from kernelviz.scene.figure.typeface import family
from kernelviz.scene.theme import BASE_POINTS
from kernelviz.session.themes import Theme


def apply_theme(app: QApplication, theme: Theme, scale: float = 1.0) -> None:
    """Give the whole application a theme; `scale` enlarges type and spacing for a lecture hall."""
    if app.property("kernelviz-theme") is None:  # later the style has no name to compare
        app.setStyle("Fusion")
    # Remove the sheet first: when a sheet changes, Qt polishes a widget once for itself and once for each of
    # its parents, but when it gets its first sheet, only once.
    app.setStyleSheet("")
    app.setProperty("kernelviz-theme", theme.name)
    base = QFont(family())
    base.setPointSizeF(BASE_POINTS * scale)
    app.setFont(base)
    app.setPalette(palette(theme))
    app.setStyleSheet(stylesheet(theme, scale))


def palette(theme: Theme) -> QPalette:
    """Return a palette in the theme's colours, for everything that the style sheet leaves out."""
    role = QPalette.ColorRole
    made = QPalette()
    for which, colour in {
        role.Window: theme.window,
        role.WindowText: theme.text,
        role.Base: theme.surface,
        role.AlternateBase: theme.raised,
        role.Text: theme.text,
        role.Button: theme.surface,
        role.ButtonText: theme.text,
        role.BrightText: theme.error,
        role.ToolTipBase: theme.raised,
        role.ToolTipText: theme.text,
        role.PlaceholderText: theme.muted,
        role.Highlight: theme.accent,
        role.HighlightedText: theme.on_accent,
        role.Link: theme.accent,
        role.LinkVisited: theme.accent,
        role.Accent: theme.accent,
        role.Light: theme.raised,
        role.Midlight: theme.hover,
        role.Mid: theme.border,
        role.Dark: theme.border,
        role.Shadow: theme.border,
    }.items():
        made.setColor(which, QColor(colour))
    faded = QColor(theme.muted)
    faded.setAlphaF(0.6)
    for which in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, which, faded)
    return made


def stylesheet(theme: Theme, scale: float) -> str:
    """Return the style sheet for a theme; $p6 in resources/style.qss is 6 pixels times the scale."""
    # Pixels, as $p1 to $p32 in the sheet.
    sizes = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20, 24, 28, 32)
    pixels = {f"p{n}": f"{max(1, round(n * scale))}px" for n in sizes}
    colours = {
        name: getattr(theme, name)
        for name in (
            *("window", "surface", "raised", "hover", "pressed", "border"),
            *("text", "muted", "accent", "on_accent"),
        )
    }
    icons = resource_path("icons", "controls").as_posix()
    return Template(resource_path("style.qss").read_text(encoding="utf-8")).substitute(
        colours, **pixels, icons=icons, theme=theme.name
    )
