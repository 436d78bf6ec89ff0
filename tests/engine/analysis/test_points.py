"""The table of single points and the terms of the score."""

from __future__ import annotations

import numpy as np
import pytest

from kernelviz.api import fit
from kernelviz.engine.analysis.points import PointRole, largest_terms, point_table
from kernelviz.engine.fits.parsing import dataset, kernel
from tests.engine.numbers.test_of_fit import expansion

DATA = dataset("gaussians(n=60, seed=3)")
SVM = fit(DATA, kernel="rbf(gamma=0.5)", algorithm="soft-margin-svm(C=2, tol=1e-8)")


def test_the_kinds_follow_alpha_and_its_box() -> None:
    table = point_table(SVM)
    assert table.alpha is not None
    for kind, a in zip(table.kind, table.alpha, strict=True):
        assert kind is (PointRole.NONE if a == 0 else PointRole.BOUNDED if a == 2 else PointRole.FREE)
    assert set(table.kind) == {PointRole.NONE, PointRole.FREE, PointRole.BOUNDED}


def test_at_the_optimum_every_point_meets_its_condition() -> None:
    table = point_table(SVM)
    assert table.residual.max() < 1e-6
    assert all(table.state(i).endswith("holds") for i in range(DATA.n))


def test_a_moved_offset_violates_the_conditions_and_the_table_has_the_amount() -> None:
    import dataclasses

    moved = dataclasses.replace(SVM, offset=SVM.b + 0.1, known_scores=None)  # type: ignore[call-arg, operator]
    moved.__dict__.pop("training_scores", None)
    table = point_table(moved)
    free = table.kind.index(PointRole.FREE)
    assert table.residual[free] == pytest.approx(0.1, abs=1e-6)
    assert table.state(free).endswith("violated by 0.1")


def test_the_conditions_are_written_in_words() -> None:
    table = point_table(SVM)
    assert table.state(table.kind.index(PointRole.NONE)) == "α = 0 asks for z·s ≥ 1: holds"
    assert table.state(table.kind.index(PointRole.FREE)) == "0 < α < C asks for z·s = 1: holds"
    assert table.state(table.kind.index(PointRole.BOUNDED)) == "α = C asks for z·s ≤ 1: holds"
    table = point_table(fit(dataset("rings(n=40)"), algorithm="hard-margin-svm"))
    assert table.state(table.kind.index(PointRole.SUPPORT)) == "α > 0 asks for z·s = 1: holds"


@pytest.mark.parametrize("off", [0.1, -0.1])
@pytest.mark.parametrize("lam", [0.0, 0.5])
def test_without_a_box_no_weight_is_too_large_to_grow(off: float, lam: float) -> None:
    import dataclasses

    how = f"squared-slack-svm(lam={lam}, tol=1e-8)" if lam else "hard-margin-svm(tol=1e-8)"
    model = fit(dataset("rings(n=40)"), algorithm=how)
    moved = dataclasses.replace(model, offset=model.b + off, known_scores=None)  # type: ignore[call-arg, operator]
    table = point_table(moved)
    assert table.residual is not None
    for kind, r, product, a in zip(table.kind, table.residual, table.product, table.alpha, strict=True):
        slope = 1 - product - lam * a
        assert r == pytest.approx(abs(slope) if kind is PointRole.SUPPORT else max(0, slope), abs=1e-9)


@pytest.mark.parametrize("off", [0.1, -0.1])
def test_each_kind_of_point_may_leave_the_margin_to_its_own_side_only(off: float) -> None:
    import dataclasses

    moved = dataclasses.replace(SVM, offset=SVM.b + off, known_scores=None)  # type: ignore[call-arg, operator]
    table = point_table(moved)
    assert table.residual is not None
    for kind, r, product in zip(table.kind, table.residual, table.product, strict=True):
        wrong = {
            PointRole.FREE: abs(1 - product),
            PointRole.NONE: max(0, 1 - product),
            PointRole.BOUNDED: max(0, product - 1),
        }
        assert r == pytest.approx(wrong[kind], abs=1e-9)


@pytest.mark.parametrize(("tol", "off", "ending"), [(0.5, 0.1, "holds"), (1e-6, 1e-4, "violated by 0.0001")])
def test_what_counts_as_violated_is_what_the_solver_accepts(tol: float, off: float, ending: str) -> None:
    import dataclasses

    moved = dataclasses.replace(SVM, accepted=tol, offset=SVM.b + off, known_scores=None)  # type: ignore[call-arg, operator]
    table = point_table(moved)
    assert table.state(table.kind.index(PointRole.FREE)).endswith(ending)


def test_squared_slack_asks_for_a_slack_of_lambda_alpha() -> None:
    table = point_table(fit(DATA, algorithm="squared-slack-svm(lam=0.5, tol=1e-8)"))
    assert table.residual.max() < 1e-6
    supported = table.kind.index(PointRole.SUPPORT)
    assert table.slack[supported] == pytest.approx(0.5 * table.alpha[supported], abs=1e-6)
    assert "1 - λα" in table.state(supported)


@pytest.mark.parametrize("algorithm", ["nu-svm(nu=0.4, tol=1e-8)", "hard-margin-svm(tol=1e-8)"])
def test_other_support_vector_machines_meet_the_same_conditions(algorithm: str) -> None:
    data = dataset("rings(n=40)")
    table = point_table(fit(data, algorithm=algorithm))
    assert table.residual.max() < 1e-5


def test_margin_and_slack_are_those_of_the_lecture() -> None:
    table = point_table(SVM)
    product = DATA.z * SVM.score(DATA.X)
    norm = SVM.summary()["norm"]
    assert table.margin == pytest.approx(product / norm)
    assert table.slack == pytest.approx(np.maximum(0, 1 - product))
    assert np.array_equal(table.misclassified, product <= 0)


def test_an_algorithm_without_a_dual_has_no_conditions() -> None:
    table = point_table(fit(DATA, algorithm="perceptron"))
    assert table.residual is None
    assert table.state(0) == ""
    assert PointRole.SUPPORT in table.kind


def test_what_ignores_the_labels_has_no_right_side() -> None:
    table = point_table(fit(DATA, algorithm="one-class-svm"))
    assert (table.product, table.margin, table.slack, table.misclassified) == (None, None, None, None)
    assert table.alpha is not None


def test_a_constant_score_has_no_margin() -> None:
    table = point_table(expansion([0, 0, 0, 0], 1.0))
    assert table.margin is None
    assert table.slack == pytest.approx([2, 0, 0, 2])


def test_several_classes_have_support_and_mistakes_but_no_product() -> None:
    model = fit(dataset("blobs(n=30, noise=1)"))
    table = point_table(model)
    assert table.product is None
    assert [i for i, kind in enumerate(table.kind) if kind is PointRole.SUPPORT] == model.support.tolist()
    assert table.misclassified is not None


def test_the_terms_add_up_to_the_score() -> None:
    place = np.array([0.3, -0.2])
    terms = largest_terms(SVM, place, count=DATA.n)
    assert SVM.b + sum(term.value for term in terms) == pytest.approx(SVM.score([place])[0])
    sizes = [abs(term.value) for term in terms]
    assert sizes == sorted(sizes, reverse=True)


def test_a_term_is_weight_times_kernel() -> None:
    place = np.array([0.3, -0.2])
    (term,) = largest_terms(SVM, place, count=1)
    assert term.kernel == pytest.approx(kernel("rbf(gamma=0.5)")([place], DATA.X[[term.index]])[0, 0])
    assert term.value == pytest.approx(term.beta * term.kernel)


def test_a_model_without_expansion_has_no_terms() -> None:
    assert largest_terms(fit(DATA, algorithm="nearest-neighbours"), [0.0, 0.0]) == ()


def test_a_bound_that_the_algorithm_finds_itself_is_not_called_c() -> None:
    table = point_table(fit(dataset("gaussians(n=40, seed=1)"), algorithm="nu-svm(nu=0.6)"))
    assert table.state(table.kind.index(PointRole.BOUNDED)).startswith("α = the bound asks for")
