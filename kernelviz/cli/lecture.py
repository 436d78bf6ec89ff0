"""List, check, draw, print or begin lectures."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from kernelviz.cli.points import STANDARD_OUTPUT
from kernelviz.cli.terminal import BAD_INPUT, DONE
from kernelviz.engine.core.errors import BadInput, NotWritten
from kernelviz.engine.core.params import nearest
from kernelviz.runtime.streams import complain, say
from kernelviz.scene.export.handout import handout, markdown
from kernelviz.scene.qt_check import require_qt
from kernelviz.scene.wording import counted
from kernelviz.session.files.atomic import replacing
from kernelviz.session.lessons.lecture import Lecture
from kernelviz.session.lessons.lecture_reader import lectures, read_lecture
from kernelviz.session.lessons.reader import SUFFIX
from kernelviz.session.lessons.robot import examine
from kernelviz.session.themes import THEMES

FILE = "a lecture's file, or the name of one of ours"


def configure(parser: ArgumentParser) -> None:
    """Add the subcommands of `kernelviz lecture` and their arguments."""
    what = parser.add_subparsers(dest="what", metavar="WHAT", required=True)
    listed = what.add_parser("list", help="the lectures that come with kernelviz, and those of a folder")
    listed.add_argument("folder", nargs="?", default=".", metavar="DIR", help="default: this one")
    opened = what.add_parser("open", help="open a lecture in the window")
    opened.add_argument("file", metavar="FILE", help=FILE)
    check = what.add_parser("check", help="go through lectures from the first to the last press")
    check.add_argument("files", nargs="+", metavar="FILE", help=f"{FILE}, or all for every one of ours")
    check.add_argument("--pictures", metavar="DIR", help="also draw every stop, after each press")
    sheet = what.add_parser("sheet", help="a handout with the picture and the notes of each stop")
    sheet.add_argument("file", metavar="FILE", help=FILE)
    sheet.add_argument(
        "-o",
        "--output",
        metavar="FILE.{pdf,md}",
        default=STANDARD_OUTPUT,
        help="where to write it (default: -, print it as Markdown)",
    )
    sheet.add_argument("--paper", choices=("a4", "letter"), default="a4", help="of a PDF (default: a4)")
    render = what.add_parser("render", help="a picture for each stop")
    render.add_argument("file", metavar="FILE", help=FILE)
    render.add_argument("-o", "--output", metavar="DIR", required=True, help="the folder of the pictures")
    for drawing in (check, render):
        drawing.add_argument(
            "--theme", choices=tuple(THEMES), default="light", help="theme of the pictures (default: light)"
        )


def run(arguments: Namespace) -> int:
    """Do what the subcommand says; the exit code is BAD_INPUT if `check` finds anything wrong."""
    commands = {"list": _list, "open": _open, "check": _check, "sheet": _sheet, "render": _render}
    return commands[arguments.what](arguments)


def _list(arguments: Namespace) -> int:
    """Print name, title and number of stops of the lectures at hand."""
    own = sorted(Path(arguments.folder).glob(f"*{SUFFIX}"))
    for path in (*lectures(), *own):
        try:
            lecture = read_lecture(path)
        except BadInput:  # a text of another kind
            continue
        name = str(path) if path in own else lecture.name
        say(f"  {name:<34} {lecture.title} ({counted(len(lecture.steps), 'stop')})\n")
    return DONE


def _open(arguments: Namespace) -> int:
    """Open the window with a lecture."""
    from kernelviz.ui.app import main as open_window

    return open_window(str(read_lecture(_found(arguments.file)).path))


def _check(arguments: Namespace) -> int:
    """Go through every lecture, press by press, and print what fails, with file and line.

    The faults are the answer, on stdout; their number, and the reason why a lecture cannot be read, are on
    stderr."""
    unread = faults = 0
    for path in lectures() if arguments.files == ["all"] else map(_found, arguments.files):
        try:
            lecture = read_lecture(path)
        except BadInput as problem:
            complain(str(problem))
            unread += 1
            continue
        found = examine(lecture)
        for fault in found:
            say(f"{lecture.path}, line {fault.line}: {fault.sentence}\n")
        faults += len(found)
        if arguments.pictures is not None:
            _draw(lecture, Path(arguments.pictures), arguments.theme, every_press=True)
        if not found:
            say(f"{lecture.path}: everything holds.\n")
    if faults:
        complain(f"{counted(faults, 'fault')} found.")
    return BAD_INPUT if unread or faults else DONE


def _render(arguments: Namespace) -> int:
    """Draw every stop as it begins."""
    _draw(read_lecture(_found(arguments.file)), Path(arguments.output), arguments.theme)
    return DONE


def _draw(lecture: Lecture, folder: Path, theme: str, *, every_press: bool = False) -> None:
    """Draw the stops into a folder, with their views; what cannot be drawn is left out with a sentence."""
    require_qt()
    from kernelviz.scene.export.lesson_pictures import LessonPictures

    pictures = LessonPictures(folder, theme)
    for index in range(len(lecture.steps)):
        try:
            states = lecture.states(index)
        except BadInput as problem:
            complain(str(problem))
            continue
        for press, state in enumerate(states if every_press else states[:1]):
            moment = f"-{press}" if every_press else ""
            try:
                pictures.draw(f"{index + 1:03}{moment}", state)
            except NotWritten:
                raise
            except BadInput as problem:
                complain(f"“{lecture.steps[index].title}” cannot be drawn: {problem}")


def _sheet(arguments: Namespace) -> int:
    """Write the handout of a lecture as PDF or Markdown, with its pictures; print it without a file name.

    BadInput where it would replace the lecture itself."""
    source = _found(arguments.file)
    path = None if arguments.output == STANDARD_OUTPUT else Path(arguments.output)
    suffix = SUFFIX if path is None else path.suffix.lower()
    if suffix not in (SUFFIX, ".pdf"):
        raise BadInput("A handout is written as PDF or as Markdown: its name ends in .pdf or .md.")
    if path is not None and path.exists() and path.samefile(source):
        raise BadInput(f"{path} is the lecture itself; choose another name for its handout.")
    lecture = read_lecture(source)
    if path is None:
        say(markdown(lecture))
        return DONE
    with replacing(path) as file:
        if suffix == ".pdf":
            require_qt()
            from kernelviz.scene.export.worksheet import sheets

            file.write(sheets([(lecture.title, list(handout(lecture)))], arguments.paper, lecture.title))
        else:
            pictures = path.with_suffix("")
            _draw(lecture, pictures, "light")
            file.write(markdown(lecture, pictures.name).encode())
    return DONE


def _found(name: str) -> Path:
    """Return the path of a lecture, which may be given by its name if it is one of ours."""
    path, ours = Path(name), {known.stem: known for known in lectures()}
    if path.suffix == SUFFIX:
        return path
    if name not in ours:
        raise BadInput(f"There is no lecture called {name!r}. {nearest(name, list(ours))}")
    return ours[name]
