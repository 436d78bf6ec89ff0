"""Session files: round trips, validation, migration, unknown fields, and saving that never loses."""

from __future__ import annotations

import base64
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernelviz.engine.api import algorithm, dataset, kernel
from kernelviz.engine.data import Data, Task
from kernelviz.engine.errors import BadInput
from kernelviz.runtime.messages import END
from kernelviz.session import edits, files, migrations, png_text
from kernelviz.session.sources import open_source
from kernelviz.session.state import Document, Look, State, ViewRange, start_up


def state_with(data=None, kernel_text="rbf(gamma=1)", how="soft-margin-svm(C=10)", look=None, **document):
    points = dataset("rings(n=12, seed=1)") if data is None else data
    return State(Document(points, kernel(kernel_text), algorithm(how), **document), look or Look())


def same(a: State, b: State) -> bool:
    """Whether two states are equal in every field that is saved."""
    x, y = a.document, b.document
    targets = (x.data.target is None and y.data.target is None) or np.array_equal(
        x.data.target, y.data.target
    )
    return (
        np.array_equal(x.data.X, y.data.X)
        and targets
        and (x.data.task, x.data.class_names, x.data.columns)
        == (y.data.task, y.data.class_names, y.data.columns)
        and (x.kernel, x.algorithm, x.source, x.standardised)
        == (y.kernel, y.algorithm, y.source, y.standardised)
        and a.look == b.look
    )


X = np.array([[0.1, -2e-17], [1e300, 3.0], [0.30000000000000004, 1 / 3]])
LOOK = Look(
    view=ViewRange(-1.5, 2.25, -3, 1e-3),
    shown=frozenset({"field", "slack"}),
    mode="watch",
    step=END,
    selection=(0, 2),
)


@pytest.mark.parametrize(
    "state",
    [
        start_up(),
        state_with(look=LOOK, source="points.csv", standardised=True),
        state_with(edits.empty()),
        state_with(Data.labelled(X, ["cat", "dog", "cat"], ["height", "width"])),
        state_with(Data.labelled(np.eye(4), ["a", "b", "c", "a"])),
        state_with(Data.regression(X, [0.1, -1e-9, 5.0])),
        state_with(Data.unlabelled(X)),
        state_with(Data.labelled(X, ["+", "+", "+"])),
        state_with(
            kernel_text="0.5*rbf(gamma=2) + polynomial(degree=3, c=1)*linear", how="hinge-sgd(lam=0.01)"
        ),
        state_with(Data.labelled(X, ['quo"ted', "naïve ☂", 'quo"ted'])),
    ],
    ids=lambda state: str(state.document.data.task),
)
def test_what_is_saved_is_what_is_opened(tmp_path, state):
    path = tmp_path / "session.kviz"
    files.save(path, state)
    opened, extra = files.load(path)
    assert same(opened, state)
    assert extra == {}


names = st.text(min_size=1, max_size=8)
coordinates = st.floats(allow_nan=False, allow_infinity=False)


@given(
    st.lists(st.tuples(coordinates, coordinates, st.sampled_from([-1.0, 1.0])), max_size=8),
    st.lists(names, min_size=2, max_size=2, unique=True),
    st.lists(names, min_size=2, max_size=2),
    names,
)
def test_every_number_and_every_name_survives(rows, classes, columns, source):
    table = np.array(rows, dtype=float).reshape(-1, 3)
    data = Data(table[:, :2], table[:, 2], Task.TWO_CLASSES, tuple(classes), tuple(columns))
    state = state_with(data, source=source)
    try:
        source.encode()
    except UnicodeEncodeError:
        return
    assert same(files.loads(files.dumps(state))[0], state)


def test_a_file_is_plain_json_with_sorted_keys_and_a_line_for_each_point():
    state = state_with()
    text = files.dumps(state)
    tree = json.loads(text)
    assert list(tree) == sorted(tree)
    assert list(tree["data"]) == sorted(tree["data"])
    for row in tree["data"]["points"]:
        assert any(
            json.loads(line.strip().rstrip(",")) == row for line in text.splitlines() if "[" in line[:7]
        )
    assert text.endswith("}\n")


def test_a_view_and_a_selection_in_numpys_numbers_are_saved():
    edges = np.array([-1.5, 2.5, -0.5, 3.0])
    look = Look(view=ViewRange(*edges), selection=tuple(np.flatnonzero([0, 1, 0, 1])))
    state = state_with(look=look)
    assert same(files.loads(files.dumps(state))[0], state)


def test_moving_one_point_changes_one_line():
    state = state_with()
    moved = State(
        state.document.replace(data=edits.move_points(state.document.data, [3], [[9, 9]])), state.look
    )
    before, after = files.dumps(state).splitlines(), files.dumps(moved).splitlines()
    assert len(before) == len(after)
    assert sum(a != b for a, b in zip(before, after, strict=True)) == 1


def test_fields_nobody_knows_survive_a_round_trip():
    text = files.dumps(state_with(), {"layout": "AAEC", "notes": {"author": ["x", {"y": 1}]}})
    tree = json.loads(text)
    tree["look"]["camera"] = {"tilt": 30}
    tree["data"]["weights"] = [1, 2, 3]
    state, extra = files.loads(json.dumps(tree))
    assert extra == {
        "layout": "AAEC",
        "notes": {"author": ["x", {"y": 1}]},
        "look": {"camera": {"tilt": 30}},
        "data": {"weights": [1, 2, 3]},
    }
    assert json.loads(files.dumps(state, extra)) == tree


def test_an_extra_field_never_overrides_the_state():
    state = state_with()
    text = files.dumps(state, {"kernel": "linear", "version": 99, "look": "broken", "data": {"task": "?"}})
    assert same(files.loads(text)[0], state)


def test_a_session_without_a_look_shows_all_points():
    tree = json.loads(files.dumps(state_with()))
    del tree["look"]
    state, _ = files.loads(json.dumps(tree))
    low, view = state.document.data.X.min(axis=0), state.look.view
    assert view.left < low[0]
    assert view.bottom < low[1]


def test_a_selection_of_points_that_do_not_exist_shrinks():
    tree = json.loads(files.dumps(state_with()))
    tree["look"]["selection"] = [1, 500]
    assert files.loads(json.dumps(tree))[0].look.selection == (1,)


# Versions ---------------------------------------------------------------------------------------------
def test_a_newer_file_is_refused_with_a_sentence_that_says_what_to_do():
    tree = json.loads(files.dumps(state_with())) | {"version": migrations.VERSION + 1, "data": "other"}
    with pytest.raises(BadInput, match=r"lesson\.kviz cannot be opened: .*newer kernelviz.*Update kernelviz"):
        files.loads(json.dumps(tree), "lesson.kviz")


def test_older_files_are_brought_up_to_date_one_version_at_a_time(monkeypatch):
    def from_1(tree):
        tree["kernel"] = tree.pop("similarity")
        return tree

    def from_2(tree):
        tree["algorithm"] = tree.pop("learner")
        return tree

    monkeypatch.setattr(migrations, "VERSION", 3)
    monkeypatch.setattr(migrations, "MIGRATIONS", {1: from_1, 2: from_2})
    state = state_with()
    tree = json.loads(files.dumps(state)) | {"version": 1}
    tree["similarity"], tree["learner"] = tree.pop("kernel"), tree.pop("algorithm")
    assert same(files.loads(json.dumps(tree))[0], state)


def test_there_is_a_migration_from_every_older_version():
    assert set(migrations.MIGRATIONS) == set(range(1, migrations.VERSION))


# Bad files --------------------------------------------------------------------------------------------
GOOD = files.dumps(state_with())


def changed(**fields):
    tree = json.loads(GOOD)
    for path, value in fields.items():
        *way, last = path.split("__")
        place = tree
        for key in way:
            place = place[key]
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
        (changed(data=None), "in data"),
        (changed(data__points=[[1, 2]]), "point 1 has 2 values instead of 3"),
        (changed(data__points=[[1, 2, 1], ["a", 2, 1]]), "point 2 has a text"),
        (changed(data__points=[[1, 2, 0.5]]), "class 0.5, which does not exist"),
        (changed(data__points=[[[1], 2, 1]]), "points"),
        (changed(data__points=[[]]), "points"),
        (changed(data__classes=["a"]), "two different names"),
        (changed(data__classes=["a", "a"]), "two different names"),
        (changed(data__task="clustering"), "task"),
        (changed(data__columns=[]), "columns"),
        (changed(kernel="__import__('os').system('true')"), "cannot be opened"),
        (changed(kernel="rbf(gamma=-1)"), "gamma"),
        (changed(kernel="rfb"), "Did you mean"),
        (changed(algorithm="soft-margin-svm(D=3)"), "no parameter"),
        (changed(algorithm=7), "in algorithm"),
        (changed(look__view={"left": 1, "right": 0, "bottom": 0, "top": 1}), "not a rectangle"),
        (changed(look__view=None), "in look.view"),
        (changed(look__step=-1), "in look.step"),
        (changed(look__mode="fast"), "in look.mode"),
        (changed(look__selection=[-1]), "selection"),
    ],
)
def test_a_bad_file_is_one_clear_sentence(content, complaint):
    with pytest.raises(BadInput, match=complaint) as caught:
        files.loads(content, "bad.kviz")
    sentence = str(caught.value)
    assert sentence.startswith("bad.kviz cannot be opened: ")
    assert "\n" not in sentence
    assert "Traceback" not in sentence
    assert "$" not in sentence


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999", "-1e999"])
def test_numbers_that_are_not_finite_are_refused(number):
    tree = json.loads(GOOD)
    tree["data"]["points"][4][0] = "HERE"
    with pytest.raises(BadInput):
        files.loads(json.dumps(tree).replace('"HERE"', number))


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.data())
def test_damaged_files_are_opened_or_refused_but_nothing_else(data):
    raw = bytearray(GOOD.encode())
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=4))
    try:
        state, extra = files.loads(bytes(raw))
    except BadInput:
        return
    assert same(files.loads(files.dumps(state, extra))[0], state)


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
        files.loads(json.dumps(tree))
    except BadInput as problem:
        sentence = str(problem)
    assert sentence.endswith((".", "?", ".)"))


def test_missing_and_unreadable_files_are_told(tmp_path):
    with pytest.raises(BadInput, match="no such file"):
        files.load(tmp_path / "nowhere.kviz")
    with pytest.raises(BadInput, match="cannot be opened"):
        files.load(tmp_path)


def test_a_file_far_too_large_is_not_even_read(tmp_path):
    path = tmp_path / "huge.kviz"
    with path.open("wb") as file:
        file.truncate(2_000_000_000)
    began = time.monotonic()
    with pytest.raises(BadInput, match="larger than"):
        files.load(path)
    assert time.monotonic() - began < 1.0


def test_a_picture_opens_as_the_session_it_carries(tmp_path):
    pixel = base64.b64decode(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    )
    state = state_with(look=LOOK)
    (tmp_path / "figure.png").write_bytes(png_text.embed(pixel, files.dumps(state)))
    assert same(files.load(tmp_path / "figure.png")[0], state)
    (tmp_path / "photo.png").write_bytes(pixel)
    with pytest.raises(BadInput, match=r"photo\.png cannot be opened: this picture carries no session"):
        files.load(tmp_path / "photo.png")


def test_the_command_line_takes_a_session_with_its_kernel_and_algorithm(tmp_path):
    state = state_with(kernel_text="linear", how="ridge(lam=2)")
    files.save(tmp_path / "a.kviz", state)
    source = open_source(str(tmp_path / "a.kviz"))
    assert (source.kernel, source.algorithm) == (state.document.kernel, state.document.algorithm)
    assert np.array_equal(source.data.X, state.document.data.X)


# Saving -----------------------------------------------------------------------------------------------
def test_a_save_that_fails_leaves_the_old_file(tmp_path):
    path = tmp_path / "session.kviz"
    files.save(path, state_with())
    before = path.read_bytes()
    with pytest.raises(BadInput, match="cannot be saved"):
        files.save(tmp_path / "nowhere" / "session.kviz", state_with())
    with pytest.raises(TypeError):
        files.save(path, state_with(), {"strange": object()})
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


SAVING = """
import sys
from kernelviz.session import files
from kernelviz.session.state import start_up, State
from kernelviz.engine.api import dataset
path = sys.argv[1]
states = [State(start_up().document.replace(data=dataset(f"gaussians(n={n}, seed=1)"))) for n in (4000, 4001)]
print("ready", flush=True)
while True:
    for state in states:
        files.save(path, state)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 on this system")
def test_a_process_killed_while_saving_leaves_a_whole_file(tmp_path):
    path = tmp_path / "session.kviz"
    rng = np.random.default_rng(0)
    for _ in range(4):
        child = subprocess.Popen(
            [sys.executable, "-c", SAVING, str(path)],
            stdout=subprocess.PIPE,
            env=os.environ | {"OMP_NUM_THREADS": "1"},
        )
        assert child.stdout.readline() == b"ready\n"
        deadline = time.monotonic() + 5
        while not path.exists() and time.monotonic() < deadline:
            time.sleep(0.005)
        time.sleep(float(rng.uniform(0.0, 0.08)))
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
        state, _ = files.load(path)
        assert state.document.data.n in (4000, 4001)


def test_a_link_is_followed_and_stays_a_link(tmp_path):
    real, link = tmp_path / "real.kviz", tmp_path / "link.kviz"
    files.save(real, state_with())
    link.symlink_to(real)
    files.save(link, start_up())
    assert link.is_symlink()
    assert same(files.load(real)[0], start_up())
    assert Path(link).exists()
