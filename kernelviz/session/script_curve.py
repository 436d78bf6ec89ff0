"""The figure of the curve in a script: points and fit by matplotlib."""

from __future__ import annotations

from kernelviz.engine.data import Data
from kernelviz.session.script_recipes import Recipe
from kernelviz.session.script_text import Sheet, short
from kernelviz.session.state import Look

__all__ = ["script_of_curve"]


def script_of_curve(data: Data, look: Look, recipe: Recipe, sheet: Sheet) -> tuple[list[str], list[str]]:
    """(imports, lines)."""
    v, band = look.view, recipe.band if "band" in look.shown else ""
    rings = [
        'ax.scatter(X[support, 0], y[support], s=90, facecolors="none", edgecolors="black",',
        '           label="support vectors")',
    ]
    return ["import matplotlib.pyplot as plt"], [
        'print("mean squared error", np.mean((y - score(X)) ** 2))',
        "",
        f"x = np.linspace({short(v.left)}, {short(v.right)}, 1000)",
        "s = score(x[:, None])",
        *sheet.subplots(data, 4.8),
        *([f'ax.fill_between(x, s - {band}, s + {band}, color="#0a4f91", alpha=0.16)'] if band else []),
        'ax.plot(x, s, color="#0a4f91", label="s(x)")',
        'ax.plot(X[:, 0], y, ".", color="black", label="points")',
        *(rings if recipe.has_support else []),
        f"ax.set(xlabel={data.columns[0]!r}, ylabel={data.target_name or 'y'!r},",
        f"       xlim=({short(v.left)}, {short(v.right)}),",
        f"       ylim=({short(v.bottom)}, {short(v.top)}))",
        'ax.legend(loc="upper right")',
        *sheet.saved(),
    ]
