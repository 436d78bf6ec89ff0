"""List, check, print or begin lessons, and count a class's answers."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from pathlib import Path

from kernelviz.cli.points import STANDARD_OUTPUT
from kernelviz.cli.terminal import BAD_INPUT, DONE
from kernelviz.engine.core.errors import BadInput, NotWritten, reason
from kernelviz.engine.core.params import nearest
from kernelviz.runtime.streams import complain, say
from kernelviz.scene.export.worksheet_items import markdown
from kernelviz.scene.qt_check import require_qt
from kernelviz.scene.wording import counted
from kernelviz.session.files.atomic import replacing, write_atomically
from kernelviz.session.lessons.claims import claims_table
from kernelviz.session.lessons.lesson import Lesson
from kernelviz.session.lessons.progress import read_results, results_table
from kernelviz.session.lessons.reader import SUFFIX, read_lesson
from kernelviz.session.lessons.robot import examine, pictures
from kernelviz.session.lessons.shipped import in_chapters, shipped, template
from kernelviz.session.themes import THEMES


def configure(parser: ArgumentParser) -> None:
    """Add the subcommands of `kernelviz lesson` and their arguments."""
    what = parser.add_subparsers(dest="what", metavar="WHAT", required=True)
    what.add_parser("list", help="the lessons that come with kernelviz", allow_abbrev=False)
    opened = what.add_parser("open", help="open a lesson in the window")
    opened.add_argument("file", metavar="FILE", help="a lesson's file, or the name or number of one of ours")
    check = what.add_parser("check", help="do lessons as a student would, and report what fails")
    check.add_argument(
        "files", nargs="+", metavar="FILE", help="a lesson's file, or the name or number of one of ours"
    )
    check.add_argument("--pictures", metavar="DIR", help="also draw every step, as it begins and as it ends")
    check.add_argument(
        "--theme", choices=tuple(THEMES), default="light", help="theme of the pictures (default: light)"
    )
    new = what.add_parser("new", help="write a small lesson to begin with")
    new.add_argument("file", metavar="FILE.md")
    sheet = what.add_parser("sheet", help="a worksheet to print, or a booklet of all of them")
    sheet.add_argument(
        "file",
        metavar="FILE",
        help="a lesson's file, the name or number of one of ours, or all for every one of ours",
    )
    sheet.add_argument(
        "-o",
        "--output",
        metavar="FILE.{pdf,md}",
        default=STANDARD_OUTPUT,
        help="where to write it (default: -, print it as Markdown)",
    )
    sheet.add_argument("--solutions", action="store_true", help="with the answers at the end")
    sheet.add_argument(
        "--paper", choices=("a4", "letter"), default="a4", help="paper size of a PDF (default: a4)"
    )
    what.add_parser("claims", help="which claim of the notes is seen in which lesson, as Markdown")
    results = what.add_parser("results", help="count the lines that 'Copy my answers' gives")
    results.add_argument("files", nargs="+", metavar="FILE", help="texts with such lines in them")


def run(arguments: Namespace) -> int:
    """Run the subcommand; the exit code is BAD_INPUT if `check` finds anything wrong."""
    commands = {
        "list": _list, "open": _open, "check": _check, "new": _new, "sheet": _sheet, "results": _results,
        "claims": _claims,
    }  # fmt: skip
    return commands[arguments.what](arguments)


def _list(arguments: Namespace) -> int:
    """Print name, title and length of every lesson that comes with kernelviz, chapter by chapter."""
    for chapter, lessons in in_chapters(map(read_lesson, shipped()), lambda lesson: lesson.chapter):
        if chapter is not None:
            say(f"{chapter.title}: {chapter.about}\n")
        for lesson in lessons:
            say(f"  {lesson.name:<34} {lesson.title} ({lesson.minutes} minutes)\n")
    return DONE


def _claims(arguments: Namespace) -> int:
    """Print the table in `resources/claims.md`."""
    say(claims_table())
    return DONE


def _open(arguments: Namespace) -> int:
    """Open the window with a lesson."""
    from kernelviz.ui.app import main as open_window

    lesson = read_lesson(_found(arguments.file))  # a broken one is reported here, without a window
    return open_window(str(lesson.path))


def _check(arguments: Namespace) -> int:
    """Do every lesson as a student would and print what fails, with file and line.

    The faults of a lesson are the answer, on stdout; their number, and the reason why a lesson cannot be
    read, are on stderr. With --pictures the steps of lessons without a fault are drawn too."""
    unread = faults = 0
    for file in arguments.files:
        try:
            lesson = read_lesson(_found(file))
        except BadInput as problem:
            complain(str(problem))
            unread += 1
            continue
        found = examine(lesson)
        for fault in found:
            say(f"{lesson.path}, line {fault.line}: {fault.sentence}\n")
        faults += len(found)
        if arguments.pictures is not None and not found:
            _draw(lesson, Path(arguments.pictures), arguments.theme)
        if not found:
            say(f"{lesson.path}: everything holds.\n")
    if faults:
        complain(f"{counted(faults, 'fault')} found.")
    return BAD_INPUT if unread or faults else DONE


def _draw(lesson: Lesson, folder: Path, theme: str) -> None:
    """Draw every step of a lesson into a folder."""
    require_qt()
    from kernelviz.scene.export.lesson_pictures import LessonPictures

    drawn = LessonPictures(folder, theme)
    for name, state in pictures(lesson):
        try:
            drawn.draw(name, state)
        except NotWritten:
            raise
        except BadInput:
            continue  # a fit that refuses its data, as some lessons mean it to


def _new(arguments: Namespace) -> int:
    """Write the template of a lesson under a name that is not taken."""
    path = Path(arguments.file)
    if path.suffix != SUFFIX:
        raise BadInput(f"A lesson's file ends in {SUFFIX}: {path.stem}{SUFFIX}.")
    if os.path.lexists(path):
        raise BadInput(f"{path} already exists; choose another name.")
    write_atomically(path, template().read_bytes())
    say(f"{path} is written. Change it, then run: kernelviz lesson check {path}\n")
    return DONE


def _sheet(arguments: Namespace) -> int:
    """Write the worksheet of a lesson, or of all of them, as PDF or Markdown; print it without a file name.

    BadInput where it would replace the lesson itself."""
    sources = shipped() if arguments.file == "all" else [_found(arguments.file)]
    path = None if arguments.output == STANDARD_OUTPUT else Path(arguments.output)
    suffix = ".md" if path is None else path.suffix.lower()
    if suffix not in (".md", ".pdf"):
        raise BadInput("A worksheet is written as PDF or as Markdown: its name ends in .pdf or .md.")
    if path is not None and path.exists() and any(path.samefile(source) for source in sources):
        raise BadInput(f"{path} is the lesson itself; choose another name for its worksheet.")
    lessons = [read_lesson(source) for source in sources]
    if path is None:
        say(_markdown(lessons, arguments.solutions))
        return DONE
    with replacing(path) as file:  # opened first, because a booklet takes ten seconds
        if suffix == ".pdf":
            require_qt()
            from kernelviz.scene.export.worksheet import worksheets

            file.write(worksheets(lessons, arguments.paper, arguments.solutions))
        else:
            file.write(_markdown(lessons, arguments.solutions).encode())
    return DONE


def _markdown(lessons: Iterable[Lesson], with_solutions: bool) -> str:
    """Return the worksheets of lessons, one after the other."""
    return "\n".join(markdown(lesson, with_solutions) for lesson in lessons)


def _results(arguments: Namespace) -> int:
    """Print how often each answer was given, for every lesson whose lines are in the files."""
    say(results_table(read_results(map(_text, arguments.files))))
    return DONE


def _text(file: str) -> str:
    """Return the text of a file, with a sign in place of bytes that are not UTF-8; BadInput if it cannot be
    read."""
    largest_results = 10_000_000  # Bytes of a file with answers.
    try:
        with open(file, "rb") as opened:
            return opened.read(largest_results).decode("utf-8", "replace")
    except (OSError, ValueError) as problem:
        raise BadInput(f"{file} cannot be read: {reason(problem)}.") from None


def _found(name: str) -> Path:
    """Return the path of a lesson, which may be given by its name or its number if it is one of ours."""
    path = Path(name)
    if path.suffix == SUFFIX:
        return path
    ours = {known.stem: known for known in shipped()}
    numbered = {int(stem.partition("-")[0]): known for stem, known in ours.items()}
    if name.isascii() and name.isdecimal():
        if int(name) in numbered:
            return numbered[int(name)]
        raise BadInput(f"There is no lesson {int(name)}: they have the numbers 1 to {max(numbered)}.")
    if name not in ours:
        raise BadInput(f"There is no lesson called {name!r}. {nearest(name, list(ours))}")
    return ours[name]
