"""Gram matrices in files: recognised, checked, written and kept in sessions."""

from __future__ import annotations

import json

import numpy as np
import pytest

from kernelviz.cli import main
from kernelviz.engine.core.errors import BadInput
from kernelviz.session.files import kviz
from kernelviz.session.sources import Requested, open_source
from kernelviz.session.tables.columns import guess, obvious
from kernelviz.session.tables.formats import read, read_text, save_data
from kernelviz.session.tables.gram import objects_in

K = np.array([[2.0, 1, 0, 1], [1, 2, 1, 0], [0, 1, 3, 1], [1, 0, 1, 2]])
ROWS = [",".join(f"{value:g}" for value in row) for row in K]


def table(*rows: str):
    return read_text("\n".join(rows) + "\n", "k.csv")


@pytest.mark.parametrize(
    "rows",
    [
        ["name,a,b,c,d,label", *(f"{'abcd'[i]},{row},{'xyxy'[i]}" for i, row in enumerate(ROWS))],
        ["a,b,c,d,label", *(f"{row},{'xyxy'[i]}" for i, row in enumerate(ROWS))],
        [",a,b,c,d,label", *(f"{i},{row},{'xyxy'[i]}" for i, row in enumerate(ROWS))],
        ["class,a,b,c,d", *(f"{i % 2},{row}" for i, row in enumerate(ROWS))],
    ],
    ids=["named rows", "header", "numbered as by pandas", "classes first"],
)
def test_a_symmetric_table_with_classes_is_a_gram_matrix(rows):
    data = obvious(table(*rows))
    assert data is not None
    assert data.domain == "objects"
    assert [str(item) for item in data.X] == ["a", "b", "c", "d"]
    assert np.array_equal(data.X[0].matrix, K)
    assert data.z.tolist() == [-1, 1, -1, 1]


def test_three_objects_are_a_gram_matrix_if_one_says_so(tmp_path):
    """They may be three points of three coordinates, symmetric by accident."""
    rows = ["a,b,c,label", "2,1,0,x", "1,2,1,y", "0,1,2,x"]
    assert obvious(table(*rows)) is None
    path = tmp_path / "k.csv"
    path.write_text("\n".join(rows))
    with pytest.raises(BadInput, match="If it is a Gram matrix, say so by --kernel gram"):
        open_source(str(path))
    data = Requested(str(path), kernel="gram").open().data
    assert [str(item) for item in data.X] == ["a", "b", "c"]


def test_three_objects_whose_columns_have_the_names_of_the_rows_are_a_gram_matrix():
    data = obvious(table("name,a,b,c,label", "a,2,1,0,x", "b,1,2,1,y", "c,0,1,2,x"))
    assert [str(item) for item in data.X] == ["a", "b", "c"]


def test_three_numbered_points_are_no_gram_matrix():
    """The numbers of the rows make their table square, and symmetric by accident."""
    points = table(",a,b,label", "0,1,2,x", "1,5,7,y", "2,7,3,x")
    assert objects_in(points) is None
    assert obvious(points).columns == ("a", "b")


def test_three_points_with_a_class_in_numbers_are_none():
    """A square, and symmetric by accident."""
    assert objects_in(table("0,1,0", "1,0,1", "0,1,1")) is None


def test_an_ordinary_table_is_none():
    assert objects_in(table("a,b,label", "1,2,x", "3,4,y")) is None
    assert objects_in(table("a,b,c,d,label", *(f"{i},1,2,3,x" for i in range(4)))) is None
    assert objects_in(table("x,y,label")) is None


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["name,a,b,label", "a,1,2,x", "b,3,1,y"], "k.csv must be symmetric: row 1, column 2 is 2, but"),
        (
            ["name,a,b,label", "a,1,nan,x", "b,nan,1,y"],
            r"k.csv, line 3, column 2 \(a\): the number is missing \(nan\)",
        ),
        (["a,b,c,label", "1,2,3,x", "2,1,3,y"], "this has 2 rows and 3 columns of numbers"),
        (["a,b", "1,2", "2,1"], "is a Gram matrix without classes"),
        (["name,a,b,label", "a,1,2,x", "b,2,1,"], "line 3, column 4 .label.: the label is missing"),
    ],
)
def test_what_is_wrong_with_a_gram_matrix_is_said_in_a_sentence(rows, message):
    with pytest.raises(BadInput, match=message):
        objects_in(table(*rows), wanted=True)


def test_numpy_files_hold_a_matrix_its_labels_and_names(tmp_path):
    np.savez(tmp_path / "k.npz", K=K, labels=["x", "y", "x", "y"], names=["one", "two", "three", "four"])
    data = obvious(read(tmp_path / "k.npz"))
    assert data is not None
    assert [str(item) for item in data.X] == ["one", "two", "three", "four"]
    assert data.class_of_each == ["x", "y", "x", "y"]


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"K": K[:3], "labels": [0, 1, 0]}, "a Gram matrix must be square; K has 3 rows and 4 columns"),
        ({"K": K, "labels": [0, 1, 0]}, "arrays of one length, not 3, 4"),
        ({"K": K + np.eye(4, k=1), "labels": [0, 1, 0, 1]}, "must be symmetric"),
        ({"K": K}, "without classes"),
        ({"K": K, "labels": [[0, 1], [0, 1]]}, "k.npz: labels must be a list; it has 2 rows and 2 columns"),
        ({"K": K, "labels": [0, 1, 0, 1], "names": [["a", "b"], ["c", "d"]]}, "names must be a list"),
        ({"X": K[:, :2], "labels": [[0, 1], [0, 1]]}, "labels must be a list; it has 2 rows and 2 columns"),
    ],
)
def test_numpy_files_are_checked_too(tmp_path, arrays, message):
    np.savez(tmp_path / "k.npz", **arrays)
    with pytest.raises(BadInput, match=message):
        obvious(read(tmp_path / "k.npz"))


def test_a_bare_matrix_asks_for_its_labels(tmp_path):
    np.save(tmp_path / "k.npy", K)
    with pytest.raises(BadInput, match=r"without classes.*numpy.savez"):
        open_source(str(tmp_path / "k.npy"))


def test_a_matrix_of_ten_thousand_objects_is_refused_before_it_is_read(tmp_path):
    with (tmp_path / "k.npy").open("wb") as file:
        file.truncate(800_000_000)  # sparse: it takes no room on the disc
    with pytest.raises(BadInput, match="800 MB or more; at most 100 MB"):
        open_source(str(tmp_path / "k.npy"))
    wide = ",".join("0" * 10_000)
    (tmp_path / "k.csv").write_text(f"{wide}\n{wide}\n")
    with pytest.raises(BadInput, match="10,000 columns; at most 1,000"):
        open_source(str(tmp_path / "k.csv"))


def test_objects_are_saved_and_read_back(tmp_path):
    names = ["a,b", '<b>"1"</b>', "3", "=cmd()"]
    np.savez(tmp_path / "k.npz", K=K, labels=[0, 1, 0, 1], names=names)
    data = open_source(str(tmp_path / "k.npz")).data
    save_data(data, tmp_path / "k.csv")
    again = open_source(str(tmp_path / "k.csv")).data
    assert [str(item) for item in again.X] == names
    assert again.X == data.X
    assert again.class_of_each == data.class_of_each
    with pytest.raises(BadInput, match="Objects are saved as CSV"):
        save_data(data, tmp_path / "k.svm")


def test_a_session_keeps_the_matrix_the_names_and_the_held_out_objects():
    state, _ = Requested("graphs", test="0.3").state()
    again, _ = kviz.loads(kviz.dumps(state), "g.kviz")
    before, after = state.document, again.document
    assert after.data.X == before.data.X
    assert after.test_data.X == before.test_data.X
    assert list(map(str, after.together.X)) == list(map(str, before.together.X))
    assert after.workspace.name == "objects"


def test_a_damaged_matrix_in_a_session_is_reported():
    state, _ = Requested("graphs").state()
    tree = json.loads(kviz.dumps(state))
    tree["data"]["points"][0][0] = 99
    with pytest.raises(BadInput, match="some of its points are not in its Gram matrix"):
        kviz.loads(json.dumps(tree), "g.kviz")
    tree["data"]["objects"]["gram"][3] = [1.0]
    with pytest.raises(BadInput, match="its Gram matrix is not a triangle"):
        kviz.loads(json.dumps(tree), "g.kviz")


def test_the_command_line_fits_a_matrix_as_it_is_and_says_what_is_wrong_with_others(tmp_path, capsys):
    np.savez(tmp_path / "k.npz", K=K, labels=[0, 1, 0, 1])
    assert main(["fit", str(tmp_path / "k.npz")]) == 0
    assert json.loads(capsys.readouterr().out)["kernel"] == "gram"
    (tmp_path / "t.csv").write_text("a,b,label\n1,2,x\n3,4,y\n5,6,x\n")
    assert main(["fit", str(tmp_path / "t.csv"), "--kernel", "gram"]) != 0
    assert "as many columns as rows" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        ("2,7,0,1", "must be symmetric: row 1, column 2 is 7, but row 2, column 1 is 1"),
        ("2,nan,0,1", "the number is missing (nan)"),
        ("2,inf,0,1", "inf is not a finite number"),
        (None, "this has 3 rows and 4 columns of numbers"),
    ],
)
def test_a_broken_matrix_is_told_what_is_wrong_with_it_as_a_gram_matrix(tmp_path, capsys, cells, sentence):
    rows = ([] if cells is None else [cells]) + ROWS[1:]
    path = tmp_path / "k.csv"
    path.write_text("\n".join(["a,b,c,d,label", *(f"{row},{'xyxy'[i]}" for i, row in enumerate(rows))]))
    assert main(["fit", str(path)]) == 2
    told = capsys.readouterr().err
    assert "choose the coordinates and the label" in told
    assert "no Gram matrix either, which is square, finite and symmetric" in told
    assert sentence in told


def test_nothing_is_said_of_gram_matrices_about_a_table_of_many_rows():
    rows = [f"{row},{'xyxy'[i]}" for i, row in enumerate(ROWS)]
    with pytest.raises(BadInput) as refused:
        guess(table("a,b,c,d,label", *rows, *rows))
    assert "Gram" not in str(refused.value)
