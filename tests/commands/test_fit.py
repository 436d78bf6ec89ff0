"""`kernelviz fit`, and what it shares with the other commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_lines import Run

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
    code, out, err = run(name, str(many), *fits)
    assert (code, out) == (2, "")
    assert "too many or too long to compare" in err
