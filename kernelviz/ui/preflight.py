"""Looking before leaping: Qt aborts without a display or a system library, and blames the wrong package.

Every check gives one sentence that says what to do, or None. Nothing here imports Qt except the trial import.
"""

from __future__ import annotations

import ctypes
import importlib
import importlib.util
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path

__all__ = ["display_problem", "has_display", "library_problem", "plugin_problem"]

PACKAGES = {
    "libglib-2.0": "libglib2.0-0",
    "libgthread-2.0": "libglib2.0-0",
    "libGL": "libgl1",
    "libEGL": "libegl1",
    "libfontconfig": "libfontconfig1",
    "libdbus-1": "libdbus-1-3",
    "libxkbcommon-x11": "libxkbcommon-x11-0",
    "libxkbcommon": "libxkbcommon0",
    "libxcb-cursor": "libxcb-cursor0",
    "libxcb-icccm": "libxcb-icccm4",
    "libxcb-keysyms": "libxcb-keysyms1",
    "libxcb-shape": "libxcb-shape0",
    "libxcb-image": "libxcb-image0",
    "libxcb-render-util": "libxcb-render-util0",
    "libxcb-xkb": "libxcb-xkb1",
    "libxcb-randr": "libxcb-randr0",
}
"""Shared library -> the Debian and Ubuntu package that has it."""


def missing_library(error: str) -> str | None:
    """The sentence for a loader's complaint such as 'libEGL.so.1: cannot open shared object file'."""
    found = re.search(r"(lib[\w.+-]*?)\.so[\w.]*: cannot open shared object", error)
    if not found:
        return None
    library = found.group(1)
    package = PACKAGES.get(library)
    remedy = (
        f"On Debian or Ubuntu: sudo apt install {package}"
        if package
        else "Install the package of your system that has it"
    )
    return f"The window needs the system library {library}, which is not installed. {remedy}."


def library_problem() -> str | None:
    """Whether Qt can be imported at all."""
    try:
        importlib.import_module("PySide6.QtWidgets")
    except ImportError as error:
        return missing_library(str(error)) or f"Qt cannot be loaded: {error}. Reinstall kernelviz."
    return None


def has_display(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> bool:
    """Whether there is somewhere to put a window."""
    if not platform.startswith("linux") or environment.get("QT_QPA_PLATFORM"):
        return True
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def plugin_problem(environment: Mapping[str, str] = os.environ) -> str | None:
    """Whether the X11 plugin of Qt finds its libraries (it is what a DISPLAY without Wayland uses)."""
    if not _uses_x11(environment):
        return None
    spec = importlib.util.find_spec("PySide6")
    if spec is None or spec.origin is None:
        return None
    plugin = Path(spec.origin).parent / "Qt" / "plugins" / "platforms" / "libqxcb.so"
    if not plugin.exists():
        return None
    try:
        ctypes.CDLL(str(plugin))
    except OSError as error:
        return missing_library(str(error)) or f"Qt's X11 plugin cannot be loaded: {error}."
    return None


def display_problem(environment: Mapping[str, str] = os.environ) -> str | None:
    """Whether the X server named by DISPLAY answers; Qt would abort if it does not."""
    if not _uses_x11(environment):
        return None
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return None
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    xcb.xcb_connection_has_error.argtypes = [ctypes.c_void_p]
    xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(environment["DISPLAY"].encode(), None)
    failed = bool(xcb.xcb_connection_has_error(connection))
    xcb.xcb_disconnect(connection)
    if not failed:
        return None
    return (
        f"The display {environment['DISPLAY']} does not answer. Start kernelviz from a desktop session, "
        "or unset DISPLAY to get a picture in a file instead."
    )


def _uses_x11(environment: Mapping[str, str]) -> bool:
    if not sys.platform.startswith("linux") or not environment.get("DISPLAY"):
        return False
    chosen = environment.get("QT_QPA_PLATFORM", "")
    return chosen.startswith("xcb") or (not chosen and not environment.get("WAYLAND_DISPLAY"))
