"""Everything written reads back as it was."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelviz.api import fit
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import dataset, kernel
from kernelviz.session.tables import arrays, delimited, svmlight
from kernelviz.session.tables.formats import DATA_FORMATS, parse, read, save_data, save_model
from tests.session.states import data_of

CLASSES = Data.labelled(
    [[0.1, -2e-7], [1e12, 3], [5, 0]], ["a, or b", 'the "other"', "a, or b"], ["in m", "s"]
)
REGRESSION = Data.regression([[0.5], [1.5], [2.25]], [1.1, -2.2, 3.3], ["x"])
SOURCES = [dataset("rings(n=21)"), dataset("iris(classes=all)"), CLASSES, REGRESSION]


def read_back(data: Data, suffix: str) -> Data:
    return data_of(parse(DATA_FORMATS[suffix](data), f"points{suffix}"))


@pytest.mark.parametrize("suffix", sorted(DATA_FORMATS))
@pytest.mark.parametrize("data", SOURCES, ids=["two classes", "three classes", "odd names", "regression"])
def test_points_and_targets_come_back_exactly(data: Data, suffix: str) -> None:
    again = read_back(data, suffix)
    assert np.array_equal(again.X, data.X)
    assert np.array_equal(again.y, data.y)
    assert again.task is data.task


@pytest.mark.parametrize("suffix", [".csv", ".npz"])
@pytest.mark.parametrize("data", SOURCES[:3])
def test_names_of_classes_and_columns_come_back(data: Data, suffix: str) -> None:
    again = read_back(data, suffix)
    assert again.class_names == data.class_names
    assert again.columns == data.columns


finite = st.floats(-1e12, 1e12)


@settings(deadline=None, max_examples=100)
@given(
    st.lists(st.tuples(finite, finite, st.booleans()), min_size=1, max_size=8),
    st.sampled_from([delimited.write, svmlight.write, arrays.write]),
)
def test_any_finite_coordinates_come_back_to_the_last_bit(
    rows: list[tuple[float, float, bool]], write: object
) -> None:
    data = Data.labelled([row[:2] for row in rows], ["+" if row[2] else "-" for row in rows])
    again = data_of(write(data))  # type: ignore[operator]
    assert np.array_equal(again.X, data.X)
    assert np.array_equal(again.z, data.z)


def test_scikit_learn_reads_our_svmlight(tmp_path: Path) -> None:
    from sklearn.datasets import load_svmlight_file

    data = dataset("rings(n=30)")
    save_data(data, tmp_path / "rings.svm")
    X, z = load_svmlight_file(str(tmp_path / "rings.svm"))
    assert np.array_equal(X.toarray(), data.X)
    assert np.array_equal(z, data.z)


def test_we_read_scikit_learns_svmlight(tmp_path: Path) -> None:
    from sklearn.datasets import dump_svmlight_file

    data = dataset("rings(n=30)")
    dump_svmlight_file(data.X, data.z, str(tmp_path / "rings.dat"), comment="made by scikit-learn")
    again = data_of(read(tmp_path / "rings.dat"))
    assert pytest.approx(data.X, rel=1e-14) == again.X


def test_numpy_reads_our_archive_and_we_its(tmp_path: Path) -> None:
    data = dataset("rings(n=30)")
    save_data(data, tmp_path / "rings.npz")
    with np.load(tmp_path / "rings.npz", allow_pickle=False) as archive:
        assert np.array_equal(archive["X"], data.X)
    np.savez_compressed(tmp_path / "theirs.npz", X=np.asfortranarray(data.X), y=data.z.astype(np.int8))
    assert np.array_equal(data_of(read(tmp_path / "theirs.npz")).X, data.X)
    np.save(tmp_path / "table.npy", np.column_stack([data.X, data.z]).astype(np.float32))
    assert np.array_equal(data_of(read(tmp_path / "table.npy")).z, data.z)


def test_an_archive_of_columns_is_a_table(tmp_path: Path) -> None:
    np.savez(tmp_path / "columns.npz", a=[1.0, 2.0], b=[3, 4], label=["no", "yes"])
    data = data_of(read(tmp_path / "columns.npz"))
    assert data.X.tolist() == [[1, 3], [2, 4]]
    assert data.class_names == ("no", "yes")


def test_pickled_objects_are_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "objects.npz", X=np.array([[1, "a"], [{}, None]], dtype=object))
    with pytest.raises(BadInput, match="something else than arrays of numbers or text"):
        read(tmp_path / "objects.npz")


def test_arrays_that_do_not_fit_together_are_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", X=np.zeros((3, 2)), z=np.ones(2))
    with pytest.raises(BadInput, match="one length, not 2, 3"):
        read(tmp_path / "a.npz")
    np.save(tmp_path / "b.npy", np.zeros((2, 2, 2)))
    with pytest.raises(BadInput, match="3 dimensions"):
        read(tmp_path / "b.npy")


def test_an_unknown_suffix_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"\.csv, .*\.npz\); 'points\.xlsx' is none of them"):
        save_data(SOURCES[0], tmp_path / "points.xlsx")


def test_a_saved_model_rebuilds_the_score(tmp_path: Path) -> None:
    data = dataset("rings(n=40)")
    model = fit(data, kernel="rbf(gamma=2)")
    save_model(model, tmp_path / "model.json")
    saved = json.loads((tmp_path / "model.json").read_text())
    place = np.array([[0.3, 0.4], [1.5, 0.0]])
    score = saved["b"] + kernel(saved["kernel"])(place, data.X) @ np.array(saved["beta"])
    assert score == pytest.approx(model.score(place))
    assert saved["summary"] == model.summary()


def test_strings_are_saved_as_csv_and_read_back_whatever_they_hold(tmp_path):
    texts = ('say "no"', "a, b; c", "# no comment", "tab\there", "caf\u00e9", "1", "two\nlines")
    data = Data.labelled(texts, ["+", "-", "+", "-", "+", "-", "+"], ["text"])
    save_data(data, tmp_path / "strings.csv")
    back = data_of(read(tmp_path / "strings.csv"))
    assert texts == back.X
    assert back.class_of_each == data.class_of_each
    with pytest.raises(BadInput, match="Strings are saved as CSV"):
        save_data(data, tmp_path / "strings.npz")


@pytest.mark.parametrize(
    "texts",
    [
        [" ab ", "  ", "", "a\t", "\u2028x\u2028", "\u00a0y", "\u22125 and \u2212"],
        ["one\rtwo", "one\r\ntwo", "one\ntwo", "# no\n# comment", 'say "no"', '\n"', "a,b;c"],
        ["1", "2.5", "-3", "1e5"],
    ],
    ids=["blanks", "ends of lines", "numbers"],
)
@pytest.mark.parametrize("labelled", [True, False])
def test_strings_read_back_exactly_whatever_they_are(texts, labelled):
    labels = ["a b", "-1", *["a b"] * (len(texts) - 2)]
    data = Data.labelled(texts, labels) if labelled else Data.unlabelled(texts)
    back = read_back(data, ".csv")
    assert back.X == data.X
    assert back.class_names == data.class_names
    if labelled:
        assert back.class_of_each == data.class_of_each


def test_a_table_with_every_cell_quoted_still_has_numbers():
    assert data_of(
        parse(b'"x","y","label"\n"1","2","a"\n"3","\xe2\x88\x924","b"\n', "quoted.csv")
    ).X.tolist() == [[1, 2], [3, -4]]
