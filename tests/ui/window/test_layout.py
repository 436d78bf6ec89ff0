"""The real window on random walks: whatever a user does, everything is where `arrange` says.

`KERNELVIZ_WALKS=50 pytest tests/ui/window/test_layout.py` takes longer walks than a usual run does."""

from __future__ import annotations

import os
import random
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QToolBar

from kernelviz.ui.window.arrangement import PANELS, Arrangement, Mode, Wishes, arrange, looking, toggled
from tests.ui.lessons.student import PLANE, Student
from tests.ui.window.acting import LEFT, chosen_in_menu, come_to_rest, present

WALKS = int(os.environ.get("KERNELVIZ_WALKS", "3"))
STEPS = 30
SIZES = ((1920, 1080), (1340, 820), (1366, 700), (1024, 768), (800, 600))
AREA = Qt.DockWidgetArea
NAMES = {
    AREA.LeftDockWidgetArea: "left",
    AREA.RightDockWidgetArea: "right",
    AREA.BottomDockWidgetArea: "below",
}


class Walker:
    """A user who does something at random, and expects what `arrange` makes of it."""

    def __init__(self, qtbot, window, lesson, seed: int) -> None:
        self.qtbot, self.window, self.lesson = qtbot, window, lesson
        self.random = random.Random(seed)
        self.mode, self.wishes = Mode(), Wishes(views=tuple(window.insight.shown))
        self.done: list[str] = []

    @property
    def expected(self) -> Arrangement:
        size, scale = (self.window.width(), self.window.height()), self.window.settings.type_size / 100
        return arrange(size, max(1.0, scale), self.mode, self.wishes)

    def step(self) -> None:
        before = self.expected
        acts = [self.resize, self.resize, self.present, self.teach, self.panel, self.panel, self.panel]
        acts += [self.enlarge, self.view, self.second, self.escape, self.choose, self.bar, self.type]
        act = self.random.choice(acts)
        said = act()
        come_to_rest(self.window)
        self.done.append(f"{act.__name__} {said}".strip())
        if (self.expected.mode, self.expected.shape) != (before.mode, before.shape):
            self.wishes = replace(self.wishes, over="")

    # What the user does ---------------------------------------------------------------------------------
    def resize(self) -> str:
        size = self.random.choice(SIZES)
        self.window.resize(*size)
        return str(size)

    def type(self) -> str:
        percent = self.random.choice((100, 100, 130, 200))
        self.window.set_type_size(percent)
        return str(percent)

    def present(self) -> None:
        present(self.window)
        self.mode = replace(self.mode, presenting=not self.mode.presenting)

    def teach(self) -> None:
        if self.mode.lesson:
            self.window.lessons.end_lesson()
        else:
            Student(self.qtbot, self.window).open(self.lesson)
            self.wishes = replace(self.wishes, in_lesson=frozenset(), folded=False)
        self.mode = replace(self.mode, lesson=not self.mode.lesson)

    def panel(self) -> str:
        """Use the entry of a panel in the menu, or its icon."""
        name, made = self.random.choice(list(PANELS)), self.expected
        shown = name not in made.shown
        self.window.docks[name].toggleViewAction().trigger()
        size = self.window.width(), self.window.height()
        self.wishes = toggled(self.wishes, made, size, name, shown)
        return f"{name} {shown}"

    def choose(self) -> str:
        """Tick a panel for the stage."""
        name = self.random.choice(list(PANELS))
        if self.mode.presenting:
            return ""
        chosen_in_menu(self.window, name.capitalize()).trigger()
        self.wishes = replace(self.wishes, presented=self.wishes.presented ^ {name})
        return name

    def bar(self) -> str:
        """Hide the toolbar by its context menu, or show it again."""
        if not self.mode.presenting:
            self.window.findChild(QToolBar, "commands").toggleViewAction().trigger()
            self.wishes = replace(self.wishes, toolbar=not self.wishes.toolbar)
        return str(self.wishes.toolbar)

    def enlarge(self) -> str:
        return self._click("enlarge")

    def second(self) -> str:
        return self._click("other")

    def _click(self, button: str) -> str:
        """Click a button of a slot, if it is in sight."""
        slot = self.random.choice(self.window.insight.slots)
        if self.mode.lesson or not getattr(slot, button).isVisible():
            return "(not in sight)"
        made = self.expected
        self.qtbot.mouseClick(getattr(slot, button), LEFT)
        self._look(made)
        return slot.view

    def view(self) -> str:
        slot, name = (
            self.random.choice(self.window.insight.slots),
            self.random.choice(("gram", "loss", "sweep")),
        )
        if self.mode.lesson or not slot.isVisible():
            return "(not in sight)"
        made = self.expected
        slot.picker.picked.emit(name)
        self._look(made)
        return name

    def _look(self, made: Arrangement) -> None:
        insight = self.window.insight
        self.wishes = looking(self.wishes, made, tuple(insight.shown), insight.enlarged or "")

    def escape(self) -> None:
        """Close what is over the canvas, bring the canvas back, or leave the stage."""
        made = self.expected
        self.window.activateWindow()
        self.window.take_keyboard()
        if made.mode.lesson and not made.mode.presenting:
            return
        self.qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
        if made.shape == "icons" and self.wishes.over:
            self.wishes = replace(self.wishes, over="")
        elif made.large:
            self.wishes = looking(self.wishes, made, made.views, "")
        elif made.mode.presenting:
            self.mode = replace(self.mode, presenting=False)

    # What is seen ---------------------------------------------------------------------------------------
    @property
    def seen(self) -> dict[str, object]:
        window, panel = self.window, self.window.lessons.panel
        bars = {
            "menu": window.menuBar(),
            "toolbar": window.findChild(QToolBar, "commands"),
            "strip": window.strip,
        }
        return {
            "shape": window.arrangement.shape,
            "panels": {name: self._place(name) for name in PANELS},
            "views": () if self.mode.lesson else tuple(window.insight.shown),
            "large": "" if self.mode.lesson else window.insight.enlarged or "",
            "lesson": "" if panel is None else self._place_of(panel),
            "bars": frozenset(name for name, bar in bars.items() if bar.isVisible()),
            "ticks": {n for n in PANELS if chosen_in_menu(window, n.capitalize()).isChecked()},
            "canvas": window.canvas.isVisible() or bool(window.insight.enlarged),
        }

    def _place(self, name: str) -> str:
        window, dock = self.window, self.window.docks[name]
        if not dock.isVisible():
            return "hidden"
        if (panel := window.lessons.panel) is not None and panel.isAncestorOf(dock):
            return "in the lesson"
        return "over" if window.arrangement.icon_bar.isVisible() else NAMES[window.dockWidgetArea(dock)]

    def _place_of(self, panel) -> str:
        if not panel.isVisible():
            return "folded"
        return "over" if panel.fold.isVisible() else "beside"

    @property
    def wanted(self) -> dict[str, object]:
        made = self.expected
        parts = {
            name: getattr(made, name) for name in ("shape", "panels", "views", "large", "lesson", "bars")
        }
        return {**parts, "ticks": set(self.wishes.presented), "canvas": True}


@pytest.mark.parametrize("seed", range(WALKS))
def test_on_a_random_walk_everything_is_where_it_should_be(qtbot, window, tmp_path, monkeypatch, seed):
    lesson = tmp_path / "width.md"
    lesson.write_text(PLANE, encoding="utf-8")
    walker = Walker(qtbot, window, lesson, seed)
    # The screen of the tests is smaller than any projector, and its window manager forgets sizes.
    stage = walker.random.choice(SIZES[:4])
    monkeypatch.setattr(window, "showFullScreen", lambda: window.resize(*stage))
    monkeypatch.setattr(window, "showNormal", lambda: window.resize(*walker.random.choice(SIZES)))
    for _ in range(STEPS):
        walker.step()
        assert walker.seen == walker.wanted, f"seed {seed}: {', '.join(walker.done)}"
