"""Autosave and recovery, also after kill -9."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.generators import finished
from kernelviz.engine.fits.parsing import dataset, kernel
from kernelviz.session.files import autosave as module
from kernelviz.session.files import crashed_sessions as crashed
from kernelviz.session.files import kviz
from kernelviz.session.files.autosave import Recovery, watch
from kernelviz.session.files.crashed_sessions import (
    CrashedSession,
    FileLock,
    crashed_sessions,
    examining,
    recovery_directory,
)
from kernelviz.session.session import Session
from kernelviz.session.state import State, start_up
from kernelviz.session.workspaces.plane import PlaneWorkspace
from tests.patience import PATIENCE, wait_until


def state_of(n: int) -> State:
    return State(start_up().document.replace(data=dataset(f"rings(n={n}, seed=1)")))


@pytest.fixture
def recovery(tmp_path):
    made = Recovery(tmp_path / "state", interval=0.05)
    yield made
    made.close()
    assert "kernelviz-autosave" not in [t.name for t in threading.enumerate()]


def abandoned(directory: Path, n: int = 14, opened: Path | None = None) -> CrashedSession:
    """Leave a session as a process that was killed leaves it."""
    lost = Recovery(directory, interval=0.0)
    lost.keep(state_of(n), opened, {"layout": "AB"})
    wait_until(lost.path.exists)
    content = lost.path.read_bytes()
    lost.close()
    lost.path.write_bytes(content)
    lost.path.with_suffix(".lock").touch()
    return next(session for session in crashed_sessions(directory) if session.path == lost.path)


def test_a_kept_session_is_written_soon_and_can_be_read(recovery):
    recovery.keep(state_of(10), Path("/tmp/mine.kviz"), {"layout": "AB"}, "abc")
    wait_until(recovery.path.exists)
    state, extra = kviz.load(recovery.path)
    assert state.document.data.n == 10
    assert extra["layout"] == "AB"
    assert extra["recovery"] == {"path": "/tmp/mine.kviz", "seen": "abc"}


def test_the_latest_state_is_the_one_that_is_kept(recovery):
    for n in range(4, 40, 2):
        recovery.keep(state_of(n))
    wait_until(lambda: recovery.path.exists() and kviz.load(recovery.path)[0].document.data.n == 38)


def test_bursts_of_changes_are_not_all_written(tmp_path, monkeypatch):
    written = []
    monkeypatch.setattr(
        "kernelviz.session.files.autosave.write_atomically",
        lambda path, content: written.append(time.monotonic()),
    )
    interval = 0.1
    recovery = Recovery(tmp_path, interval=interval)
    state = state_of(4)
    while len(written) < 4:
        recovery.keep(state)
        time.sleep(0.001)
    recovery.close()
    # Between any two there was the interval, though the first may have been noted late.
    assert written[3] - written[0] > 2 * interval


def test_keeping_costs_the_window_next_to_nothing(tmp_path, monkeypatch):
    # However slow the disk is: this one waits for us.
    writing, go_on, in_time = threading.Event(), threading.Event(), []

    def write(*_):
        writing.set()
        in_time.append(go_on.wait(PATIENCE))

    monkeypatch.setattr("kernelviz.session.files.autosave.write_atomically", write)
    recovery = Recovery(tmp_path, interval=0.0)
    state = state_of(4)
    recovery.keep(state)
    assert writing.wait(PATIENCE)
    for _ in range(100):
        recovery.keep(state)
    go_on.set()
    recovery.close()
    assert all(in_time)


def test_closing_leaves_nothing_behind(tmp_path):
    recovery = Recovery(tmp_path, interval=0.0)
    recovery.keep(state_of(10))
    wait_until(recovery.path.exists)
    recovery.close()
    assert list(tmp_path.iterdir()) == []


def test_closing_in_a_hurry_leaves_the_very_latest_state_to_be_offered(tmp_path):
    hurried = Recovery(tmp_path, interval=1000.0)
    for n in (10, 12, 14):
        hurried.keep(state_of(n))
    hurried.close(keep=True)
    (left,) = crashed_sessions(tmp_path)
    assert kviz.load(left.path)[0].document.data.n == 14


def test_a_session_that_was_never_changed_leaves_no_trace_at_all(tmp_path):
    Recovery(tmp_path / "state").close()
    assert not (tmp_path / "state").exists()


def test_a_living_window_is_no_orphan(recovery):
    recovery.keep(state_of(10))
    wait_until(recovery.path.exists)
    assert crashed_sessions(recovery.path.parent) == []


def test_two_windows_have_files_of_their_own(tmp_path):
    windows = [Recovery(tmp_path, interval=0.0) for _ in range(2)]
    for n, window in zip((10, 20), windows, strict=True):
        window.keep(state_of(n))
    for window in windows:
        wait_until(window.path.exists)
    assert [kviz.load(window.path)[0].document.data.n for window in windows] == [10, 20]
    windows[0].close()
    assert windows[1].path.exists()
    windows[1].close()
    assert list(tmp_path.iterdir()) == []


def test_what_was_abandoned_is_offered_newest_first(recovery):
    where = recovery.path.parent
    old, new = (abandoned(where, n).path for n in (10, 20))
    os.utime(old, (1000, 1000))
    assert [orphan.path for orphan in crashed_sessions(where)] == [new, old]


def test_an_adopted_session_is_kept_by_its_new_window(recovery):
    where = recovery.path.parent
    orphan = abandoned(where, 14, Path("/home/me/lecture.kviz"))
    state, extra, opened, _ = recovery.adopt(orphan)
    assert (state.document.data.n, extra, opened) == (14, {"layout": "AB"}, Path("/home/me/lecture.kviz"))
    assert not orphan.path.exists()
    assert crashed_sessions(where) == []
    assert kviz.load(recovery.path)[0].document.data.n == 14


def test_a_session_can_be_adopted_once_only(recovery, tmp_path):
    where = recovery.path.parent
    orphan = abandoned(where)
    recovery.adopt(orphan)
    other = Recovery(where)
    with pytest.raises(BadInput, match="another window"):
        other.adopt(orphan)
    other.close()


def test_a_damaged_orphan_is_told_and_stays_until_it_is_discarded(recovery):
    where = recovery.path.parent
    orphan = abandoned(where)
    orphan.path.write_text("{")
    with pytest.raises(BadInput, match="cut off"):
        recovery.adopt(orphan)
    assert [left.path for left in crashed_sessions(where)] == [orphan.path]
    orphan.discard()
    assert crashed_sessions(where) == []
    assert not orphan.path.exists()


def test_a_discarded_orphan_of_a_living_window_stays(recovery):
    recovery.keep(state_of(10))
    wait_until(recovery.path.exists)
    CrashedSession(recovery.path, 0.0).discard()
    assert recovery.path.exists()


def test_leftover_locks_and_half_written_files_are_swept_away(tmp_path):
    (tmp_path / "1-2-3.lock").touch()
    (tmp_path / ".1-2-3.kviz.abcdef.part").write_text("half")
    assert crashed_sessions(tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_no_directory_means_no_orphans(tmp_path):
    assert crashed_sessions(tmp_path / "nowhere") == []


def test_what_was_forgotten_while_it_was_written_is_not_left_behind(tmp_path, monkeypatch):
    entered, go_on = threading.Event(), threading.Event()
    write = module.write_atomically

    def slow(path, content):
        entered.set()
        assert go_on.wait(PATIENCE)
        write(path, content)

    monkeypatch.setattr(module, "write_atomically", slow)
    recovery = Recovery(tmp_path, interval=0.0)
    recovery.keep(state_of(4))
    assert entered.wait(PATIENCE)
    recovery.forget()
    go_on.set()
    recovery.close()
    assert list(tmp_path.iterdir()) == []


def test_every_orphan_is_looked_into_and_a_damaged_one_hides_no_other(recovery):
    where = recovery.path.parent
    for n in (10, 20, 30):
        abandoned(where, n, Path("/home/me/lecture.kviz"))
    newest = crashed_sessions(where)[0]
    newest.path.write_text("{")
    os.utime(newest.path, (4e9, 4e9))
    found = finished(examining(crashed_sessions(where)))
    assert [told.crashed.size == told.crashed.path.stat().st_size for told in found] == [True] * 3
    assert found[0].problem == "cannot be opened: it is cut off in the middle."
    assert [told.problem for told in found[1:]] == ["", ""]
    assert {told.points for told in found[1:]} < {10, 20, 30}
    assert {told.opened for told in found[1:]} == {Path("/home/me/lecture.kviz")}
    assert len(crashed_sessions(where)) == 3


def test_an_orphan_that_has_lost_its_lock_is_found(recovery):
    where = recovery.path.parent
    orphan = abandoned(where)
    orphan.lock_path.unlink()
    assert [left.path for left in crashed_sessions(where)] == [orphan.path]


def full(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_full_disk_is_told_once_and_again_when_it_works(tmp_path, monkeypatch):
    told = []
    recovery = Recovery(tmp_path, interval=0.01, tell=told.append)
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        recovery.keep(state_of(4))
        wait_until(lambda: told)
        recovery.keep(state_of(6))
    # Nothing more is changed: it is tried again by itself.
    wait_until(lambda: len(told) == 2)
    assert told == ["no space left on device", ""]
    assert kviz.load(recovery.path)[0].document.data.n == 6
    recovery.close()


def test_a_full_disk_is_no_matter_any_more_once_the_session_is_saved(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "fsync", full)
    told = []
    recovery = Recovery(tmp_path, interval=0.0, tell=told.append)
    recovery.keep(state_of(4))
    wait_until(lambda: told)
    recovery.forget()
    recovery.close()
    assert told == ["no space left on device", ""]
    assert list(tmp_path.iterdir()) == []


def test_an_orphan_can_be_recovered_on_a_full_disk_and_stays_there(recovery, monkeypatch):
    where = recovery.path.parent
    orphan = abandoned(where, 14)
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        assert recovery.adopt(orphan).state.document.data.n == 14
    assert recovery.problem == "no space left on device"
    assert [left.path for left in crashed_sessions(where)] == [orphan.path]


def test_a_folder_that_was_tidied_away_is_made_again(recovery):
    recovery.keep(state_of(4))
    wait_until(recovery.path.exists)
    shutil.rmtree(recovery.path.parent)
    recovery.keep(state_of(6))
    wait_until(recovery.path.exists)
    assert crashed_sessions(recovery.path.parent) == []


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_session_of_a_file_whose_name_is_no_text_is_kept_and_finds_its_file_again(recovery):
    opened = Path(os.fsdecode(b"/tmp/l\xff\xe4.kviz"))
    where = recovery.path.parent
    abandoned(where, 14, opened)
    (told,) = finished(examining(crashed_sessions(where)))
    assert told.opened == opened
    assert recovery.adopt(told.crashed).opened == opened


def test_a_file_opened_by_a_relative_name_is_found_from_everywhere(recovery, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    where = recovery.path.parent
    abandoned(where, 14, Path("lecture.kviz"))
    monkeypatch.chdir("/")
    assert recovery.adopt(crashed_sessions(where)[0]).opened == tmp_path / "lecture.kviz"


def test_a_disk_that_cannot_be_written_is_remembered_and_does_no_harm(tmp_path):
    (tmp_path / "file").touch()
    recovery = Recovery(tmp_path / "file" / "state", interval=0.0)
    recovery.keep(state_of(4))
    wait_until(lambda: recovery.problem)
    recovery.close()


# The session ------------------------------------------------------------------------------------------
def test_one_state_that_cannot_be_written_does_not_end_the_watch(recovery):
    recovery.keep(State(start_up().document.replace(source=None)))
    wait_until(lambda: recovery.problem)
    recovery.keep(state_of(10))
    wait_until(lambda: recovery.path.exists() and not recovery.problem)


def test_a_session_is_kept_while_it_is_unsaved_and_forgotten_when_it_is_saved(recovery):
    session = Session(start_up())
    watch(recovery, session, lambda: (None, {}, ""))
    session.toggle("field")
    session.change("change kernel", kernel=kernel("linear"))
    wait_until(recovery.path.exists)
    assert str(kviz.load(recovery.path)[0].document.kernel) == "linear"
    session.mark_saved()
    assert not recovery.path.exists()


def test_undoing_everything_leaves_nothing_to_recover(recovery):
    session = Session(start_up())
    watch(recovery, session, lambda: (None, {}, ""))
    session.change("clear", data=PlaneWorkspace().empty())
    wait_until(recovery.path.exists)
    session.undo()
    assert not recovery.path.exists()


# kill -9 ----------------------------------------------------------------------------------------------
EDITING = """
import sys, time
from pathlib import Path
import numpy as np
from kernelviz.session.workspaces.plane import PlaneWorkspace
from kernelviz.session.files.autosave import Recovery, watch
from kernelviz.session.session import Session
from kernelviz.session.state import start_up
session = Session(start_up())
recovery = Recovery(Path(sys.argv[1]), interval=0.2)
watch(recovery, session, lambda: (Path("/home/me/lecture.kviz"), {"layout": "AB"}, ""))
while True:
    data = session.document.data
    session.change("add point", data=PlaneWorkspace().added(data, np.random.rand(1, 2), 1))
    print(session.document.data.n, flush=True)
    time.sleep(0.01)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 on this system")
def test_after_kill_9_the_session_is_there_as_it_was_a_moment_before(recovery):
    where = recovery.path.parent
    child = subprocess.Popen([sys.executable, "-c", EDITING, str(where)], stdout=subprocess.PIPE, text=True)
    edited = [int(child.stdout.readline()) for _ in range(80)][-1]
    assert crashed_sessions(where) == []
    wait_until(lambda: any(kviz.load(path)[0].document.data.n >= edited for path in where.glob("*.kviz")))
    child.kill()
    child.wait()
    child.stdout.close()
    (orphan,) = crashed_sessions(where)
    state, extra, opened, _ = recovery.adopt(orphan)
    assert state.document.data.n >= edited
    assert (extra, opened) == ({"layout": "AB"}, Path("/home/me/lecture.kviz"))
    assert [path.suffix for path in where.iterdir() if path.stem != recovery.path.stem] == []


# Places and locks -------------------------------------------------------------------------------------
def test_a_lock_is_held_by_one_and_free_again_afterwards(tmp_path):
    path = tmp_path / "a.lock"
    first = FileLock.take(path)
    assert first is not None
    assert FileLock.take(path) is None
    first.release()
    assert not path.exists()
    again = FileLock.take(path)
    assert again is not None
    again.release()


def test_a_lock_whose_file_is_removed_before_it_is_locked_is_taken_again(tmp_path, monkeypatch):
    path, real, tries = tmp_path / "a.lock", crashed._lock, []

    def lock(file):
        tries.append(file)
        if len(tries) == 1:  # its last owner lets go: between our opening and our locking the file goes
            path.unlink()
        return real(file)

    monkeypatch.setattr(crashed, "_lock", lock)
    taken = FileLock.take(path)
    assert taken is not None
    assert len(tries) == 2
    assert FileLock.take(path) is None, "two hold the same lock"
    taken.release()


def test_a_lock_that_cannot_be_had_is_none(tmp_path):
    assert FileLock.take(tmp_path / "nowhere" / "a.lock") is None


def test_the_place_of_the_state_can_be_chosen(monkeypatch, tmp_path):
    monkeypatch.setenv("KERNELVIZ_STATE", str(tmp_path))
    assert recovery_directory() == tmp_path / "recovery"


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="a rule of freedesktop.org")
def test_the_place_of_the_state_is_the_platforms_own(monkeypatch, tmp_path):
    monkeypatch.delenv("KERNELVIZ_STATE", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert recovery_directory() == tmp_path / "kernelviz" / "recovery"


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="a rule of freedesktop.org")
@pytest.mark.parametrize("given", ["state", "./state", "../state", ""])
def test_a_relative_place_of_the_state_is_ignored(monkeypatch, tmp_path, given):
    monkeypatch.delenv("KERNELVIZ_STATE", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", given)
    assert recovery_directory() == tmp_path / ".local" / "state" / "kernelviz" / "recovery"
