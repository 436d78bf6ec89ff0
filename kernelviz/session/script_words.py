"""The figure of words in a script: the map by scikit-learn and matplotlib."""

from __future__ import annotations

from kernelviz.engine.data import Data, Task
from kernelviz.session.script_recipes import Recipe
from kernelviz.session.script_text import Sheet
from kernelviz.session.state import Look

__all__ = ["script_of_words"]


def script_of_words(data: Data, look: Look, recipe: Recipe, sheet: Sheet) -> tuple[list[str], list[str]]:
    """(imports, lines), where K and X are known."""
    across, up = look.components
    if data.task is Task.TWO_CLASSES:
        minus, plus = data.class_names
        marks = [
            f'ax.plot(*at[z > 0].T, "+", color="#0a4f91", mew=2, label={plus!r})',
            f'ax.plot(*at[z < 0].T, "_", color="#8f3600", mew=2, label={minus!r})',
        ]
    else:
        marks = [
            "for k, name in enumerate(names):",
            '    ax.plot(*at[y == k].T, "osD^v<>p"[k % 8], mec="white", label=name)',
        ]
    rings = [
        'ax.scatter(*at[support].T, s=90, facecolors="none", edgecolors="black", label="support vectors")'
    ]
    return ["import matplotlib.pyplot as plt", "from sklearn.decomposition import KernelPCA"], [
        f'pca = KernelPCA({max(across, up) + 1}, kernel="precomputed")',
        f"at = pca.fit_transform(K(X, X))[:, [{across}, {up}]]",
        *sheet.subplots(data, 5.4),
        *marks,
        *(rings if recipe.has_support else []),
        "for text, (x, y_) in zip(X, at):",
        '    ax.annotate(text, (x, y_), (5, 0), textcoords="offset points", fontsize=7)',
        f"ax.set(xlabel='component {across + 1}', ylabel='component {up + 1}')",
        'ax.legend(loc="best")',
        *sheet.saved(),
    ]
