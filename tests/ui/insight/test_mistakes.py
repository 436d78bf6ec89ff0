"""A perceptron's mistakes and their bound, in the convergence view and for the status line."""

from __future__ import annotations

import re

import numpy as np
import pytest

from kernelviz.engine.analysis.bounds import mistake_bound
from kernelviz.ui.insight.convergence_view import ConvergenceView
from kernelviz.ui.insight.mistakes import MistakeTally
from kernelviz.ui.window import status
from kernelviz.ui.window.status_line import StatusLine

SEPARABLE = "rings(n=60, seed=2)"


def numbers(words: str) -> tuple[int, int]:
    """The mistakes and the bound that are told."""
    count, bound = re.fullmatch(r"([\d,]+) mistakes? \(at most ([\d,]+)\)", words).groups()
    return int(count.replace(",", "")), int(bound.replace(",", ""))


@pytest.fixture
def judged(show, qapp):
    """Show a view, let the worker answer, and have it take the frame."""

    def view_of(b):
        view = show(ConvergenceView(b))
        ask(b, qapp)
        view.catch_up()
        return view

    return view_of


def ask(b, qapp) -> None:
    b.refresh()
    qapp.processEvents()


@pytest.mark.parametrize("how", ["perceptron", "online-perceptron(passes=1000)"])
@pytest.mark.parametrize("kernel", ["rbf(gamma=1)", "polynomial(degree=2)"])
def test_the_count_stands_beside_a_bound_it_keeps(bench, judged, how, kernel):
    b = bench(SEPARABLE, kernel, how)
    view = judged(b)
    count, bound = numbers(view.remark.text())
    assert count == b.frame.model.alpha.sum()
    assert 0 < count <= bound


def test_the_bound_is_that_of_the_smallest_separating_function(bench, qapp):
    b = bench(SEPARABLE, "rbf(gamma=1)", "online-perceptron(passes=1000)")
    tally = MistakeTally(b, lambda: None)
    ask(b, qapp)
    problem = b.frame.model.problem
    _, bound = numbers(tally.words(b.frame))
    assert bound == int(np.floor(mistake_bound(problem.gram, problem.z)))


def test_where_nothing_separates_there_is_no_bound_and_that_is_said(bench, judged):
    view = judged(bench(SEPARABLE, "linear", "perceptron(sweeps=5)"))
    assert view.remark.text().endswith("(no bound)")
    assert "separates" in view.remark.toolTip()


def test_other_algorithms_make_no_mistakes_to_be_counted(bench, judged):
    assert judged(bench(SEPARABLE)).remark.text() == ""


def test_while_watching_the_count_grows_to_its_end(bench, show, qapp):
    b = bench(SEPARABLE, "rbf(gamma=1)", "perceptron", mode="watch")
    view = show(ConvergenceView(b))
    counts = []
    for step in (0, 1, 2, 10_000):
        b.session.adjust(step=step)
        qapp.processEvents()
        view.catch_up()
        counts.append(int(view.remark.text().split()[0]))
    assert counts[:3] == [0, 1, 2]
    assert counts[3] > 2


def test_a_bound_of_other_points_is_not_shown(bench, qapp):
    b = bench(SEPARABLE, "rbf(gamma=1)", "perceptron")
    tally = MistakeTally(b, lambda: None)
    ask(b, qapp)
    old = b.frame
    assert "at most" in tally.words(old)
    b.session.change("fewer", data=old.data.subset(slice(1, None)), source="")
    qapp.processEvents()
    assert "at most" not in tally.words(old)
    assert "at most" in tally.words(b.frame)


def test_the_status_line_tells_it_too(bench, qtbot, qapp):
    b = bench(SEPARABLE, "rbf(gamma=1)", "perceptron")
    line = StatusLine(b)
    qtbot.addWidget(line)
    b.refresh()
    qtbot.waitUntil(lambda: "at most" in line.figures.text())
    assert "‖g‖²" in line.figures.toolTip()
    assert not any("mistake" in part for part in status.figures(b.frame))
