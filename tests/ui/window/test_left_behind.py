"""From one workspace to another whose fit takes long."""

from __future__ import annotations

import threading

from kernelviz.engine.models import problem
from kernelviz.session.state import start_up
from kernelviz.session.workspaces.registry import workspaces

WORDS = next(workspace for workspace in workspaces() if workspace.name == "words")


def test_while_other_data_are_computed_nothing_is_told_of_those_before(qtbot, window, monkeypatch):
    ordinary, go_on = problem._compare, threading.Event()

    def slow(*words):
        go_on.wait(20)
        return ordinary(*words)

    insight = window.insight
    insight.show_view("pair")
    monkeypatch.setattr(problem, "_compare", slow)
    words = start_up(WORDS).document
    window.session.replace("words", words)
    try:
        qtbot.waitUntil(lambda: window.status_line.figures.text() == f"{words.data.n} strings")
        assert window.workbench.frame is None
        assert window.canvas.area.labels == ("component 1", "component 2")
        assert "numbers" not in insight.views["pair"].scene.reason
    finally:
        go_on.set()
    qtbot.waitUntil(lambda: window.workbench.up_to_date)
    assert window.workbench.frame.data is words.data
