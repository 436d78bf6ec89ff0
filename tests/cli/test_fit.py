"""`kernelviz fit`, and what it shares with the other commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_lines import Run, refused

TWO = ("--fit", "subsequence ; ridge", "--fit", "subsequence ; perceptron")


@pytest.mark.parametrize("command", [("fit",), ("path",), ("select",), ("compare", *TWO)], ids=lambda c: c[0])
def test_strings_that_take_too_long_to_compare_are_refused_at_once(
    run: Run, tmp_path: Path, command: tuple[str, ...]
) -> None:
    many = tmp_path / "many.csv"
    many.write_text(
        "text,label\n" + "".join(f"{'word ' * 50}{i},{'ab'[i % 2]}\n" for i in range(700)), encoding="utf-8"
    )
    name, *fits = command
    assert "too many or too long to compare" in refused(run(name, str(many), *fits))


@pytest.mark.parametrize("text", ["x,label\n", "label\n", "x,y,label\n"])
def test_a_gram_matrix_without_rows_is_refused_in_a_sentence(run: Run, tmp_path: Path, text: str) -> None:
    empty = tmp_path / "empty.csv"
    empty.write_text(text, encoding="utf-8")
    assert "rows" in refused(run("fit", str(empty), "--kernel", "gram"))


def test_where_nothing_separates_the_classes_there_is_no_error(run: Run) -> None:
    code, out, _ = run("fit", "xor", "--kernel", "linear", "--algorithm", "hard-margin-svm", "--test", "0.3")
    summary = json.loads(out)["summary"]
    assert code == 3
    assert summary["training_error"] is None
    assert summary["test_error"] is None
    assert summary["hinge_loss"] is None
