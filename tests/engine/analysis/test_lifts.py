"""Lifts against their formulas, fits in lifted coordinates, and the features a kernel never computes."""

from __future__ import annotations

import numpy as np
import pytest

import kernelviz
from kernelviz.engine.analysis.lifts import (
    COMPONENTS,
    FEATURES,
    LIFTS,
    FeatureWeights,
    LiftedFit,
    called,
    lift_for,
    plain,
)
from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import algorithm, dataset, kernel
from kernelviz.engine.fits.solve import algorithm_for
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.problem import Problem

X = np.array([[1.0, 2.0], [-0.5, 3.0], [0.0, 0.0]])


def fitted(data: str, how_alike: str = "rbf(gamma=1)", how: str = "soft-margin-svm(C=10)") -> Model:
    points = dataset(data)
    return algorithm_for(points, algorithm(how)).fit(Problem(points, kernel(how_alike)))


def lifted(
    data: str, how_alike: str, lift: str, how: str = "soft-margin-svm(C=10)"
) -> tuple[Model, LiftedFit]:
    model = fitted(data, how_alike, how)
    made, cloud = lift_for(lift, model)
    return model, LiftedFit.of(made, model, None if cloud is None else cloud.places)


def test_the_lifts_of_the_notes_are_their_formulas() -> None:
    model = fitted("rings(n=20, seed=1)")
    a, b = X.T
    expected = {
        "paraboloid": [a, b, a * a + b * b],
        "products": [a * a, np.sqrt(2) * a * b, b * b],
        "squares": [a * a, b * b, 0 * a],
        "polar": [np.hypot(a, b), np.arctan2(b, a), 0 * a],
    }
    for title, columns in expected.items():
        lift, _ = lift_for(title, model)
        assert lift.title == title
        np.testing.assert_allclose(lift(X), np.column_stack(columns))
        assert lift.flat == (title in ("squares", "polar"))


def test_the_products_give_the_square_of_the_inner_product() -> None:
    lift, _ = lift_for("products", fitted("rings(n=20, seed=1)"))
    np.testing.assert_allclose(lift(X) @ lift(X).T, (X @ X.T) ** 2)


def test_a_lift_that_does_not_suit_the_data_gives_way_to_one_that_does() -> None:
    line = fitted("sine(n=20, seed=1)", how="ridge(lam=0.1)")
    assert lift_for("paraboloid", line)[0].title == "parabola"
    np.testing.assert_allclose(lift_for("parabola", line)[0](np.array([[3.0]])), [[3.0, 9.0, 0.0]])
    words = fitted("spelling", "subsequence(length=2)")
    assert lift_for("paraboloid", words)[0].title == COMPONENTS
    assert lift_for(FEATURES, fitted("rings(n=20, seed=1)"))[0].title == "paraboloid", (
        "a Gaussian has no list"
    )
    assert set(LIFTS) >= {"paraboloid", "parabola", FEATURES, COMPONENTS}


def test_three_features_of_a_kernel_are_those_of_its_own_map() -> None:
    model = fitted("rings(n=20, seed=1)", "polynomial(degree=2)")
    own = kernel("polynomial(degree=2)").feature_map(2)
    lift, _ = lift_for(FEATURES, model, (5, 1, 3))
    np.testing.assert_allclose(lift(X), own(X)[:, [5, 1, 3]])
    usual, _ = lift_for(FEATURES, model)
    assert usual.axes == ("√2 x₁", "√2 x₂", "x₁²"), "the constant is left out"
    few, _ = lift_for(FEATURES, fitted("rings(n=20, seed=1)", "linear"))
    assert few.flat
    assert few.axes[:2] == ("x₁", "x₂")


def test_components_are_those_of_kernel_pca() -> None:
    model = fitted("rings(n=30, seed=1)")
    lift, cloud = lift_for(COMPONENTS, model)
    np.testing.assert_allclose(lift(model.problem.X), cloud.places, atol=1e-9)
    again, same = lift_for(COMPONENTS, model, before=cloud)
    assert same is cloud
    assert again.same_unit


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        (r"\sqrt{2}\, x_1 x_2^{2}", "√2 x₁x₂²"),
        ("x_{10}^{3}", "x₁₀³"),
        ("1", "1"),
        (r"0.5\, x_1", "0.5 x₁"),
        (r"\rho", "radius"),
    ],
)
def test_names_of_features_in_plain_signs(latex: str, expected: str) -> None:
    assert plain(latex) == expected


# Fits -------------------------------------------------------------------------------------------------------
def test_where_the_score_is_linear_the_plane_gives_it_everywhere() -> None:
    model, found = lifted("rings(n=60, seed=1)", "homogeneous(degree=2)", "products")
    expected = found.plane.offset + found.points @ found.plane.weights
    np.testing.assert_allclose(expected, model.training_scores, atol=1e-8)
    assert found.scores is not None
    on_sheet = found.plane.offset + found.sheet @ found.plane.weights
    np.testing.assert_allclose(on_sheet, found.scores, atol=1e-7 * np.abs(found.scores).max())


def test_where_it_is_not_linear_there_is_no_plane_but_lines_on_the_sheet() -> None:
    model, found = lifted("rings(n=60, seed=1)", "rbf(gamma=1)", "paraboloid")
    assert found.plane is None
    for level, lines in found.lines:
        for high, flat in lines:
            np.testing.assert_allclose(high[:, 2], (flat[:, :2] ** 2).sum(axis=1), atol=1e-9)
            assert np.abs(model.score(flat[:, :2]) - level).max() < 0.02


def test_all_components_of_a_linear_kernel_show_its_plane() -> None:
    assert lifted("gaussians(n=40, seed=3)", "linear", COMPONENTS)[1].plane is not None
    assert lifted("moons(n=40)", "rbf(gamma=5)", COMPONENTS)[1].plane is None


def test_strings_have_points_and_no_sheet() -> None:
    _, found = lifted("spelling", "subsequence(length=2)", COMPONENTS)
    assert found.sheet is None
    assert found.points.shape == (len(dataset("spelling")), 3)
    assert not found.flat_points[:, 2].any()


def test_several_classes_colour_the_sheet() -> None:
    _, found = lifted("blobs(n=30, classes=3, seed=1)", "linear", "paraboloid")
    assert found.classes is not None
    assert set(np.unique(found.classes)) == {0, 1, 2}
    assert (found.plane, found.scores, found.lines) == (None, None, ())


def test_real_targets_are_the_third_coordinate_and_a_quadratic_fit_a_plane() -> None:
    model, found = lifted("sine(n=30, seed=1)", "polynomial(degree=2)", "parabola", "ridge(lam=0.1)")
    assert found.lift.axes == ("x", "x²", "y")
    np.testing.assert_array_equal(found.points[:, 2], model.problem.y)
    on_curve = found.plane.offset + found.sheet @ found.plane.weights  # type: ignore[operator]
    np.testing.assert_allclose(on_curve, 0.0, atol=1e-7)
    assert lifted("sine(n=30, seed=1)", "rbf(gamma=3)", "parabola", "ridge(lam=0.1)")[1].plane is None


# Features ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("how_alike", ["polynomial(degree=3)", "linear + 0.5*homogeneous(degree=2)"])
@pytest.mark.parametrize("how", ["soft-margin-svm(C=10)", "ridge(lam=0.1)", "logistic"])
def test_the_weighted_features_add_up_to_the_score(how_alike: str, how: str) -> None:
    model = fitted("xor(n=40)", how_alike, how)
    known = FeatureWeights.of(model)
    assert not known.computed
    for i in (0, 7, 23):
        assert known.offset + known.terms(model.problem.X[i]).sum() == pytest.approx(
            model.training_scores[i], abs=1e-8
        )


def test_the_gaussians_features_up_to_a_degree_tend_to_the_score_and_their_squares_to_1() -> None:
    model = fitted("xor(n=40)", "rbf(gamma=0.5)", "soft-margin-svm(C=1)")
    for i in (0, 7, 23):
        x = model.problem.X[i]
        lists = [FeatureWeights.of(model, degree) for degree in (2, 8, 30)]
        assert [known.q for known in lists] == [6, 45, 496]
        off = [abs(known.offset + known.terms(x).sum() - model.training_scores[i]) for known in lists]
        assert off[2] < 1e-6 < off[0]
        squares = [float(known.features(x) @ known.features(x)) for known in lists]
        assert squares[0] < squares[1] < squares[2] == pytest.approx(1.0)


def test_explicit_features_are_computed_and_have_their_own_weights() -> None:
    model = fitted("xor(n=40)", how="feature-map(features=monomials, degree=2)")
    known = FeatureWeights.of(model)
    assert known.computed
    assert known.names == ["x₁", "x₂", "x₁²", "x₁x₂", "x₂²"]


@pytest.mark.parametrize(
    "how_alike",
    [
        "spectrum(length=2)",
        "words",
        "subsequence(length=2, decay=0.5)",
        "spectrum(length=2, normalised=True)",
        "words + 0.5*spectrum(length=3)",
        "words*spectrum(length=1)",
    ],
)
def test_the_weighted_pieces_of_strings_add_up_to_the_score(how_alike: str) -> None:
    model = fitted("languages(n=30)", how_alike, "soft-margin-svm(C=1)")
    known = FeatureWeights.of(model)
    for text in (*model.problem.X[:3], "a text that was not fitted"):
        expected = model.score([text])[0]
        assert known.offset + known.terms(text).sum() == pytest.approx(expected, abs=1e-8)
    if how_alike == "spectrum(length=2)":
        assert all(len(name) == 2 for name in known.names)


def test_more_subsequences_than_can_be_listed_are_not() -> None:
    long = "the quick brown fox jumps over the lazy dog " * 3
    data = Data.labelled([long, long[::-1]], [1, -1])
    model = kernelviz.fit(data, kernel="subsequence(length=4)", algorithm="soft-margin-svm(C=1)")
    assert FeatureWeights.of(model) is None


@pytest.mark.parametrize("how", ["soft-margin-svm", "nearest-neighbours"])
def test_without_a_finite_list_there_is_none(how: str) -> None:
    assert FeatureWeights.of(fitted("xor(n=40)", "laplacian(gamma=1)", how)) is None
    assert FeatureWeights.of(fitted("xor(n=40)", "linear", "nearest-neighbours")) is None


def test_public_models_can_be_lifted_too() -> None:
    data = kernelviz.dataset("rings(n=30, seed=1)")
    model = kernelviz.fit(data.X, data.z, kernel="rbf(gamma=1)", algorithm="soft-margin-svm(C=10)")
    assert LiftedFit.of(lift_for("paraboloid", model)[0], model).points.shape == (30, 3)


@pytest.mark.parametrize(
    ("axis", "columns", "name"),
    [
        ("x₁", ("mass", "age"), "mass"),
        ("x₁² + x₂²", ("mass", "age"), "mass² + age²"),
        ("√2 x₁x₂", ("mass", "age"), "√2 mass·age"),
        ("x₁x₂²", ("x1", "x2"), "x₁x₂²"),
        ("x²", ("age",), "age²"),
        ("radius", ("mass", "age"), "radius"),
        ("component 1", ("mass", "age"), "component 1"),
    ],
)
def test_an_axis_is_called_by_the_names_of_the_columns(
    axis: str, columns: tuple[str, ...], name: str
) -> None:
    assert called(axis, columns) == name


@pytest.mark.parametrize("f", ["gaussian", "norm", "inverse-norm", "sum", "one"])
@pytest.mark.parametrize("gamma", [1.0, 2.0])
def test_the_features_of_a_weighted_kernel_have_names_without_latex(f: str, gamma: float) -> None:
    kernel = kernelviz.kernel(f"weight(f={f}, gamma={gamma})*polynomial(degree=2)")
    names = [plain(name) for name in kernel.feature_map(2).names]
    assert not any(set(name) & set("\\{}_$") for name in names)
    assert len(set(names)) == len(names)


def test_the_norm_times_a_coordinate_is_written_so() -> None:
    names = kernelviz.kernel("weight(f=norm)*linear").feature_map(2).names
    assert [plain(name) for name in names] == ["‖x‖ x₁", "‖x‖ x₂"]
