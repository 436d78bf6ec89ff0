"""Session files that are damaged, foreign or newer: a sentence, never anything else."""

from __future__ import annotations

import json
import tracemalloc

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernelviz.engine.core.errors import BadInput
from kernelviz.session.files import kviz
from tests.session.states import same, state_with


def test_a_newer_file_is_refused_with_a_sentence_that_says_what_to_do():
    tree = json.loads(kviz.dumps(state_with())) | {"version": kviz.VERSION + 1, "data": "other"}
    with pytest.raises(BadInput, match=r"lesson\.kviz cannot be opened: .*newer kernelviz.*Update kernelviz"):
        kviz.loads(json.dumps(tree), "lesson.kviz")


GOOD = kviz.dumps(state_with())


def changed(**fields):
    tree = json.loads(GOOD)
    for path, value in fields.items():
        *way, last = path.split("__")
        place = tree
        for key in way:
            place = place[int(key) if isinstance(place, list) else key]
        place[last] = value
    return json.dumps(tree)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("", "empty"),
        ("   \n", "empty"),
        (GOOD[: len(GOOD) // 2], "cut off"),
        (GOOD.replace('"format"', "format", 1), "damaged .line "),
        ("[1, 2]", "not a kernelviz session"),
        ("{}", "not a kernelviz session"),
        ('"text"', "not a kernelviz session"),
        ("[" * 100_000, "too deeply"),
        ('{"a":' * 3000 + "1" + "}" * 3000, "too deeply"),
        (GOOD.replace("1", "\x00", 1), "damaged"),
        (changed(version="1"), "version"),
        (changed(version=True), "version"),
        (changed(version=0), "version"),
        (changed(version=10**400), "version"),
        (changed(data=None), "data must be an object, not nothing"),
        (changed(data__points="x"), r"opened: data\.points must be a list, not a text\.$"),
        (changed(data__points=[[1, None, 1]]), r"points\[0\]\[1\] must be a number or a text, not nothing"),
        (changed(data__standardised=1), r"data\.standardised must be true or false, not a whole number\.$"),
        (changed(look__view={}), r"opened: look\.view has no left\.$"),
        (changed(data__points=[[1, 2]]), "point 1 has 2 values instead of 3"),
        (changed(data__points=[[1, 2, 1], ["a", 2, 1]]), "point 2 has a text"),
        (changed(data__points=[[1, 2, 0.5]]), "class 0.5, which does not exist"),
        (changed(data__points=[[[1], 2, 1]]), "points"),
        (changed(data__points=[[]]), "points"),
        (changed(data__classes=["a"]), "two different names"),
        (changed(data__classes=["a", "a"]), "two different names"),
        (changed(data__task="clustering"), r"data\.task cannot be 'clustering'\.$"),
        (changed(data__columns=[]), r"data\.columns must be a list of length at least 1\.$"),
        (changed(fits__0__kernel="__import__('os').system('true')"), "cannot be opened"),
        (changed(fits__0__kernel="rbf(gamma=-1)"), "gamma"),
        (changed(fits__0__kernel="rfb"), "Did you mean"),
        (changed(fits__0__algorithm="soft-margin-svm(D=3)"), "no parameter"),
        (changed(fits__0__algorithm=7), "algorithm"),
        (changed(fits=[]), "fits must be a list of length at least 1"),
        (changed(fits=5 * json.loads(GOOD)["fits"]), "fits must be a list of length at most 4"),
        (changed(active=1), "active fit is number 1; its fits go from 0 to 0"),
        (changed(active=-1), "active must be a whole number of at least 0"),
        (changed(look__view={"left": 1, "right": 0, "bottom": 0, "top": 1}), "not a rectangle"),
        (changed(look__view=None), "look.view must be an object"),
        (changed(look__step=-1), "look.step must be a whole number of at least 0"),
        (changed(look__mode="fast"), "look.mode cannot be 'fast'"),
        (changed(look__mode=10_000 * "a"), "look.mode cannot be"),
        (changed(fits__0__algorithm="(("), "An algorithm is expected"),
        (changed(look__selection=[-1]), "selection"),
    ],
)
def test_a_bad_file_is_one_clear_sentence(content, complaint):
    with pytest.raises(BadInput, match=complaint) as caught:
        kviz.loads(content, "bad.kviz")
    sentence = str(caught.value)
    assert sentence.startswith("bad.kviz cannot be opened: ")
    assert "\n" not in sentence
    assert "Traceback" not in sentence
    assert "$" not in sentence
    assert len(sentence) < 400


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999", "-1e999", "1.1e12", "-2e99"])
def test_numbers_that_are_not_finite_or_too_large_are_refused(number):
    tree = json.loads(GOOD)
    tree["data"]["points"][4][0] = "HERE"
    with pytest.raises(BadInput):
        kviz.loads(json.dumps(tree).replace('"HERE"', number))


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.data())
def test_damaged_files_are_opened_or_refused_but_nothing_else(data):
    raw = bytearray(GOOD.encode())
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=4))
    try:
        state, extra = kviz.loads(bytes(raw))
    except BadInput:
        return
    assert same(kviz.loads(kviz.dumps(state, extra))[0], state)


trees = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None)
@given(st.sampled_from(["data", "kernel", "algorithm", "look", "version", "format"]), trees)
def test_any_value_in_any_field_is_accepted_or_refused_in_a_sentence(field, value):
    tree = json.loads(GOOD) | {field: value}
    sentence = "fine."
    try:
        kviz.loads(json.dumps(tree))
    except BadInput as problem:
        sentence = str(problem)
    assert sentence.endswith((".", "?", ".)"))


def test_missing_and_unreadable_files_are_told(tmp_path):
    with pytest.raises(BadInput, match="no such file"):
        kviz.load(tmp_path / "nowhere.kviz")
    with pytest.raises(BadInput, match="cannot be opened"):
        kviz.load(tmp_path)


def test_a_file_far_too_large_is_not_even_read(tmp_path):
    path = tmp_path / "huge.kviz"
    with path.open("wb") as file:
        file.truncate(2_000_000_000)
    tracemalloc.start()
    with pytest.raises(BadInput, match="larger than"):
        kviz.load(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10_000_000
