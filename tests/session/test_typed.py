"""A line of text becomes the change it asks for."""

from __future__ import annotations

import pytest

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.expressions import BadExpression
from kernelviz.session.session import Session
from kernelviz.session.state import start_up
from kernelviz.session.typed import typed
from kernelviz.session.workspaces.words import WordsWorkspace


def after(*lines):
    session = Session(start_up())
    for line in lines:
        session.change(*typed(line, session.document)[:1], **typed(line, session.document)[1])
    return session.document


@pytest.mark.parametrize(
    ("line", "kernel", "algorithm"),
    [
        ("rbf(gamma=2) + linear", "rbf(gamma=2) + linear", "soft-margin-svm(C=10)"),
        ("logistic(lam=0.5)", "rbf(gamma=1)", "logistic(lam=0.5)"),
        ("linear ; perceptron", "linear", "perceptron"),
        ("C = 33", "rbf(gamma=1)", "soft-margin-svm(C=33)"),
        ("gamma=4", "rbf(gamma=4)", "soft-margin-svm(C=10)"),
        ("kernel.gamma = 0.5", "rbf(gamma=0.5)", "soft-margin-svm(C=10)"),
    ],
)
def test_kernels_algorithms_fits_and_parameters(line, kernel, algorithm):
    document = after(line)
    assert (str(document.kernel), str(document.algorithm)) == (kernel, algorithm)
    assert document.data is start_up().document.data or document.data.n == start_up().document.data.n


def test_a_data_set():
    document = after("moons(n=30, noise=0.3)")
    assert document.source == "moons(n=30, noise=0.3, seed=0)"
    assert document.data.n == 30


def test_a_data_set_of_another_workspace_gets_a_fit_that_suits_it():
    document = after("sine")
    assert document.workspace.name == "curve"
    assert document.data.task in document.algorithm.tasks


@pytest.mark.parametrize("line", ["", "rbf(", "rbf(gama=1)", "perceptron(", "moons(n=x)", "C =", "a = 1"])
def test_what_cannot_be_understood_is_a_sentence(line):
    with pytest.raises(BadInput):
        typed(line, start_up().document)


def test_the_place_of_a_fault_is_known():
    with pytest.raises(BadExpression) as found:
        typed("rbf(gamma=2) + lineer", start_up().document)
    assert found.value.position == 15


def test_a_value_out_of_bounds_names_them():
    with pytest.raises(BadInput, match="C"):
        typed("C = -1", start_up().document)


@pytest.mark.parametrize("line", ["rbf(gamma=2)", "rbf(gamma=2) ; soft-margin-svm"])
def test_a_kernel_of_numbers_is_refused_for_strings(line):
    """Its session could not be opened again."""
    words = start_up(WordsWorkspace()).document
    with pytest.raises(BadInput, match="compares vectors, and the points are strings"):
        typed(line, words)
