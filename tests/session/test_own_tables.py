"""Tables as other programs write them: codings, packing, gaps, numbered rows, ranges of columns, ARFF."""

from __future__ import annotations

import gzip
import io
import json
import zipfile

import numpy as np
import pytest

from kernelviz.cli import main
from kernelviz.engine.core.data import Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.session.sources import Requested
from kernelviz.session.tables import formats
from kernelviz.session.tables.columns import choose, guess, obvious, to_data, without_gaps
from kernelviz.session.tables.formats import parse, read, read_text
from kernelviz.session.tables.table import BYTES

GERMAN = "Größe;Höhe;Art\r\n1,5;2,25;süß\r\n3,5;4;schön\r\n2,5;1;süß\r\n".encode("cp1252")
GAPS = "a,b,label\n1,2,x\n3,,y\n5,NA,x\n7,8,\n?,1,y\n2,2,x\n"


# Codings and packing ------------------------------------------------------------------------------------
def test_a_german_excel_table_is_read_and_says_how():
    table = parse(GERMAN, "maße.csv")
    data = to_data(table, guess(table))
    assert data.columns == ("Größe", "Höhe")
    assert data.X.tolist() == [[1.5, 2.25], [3.5, 4.0], [2.5, 1.0]]
    assert data.class_names == ("schön", "süß")
    assert table.remarks == ("maße.csv is not in UTF-8 (line 1); it is read as Windows-1252.",)


def test_what_windows_does_not_know_is_latin_1():
    table = parse("x,y,label\n1,2,gr\x81n\n3,4,ö\n".encode("latin-1"), "old.csv")
    assert table.remarks == ("old.csv is not in UTF-8 (line 2); it is read as Latin-1.",)
    assert parse(b"x,y,label\n1,2,a\n", "new.csv").remarks == ()


@pytest.mark.parametrize("content", [b"1,2,\xf6\x01", b"1,\xfd\x02", b"MZ\x90\x03\x04"])
def test_what_has_control_characters_is_no_text(content):
    with pytest.raises(BadInput, match="not a text file"):
        parse(content, "program.csv")


def test_a_packed_table_is_read(tmp_path):
    (tmp_path / "points.csv.gz").write_bytes(gzip.compress(b"1,2,x\n3,4,y\n"))
    assert guess(read(tmp_path / "points.csv.gz")).target == 2
    stream = io.BytesIO()
    np.savez(stream, X=[[1.0, 2.0], [3.0, 4.0]], z=[1, -1])
    assert len(parse(gzip.compress(stream.getvalue()), "points.npz.gz")) == 2


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (gzip.compress(bytes(BYTES + 1)), "unpacks to more than 100 MB"),
        (gzip.compress(b"1,2,x\n" * 100)[:-9], "damaged or cut short"),
        (gzip.compress(gzip.compress(b"1,2,x\n")), "not a text file"),
        (b"\x1f\x8b\x07", "damaged or cut short"),
    ],
    ids=["a bomb", "cut", "packed twice", "another packing"],
)
def test_what_cannot_be_unpacked_is_refused(content, told):
    with pytest.raises(BadInput, match=told):
        parse(content, "points.csv.gz")


# Files of other programs --------------------------------------------------------------------------------
def workbook(member: str, content: str = "") -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(member, content)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (workbook("xl/workbook.xml"), "an Excel workbook"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(100), "an Excel workbook"),
        (workbook("mimetype", "application/vnd.oasis.opendocument.spreadsheet"), "a LibreOffice spreadsheet"),
        (b"PAR1" + bytes(10), "a Parquet file"),
        (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
    ],
)
def test_files_of_other_programs_say_what_to_do(content, what):
    with pytest.raises(BadInput, match=f"cells is {what}, which kernelviz does not read: save it as CSV"):
        parse(content, "cells")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (workbook("a.csv", "1,2,x"), "a ZIP archive, which kernelviz does not read: unpack it first"),
        (b"BZh91AY&SY", "packed by bzip2, which kernelviz does not read: unpack it first"),
        (b"\n<!DOCTYPE html><html>", "a web page, which kernelviz does not read: download the table itself"),
    ],
)
def test_packed_tables_and_pages_about_tables_say_what_to_do(content, told):
    with pytest.raises(BadInput, match=told):
        parse(content, "cells")


@pytest.mark.parametrize("line", ["sep=;", "SEP=;", '"sep=;"'])
def test_the_separator_that_a_table_names_for_excel_is_taken(line):
    table = read_text(f"{line}\r\na;b;kind\r\n1,5;2;u\r\n2;3,5;v\r\n", "t.csv")
    assert (table.names, table.lines) == (("a", "b", "kind"), (3, 4))
    assert to_data(table, guess(table)).X.tolist() == [[1.5, 2], [2, 3.5]]


@pytest.mark.parametrize("separator", [" ", ","])
def test_a_table_of_r_has_no_title_above_the_names_of_its_rows(separator):
    rows = (['"a"', '"b"', '"kind"'], ['"1"', "5", "2", '"u"'], ['"2"', "6", "1", '"v"'])
    table = read_text("\n".join(map(separator.join, rows)), "frame.txt")
    assert table.names == ("a", "b", "kind")
    assert table.remarks == (
        "The first column of frame.txt has no name and counts the rows: it is left out.",
    )


def test_a_first_row_of_more_cells_is_still_wrong():
    with pytest.raises(BadInput, match="line 2: 4 values, but line 1 has 3"):
        read_text("a,b,kind\n1,2,3,u\n1,2,v\n", "t.csv")


def test_thousands_are_grouped_by_points_where_the_comma_is_decimal():
    table = read_text("a;b;kind\n1.234,5;1;u\n999;2;v\n1.000;3;u\n", "t.csv")
    assert to_data(table, guess(table)).X[:, 0].tolist() == [1234.5, 999.0, 1000.0]


@pytest.mark.parametrize("address", ["https://example.org/a.csv", "ftp://host/b.csv"])
def test_an_address_says_what_to_do(address, capsys):
    assert main(["fit", address]) == 2
    assert "is an address: download the file first, and open that." in capsys.readouterr().err


# Gaps ---------------------------------------------------------------------------------------------------
def test_all_cells_that_are_missing_are_named_at_once():
    table = read_text(GAPS, "gaps.csv")
    with pytest.raises(BadInput) as caught:
        to_data(table, guess(table))
    assert str(caught.value) == (
        "gaps.csv, line 3, column 2 (b): the number is missing; line 4, column 2 (b): the number is missing "
        "(NA); line 5, column 3 (label): the label is missing; and 1 more cell."
    )


@pytest.mark.parametrize("gap", ["", "?", "NA", "#N/A", "#NV", "<NA>", "n.a.", "NULL", "-", "."])
def test_numbers_that_are_missing_are_written_in_many_ways(gap):
    table = read_text(f"a,b,label\n1,2,x\n3,{gap},y\n5,6,x\n7,8,y\n", "t.csv")
    assert len(without_gaps(table, guess(table))[0]) == 3


def test_the_first_rows_show_gaps_as_they_are_written():
    table = read_text("a,b,label\n1.50,NA,x\n3,,y\n5,6,x\n", "t.csv")
    assert table.preview(2) == [("1.5", "NA", "x"), ("3", "", "y")]


def test_labels_that_are_missing_are_no_class_unless_they_are_quoted():
    table = read_text("a,b,label\n1,2,x\n3,4,NA\n5,6,y\n7,8,NA\n9,8,x\n", "t.csv")
    with pytest.raises(BadInput, match=r"line 3, column 3 \(label\): the label is missing \(NA\)"):
        to_data(table, guess(table))
    assert to_data(without_gaps(table, guess(table))[0], guess(table)).class_names == ("x", "y")
    quoted = read_text('a,b,label\n1,2,"EU"\n3,4,"NA"\n5,6,"EU"\n7,8,"NA"\n', "t.csv")
    assert to_data(quoted, guess(quoted)).class_names == ("EU", "NA")


def test_words_that_look_like_gaps_are_words():
    table = read_text("text,label\nnan,x\nna,y\n?,x\nnone,y\n", "words.csv")
    assert to_data(table, guess(table)).X == ("nan", "na", "?", "none")


def test_an_empty_column_is_named():
    table = read_text("a,b,c,label\n1,2,,x\n3,4,,y\n", "t.csv")
    with pytest.raises(BadInput, match=r"^t.csv, column 3 \(c\) is empty: choose another\.$"):
        to_data(table, choose(table, "a,c,label"))


def test_rows_that_lack_a_value_are_left_out():
    table = read_text(GAPS, "gaps.csv")
    whole, sentence = without_gaps(table, guess(table))
    assert sentence == "4 of 6 rows lack a value and are left out."
    assert to_data(whole, guess(whole)).X.tolist() == [[1, 2], [2, 2]]
    assert whole.lines == (2, 7)


def test_only_gaps_in_the_chosen_columns_count():
    table = read_text("a,b,c,label\n1,2,,x\n3,4,5,y\n", "gaps.csv")
    assert without_gaps(table, choose(table, "a,b,label")) == (table, "")
    assert len(without_gaps(table, choose(table, "a,c,label"))[0]) == 1


def test_the_command_line_says_how_to_leave_out_gaps_and_does_it(tmp_path, capsys):
    path = tmp_path / "gaps.csv"
    path.write_text(GAPS + "3,4,y\n")
    assert main(["fit", str(path)]) == 2
    assert "Leave such rows out by --missing drop." in capsys.readouterr().err
    assert main(["fit", str(path), "--missing", "drop"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["n"] == 3
    assert "4 of 7 rows lack a value and are left out." in answer["message"]


def test_a_wrong_cell_is_no_gap(tmp_path, capsys):
    path = tmp_path / "wrong.csv"
    path.write_text("a,b,label\n1,2,x\n3,four,y\n5,6,x\n7,inf,y\n")
    assert main(["fit", str(path), "--missing", "drop"]) == 2
    told = capsys.readouterr().err
    assert "column 2 (b): 'four' is not a number" in told
    assert "--missing" not in told


def test_names_such_as_none_are_words():
    table = read_text("text,label\nnone,x\nNA,y\nnull,x\n7,y\n", "words.csv")
    assert obvious(table).X == ("none", "NA", "null", "7")


# Columns ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("title", ["", '""', "Unnamed: 0"])
@pytest.mark.parametrize("numbers", [(0, 1, 2), (1, 2, 3), ('"1"', '"2"', '"3"')])
def test_a_column_that_counts_the_rows_is_left_out_and_mentioned(title, numbers):
    rows = ["1.5,2,x", "3,4.5,y", "5,6,x"]
    lines = [f"{title},a,b,label", *(f"{k},{row}" for k, row in zip(numbers, rows, strict=True))]
    table = read_text("\n".join(lines), "frame.csv")
    assert table.names == ("a", "b", "label")
    assert table.remarks == (
        "The first column of frame.csv has no name and counts the rows: it is left out.",
    )
    assert obvious(table).columns == ("a", "b")


def test_columns_keep_the_numbers_they_have_in_the_file():
    table = read_text(",a,b,label\n0,1,2,x\n1,3,4,y\n", "frame.csv")
    assert choose(table, "2,3,4") == choose(table, "a,b,label")
    with pytest.raises(BadInput, match="There is no column 1; the columns are numbered 2 to 4"):
        choose(table, "1,2,4")
    with pytest.raises(BadInput, match=r"column 3 \(b\)"):
        read_text(",a,b,label\n0,1,,x\n1,3,4,y\n").numbers(1)


@pytest.mark.parametrize(
    "first", ["id,a,label\n0,1,x\n1,2,y\n", ",a,label\n0,1,x\n2,2,y\n", "0,1,x\n1,2,y\n"]
)
def test_other_first_columns_are_data(first):
    assert len(read_text(first, "t.csv").columns) == 3


def test_a_range_of_columns_is_chosen():
    names = ",".join(f"f{j}" for j in range(1, 31))
    table = read_text(f"{names},label\n" + f"{','.join('1' * 30)},x\n" * 3, "wide.csv")
    choice = choose(table, "1-30,31")
    assert choice.coordinates == tuple(range(30))
    assert choice.target == 30
    assert choose(table, "f3,5-7,label").coordinates == (2, 4, 5, 6)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("3-1,4", "from the smaller number to the larger"),
        ("1-9,4", "There is no column 9"),
        ("1-3,3", "chosen once"),
        ("1,1-2,4", "chosen once"),
        ("1,2-4", "no column '2-4'"),
    ],
)
def test_a_range_that_does_not_fit_is_refused(text, told):
    with pytest.raises(BadInput, match=told):
        choose(read_text("a,b,c,d\n1,2,3,4\n", "t.csv"), text)


def test_a_column_may_be_called_like_a_range():
    table = read_text("1-2,3-4,label\n1,2,x\n3,4,y\n", "ages.csv")
    assert choose(table, "1-2,3-4,label").coordinates == (0, 1)


# ARFF ---------------------------------------------------------------------------------------------------
ARFF = """% Flowers
@RELATION flowers
@ATTRIBUTE length NUMERIC
@attribute 'the width' real
@attribute class {süß,sour}
@data
1,2,süß
3.5,?,sour
5,6,sour
7,8,?
"""


def test_arff_is_read(tmp_path):
    (tmp_path / "flowers.arff").write_text(ARFF, encoding="utf-8")
    table = read(tmp_path / "flowers.arff")
    assert table.names == ("length", "the width", "class")
    whole, sentence = without_gaps(table, guess(table))
    assert sentence.startswith("2 of 4 rows")
    data = to_data(whole, guess(whole))
    assert data.X.tolist() == [[1, 2], [5, 6]]
    assert data.class_of_each == ["süß", "sour"]


def test_labels_in_numbers_are_classes_in_arff():
    table = parse(
        b"@relation r\n@attribute a real\n@attribute b real\n@attribute c {0,1}\n@data\n1,2,0\n3,4,1\n", "r"
    )
    assert to_data(table, guess(table)).class_names == ("0", "1")


@pytest.mark.parametrize(
    "text",
    [
        "@relation",
        "@relation r\n@attribute x numeric\n",
        "@relation r\n@attribute x numeric\n@data\n{1 1}\n",
        "@relation r\n@attribute x numeric\n@data\n{0 }\n",
        "@relation r\n@attribute x numeric\n@data\n1,2\n",
        "@relation r\n@attribute x string\n@data\n'abc\n",
        "@relation r\n@attribute 'x numeric\n@data\n1\n",
        "@relation r\n@attribute x numeric\n@attribute y real\n@data\n1\n",
        "@relation r\n@attribute x {a,b\n@data\nc\n",
        "@relation r\n@attribute r relational\n@attribute x real\n@end r\n@data\n1\n",
        "@relation r\n@data\n1\n",
        "@relation \x00",
    ],
)
def test_a_broken_arff_file_is_a_sentence(text):
    with pytest.raises(BadInput) as caught:
        to_data(table := parse(text.encode(), "r.arff"), guess(table))
    assert str(caught.value).startswith("r.arff")
    assert "\n" not in str(caught.value)


def test_texts_and_quotation_marks_in_arff():
    text = """@relation r
@attribute s string
@attribute kind {"a b",'c'}
@data
'one, two',"a b"
'it\\'s',c
"it's",'a b'
"""
    data = to_data(table := parse(text.encode(), "r.arff"), guess(table))
    assert data.X == ("one, two", "it's", "it's")
    assert data.class_of_each == ["a b", "c", "a b"]


THREE = "@relation r\n@attribute a real\n@attribute b real\n@attribute c {x,y}\n@data\n"


def test_rows_of_arff_in_braces_have_what_is_not_0():
    text = f"{THREE}{{0 1.5, 2 y}}\n{{1 2}}\n{{}}\n"
    data = to_data(table := parse(text.encode(), "r.arff"), guess(table))
    assert data.X.tolist() == [[1.5, 0], [0, 2], [0, 0]]
    assert data.class_of_each == ["y", "x", "x"]


def test_a_wrong_cell_of_arff_is_named_with_its_line():
    text = f"{THREE}1,2,x\n\nfoo,4,y\n5,6,y\n"
    with pytest.raises(BadInput, match=r"^r.arff, line 8, column 1 \(a\): 'foo' is not a number\.$"):
        to_data(table := parse(text.encode(), "r.arff"), guess(table))


def test_an_arff_file_of_too_many_rows_is_refused_before_it_is_read(monkeypatch):
    monkeypatch.setattr("kernelviz.session.tables.table.ROWS", 10)
    with pytest.raises(BadInput, match="at most 10 are read"):
        parse(ARFF.encode() + b"1,2,sour\n" * 10, "long.arff")


# Task ---------------------------------------------------------------------------------------------------
def grades(tmp_path, name: str = "grade"):
    path = tmp_path / "grades.csv"
    path.write_text(f"a,b,{name}\n" + "".join(f"{i / 7},{i % 5},{i % 3}\n" for i in range(30)))
    return str(path)


def test_a_target_that_may_be_either_is_mentioned_with_the_way_to_choose(tmp_path):
    source = Requested(grades(tmp_path), algorithm="ridge").open()
    assert source.data.task is Task.CLASSES
    assert source.note == "The target is treated as a class; --task regression treats it as a number."
    chosen = Requested(grades(tmp_path), algorithm="ridge", task="regression").open()
    assert chosen.data.task is Task.REGRESSION
    assert "target is taken" not in chosen.note


def test_a_target_of_several_decimals_is_mentioned_too(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("x,dose\n" + "".join(f"{i},{i % 3 / 2}\n" for i in range(30)))
    source = Requested(str(path), algorithm="ridge").open()
    assert source.data.task is Task.REGRESSION
    assert "--task classification treats it as a class." in source.note
    assert Requested(str(path), algorithm="ridge", task="classification").open().data.task is Task.CLASSES


@pytest.mark.parametrize("algorithm", ["soft-margin-svm", "svr"])
def test_an_algorithm_that_decides_needs_no_remark(tmp_path, algorithm):
    assert "target is taken" not in Requested(grades(tmp_path), algorithm=algorithm).open().note


def test_a_column_called_class_needs_no_remark(tmp_path):
    assert Requested(grades(tmp_path, "class"), algorithm="ridge").open().note == ""


def test_too_many_labels_name_the_other_task(tmp_path, capsys):
    path = tmp_path / "t.csv"
    path.write_text("a,b,target\n" + "".join(f"{i % 7},{i % 5},{i}\n" for i in range(214)))
    assert main(["fit", str(path), "--algorithm", "soft-margin-svm"]) == 2
    told = capsys.readouterr().err
    assert "The labels take 214 different values" in told
    assert "--task regression" in told
    assert main(["fit", str(path), "--task", "regression", "--algorithm", "ridge"]) == 0


def test_only_files_have_a_task_and_gaps():
    for asked in ({"task": "regression"}, {"missing": "drop"}):
        with pytest.raises(BadInput, match="chosen in files of points"):
            Requested("moons", **asked).open()


def test_formats_that_are_packed_keep_their_remarks():
    assert "Windows-1252" in formats.parse(gzip.compress(GERMAN), "g.gz").remarks[0]
