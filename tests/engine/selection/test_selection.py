"""Which setting is chosen, and in which words."""

from __future__ import annotations

import numpy as np
import pytest

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import parse_fit
from kernelviz.engine.selection.choice import Selection
from kernelviz.engine.selection.folds import SettingErrors
from kernelviz.engine.selection.grid import SettingsGrid, asked_axes, usual_axes

FIT = parse_fit("rbf(gamma=1) ; soft-margin-svm(C=10)")
GRID = SettingsGrid(FIT, asked_axes(FIT, ["gamma=0.1:10:3", "C=1:100:3"]))


def chosen(
    errors: list[list[float]], spread: float = 0.05, training: list[list[float]] | None = None
) -> Selection:
    trained = np.ravel(training) if training is not None else np.zeros(9)
    outcomes = [
        SettingErrors(e, spread, t, converged=1.0) for e, t in zip(np.ravel(errors), trained, strict=True)
    ]
    return Selection(GRID, tuple(outcomes), "cv")


def test_the_best_has_the_smallest_error() -> None:
    found = chosen([[0.3, 0.2, 0.2], [0.2, 0.05, 0.2], [0.4, 0.4, 0.4]], spread=0.01)
    assert GRID.values_of(found.best) == {"gamma": 1, "C": 10}
    assert str(found.fit(found.best)) == "rbf(gamma=1) ; soft-margin-svm(C=10)"
    assert found.one_standard_error == found.best


def test_the_one_standard_error_choice_is_simpler_and_not_clearly_worse() -> None:
    found = chosen([[0.3, 0.11, 0.3], [0.12, 0.1, 0.05], [0.4, 0.05, 0.06]], spread=0.08)
    assert GRID.values_of(found.best) == {"gamma": 1, "C": 100}
    assert GRID.values_of(found.one_standard_error) == {"gamma": 0.1, "C": 10}


def test_a_tie_is_called_a_tie_and_the_simplest_of_it_is_chosen() -> None:
    found = chosen([[0.3, 0.1, 0.3], [0.1, 0.3, 0.3], [0.3, 0.3, 0.1]])
    assert len(found.ties) == 3
    assert found.best in (1, 3)
    assert "A tie: 3 settings have the smallest error" in found.message
    assert len(found.report()["ties"]) == 3


def test_what_the_training_error_would_choose_is_a_warning() -> None:
    found = chosen([[0.3, 0.1, 0.3]] * 3, training=[[0.3, 0.1, 0.1]] * 2 + [[0.3, 0.1, 0.0]])
    assert "A warning: the smallest training error, 0, at gamma = 10, C = 100" in found.message


def test_a_training_error_that_the_best_shares_is_no_warning() -> None:
    found = chosen([[0.3, 0.2, 0.3], [0.3, 0.1, 0.3], [0.3, 0.3, 0.3]], spread=0.01)
    assert found.misled is None
    assert "warning" not in found.message


@pytest.mark.parametrize(("error", "misled"), [(0.14, None), (0.16, 8)])
def test_the_training_error_misleads_only_beyond_the_spread(error: float, misled: int | None) -> None:
    errors = [[0.3, 0.1, 0.3], [0.3, 0.3, 0.3], [0.3, 0.3, error]]
    found = chosen(errors, spread=0.05, training=[[0.3, 0.1, 0.1]] * 2 + [[0.3, 0.0, 0.0]])
    assert found.misled == misled


def test_nothing_known_is_nothing_chosen() -> None:
    found = Selection(GRID, (SettingErrors(),) * 9, "cv")
    assert (found.best, found.one_standard_error, found.done) == (None, None, 0)
    assert found.message == "No setting could be fitted."


@pytest.mark.parametrize("coarse", [False, True])
@pytest.mark.parametrize(
    "over", [["gamma=0.1:10:5", "C=1:100:4"], ["C=1:100:4", "gamma=0.1:10:5"], ["C=1:9:7"]]
)
def test_every_cell_is_tried_once_along_lines_of_one_kernel(over: list[str], coarse: bool) -> None:
    grid = SettingsGrid(FIT, asked_axes(FIT, over))
    lines = [line for stage in grid.stages(coarse) for line in stage]
    assert sorted(cell for line in lines for cell in line) == list(range(len(grid)))
    for line in lines:
        assert len({str(grid.fits[cell].kernel) for cell in line}) == 1
        prices = [grid.fits[cell].algorithm.values()["C"] for cell in line]
        assert prices == sorted(prices)


def test_coarse_first_is_every_other_cell_of_every_other_line() -> None:
    grid = SettingsGrid(FIT, asked_axes(FIT, ["gamma=0.1:10:4", "C=1:100:4"]))
    assert grid.stages(coarse_first=True)[0] == [[0, 2], [8, 10]]


def test_unless_told_otherwise_the_first_number_of_kernel_and_algorithm_is_chosen() -> None:
    assert [axis.key for axis in usual_axes(FIT)] == ["gamma", "C"]
    assert [axis.key for axis in usual_axes(parse_fit("linear ; ridge"))] == ["lam"]


@pytest.mark.parametrize(
    ("over", "sentence"),
    [
        (["gama=1:10:3"], "no number called 'gama'. Did you mean gamma"),
        (["gamma"], "NAME=LOW:HIGH:COUNT"),
        (["gamma=1:10:1"], "2 to 1000 values"),
        (["gamma=1"], "written as in 0.1,1,10, or LOW:HIGH:COUNT"),
        (["gamma=1:1:5"], "two different ends"),
        (["gamma=-1:1:5"], "must lie between"),
        (["gamma=1:10:1000", "C=1:10:1000"], "1,000,000 settings"),
        (["gamma=1:10:3", "gamma=1:10:4"], "given twice"),
        (["gamma=1:10:3", "C=1:10:4", "tol=0.001:0.1:3"], "One or two numbers"),
        (["gamma=1:10:3", "C=1:10:4", "tol=-1:0:3"], "One or two numbers"),
        (["rbf[2].gamma=1:10:3"], r"no number called 'rbf\[2\]\.gamma'"),
        (["rbf[0].gamma=1:10:3"], "no number called"),
        (["sigma=-1:10:3"], "sigma of .* must lie between"),
    ],
)
def test_impossible_grids_are_refused_in_a_sentence(over: list[str], sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        SettingsGrid(FIT, asked_axes(FIT, over))


def test_parts_of_one_name_are_told_apart_by_their_places() -> None:
    fit = parse_fit("rbf(gamma=1) + laplacian(gamma=2) + rbf(gamma=3) ; ridge")
    with pytest.raises(BadInput, match=r"write rbf\[1\]\.gamma, laplacian\.gamma or rbf\[2\]\.gamma\.$"):
        asked_axes(fit, ["gamma=1:10:3"])
    first, second = asked_axes(fit, ["rbf[1].gamma=1:10:3", "rbf[2].gamma=5:9:3"])
    turned = second.knob.turned(first.knob.turned(fit, 10.0), 9.0)
    assert str(turned.kernel) == "rbf(gamma=10) + laplacian(gamma=2) + rbf(gamma=9)"


def test_a_number_is_also_called_by_its_other_names() -> None:
    (axis,) = asked_axes(FIT, ["sigma=0.5:2:3"])
    assert axis.key == "gamma"
    assert axis.values == pytest.approx([2.0, 0.5, 0.125])
    (owned,) = asked_axes(FIT, ["rbf.sigma=0.5:2:3"])
    assert (owned.key, owned.values) == ("rbf.gamma", axis.values)


def test_a_name_that_several_parts_have_needs_its_owner() -> None:
    fit = parse_fit("rbf(gamma=1) + laplacian(gamma=2) ; ridge")
    with pytest.raises(
        BadInput, match=r"several numbers called gamma: write rbf\.gamma or laplacian\.gamma\."
    ):
        asked_axes(fit, ["gamma=1:10:3"])
    (axis,) = asked_axes(fit, ["laplacian.gamma=1:10:3"])
    assert str(axis.knob.turned(fit, 10.0)) == "rbf(gamma=1) + laplacian(gamma=10) ; ridge(lam=0.1)"
