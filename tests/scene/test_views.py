"""What holds for every view of the folder."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
import threading
from contextlib import suppress

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPixmap

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.generators import finished
from kernelviz.engine.core.params import CHOICE, FLAG
from kernelviz.engine.fits.parsing import dataset
from kernelviz.runtime.messages import END
from kernelviz.runtime.parallel_selection import SelectionRun
from kernelviz.scene.export.files import as_bytes
from kernelviz.scene.export.options import Options
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.transform import POINTS_PER_PIXEL, painter_in_points
from kernelviz.scene.insight import selection, view_class
from kernelviz.scene.nodes import Marks, Node
from kernelviz.scene.painter import Layout, ScreenPainter
from kernelviz.scene.panels import FigurePanel
from kernelviz.scene.view import Now, ViewMemory, message
from kernelviz.session.edit_log import Edits, Tick
from kernelviz.session.state import Document
from kernelviz.session.themes import DARK, LIGHT
from kernelviz.session.view_listing import FAMILIES, listed_scenes, listed_views
from tests.view_listing import FILE, listing

pytestmark = pytest.mark.usefixtures("qapp")
"""Or else the first export would make a lesser application, which no widget could live with."""

KINDS = {listed.name: view_class(listed.name) for listed in listed_scenes()}
of_every_view = pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
NOTHING = message("")
FACE_WITH_POINTS = {"comparison": {"switches": {"face": "difference"}}}


def usual(kind) -> dict[str, str]:
    """The data that a view is about, where not any will do."""
    strings = {"data": "spelling(n=20)", "kernel_text": "subsequence(length=2)"}
    return strings if kind.domains == ("strings",) else {}


def another_value(switch):
    """What a switch is not set to at first."""
    offered = {FLAG: (False, True), CHOICE: switch.options}.get(switch.kind, switch.soft)
    return next(value for value in offered if value != switch.default)


def now_of(view, frame, verdict, **more) -> Now:
    """What a view is given, its long work done."""
    document = Document(frame.data, frame.request.fits)
    needed = view.needs(document, frame)
    results = tuple(map(worked, needed if isinstance(needed, tuple) else (needed,)))
    result = results if isinstance(needed, tuple) else results[0]
    answers = (frame, frame) if view.all_fits else (frame,)
    return Now(verdict, document, result=result, answers=answers, edits=some_edits, **more)


def some_edits() -> Edits:
    """Two edits and what they did to the hinge loss and the training error."""
    none = np.full(9, np.nan)
    numbers = np.column_stack([none, np.linspace(0, 1, 9), np.linspace(1, 0, 9), none])
    return Edits(numbers, (Tick(4, "move point", lambda: None), Tick(8, "change C", lambda: None)))


def worked(needed):
    """The result of long work."""
    if needed is None:
        return None
    run = needed.begin()
    with suppress(BadInput):  # what cannot be done is said, and nothing is found
        finished(run.work(lambda: None))
    return needed.result(run)


@pytest.fixture(autouse=True)
def little_work(monkeypatch):
    """Few settings to select from, tried in this process."""
    monkeypatch.setattr(selection, "VALUES_OF_TWO", 3)
    monkeypatch.setattr(selection, "VALUES_OF_ONE", 3)
    monkeypatch.setattr(selection, "SelectionRun", lambda *how, **_apart: SelectionRun(*how[:3], jobs=1))


@pytest.fixture
def scene_of(answers):
    def make(kind, switches=None, **setting):
        frame, verdict = answers(step=END, **(setting or usual(kind)))
        view = kind(**(switches or {}))
        return view.scene(frame, now_of(view, frame, verdict), ViewMemory())

    return make


def test_the_list_of_views_is_up_to_date():
    assert FILE.read_text(encoding="utf-8") == listing(), "run `python -m tests.view_listing`"


@pytest.mark.parametrize("found", listed_views(), ids=lambda found: found.name)
def test_a_view_is_described_in_a_family_of_the_picker(found):
    assert found.family in FAMILIES
    assert found.summary_line.endswith(".")


def test_every_view_has_a_number_of_its_own():
    assert len({found.number for found in listed_views()}) == len(listed_views())


def test_views_are_listed_without_being_imported():
    code = (
        "import sys; from kernelviz.session.view_listing import listed_scenes; listed_scenes(); "
        "sys.exit(any(name.startswith('kernelviz.scene.insight.') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_scenes_need_no_widgets():
    modules = ", ".join(kind.__module__ for kind in KINDS.values())
    code = f"import sys, {modules}; sys.exit('PySide6.QtWidgets' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@of_every_view
def test_a_scene_is_frozen_and_can_be_part_of_a_figure(scene_of, kind):
    scene = scene_of(kind)
    assert isinstance(scene.root, Node)
    with pytest.raises(dataclasses.FrozenInstanceError):
        scene.root = None


@of_every_view
@pytest.mark.parametrize(("suffix", "begins"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_it_is_written_in_every_format_and_holds_more_than_paper(scene_of, kind, suffix, begins):
    written, paper = (as_bytes(scene.root, suffix, Options()) for scene in (scene_of(kind), NOTHING))
    assert written.startswith(begins)
    assert len(written) > len(paper)


@of_every_view
def test_painted_on_another_thread_it_looks_the_same(scene_of, painted, kind):
    scene, found = scene_of(kind), []
    thread = threading.Thread(target=lambda: found.append(painted(scene)))
    thread.start()
    thread.join()
    assert found == [painted(scene)]


@of_every_view
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_it_is_painted_in_the_colours_of_its_theme(scene_of, painted, kind, theme):
    image = painted(scene_of(kind), Style(theme=theme))
    colours = {image.pixelColor(x, y).name() for x in range(300) for y in range(200)}
    assert theme.paper in colours
    assert len(colours) > 20


@of_every_view
def test_on_a_transparent_sheet_there_is_no_paper(scene_of, painted, kind):
    image = painted(scene_of(kind), Style(transparent=True))
    assert image.pixelColor(0, 0).name() == "#ff00ff"


@of_every_view
@pytest.mark.parametrize(
    "setting",
    [
        {"data": "blobs(n=30, classes=3, seed=1)"},
        {"data": "sine(n=30, seed=1)", "how": "svr"},
        {"how": "perceptron"},
        {"how": "random-features(q=20)"},
        {"how": "ridge(lam=0.1)"},
        {"how": "one-class-svm(nu=0.2)"},
        {"how": "nearest-neighbours(k=3)"},
        {"kernel_text": "sigmoid(gamma=1, c=-1)"},
    ],
    ids=str,
)
def test_every_kind_of_model_can_be_shown(scene_of, painted, kind, setting):
    assert painted(scene_of(kind, **setting)) != painted(NOTHING)


@of_every_view
def test_every_switch_changes_the_picture(answers, painted, kind):
    # The loss of this machine is none of those to be switched on.
    frame, verdict = answers(step=END, how="squared-slack-svm", **usual(kind))

    def made(view):
        return view.scene(frame, now_of(view, frame, verdict), ViewMemory())

    plain = made(kind())
    names = [switch.name for switch in kind.parameters()] if plain.switches is None else plain.switches
    for name in names:
        other = another_value(kind.parameter(name))
        assert painted(made(kind(**{name: other}))) != painted(plain)


@of_every_view
def test_what_the_mouse_is_on_is_drawn_there(scene_of, painted, rect, kind):
    """Wherever a point is found, marking it changes what is painted; and so does pointing at a row."""
    scene = scene_of(kind, **FACE_WITH_POINTS.get(kind.name, {}))
    layout = Layout(scene.root, rect, Style())
    hits = {layout.hit(QPointF(x, y)) for x in range(0, 300, 25) for y in range(0, 200, 20)}
    plain = painted(scene, marks=Marks())
    for hit in [hit for hit in hits if hit.points][:5]:
        assert painted(scene, marks=Marks((), *hit.points)) != plain
    for hit in [hit for hit in hits if hit.row][:5]:
        assert painted(scene, marks=Marks(pointed=hit)) != plain


@of_every_view
def test_the_same_frame_again_needs_no_new_ground(answers, rect, kind):
    frame, verdict = answers(step=END, **usual(kind))
    memory, view = ViewMemory(), kind()
    now = now_of(view, frame, verdict)
    first, again = (Layout(view.scene(frame, now, memory).root, rect, Style()) for _ in range(2))
    assert first.ground == again.ground


@of_every_view
def test_what_the_screen_keeps_is_never_out_of_date(answers, qapp, kind):
    """The sheet that was kept while frames, switches and sizes changed looks like a fresh one."""

    def on_screen(painter, layout) -> QPixmap:
        size = (layout.rect.size() / POINTS_PER_PIXEL).toSize()
        sheet = QPixmap(size)
        with painter_in_points(sheet) as on_sheet:
            painter.paint(on_sheet, layout, 1.0, Marks((1,), 2))
        return sheet.toImage()

    kept, memory = ScreenPainter(), ViewMemory()
    views = [kind()]
    for switch in kind.parameters():
        views += [kind(**{switch.name: another_value(switch)}), kind()]
    for setting in ({}, {"kernel_text": "linear", "how": "soft-margin-svm(C=100)"}, {}):
        frame, verdict = answers(step=END, **(setting | usual(kind)))
        for view in views:
            root = view.scene(frame, now_of(view, frame, verdict, point=3), memory).root
            for room in (QRectF(0, 0, 300, 210), QRectF(0, 0, 360, 240), QRectF(0, 0, 300, 210)):
                layout = Layout(root, room, Style())
                fresh = on_screen(ScreenPainter(), layout)
                assert on_screen(kept, layout) == fresh
                assert on_screen(kept, layout) == fresh, "the second time from the sheet that is kept"


@of_every_view
def test_without_a_frame_it_is_said_that_there_is_no_result(painted, kind):
    nothing = kind().without_fit(None, Now(), ViewMemory())
    assert "no result" in nothing.reason
    assert painted(nothing) != painted(NOTHING)


@of_every_view
def test_hints_for_the_mouse_are_not_printed(frame_of, kind):
    frame = frame_of()
    scene = FigurePanel(kind()).scene(frame)
    svg = as_bytes(scene.root, ".svg", Options()).decode()
    assert "Point at" not in svg
    assert "edit something" not in svg


@of_every_view
def test_every_view_is_painted_for_a_local_mean_without_a_value_at_some_points(kind, answers, painted):
    held_out = dataset("sine(n=50, seed=5)")
    frame, verdict = answers("sine(n=30)", "box(l=0.02)", "nadaraya-watson", held_out=held_out)
    assert np.isnan(frame.test.places).any()
    view = kind()
    assert painted(view.scene(frame, now_of(view, frame, verdict), ViewMemory())).width() > 0
