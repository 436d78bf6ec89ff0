"""What holds for the picture of every insight view."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
import subprocess
import sys
import threading

import pytest
from PySide6.QtCore import QPointF

from kernelviz.drawing import insight
from kernelviz.drawing.export.files import as_bytes
from kernelviz.drawing.export.options import Options
from kernelviz.drawing.figure.figure import Paintable
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.insight.picture import InsightPicture, Marks, NothingToShow, PictureMaker
from kernelviz.drawing.theme import DARK, LIGHT
from kernelviz.engine.core.params import CHOICE, FLAG
from kernelviz.runtime.messages import END

pytestmark = pytest.mark.usefixtures("qapp")
"""Or else the first export would make a lesser application, which no widget could live with."""

MODULES = [f"{insight.__name__}.{module.name}" for module in pkgutil.iter_modules(insight.__path__)]
for module in MODULES:
    importlib.import_module(module)
BASES = (InsightPicture,)
KINDS = [
    kind
    for base in BASES
    for kind in base.__subclasses__()
    if kind.__module__.startswith(insight.__name__) and kind not in (NothingToShow, *BASES)
]
of_every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.title)


def maker_of(kind, frame) -> PictureMaker:
    """What makes pictures of a kind; those that are not of a single frame are given what they are of."""
    return PictureMaker.of(kind)


def wanted_by(kind) -> dict[str, str]:
    """The data that a kind is about, where not any will do."""
    return {}


def another_value(switch):
    """What a switch is not set to at first."""
    offered = {FLAG: (False, True), CHOICE: switch.options}.get(switch.kind, switch.soft)
    return next(value for value in offered if value != switch.default)


@pytest.fixture
def picture_of(answers):
    def make(kind, **setting) -> InsightPicture:
        told = answers(step=END, **(setting or wanted_by(kind)))
        return maker_of(kind, told[0]).make(*told)

    return make


def test_the_pictures_are_found():
    assert "Feature space" in {kind.title for kind in KINDS}


@of_every_kind
def test_a_picture_is_frozen_and_can_be_part_of_a_figure(picture_of, kind):
    picture = picture_of(kind)
    assert isinstance(picture, kind)
    assert isinstance(picture, Paintable)
    with pytest.raises(dataclasses.FrozenInstanceError):
        picture.marks = Marks((1,))


@of_every_kind
@pytest.mark.parametrize(("suffix", "begins"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_it_is_written_in_every_format_and_holds_more_than_paper(picture_of, kind, suffix, begins):
    written, paper = (
        as_bytes(picture, suffix, Options()) for picture in (picture_of(kind), NothingToShow(reason=""))
    )
    assert written.startswith(begins)
    assert len(written) > len(paper)


@of_every_kind
def test_painted_on_another_thread_it_looks_the_same(picture_of, painted, kind):
    picture, found = picture_of(kind), []
    thread = threading.Thread(target=lambda: found.append(painted(picture)))
    thread.start()
    thread.join()
    assert found == [painted(picture)]


@of_every_kind
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_it_is_painted_in_the_colours_of_its_theme(picture_of, painted, kind, theme):
    image = painted(picture_of(kind), Style(theme=theme))
    colours = {image.pixelColor(x, y).name() for x in range(300) for y in range(200)}
    assert theme.paper in colours
    assert len(colours) > 20


@of_every_kind
def test_on_a_transparent_sheet_there_is_no_paper(picture_of, painted, kind):
    image = painted(picture_of(kind), Style(transparent=True))
    assert image.pixelColor(0, 0).name() == "#ff00ff"


@of_every_kind
@pytest.mark.parametrize(
    "setting",
    [
        {"data": "blobs(n=30, classes=3, seed=1)"},
        {"how": "perceptron"},
        {"how": "random-features(q=20)"},
        {"how": "ridge(lam=0.1)"},
        {"how": "one-class-svm(nu=0.2)"},
        {"how": "nearest-neighbours(k=3)"},
        {"kernel_text": "sigmoid(gamma=1, c=-1)"},
    ],
    ids=str,
)
def test_every_kind_of_model_can_be_shown(picture_of, painted, kind, setting):
    picture = picture_of(kind, **setting)
    image = painted(picture)
    assert image != painted(NothingToShow(reason=""))


@of_every_kind
def test_every_switch_changes_the_picture(answers, painted, kind):
    told = answers(
        step=END, **{"how": "squared-slack-svm", **wanted_by(kind)}
    )  # whose loss is none of those to be switched on
    maker = maker_of(kind, told[0])
    for switch in maker.make(*told).switchable:
        other = another_value(kind.switches.parameter(switch))
        assert painted(maker.switched(switch, other).make(*told)) != painted(maker.make(*told))


@of_every_kind
def test_what_the_mouse_is_on_is_drawn_there(picture_of, painted, rect, kind):
    """Wherever a picture says there is a point, marking it changes what is painted."""
    picture, style = picture_of(kind), Style()
    places = [QPointF(x, y) for x in range(0, 300, 25) for y in range(0, 200, 20)]
    hits = {picture.points_at(at, rect, style) for at in places} - {()}
    assert bool(hits) == (kind.points_at is not InsightPicture.points_at)
    for points in sorted(hits)[:5]:
        hovered = picture.marked(Marks((), *points))
        assert painted(hovered, style) != painted(picture, style)


@of_every_kind
def test_marking_computes_nothing_again(picture_of, kind):
    picture = picture_of(kind)
    marked = picture.marked(Marks((1,), 2))
    for field in dataclasses.fields(picture):
        if field.name != "marks":
            assert getattr(marked, field.name) is getattr(picture, field.name)
    assert marked.ground == picture.ground


@of_every_kind
def test_the_same_frame_again_needs_no_new_ground(answers, kind):
    told = answers(step=END, **wanted_by(kind))
    maker = maker_of(kind, told[0])
    first = maker.make(*told)
    again = maker.make(*told, before=first)
    assert again.ground == first.ground


@of_every_kind
def test_without_a_frame_it_is_said_that_there_is_no_result(painted, kind):
    nothing = PictureMaker.of(kind).make(None)
    assert "no result" in nothing.reason
    assert painted(nothing) != painted(NothingToShow(reason=""))


def test_pictures_need_no_widgets():
    code = f"import sys, {', '.join(MODULES)}; sys.exit('PySide6.QtWidgets' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_of_the_marked_points_the_hovered_one_comes_last_and_those_that_are_gone_are_left_out():
    assert Marks((3, 9), 1).among(5) == (3, 1)
    assert Marks((3,), 7).among(5) == (3,)
    assert Marks().among(5) == ()
