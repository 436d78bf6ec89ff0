"""The claims of the notes: which lesson lets one see each of them, and which are left out, and why."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping

from kernelviz.session.lessons.reader import lessons_folder, read_lesson, shipped

HEAD = """# Claims of the notes

Which lesson lets one see which claim of the five lecture notes (S0 to S4). The table is written by
`kernelviz lesson claims` from the lessons and from `resources/lessons/claims.toml`; a test compares them.

"""


def claims_table() -> str:
    """Return the table of all claims as Markdown: by lessons that show them, in part, or left out."""
    with (lessons_folder() / "claims.toml").open("rb") as file:
        listed: Mapping[str, Mapping[str, str]] = tomllib.load(file)
    shown: dict[str, list[str]] = {}
    for path in shipped():
        for claim in read_lesson(path).follows:
            shown.setdefault(claim, []).append(path.stem[:2])
    rows = {key: (text, _where(shown.get(key, []))) for key, text in listed["claims"].items()}
    rows |= {key: (text, "in part") for key, text in listed["partly"].items()}
    rows |= {key: (text, "left out") for key, text in listed["left_out"].items()}
    kinds = {
        "seen": len(listed["claims"]),
        "in part": len(listed["partly"]),
        "left out": len(listed["left_out"]),
    }
    counts = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    lines = [f"{len(rows)} claims: {counts}.", "", "| claim | | lesson |", "|---|---|---|"]
    lines += [f"| {key} | {rows[key][0]} | {rows[key][1]} |" for key in sorted(rows, key=_order)]
    return HEAD + "\n".join(lines) + "\n"


def _where(lessons: list[str]) -> str:
    return ", ".join(lessons) if lessons else "no"


def _order(key: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", key)))
