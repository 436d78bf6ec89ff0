"""Checks for what Qt needs before Qt is started: libraries, the platform plugin, a display.

Qt aborts the program where one of them is missing; these functions return a sentence that says what to do.
Run as a program, the module prints the command that installs what is missing. It imports nothing of Qt's."""

from __future__ import annotations

import ctypes
import importlib
import importlib.util
import os
import shlex
import shutil
import socket
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from kernelviz.engine.core.errors import BadInput

# Library -> its package of Debian and of Arch. Without these Qt cannot be imported.
DRAWING = {
    "libglib-2.0.so.0": ("libglib2.0-0", "glib2"),
    "libgthread-2.0.so.0": ("libglib2.0-0", "glib2"),
    "libGL.so.1": ("libgl1", "libglvnd"),
    "libEGL.so.1": ("libegl1", "libglvnd"),
    "libX11.so.6": ("libx11-6", "libx11"),
    "libfontconfig.so.1": ("libfontconfig1", "fontconfig"),
    "libfreetype.so.6": ("libfreetype6", "freetype2"),
    "libdbus-1.so.3": ("libdbus-1-3", "dbus"),
    "libxkbcommon.so.0": ("libxkbcommon0", "libxkbcommon"),
    "libz.so.1": ("zlib1g", "zlib"),
    "libzstd.so.1": ("libzstd1", "zstd"),
}

# The same for a window on an X display.
WINDOW = {
    "libX11-xcb.so.1": ("libx11-xcb1", "libx11"),
    "libxcb.so.1": ("libxcb1", "libxcb"),
    "libxcb-cursor.so.0": ("libxcb-cursor0", "xcb-util-cursor"),
    "libxcb-icccm.so.4": ("libxcb-icccm4", "xcb-util-wm"),
    "libxcb-image.so.0": ("libxcb-image0", "xcb-util-image"),
    "libxcb-keysyms.so.1": ("libxcb-keysyms1", "xcb-util-keysyms"),
    "libxcb-randr.so.0": ("libxcb-randr0", "libxcb"),
    "libxcb-render.so.0": ("libxcb-render0", "libxcb"),
    "libxcb-render-util.so.0": ("libxcb-render-util0", "xcb-util-renderutil"),
    "libxcb-shape.so.0": ("libxcb-shape0", "libxcb"),
    "libxcb-shm.so.0": ("libxcb-shm0", "libxcb"),
    "libxcb-sync.so.1": ("libxcb-sync1", "libxcb"),
    "libxcb-util.so.1": ("libxcb-util1", "xcb-util"),
    "libxcb-xfixes.so.0": ("libxcb-xfixes0", "libxcb"),
    "libxcb-xkb.so.1": ("libxcb-xkb1", "libxcb"),
    "libxkbcommon-x11.so.0": ("libxkbcommon-x11-0", "libxkbcommon-x11"),
}

# Programs the tests run -> their packages for each package manager.
PROGRAMS = {
    "xvfb-run": {
        "apt-get": "xvfb xauth",
        "dnf": "xorg-x11-server-Xvfb",
        "pacman": "xorg-server-xvfb",
        "zypper": "xorg-x11-server-Xvfb xauth",
    },
    "pdftoppm": {
        "apt-get": "poppler-utils",
        "dnf": "poppler-utils",
        "pacman": "poppler",
        "zypper": "poppler-tools",
    },
}

INSTALL = {
    "apt-get": "apt-get install -y --no-install-recommends",
    "dnf": "dnf install -y",
    "pacman": "pacman -S --needed --noconfirm",
    "zypper": "zypper --non-interactive install",
}


def missing_libraries(window: bool) -> list[str]:
    """Return the libraries that the loader does not find, among those for drawing and for a window."""
    missing = []
    for library in (*DRAWING, *(WINDOW if window else ())):
        try:
            ctypes.CDLL(library)
        except OSError:
            missing.append(library)
    return missing


def missing_programs() -> list[str]:
    """Return the programs of the tests that are not on the path."""
    return [program for program in PROGRAMS if shutil.which(program) is None]


def install_command(missing: Iterable[str], has: Callable[[str], object] = shutil.which) -> str | None:
    """Return the command with which an administrator installs libraries and programs; None if the system has
    no package manager that is known here."""
    manager = next((name for name in INSTALL if has(name)), None)
    if manager is None:
        return None
    packages = dict.fromkeys(package for name in missing for package in _packages(name, manager))
    return f"{INSTALL[manager]} {' '.join(map(shlex.quote, packages))}"


def _packages(name: str, manager: str) -> list[str]:
    """Return the packages of a package manager that have a library or a program."""
    if name in PROGRAMS:
        return PROGRAMS[name][manager].split()
    debian, arch = (DRAWING | WINDOW)[name]
    # Packages of the rpm family say which libraries they provide, whatever they are called themselves.
    provided = f"{name}()(64bit)" if sys.maxsize > 2**32 else name
    return [{"apt-get": debian, "pacman": arch}.get(manager, provided)]


def require_qt() -> None:
    """Raise BadInput unless figures can be drawn, with a sentence about the libraries that are missing."""
    if problem := library_problem():
        raise BadInput(problem)


def library_problem(part: str = "QtGui") -> str | None:
    """Return a sentence on why a part of Qt cannot be imported; None if it can."""
    try:
        importlib.import_module(f"PySide6.{part}")
    except ImportError as error:
        return _sentence(missing_libraries(window=False)) or f"Qt cannot be loaded: {error}."
    return None


def _sentence(missing: list[str]) -> str | None:
    """Return a sentence that names what is missing and how to install it, or None."""
    if not missing:
        return None
    what = ", ".join(library.partition(".so")[0] for library in missing)
    command = install_command(missing)
    remedy = f"Install them with: sudo {command}" if command else "Install the packages that have them."
    return f"Drawing needs system libraries that are not installed: {what}. {remedy}"


def has_display(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> bool:
    """Return True if the environment names a display for a window."""
    if not platform.startswith("linux"):
        return True
    variables = {"xcb": "DISPLAY", "wayland": "WAYLAND_DISPLAY"}
    kinds = [name.partition("-")[0] for name in _chosen(environment)] or list(variables)
    return any(kind not in variables or environment.get(variables[kind]) for kind in kinds)


def plugin_problem(environment: Mapping[str, str] = os.environ) -> str | None:
    """Return a sentence if Qt lacks the requested platform plugin, or if its X11 plugin does not find its
    libraries; else None."""
    spec = importlib.util.find_spec("PySide6")
    if spec is None or spec.origin is None:
        return None
    plugins = Path(spec.origin).parent / "Qt" / "plugins" / "platforms"
    kinds = [name.partition("-")[0] for name in _chosen(environment)]
    known = [kind for kind in kinds if kind.isalnum() and any(plugins.glob(f"libq{kind}*.so"))]
    if kinds and plugins.exists() and not known:
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
    """Return a sentence if the display does not answer, because Qt would abort then; None if it does."""
    if _uses_x11(environment):
        name = environment["DISPLAY"]
        return None if _x11_answers(name) else _no_answer("display", name, "DISPLAY")
    wayland = not (names := _chosen(environment)) or names[0].startswith("wayland")
    name = environment.get("WAYLAND_DISPLAY", "")
    if not (sys.platform.startswith("linux") and name and wayland) or _wayland_answers(environment):
        return None
    return _no_answer("Wayland display", name, "WAYLAND_DISPLAY")


def _no_answer(what: str, name: str, variable: str) -> str:
    """Return a sentence on a display that does not answer."""
    return (
        f"The {what} {name} does not answer. Start kernelviz from a desktop session, "
        f"or unset {variable} to get a picture in a file instead."
    )


def _x11_answers(name: str) -> bool:
    """Return True if an X server takes a connection, or if there is no library to find out."""
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
    """Return True if a compositor listens on the socket of WAYLAND_DISPLAY."""
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
    """Return the requested platforms, without their arguments: wayland, xcb for "wayland;xcb:size=1x1"."""
    asked = environment.get("QT_QPA_PLATFORM", "")
    return [name for part in asked.split(";") if (name := part.partition(":")[0].strip())]


def _uses_x11(environment: Mapping[str, str]) -> bool:
    """Return True if Qt will use DISPLAY: if X11 is requested, or if no Wayland compositor comes first."""
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
