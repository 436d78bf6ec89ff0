"""The worker: latest wins, cancellation, failure, shutdown, synchronous mode."""

from __future__ import annotations

import importlib
import threading
import time

import numpy as np
import pytest

from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import Fit, parse_fit
from kernelviz.engine.kernels.dot_products import Linear
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.runtime import runner as module
from kernelviz.runtime.messages import END, Failure, Frame, Verdict
from kernelviz.runtime.runner import Runner
from tests.patience import PATIENCE


def workers():
    return [t for t in threading.enumerate() if t.name == "kernelviz-worker"]


def overtake(runner, gate, first, *later):
    """Submit a request, and others while it is being worked on."""
    runner.submit(first)
    gate.wait_until_reached()
    for request in later:
        runner.submit(request)
    gate.open()


def test_a_request_is_answered_with_the_frame_of_the_last_step(start, answers, request_for, counting):
    request = request_for(algorithm=counting(length=7))
    start().submit(request)
    frame = answers.last_frame_of(request.stamp)
    assert frame.request is request
    assert frame.data is request.data
    assert (frame.step, frame.model.beta[0]) == (7, 7.0)


def test_of_the_requests_that_have_not_begun_only_the_latest_is_answered(start, answers, request_for, gate):
    runner = start()
    first = request_for()
    waiting = [request_for(discrete=False) for _ in range(5)]
    overtake(runner, gate, first, *waiting)
    answers.last_frame_of(waiting[-1].stamp)
    assert set(answers.stamps) == {first.stamp, waiting[-1].stamp}


@pytest.fixture
def imports(answers, monkeypatch):
    """What had been answered whenever a module of scipy was asked for."""
    noted, real = [], importlib.import_module

    def note(name, *package):
        if name.startswith("scipy"):
            noted.append([(type(answer), answer.stamp) for answer in answers])
        return real(name, *package)

    monkeypatch.setattr(importlib, "import_module", note)
    return noted


def test_scipy_is_imported_while_the_first_picture_is_looked_at(start, answers, request_for, imports):
    request = request_for(verdict=True)
    start().submit(request)
    answers.wait_for(lambda answer: isinstance(answer, Verdict))
    assert imports[0] == [(Frame, request.stamp)], (
        "before what waits until the hand rests, which may be a drag"
    )


def test_a_picture_that_is_asked_for_meanwhile_does_not_wait_for_the_import(
    start, answers, request_for, gate, imports
):
    runner = start()
    first, resized = request_for(discrete=False), request_for(discrete=False, verdict=True)
    overtake(runner, gate, first, resized)
    answers.wait_for(lambda answer: isinstance(answer, Verdict))
    assert imports[0] == [(Frame, first.stamp), (Frame, resized.stamp)]


def test_a_continuous_change_lets_the_running_request_show_first(start, answers, request_for, gate):
    runner = start()
    running, drag = request_for(), request_for(discrete=False)
    overtake(runner, gate, running, drag)
    answers.last_frame_of(drag.stamp)
    assert answers.stamps[0] == running.stamp
    assert answers[0].finished


def test_a_discrete_change_preempts_the_running_request(start, answers, request_for, gate, counting):
    runner = start()
    running, other = request_for(), request_for(discrete=True)
    overtake(runner, gate, running, other)
    answers.last_frame_of(other.stamp)
    assert running.stamp not in answers.stamps
    assert len(counting.begun) == 2


def test_a_drag_after_a_discrete_change_does_not_take_its_right_to_preempt(start, answers, request_for, gate):
    runner = start()
    running, other, drag = request_for(), request_for(discrete=True), request_for(discrete=False)
    overtake(runner, gate, running, other, drag)
    answers.last_frame_of(drag.stamp)
    assert set(answers.stamps) == {drag.stamp}


def test_dragging_against_slow_solves_keeps_showing_and_the_last_change_lands(
    start, answers, request_for, counting
):
    counting.before = staticmethod(lambda t: time.sleep(0.002))  # some 20 ms for a solve
    runner = start()
    while len(answers) < 6:  # none would come if every change called off the one before
        last = request_for(discrete=False)
        runner.submit(last)
        time.sleep(0.002)
    answers.last_frame_of(last.stamp)
    assert answers.stamps == sorted(answers.stamps)


def test_what_takes_very_long_lets_even_a_drag_go_first(start, answers, request_for, gate, monkeypatch):
    monkeypatch.setattr("kernelviz.runtime.runner.PATIENCE", 0.0)
    runner = start()
    running, drag = request_for(), request_for(discrete=False)
    overtake(runner, gate, running, drag)
    answers.last_frame_of(drag.stamp)
    assert running.stamp not in answers.stamps


def test_what_is_given_up_ends_with_a_sentence_and_the_next_is_done(start, answers, request_for, gate):
    runner = start()
    running, other = request_for(), request_for()
    runner.submit(running)
    gate.wait_until_reached()
    runner.give_up(running.stamp)
    gate.open()
    failure = answers.of(running.stamp)
    assert failure.stopped
    assert failure.sentence.startswith("Stopped")
    runner.submit(other)
    assert isinstance(answers.last_frame_of(other.stamp), Frame)


def test_giving_up_what_is_done_already_takes_no_picture_away(start, answers, request_for):
    runner = start()
    first, second = request_for(), request_for()
    runner.submit(first)
    answers.last_frame_of(first.stamp)
    runner.give_up(first.stamp)
    runner.submit(second)
    answers.last_frame_of(second.stamp)
    assert not any(isinstance(answer, Failure) for answer in answers)


def test_bad_input_becomes_its_own_sentence_and_the_worker_lives_on(start, answers, request_for):
    runner = start()
    lonely = request_for(data=Data.labelled(np.zeros((0, 2)), []))
    runner.submit(lonely)
    failure = answers.of(lonely.stamp)
    assert isinstance(failure, Failure)
    assert failure.sentence.startswith("There are no points yet")
    assert failure.details == ""
    healthy = request_for()
    runner.submit(healthy)
    assert isinstance(answers.of(healthy.stamp), Frame)


def test_a_programming_error_becomes_a_message_and_the_worker_lives_on(start, answers, request_for, counting):
    def broken(t):
        raise ZeroDivisionError("a bug")

    runner = start()
    ordinary, counting.before = counting.before, staticmethod(broken)
    faulty = request_for()
    runner.submit(faulty)
    failure = answers.of(faulty.stamp)
    assert "ZeroDivisionError" in failure.sentence
    assert "Traceback" not in failure.sentence
    assert "a bug" in failure.details
    counting.before = staticmethod(ordinary)
    healthy = request_for()
    runner.submit(healthy)
    assert isinstance(answers.of(healthy.stamp), Frame)


def test_too_little_memory_is_said_in_words(start, answers, request_for, counting):
    def exhausted(t):
        raise MemoryError

    counting.before = staticmethod(exhausted)
    request = request_for()
    start().submit(request)
    assert "memory" in answers.of(request.stamp).sentence


def test_a_watched_run_that_failed_says_why_again_when_asked_again(request_for, answers, start, counting):
    def refuse(t):
        if t == 2:
            raise BadInput("Step 2 cannot be taken.")

    counting.before = staticmethod(refuse)
    runner = start(synchronous=True)
    for _ in range(2):
        runner.submit(request_for(step=5))
    assert [answer.sentence for answer in answers] == ["Step 2 cannot be taken."] * 2


def test_what_the_window_prepares_from_a_frame_is_made_by_the_worker(start, answers, request_for):
    request = request_for()
    start(decorate=lambda frame: (frame.step, threading.current_thread().name)).submit(request)
    assert answers.of(request.stamp).decoration == (10, "kernelviz-worker")


def test_a_decoration_that_fails_is_a_failure_of_the_request(start, answers, request_for):
    request = request_for()
    start(decorate=lambda frame: frame.no_such_thing).submit(request)
    assert isinstance(answers.of(request.stamp), Failure)


def test_stopping_ends_the_thread_at_the_next_step_and_says_so_if_it_has_not_yet(
    start, request_for, gate, answers
):
    runner = start()
    runner.submit(request_for())
    gate.wait_until_reached()
    assert not runner.stop(timeout=0.05)
    gate.open()
    assert runner.stop(PATIENCE)
    assert gate.reached == 1
    assert not workers()
    assert not answers


def test_stopping_twice_and_asking_afterwards_do_no_harm(start, request_for, answers):
    runner = start()
    assert runner.stop()
    assert runner.stop()
    runner.submit(request_for())
    assert not workers()
    assert not answers


def test_synchronous_mode_answers_before_submit_returns_and_has_no_thread(start, answers, request_for):
    before = threading.active_count()
    runner = start(synchronous=True)
    runner.submit(request_for())
    assert answers[-1].finished
    assert threading.active_count() == before
    assert runner.stop()


def test_the_verdict_on_the_kernel_comes_after_the_picture(start, answers, request_for):
    start(synchronous=True).submit(request_for(verdict=True))
    assert [type(answer) for answer in answers] == [Frame, Verdict]
    assert answers[-1].mercer.holds


@pytest.mark.parametrize("discrete", [True, False])
def test_a_run_to_the_end_can_be_interrupted_by_a_step_back(start, answers, request_for, counting, discrete):
    counting.before = staticmethod(lambda t: time.sleep(0.001))
    runner = start()
    endless = counting(length=10**6)
    runner.submit(request_for(algorithm=endless, step=END))
    answers.wait_for(lambda frame: frame.step > 20)
    back = request_for(algorithm=endless, step=3, discrete=discrete)
    runner.submit(back)
    assert answers.of(back.stamp).step == 3
    assert len(counting.begun) == 1


def test_the_active_fit_is_served_first_and_every_frame_says_whose_it_is(request_for, counting):
    seen = []
    fits = tuple(Fit(Gaussian(), counting(length=k)) for k in (2, 3, 4))
    runner = Runner(seen.append, synchronous=True)
    runner.submit(request_for(fits=fits, active=1, also=(0, 1, 2)))
    assert [frame.fit for frame in seen] == [1, 0, 2]
    assert [frame.step for frame in seen] == [3, 2, 4]


def test_fits_nobody_looks_at_are_not_computed(request_for, counting):
    seen = []
    fits = tuple(Fit(Gaussian(), counting(length=k)) for k in (2, 3))
    Runner(seen.append, synchronous=True).submit(request_for(fits=fits, active=1))
    assert [frame.fit for frame in seen] == [1]
    assert counting.begun == [3]


def test_a_fit_that_fails_leaves_the_others_their_pictures(request_for, counting):
    seen = []
    no_waves = parse_fit("linear ; random-features")
    runner = Runner(seen.append, synchronous=True)
    runner.submit(request_for(fits=(no_waves, Fit(Gaussian(), counting())), also=(1,)))
    assert [(type(answer), answer.fit) for answer in seen] == [(Failure, 0), (Frame, 1)]


def test_each_fit_starts_from_its_own_last_model(request_for, counting):
    seen = []
    runner = Runner(seen.append, synchronous=True)
    for kernel in (Gaussian(), Linear()):
        runner.submit(request_for(fits=tuple(Fit(kernel, counting(length=k)) for k in (2, 3)), also=(1,)))
    assert counting.begun == [2, 3, 2, 3]
    assert counting.starts == [None, None, seen[0].model, seen[1].model]


def test_a_drag_lets_every_fit_be_seen_before_it_goes_on(request_for, start, answers, counting, gate, data):
    fits = tuple(Fit(Gaussian(), counting(length=k)) for k in (1, 2))
    runner = start()
    first = request_for(fits=fits, also=(1,))
    second = request_for(fits=fits, also=(1,), data=data.subset(slice(3)), discrete=False)
    overtake(runner, gate, first, second)
    answers.wait_for(lambda a: a.stamp == second.stamp and a.fit == 1)
    assert [(a.stamp, a.fit) for a in answers][:3] == [(first.stamp, 0), (first.stamp, 1), (second.stamp, 0)]


def test_when_nobody_asks_for_anything_freed_memory_is_given_back(start, answers, request_for, monkeypatch):
    given = threading.Semaphore(0)
    monkeypatch.setattr(module, "IDLE", 0.001)
    monkeypatch.setattr(module, "trim_memory", given.release)
    runner = start()
    assert given.acquire(timeout=PATIENCE)
    request = request_for()
    runner.submit(request)
    answers.last_frame_of(request.stamp)
    assert given.acquire(timeout=PATIENCE)


def test_a_fit_that_is_closed_is_forgotten_with_its_matrices(start, request_for, counting):
    runner = start(synchronous=True)
    two = (Fit(Gaussian(), counting()), Fit(Linear(), counting()))
    runner.submit(request_for(fits=two, also=(1,)))
    assert set(runner._memories) == {0, 1}
    runner.submit(request_for(fits=two[:1]))
    assert set(runner._memories) == {0}
