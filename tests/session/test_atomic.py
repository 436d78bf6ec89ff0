"""Saving never loses the old file."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from kernelviz.engine.core.errors import BadInput, NotWritten
from kernelviz.session.files.atomic import temporary_name, write_atomically


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
    folder = Path(os.path.realpath(tmp_path)) / "nowhere"
    with pytest.raises(BadInput) as refused:
        write_atomically(folder / "points.csv", b"")
    assert str(refused.value) == f"points.csv cannot be saved: there is no folder {folder}."


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


@pytest.mark.skipif(os.name == "nt", reason="Windows has no owners of this kind")
def test_the_owner_stays_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "points.csv"
    path.write_bytes(b"old")
    path.chmod(0o664)
    given: list[tuple[int, int]] = []
    theirs = path.stat().st_uid + 1, path.stat().st_gid + 1
    monkeypatch.setattr(Path, "stat", owned_by(theirs, path))
    monkeypatch.setattr(os, "chown", lambda _, *who: given.append(who))
    write_atomically(path, b"new")
    assert given == [theirs]
    assert path.read_bytes() == b"new"


def owned_by(owner: tuple[int, int], path: Path) -> Callable[..., os.stat_result]:
    """`Path.stat` as it is when that path belongs to somebody else."""
    real = Path.stat

    def told(asked: Path, **how: bool) -> os.stat_result:
        found = real(asked, **how)
        return os.stat_result((*found[:4], *owner, *found[6:])) if asked == path else found

    return told


@pytest.mark.parametrize("own", [True, False])
def test_when_the_owner_cannot_be_kept_the_file_is_not_replaced(
    own: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "points.csv"
    path.write_bytes(b"old")
    path.chmod(0o664)
    uid, gid = path.stat().st_uid + (not own), path.stat().st_gid + 1

    def forbidden(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "stat", owned_by((uid, gid), path))
        patched.setattr(os, "chown", forbidden, raising=False)
        if own:  # only the group is another's: it loses its rights, and nobody gains any
            write_atomically(path, b"new")
        else:
            with pytest.raises(BadInput, match=r"points\.csv cannot be saved: it belongs to another user"):
                write_atomically(path, b"new")
    assert path.read_bytes() == (b"new" if own else b"old")
    assert os.name == "nt" or path.stat().st_mode & 0o777 == (0o604 if own else 0o664)
    assert list(tmp_path.iterdir()) == [path]


def test_a_read_only_file_is_not_replaced_not_even_by_the_superuser(tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    path.write_bytes(b"old")
    path.chmod(0o444)
    with pytest.raises(BadInput, match=r"points\.csv cannot be saved: it is read-only"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
    path.chmod(0o644)  # Windows deletes no read-only file


def test_a_file_with_two_names_keeps_both(tmp_path: Path) -> None:
    path, other = tmp_path / "points.csv", tmp_path / "other.csv"
    path.write_bytes(b"old")
    os.link(path, other)
    with pytest.raises(BadInput, match="another hard link"):
        write_atomically(path, b"new")
    assert path.samefile(other)
    assert other.read_bytes() == b"old"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no such files")
def test_pipes_devices_and_links_in_circles_stay_what_they_are(tmp_path: Path) -> None:
    pipe, here, there = (tmp_path / name for name in ("pipe", "here", "there"))
    os.mkfifo(pipe)
    here.symlink_to(there)
    there.symlink_to(here)
    with pytest.raises(BadInput, match="pipe cannot be saved: it is a device or a pipe"):
        write_atomically(pipe, b"new")
    with pytest.raises(BadInput, match="null cannot be saved: it is a device or a pipe"):
        write_atomically("/dev/null", b"new")
    with pytest.raises(BadInput, match="here cannot be saved: too many levels of symbolic links"):
        write_atomically(here, b"new")
    assert pipe.is_fifo()
    assert (os.readlink(here), os.readlink(there)) == (str(there), str(here))
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.parametrize("name", ["ä" * 122 + ".", "数" * 81 + "..", "😀" * 61 + ".", "x" * 245])
def test_the_longest_names_of_any_alphabet_can_be_saved(name: str, tmp_path: Path) -> None:
    assert len(name.encode()) == 245
    write_atomically(tmp_path / f"{name}.kviz", b"new")
    assert [path.name for path in tmp_path.iterdir()] == [f"{name}.kviz"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_name_that_is_no_text_can_be_saved(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/p\xff\xfe.csv"))
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"


@pytest.mark.parametrize("name", ["a\0b.csv", "a\ud800b.csv"])
def test_a_name_no_file_can_have_is_told(name: str, tmp_path: Path) -> None:
    with pytest.raises(NotWritten) as told:
        write_atomically(tmp_path / name, b"")
    assert str(told.value) == "a\N{REPLACEMENT CHARACTER}b.csv cannot be saved: no file can have this name."
    assert list(tmp_path.iterdir()) == []


def test_what_was_killed_long_ago_is_cleared_away_by_the_next_write_beside_it(tmp_path: Path) -> None:
    old, ours, yesterday = "0123456789ab.kernelviz", tmp_path / "points.csv", time.time() - 25 * 3600
    gone = [tmp_path / f".film.png.{old}.part", tmp_path / f".lines\nof text.kviz.{old}.part"]
    gone[0].mkdir()
    (gone[0] / "film-0001.png").touch()
    gone[1].touch()
    others = (f"points.{old}.part", ".points.csv.part", f".x.{old}.partial", ".film.iso.0123456789ab.part")
    stay = [tmp_path / name for name in others]
    recent = tmp_path / f".points.csv.{old}.part"
    for path in (*stay, recent):
        path.touch()
    for path in (*gone, *stay):
        os.utime(path, (yesterday, yesterday))
    write_atomically(ours, b"new")
    assert set(tmp_path.iterdir()) == {ours, recent, *stay}


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can give files away")
def test_what_another_user_was_writing_stays(tmp_path: Path) -> None:
    theirs = tmp_path / ".points.csv.0123456789ab.kernelviz.part"
    theirs.touch()
    os.chown(theirs, 12345, 12345)
    os.utime(theirs, (0, 0))
    write_atomically(tmp_path / "points.csv", b"new")
    assert theirs.exists()


def test_what_is_written_beside_is_named_so_that_it_is_cleared_away(tmp_path: Path) -> None:
    left = temporary_name(tmp_path / "points.csv")
    left.touch()
    os.utime(left, (0, 0))
    write_atomically(tmp_path / "points.csv", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["points.csv"]


@pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")
def test_killed_while_saving_over_and_over_the_file_is_always_whole(tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    path.write_bytes(b"a" * 300_000)
    script = (
        "import sys; from kernelviz.session.files.atomic import temporary_name, write_atomically\n"
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
