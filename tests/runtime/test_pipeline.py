"""From a request to its frames."""

from __future__ import annotations

import numpy as np
import pytest

from kernelviz.engine.algorithms.logistic import Logistic
from kernelviz.engine.algorithms.soft_margin import SoftMarginSVM
from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import dataset, parse_fit
from kernelviz.engine.kernels.dot_products import Linear
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.engine.models.sampling import SampleGrid
from kernelviz.runtime import pipeline
from kernelviz.runtime.messages import END, Frame, Pause, Progress, Request, Verdict
from kernelviz.runtime.pipeline import FitCache, afterwards, answers, polish


@pytest.fixture(autouse=True)
def quick_machine(monkeypatch):
    """On a busy machine any field may be slow, and would be shown coarsely first."""
    monkeypatch.setattr(pipeline, "FRAME_SECONDS", 0.9)


def frames(request, memory=None):
    return [a for a in answers(request, request.active, memory or FitCache()) if isinstance(a, Frame)]


def test_a_grid_reaches_from_edge_to_edge(grid):
    x1, x2 = grid.axes()
    assert (len(x1), x1[0], x1[-1]) == (24, -1, 2)
    assert (len(x2), x2[0], x2[-1]) == (16, -1, 3)


def test_a_coarse_grid_covers_the_same_rectangle(grid):
    x1, x2 = grid.axes(4)
    assert (len(x1), x1[0], x1[-1], len(x2)) == (6, -1, 2, 4)
    assert len(SampleGrid(0, 1, 0, 1, 3, 3).axes(100)[0]) == 2


def test_the_field_of_a_frame_is_the_score_at_its_nodes(request_for):
    (frame,) = frames(request_for())
    nodes = np.stack(np.meshgrid(frame.sample.x1, frame.sample.x2), axis=-1).reshape(-1, 2)
    assert frame.sample.field.shape == (16, 24)
    assert frame.sample.field.ravel() == pytest.approx(frame.model.score(nodes))
    assert not frame.sample.field.flags.writeable


def test_the_table_of_a_frame_belongs_to_its_model(request_for):
    (frame,) = frames(request_for())
    assert frame.table.product == pytest.approx(frame.data.z * frame.model.score(frame.data.X))


def test_the_optimum_carries_the_trace_of_its_way(request_for, counting):
    (frame,) = frames(request_for(algorithm=counting(length=6)))
    assert frame.trace.column("dual").tolist() == [0, 1, 2, 3, 4, 5, 6]
    assert frame.finished


def test_a_watched_run_is_kept_for_as_long_as_it_can_be_watched_again(request_for):
    memory, other = FitCache(), Data.labelled([[0.0, 0.0], [1.0, 1.0]], [1, -1])
    frames(request_for(step=3), memory)
    run = memory.playback
    frames(request_for(), memory)
    assert memory.playback is run
    frames(request_for(data=other), memory)
    assert memory.playback is None


def test_the_next_solve_starts_from_the_last_model(request_for, counting):
    memory = FitCache()
    (first,) = frames(request_for(), memory)
    frames(request_for(kernel=Linear()), memory)
    assert counting.starts == [None, first.model]


def test_another_view_of_the_same_problem_is_not_solved_again(request_for, counting):
    memory = FitCache()
    (first,) = frames(request_for(), memory)
    (zoomed,) = frames(request_for(sampling=SampleGrid(0, 1, 0, 1, 8, 8)), memory)
    assert len(counting.begun) == 1
    assert zoomed.model is first.model
    assert (zoomed.seconds, zoomed.trace) == (first.seconds, first.trace)
    assert zoomed.sample.field.shape == (8, 8)


@pytest.mark.parametrize("what", ["kernel", "algorithm", "data"])
def test_another_problem_is_solved_anew(request_for, counting, what):
    memory = FitCache()
    frames(request_for(), memory)
    other = {
        "kernel": Linear(),
        "algorithm": counting(length=9),
        "data": Data.labelled([[0.0, 0.0], [1.0, 1.0]], [1, -1]),
    }
    frames(request_for(**{what: other[what]}), memory)
    assert len(counting.begun) == 2


def test_a_solve_abandoned_halfway_leaves_the_last_model_in_memory(request_for):
    memory = FitCache()
    (first,) = frames(request_for(), memory)
    work = answers(request_for(kernel=Linear()), 0, memory)
    next(work)
    work.close()
    assert memory.solved.iterate.model is first.model


def test_a_slow_field_is_shown_coarsely_first(request_for):
    memory = FitCache(sampled_kernel=Gaussian, sample_seconds=1.0)
    coarse, fine = frames(request_for(), memory)
    assert (coarse.refined, coarse.sample.field.shape) == (False, (4, 6))
    assert (fine.refined, fine.sample.field.shape) == (True, (16, 24))
    assert memory.sample_seconds < 1.0


def test_a_slow_field_says_nothing_about_another_kernel(request_for):
    memory = FitCache(sampled_kernel=Gaussian, sample_seconds=1.0)
    assert len(frames(request_for(kernel=Linear()), memory)) == 1


def test_the_field_of_a_slow_kernel_is_found_to_be_slow(request_for, monkeypatch):
    monkeypatch.setattr(pipeline, "FRAME_SECONDS", 0.0)
    memory = FitCache()
    assert len(frames(request_for(), memory)) == 1
    assert len(frames(request_for(), memory)) == 2


@pytest.mark.parametrize("step", [0, 3, 10])
def test_a_watched_step_is_shown_with_what_it_changed(request_for, step):
    (frame,) = frames(request_for(step=step))
    assert (frame.step, frame.change.text, frame.finished) == (step, f"now {step}", step == 10)


def test_running_to_the_end_shows_the_last_step(request_for):
    assert frames(request_for(step=END))[-1].step == 10


def test_a_long_run_shows_frames_on_its_way(request_for, monkeypatch):
    monkeypatch.setattr(pipeline, "SECONDS_BETWEEN_FRAMES", -1.0)
    assert [frame.step for frame in frames(request_for(step=5)) if frame.refined] == [0, 1, 2, 3, 4, 5]


def test_the_same_run_is_walked_on_and_another_one_begins_anew(request_for, counting):
    memory = FitCache()
    frames(request_for(step=2), memory)
    frames(request_for(step=4), memory)
    frames(request_for(step=1, sampling=SampleGrid(0, 1, 0, 1, 8, 8)), memory)
    assert len(counting.begun) == 1
    frames(request_for(step=1, kernel=Linear()), memory)
    frames(request_for(step=1, algorithm=counting(length=9), kernel=Linear()), memory)
    assert len(counting.begun) == 3


def test_data_without_a_plane_have_no_field(request_for):
    (frame,) = frames(request_for(data=Data.labelled(np.eye(3), [1, -1, 1])))
    assert (frame.sample.field, frame.sample.lines) == (None, ())


def test_very_many_points_are_judged_by_some_of_them():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30_000, 2))
    data = Data.labelled(X, np.where(X[:, 0] > 0, 1, -1))
    fits = (parse_fit("rbf(gamma=1) ; random-features(q=20)"),)
    request = Request(0, data, fits, SampleGrid(-3.0, 3.0, -3.0, 3.0, 20, 20), verdict=True)
    memory = FitCache()
    assert frames(request, memory)
    *_, verdict = afterwards(request, memory)
    assert isinstance(verdict, Verdict)
    assert verdict.mercer.holds
    assert "of 30000 points" in verdict.mercer.verdict


def test_points_on_a_line_have_the_same_field_at_every_height(request_for):
    data = Data.labelled([[0.0], [1.0], [3.0]], [1, -1, 1])
    (frame,) = frames(request_for(data=data))
    sample = frame.sample
    assert sample.field.shape == (16, 24)
    assert (sample.field == sample.field[0]).all()
    assert sample.field[0] == pytest.approx(frame.model.score(sample.x1[:, None]))


def test_a_long_fit_tells_what_it_is_doing(request_for, monkeypatch):
    monkeypatch.setattr(pipeline, "LONG", 0.0)
    request = request_for(algorithm=Logistic(lam=0.01))
    told = [a for a in answers(request, request.active, FitCache()) if isinstance(a, Frame | Progress)]
    *before, last = told
    assert isinstance(last, Frame)
    assert [p.words.split(":")[0] for p in before] == [f"Newton step {k}" for k in range(last.step)]


def test_a_quick_fit_tells_nothing_but_its_result(request_for, monkeypatch):
    monkeypatch.setattr(pipeline, "LONG", 1e9)
    request = request_for(algorithm=Logistic(lam=0.01))
    assert not any(isinstance(a, Progress) for a in answers(request, request.active, FitCache()))


def svm_request(request_for, **more):
    return request_for(data=dataset("moons(n=60, noise=0.2)"), algorithm=SoftMarginSVM(), **more)


def test_when_the_hand_rests_the_same_picture_follows_with_all_its_digits(request_for):
    memory, request = FitCache(), svm_request(request_for)
    (live,) = frames(request, memory)
    work = polish(request, 0, memory)
    assert next(work) is Pause.LATER
    (polished,) = [answer for answer in work if isinstance(answer, Frame)]
    assert polished.stamp == live.stamp
    assert polished.model.violation < 1e-9 < live.model.violation
    assert memory.solved.iterate.model is polished.model
    assert list(polish(request, 0, memory)) == []


def test_the_next_drag_after_polishing_starts_from_the_polished_model(request_for):
    memory, request = FitCache(), svm_request(request_for)
    frames(request, memory)
    list(polish(request, 0, memory))
    (again,) = frames(svm_request(request_for), memory)
    assert again.model.iterations == 0


def test_polishing_given_up_halfway_leaves_the_live_result_and_its_warm_start(request_for):
    memory, request = FitCache(), svm_request(request_for)
    (live,) = frames(request, memory)
    work = polish(request, 0, memory)
    next(work)
    work.close()
    assert memory.solved.iterate.model is live.model
    assert live.model.memory.held


def test_a_watched_step_is_not_polished(request_for):
    memory, request = FitCache(), svm_request(request_for, step=3)
    frames(request, memory)
    assert list(polish(request, 0, memory)) == []
