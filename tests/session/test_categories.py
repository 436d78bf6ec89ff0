"""Tables with a category column: read, drawn in panels, edited, written and kept in sessions."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

from kernelviz.cli import main
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import dataset
from kernelviz.session.files import kviz
from kernelviz.session.panels import Panels
from kernelviz.session.scripts.script import kernelviz_script, sklearn_script
from kernelviz.session.session import Session
from kernelviz.session.sources import Requested, open_source
from kernelviz.session.state import start_up
from kernelviz.session.tables.columns import choose, obvious, to_data
from kernelviz.session.tables.formats import read_text, save_data
from kernelviz.session.tables.preparation import joined, standardised
from kernelviz.session.workspaces.registry import workspace_of, workspaces

CATEGORIES = next(workspace for workspace in workspaces() if workspace.name == "categories")
ROWS = [f"{k},{k % 3},{'red' if k % 2 else 'blue'},{'yes' if k > 3 else 'no'}" for k in range(8)]


@pytest.fixture
def data():
    return dataset("colours(n=60)")


def test_a_table_of_two_numbers_a_category_and_a_label_needs_no_choice():
    data = obvious(read_text("\n".join(["a,b,colour,answer", *ROWS])))
    assert data is not None
    assert data.columns == ("a", "b", "colour")
    assert data.categories.names == ("blue", "red")
    assert data.category_of_each[:3] == ["blue", "red", "blue"]
    assert data.X[:, -1].tolist() == [0, 1] * 4
    assert data.class_of_each[-1] == "yes"
    assert workspace_of(data) is CATEGORIES


def test_columns_are_chosen_by_name_in_any_order():
    table = read_text(
        "\n".join(
            [
                "id,answer,colour,a,b",
                *(
                    f"{k},{row}"
                    for k, row in enumerate(",".join(row.split(",")[i] for i in (3, 2, 0, 1)) for row in ROWS)
                ),
            ]
        )
    )
    data = to_data(table, choose(table, "colour,b,a,answer"))
    assert data.columns == ("b", "a", "colour")
    assert data.categories.names == ("blue", "red")


def test_too_many_categories_and_missing_ones_are_refused():
    many = read_text(
        "\n".join(["a,b,c,z", *(f"1,2,kind {'abcdefghij'[k]},{'xy'[k % 2]}" for k in range(10))])
    )
    with pytest.raises(BadInput, match=r"9 different values at most.*c has 10"):
        to_data(many, choose(many, "a,b,c,z"))
    gap = read_text("a,b,c,z\n1,2,u,x\n3,4,,y\n5,6,u,x\n7,8,v,y")
    with pytest.raises(BadInput, match=r"line 3, column 3 \(c\): the label is missing"):
        to_data(gap, choose(gap, "a,b,c,z"))


def test_each_category_has_a_panel_of_its_own(data):
    panels = Panels.of(data)
    at = CATEGORIES.positions(data)
    assert (panels.category_at(at) == data.X[:, -1]).all()
    np.testing.assert_allclose(panels.inputs_at(at), data.X, atol=1e-12)
    view = CATEGORIES.extent(data)
    assert ((at > [view.left, view.bottom]) & (at < [view.right, view.top])).all()


def test_a_point_that_is_moved_to_another_panel_changes_its_category(data):
    panels = Panels.of(data)
    moved = CATEGORIES.placed(data, [0], panels.offsets[[2]] + [0.5, -0.25])
    assert moved.X[0].tolist() == pytest.approx([0.5, -0.25, 2])
    assert Panels.of(moved) == panels
    added = CATEGORIES.added(data, panels.offsets[[1]] + [0.1, 0.2], 1)
    assert added.X[-1].tolist() == pytest.approx([0.1, 0.2, 1])


def test_a_point_cannot_leave_the_panels_by_hand_but_typing_widens_them(data):
    beyond = CATEGORIES.placed(data, [0], np.array([[-50.0, -50.0]]))
    assert Panels.of(data).box.left == pytest.approx(beyond.X[0, 0])
    typed = CATEGORIES.typed(data, 0, np.array([7.0, 0.0]))
    assert typed.X[0].tolist() == [7.0, 0.0, data.X[0, -1]]
    assert Panels.of(typed).box.right > 7.0


def test_noise_changes_no_category(data):
    shaken = CATEGORIES.jittered(data, (), 0.4, 1)
    assert (shaken.X[:, -1] == data.X[:, -1]).all()
    assert (shaken.numbers != data.numbers).any()


def test_scaling_leaves_the_category_alone(data):
    scaled = standardised(data)
    np.testing.assert_allclose(scaled.numbers.std(axis=0), 1.0)
    assert (scaled.X[:, -1] == data.X[:, -1]).all()


def test_pasted_points_keep_their_categories_by_name(data):
    more = data.subset([0, 1, 2])
    renamed = more.with_categories(("red", "green", "blue"))
    both = joined(data, renamed)
    assert both.category_of_each[-3:] == ["red", "green", "blue"]
    with pytest.raises(BadInput, match="no category 'pink'"):
        joined(data, more.with_categories(("pink", "green", "blue")))


def test_a_file_is_read_back_and_a_session_keeps_names_and_panels(data, tmp_path):
    save_data(data, tmp_path / "c.csv")
    again = open_source(str(tmp_path / "c.csv")).data
    assert np.array_equal(again.X, data.X)
    assert again.categories == data.categories
    with pytest.raises(BadInput, match="Categories are saved as CSV"):
        save_data(data, tmp_path / "c.svm")
    state, _ = Requested("colours(n=40)", test="0.3").state()
    loaded, _ = kviz.loads(kviz.dumps(state), "c.kviz")
    assert loaded.document.data.categories == state.document.data.categories
    assert np.array_equal(loaded.document.test_data.X, state.document.test_data.X)


def test_a_damaged_session_is_reported():
    tree = json.loads(kviz.dumps(Requested("colours(n=12)").state()[0]))
    spans, tree["data"]["categories"]["spans"] = tree["data"]["categories"]["spans"], [[1.0, 0.0], [0.0, 1.0]]
    with pytest.raises(BadInput, match="do not say how far its points reach"):
        kviz.loads(json.dumps(tree), "c.kviz")
    tree["data"]["categories"]["spans"] = spans
    tree["data"]["points"][0][2] = 5
    with pytest.raises(BadInput, match="as numbers from 0 to 2"):
        kviz.loads(json.dumps(tree), "c.kviz")


def test_the_command_line_fits_and_tests_on_another_file(data, tmp_path, capsys):
    save_data(data, tmp_path / "c.csv")
    other = dataset("colours(n=60, seed=1)")
    save_data(other.subset(other.X[:, -1] == 2), tmp_path / "red.csv")
    answer = ["fit", str(tmp_path / "c.csv"), "--test", str(tmp_path / "red.csv"), "--columns", "1,2,3,4"]
    assert main(answer) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["kernel"] == "rbf(gamma=0.5)*category(share=0.3)"
    # Its codes are those of the first file, where red is number 2, though the second has red alone.
    assert found["summary"]["test_error"] < 0.3


@pytest.mark.parametrize("write", [kernelviz_script, sklearn_script])
def test_the_copied_script_fits_the_same_model(write, tmp_path):
    state, _ = Requested("colours(n=40)", test="0.3").state()
    moved = CATEGORIES.placed(state.document.data, [0], np.array([[0.0, 0.0]]))
    state = type(state)(state.document.replace(data=moved, source=""), state.look)
    script = tmp_path / "script.py"
    script.write_text(write(state))
    done = subprocess.run(
        [sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert "held-out error" in done.stdout


def test_opened_in_a_session_it_is_fitted_as_on_the_command_line(tmp_path):
    """The kernel on numbers that the plane had would ignore the category."""
    (tmp_path / "t.csv").write_text("\n".join(["a,b,colour,answer", *ROWS]))
    asked = Requested(str(tmp_path / "t.csv")).open()
    session = Session(start_up())
    session.change("open data", data=asked.data, source="t.csv", standardised=False)
    assert session.document.fits == asked.fits
