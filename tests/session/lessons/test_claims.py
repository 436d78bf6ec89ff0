"""The table of claims is up to date, and every claim has a lesson or a reason."""

from __future__ import annotations

from pathlib import Path

from kernelviz.cli.lesson import claims_table

TABLE = Path(__file__).parents[3] / "resources" / "claims.md"


def test_the_table_says_what_the_lessons_show() -> None:
    """If it does not: kernelviz lesson claims > resources/claims.md"""
    assert TABLE.read_text(encoding="utf-8") == claims_table()


def test_all_209_claims_of_the_notes_are_in_it_and_none_is_without_lesson_or_reason() -> None:
    table = claims_table()
    assert table.count("\n| S") == 209
    assert "| no |" not in table
