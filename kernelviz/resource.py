"""The folder of icons, fonts and style, in an installation or in a working tree."""

from __future__ import annotations

from pathlib import Path


def resource_path(*parts: str) -> Path:
    """Return the path of a file in `resources/`: inside the package when installed, else next to it."""
    package = Path(__file__).parent
    installed = package / "resources"
    root = installed if installed.is_dir() else package.parent / "resources"
    return root.joinpath(*parts)
