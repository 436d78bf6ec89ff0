"""Algorithms that do what a test tells them, and a place where answers are collected."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import ClassVar

import numpy as np
import pytest

from kernelviz.engine.algorithms.base import Algorithm, Iterate
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.params import integer
from kernelviz.engine.fits.parsing import Fit
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.engine.models.base import Status
from kernelviz.engine.models.kernel import KernelModel
from kernelviz.engine.models.method import Change
from kernelviz.engine.models.sampling import SampleGrid
from kernelviz.runtime.messages import Frame, Request
from kernelviz.runtime.runner import Runner
from tests.patience import PATIENCE

DATA = Data.labelled(np.array([[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 2.0]]), [1, -1, 1, -1])
GRID = SampleGrid(-1, 2, -1, 3, 24, 16)


@pytest.fixture
def data():
    return DATA


@pytest.fixture
def grid():
    return GRID


@dataclass(frozen=True)
class Counting(Algorithm):
    """Step t puts weight t on every point, so that a frame tells which step it shows."""

    tasks: ClassVar = frozenset({Task.TWO_CLASSES, Task.CLASSES, Task.REGRESSION})
    name = "counting"
    length: int = integer(10, low=0, high=10**6)
    begun: ClassVar[list[int]] = []
    starts: ClassVar[list[object]] = []
    before: ClassVar[Callable[[int], None]] = staticmethod(lambda t: None)
    """Called before each step: the place for a test to wait or to fail."""

    def steps(self, problem, start=None):
        type(self).begun.append(self.length)
        type(self).starts.append(start)
        for t in range(self.length + 1):
            type(self).before(t)
            weights, known = np.full(problem.n, float(t)), (None, float(t))
            model = KernelModel(problem, self, Status.RUNNING, "counting", t, weights, 0.0, objectives=known)
            yield Iterate(t, model, Change(f"now {t}"), done=t == self.length)


@pytest.fixture
def counting(monkeypatch):
    """The algorithm, its notes reset."""
    monkeypatch.setattr(Counting, "begun", [])
    monkeypatch.setattr(Counting, "starts", [])
    monkeypatch.setattr(Counting, "before", staticmethod(lambda t: None))
    return Counting


@pytest.fixture
def request_for(counting):
    """Requests with growing stamps; name what differs from the simplest one."""
    stamps = count(1)

    def make(kernel=None, algorithm=None, **changes):
        fits = (Fit(kernel or Gaussian(), algorithm or counting()),)
        values = {"data": DATA, "fits": fits, "sampling": GRID} | changes
        return Request(stamp=next(stamps), **values)

    return make


class Answers(list):
    """Collects answers from the worker's thread."""

    def __init__(self):
        super().__init__()
        self._news = threading.Condition()

    def __call__(self, answer):
        with self._news:
            self.append(answer)
            self._news.notify_all()

    def wait_for(self, wanted):
        with self._news:
            assert self._news.wait_for(lambda: any(map(wanted, self)), PATIENCE), f"only {self.stamps}"
        return next(answer for answer in self if wanted(answer))

    def of(self, stamp):
        return self.wait_for(lambda answer: answer.stamp == stamp)

    def last_frame_of(self, stamp):
        return self.wait_for(lambda a: isinstance(a, Frame) and a.stamp == stamp and a.refined and a.finished)

    @property
    def stamps(self):
        return [answer.stamp for answer in self]


@pytest.fixture
def answers():
    return Answers()


@pytest.fixture
def start(answers):
    """Start runners that publish into `answers` and are stopped at the end."""
    running = []

    def make(**options):
        running.append(Runner(answers, **options))
        return running[-1]

    yield make
    ended = [runner.stop(PATIENCE) for runner in running]
    assert all(ended)


class Gate:
    """Lets an algorithm pass step by step, as the test opens it."""

    def __init__(self):
        self._passes = threading.Semaphore(0)
        self._arrived = threading.Semaphore(0)
        self._open = False
        self.reached = 0

    def __call__(self, t):
        self.reached += 1
        self._arrived.release()
        if not self._open:
            assert self._passes.acquire(timeout=PATIENCE)

    def wait_until_reached(self):
        assert self._arrived.acquire(timeout=PATIENCE)

    def open(self):
        self._open = True
        self._passes.release(1000)


@pytest.fixture
def gate(counting):
    made = Gate()
    counting.before = staticmethod(made)
    yield made
    made.open()
