"""Worksheets of lessons on paper."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from PySide6.QtCore import QRectF

from kernelviz.scene.export.handout import handout
from kernelviz.scene.export.worksheet import PageBlock, Paper, _pages, sheets, worksheets
from kernelviz.session.lessons.lecture_reader import parse_lecture
from kernelviz.session.lessons.reader import parse_lesson, read_lesson
from kernelviz.session.lessons.shipped import shipped, template
from tests.pdf_reader import boxes

TEMPLATE = template().read_text(encoding="utf-8")
LESSON = parse_lesson(TEMPLATE, "x.md")
HOSTILE = "A & b [x](p.png) \x07 " + "w" * 900
needs_poppler = pytest.mark.skipif(shutil.which("pdftotext") is None, reason="needs poppler-utils")


SWEPT = """+++
format = 1
kind   = "lecture"
title  = "Mine"
+++

## Stop

```stage
data = "moons(n=20)"
fit  = "rbf(gamma=1) ; soft-margin-svm(C=1)"
open = ["sweep", "gram(face=spectrum)"]
```
"""


def page_count(pdf: bytes) -> int:
    return len(re.findall(rb"/Type /Page\b", pdf))


def words_of(pdf: bytes, folder: Path) -> list[str]:
    """Return the text of each page."""
    (folder / "sheet.pdf").write_bytes(pdf)
    subprocess.run(["pdftotext", "-layout", "sheet.pdf", "sheet.txt"], cwd=folder, check=True)
    return (folder / "sheet.txt").read_text(encoding="utf-8").split("\f")[:-1]


@pytest.mark.parametrize(("paper", "width", "height"), [("a4", 210.0, 297.0), ("letter", 215.9, 279.4)])
def test_the_pages_have_the_size_of_the_paper(
    qapp: object, paper: Paper, width: float, height: float
) -> None:
    found = boxes(worksheets([LESSON, LESSON], paper))
    assert len(found) > 4
    for _, *box in found:
        assert [side / 72 * 25.4 for side in box] == pytest.approx((width, height), abs=1e-3)


@needs_poppler
def test_a_sheet_has_questions_room_and_page_numbers_but_no_answers(qapp: object, tmp_path: Path) -> None:
    pages = words_of(worksheets([LESSON]), tmp_path)
    whole = " ".join(pages)
    assert LESSON.title in pages[0]
    assert "Follows" not in pages[0]
    assert "Follows S0" in words_of(worksheets([read_lesson(shipped()[0])]), tmp_path)[0]
    for text in (
        "Predict.",
        "Because:",
        "Do.",
        "What I did and saw:",
        "Name:",
        "tested on",
        f"1 of {len(pages)}",
    ):
        assert text in whole, text
    assert "Solutions" not in whole
    solved = words_of(worksheets([LESSON], with_solutions=True), tmp_path)
    assert "One way:" in solved[-1]
    assert len(solved) == len(pages) + 1


@needs_poppler
def test_the_contents_of_a_booklet_name_the_page_on_which_each_lesson_begins(
    qapp: object, tmp_path: Path
) -> None:
    lessons = [read_lesson(path) for path in shipped()[:3]]
    contents, *pages = words_of(worksheets(lessons, with_solutions=True), tmp_path)
    listed = re.findall(r"(\S.*?) {3,}(\d+)\n", contents)
    assert [title for title, _ in listed] == [
        *(lesson.title for lesson in lessons),
        *(f"Solutions: {lesson.title}" for lesson in lessons),
    ]
    for title, number in listed:
        assert pages[int(number) - 2].lstrip().startswith(title)


@needs_poppler
def test_the_views_of_a_stage_are_large_enough_to_read(qapp: object, tmp_path: Path) -> None:
    text = TEMPLATE.replace("fit  =", 'open = ["bounds"]\nfit  =', 1)
    assert text != TEMPLATE
    (tmp_path / "sheet.pdf").write_bytes(worksheets([parse_lesson(text, "x.md")]))
    subprocess.run(["pdftotext", "-bbox", "sheet.pdf", "boxes.html"], cwd=tmp_path, check=True)
    boxes = (tmp_path / "boxes.html").read_text(encoding="utf-8")
    found = re.search(r'yMin="([\d.]+)" xMax="[\d.]+" yMax="([\d.]+)">compression<', boxes)
    assert found is not None
    assert float(found[2]) - float(found[1]) > 6.0  # points


@needs_poppler
def test_words_of_a_lesson_are_never_markup(qapp: object, tmp_path: Path) -> None:
    (tmp_path / "p.png").write_bytes(b"")
    text = TEMPLATE.replace("A kernel decides", f"{HOSTILE} A kernel decides", 1)
    assert text != TEMPLATE
    whole = " ".join(words_of(worksheets([parse_lesson(text, tmp_path / "x.md")]), tmp_path))
    assert "A&bx" in re.sub(r"\s", "", whole)
    assert re.sub(r"\s", "", whole).count("w" * 900) == 1


def test_a_stage_with_many_points_or_a_fit_that_refuses_them_has_its_pages(qapp: object) -> None:
    rows = ", ".join(f'["text number {k}", "{"+-"[k % 2]}"]' for k in range(200))
    stage = f'rows = [{rows}]\nfit = "words ; soft-margin-svm"'
    text = re.sub(r"data = .*?\nfit [^\n]*", stage, TEMPLATE, count=1, flags=re.S)
    text = re.sub(r"```(predict|task).*?```", "", text, flags=re.S).replace('"kernel.gamma", ', "")
    assert page_count(worksheets([parse_lesson(text, "x.md")])) >= 4
    refused = TEMPLATE.replace("rbf(gamma=1) ; soft-margin-svm(C=10)", "rbf(gamma=1) ; svr")
    assert page_count(worksheets([parse_lesson(refused, "x.md")])) >= 1


def test_blocks_that_belong_together_share_a_page_and_none_leaves_it() -> None:
    room = QRectF(0, 0, 100, 100)
    block = PageBlock(30.0, lambda painter: None)
    heading = PageBlock(30.0, lambda painter: None, above=5.0, with_next=True)
    pages = _pages("", [block, block, heading, block, block, block, *[heading] * 6], room)
    assert [len(page.placed) for page in pages[:2]] == [2, 3]
    assert sum(len(page.placed) for page in pages) == 12
    assert all(y + placed.height <= 100 for page in pages for y, placed in page.placed)


@needs_poppler
def test_a_handout_has_the_views_of_a_stop_as_they_are_set_and_does_their_long_work(
    qapp: object, tmp_path: Path
) -> None:
    lecture = parse_lecture(SWEPT, "x.md")
    (page,) = words_of(sheets([(lecture.title, list(handout(lecture)))], "a4", lecture.title), tmp_path)
    assert "γ of Gaussian (RBF)" in page  # below the sweep
    assert "eigenvalue" in page
