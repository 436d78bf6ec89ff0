"""Learning curve, and bias and variance: computed in the background, told in words where they cannot be."""

from __future__ import annotations

import numpy as np
import pytest

from kernelviz.engine.fits.parsing import kernel
from kernelviz.runtime import fresh_samples
from kernelviz.scene.view import LATER
from kernelviz.session.state import Document
from tests.scene.insight.helpers import exported, found, number


@pytest.fixture
def quick(monkeypatch):
    """Few and small samples."""
    monkeypatch.setattr(fresh_samples, "LARGEST", 60)
    monkeypatch.setattr(fresh_samples, "SAMPLES", 6)


@pytest.fixture
def drawn(bench, quick):
    """A workbench whose points are known to come from a data set."""

    def make(source: str, kernel_text: str = "rbf(gamma=1)", how: str = "ridge(lam=0.1)"):
        workbench = bench(source, kernel_text, how)
        document: Document = workbench.session.document
        workbench.session.replace("draw", document.replace(source=source))
        workbench.refresh()
        return workbench

    return make


@pytest.mark.parametrize("source", ["gaussians(n=40)", "sine(n=40)"])
def test_the_learning_curve_shows_both_errors_and_the_smallest_possible(opened, drawn, qtbot, source):
    view = opened("learning", workbench=drawn(source))
    qtbot.waitUntil(lambda: not view.scene.reason and not view.working)
    layers = found(view, "learning").node.layers
    curves = {layer.part: layer.y for layer in layers if hasattr(layer, "y")}
    assert {"held-out error", "training error", "bayes"} == set(curves)
    assert all(np.isfinite(y).all() for y in curves.values())


@pytest.mark.parametrize(("source", "name"), [("gaussians(n=40)", "Bayes error"), ("sine(n=40)", "noise")])
def test_the_smallest_possible_error_has_the_name_it_has_in_bias_and_variance(
    opened, drawn, qtbot, source, name
):
    workbench = drawn(source)
    learning, spread = (opened(view, workbench=workbench) for view in ("learning", "spread"))
    for view in (learning, spread):
        qtbot.waitUntil(lambda view=view: not view.scene.reason and not view.working)
    assert name in {curve.name for curve, _ in found(learning, "learning").node.entries}
    assert learning.scene.remark.meaning.endswith(f"above the {name}.")
    table = found(spread, "parts").node
    assert name in " ".join((*(item.name for item in table.items), *table.remarks))


def test_the_legend_of_the_learning_curve_is_readable_in_a_column_of_the_window(opened, drawn, qtbot):
    view = opened("learning", 300, 300, workbench=drawn("gaussians(n=40)"))
    qtbot.waitUntil(lambda: not view.scene.reason and not view.working)
    shown = found(view, "learning").legend
    assert [curve.name for curve, _ in shown.curves] == ["held-out", "training", "Bayes"]
    assert shown.scale >= 0.95


def test_a_few_points_of_a_file_are_too_few(opened, bench):
    view = opened("learning", workbench=bench("gaussians(n=20)"))
    assert "30 points" in view.scene.reason


@pytest.mark.parametrize("source", ["gaussians(n=40)", "sine(n=40)"])
def test_bias_and_variance_are_numbers_that_add_up(opened, drawn, qtbot, source):
    view = opened("spread", workbench=drawn(source))
    qtbot.waitUntil(lambda: not view.scene.reason and not view.working)
    values = {item.name: item.value for item in found(view, "parts").node.items}
    assert {"bias²", "variance", "noise", "sum"} <= set(values)
    numbers = {name: number(text.split()[0]) for name, text in values.items()}
    total = numbers["bias²"] + numbers["variance"] + numbers["noise"]
    assert numbers["sum"] == pytest.approx(total, rel=0.02)
    assert numbers["sum"] != numbers["error, measured"]
    assert any("differ by chance" in words for words in found(view, "parts").node.remarks)
    assert view.scene.remark.words.startswith("6 of ")
    explained = any("below the Bayes error" in words for words in found(view, "parts").node.remarks)
    assert explained is source.startswith("gaussians"), "only classes have a Bayes error"


def test_parts_of_the_error_that_are_not_known_say_why(opened, drawn, qtbot):
    view = opened("spread", workbench=drawn("moons(n=40)"))
    qtbot.waitUntil(lambda: not view.scene.reason and not view.working)
    rows = found(view, "parts").node
    values = {item.name: item.value for item in rows.items}
    assert values["bias²"] == values["noise"] == "not known"
    assert any(
        "probability of + at x, which is not known for this data set" in words for words in rows.remarks
    )
    assert not any("differ by chance" in words for words in rows.remarks)


@pytest.mark.parametrize("source", ["gaussians(n=40)", "sine(n=40)"])
def test_the_parts_of_the_error_and_the_key_to_the_picture_are_readable_in_a_small_place(
    opened, drawn, qtbot, source
):
    view = opened("spread", 300, 300, workbench=drawn(source))
    qtbot.waitUntil(lambda: not view.scene.reason and not view.working)
    qtbot.waitUntil(lambda: found(view, "parts").size >= 0.9 * found(view, "parts").style.text)
    rows = found(view, "parts")
    assert rows.node.width(rows.style) <= rows.rect.width()
    assert "Bold: the m" in rows.node.remarks[0]
    assert "Dashed: the " in rows.node.remarks[0]
    assert "With 6 fits, bias² is too large by about variance/6" in view.scene.remark.meaning


@pytest.mark.parametrize("name", ["learning", "spread"])
def test_nothing_is_fitted_while_it_is_not_seen(opened, drawn, qtbot, name):
    view = opened(name, workbench=drawn("gaussians(n=40)"))
    qtbot.waitUntil(lambda: not view.scene.reason and not view.working)
    view.hide()
    view.workbench.session.change("change kernel", kernel=kernel("rbf(gamma=5)"))
    assert not view.working
    view.show()
    assert view.working
    qtbot.waitUntil(lambda: not view.working)


@pytest.mark.parametrize("name", ["spread", "separators"])
def test_a_view_of_the_plane_does_nothing_for_strings(opened, drawn, qtbot, name):
    view = opened(name, workbench=drawn("gaussians(n=40)"))
    qtbot.waitUntil(lambda: not view.working)
    found = view.result
    strings = drawn("motif", "spectrum(length=3)", "soft-margin-svm(C=1)").session.document
    view.workbench.session.replace("open strings", strings)
    qtbot.waitUntil(lambda: not view.working)
    assert view.result is found


def test_points_drawn_by_hand_have_no_bias_and_variance(opened, bench):
    view = opened("spread", workbench=bench())
    assert "can be drawn again" in view.scene.reason


# Another document ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["learning", "spread"])
def test_a_figure_has_no_result_of_points_that_are_gone(opened, drawn, qtbot, name):
    view = opened(name, workbench=drawn("gaussians(n=40)"))
    qtbot.waitUntil(lambda: not view.scene.reason and not view.working)
    assert not exported(view).reason
    view.hide()
    first, other = view.workbench.session.document, drawn("moons(n=40)").session.document
    view.workbench.session.replace("draw moons", other)
    assert exported(view).reason == LATER
    view.workbench.session.replace("draw gaussians", first)
    assert not exported(view).reason


def test_bias_and_variance_of_classes_are_not_drawn_as_those_of_a_curve(opened, drawn, qtbot):
    view = opened("spread", workbench=drawn("gaussians(n=40)"))
    qtbot.waitUntil(lambda: not view.scene.reason and not view.working)
    view.workbench.session.replace("draw sine", drawn("sine(n=40)").session.document)
    assert view.scene.reason == LATER
    qtbot.waitUntil(lambda: not view.scene.reason and not view.working)
    assert found(view, "curves")
