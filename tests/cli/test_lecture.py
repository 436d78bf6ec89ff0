"""`kernelviz lecture`: list, check, sheet, render."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernelviz.session.lessons.lecture_reader import lectures, read_lecture
from tests.command_lines import Run

NAME = "from-a-line-to-a-kernel"
BROKEN = """+++
format = 1
kind   = "lecture"
title  = "Mine"
+++

## One

```stage
data = "moons(n=20)"
fit  = "rbf(gamma=1) ; soft-margin-svm(C=1)"
```

```do
kernel.gamma = 2
true kernel.gamma == 3
```
"""


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / "mine.md"
    path.write_text(BROKEN, encoding="utf-8")
    return path


def test_lectures_of_ours_and_of_the_folder_are_listed(run: Run, broken: Path) -> None:
    (broken.parent / "README.md").write_text("# no lecture", encoding="utf-8")
    code, out, err = run("lecture", "list", str(broken.parent))
    assert (code, err) == (0, "")
    names = [line.split()[0] for line in out.splitlines()]
    assert names == [*(path.stem for path in lectures()), str(broken)]
    assert out.endswith("Mine (1 stop)\n")


def test_every_lecture_of_ours_is_checked(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """`test_every_lecture_that_comes_with_kernelviz_holds` goes through their presses."""
    monkeypatch.setattr("kernelviz.cli.lecture.examine", lambda lecture: [])
    code, out, err = run("lecture", "check", "all")
    assert (code, err) == (0, "")
    assert out.splitlines() == [f"{path}: everything holds." for path in lectures()]


def test_what_does_not_hold_is_said_with_its_line_and_drawn(run: Run, broken: Path, qapp: object) -> None:
    pictures = broken.parent / "pictures"
    code, out, err = run("lecture", "check", str(broken), "--pictures", str(pictures))
    assert (code, err) == (2, "kernelviz: 1 fault found.\n")
    assert out == f"{broken}, line 16: kernel.gamma == 3 is not true after “kernel.gamma = 2”.\n"
    assert sorted(path.name for path in pictures.iterdir()) == ["001-0.png", "001-1.png"]


def test_an_unknown_name_is_a_sentence(run: Run) -> None:
    code, _, err = run("lecture", "check", "nothing")
    assert (code, err.startswith("kernelviz: There is no lecture called 'nothing'.")) == (2, True)


def test_the_handout_has_the_notes_and_pictures_of_every_stop(run: Run, tmp_path: Path, qapp: object) -> None:
    code, out, _ = run("lecture", "sheet", NAME)
    (path,) = (path for path in lectures() if path.stem == NAME)
    titles = [step.title for step in read_lecture(path).steps]
    assert code == 0
    assert [line for line in out.splitlines() if line.startswith("## ")] == [
        f"## {k}. {title}" for k, title in enumerate(titles, 1)
    ]
    assert "Both means are marked" in out
    assert run("lecture", "sheet", NAME, "-o", str(tmp_path / "notes.md"))[0] == 0
    text = (tmp_path / "notes.md").read_text(encoding="utf-8")
    assert all(f"![](notes/{k:03}.png)" in text for k in range(1, len(titles) + 1))
    assert len(list((tmp_path / "notes").iterdir())) == len(titles)
    assert run("lecture", "sheet", NAME, "-o", str(tmp_path / "notes.pdf"))[0] == 0
    assert (tmp_path / "notes.pdf").read_bytes().startswith(b"%PDF")


def test_a_handout_does_not_replace_its_lecture(run: Run, broken: Path) -> None:
    assert run("lecture", "sheet", str(broken), "-o", str(broken))[0] == 2
    assert broken.read_text(encoding="utf-8") == BROKEN


def test_a_picture_is_drawn_for_every_stop(run: Run, broken: Path, qapp: object) -> None:
    assert run("lecture", "render", str(broken), "-o", str(broken.parent / "out")) == (0, "", "")
    assert [path.name for path in (broken.parent / "out").iterdir()] == ["001.png"]
