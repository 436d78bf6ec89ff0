"""What SOURCE may be on the command line."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

from kernelviz.engine.core.data import Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import algorithm, dataset
from kernelviz.session.sources import Requested, open_source
from kernelviz.session.tables.formats import save_data


@pytest.mark.parametrize(
    "source", ["rings", "Rings", "rings(n=20, seed=1)", "xor-line", "XOR-Line", " moons ( n = 12 ) "]
)
def test_a_data_set_expression(source: str) -> None:
    assert np.array_equal(open_source(source).data.X, dataset(source.strip()).X)


@pytest.mark.parametrize("name", ["points.csv", "points.svm", "points.npz", "points (copy).csv", "odd)"])
def test_a_file_of_points(name: str, tmp_path: Path) -> None:
    data = dataset("rings(n=20)")
    save_data(data, tmp_path / ("points.csv" if name == "odd)" else name))
    if name == "odd)":
        (tmp_path / "points.csv").rename(tmp_path / name)
    assert np.array_equal(open_source(str(tmp_path / name)).data.X, data.X)


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"1,2,+\n3,4,-\n")))
    assert open_source("-").data.X.tolist() == [[1, 2], [3, 4]]


def test_a_file_called_like_a_data_set_needs_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rings").write_text("1,2,+\n3,4,-\n")
    assert open_source("rings").data.n == dataset("rings").n
    assert open_source("./rings").data.n == 2


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("rigns", "neither a file nor a data set called 'rigns'. Did you mean rings?"),
        ("rigns(n=5)", "no data set called 'rigns'"),
        ("rings(n=5", "never closed"),
        ("rings(m=5)", "no parameter 'm'"),
        ("rings(n=1)", "n of rings must lie between 2 and 5000"),
        ("nowhere.csv", "nowhere.csv cannot be read"),
        ("", "neither a file nor a data set"),
        ("a\0b", "neither a file nor a data set"),
        ("x" * 5000, "neither a file nor a data set"),
        ("session.kviz", "session.kviz"),
    ],
)
def test_anything_else_is_told_in_one_sentence(source: str, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint.replace("(", r"\(").replace("?", r"\?")):
        open_source(source)


def test_columns_belong_to_files(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="data sets and sessions have their own"):
        open_source("rings", columns="1,2,3")
    (tmp_path / "wide.csv").write_text("a,b,c,d\n1,2,3,x\n4,5,6,y\n")
    assert open_source(str(tmp_path / "wide.csv"), columns="a,c,d").data.columns == ("a", "c")


def test_the_algorithm_says_whether_the_target_is_a_class(tmp_path: Path) -> None:
    path = tmp_path / "line.csv"
    path.write_text("x,y\n0,1\n1,2\n2,3\n")
    assert open_source(str(path)).data.task is Task.REGRESSION
    assert open_source(str(path), algorithm=algorithm("soft-margin-svm")).data.task is Task.CLASSES


@pytest.mark.parametrize("values", ["0 1 0 1", "2 2 2"])
def test_an_algorithm_that_knows_both_leaves_the_target_what_it_is_without_one(
    tmp_path: Path, values: str
) -> None:
    path = tmp_path / "line.csv"
    path.write_text("x,y\n" + "".join(f"{x},{y}\n" for x, y in enumerate(values.split())))
    for chosen in (None, algorithm("ridge"), algorithm("nearest-neighbours"), algorithm("svr")):
        assert open_source(str(path), algorithm=chosen).data.task is Task.REGRESSION
    assert open_source(str(path), algorithm=algorithm("soft-margin-svm")).data.task is Task.TWO_CLASSES
    several = Requested(fit=("rbf ; ridge", "rbf ; soft-margin-svm"))
    assert str(several.algorithm_named()) == str(algorithm("soft-margin-svm"))


@pytest.mark.parametrize(
    "requested", [Requested(kernel="spectrum(length=2)"), Requested(fit=("words ; ridge",))]
)
def test_a_kernel_for_strings_has_digits_read_as_the_letters_they_are_written_in(
    requested: Requested, tmp_path: Path
) -> None:
    (tmp_path / "digits.csv").write_text("text,label\n012,x\n1234567,y\n1.50,x\n")
    data = open_source(str(tmp_path / "digits.csv"), texts=requested.texts).data
    assert data.X == ("012", "1234567", "1.50")
    assert data.class_of_each == ["x", "y", "x"]
    tested = open_source(str(tmp_path / "digits.csv"), texts=True).tested(str(tmp_path / "digits.csv"))
    assert tested.held_out is not None
    assert tested.held_out.data.X == data.X
    assert not Requested(kernel="rbf").texts
    assert not Requested().texts


def test_texts_with_a_label_and_something_else_need_their_columns_chosen(tmp_path: Path) -> None:
    path = tmp_path / "texts.csv"
    path.write_text("text,label,when\nabc def,x,monday\nabc,y,friday\nghi,x,monday\n")
    with pytest.raises(
        BadInput, match=r"line 2, column 1 \(text\): 'abc def' is not a number.*--columns 1,2"
    ):
        open_source(str(path))
    assert open_source(str(path), columns="1,2").data.X == ("abc def", "abc", "ghi")


def test_the_class_that_is_plus_can_be_named(tmp_path):
    path = tmp_path / "mail.csv"
    path.write_text("a,b,label\n0,0,ham\n1,0,spam\n0,1,ham\n1,1,spam\n")
    usual, other = (Requested(str(path), positive=name).open().data for name in ("spam", "ham"))
    assert (usual.class_names, other.class_names) == (("ham", "spam"), ("spam", "ham"))
    assert np.array_equal(other.z, -usual.z)
    state, _ = Requested("rings(n=40)", positive="-", test="0.25").state()
    plain, _ = Requested("rings(n=40)", test="0.25").state()
    assert np.array_equal(state.document.data.z, -plain.document.data.z)
    assert np.array_equal(state.document.test_data.z, -plain.document.test_data.z)
    assert (state.document.source, state.document.origin) == ("", "rings(n=40)")
    with pytest.raises(BadInput, match="one of two classes; these are - and \\+, not 'yes'"):
        Requested("rings(n=40)", positive="yes").open()
    with pytest.raises(BadInput, match="these data have real targets"):
        Requested("sine", positive="+").open()
