"""kernelviz: see kernel methods.

>>> import kernelviz
>>> model = kernelviz.fit(X, z, kernel="rbf(gamma=1)", algorithm="soft-margin-svm(C=10)")
>>> model.score(X), model.alpha, model.b, model.summary()
>>> kernelviz.render("figure.pdf", X, z, kernel="rbf(gamma=1)", algorithm="soft-margin-svm(C=10)")
"""

from __future__ import annotations

# As `typing` has it, which takes so long to load that Ctrl+C often met it, with a traceback.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kernelviz.api import algorithm, dataset, fit, kernel, kernel_pca
    from kernelviz.engine.core.data import Data
    from kernelviz.engine.core.errors import BadInput
    from kernelviz.engine.core.objects import objects
    from kernelviz.engine.kernels.strings import Numbered
    from kernelviz.runtime.parallel_selection import select
    from kernelviz.scene.api import render
    from kernelviz.scene.notebook import show

__version__ = "0.1.0"
__all__ = [
    "BadInput",
    "Data",
    "Numbered",
    "__version__",
    "algorithm",
    "dataset",
    "fit",
    "kernel",
    "kernel_pca",
    "objects",
    "render",
    "select",
    "show",
]

# Modules that are imported when a name is first used: Qt must not be needed for a fit.
_WHEN_FIRST_USED = {
    **dict.fromkeys(("algorithm", "dataset", "fit", "kernel", "kernel_pca"), "kernelviz.api"),
    "BadInput": "kernelviz.engine.core.errors",
    "Data": "kernelviz.engine.core.data",
    "Numbered": "kernelviz.engine.kernels.strings",
    "objects": "kernelviz.engine.core.objects",
    "render": "kernelviz.scene.api",
    "select": "kernelviz.runtime.parallel_selection",
    "show": "kernelviz.scene.notebook",
}


def _drawn(thing: Any) -> Any:
    """Return how a notebook displays one of the engine's objects, which knows no pictures itself."""
    from kernelviz.scene.notebook import show

    return show(thing)


def __dir__() -> list[str]:
    return [*__all__, *(name for name in globals() if name.startswith("__") and name not in __all__)]


def __getattr__(name: str) -> Any:
    if name not in _WHEN_FIRST_USED:
        raise AttributeError(f"module 'kernelviz' has no attribute {name!r}")
    from importlib import import_module

    from kernelviz.engine.core.displayed import draw_with

    draw_with(_drawn)
    found = globals()[name] = getattr(import_module(_WHEN_FIRST_USED[name]), name)
    return found
