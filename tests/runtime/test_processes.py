"""Calls spread over several processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from multiprocessing import active_children
from pathlib import Path

import pytest

from kernelviz.engine.core.errors import BadInput
from kernelviz.runtime import processes
from kernelviz.runtime.processes import KILLED, LostProcess, cores, spread
from tests import elsewhere
from tests.command_lines import of_python
from tests.elsewhere import exists, pids_in
from tests.patience import PATIENCE, wait_until

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="looks at processes as Unix has them")


class GivenUpError(Exception):
    """For a beat to raise."""


def until_somebody_stays(folder: Path):
    def beat():
        if pids_in(folder):
            raise GivenUpError

    return beat


def test_every_call_is_answered_with_its_number():
    assert sorted(spread(elsewhere.squared, [3, 1, 2], workers=2)) == [(0, 9), (1, 1), (2, 4)]


def test_nothing_to_do_starts_no_process():
    assert list(spread(elsewhere.squared, [])) == []


def test_calls_are_made_at_the_same_time(tmp_path):
    assert len({pid for _, pid in spread(elsewhere.meet, [tmp_path, tmp_path], workers=2)}) == 2


def test_an_answer_is_told_as_soon_as_it_is_ready(tmp_path):
    calls = [(elsewhere.stay, tmp_path), (elsewhere.squared, 3)]
    with closing(spread(elsewhere.do, calls, workers=2)) as answers:
        assert next(answers) == (1, 9)


def test_processes_are_as_many_as_asked_for_and_used_again():
    here = {pid for _, pid in spread(elsewhere.own_pid, range(8), workers=2)}
    assert 1 <= len(here) <= 2
    assert os.getpid() not in here
    assert not any(map(exists, here))


def test_unless_told_otherwise_one_processor_stays_free(monkeypatch):
    monkeypatch.setattr("kernelviz.runtime.processes.cores", lambda: 2)
    assert len({pid for _, pid in spread(elsewhere.own_pid, range(3))}) == 1
    assert cores() >= 1


def test_what_is_wrong_with_one_call_is_said_in_its_words_and_ends_the_others(tmp_path):
    calls = [(elsewhere.stay, tmp_path), (elsewhere.refuse, "Not this one.", tmp_path)]
    with pytest.raises(BadInput) as caught:
        list(spread(elsewhere.do, calls, workers=2))
    assert str(caught.value) == "Not this one."
    pids = pids_in(tmp_path)
    assert len(pids) == 2
    assert not any(map(exists, pids))


def test_a_mistake_in_the_program_is_told_with_the_place_where_it_happened():
    with pytest.raises(RuntimeError, match="TwoWordsError: oh dear") as caught:
        list(spread(elsewhere.stumble, [1], workers=1))
    assert "in stumble" in "".join(caught.value.__notes__)


def test_a_result_that_cannot_travel_is_a_mistake_in_the_program():
    with pytest.raises(Exception, match="lambda") as caught:
        list(spread(elsewhere.function_without_a_name, [1], workers=1))
    assert not isinstance(caught.value, BadInput)


def test_a_killed_process_is_one_clear_sentence():
    with pytest.raises(LostProcess) as caught:
        list(spread(elsewhere.be_killed, [1, 2], workers=2))
    assert str(caught.value) == KILLED


def test_a_call_whose_process_was_killed_is_made_once_more(tmp_path):
    assert list(spread(elsewhere.be_killed_once, [tmp_path], workers=1)) == [(0, "done")]


def test_a_killed_process_is_reported_without_repeating_the_calls_of_others(tmp_path):
    calls = [(elsewhere.stay_for, 0.3, tmp_path), (elsewhere.be_killed_after_another, tmp_path)]
    answers = spread(elsewhere.do, calls, workers=2)
    with pytest.raises(LostProcess, match="killed"):
        list(answers)
    assert len(pids_in(tmp_path)) == 1


def test_a_killed_process_is_noticed_even_if_it_started_late(monkeypatch, tmp_path):
    start = ProcessPoolExecutor._adjust_process_count

    def start_late(executor):
        time.sleep(0.3)  # the executor's thread has noted its processes by then
        start(executor)

    monkeypatch.setattr(ProcessPoolExecutor, "_adjust_process_count", start_late)
    calls = [(elsewhere.stay, tmp_path), (elsewhere.be_killed_after_another, tmp_path)]
    with pytest.raises(LostProcess, match="killed"):
        list(spread(elsewhere.do, calls, workers=2))


def test_a_killed_process_need_not_end_the_others():
    calls = [(elsewhere.squared, 2), (elsewhere.be_killed,), (elsewhere.squared, 3), (elsewhere.be_killed,)]
    answers = spread(elsewhere.do, calls, workers=2, if_lost=lambda call, problem: (len(call), str(problem)))
    assert sorted(answers) == [(0, 4), (1, (1, KILLED)), (2, 9), (3, (1, KILLED))]


KILL_THE_TRACKER = """
import os, signal
from multiprocessing import resource_tracker
from kernelviz.runtime.processes import spread
from tests import elsewhere

if __name__ == "__main__":
    answers = spread(elsewhere.squared, [1, 2, 3], workers=2)
    first = next(answers)
    os.kill(resource_tracker._resource_tracker._pid, signal.SIGKILL)
    print(len([first, *answers, *spread(elsewhere.squared, [1, 2, 3], workers=2)]))
"""


def test_nothing_is_said_where_pythons_tracker_of_semaphores_is_killed(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(KILL_THE_TRACKER)
    path = os.pathsep.join(filter(None, [str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path}
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "6\n", "")


@pytest.mark.parametrize(
    "function", [elsewhere.stay, elsewhere.stay_whatever_is_said, elsewhere.stay_stopped]
)
def test_giving_up_ends_the_processes_whatever_they_are_at_and_leaves_no_zombie(tmp_path, function):
    with pytest.raises(GivenUpError):
        list(spread(function, [tmp_path] * 3, workers=2, beat=until_somebody_stays(tmp_path)))
    pids = pids_in(tmp_path)
    assert pids
    assert not any(map(exists, pids))


def test_what_a_library_has_to_say_of_being_given_up_is_not_told(tmp_path, capfd):
    with pytest.raises(GivenUpError):
        list(spread(elsewhere.protest, [tmp_path], workers=1, beat=until_somebody_stays(tmp_path)))
    assert capfd.readouterr().err == ""


def test_closing_it_ends_the_processes(tmp_path):
    with closing(spread(elsewhere.own_pid, range(5), workers=1)) as answers:
        _, pid = next(answers)
        assert exists(pid)
    assert not exists(pid)


def test_a_process_that_is_given_up_leaves_no_half_written_file(tmp_path):
    def beat():
        if list(tmp_path.glob(".*.part")):
            raise GivenUpError

    with pytest.raises(GivenUpError):
        list(spread(elsewhere.write_slowly, [tmp_path / "a.png"], workers=1, beat=beat))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_process_that_is_sent_a_signal_leaves_no_half_written_file(tmp_path, name):
    sent = set()

    def beat():
        for process in active_children():
            if process.pid not in sent and list(tmp_path.glob(".*.part")):
                sent.add(process.pid)
                os.kill(process.pid, signal.Signals[name])
                process.join(PATIENCE)
                assert list(tmp_path.iterdir()) == []
                raise GivenUpError

    with pytest.raises(GivenUpError):
        list(spread(elsewhere.write_slowly, [tmp_path / "a.png"], workers=1, beat=beat))


def test_a_process_whose_parent_is_killed_leaves_no_half_written_file(tmp_path):
    script = (
        "import os, signal\n"
        "from pathlib import Path\n"
        "from kernelviz.runtime.processes import spread\n"
        "from tests import elsewhere\n"
        f"folder = Path({str(tmp_path)!r})\n"
        "def beat():\n"
        "    if list(folder.glob('.*.part')): os.kill(os.getpid(), signal.SIGKILL)\n"
        "list(spread(elsewhere.write_slowly, [folder / 'a.png'], workers=1, beat=beat))\n"
    )
    assert of_python(script)[0] == -signal.SIGKILL
    wait_until(lambda: list(tmp_path.iterdir()) == [])


# Processes that stay ----------------------------------------------------------------------------------
@pytest.fixture
def none_kept():
    """None is there at first, and none afterwards."""
    processes.end_kept_processes()
    yield
    processes.end_kept_processes()


def kept_pids(calls=4, workers=2, **how):
    return {pid for _, pid in spread(elsewhere.own_pid, range(calls), workers=workers, keep=True, **how)}


def test_processes_that_are_kept_serve_the_next_calls_and_other_functions(none_kept):
    first = kept_pids(1, 1)
    assert kept_pids(3, 1) == first
    assert list(spread(elsewhere.squared, [3], workers=1, keep=True)) == [(0, 9)]
    assert kept_pids(1, 1) == first
    assert all(map(exists, first))


def test_this_process_works_too_and_does_not_wait_for_others_to_start(none_kept, tmp_path):
    calls = [(elsewhere.own_pid, k) for k in range(4)]
    by = dict(spread(elsewhere.do, calls, workers=2, here=True, keep=True))
    assert set(by.values()) == {os.getpid()}  # another takes a thousand times as long to start
    both = spread(elsewhere.meet, [tmp_path, tmp_path], workers=2, keep=True)
    assert len({pid for _, pid in both}) == 2


def test_once_others_are_up_this_process_shares_the_work_with_them(none_kept, tmp_path):
    kept_pids(1, 1)
    work = [(elsewhere.stay_for, 0.2, tmp_path)] * 6
    list(spread(elsewhere.do, work, workers=2, here=True, keep=True))
    assert len(pids_in(tmp_path)) == 2


def test_alone_this_process_starts_no_other(none_kept):
    assert kept_pids(3, 1, here=True) == {os.getpid()}
    assert active_children() == []


def test_a_kept_process_that_was_killed_meanwhile_is_replaced(none_kept):
    (pid,) = kept_pids(1, 1)
    os.kill(pid, signal.SIGKILL)
    (other,) = kept_pids(1, 1)
    assert other != pid
    assert not exists(pid)


def test_kept_processes_are_ended_with_what_goes_wrong(none_kept):
    first = kept_pids(1, 1)
    with pytest.raises(RuntimeError, match="oh dear"):
        list(spread(elsewhere.stumble, [1], workers=1, keep=True))
    assert not any(map(exists, first))


def test_no_more_are_kept_than_there_are_processors(none_kept, monkeypatch, tmp_path):
    monkeypatch.setattr(processes, "cores", lambda: 1)
    pids = {pid for _, pid in spread(elsewhere.meet, [tmp_path, tmp_path], workers=2, keep=True)}
    assert sum(map(exists, pids)) <= 1


def test_those_that_have_rested_long_are_not_called_upon(none_kept, monkeypatch):
    first = kept_pids(1, 1)
    monkeypatch.setattr(processes, "KEPT", 0.0)
    assert not kept_pids(1, 1) & first
    assert not any(map(exists, first))


RESTING = """
import sys, time
from kernelviz.runtime import processes
from tests.elsewhere import own_pid
((_, pid),) = processes.spread(own_pid, [0], workers=1, keep=True)
print(pid, flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("kill", [False, True])
def test_no_kept_process_outlives_its_program(kill):
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", RESTING],
        cwd=root,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as program:
        pid = int(program.stdout.readline())
        if kill:
            program.kill()
        program.stdin.close()
        assert program.stderr.read() == b""  # closes when both have ended
    wait_until(lambda: not exists(pid))


def test_processes_without_work_end_by_themselves(none_kept, monkeypatch):
    monkeypatch.setattr(processes, "KEPT", 0.1)
    (pid,) = kept_pids(1, 1)
    wait_until(lambda: not exists(pid))


KILLED_MEANWHILE = """
import sys
from pathlib import Path
from kernelviz.runtime.processes import spread
from tests.elsewhere import stay
list(spread(stay, [Path(sys.argv[1])] * 2, workers=2))
"""


def test_no_process_outlives_a_program_that_is_killed(tmp_path):
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", KILLED_MEANWHILE, str(tmp_path)], cwd=root, stderr=subprocess.PIPE
    ) as program:
        wait_until(lambda: len(pids_in(tmp_path)) == 2)
        program.kill()
        # They write to the same pipe: it closes when all of them have ended.
        assert program.stderr.read() == b""
    wait_until(lambda: not any(map(exists, pids_in(tmp_path))))


INTERRUPTED_AT_ONCE = """
import os, signal
from multiprocessing import active_children
from kernelviz.runtime.processes import spread
signal.signal(signal.SIGINT, signal.default_int_handler)
def beat():
    for child in active_children():
        os.kill(child.pid, signal.SIGINT)
print(list(spread(abs, [-3], workers=1, beat=beat)))
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for children")
def test_not_even_the_first_process_hears_ctrl_c_while_it_is_starting():
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_AT_ONCE], cwd=root, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("[(0, 3)]\n", "")
