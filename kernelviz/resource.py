"""Where the icons, the fonts and the style are, installed or in a working tree."""

from __future__ import annotations

from pathlib import Path


def resource_path(*parts: str) -> Path:
    """The path of a file below `resources/`: inside the package when installed, beside it when editable."""
    package = Path(__file__).parent
    installed = package / "resources"
    root = installed if installed.is_dir() else package.parent / "resources"
    return root.joinpath(*parts)
