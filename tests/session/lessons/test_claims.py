"""The table of claims is up to date, and every claim has a lesson or a reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernelviz.cli.lesson import claims_table
from kernelviz.session.lessons.lecture_reader import lectures, read_lecture

TABLE = Path(__file__).parents[3] / "resources" / "claims.md"


def test_the_table_says_what_the_lessons_show() -> None:
    """If it does not: kernelviz lesson claims > resources/claims.md"""
    assert TABLE.read_text(encoding="utf-8") == claims_table()


def test_all_209_claims_of_the_notes_are_in_it_and_none_is_without_lesson_or_reason() -> None:
    table = claims_table()
    assert table.count("\n| S") == 209
    assert "| no |" not in table


@pytest.mark.parametrize("note", ["S1", "S2", "S4"])
def test_lectures_show_every_claim_of_their_note_that_can_be_seen(note: str) -> None:
    stages = [step.stage for path in lectures() for step in read_lecture(path).steps]
    shown = {claim for stage in stages if stage is not None for claim in stage.follows}
    rows = [line.split(" | ") for line in claims_table().splitlines() if line.startswith(f"| {note}-")]
    seen = {row[0].removeprefix("| ") for row in rows if not row[-1].startswith("left out")}
    assert seen == {claim for claim in shown if claim.startswith(note)}
