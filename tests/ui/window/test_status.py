"""The status line in words."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QEvent
from PySide6.QtGui import QColor, QFontMetrics

from kernelviz.api import fit
from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import algorithm, dataset, kernel
from kernelviz.engine.models.problem import Problem
from kernelviz.scene.theme import current_theme
from kernelviz.session.session import Session
from kernelviz.session.state import Document, State
from kernelviz.session.workspaces.plane import PlaneWorkspace
from kernelviz.ui.widgets.labels import SEPARATOR
from kernelviz.ui.window.status_line import StatusLine, figures
from kernelviz.ui.workbench.workbench import Workbench
from tests.ui.widgets.acting import Counter
from tests.ui.window.acting import settle

HARD = algorithm("hard-margin-svm")


def words(model) -> list[str]:
    made = SimpleNamespace(model=model, data=model.problem.data, seconds=0.001, test=None)
    return list(figures(made).values())


@pytest.mark.parametrize("expression", ["linear", "rbf(gamma=1)"])
def test_a_hard_margin_tells_how_many_iterations_it_took(expression):
    data = dataset("barely_separable(n=60)")
    first = HARD.fit(Problem(data, kernel(expression)))
    assert f"{first.iterations} iterations" in words(first)
    assert first.iterations > 1


def test_moving_a_point_that_supports_nothing_needs_no_iteration():
    data, linear = dataset("barely_separable(n=60)"), kernel("linear")
    first = HARD.fit(Problem(data, linear))
    X = data.X.copy()
    far = int(np.argmax(np.abs(first.training_scores)))
    X[far] *= 1.01
    again = HARD.fit(Problem(Data.labelled(X, data.z), linear), first)
    assert "no iteration needed" in words(again)


def test_a_line_by_hand_has_no_iterations():
    line = fit(dataset("gaussians(n=20)"), kernel="linear", algorithm="by-hand")
    assert not [text for text in words(line) if "iteration" in text]
    assert line.summary()["iterations"] is None


def test_a_margin_lost_to_rounding_is_not_told_as_a_training_error():
    rng = np.random.default_rng(1)
    z = np.where(np.arange(60) % 2, 1.0, -1.0)
    X = np.c_[rng.normal(size=60) + 5.0 * z, 1e6 * rng.normal(size=60)]
    model = HARD.fit(Problem(Data.labelled(X, z), kernel("polynomial(degree=3, c=1)")))
    assert "no boundary found" in words(model)
    assert not any("training error" in part for part in words(model))


def test_a_perceptrons_mistakes_and_their_bound_are_told_in_the_line(qtbot):
    data = dataset("rings(n=60, seed=2)")
    document = Document.of(data, kernel("rbf(gamma=1)"), algorithm("perceptron"))
    bench = Workbench(Session(State(document, PlaneWorkspace().look(data))), synchronous=True)
    line = StatusLine(bench)
    qtbot.addWidget(line)
    bench.refresh()
    qtbot.waitUntil(lambda: "at most" in line.figures.text())
    assert "‖g‖²" in line.figures.toolTip()
    assert "mistakes" not in figures(bench.frame)
    bench.stop()


def test_while_a_long_fit_runs_the_line_says_what_it_is_doing(qtbot):
    data = dataset("rings(n=60, seed=2)")
    document = Document.of(data, kernel("rbf(gamma=1)"), algorithm("logistic"))
    bench = Workbench(Session(State(document, PlaneWorkspace().look(data))), synchronous=True)
    line = StatusLine(bench)
    qtbot.addWidget(line)
    bench.busy_changed.emit(True)
    bench.progressed.emit("Newton step 3: objective 41.2.")
    assert line.computing.isVisibleTo(line)
    assert line.computing.text() == "computing… Newton step 3: objective 41.2."
    bench.busy_changed.emit(False)
    assert not line.computing.isVisibleTo(line)
    assert line.computing.text() == "computing…"
    bench.stop()


def told(data, kernel_text, algorithm):
    model = fit(dataset(data), kernel=kernel_text, algorithm=algorithm)
    return words(model)


def test_the_band_the_closest_point_b_and_the_loss_have_a_name_each():
    parts = told("three_points", "linear", "hard-margin-svm")
    assert parts[3:7] == ["half-width 1", "smallest margin 1", "b 0", "hinge loss 0"]


def test_logistic_regression_tells_its_own_loss_and_no_support_vectors():
    parts = told("gaussians(n=40)", "rbf(gamma=1)", "logistic")
    assert any(part.startswith("logistic loss 0.") for part in parts)
    assert not any("support" in part or "hinge" in part for part in parts)


def test_of_real_targets_each_number_is_told_once_and_a_process_tells_its_likelihood():
    data = dataset("sine(n=30)")
    told = words(fit(data, algorithm="ridge"))
    assert sum("squared" in part for part in told) == 1
    model = fit(data, algorithm="gaussian-process")
    told = next(part for part in words(model) if part.startswith("log marginal likelihood"))
    value = float(told.removeprefix("log marginal likelihood ").replace("−", "-"))
    assert value == pytest.approx(model.summary()["log_marginal_likelihood"], rel=1e-2)


def test_other_numbers_in_the_line_do_not_lay_out_the_window_anew(window, qapp, qtbot):
    line, workbench = window.findChild(StatusLine), window.workbench
    qtbot.waitUntil(lambda: workbench.up_to_date and workbench.verdict is not None)
    # The line follows the frame a moment later, and then the sign of a computation disappears.
    qtbot.waitUntil(lambda: line.figures.text() == SEPARATOR.join(figures(workbench.frame).values()))
    qtbot.waitUntil(lambda: line.computing.isHidden())
    qtbot.wait(200)
    laid_out = Counter(line, QEvent.Type.LayoutRequest)
    line.figures.set_parts({"points": "60 points", "error": "training error 3.5 %"})
    qapp.processEvents()
    assert line.figures.shown() == "60 points  ·  training error 3.5 %"
    assert laid_out.seen == 0


def test_the_tube_that_nu_regression_finds_is_told():
    data = dataset("sine(n=40)")
    found = fit(data, algorithm="nu-svr(C=10, nu=0.3)")
    assert found.summary()["epsilon"] == found.tube > 0.01
    assert any(part.startswith("ε found 0.") for part in words(found))
    given = fit(data, algorithm="svr(epsilon=0.2)")
    assert given.summary()["epsilon"] == 0.2
    assert not any("ε found" in part for part in words(given))
    assert fit(data, algorithm="ridge").summary()["epsilon"] is None


@pytest.mark.parametrize("width", [0.3, 0.5, 0.8])
def test_a_line_with_little_room_keeps_the_number_of_points(window, qtbot, width):
    line = window.findChild(StatusLine)
    settle(qtbot, window)
    qtbot.waitUntil(lambda: "training error" in line.figures.text())
    metrics, parts = line.figures.fontMetrics(), figures(window.workbench.frame)
    line.figures.resize(round(width * metrics.horizontalAdvance(line.figures.text())), line.figures.height())
    assert parts["points"] in line.figures.shown()
    assert len(line.figures.shown()) < len(line.figures.text())


def test_the_errors_and_the_support_vectors_stand_first_in_large_type(window, qtbot):
    line = window.findChild(StatusLine)
    settle(qtbot, window)
    qtbot.waitUntil(lambda: "training error" in line.figures.text())
    parts = figures(window.workbench.frame)
    first = SEPARATOR.join([parts["training"], parts["support"]])
    assert line.figures.shown().startswith(first + SEPARATOR)
    wide, picture = QFontMetrics(line.figures.large_font).horizontalAdvance(first), line.figures.grab()
    ink = strong(picture.toImage(), current_theme().text)
    assert 0.9 * wide < ink < 1.1 * wide, "the rest is muted"
    assert line.figures.height() >= QFontMetrics(line.figures.large_font).height()


def strong(image, colour: str) -> int:
    """The last column with a pixel of a colour."""
    wanted = QColor(colour).rgb()
    columns = [x for x in range(image.width()) for y in range(image.height()) if image.pixel(x, y) == wanted]
    return round(max(columns) / image.devicePixelRatio())
