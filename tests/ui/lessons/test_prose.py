"""The text of a lesson: paragraphs, formulas and whatever else somebody has put into a file."""

from __future__ import annotations

import pytest

from kernelviz.scene.prose import lay_out, parse, spoken
from kernelviz.ui.lessons import prose as prose_module
from kernelviz.ui.lessons.prose import Prose
from kernelviz.ui.sidebar.formula_label import typesetter

HOSTILE = "<b>x</b><img src='file:///etc/passwd'> & &amp; <script>alert(1)</script>"


def words(text: str) -> list[list[str]]:
    return [["".join(f.text for f in word) for word in paragraph.words] for paragraph in parse(text)]


def test_paragraphs_lists_and_styles():
    text = "One *two* **three**.\nFour `five`\n\n- six\n  seven\n- eight\n\n1. nine"
    first, six, eight, nine = parse(text)
    assert words(text)[0] == ["One", "two", "three.", "Four", "five"]
    assert [f.style for word in first.words for f in word] == ["", "emphasis", "strong", "", "", "code"]
    assert (six.mark, eight.mark, nine.mark) == ("•", "•", "1.")
    assert words(text)[1] == ["six", "seven"]


def test_punctuation_stays_with_its_formula():
    assert words(r"with ($\gamma = 1$), or") == [["with", r"(\gamma = 1),", "or"]]


def test_of_links_and_pictures_the_words_are_shown():
    assert spoken("See [the notes](notes.md) and ![a picture](p.png).") == "See the notes and a picture."


def test_html_is_shown_letter_by_letter(qtbot):
    prose = Prose(HOSTILE)
    qtbot.addWidget(prose)
    prose.resize(200, 200)
    prose.show()
    assert "<script>alert(1)</script>" in prose.accessibleName().replace(" ", "") or "<script>" in spoken(
        HOSTILE
    )
    assert not prose.grab().isNull()
    typesetter().stop()


@pytest.mark.parametrize(
    "text", ["", " ", "$", "**", "*" * 50, "x" * 5000, "$\\frac{$ and `", "\u202eabc\x00\x07"]
)
def test_any_text_is_drawn_within_its_width(qtbot, text):
    prose = Prose(text)
    qtbot.addWidget(prose)
    prose.resize(220, 300)
    prose.show()
    assert not prose.grab().isNull()
    assert all(line.width <= 221 for _, line in prose.layout_in(220.0).lines)
    typesetter().stop()


def test_it_is_higher_where_it_is_narrower_and_formulas_arrive(qtbot):
    prose = Prose(
        r"The kernel is $e^{-\gamma \|x - x'\|^2}$, which falls with the distance of the two points."
    )
    qtbot.addWidget(prose)
    prose.resize(400, 100)
    prose.show()
    assert prose.heightForWidth(150) > prose.heightForWidth(600)
    qtbot.waitUntil(lambda: typesetter().ready(r"e^{-\gamma \|x - x'\|^2}"))
    assert "gamma" in prose.accessibleName()
    typesetter().stop()


def test_asked_for_its_height_in_two_widths_by_turns_it_is_laid_out_once_in_each(qtbot, monkeypatch):
    made = []
    monkeypatch.setattr(prose_module, "lay_out", lambda *how: made.append(how[1]) or lay_out(*how))
    prose = Prose("Some words that need more than one line in a narrow column.")
    qtbot.addWidget(prose)
    heights = [[prose.heightForWidth(width) for width in (80, 300)] for _ in range(3)]
    assert heights == [heights[0]] * 3
    assert made == [80.0, 300.0]
    prose.set_text("Other words.")
    assert prose.heightForWidth(80) < heights[0][0]
