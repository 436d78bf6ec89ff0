"""Sets of colours that replace those of a figure's theme, or two custom colours.

A set says by role what differs from a theme with light paper, and from one with dark paper."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Kind, Parameter, nearest
from kernelviz.session.themes import HIGH_CONTRAST, Theme

# Masataka Okabe and Kei Ito, "Color Universal Design", 2002 (https://jfly.uni-koeln.de/color/). Black stands
# for the ink. Those with the least contrast to the paper come last.
VERMILLION, BLUE, GREEN, PURPLE = "#d55e00", "#0072b2", "#009e73", "#cc79a7"
ORANGE, SKY, YELLOW = "#e69f00", "#56b4e9", "#f0e442"
LEAST_CONTRAST = 3.0  # Of a mark with its paper (WCAG's least for graphics).


@dataclass(frozen=True)
class ColourSet:
    """The changes that a set of colours makes to a theme, by role."""

    title: str
    light: Mapping[str, Any]
    dark: Mapping[str, Any]

    def on(self, theme: Theme) -> Theme:
        """Return the theme in these colours."""
        return replace(theme, **(self.dark if is_dark(theme) else self.light))


COLOUR_SETS = {
    "default": ColourSet("As the theme", {}, {}),
    # Lightness goes one way, from − over 0 to +, so that a grey print shows the sign; so do the classes.
    "greyscale": ColourSet(
        "Greyscale-safe",
        {
            "negative_field": "#fff6ea",
            "zero": "#d8dbde",
            "positive_field": "#84acd1",
            "positive": "#062f5a",
            "negative": "#6b2800",
            "level": "#3a4456",
            "margin": "#1c2230",
            "misclassified": "#6d0040",
            "highlight": "#3f1a9a",
            "classes": (
                "#b0622a", "#0b2f57", "#2f7d6a", "#5c1a4c", "#8a7420", "#123f4f", "#6a6a6a", "#2a1f70",
            ),
            "tint": 0.36,
        },
        {
            "negative_field": "#17120c",
            "zero": "#2f353d",
            "positive_field": "#2b5e90",
            "positive": "#d6ebff",
            "negative": "#ffcf9c",
            "level": "#b9c3d2",
            "margin": "#e6e9ef",
            "misclassified": "#ffd6ee",
            "highlight": "#e2d6ff",
            "classes": (
                "#a8743f", "#d6ebff", "#4fa98a", "#ffd5f3", "#b3a23a", "#aeeaff", "#8f959e", "#dcd5ff",
            ),
            "tint": 0.42,
        },
    ),
    "contrast": ColourSet(
        "High contrast",
        {
            role: getattr(HIGH_CONTRAST, role)
            for role in (
                *("ink", "soft_ink", "grid", "halo", "zero", "positive_field", "negative_field", "positive"),
                *("negative", "level", "boundary", "margin", "bounded", "misclassified", "highlight"),
                *("classes", "tint"),
            )
        },
        {
            "paper": "#000000",
            "ink": "#ffffff",
            "soft_ink": "#e0e4ea",
            "grid": "#8c8c8c",
            "halo": "#000000",
            "zero": "#000000",
            "positive_field": "#003c70",
            "negative_field": "#5a2800",
            "positive": "#bfe2ff",
            "negative": "#ffd3a3",
            "level": "#c8d0da",
            "boundary": "#ffffff",
            "margin": "#ffffff",
            "bounded": "#ffffff",
            "misclassified": "#ffc4e6",
            "highlight": "#dccfff",
        },
    ),
    "okabe-ito": ColourSet(
        "Okabe and Ito",
        {
            "positive": BLUE,
            "negative": VERMILLION,
            "positive_field": "#b9d1e4",
            "negative_field": "#f4cdb8",
            "classes": (VERMILLION, BLUE, GREEN, PURPLE, "#000000", ORANGE, SKY, YELLOW),
        },
        {
            "positive": SKY,
            "negative": ORANGE,
            "positive_field": "#2f485b",
            "negative_field": "#524430",
            "classes": (ORANGE, SKY, GREEN, PURPLE, YELLOW, "#ffffff", VERMILLION, BLUE),
        },
    ),
}  # fmt: skip


class ColoursKind(Kind):
    """The name of a set of colours, or two custom colours of + and −: `#0a4f91,#8f3600`."""

    name = "colours"
    values_are = "word"

    def check(self, value: Any, parameter: Parameter, where: str) -> str:
        text = str(value).strip().lower()
        if text.replace("_", "-") in COLOUR_SETS:
            return text.replace("_", "-")
        if "#" not in text and not re.search(r"[,;/\s]", text):
            raise BadInput(
                f"{where} must be one of {', '.join(COLOUR_SETS)}, or two colours as in #0a4f91,#8f3600, not "
                f"{value!r}. {nearest(text, list(COLOUR_SETS))}"
            )
        found = [each for each in re.split(r"[,;/\s]+", text) if each]
        if len(found) != 2:
            raise BadInput(f"{where} needs two colours, of + and of −, as in #0a4f91,#8f3600, not {value!r}.")
        plus, minus = (_colour(each, where) for each in found)
        if plus == minus:
            raise BadInput(f"{where} needs two different colours: both are {plus}.")
        return f"{plus},{minus}"

    def values(self, parameter: Parameter) -> str:
        return f"{' | '.join(COLOUR_SETS)} | #rrggbb,#rrggbb"


COLOURS = ColoursKind()


def _colour(text: str, where: str) -> str:
    """Return a colour as #rrggbb, or raise BadInput."""
    digits = text.removeprefix("#")
    if not re.fullmatch(r"[0-9a-f]{3}|[0-9a-f]{6}", digits):
        raise BadInput(f"{where} has colours such as #0a4f91, not {text!r}.")
    return f"#{digits}" if len(digits) == 6 else f"#{''.join(2 * digit for digit in digits)}"


def own_colours(colours: str) -> tuple[str, str] | None:
    """Return the colours of + and − in a checked text; None for the name of a set."""
    plus, _, minus = colours.partition(",")
    return (plus, minus) if minus else None


def check_contrast(theme: Theme, colours: str) -> None:
    """Raise BadInput if one of two custom colours cannot be seen on the paper of the theme."""
    for sign, colour in zip("+−", own_colours(colours) or (), strict=False):
        ratio = contrast(colour, theme.paper)
        if ratio < LEAST_CONTRAST:
            better = "lighter" if is_dark(theme) else "darker"
            raise BadInput(
                f"The colour {colour} of {sign} can hardly be seen on the paper of the {theme.name} theme: "
                f"its contrast is {ratio:.1f}, the minimum is {LEAST_CONTRAST:g}. Choose a {better} one."
            )


def is_dark(theme: Theme) -> bool:
    """Return True for a theme with light ink on dark paper."""
    return luminance(theme.paper) < luminance(theme.ink)


def luminance(colour: str) -> float:
    """Return the relative luminance of #rrggbb, from 0 (black) to 1 (white)."""
    channels = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return WCAG's contrast ratio of two colours, from 1 to 21."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)
