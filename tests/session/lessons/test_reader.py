"""Reading lessons: what is understood, and that every mistake is a sentence with file and line."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelviz.engine.core.errors import BadInput
from kernelviz.session.lessons.lesson import LessonTask, Prediction, Stage
from kernelviz.session.lessons.reader import LARGEST_FILE, parse_lesson, read_lesson
from kernelviz.session.lessons.shipped import template

TEMPLATE = template().read_text(encoding="utf-8")

LESSON = """+++
format = 1
title = "Two points"
minutes = 3
follows = ["S0-1"]
shows = ["kernel.gamma", "status", "gram"]
+++
An intro with $x^2 < y$.

## First

Some prose.

```stage
rows = [[0, 0, "+"], [1, 1, "-"]]
fit = "linear ; hard-margin-svm"
points = { p = 1 }
open = ["gram"]
```

```predict
ask = "Which?"
a = "One."
b = "Two."
answer = "a"
true = "n == 2"
```

## Second

```task
say = "Move the point."
check = "point('p').x == 1"
do = "move p (1, 0)"
hint = "To the right."
miss = [["point('p').x < 1", "Farther."]]
```
"""


def test_a_lesson_has_steps_with_a_stage_a_prediction_and_a_task() -> None:
    lesson = parse_lesson(LESSON, "folder/two-points.md")
    assert (lesson.name, lesson.title, lesson.minutes) == ("two-points", "Two points", 3)
    assert lesson.intro == "An intro with $x^2 < y$."
    assert [step.title for step in lesson.steps] == ["First", "Second"]
    first, second = lesson.steps
    assert [part for part in first.parts if isinstance(part, str)] == ["Some prose."]
    assert isinstance(first.stage, Stage)
    assert isinstance(first.prediction, Prediction)
    assert isinstance(second.task, LessonTask)
    assert (first.line, first.stage.line, second.task.line) == (10, 14, 31)
    assert lesson.start(1).document.data.n == 2
    assert lesson.start(1).views == {"gram"}


def test_the_version_changes_with_the_text() -> None:
    first, second = (parse_lesson(text, "x.md").version for text in (LESSON, LESSON + "More."))
    assert first != second


@pytest.mark.parametrize(
    ("old", "new", "line", "problem"),
    [
        ("+++\nformat", "format", 1, "begins with +++"),
        ("format = 1", "format = 2", 2, "format cannot be 2"),
        ('title = "Two points"', 'tilte = "Two points"', 3, "Did you mean title?"),
        ('title = "Two points"', "title = Two points", 3, "This is not TOML"),
        ('title = "Two points"\n', "", 1, "needs title"),
        ("minutes = 3", "minutes = 300", 4, "of at most 60"),
        ('"gram"]\n+++', '"grm"]\n+++', 6, "Did you mean gram?"),
        ("An intro", "An <b>intro</b>", 8, "HTML such as '<b>'"),
        ("An intro", "An <script src=x", 8, "HTML such as"),
        ("An intro with $x^2 < y$.", "An $intro", 8, "begins and ends with $"),
        ("Some prose.", "![x](https://example.org/x.png)", 12, "outside the lesson's folder"),
        ('open = ["gram"]', "large = true", 18, "large needs a view"),
        ("Some prose.", "![x](../secret.png)", 12, "outside the lesson's folder"),
        ("Some prose.", "![x](/etc/passwd)", 12, "outside the lesson's folder"),
        ("Some prose.", "[x](javascript:alert)", 12, "outside the lesson's folder"),
        ("Some prose.", "# Heading", 12, "begins with ##"),
        ("```stage", "```stge", 14, "Did you mean stage?"),
        ("```stage\nrows", "rows", 18, "There is no block called ''"),
        ('rows = [[0, 0, "+"], [1, 1, "-"]]', 'data = "moon"', 15, "Did you mean moons?"),
        ('rows = [[0, 0, "+"], [1, 1, "-"]]\n', "", 14, "either data"),
        ('rows = [[0, 0, "+"], [1, 1, "-"]]', 'rows = [[0, 0, "+"], [1, 1]]', 15, "rows are"),
        (
            'rows = [[0, 0, "+"], [1, 1, "-"]]',
            "rows = [[[[[1]]]]]",
            15,
            "A value in rows should be a number or a text",
        ),
        ("linear ; hard", "linaer ; hard", 16, "Did you mean linear?"),
        ("p = 1 }", "p = 0 }", 17, "of at least 1"),
        ('open = ["gram"]', 'open = ["grams"]', 18, "Did you mean gram?"),
        ('answer = "a"', 'answer = "c"', 25, "not one of the choices"),
        ('b = "Two."\n', "", 21, "The predict needs b"),
        ("n == 2", "nn == 2", 26, "nothing called 'nn'"),
        ("point('p').x == 1\"", "point('q').x == 1\"", 33, "names no point 'q'"),
        ('do = "move p (1, 0)"\n', "", 31, "needs do"),
        ("move p (1, 0)", "moove p (1, 0)", 34, "Did you mean move?"),
        ('[["point', '["point', 36, "This is not TOML"),
        ('miss = [["', 'miss = [["x"]] # "', 36, "A value in miss should be a list of length 2"),
        (
            "## Second",
            "## Second\n\n```stage\ndata = 'moons'\n```\n\n```stage\ndata = 'moons'\n```",
            35,
            "at most one",
        ),
        ("check = \"point('p').x == 1\"", "check = 3", 33, "check should be a text, not a whole number"),
    ],
)
def test_every_mistake_is_named_with_its_line(old: str, new: str, line: int, problem: str) -> None:
    assert old in LESSON
    with pytest.raises(BadInput) as refusal:
        parse_lesson(LESSON.replace(old, new, 1), "two-points.md")
    assert str(refusal.value).startswith(f"two-points.md, line {line}: ")
    assert problem in str(refusal.value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "+++",
        "+++\n+++",
        "+++\nformat = 1\ntitle = 'x'\n+++\n",
        "+++\nx = " + "[" * 5000 + "\n+++",
        "+++\nformat = 1\ntitle = 'x'\n+++\n" + "## Step\n" * 1_000,
        "+++\nformat = 1\ntitle = 'x'\n+++\n## A\n```stage\ndata = 'moons'\n",
        "+++\nformat = 1\ntitle = 'x'\n+++\n## A\n" + "word " * 2000,
        "+++\nformat = 1\ntitle = 'x'\n+++\n```stage\ndata = 'moons'\n```",
        "+++\nformat = 1\ntitle = 'x'\n+++\n## A\nNo stage.",
        "\0" * 100,
    ],
)
def test_hostile_texts_are_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(BadInput, match="line"):
        parse_lesson(text, "bad.md")


def test_hostile_files_are_refused_with_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "x.md"
    for content in (b"\xff\xfe\x00", b"x" * (LARGEST_FILE + 1)):
        path.write_bytes(content)
        with pytest.raises(BadInput, match=r"x\.md"):
            read_lesson(path)
    for missing in (tmp_path / "none.md", tmp_path):
        with pytest.raises(BadInput, match="cannot be read"):
            read_lesson(missing)


def test_a_picture_comes_from_the_lesson_s_own_folder(tmp_path: Path) -> None:
    folder = tmp_path / "lessons"
    folder.mkdir()
    (tmp_path / "secret.png").write_bytes(b"")
    (folder / "ours.png").write_bytes(b"")
    (folder / "link.png").symlink_to(tmp_path / "secret.png")
    for name, problem in (
        ("ours.png", ""),
        ("link.png", "outside"),
        ("none.png", "no picture"),
        ("x" * 999, ""),
    ):
        text = LESSON.replace("Some prose.", f"![A picture]({name})")
        if name == "ours.png":
            assert "![A picture](ours.png)" in parse_lesson(text, folder / "x.md").steps[0].parts
        else:
            with pytest.raises(BadInput, match=f"line 12: .*{problem}"):
                parse_lesson(text, folder / "x.md")


@given(st.data())
def test_no_damage_to_a_lesson_raises_anything_but_bad_input(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([LESSON, TEMPLATE]))
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 60)))
    put = data.draw(
        st.text(max_size=10) | st.sampled_from(["```", "+++", '"', "[", "$", "\n## ", "= 1e400", "nan"])
    )
    said = ""
    try:
        parse_lesson(text[:start] + put + text[end:], "x.md")
    except BadInput as problem:
        said = str(problem)
    assert not said or said.startswith("x.md, line ")
