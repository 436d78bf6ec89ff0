"""Kernels on strings against plain enumeration, and every promise that kernels of the registry make."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.svm import SVC

import kernelviz
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits import registry
from kernelviz.engine.fits.expressions import parse_kernel
from kernelviz.engine.fits.parsing import kernel
from kernelviz.engine.kernels import subsequence
from kernelviz.engine.kernels.strings import StringKernel
from tests.strategies import declared

KERNELS = {name: cls for name, cls in registry.kernels().items() if cls.domain == "strings"}
every_kernel = pytest.mark.parametrize("cls", KERNELS.values(), ids=KERNELS)
TEXTS = ("sentence", "sentance", "sentnce", "banana", "bananna", "", "a", "two words", "words two two")

short = st.text("abB é", max_size=7)
texts = st.lists(short, min_size=1, max_size=6).map(tuple)


def subsequences_of(text: str, length: int, decay: float) -> dict[str, float]:
    found: dict[str, float] = defaultdict(float)
    for places in combinations(range(len(text)), length):
        found["".join(text[i] for i in places)] += decay ** (places[-1] - places[0] + 1)
    return found


def product(one: dict[str, float], two: dict[str, float]) -> float:
    return sum(weight * two.get(piece, 0.0) for piece, weight in one.items())


@settings(max_examples=60, deadline=None)
@given(texts, st.integers(1, 4), st.floats(0.05, 1.0))
def test_subsequences_are_those_of_plain_enumeration(X: tuple[str, ...], length: int, decay: float) -> None:
    K = kernel(f"subsequence(length={length}, decay={decay!r})")(X)
    found = [subsequences_of(text, length, decay) for text in X]
    np.testing.assert_allclose(K, [[product(s, t) for t in found] for s in found], rtol=1e-12, atol=1e-300)


@settings(max_examples=60, deadline=None)
@given(texts, st.integers(1, 3))
def test_substrings_and_words_are_those_of_plain_counting(X: tuple[str, ...], length: int) -> None:
    stretches = [Counter(text[a : a + length] for a in range(len(text) - length + 1)) for text in X]
    expected = [[product(s, t) for t in stretches] for s in stretches]
    assert kernel(f"spectrum(length={length})")(X).tolist() == expected
    shared = [[len(set(s.split()) & set(t.split())) for t in X] for s in X]
    assert kernel("words")(X).tolist() == shared
    counted = [[product(Counter(s.split()), Counter(t.split())) for t in X] for s in X]
    assert kernel("words(counted=true)")(X).tolist() == counted


def test_many_pieces_are_compared_as_few_are(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    X = ["".join(rng.choice(list("abc "), 20)) for _ in range(30)]
    for name in ("words", "spectrum(length=3)"):
        whole, part = kernel(name)(X), kernel(name)(X[:4], X)
        monkeypatch.setattr("kernelviz.engine.kernels.strings.MOST_COUNTS", 0)
        assert (kernel(name)(X) == whole).all()
        assert (kernel(name)(X[:4], X) == part).all()
        monkeypatch.undo()


def test_the_batches_of_a_large_matrix_give_what_single_pairs_give(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    X = tuple("".join(rng.choice(list("abcd"), rng.integers(0, 25))) for _ in range(20))
    K = kernel("subsequence(length=3, decay=0.6)")
    pairs = [[float(K(s, t)) for t in X] for s in X]
    for cells, listed in ((1, 1), (500, 7), (1 << 18, 1 << 16)):
        monkeypatch.setattr(subsequence, "CELLS_AT_ONCE", cells)
        monkeypatch.setattr(subsequence, "PAIRS_AT_ONCE", listed)
        np.testing.assert_allclose(K(X), pairs, rtol=1e-13)
        np.testing.assert_allclose(K(X[3:7], X), pairs[3:7], rtol=1e-13)
        np.testing.assert_allclose(K.diagonal(X), np.diag(pairs), rtol=1e-13)


@every_kernel
@settings(max_examples=40, deadline=None)
@given(data=st.data(), X=texts)
def test_what_every_kernel_promises(cls: type[StringKernel], data: st.DataObject, X: tuple[str, ...]) -> None:
    k = data.draw(declared(cls, soft=True))
    K = k(X)
    assert (K == K.T).all()
    np.testing.assert_allclose(k.diagonal(X), np.diag(K), rtol=1e-12)
    np.testing.assert_allclose(k(X[:1], X), K[:1], rtol=1e-12)
    eigenvalues = np.linalg.eigvalsh(K)
    assert eigenvalues[0] >= -1e-12 * len(X) * max(eigenvalues[-1], 1e-300)
    assert parse_kernel(str(k)) == k


@every_kernel
@settings(max_examples=40, deadline=None)
@given(data=st.data(), X=texts)
def test_explicit_features_reproduce_the_kernel(
    cls: type[StringKernel], data: st.DataObject, X: tuple[str, ...]
) -> None:
    k = data.draw(declared(cls, soft=True)).replace(normalised=False, fold_case=False)
    found = [k.pieces(text) for text in X]
    np.testing.assert_allclose(k(X), [[product(s, t) for t in found] for s in found], rtol=1e-12, atol=1e-300)


@every_kernel
def test_a_normalised_kernel_is_one_of_a_text_with_itself_and_zero_of_one_without_pieces(
    cls: type[StringKernel],
) -> None:
    K, plain = cls(normalised=True)(TEXTS), cls()(TEXTS)
    sizes = np.sqrt(np.diag(plain))
    has = sizes > 0
    assert not has.all()
    assert (np.diag(K) == has).all()
    assert not K[~has].any()
    np.testing.assert_allclose(
        K[np.ix_(has, has)], plain[np.ix_(has, has)] / np.outer(sizes[has], sizes[has]), rtol=1e-14
    )


@every_kernel
def test_case_is_folded_on_request_alone_and_each_part_of_a_sum_reads_for_itself(
    cls: type[StringKernel],
) -> None:
    assert float(cls()("STRASSE", "strasse")) == 0.0
    folding = cls(fold_case=True)
    assert float(folding("STRASSE", "straße")) == float(cls()("strasse", "strasse")) > 0.0
    both = cls() + folding
    assert both(["STRASSE"], ["strasse"]).item() == float(folding("STRASSE", "strasse"))


@every_kernel
def test_a_letter_written_in_two_signs_is_the_same_letter(cls: type[StringKernel]) -> None:
    assert float(cls()("caf\u00e9s", "cafe\u0301s")) == float(cls()("caf\u00e9s", "caf\u00e9s")) > 0.0


@every_kernel
def test_what_is_no_list_of_strings_is_refused_in_a_sentence(cls: type[StringKernel]) -> None:
    for wrong in ("alone", [1.0, 2.0], np.eye(2), ["a", None]):
        with pytest.raises(BadInput, match="list of them"):
            cls()(wrong)
    with pytest.raises(BadInput, match="characters"):
        cls()(["x" * 10_001])
    assert cls()([]).shape == (0, 0)
    assert cls()([], TEXTS).shape == (0, len(TEXTS))
    with pytest.raises(BadInput, match="strings and a kernel on numbers"):
        cls() + kernel("rbf")


def test_subsequences_of_too_much_text_are_refused_before_anybody_waits() -> None:
    with pytest.raises(BadInput, match="2,000 characters"):
        kernel("subsequence")(["x" * 2001, "y"])
    with pytest.raises(BadInput, match="too long to compare"):
        kernel("subsequence")(["x" * 2000] * 40)


@every_kernel
def test_what_is_shown_about_a_kernel_is_there(cls: type[StringKernel]) -> None:
    assert cls.summary_line.endswith(".")
    assert "(s)" in cls().latex_with_values() or "s_i" in cls().latex_with_values()
    assert all(p.label and p.help for p in cls.parameters())


@pytest.mark.parametrize("source", ["spelling", "topics", "languages", "motif"])
@pytest.mark.parametrize("name", ["words", "spectrum(length=2)", "subsequence(length=3, normalised=true)"])
def test_the_soft_margin_is_that_of_scikit_learn(source: str, name: str) -> None:
    data, k = kernelviz.dataset(source), kernel(name)
    model = kernelviz.fit(data, kernel=k, algorithm="soft-margin-svm(C=2, tol=1e-8)")
    theirs = SVC(kernel="precomputed", C=2, tol=1e-9).fit(k(data.X), data.z)
    assert model.converged
    np.testing.assert_allclose(model.score(data.X), theirs.decision_function(k(data.X)), atol=1e-6)
    numbered = kernelviz.Numbered(k, data.X)
    through = SVC(kernel=numbered, C=2, tol=1e-9).fit(numbered.numbers, data.z)
    np.testing.assert_allclose(through.dual_coef_, theirs.dual_coef_, atol=1e-7)


CLASSIFIERS = {
    name: cls
    for name, cls in registry.algorithms().items()
    if cls.uses_kernel
    and cls.learns(Task.TWO_CLASSES, "strings")
    and name not in ("hard-margin-svm", "nu-svm")
}


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_every_kernel_algorithm_takes_strings(name: str) -> None:
    data = kernelviz.dataset("spelling")
    model = kernelviz.fit(data, kernel="subsequence(length=2, normalised=true)", algorithm=name)
    assert np.isfinite(model.score(("sentense", "bananas", ""))).all()
    assert np.isfinite(model.training_scores).all()


def test_an_edited_string_costs_one_row(monkeypatch: pytest.MonkeyPatch) -> None:
    data, k = kernelviz.dataset("spelling(n=60)"), kernel("subsequence(length=2)")
    model = kernelviz.fit(data, kernel=k)
    edited = Data.labelled(("centence", *data.X[1:]), data.class_of_each)
    compared = []
    once = subsequence._weights

    def counting(X: object, i: np.ndarray, *more: object) -> np.ndarray:
        compared.append(len(i))
        return once(X, i, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(subsequence, "_weights", counting)
    warm = kernelviz.fit(edited, kernel=k, start=model)
    assert sum(compared) <= 3 * data.n, "one row and the diagonals, not the matrix"
    monkeypatch.undo()
    cold = kernelviz.fit(edited, kernel=k)
    np.testing.assert_allclose(warm.score(data.X), cold.score(data.X), atol=2e-3)


def test_a_number_that_stands_for_no_input_is_refused() -> None:
    with pytest.raises(BadInput, match="counted from 0"):
        kernelviz.Numbered(kernel("words"), ["a"])([[1]])


@pytest.mark.parametrize("expression", ["rbf", "ard", "2*rbf*linear", "linear + rbf"])
def test_a_kernel_on_numbers_given_strings_names_the_kernels_on_strings(expression: str) -> None:
    with pytest.raises(BadInput, match="compares numbers, but these data are strings"):
        kernel(expression)(("one", "two"))
    with pytest.raises(BadInput, match=r"these data are strings; .*subsequence and words compare strings"):
        kernelviz.fit(["one", "two"], [1, -1], expression)


@every_kernel
def test_the_formula_says_that_a_kernel_is_normalised_alone_and_in_a_sum(cls):
    plain, normalised = cls(), cls(normalised=True)
    assert r"\frac" not in plain.latex
    for latex in (normalised.latex, (normalised + cls()).latex, (2 * normalised).latex_with_values()):
        assert r"}{\lVert \phi(s) \rVert\, \lVert \phi(t) \rVert}" in latex
    assert plain.latex in normalised.latex
    assert normalised.replace(normalised=False).latex == plain.latex
