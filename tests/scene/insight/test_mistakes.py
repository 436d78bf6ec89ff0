"""A perceptron's mistakes and their bound, in words."""

from __future__ import annotations

import re

import numpy as np
import pytest

from kernelviz.engine.numbers.bounds import mistake_bound, smallest_separating_norm
from kernelviz.scene.insight.bounds import number_rows
from kernelviz.scene.wording import Remark, about_mistakes

SEPARABLE = "rings(n=60, seed=2)"


def numbers(words: str) -> tuple[int, int]:
    """The mistakes and the bound that are told."""
    count, bound = re.fullmatch(r"([\d,]+) mistakes? \(at most ([\d,]+)\)", words).groups()
    return int(count.replace(",", "")), int(bound.replace(",", ""))


@pytest.mark.parametrize("how", ["perceptron", "online-perceptron(passes=1000)"])
@pytest.mark.parametrize("kernel", ["rbf(gamma=1)", "polynomial(degree=2)"])
def test_the_count_stands_beside_a_bound_it_keeps(answers, how, kernel):
    frame, verdict = answers(SEPARABLE, kernel, how)
    remark = about_mistakes(frame, verdict)
    count, bound = numbers(remark.words)
    assert count == frame.model.alpha.sum()
    assert 0 < count <= bound
    assert "‖g‖²" in remark.meaning


def test_the_bound_is_that_of_the_smallest_separating_function(answers):
    frame, verdict = answers(SEPARABLE, "rbf(gamma=1)", "online-perceptron(passes=1000)")
    problem = frame.model.problem
    _, bound = numbers(about_mistakes(frame, verdict).words)
    assert bound == int(np.floor(mistake_bound(problem.gram, problem.z)))


def test_with_an_offset_the_bound_is_told_with_it(answers):
    """For the kernel K + R² the norm of g + b is ‖g‖² + (b/R)², and the radius √2 R."""
    frame, verdict = answers(SEPARABLE, "rbf(gamma=1)", "perceptron")
    problem = frame.model.problem
    remark = about_mistakes(frame, verdict)
    R2 = problem.radius**2
    norm = smallest_separating_norm(problem.gram + R2, problem.z)
    assert numbers(remark.words)[1] == int(np.floor(norm**2 * 2 * R2))
    assert "(‖g‖² + (b/R)²) 2R²" in remark.meaning
    assert "z·(g(x) + b) ≥ 1" in remark.meaning
    (row,) = (row for row in number_rows(frame, verdict) if row.name == "mistakes")
    assert row.tip == "Σ αᵢ ≤ (‖g‖² + (b/R)²) 2R²"


def test_without_one_there_is_none_in_it(answers):
    frame, verdict = answers(SEPARABLE, "rbf(gamma=1)", "online-perceptron(passes=1000)")
    (row,) = (row for row in number_rows(frame, verdict) if row.name == "mistakes")
    assert (row.tip, "b" in row.note.split()) == ("Σ αᵢ ≤ ‖g‖² R²", False)


def test_where_nothing_separates_there_is_no_bound_and_that_is_said(answers):
    remark = about_mistakes(*answers(SEPARABLE, "linear", "perceptron(sweeps=5)"))
    assert remark.words.endswith("(no bound)")
    assert "separates" in remark.meaning


def test_other_algorithms_make_no_mistakes_to_be_counted(answers):
    assert about_mistakes(*answers(SEPARABLE)) == Remark()
    assert about_mistakes(None, None) == Remark()


def test_while_watching_the_count_grows_to_its_end(frame_of):
    frames = [frame_of(SEPARABLE, how="perceptron", step=step) for step in (0, 1, 2, 10_000)]
    counts = [int(about_mistakes(frame, None).words.split()[0]) for frame in frames]
    assert counts[:3] == [0, 1, 2]
    assert counts[3] > 2


def test_a_bound_of_other_points_is_not_shown(answers):
    frame, verdict = answers(SEPARABLE, how="perceptron")
    fewer, verdict_on_fewer = answers(frame.data.subset(slice(1, None)), how="perceptron")
    assert "at most" in about_mistakes(frame, verdict).words
    assert "at most" not in about_mistakes(frame, verdict_on_fewer).words
    assert "at most" in about_mistakes(fewer, verdict_on_fewer).words
