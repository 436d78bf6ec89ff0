"""Lectures: how they are read, the presses of a stop, and the robot that goes through those of ours."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kernelviz.engine.core.errors import BadInput
from kernelviz.session.files import kviz
from kernelviz.session.files.png_metadata import SIGNATURE
from kernelviz.session.lessons.lecture import Lecture, notes, presses
from kernelviz.session.lessons.lecture_reader import (
    gathered,
    lectures,
    parse_lecture,
    read_either,
    read_lecture,
)
from kernelviz.session.lessons.lecture_text import stop_block
from kernelviz.session.lessons.reader import read_lesson
from kernelviz.session.lessons.robot import examine
from kernelviz.session.lessons.shipped import shipped
from kernelviz.session.state import start_up
from kernelviz.session.view import ViewRange, widened

HEAD = '+++\nformat = 1\nkind = "lecture"\ntitle = "Mine"\n+++\n'
STAGE = '```stage\ndata = "moons(n=20)"\nfit = "rbf(gamma=1) ; soft-margin-svm(C=1)"\n```\n'


def lecture_of(*stops: str, path: Path = Path("mine.md")) -> Lecture:
    return parse_lecture(HEAD + "".join(f"## Stop {k}\n{text}\n" for k, text in enumerate(stops, 1)), path)


def refusal(*stops: str, path: Path = Path("mine.md")) -> str:
    with pytest.raises(BadInput) as problem:
        lecture_of(*stops, path=path)
    return str(problem.value)


@pytest.mark.parametrize("path", lectures(), ids=lambda path: path.stem)
def test_every_lecture_that_comes_with_kernelviz_holds(path: Path) -> None:
    lecture = read_lecture(path)
    assert examine(lecture) == []
    for index in range(len(lecture.steps)):
        assert len(lecture.states(index)) == len(presses(lecture.steps[index])) + 1


def test_each_line_of_a_do_is_a_press() -> None:
    lecture = lecture_of(STAGE + "```do\nkernel.gamma = 2\n# a remark\nkernel.gamma = 3\n```\nSay why.")
    assert [state.document.kernel.gamma for state in lecture.states(0)] == [1, 2, 3]
    assert notes(lecture.steps[0]) == "Say why."


def test_a_check_in_a_do_must_hold_after_the_lines_before_it() -> None:
    lines = "kernel.gamma = 2\ntrue kernel.gamma == 2\nkernel.gamma = 3\ntrue kernel.gamma == 2"
    (problem,) = examine(lecture_of(f"{STAGE}```do\n{lines}\n```"))
    assert problem.sentence == "kernel.gamma == 2 is not true after “kernel.gamma = 3”."


def test_layers_are_shown_and_hidden_and_parts_of_the_window_are_hidden() -> None:
    stage = STAGE.replace("fit", 'show = "slack"\nhide = ["levels", "kernel"]\nfit', 1)
    lecture = lecture_of(stage + "```do\nhide slack\n```", "More of it.")
    before, after = (state.shown().look.shown for state in lecture.states(0))
    assert ("slack" in before, "levels" in before, "slack" in after) == (True, False, False)
    assert lecture.hidden(0) == lecture.hidden(1) == {"kernel"}


def test_a_stop_shows_the_part_of_the_plane_it_says_and_is_written_so() -> None:
    zoomed, usual = STAGE.replace("fit", "view = [-1, 0.5, 0, 1.5]\nfit", 1), STAGE
    (near,), (far,) = (lecture_of(stage).states(0) for stage in (zoomed, usual))
    assert near.shown().look.view == ViewRange(-1.0, 0.5, 0.0, 1.5)
    assert "view = [-1.0, 0.5, 0.0, 1.5]" in stop_block(near, large=False)
    (again,) = lecture_of(stop_block(near, large=False)).states(0)
    assert again.shown().look.view == near.shown().look.view
    assert "view" not in stop_block(far.with_look(view=widened(far.seen.view, 2.5)), large=False)


def test_a_picture_without_a_session_is_a_sentence_at_its_stop(tmp_path: Path) -> None:
    (tmp_path / "plain.png").write_bytes(SIGNATURE)
    (problem,) = examine(lecture_of('```stage\nopen = "plain.png"\n```', STAGE, path=tmp_path / "mine.md"))
    assert problem.sentence == "plain.png cannot be opened: this picture contains no session."


def test_a_view_stays_large_until_it_is_closed() -> None:
    lecture = lecture_of(STAGE + "```do\nopen gram large\nkernel.gamma = 2\nclose gram\n```")
    assert [lecture.large(0, press) for press in range(4)] == ["", "gram", "gram", ""]
    lecture = lecture_of(STAGE.replace("fit", 'open = "gram(face=spectrum)"\nlarge = true\nfit', 1))
    assert lecture.large(0, 0) == "gram"
    assert lecture.states(0)[0].switch("gram", "face") == "spectrum"


def test_a_lesson_in_a_lecture_is_a_stop_for_each_of_its_steps() -> None:
    lesson = read_lesson(shipped()[0])
    lecture = lecture_of(f'```stage\nlesson = "{lesson.name}"\n```', STAGE)
    assert [step.title for step in lecture.steps] == [*(step.title for step in lesson.steps), "Stop 2"]
    assert lecture.sections == (6,) * len(lesson.steps) + (10,)
    assert examine(lecture) == []


def test_a_stop_opens_a_session_and_a_stop_without_its_file_leaves_the_others(tmp_path: Path) -> None:
    kviz.save(tmp_path / "there.kviz", start_up())
    stops = [f'```stage\nopen = ["{name}.kviz", "gram"]\n```' for name in ("there", "gone")]
    lecture = lecture_of(*stops, STAGE, path=tmp_path / "mine.md")
    (state,) = lecture.states(0)
    assert state.document.data.n == start_up().document.data.n
    assert state.views == {"gram"}
    (problem,) = examine(lecture)
    assert problem.sentence == "gone.kviz cannot be opened: no such file or directory."
    assert lecture.states(2)


def test_a_lesson_that_is_gone_or_contains_the_lecture_is_a_sentence(tmp_path: Path) -> None:
    text = HEAD + '## A\n```stage\nlesson = "nothing"\n```\n## B\n```stage\nlesson = "mine.md"\n```\n'
    (tmp_path / "mine.md").write_text(text, encoding="utf-8")
    sentences = [problem.sentence for problem in examine(read_lecture(tmp_path / "mine.md"))]
    assert sentences[0].startswith("There is no lesson called 'nothing'.")
    assert sentences[1] == "mine.md contains itself."


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no pipes in folders")
def test_a_lesson_that_is_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    (problem,) = examine(lecture_of('```stage\nlesson = "pipe.md"\n```', path=tmp_path / "mine.md"))
    assert problem.sentence == "pipe.md cannot be opened: it is not a file."


def test_a_thousand_stops_are_too_many() -> None:
    assert "at most 200 stops" in refusal(*[STAGE] * 1000)
    assert len(lecture_of(*[STAGE] * 200).steps) == 200


def test_what_a_writer_gets_wrong_is_a_sentence_with_its_line(tmp_path: Path) -> None:
    task = "```task\nsay = 'x'\ncheck = 'n > 1'\ndo = 'add + (0, 1)'\n```"
    assert refusal(STAGE + task).startswith("mine.md, line 11: There is no block called 'task' in a lecture.")
    misspelt = refusal(STAGE + "```do\nkernel.gama = 2\n```")
    assert misspelt.startswith("mine.md, line 12: There is no parameter called kernel.gama")
    hidden = refusal(STAGE.replace("fit", 'hide = "kernl"\nfit'))
    assert hidden.startswith("mine.md, line 9: There is no part of the window called 'kernl'.")
    elsewhere = refusal('```stage\nopen = "../x.kviz"\n```', path=tmp_path / "mine.md")
    assert "outside the lecture's folder" in elsewhere
    assert "A stage needs one of" in refusal('```stage\nopen = "x.kviz"\ndata = "moons"\n```')
    assert "its own fits" in refusal('```stage\nopen = "x.kviz"\nfit = "rbf ; ridge"\n```')
    assert "line 8: figure.jpg cannot be shown" in refusal('```stage\nopen = "figure.jpg"\n```')
    flat = refusal(STAGE.replace("fit", "view = [1, 1, 0, 2]\nfit", 1))
    assert flat.startswith("mine.md, line 9: A view goes from left to right")
    with pytest.raises(BadInput, match="This is a lecture, not a lesson"):
        read_lesson(lectures()[0])
    with pytest.raises(BadInput, match="This is a lesson, not a lecture"):
        read_lecture(shipped()[0])


def test_several_files_are_one_lecture(tmp_path: Path) -> None:
    kviz.save(tmp_path / "a.kviz", start_up())
    (tmp_path / "deep").mkdir()
    inner = tmp_path / "deep" / "c.md"
    inner.write_text(HEAD + "## Inside\n" + STAGE, encoding="utf-8")
    text, path = gathered([tmp_path / "a.kviz", inner])
    lecture = parse_lecture(text, path)
    assert (lecture.title, [step.title for step in lecture.steps]) == ("2 files", ["a", "Inside"])
    assert examine(lecture) == []
    with pytest.raises(BadInput, match=r"x\.csv cannot be a stop"):
        gathered([tmp_path / "a.kviz", tmp_path / "x.csv"])


def test_a_file_is_read_as_what_it_says_it_is() -> None:
    assert isinstance(read_either(lectures()[0]), Lecture)
    assert not isinstance(read_either(shipped()[0]), Lecture)
