"""Several fits compared: their numbers side by side, and where in the plane they disagree."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from kernelviz.engine.fits.parsing import dataset, parse_fit
from kernelviz.session.workspaces.plane import PlaneWorkspace
from kernelviz.ui.insight.table_view import TableView
from kernelviz.ui.insight.views import VIEWS
from tests.scene.insight.helpers import exported, found


@pytest.fixture
def compare(bench, show, qtbot):
    """A view on a bench with further fits, once it shows them."""

    def make(*fits: str, held_out: float = 0.0, **words):
        made = bench(**words)
        session = made.session
        if held_out:
            session.replace("hold out", session.document.with_share_aside(held_out))
        for fit in fits:
            session.replace("compare", session.document.with_fit(parse_fit(fit)))
        view = show(VIEWS["comparison"].widget(made), 420, 700)
        settle(view, qtbot)
        return view

    return make


def settle(view, qtbot) -> None:
    qtbot.waitUntil(lambda: view.workbench.up_to_date)
    view.catch_up()
    qtbot.waitUntil(lambda: not view.busy)


def table(view):
    return found(view, "table").node


def lines(view) -> dict[str, tuple[str, ...]]:
    return {item.name: item.cells for item in table(view).items}


def better(view) -> dict[str, set[int]]:
    return {item.name: set(item.best) for item in table(view).items if item.best}


def difference(view, qtbot):
    """The legend of the difference in the plane, and its layers by name."""
    view.lists["face"].setCurrentText("difference")
    settle(view, qtbot)
    field = found(view, "difference")
    return [entry.text for entry in field.node.legend], field.layer


def test_with_one_fit_it_says_how_to_get_another(compare):
    view = compare()
    assert "A|B" in view.scene.reason


def test_all_numbers_stand_side_by_side(compare):
    view = compare("linear ; logistic")
    models = [view.workbench.latest[k].model for k in range(2)]
    told = lines(view)
    assert told["training error"] == tuple(f"{100 * m.numbers['training_error']:.3g} %" for m in models)
    assert [float(value) for value in told["‖w‖"]] == pytest.approx(
        [m.numbers["norm"] for m in models], rel=1e-3
    )
    assert told["duality gap"][0] == "0"
    assert table(view).head == (
        "A: Gaussian (γ = 1), Soft-margin SVM (C = 1)",
        "B: Linear, Kernel logistic regression (λ = 0.1)",
    )


def test_better_is_marked_only_where_it_means_something(compare):
    view = compare("rbf(gamma=1000) ; soft-margin-svm(C=1000)", held_out=0.4)
    told = lines(view)
    training, held = (
        [float(v.removesuffix(" %")) for v in told[f"{which} error"]] for which in ("training", "held-out")
    )
    assert training[1] < training[0]
    assert held[0] < held[1], "learnt by heart"
    assert better(view)["held-out error"] == {0}
    assert not {"training error", "margin", "mean hinge loss", "primal objective"} & better(view).keys()


def test_a_tie_is_called_a_tie(compare):
    view = compare("rbf(gamma=1) ; soft-margin-svm(C=1)", held_out=0.4)
    assert not better(view)
    assert any(sentence.startswith("A tie: held-out error") for sentence in table(view).remarks)
    assert "They disagree on 0 of 24 points." in table(view).remarks


def test_the_difference_is_where_the_fits_put_places_on_different_sides(compare, qtbot):
    view = compare("linear ; prototype", data="rings(n=60, seed=1)")
    first, second = (view.workbench.latest[k] for k in range(2))
    legend, layer = difference(view, qtbot)
    apart = layer("apart").mask
    assert np.array_equal(apart, np.sign(first.sample.field) != np.sign(second.sample.field))
    changing = np.flatnonzero(np.sign(first.model.training_scores) != np.sign(second.model.training_scores))
    assert np.array_equal(layer("changing").x, first.data.X[changing, 0])
    assert legend[2] == f"they disagree: {100 * apart.mean():.3g} % of the view"
    assert 0 < apart.mean() < 1
    assert len(changing) > 5


def test_equal_fits_differ_nowhere(compare, qtbot):
    legend, layer = difference(compare("rbf(gamma=1) ; soft-margin-svm(C=1)"), qtbot)
    assert not layer("apart").mask.any()
    assert legend[2:] == ["they disagree: 0 % of the view", "changes sides: 0"]


def test_of_several_classes_regions_are_compared(compare, qtbot):
    _, layer = difference(compare("linear ; prototype", data="blobs(n=60, classes=3, seed=2)"), qtbot)
    assert 0 <= layer("apart").mask.mean() < 1


def test_the_difference_of_strings_is_told_in_numbers_alone(bench, show, qtbot):
    made = bench(dataset("spelling"), "subsequence(length=2, decay=0.5)", "soft-margin-svm(C=1)")
    made.session.replace("compare", made.session.document.with_fit(parse_fit("words ; prototype")))
    view = show(VIEWS["comparison"].widget(made))
    settle(view, qtbot)
    assert lines(view)
    assert not view.lists["face"].isVisible()


def test_real_targets_are_compared_too(bench, show, qtbot):
    made = bench(dataset("sine"), "rbf(gamma=3)", "gaussian-process(noise=0.1)")
    session = made.session
    session.replace("compare", session.document.with_fit(parse_fit("rbf(gamma=30) ; gaussian-process")))
    view = show(VIEWS["comparison"].widget(made))
    settle(view, qtbot)
    assert len(better(view)["log marginal likelihood"]) == 1
    assert "mean squared error" in lines(view)


def test_it_follows_a_moved_point(compare, qtbot):
    view = compare("linear ; logistic")
    before, session = lines(view), view.workbench.session
    moved = PlaneWorkspace().placed(session.document.data, [0], np.array([[3.0, 3.0]]))
    session.change("move point", data=moved)
    qtbot.waitUntil(lambda: lines(view) != before)


def test_a_fit_that_cannot_be_found_is_named(compare, qtbot):
    view = compare("rbf(gamma=1) ; soft-margin-svm(C=1)")
    session = view.workbench.session
    one_class = session.document.data.subset(session.document.data.z > 0)
    session.change("one class", data=one_class)
    qtbot.waitUntil(lambda: view.scene.reason != "")
    # The active one is answered first; of several that fail, the first is named.
    qtbot.waitUntil(lambda: view.scene.reason.startswith("There is no fit A to compare. "))


def test_the_exported_picture_is_of_the_present_fits_though_nobody_looks(compare, qtbot):
    view = compare("linear ; logistic")
    view.hide()
    session = view.workbench.session
    session.replace("close", session.document.without_fit(0))
    QApplication.processEvents()
    assert exported(view).reason


def test_pointing_at_a_point_of_the_difference_highlights_it(compare, place_of, qtbot):
    view = compare("linear ; prototype", data="rings(n=12, seed=1)")
    difference(view, qtbot)
    with qtbot.waitSignal(view.workbench.hovered):
        qtbot.mouseMove(view.sheet, place_of(view, 3))
    assert view.workbench.hovered_point == 3


def test_other_views_are_about_the_active_fit(compare, show):
    view = compare("linear ; logistic")
    table = show(TableView(view.workbench))
    assert table.taken.fit == 1
