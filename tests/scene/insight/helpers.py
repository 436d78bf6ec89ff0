"""What the tests of the views share."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from kernelviz.engine.core.generators import finished
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.transform import POINTS_PER_PIXEL
from kernelviz.scene.painter import Layout
from kernelviz.scene.view import Needed, Now, Scene, View, ViewMemory
from kernelviz.ui.dialogs.snapshot import Snapshot

RECT = QRectF(0, 0, 300, 200)
# A view below the canvas of a window of 1024 x 768, and the style it has there.
BELOW_CANVAS, ON_SCREEN = QRectF(0, 0, 531, 109), Style(text=8.2, glyphs=0.85)


def made(view: View, frame, memory: ViewMemory | None = None, **now) -> Scene:
    """What a view shows of a frame; `now` are fields of its `Now`."""
    return view.scene(frame, Now(**now), memory or ViewMemory())


def laid_out(scene: Scene, rect: QRectF = RECT, style: Style | None = None) -> Layout:
    return Layout(scene.root, rect, style or Style())


def part(scene: Scene, name: str, rect: QRectF = RECT):
    """A leaf of that name, or the one with a layer of that name."""
    return laid_out(scene, rect).find(name)


def layer(scene: Scene, name: str):
    """A layer of that name."""
    leaf = part(scene, name)
    return next(layer for layer in (*leaf.below, *leaf.layers) if layer.part == name)


def found(shown, name: str, rect: QRectF = RECT):
    """The leaf of that name, or the layer of that name, in a scene or in the scene of a view on screen."""
    layout = laid_out(shown, rect) if isinstance(shown, Scene) else shown.sheet.layout_of_scene
    leaf = layout.find(name)
    return leaf if leaf.part == name else leaf.layer(name)


def done(needed: Needed):
    """What long work has found at its end."""
    run = needed.begin()
    finished(run.work(lambda: None))
    return needed.result(run)


def number(text: str) -> float:
    """A number as it is written, with a minus sign that is no hyphen."""
    return float(text.replace("−", "-"))


def legend(shown, name: str) -> dict[str, str]:
    """The names and numbers in the line above a plot."""
    return {curve.name: number for curve, number in found(shown, name).node.entries}


def exported(view) -> Scene:
    """What a figure shows of a view on screen, as it is now."""
    return Snapshot.of(view.workbench).scene_of(view.panel())


def pixel(at: QPointF) -> QPoint:
    """A place in points as the pixel a mouse would be on."""
    return (at / POINTS_PER_PIXEL).toPoint()


def press(
    widget: QWidget, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
) -> None:
    """Give a widget the keyboard and press a key."""
    widget.setFocus()
    QTest.keyClick(widget, key, modifier)
