"""The system libraries Qt needs on Linux: which are missing, and the command that installs them all.

The loader is asked, not a list of packages: what loads is there, wherever it came from.
"""

from __future__ import annotations

import ctypes
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable

__all__ = ["DRAWING", "WINDOW", "install_command", "missing_libraries", "missing_programs"]

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
"""Library -> its package of Debian and of Arch. Without these Qt cannot be imported."""

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
"""The same for a window on an X display."""

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
"""Programs the tests run -> their packages for each package manager."""

INSTALL = {
    "apt-get": "apt-get install -y --no-install-recommends",
    "dnf": "dnf install -y",
    "pacman": "pacman -S --needed --noconfirm",
    "zypper": "zypper --non-interactive install",
}


def missing_libraries(window: bool) -> list[str]:
    """Those of the libraries that the loader does not find; for a window, its own too."""
    wanted = [*DRAWING, *WINDOW] if window else list(DRAWING)
    return [library for library in wanted if not _loads(library)]


def missing_programs() -> list[str]:
    """Those of the tests' programs that are not on the path."""
    return [program for program in PROGRAMS if shutil.which(program) is None]


def install_command(missing: Iterable[str], has: Callable[[str], object] = shutil.which) -> str | None:
    """The command, for the administrator, that installs libraries and programs; None: no known manager."""
    manager = next((name for name in INSTALL if has(name)), None)
    if manager is None:
        return None
    packages = dict.fromkeys(package for name in missing for package in _packages(name, manager))
    return f"{INSTALL[manager]} {' '.join(map(shlex.quote, packages))}"


def _packages(name: str, manager: str) -> list[str]:
    if name in PROGRAMS:
        return PROGRAMS[name][manager].split()
    debian, arch = (DRAWING | WINDOW)[name]
    # Packages of the rpm family say which libraries they provide, whatever they are called themselves.
    provided = f"{name}()(64bit)" if sys.maxsize > 2**32 else name
    return [{"apt-get": debian, "pacman": arch}.get(manager, provided)]


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True
