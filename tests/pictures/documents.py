"""The six documents that are drawn: two workspaces with several algorithms, and one with strings."""

from __future__ import annotations

from dataclasses import dataclass

from kernelviz.engine.fits.parsing import dataset, parse_fit
from kernelviz.session.state import Document, State
from kernelviz.session.workspaces.registry import workspace_of

__all__ = ["DOCUMENTS", "Drawn"]


@dataclass(frozen=True)
class Drawn:
    """A document as it is written on the command line, and how it is shown."""

    source: str
    fits: tuple[str, ...]
    held_out: float = 0.0
    """Share of the points that are held out."""
    also_shown: tuple[str, ...] = ()
    step: int | None = None
    """Step of the run in watch mode; None shows the optimum."""

    def state(self) -> State:
        """Return the state a session starts from."""
        data, fits = dataset(self.source), [parse_fit(text) for text in self.fits]
        document = Document.of(data, fits[0].kernel, fits[0].algorithm, self.source)
        if self.held_out:
            document = document.with_share_aside(self.held_out)
        for fit in fits[1:]:
            document = document.with_fit(fit)
        look = workspace_of(data).look(data)
        look = look.replace(shown=look.shown | frozenset(self.also_shown))
        if self.step is not None:
            look = look.replace(mode="watch", step=self.step)
        return State(document.replace(active=0), look)


DOCUMENTS = {
    "moons": Drawn(
        "moons(n=60, noise=0.2, seed=1)",
        ("rbf(gamma=1) ; soft-margin-svm(C=10)",),
        held_out=0.25,
        also_shown=("held_out", "slack"),
    ),
    "three-classes": Drawn(
        "blobs(n=60, classes=3, seed=2)", ("polynomial(degree=2) ; soft-margin-svm(C=1)",)
    ),
    "two-fits": Drawn(
        "gaussians(n=40, seed=3)",
        ("linear ; perceptron", "rbf(gamma=0.5) ; logistic(lam=0.01)"),
        step=6,
    ),
    "tube": Drawn(
        "sine(n=40, noise=0.2, seed=1)", ("rbf(gamma=3) ; svr(C=10, epsilon=0.1)",), also_shown=("bumps",)
    ),
    "process": Drawn("gap(n=30, seed=4)", ("rbf(gamma=2) ; gaussian-process(noise=0.05)",), held_out=0.2),
    "strings": Drawn("spelling(n=24, seed=1)", ("subsequence(length=2) ; soft-margin-svm(C=10)",)),
}
