"""Long work on a thread of its own."""

from __future__ import annotations

import signal
import threading

import pytest

from kernelviz.engine.core.errors import BadInput
from kernelviz.runtime.jobs import Job, Jobs, News, interruptible
from tests.patience import PATIENCE


class Heard(list):
    """What was told, and a way to wait until no job is left."""

    def __init__(self):
        super().__init__()
        self.idle = threading.Event()

    def __call__(self, told):
        self.append(told)
        if told.news is News.IDLE:
            self.idle.set()

    def ends(self):
        return [(told.news, told.value) for told in self if told.news not in (News.PROGRESSED, News.IDLE)]


def counting(to):
    def work(beat):
        for k in range(to):
            yield k / to
        return to

    return work


@pytest.fixture
def heard():
    return Heard()


def test_progress_is_told_then_the_result_then_that_nothing_is_left(heard):
    Jobs("test", heard).start(Job(counting(2)))
    assert heard.idle.wait(PATIENCE)
    assert [(told.news, told.value) for told in heard] == [
        (News.PROGRESSED, 0.0),
        (News.PROGRESSED, 0.5),
        (News.DONE, 2),
        (News.IDLE, None),
    ]


@pytest.mark.parametrize(
    ("problem", "news", "said"),
    [
        (BadInput("No such thing."), News.FAILED, "No such thing."),
        (MemoryError(), News.FAILED, "Too much."),
        (ZeroDivisionError("oops"), News.RAISED, "oops"),
    ],
)
def test_a_failure_is_told_in_words_and_a_mistake_as_itself(heard, problem, news, said):
    def work(beat):
        yield 0.0
        raise problem

    Jobs("test", heard).start(Job(work, no_memory="Too much."))
    assert heard.idle.wait(PATIENCE)
    ((ended, value),) = heard.ends()
    assert (ended, str(value)) == (news, said)


def blocked(gate, begun):
    def work(beat):
        begun.set()
        assert gate.wait(PATIENCE)
        yield 0.5
        return "first"

    return work


@pytest.mark.parametrize(("queue", "results"), [(False, ["first", 3]), (True, ["first", 1, 2, 3])])
def test_of_what_waits_all_or_only_the_newest_is_done(heard, queue, results):
    gate, begun = threading.Event(), threading.Event()
    jobs = Jobs("test", heard, queue=queue)
    jobs.start(Job(blocked(gate, begun)))
    assert begun.wait(PATIENCE)
    dropped = [jobs.start(Job(counting(k))) for k in (1, 2, 3)]
    assert [len(gone) for gone in dropped] == ([0, 0, 0] if queue else [0, 1, 1])
    gate.set()
    assert heard.idle.wait(PATIENCE)
    assert [value for _, value in heard.ends()] == results


def test_clearing_gives_up_what_runs_and_forgets_what_waits(heard):
    gate, begun = threading.Event(), threading.Event()
    jobs = Jobs("test", heard, queue=True)
    jobs.start(Job(blocked(gate, begun)))
    jobs.start(Job(counting(1)))
    assert begun.wait(PATIENCE)
    jobs.clear()
    gate.set()
    assert jobs.join(PATIENCE)
    assert heard.ends() == [(News.GIVEN_UP, None)]
    assert jobs.idle


def test_the_thread_lives_only_while_there_is_work(heard):
    jobs = Jobs("short-lived", heard)
    jobs.start(Job(counting(1)))
    assert jobs.join(PATIENCE)
    assert not [t for t in threading.enumerate() if t.name == "short-lived"]
    jobs.start(Job(counting(1)))
    assert jobs.join(PATIENCE)
    assert [value for _, value in heard.ends()] == [1, 1]


def test_a_job_begun_just_as_the_last_one_ends_is_done_once():
    """It gets a thread of its own; the one that ends must not take it up as well."""
    done, go, ended = [], threading.Event(), threading.Event()

    def second(beat):
        done.append(threading.current_thread())
        go.wait(PATIENCE)
        yield 1.0

    def tell(told):
        if told.news is News.DONE and told.job is first:
            jobs.start(Job(second))
        elif told.news is News.IDLE:
            ended.set()

    first = Job(counting(1))
    jobs = Jobs("test", tell, queue=True)
    jobs.start(first)
    thread = jobs._thread
    assert ended.wait(PATIENCE)
    go.set()
    thread.join(PATIENCE)
    assert jobs.join(PATIENCE)
    assert len(done) == 1


# Waiting in the foreground ---------------------------------------------------------------------------
def test_work_returns_what_it_returns_and_raises_what_it_raises() -> None:
    assert interruptible(lambda: 3) == 3
    with pytest.raises(KeyError, match="no"):
        interruptible(lambda: {}["no"])


@pytest.mark.usefixtures("sigint_as_in_a_terminal")
def test_ctrl_c_does_not_wait_for_the_end_of_the_work() -> None:
    end = threading.Event()

    def work() -> None:
        signal.raise_signal(signal.SIGINT)
        end.wait()

    with pytest.raises(KeyboardInterrupt):
        interruptible(work)
    end.set()
