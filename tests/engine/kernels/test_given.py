"""The kernel that looks up a Gram matrix, against scikit-learn's precomputed kernel and by hand."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.svm import SVC

import kernelviz
from kernelviz.engine.analysis.remarks import about_other_optima
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.objects import objects
from kernelviz.engine.fits.parsing import dataset, kernel
from kernelviz.engine.kernels.mercer import mercer


@pytest.fixture
def K():
    F = np.random.default_rng(3).standard_normal((12, 4))
    return F @ F.T


@pytest.mark.parametrize("normalised", [False, True])
def test_a_fit_is_that_of_scikit_learn_on_the_precomputed_matrix(K, normalised):
    z = np.where(np.arange(12) % 3, 1, -1)
    sizes = np.sqrt(np.diag(K))
    seen = K / np.outer(sizes, sizes) if normalised else K
    items = objects(K)
    model = kernelviz.fit(items, z, f"gram(normalised={str(normalised).lower()})", "soft-margin-svm(C=2)")
    known = SVC(C=2, kernel="precomputed", tol=1e-9).fit(seen[:8, :8], z[:8])
    part = kernelviz.fit(items[:8], z[:8], model.problem.kernel, "soft-margin-svm(C=2, tol=1e-9)")
    np.testing.assert_allclose(part.score(items[8:]), known.decision_function(seen[8:, :8]), atol=1e-6)
    np.testing.assert_allclose(model.problem.gram, seen, rtol=1e-12)
    np.testing.assert_allclose(model.problem.kernel.diagonal(items), np.diag(seen), rtol=1e-12)


@pytest.mark.parametrize("power", [530, -560, -660, 1000])
def test_normalised_values_do_not_depend_on_the_unit(K, power):
    """The product of two entries on the diagonal would overflow or vanish."""
    how, items, scaled = kernel("gram(normalised=true)"), objects(K), objects(np.ldexp(K, power))
    np.testing.assert_array_equal(how(scaled), how(items))
    np.testing.assert_array_equal(how.diagonal(scaled), how.diagonal(items))


def test_compositions_work_on_the_values(K):
    items = objects(K)
    np.testing.assert_allclose(kernel("2*gram + gram*gram")(items), 2 * K + K**2)


@pytest.mark.parametrize(
    ("K", "names", "message"),
    [
        (np.ones((2, 3)), (), "must be square; it has 2 rows and 3 columns"),
        ([[1.0, 2.0], [3.0, 1.0]], (), "symmetric: row 1, column 2 is 2, but row 2, column 1 is 3"),
        ([[1.0, np.nan], [np.nan, 1.0]], (), "row 1, column 2 is nan"),
        (np.eye(2), ("a",), "has 2 objects, but there are 1 names"),
        (np.broadcast_to(np.float32(0), (10_000, 10_000)), (), "10,000 objects; at most 1,000 are read"),
        ("nonsense", (), "must be numbers"),
    ],
)
def test_a_matrix_that_is_none_is_refused_in_a_sentence(K, names, message):
    with pytest.raises(BadInput, match=message):
        objects(K, names)


def test_rounding_errors_are_no_asymmetry():
    items = objects([[1.0, 0.5], [0.5 + 1e-12, 1.0]])
    matrix = items[0].matrix
    assert (matrix == matrix.T).all()


def test_a_matrix_with_negative_eigenvalues_is_accepted_and_the_verdict_says_so():
    items = objects([[0.0, 1.0], [1.0, 0.0]])
    verdict = mercer(kernel("gram")(items))
    assert not verdict.holds
    assert "smallest eigenvalue -1" in verdict.verdict
    assert kernel("gram(normalised=true)")(items).tolist() == [[0.0, 0.0], [0.0, 0.0]]


def test_objects_of_two_matrices_cannot_be_compared(K):
    with pytest.raises(BadInput, match="two different Gram matrices"):
        kernel("gram")(objects(K), objects(2 * K))


def test_equal_names_do_not_make_objects_equal(K):
    first, second, again = objects(K, "abcdefghijkl"), objects(2 * K, "abcdefghijkl"), objects(K.copy())
    assert first != second
    assert first == again
    assert pickle.loads(pickle.dumps(first)) == first


def test_the_kernel_is_for_objects_alone(K):
    with pytest.raises(BadInput, match="looks up the Gram matrix of objects"):
        kernelviz.fit([[0.0, 1.0], [1.0, 0.0]], [1, -1], kernel="gram")
    with pytest.raises(BadInput, match="compares numbers, but these data are objects"):
        kernelviz.fit(objects(K), [1, -1] * 6, kernel="rbf")


def test_data_without_objects_are_still_objects(K):
    data = Data.labelled(objects(K), [1, -1] * 6)
    assert data.subset(slice(0)).domain == data.subset([3, 1]).domain == "objects"
    assert data.noun == "object"


def test_two_graphs_are_compared_by_their_closed_walks():
    data = dataset("graphs(steps=3)")
    at = {str(item): i for i, item in enumerate(data.X)}
    # c2 is twice the number of edges, c3 six times the number of triangles; c2/√2! and c3/√3! are features.
    triangle, path = at["cycle of 3"], at["path of 3"]
    K = kernel("gram")(data.X)
    assert K[triangle, path] == pytest.approx(6 * 4 / 2)
    assert K[triangle, triangle] == pytest.approx(6 * 6 / 2 + 6 * 6 / 6)
    assert mercer(K).holds
    assert data.class_of_each[triangle] == "cycle"


def test_a_definite_gram_matrix_is_not_called_indefinite():
    model = kernelviz.fit(kernelviz.objects(np.eye(4)), [1, -1, 1, -1], "gram", "soft-margin-svm(C=10)")
    assert about_other_optima(model) == ""
    assert model.summary()["duality_gap"] == pytest.approx(0.0, abs=1e-9)
    K = np.eye(4) + 2 * (np.eye(4)[::-1])  # eigenvalues 3 and -1
    model = kernelviz.fit(kernelviz.objects(K), [1, -1, 1, -1], "gram", "soft-margin-svm(C=10)")
    assert model.summary()["duality_gap"] is None


def test_symmetry_is_judged_entry_by_entry():
    K = np.diag([1e20, 1e20, 1.0, 1.0])
    K[2, 3], K[3, 2] = 0.9, -0.9
    with pytest.raises(BadInput, match=r"row 3, column 4 is 0\.9, but row 4, column 3 is -0\.9"):
        kernelviz.objects(K)
    K[3, 2] = 0.9 * (1 + 1e-12)
    assert len(kernelviz.objects(K)) == 4


def test_rows_of_different_lengths_are_refused():
    with pytest.raises(BadInput, match="rows have different lengths"):
        kernelviz.objects([[1, 2], [2, 1, 3]])


def test_the_name_of_an_object_instead_of_a_list_is_refused_in_a_sentence():
    items = objects(np.eye(3))
    model = kernelviz.fit(items, [1, -1, 1], kernel="gram")
    for single in ("1", items[0]):
        with pytest.raises(BadInput, match="gram compares objects: give it a list of them"):
            model.predict(single)
