"""Saving never loses the old file."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kernelviz.engine.errors import BadInput
from kernelviz.session.atomic import write_atomically


def test_it_writes_and_replaces(tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    write_atomically(path, b"one")
    write_atomically(path, b"two")
    assert path.read_bytes() == b"two"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("broken", ["fsync", "replace"])
def test_when_the_disk_fails_the_old_file_is_intact_and_nothing_is_left_behind(
    broken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "points.csv"
    path.write_bytes(b"old")

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail) if broken == "fsync" else monkeypatch.setattr(
        Path, "replace", fail
    )
    with pytest.raises(BadInput, match=r"points\.csv cannot be saved: no space left on device"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_directory_that_does_not_exist_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be saved: no such file or directory"):
        write_atomically(tmp_path / "nowhere" / "points.csv", b"")


def test_a_directory_in_the_way_is_told(tmp_path: Path) -> None:
    (tmp_path / "points.csv").mkdir()
    with pytest.raises(BadInput, match="cannot be saved"):
        write_atomically(tmp_path / "points.csv", b"")
    assert [p.name for p in tmp_path.iterdir()] == ["points.csv"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions and links")
def test_permissions_and_links_stay(tmp_path: Path) -> None:
    path, link = tmp_path / "points.csv", tmp_path / "link.csv"
    path.write_bytes(b"old")
    path.chmod(0o640)
    link.symlink_to(path)
    write_atomically(link, b"new")
    assert link.is_symlink()
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")
def test_killed_while_saving_over_and_over_the_file_is_always_whole(tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    path.write_bytes(b"a" * 300_000)
    script = (
        "import sys; from kernelviz.session.atomic import write_atomically\n"
        "print('ready', flush=True)\n"
        "while True:\n"
        "    for letter in (b'a', b'b'): write_atomically(sys.argv[1], letter * 300_000)\n"
    )
    for pause in (0.01, 0.033, 0.07):
        with subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE) as child:
            assert child.stdout is not None
            child.stdout.readline()
            time.sleep(pause)
            child.send_signal(signal.SIGKILL)
        assert path.read_bytes() in (b"a" * 300_000, b"b" * 300_000)
