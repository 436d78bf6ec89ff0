"""Numbers as people read them."""

from __future__ import annotations

import math

__all__ = ["counted", "shown"]


def shown(value: float, digits: int = 4, zero: float = 0.0) -> str:
    """A number for people: few digits, a true minus sign; 0 for what is no larger than `zero`."""
    if abs(value) <= zero:
        return "0"
    if not math.isfinite(value):
        return "–" if math.isnan(value) else ("∞" if value > 0 else "−∞")
    if abs(value) >= 1e5 or 0 < abs(value) < 1e-4:
        mantissa, exponent = f"{value:.{max(0, digits - 2)}e}".split("e")
        if "." in mantissa:
            mantissa = mantissa.rstrip("0").rstrip(".")
        return f"{mantissa}e{int(exponent)}".replace("-", "−")
    text = f"{value:.{digits}g}"
    return ("0" if float(text) == 0 else text).replace("-", "−")


def counted(number: int, noun: str) -> str:
    """ "1 point", "7 points"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
