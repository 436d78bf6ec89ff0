"""Choosing columns of a table."""

from __future__ import annotations

import pytest

from kernelviz.engine.core.data import Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import algorithm, kernel
from kernelviz.session.files import kviz
from kernelviz.session.scripts import script
from kernelviz.session.state import Document, State
from kernelviz.session.tables import formats
from kernelviz.session.tables.columns import choose, guess, obvious, suggest, to_data
from kernelviz.session.tables.formats import read, read_text
from kernelviz.session.tables.table import ColumnChoice, Table
from tests.session.states import data_of


def wide() -> Table:
    return read_text(
        "id,Height,weight,species,2\n1,1.5,10,cat,7\n2,2.5,20,dog,8\n3,3.5,30,cat,9\n", "wide.csv"
    )


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("Height,weight,species", ColumnChoice((1, 2), 3)),
        ("height, WEIGHT ,species", ColumnChoice((1, 2), 3)),
        ("2,3,4", ColumnChoice((4, 2), 3)),  # a column called 2 comes before column number 2
        ("3,4", ColumnChoice((2,), 3)),
        ("Height,weight,-", ColumnChoice((1, 2), None)),
        ("id,Height,weight,species", ColumnChoice((0, 1, 2), 3)),
    ],
)
def test_columns_are_chosen_by_name_or_number(text: str, choice: ColumnChoice) -> None:
    assert choose(wide(), text) == choice


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("Height,wait,species", "no column 'wait'. Did you mean weight?"),
        ("1,9", "no column 9; the columns are numbered 1 to 5"),
        ("Height", "at least two columns"),
        ("", "with commas between"),
        ("Height,,species", "with commas between"),
        ("Height,Height,species", "repeats one"),
        ("Height,weight,Height", "repeats one"),
    ],
)
def test_a_wrong_choice_is_told_in_one_sentence(text: str, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        choose(wide(), text)


def test_columns_of_one_name_are_chosen_by_number() -> None:
    table = read_text("x,x,label\n1,2,a\n3,4,b\n")
    with pytest.raises(BadInput, match="2 columns are named 'x'"):
        choose(table, "x,label")
    assert choose(table, "1,2,label") == ColumnChoice((0, 1), 2)


def test_a_wide_table_asks_for_a_choice_and_suggests_one() -> None:
    with pytest.raises(BadInput, match=r"wide\.csv has 5 columns .* --columns"):
        guess(wide())
    assert suggest(wide()) == ColumnChoice((0, 1), 3)


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("1\n2\n", ColumnChoice((0,), None)),
        ("1,2\n2,3\n", ColumnChoice((0,), 1)),
        ("1,2,3\n4,5,6\n", ColumnChoice((0, 1), 2)),
        ("a,1,2\nb,4,5\n", ColumnChoice((1, 2), 0)),
        ("z,x,y\n1,2,3\n0,4,5\n", ColumnChoice((1, 2), 0)),
        ("x,y,c\n1,2,3\n0,4,5\n", ColumnChoice((0, 1), 2)),
    ],
)
def test_up_to_three_columns_speak_for_themselves(text: str, choice: ColumnChoice) -> None:
    assert guess(read_text(text)) == choice


@pytest.mark.parametrize(
    ("target", "task"),
    [
        ("0 1 0 1", Task.TWO_CLASSES),
        ("0.5 2.5 0.5 2.5", Task.TWO_CLASSES),
        ("1 2 3 1", Task.CLASSES),
        ("0.1 0.2 0.3 0.4", Task.REGRESSION),
        ("a b c a", Task.CLASSES),
    ],
)
def test_the_values_of_the_target_tell_classes_from_quantities(target: str, task: Task) -> None:
    text = "".join(f"{i},{i % 2},{label}\n" for i, label in enumerate(target.split()))
    assert data_of(text).task is task


@pytest.mark.parametrize(
    ("target", "measured"),
    [
        ("0.3 1.7 0.2 9", True),
        ("0.1 0.2 0.3", True),
        ("0.5 0.5 1.5 1.5 2.5 2.5", False),
        ("1 2 3 4", False),
        ("0.1 0.2", False),
    ],
)
def test_classes_are_not_made_of_measured_values(target: str, measured: bool) -> None:
    table = read_text("x,y\n" + "".join(f"{i},{value}\n" for i, value in enumerate(target.split())))
    if not measured:
        assert to_data(table, ColumnChoice((0,), 1), regression=False).task is not Task.REGRESSION
        return
    with pytest.raises(BadInput, match=r"column 2 \(y\): nearly every row has a value of its own"):
        to_data(table, ColumnChoice((0,), 1), regression=False)


def test_a_regression_can_be_asked_for() -> None:
    table = read_text("1,2,0\n3,4,1\n")
    assert to_data(table, guess(table), regression=True).task is Task.REGRESSION


def test_the_preview_shows_the_first_rows_as_text() -> None:
    assert wide().preview(2) == [("1", "1.5", "10", "cat", "7"), ("2", "2.5", "20", "dog", "8")]


def test_a_chosen_text_column_is_no_coordinate() -> None:
    with pytest.raises(BadInput, match=r"wide\.csv, line 2, column 4 \(species\): 'cat' is not a number"):
        to_data(wide(), choose(wide(), "Height,species,id"))


def test_two_coordinates_and_a_label_leave_no_choice():
    data = obvious(read_text("a,b,label\n1,2,x\n3,4,y\n"))
    assert data.X.tolist() == [[1, 2], [3, 4]]
    assert data.class_names == ("x", "y")


def test_one_coordinate_and_a_label_leave_no_choice_either():
    data = obvious(read_text("x,label\n1,a\n2,b\n4,a\n"))
    assert (data.X.tolist(), data.columns) == ([[1], [2], [4]], ("x",))


@pytest.mark.parametrize(
    "text", ["a\n1\n3\n", "a,b,c,label\n1,2,3,x\n4,5,6,y\n", "a,b,c\n1,2,0.5\n3,4,0.25\n5,6,0.75\n"]
)
def test_any_other_table_has_to_be_asked_about(text):
    assert obvious(read_text(text)) is None


@pytest.mark.parametrize(
    ("text", "strings", "classes"),
    [
        (
            'text,label\n"hello, you",en\nciao,it\nhallo,de\n',
            ("hello, you", "ciao", "hallo"),
            ["en", "it", "de"],
        ),
        (
            "hello there\ten\nciao bella\tit\nhello you\ten\n",
            ("hello there", "ciao bella", "hello you"),
            None,
        ),
        (
            "it;ciao\nen;hello\nen;good day\nit;buon giorno\n",
            ("ciao", "hello", "good day", "buon giorno"),
            None,
        ),
        (
            "sentence,z\none more,1\nand two,-1\nor three,1\n",
            ("one more", "and two", "or three"),
            ["1", "-1", "1"],
        ),
        (
            "good one,1\nbad one,0\nfine one,1\npoor one,0\n",
            ("good one", "bad one", "fine one", "poor one"),
            None,
        ),
    ],
)
def test_a_column_of_texts_and_one_that_labels_them_are_strings_with_classes(text, strings, classes):
    data = data_of(text)
    assert data.domain == "strings"
    assert strings == data.X
    assert classes is None or data.class_of_each == classes


@pytest.mark.parametrize("text", ["1,a\n2,b\n3,a\n", "x,label\n1,a\n2,b\n", "a,1\nb,2\na,3.5\nb,4\n"])
def test_a_number_and_the_word_that_labels_it_are_no_strings(text):
    assert data_of(text).domain == "vectors"


@pytest.mark.parametrize(
    "text",
    [
        "x,y\n1,0\n2,1\n3,0\n4,1\n",
        "1,0\n2,1\n3,0\n4,1\n",
        "x,y\n1,2\n2,2\n3,2\n",
        "x,target\n1,2\n",
        "y,x\n0,1\n1,2\n",
    ],
)
def test_a_number_and_a_number_are_points_of_a_curve_however_few_values_there_are(text):
    data = obvious(read_text(text))
    assert (data.task, data.X[0, 0]) == (Task.REGRESSION, 1.0)


@pytest.mark.parametrize(
    ("text", "domain"),
    [("x,label\n1,0\n2,1\n", "vectors"), ("good one,1\nbad one,0\nfine one,1\npoor one,0\n", "strings")],
)
def test_two_numbers_that_label_something_are_classes(text, domain):
    data = obvious(read_text(text))
    assert (data.task, data.domain) == (Task.TWO_CLASSES, domain)


@pytest.mark.parametrize("day", ["2020-01-0{}", "0{}.01.2020", "2020-01-0{}T12:00", "12:0{}"])
def test_dates_that_all_differ_are_no_classes(day):
    table = read_text("time,temp\n" + "".join(f"{day.format(k)},{k % 3}\n" for k in range(1, 6)), "dates.csv")
    with pytest.raises(BadInput, match=r"dates\.csv, line 2, column 1 \(time\): .* is a date.*as numbers"):
        data_of(table)


def test_the_name_of_a_measured_target_survives_sessions_tables_and_scripts(tmp_path) -> None:
    data = to_data(read_text("time,volts\n0,2.5\n1,3.5\n2,4\n"), ColumnChoice((0,), 1))
    assert (data.columns, data.target_name) == (("time",), "volts")
    state = State(Document.of(data, kernel("rbf"), algorithm("ridge")))
    kviz.save(tmp_path / "a.kviz", state, {})
    assert kviz.load(tmp_path / "a.kviz")[0].document.data.target_name == "volts"
    formats.save_data(data, tmp_path / "a.csv")
    assert obvious(read(tmp_path / "a.csv")).target_name == "volts"
    assert "target_name='volts'" in script.kernelviz_script(state)
    assert "ylabel='volts'" in script.sklearn_script(state)


def test_a_measured_target_called_class_is_read_back_as_measured(tmp_path) -> None:
    data = to_data(read_text("time,class\n0,1\n1,2\n2,2\n"), ColumnChoice((0,), 1), regression=True)
    formats.save_data(data, tmp_path / "a.csv")
    assert obvious(read(tmp_path / "a.csv")).task is Task.REGRESSION


def test_names_that_the_reader_made_up_are_no_names_of_the_target() -> None:
    assert to_data(read_text("0,2.5\n1,3.5\n2,4\n"), ColumnChoice((0,), 1)).target_name == ""
