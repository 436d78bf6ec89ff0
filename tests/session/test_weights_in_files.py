"""Weights of points in tables, sessions, links and scripts."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.held_out import set_aside
from kernelviz.engine.fits.parsing import dataset
from kernelviz.session.files import kviz
from kernelviz.session.files.link import link_to, state_in
from kernelviz.session.scripts.script import kernelviz_script, sklearn_script
from kernelviz.session.state import State, start_up
from kernelviz.session.tables.formats import save_data
from kernelviz.session.tables.preparation import joined
from tests.command_lines import Run, refused

DATA = dataset("moons(n=30, seed=2)")
WEIGHTS = np.random.default_rng(4).choice([0.0, 1.0, 2.5], size=30)
FITTED = ("--kernel", "rbf(gamma=1)", "--algorithm", "soft-margin-svm(C=1)")


def state(**changes) -> State:
    document = start_up().document.replace(data=DATA.weighted(WEIGHTS), source="moons(n=30, seed=2)")
    return State(document.replace(**changes), start_up().look)


@pytest.fixture
def table(tmp_path: Path) -> str:
    path = tmp_path / "weighted.csv"
    rows = zip(DATA.X.tolist(), WEIGHTS.tolist(), DATA.z.tolist(), strict=True)
    lines = [f"{a},{b},{w},{z:g}" for (a, b), w, z in rows]
    path.write_text("a,b,weight,label\n" + "\n".join(lines), encoding="utf-8")
    return str(path)


def primal(run: Run, *arguments: str) -> float:
    code, out, err = run("fit", *arguments, *FITTED)
    assert (code, err) == (0, "")
    return json.loads(out)["summary"]["primal_objective"]


def test_a_column_has_the_weights_only_where_it_is_asked_for(run: Run, table: str, tmp_path: Path) -> None:
    weighted = primal(run, table, "--weights", "weight")
    assert weighted == primal(run, table, "--columns", "a,b,label", "--weights", "3")
    assert weighted != primal(run, table, "--columns", "a,b,label")
    twice = tmp_path / "twice.csv"
    rows = np.repeat(np.arange(30), (2 * WEIGHTS).astype(int)).tolist()
    lines = [f"{DATA.X[i, 0]},{DATA.X[i, 1]},{DATA.z[i]:g}" for i in rows]
    twice.write_text("a,b,label\n" + "\n".join(lines), encoding="utf-8")
    half = ("--kernel", "rbf(gamma=1)", "--algorithm", "soft-margin-svm(C=0.5)")
    _, out, _ = run("fit", str(twice), *half)
    assert json.loads(out)["summary"]["primal_objective"] == pytest.approx(weighted, rel=1e-8)
    assert "those of the column weight" in run("fit", table, "--weights", "weight", *FITTED)[1]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--weights", "nope"), "There is no column 'nope'"),
        (("--columns", "a,weight,label", "--weights", "weight"), "cannot be both the weights and"),
        (("--weights", "a"), "A weight is 0 or a number from"),
        (("--weights", "weight", "--algorithm", "perceptron"), "perceptron cannot give points different"),
    ],
)
def test_a_column_that_cannot_be_weights_gets_a_sentence(
    run: Run, table: str, arguments: tuple[str, ...], sentence: str
) -> None:
    assert sentence in refused(run("fit", table, *arguments))


def test_only_files_have_a_column_of_weights(run: Run) -> None:
    assert "Weights are chosen in files" in refused(run("fit", "moons(n=20)", "--weights", "w"))


def test_rows_without_a_weight_are_left_out_if_asked(run: Run, table: str) -> None:
    path = Path(table)
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[4] = ",".join([*lines[4].split(",")[:2], "", lines[4].split(",")[3]])
    path.write_text("\n".join(lines), encoding="utf-8")
    assert "line 5" in refused(run("fit", table, "--weights", "weight"))
    _, out, _ = run("fit", table, "--weights", "weight", "--missing", "drop", *FITTED)
    assert json.loads(out)["n"] == 29


def test_a_session_and_a_link_keep_the_weights_also_of_points_held_out() -> None:
    data, held = set_aside(DATA.weighted(WEIGHTS), 0.3, seed=1)
    before = state(data=data, held_out=held, source="", edited_from="moons(n=30, seed=2)")
    for after in (kviz.loads(kviz.dumps(before))[0], state_in(link_to(before))[0]):
        np.testing.assert_array_equal(after.document.data.weights, data.weights)
        np.testing.assert_array_equal(after.document.held_out.data.weights, held.data.weights)
    drawn, _ = state_in(link_to(state()))
    np.testing.assert_array_equal(drawn.document.data.weights, WEIGHTS)
    assert "weights" not in kviz.dumps(start_up())


def test_weights_are_not_lost_in_a_file_of_points(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="save the session to keep them"):
        save_data(DATA.weighted(WEIGHTS), tmp_path / "points.csv")
    assert list(tmp_path.iterdir()) == []


def test_a_script_fits_with_the_weights() -> None:
    script = kernelviz_script(state())
    names: dict = {}
    exec(script.partition("kernelviz.render(")[0], names)
    np.testing.assert_array_equal(names["data"].weights, WEIGHTS)
    with pytest.raises(BadInput, match="not written for scikit-learn"):
        sklearn_script(state())


def test_points_that_are_joined_keep_their_weights() -> None:
    both = joined(DATA.weighted(WEIGHTS), dataset("moons(n=10, seed=3)"))
    assert both.weights.tolist() == [*WEIGHTS.tolist(), *[1.0] * 10]
