"""`kernelviz lesson`: list, check, new, sheet, results."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from kernelviz.session.lessons.progress import LessonProgress
from kernelviz.session.lessons.reader import read_lesson
from kernelviz.session.lessons.shipped import in_chapters, shipped
from tests.command_lines import Run


def test_the_lessons_are_listed(run: Run) -> None:
    code, out, err = run("lesson", "list")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert sorted(line.split()[0] for line in lines if line.startswith("  ")) == [p.stem for p in shipped()]
    assert lines[0] == "Lines and features: What a straight line can do, and how other features bend it."


def test_every_lesson_of_ours_names_a_chapter_of_the_list() -> None:
    listed = in_chapters(map(read_lesson, shipped()), lambda lesson: lesson.chapter)
    assert all(chapter is not None for chapter, _ in listed)


def test_a_lesson_is_named_by_its_number(run: Run) -> None:
    assert run("lesson", "sheet", "14") == run("lesson", "sheet", "14-too-narrow-too-wide")
    assert run("lesson", "sheet", "1")[1].startswith("# No line does it")
    assert run("lesson", "sheet", "99") == (
        2, "", "kernelviz: There is no lesson 99: they have the numbers 1 to 34.\n",
    )  # fmt: skip


def test_prose_may_stand_before_the_stage_of_the_first_step(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.md"
    run("lesson", "new", str(path))
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("```stage", "Some words before the stage.\n\n```stage", 1), "utf-8")
    assert run("lesson", "check", str(path)) == (0, f"{path}: everything holds.\n", "")


def test_no_worksheet_has_three_pictures_of_the_same_fit() -> None:
    for lesson in map(read_lesson, shipped()):
        for step in lesson.steps:
            fits = [] if step.stage is None else [str(fit) for fit in step.stage.fits]
            assert all(fits.count(fit) < 3 for fit in fits), f"{lesson.name}: {step.title}"


def test_a_new_lesson_is_written_once_and_holds(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.md"
    assert run("lesson", "new", str(path))[0] == 0
    assert run("lesson", "check", str(path)) == (0, f"{path}: everything holds.\n", "")
    code, _, err = run("lesson", "new", str(path))
    assert code == 2
    assert "already exists" in err
    assert run("lesson", "new", str(tmp_path / "mine.txt"))[0] == 2


def test_what_is_wrong_is_named_with_file_and_line(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.md"
    run("lesson", "new", str(path))
    path.write_text(
        path.read_text(encoding="utf-8").replace('kernel.gamma = 20"', 'kernel.gamma = 2"'), "utf-8"
    )
    code, out, err = run("lesson", "check", str(path))
    assert code == 2
    assert f"{path}, line 28: " in out
    assert err == f"kernelviz: {len(out.splitlines())} fault found.\n"


@pytest.mark.parametrize("content", [None, "+++\nformat = 1\n", "no lesson at all\n"])
def test_a_lesson_that_cannot_be_read_is_an_error_and_the_others_are_checked(
    run: Run, tmp_path: Path, content: str | None
) -> None:
    bad, good = tmp_path / "bad.md", tmp_path / "good.md"
    run("lesson", "new", str(good))
    if content is not None:
        bad.write_text(content, encoding="utf-8")
    code, out, err = run("lesson", "check", str(bad), str(good))
    assert (code, out) == (2, f"{good}: everything holds.\n")
    assert err.startswith(f"kernelviz: {bad}")
    assert err.count("\n") == 1


def test_a_lesson_of_ours_is_found_by_its_name(run: Run) -> None:
    assert run("lesson", "sheet", "01-no-line-does-it")[1].startswith("# ")
    code, _, err = run("lesson", "sheet", "01-no-line")
    assert code == 2
    assert "Did you mean 01-no-line-does-it?" in err


def test_a_sheet_is_written_to_a_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "sheet.md"
    assert run("lesson", "sheet", "01-no-line-does-it", "-o", str(path), "--solutions") == (0, "", "")
    assert "# Solutions" in path.read_text(encoding="utf-8")
    code, _, err = run("lesson", "sheet", "01-no-line-does-it", "-o", str(tmp_path / "sheet.doc"))
    assert code == 2
    assert "ends in .pdf or .md" in err


def test_a_sheet_is_written_as_pdf(run: Run, tmp_path: Path, qapp: object) -> None:
    path = tmp_path / "sheet.pdf"
    made = run("lesson", "sheet", "01-no-line-does-it", "-o", str(path), "--paper", "letter")
    assert made == (0, "", "")
    assert path.read_bytes().startswith(b"%PDF")


def test_a_sheet_that_cannot_be_written_is_not_made(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kernelviz.scene.export.worksheet.worksheets", None)
    code, out, err = run("lesson", "sheet", "all", "-o", str(tmp_path / "nowhere" / "booklet.pdf"))
    assert (code, out) == (74, "")
    assert "booklet.pdf cannot be saved: there is no folder" in err


def test_all_lessons_are_one_booklet(run: Run) -> None:
    code, out, _ = run("lesson", "sheet", "all")
    assert code == 0
    assert out.count("\n# ") + out.startswith("# ") == len(shipped())


def test_answers_are_counted(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "answers.txt"
    path.write_text(f"{LessonProgress('x', '0123abcd', 2).answered('a', True)}\n", encoding="utf-8")
    code, out, _ = run("lesson", "results", str(path))
    assert code == 0
    assert "x (0123abcd): 1 answers" in out
    assert run("lesson", "results", str(tmp_path / "none"))[0] == 2


def test_every_step_is_drawn_as_it_begins_and_as_it_ends(run: Run, tmp_path: Path, qapp: object) -> None:
    lesson = tmp_path / "mine.md"
    run("lesson", "new", str(lesson))
    assert run("lesson", "check", str(lesson), "--pictures", str(tmp_path / "pictures"))[0] == 0
    drawn = sorted((tmp_path / "pictures").iterdir())
    assert [path.stem for path in drawn] == ["mine-1-end", "mine-1-revealed", "mine-1-start"]
    assert len({path.read_bytes() for path in drawn}) == 3


def test_the_pictures_of_a_lesson_have_the_open_views_next_to_the_canvas(
    run: Run, tmp_path: Path, qapp: object
) -> None:
    lesson, pictures = tmp_path / "mine.md", tmp_path / "pictures"
    run("lesson", "new", str(lesson))
    text = lesson.read_text(encoding="utf-8")
    views = '["gram(face=spectrum)", "learning"]'  # The second takes long work.
    lesson.write_text(text.replace("fit  =", f"open = {views}\nfit  =", 1), encoding="utf-8")
    assert run("lesson", "check", str(lesson), "--pictures", str(pictures))[0] == 0
    drawn = QImage(str(pictures / "mine-1-start.png"))
    assert drawn.width() == 3 * drawn.height() * 4 // 3


def test_steps_are_drawn_in_the_theme_asked_for(run: Run, tmp_path: Path, qapp: object) -> None:
    lesson = tmp_path / "mine.md"
    run("lesson", "new", str(lesson))
    for theme in ("light", "dark"):
        made = run("lesson", "check", str(lesson), "--pictures", str(tmp_path / theme), "--theme", theme)
        assert made[0] == 0
    light, dark = (QImage(str(tmp_path / theme / "mine-1-start.png")) for theme in ("light", "dark"))
    assert light.pixelColor(1, 1).lightness() > 200 > 100 > dark.pixelColor(1, 1).lightness()


def test_a_worksheet_never_replaces_its_lesson(run: Run, tmp_path: Path) -> None:
    lesson = tmp_path / "mine.md"
    run("lesson", "new", str(lesson))
    before = lesson.read_bytes()
    code, _, err = run("lesson", "sheet", str(lesson), "-o", str(lesson))
    assert code == 2
    assert "is the lesson itself" in err
    assert lesson.read_bytes() == before


def test_pictures_that_cannot_be_written_are_named(run: Run, tmp_path: Path, qapp: object) -> None:
    lesson = tmp_path / "mine.md"
    run("lesson", "new", str(lesson))
    (tmp_path / "pictures" / "mine-1-start.png").mkdir(parents=True)
    code, _, err = run("lesson", "check", str(lesson), "--pictures", str(tmp_path / "pictures"))
    assert code == 74
    assert "mine-1-start.png" in err


def test_pictures_without_a_library_of_qt_are_refused_in_a_sentence(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lesson = tmp_path / "mine.md"
    run("lesson", "new", str(lesson))
    missing = "Drawing needs the system library libEGL, which is not installed."
    monkeypatch.setattr("kernelviz.scene.qt_check.library_problem", lambda: missing)
    monkeypatch.setitem(sys.modules, "kernelviz.scene.export.composition", None)  # as if its import failed
    code, _, err = run("lesson", "check", str(lesson), "--pictures", str(tmp_path / "pictures"))
    assert (code, err) == (2, f"kernelviz: {missing}\n")


def test_a_lesson_that_cannot_be_written_leaves_no_file(run: Run, tmp_path: Path) -> None:
    assert run("lesson", "new", str(tmp_path / "none" / "mine.md"))[0] == 74
    assert list(tmp_path.iterdir()) == []
