"""What a lesson does to the state, line by line, and what checks see of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import parse_fit
from kernelviz.session.lessons.actions import PRESSES, VERBS, after, parse_actions
from kernelviz.session.lessons.facts import StateFacts, vocabulary
from kernelviz.session.lessons.language import parse_check
from kernelviz.session.lessons.lesson import Stage
from kernelviz.session.lessons.state import LessonState


def stage(
    data: str = "gaussians(n=20, distance=4, noise=0.3, seed=1)", *fits: str, **other: object
) -> LessonState:
    chosen = tuple(map(parse_fit, fits or ("linear ; hard-margin-svm",)))
    return Stage(1, data, fits=chosen, points=(("p", 0), ("q", 5)), **other).state()  # type: ignore[arg-type]


def done(text: str, state: LessonState) -> LessonState:
    return after(parse_actions(text, ("p", "q")), state)


def holds(text: str, state: LessonState, before: LessonState | None = None) -> bool | None:
    then = None if before is None else StateFacts(before)
    return parse_check(text, vocabulary(("p", "q"))).holds(StateFacts(state), then)


@pytest.mark.parametrize(
    ("action", "true"),
    [
        ("kernel = rbf(gamma=2)", "kernel == 'rbf' and kernel.gamma == 2 and kernel.sigma == 0.5"),
        ("kernel = 0.5*rbf(gamma=2) + linear\nkernel.gamma = 3", "kernel.gamma == 3"),
        ("kernel = rbf\nkernel.sigma = 1", "kernel.gamma == 0.5"),
        (
            "algorithm = soft-margin-svm(C=1)\nalgorithm.C = 5",
            "algorithm.C == 5 and algorithm == 'soft_margin_svm'",
        ),
        ("algorithm = feature-map\nalgorithm.features = polar", "algorithm.features == 'polar'"),
        ("data.n = 30", "n == 30 and n_plus == 15 and n_minus == 15 and data.n == 30"),
        ("data = moons(n=40, seed=1)", "n == 40 and data == 'moons' and data.seed == 1"),
        ("add + (0, 1)", "n == 21 and n_plus == 11 and point(21).y == 1"),
        ("add − (0, 1)", "n_minus == 11"),
        ("move p (1, 2)", "point('p').x == 1 and point(1).y == 2"),
        ("remove 1-3, 9", "n == 16"),
        ("flip p", "n_plus == 9"),
        ("open gram", "view.gram and not view.loss"),
        ("open gram large", "view.gram and not view.loss"),
        ("open gram\nopen loss\nclose gram", "view.loss and not view.gram"),
        ("kernel = rbf\npress median_width", "kernel.gamma < 1"),
        ("press add_fit\nB.kernel = rbf", "A.kernel == 'linear' and B.kernel == 'rbf' and kernel == 'rbf'"),
        ("press add_fit\npress next_fit\nkernel = rbf", "A.kernel == 'rbf' and B.kernel == 'linear'"),
        ("press add_fit\nkernel = rbf\npress next_fit\npress close_fit", "A.kernel == 'rbf'"),
        ("algorithm = perceptron\nwatch to 1", "step == 1"),
        ("algorithm = perceptron\nwatch to end", "step >= 1 and training_error == 0"),
        (
            "algorithm = perceptron\nwatch to 1\npress live_mode",
            "algorithm == 'perceptron' and training_error == 0",
        ),
        ("data = rings(n=40)", "status == 'not separable'"),
        ("kernel = polynomial(degree=2)", "features == 6"),
        ("kernel = sigmoid(gamma=1, c=-1)", "smallest_eigenvalue < 0"),
    ],
)
def test_an_action_changes_what_checks_see(action: str, true: str) -> None:
    before = stage()
    assert holds(true, done(action, before)) is True
    assert holds(true, before) is not True


def test_checks_know_the_numbers_of_a_fit_and_of_its_points() -> None:
    state = stage("moons(n=60, noise=0.3, seed=1)", test="0.3")
    state = done("kernel = rbf(gamma=1)\nalgorithm = soft-margin-svm(C=10)", state)
    assert holds("0 < test_error < 1 and 0 <= training_error < 1 and support_vectors > 3", state)
    assert holds("point('p').alpha <= 10 and point('p').slack >= 0", state)
    assert holds(
        "point('p').margin == point('p').s / norm or point('p').margin == -point('p').s / norm", state
    )
    assert holds("K(1, 1) == 1 and 0 < K('p', 'q') < 1", state)
    assert holds("bound_compression < 3 and mistakes < 3", state) is None  # nothing counts mistakes here
    assert holds("step == 1", state) is None


def test_a_fit_that_refuses_the_data_leaves_its_numbers_unknown() -> None:
    state = stage("sine(n=10)", "polynomial ; nadaraya-watson")
    assert holds("status == 'refused'", state)
    assert holds("mean_squared_error > 0", state) is None


def test_named_points_are_followed_through_edits_of_others() -> None:
    state = stage()
    q = state.document.data.X[5]
    later = done("remove 2 3\nadd + (0, 0)\nmove 1 (0, 0)", state)
    assert np.array_equal(later.document.data.X[dict(later.points)["q"]], q)
    assert "q" not in dict(done("remove q", state).points)
    assert holds("point('q').x > 0", done("remove q", state)) is None


def test_held_out_points_are_drawn_again_with_other_data() -> None:
    state = done("data.n = 50", stage("moons(n=60)", "rbf ; soft-margin-svm", test="fresh"))
    assert state.document.held_out is not None
    assert state.document.data.n == 50


def test_strings_can_be_typed_again() -> None:
    rows = (("a sentence", "+"), ("another", "-"))
    state = Stage(1, rows=rows, fits=(parse_fit("words ; soft-margin-svm"),)).state()
    assert holds("K(1, 2) == 0 and workspace == 'words'", state)
    assert holds("K(1, 2) == 1", done("retype 2 one sentence", state))


@pytest.mark.parametrize(
    ("action", "problem"),
    [
        ("kernel.gama = 3", "no parameter called kernel.gama. Did you mean kernel.gamma?"),
        ("kernal = rbf", "Did you mean kernel?"),
        ("kernel = rfb", "no kernel called 'rfb'"),
        ("algorithm = ridge(lambda=1)", "ridge has no parameter"),
        ("data = moon", "Did you mean moons?"),
        ("jump", "is not an action"),
        ("open gramm", "Did you mean gram?"),
        ("close gram large", "write `close gram`"),
        ("press quit", "A lesson cannot press 'quit'"),
        ("add + 0, 1", "should read like 'add + (0, 1)'"),
        ("add + (0, nan)", "finite"),
        ("move p", "should read like"),
        ("move r (0, 1)", "names no point 'r'"),
        ("watch", "should read like 'watch to 12'"),
        ("", "nothing to do"),
        ("open gram\n" * 51, "At most 50 lines"),
        ("kernel = " + "x" * 2000, "at most 1000 characters"),
    ],
)
def test_what_cannot_be_done_is_refused_when_it_is_read(action: str, problem: str) -> None:
    with pytest.raises(BadInput) as refusal:
        parse_actions(action, ("p", "q"))
    assert problem in str(refusal.value)


@pytest.mark.parametrize(
    "action",
    [
        "kernel.gamma = 3",
        "algorithm.C = 3",
        "C.kernel = rbf",
        "remove 99",
        "data.gap = 3",
        "press improve",
        "retype 1 a",
    ],
)
def test_what_does_not_apply_here_is_refused_when_it_is_done(action: str) -> None:
    with pytest.raises(BadInput):
        done(action, stage())


WORDS = st.sampled_from(
    [*VERBS, *PRESSES, "kernel", ".gamma", "=", "+", "(0, 1)", "p", "9-1", "-", "rbf", "1e9", "to", "\n"]
)


@given(st.lists(WORDS, max_size=12).map(" ".join) | st.text(max_size=60))
def test_no_line_does_anything_but_parse_or_be_refused(text: str) -> None:
    try:
        actions = parse_actions(text, ("p", "q"))
        after(actions, stage())
    except BadInput:
        pass
