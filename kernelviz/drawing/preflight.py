"""Looking before leaping: Qt aborts without a display or a system library, and blames the wrong package.

Every check gives one sentence that says what to do, or None. Nothing here imports Qt except the trial import.
`python -m kernelviz.drawing.preflight [--tests]` prints the command that installs what the system lacks, or
nothing; `resources/setup.sh` runs it.
"""

from __future__ import annotations

import ctypes
import importlib
import importlib.util
import os
import socket
import sys
from collections.abc import Mapping
from pathlib import Path

from kernelviz.drawing.libraries import install_command, missing_libraries, missing_programs

__all__ = ["display_problem", "has_display", "library_problem", "plugin_problem"]


def library_problem(part: str = "QtGui") -> str | None:
    """Whether a part of Qt can be imported at all."""
    try:
        importlib.import_module(f"PySide6.{part}")
    except ImportError as error:
        return _sentence(missing_libraries(window=False)) or f"Qt cannot be loaded: {error}."
    return None


def _sentence(missing: list[str]) -> str | None:
    if not missing:
        return None
    what = ", ".join(library.partition(".so")[0] for library in missing)
    command = install_command(missing)
    remedy = f"Install them with: sudo {command}" if command else "Install the packages that have them."
    return f"Drawing needs system libraries that are not installed: {what}. {remedy}"


def has_display(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> bool:
    """Whether there is somewhere to put a window."""
    if not platform.startswith("linux"):
        return True
    variables = {"xcb": "DISPLAY", "wayland": "WAYLAND_DISPLAY"}
    kinds = [name.partition("-")[0] for name in _chosen(environment)] or list(variables)
    return any(kind not in variables or environment.get(variables[kind]) for kind in kinds)


def plugin_problem(environment: Mapping[str, str] = os.environ) -> str | None:
    """Whether Qt has the plugin asked for, and its X11 plugin finds its libraries."""
    spec = importlib.util.find_spec("PySide6")
    if spec is None or spec.origin is None:
        return None
    plugins = Path(spec.origin).parent / "Qt" / "plugins" / "platforms"
    names = _chosen(environment)
    if names and plugins.exists() and not any(_has_plugin(plugins, name) for name in names):
        asked = environment["QT_QPA_PLATFORM"]
        return f"Qt has no platform called {asked!r}. Unset QT_QPA_PLATFORM, or set it to xcb or wayland."
    plugin = plugins / "libqxcb.so"
    if not _uses_x11(environment) or not plugin.exists():
        return None
    try:
        ctypes.CDLL(str(plugin))
    except OSError as error:
        return _sentence(missing_libraries(window=True)) or f"Qt's X11 plugin cannot be loaded: {error}."
    return None


def display_problem(environment: Mapping[str, str] = os.environ) -> str | None:
    """Whether the display answers; Qt would abort if it does not."""
    if _uses_x11(environment):
        name = environment["DISPLAY"]
        return None if _x11_answers(name) else _no_answer("display", name, "DISPLAY")
    if _uses_wayland(environment):
        name = environment["WAYLAND_DISPLAY"]
        return (
            None if _wayland_answers(environment) else _no_answer("Wayland display", name, "WAYLAND_DISPLAY")
        )
    return None


def _no_answer(what: str, name: str, variable: str) -> str:
    return (
        f"The {what} {name} does not answer. Start kernelviz from a desktop session, "
        f"or unset {variable} to get a picture in a file instead."
    )


def _x11_answers(name: str) -> bool:
    """Whether an X server takes a connection; where that cannot be asked, it is believed."""
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    xcb.xcb_connection_has_error.argtypes = [ctypes.c_void_p]
    xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(name.encode(), None)
    failed = bool(xcb.xcb_connection_has_error(connection))
    xcb.xcb_disconnect(connection)
    return not failed


def _wayland_answers(environment: Mapping[str, str]) -> bool:
    """Whether a compositor listens on the socket of WAYLAND_DISPLAY."""
    path = Path(environment.get("XDG_RUNTIME_DIR", "")) / environment["WAYLAND_DISPLAY"]
    if not path.is_absolute():
        return False
    with socket.socket(socket.AF_UNIX) as end:
        try:
            end.connect(str(path))
        except OSError:
            return False
    return True


def _chosen(environment: Mapping[str, str]) -> list[str]:
    """The platforms asked for, without their arguments: "wayland;xcb:size=1x1" -> wayland, xcb."""
    asked = environment.get("QT_QPA_PLATFORM", "")
    return [name for part in asked.split(";") if (name := part.partition(":")[0].strip())]


def _has_plugin(plugins: Path, name: str) -> bool:
    kind = name.partition("-")[0]
    return kind.isalnum() and any(plugins.glob(f"libq{kind}*.so"))


def _uses_wayland(environment: Mapping[str, str]) -> bool:
    if not sys.platform.startswith("linux") or not environment.get("WAYLAND_DISPLAY"):
        return False
    return not (names := _chosen(environment)) or names[0].startswith("wayland")


def _uses_x11(environment: Mapping[str, str]) -> bool:
    """What DISPLAY is for when it is asked for, or when there is no living Wayland to go to first."""
    if not sys.platform.startswith("linux") or not environment.get("DISPLAY"):
        return False
    names = _chosen(environment)
    if names and not names[0].startswith("wayland"):
        return names[0].startswith("xcb")
    may_turn = not names or "xcb" in names
    return may_turn and not (environment.get("WAYLAND_DISPLAY") and _wayland_answers(environment))


def main(argv: list[str]) -> int:
    """Print the command that installs what is missing here, for the tests or for starting now."""
    if not sys.platform.startswith("linux"):
        return 0
    tests = "--tests" in argv
    missing = missing_libraries(window=tests or has_display()) + (missing_programs() if tests else [])
    if missing and (command := install_command(missing)):
        print(command)
    elif missing:
        print(f"Install the packages of your system that have {', '.join(missing)}.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
