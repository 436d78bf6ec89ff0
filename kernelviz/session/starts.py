"""The first minute: states to begin with, each with its picture."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from kernelviz.resource import resource_path
from kernelviz.session.sources import Requested
from kernelviz.session.state import State


@dataclass(frozen=True)
class Start:
    """A state to begin with: points and a fit, as the command line takes them, and what else is shown.

    view: an insight view that opens with it."""

    name: str
    title: str
    about: str
    source: str
    fit: str
    shown: tuple[str, ...] = ()
    view: str = ""

    @property
    def picture(self) -> Path:
        """The file of its picture, which `python -m tests.pictures starts` draws."""
        return resource_path("start", f"{self.name}.png")

    def state(self) -> State:
        """Return the state."""
        state, _ = Requested(self.source, fit=[self.fit]).state()
        return replace(state, look=state.look.replace(shown=state.look.shown | set(self.shown)))


STARTS = (
    Start(
        "moons",
        "Two moons",
        "Two classes that no straight line separates, and the widest margin between them",
        "moons(n=80, noise=0.2)",
        "rbf(gamma=2) ; soft-margin-svm(C=10)",
    ),
    Start(
        "lifted",
        "XOR, lifted",
        "Four corners, separated by a plane in the space of a polynomial kernel",
        "xor(n=80, noise=0.3)",
        "homogeneous(degree=2) ; soft-margin-svm(C=10)",
        view="space",
    ),
    Start(
        "tube",
        "The tube",
        "A curve with a tube around it: only points outside count",
        "sine(n=40, noise=0.2)",
        "rbf(gamma=2) ; svr(C=10, epsilon=0.25)",
    ),
    Start(
        "process",
        "A process",
        "A Gaussian process, which is unsure where there are no points",
        "gap(n=30, noise=0.1)",
        "rbf(gamma=3) ; gaussian-process(noise=0.02)",
        ("draws",),
    ),
    Start(
        "spelling",
        "Spelling",
        "Words with slips of the pen, close to the words that were meant",
        "spelling",
        "subsequence(length=2, decay=0.5, normalised=true) ; soft-margin-svm(C=10)",
    ),
)
