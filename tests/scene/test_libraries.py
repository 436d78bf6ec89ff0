"""Which system libraries Qt needs, and how they are got."""

from __future__ import annotations

import ctypes
import re
import shlex
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

import PySide6
import pytest
import shiboken6

from kernelviz.scene import qt_check

OF_EVERY_LINUX = re.compile(r"(ld-linux.*|libc|libm|libdl|libpthread|librt|libstdc\+\+|libgcc_s)\.so")


def needed(path: Path) -> Iterator[str]:
    """The libraries an ELF file of 64 bits asks the loader for."""
    content = path.read_bytes()
    (offset,), (size, count) = (
        struct.unpack_from("<Q", content, 0x28),
        struct.unpack_from("<HH", content, 0x3A),
    )
    sections = [struct.unpack_from("<IIQQQQIIQQ", content, offset + i * size) for i in range(count)]
    for _, kind, _, _, start, length, link, *_ in sections:
        if kind == 6:  # the dynamic section; its entries are pairs of a tag, 1 for a library, and a value
            for tag, value in struct.iter_unpack("<QQ", content[start : start + length]):
                if tag == 1:
                    name = sections[link][4] + value
                    yield content[name : content.index(b"\0", name)].decode()


def needed_in_all(start: list[Path]) -> set[str]:
    """What these files and all of Qt's own that they load need from the system."""
    own = {p.name: p for package in (PySide6, shiboken6) for p in Path(package.__path__[0]).rglob("*.so*")}
    found, todo = set(), list(start)
    while todo:
        new = set(needed(todo.pop())) - found
        found |= new
        todo += [own[name] for name in new if name in own]
    return {name for name in found if name not in own and not OF_EVERY_LINUX.match(name)}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems come with all Qt needs")
def test_the_libraries_are_those_this_qt_asks_for():
    qt = Path(PySide6.__path__[0])
    modules = [
        p for name in ("QtCore", "QtGui", "QtWidgets", "QtSvg", "QtTest") for p in qt.glob(f"{name}.*so")
    ]
    assert len(modules) == 5
    offscreen, window = (
        qt / "Qt" / "plugins" / "platforms" / f"libq{kind}.so" for kind in ("offscreen", "xcb")
    )
    assert needed_in_all([*modules, offscreen]) == set(qt_check.DRAWING)
    assert needed_in_all([window]) == set(qt_check.DRAWING) | set(qt_check.WINDOW)


@pytest.fixture
def bare(monkeypatch):
    """A machine on which no library loads and no program is found."""

    def absent(name, *_, **__):
        raise OSError(f"{name}: cannot open shared object file: No such file or directory")

    monkeypatch.setattr(ctypes, "CDLL", absent)
    monkeypatch.setattr(qt_check.shutil, "which", lambda _: None)


def test_on_a_bare_machine_everything_is_missing_at_once(bare):
    assert qt_check.missing_libraries(window=False) == list(qt_check.DRAWING)
    assert set(qt_check.missing_libraries(window=True)) == set(qt_check.DRAWING) | set(qt_check.WINDOW)
    assert qt_check.missing_programs() == ["xvfb-run", "pdftoppm"]


@pytest.mark.parametrize(
    ("manager", "expected"),
    [
        ("apt-get", "apt-get install -y --no-install-recommends libgl1 libxcb-cursor0 xvfb xauth"),
        ("dnf", "dnf install -y 'libGL.so.1()(64bit)' 'libxcb-cursor.so.0()(64bit)' xorg-x11-server-Xvfb"),
        ("pacman", "pacman -S --needed --noconfirm libglvnd xcb-util-cursor xorg-server-xvfb"),
        (
            "zypper",
            "zypper --non-interactive install 'libGL.so.1()(64bit)' 'libxcb-cursor.so.0()(64bit)' "
            "xorg-x11-server-Xvfb xauth",
        ),
    ],
)
def test_the_command_is_that_of_the_systems_own_package_manager(manager, expected):
    missing = ["libGL.so.1", "libxcb-cursor.so.0", "xvfb-run"]
    assert qt_check.install_command(missing, lambda name: name == manager) == expected


def test_a_package_of_two_libraries_is_named_once():
    command = qt_check.install_command(["libGL.so.1", "libEGL.so.1"], lambda name: name == "pacman")
    assert shlex.split(command).count("libglvnd") == 1


def test_without_a_known_package_manager_there_is_no_command():
    assert qt_check.install_command(["libGL.so.1"], lambda _: None) is None


def test_a_qt_that_cannot_be_imported_is_told_with_all_that_is_missing(bare, monkeypatch):
    def fail(name):
        raise ImportError("libEGL.so.1: cannot open shared object file: No such file or directory")

    monkeypatch.setattr(qt_check.importlib, "import_module", fail)
    said = qt_check.library_problem()
    assert said.startswith("Drawing needs system libraries that are not installed: libglib-2.0, ")
    assert "libEGL" in said
    assert "libxkbcommon" in said
    monkeypatch.setattr(qt_check, "missing_libraries", lambda window: [])
    assert "Qt cannot be loaded: libEGL.so.1" in qt_check.library_problem()


def test_what_is_missing_is_printed_for_the_set_up(bare, monkeypatch, capsys):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(qt_check, "install_command", lambda missing: None)
    assert qt_check.main(["--tests"]) == 1
    assert "libGL.so.1" in capsys.readouterr().err
    monkeypatch.setattr(qt_check, "install_command", lambda missing: f"get {' '.join(missing)}")
    assert qt_check.main(["--tests"]) == 0
    assert capsys.readouterr().out.split() == [
        "get",
        *qt_check.DRAWING,
        *qt_check.WINDOW,
        *qt_check.PROGRAMS,
    ]
    monkeypatch.setattr(qt_check, "has_display", lambda: False)
    assert qt_check.main([]) == 0
    assert capsys.readouterr().out.split() == ["get", *qt_check.DRAWING]
    monkeypatch.setattr(qt_check, "missing_libraries", lambda window: [])
    assert qt_check.main([]) == 0
    assert capsys.readouterr().out == ""
