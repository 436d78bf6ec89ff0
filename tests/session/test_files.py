"""Session files: round trips, migration, unknown fields."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import parse_fit
from kernelviz.runtime.messages import END
from kernelviz.session.files import kviz, png_metadata
from kernelviz.session.sources import open_source
from kernelviz.session.state import State, start_up
from kernelviz.session.view import Look, ViewRange
from kernelviz.session.workspaces.plane import PlaneWorkspace
from tests.session.states import same, state_with

X = np.array([[0.1, -2e-17], [1e12, 3.0], [0.30000000000000004, 1 / 3]])
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
        State(state_with(source="moons(n=12)").document.replace(source=""), LOOK),
        state_with(PlaneWorkspace().empty()),
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
    kviz.save(path, state)
    opened, extra = kviz.load(path)
    assert same(opened, state)
    assert extra == {}


names = st.text(min_size=1, max_size=8)
coordinates = st.floats(-1e12, 1e12)


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
    assert same(kviz.loads(kviz.dumps(state))[0], state)


def test_a_file_is_plain_json_with_sorted_keys_and_a_line_for_each_point():
    state = state_with()
    text = kviz.dumps(state)
    tree = json.loads(text)
    assert list(tree) == sorted(tree)
    assert list(tree["data"]) == sorted(tree["data"])
    for row in tree["data"]["points"]:
        assert any(
            json.loads(line.strip().rstrip(",")) == row for line in text.splitlines() if "[" in line[:7]
        )
    assert text.endswith("}\n")


@pytest.mark.parametrize("at_once", [1, 2, 3, 4, 5, 1000])
@pytest.mark.parametrize(
    "data",
    [
        Data.labelled(np.linspace(-1.0, 1e-7, 8).reshape(4, 2), ["a", "b", "c", "a"]),
        Data.regression(np.eye(4), [0.5, -1e12, 0.0, 2.0]),
        Data.unlabelled(np.eye(4)),
        Data.labelled(["a], [b", "two, three", 'quo"ted', "plain"], [0, 1, 1, 0]),
    ],
    ids=["classes", "numbers", "no target", "texts"],
)
def test_points_are_written_in_pieces_of_any_size_alike(data, at_once, monkeypatch):
    whole = "".join(kviz._lines(data, "  "))
    monkeypatch.setattr(kviz, "ROWS_PER_CHUNK", at_once)
    assert "".join(kviz._lines(data, "  ")) == whole
    first, *rows, last = whole.splitlines()
    assert (first, last) == ("[", "  ]")
    inputs = data.X.tolist() if isinstance(data.X, np.ndarray) else [[text] for text in data.X]
    expected = inputs if data.target is None else [[*x, t] for x, t in zip(inputs, data.target, strict=True)]
    assert [json.loads(row.rstrip(",")) for row in rows] == expected


def test_a_view_and_a_selection_in_numpys_numbers_are_saved():
    edges = np.array([-1.5, 2.5, -0.5, 3.0])
    look = Look(view=ViewRange(*edges), selection=tuple(np.flatnonzero([0, 1, 0, 1])))
    state = state_with(look=look)
    assert same(kviz.loads(kviz.dumps(state))[0], state)


def test_moving_one_point_changes_one_line():
    state = state_with()
    moved = State(
        state.document.replace(data=PlaneWorkspace().placed(state.document.data, [3], [[9, 9]])), state.look
    )
    before, after = kviz.dumps(state).splitlines(), kviz.dumps(moved).splitlines()
    assert len(before) == len(after)
    assert sum(a != b for a, b in zip(before, after, strict=True)) == 1


def test_fields_nobody_knows_survive_a_round_trip():
    text = kviz.dumps(state_with(), {"layout": "AAEC", "notes": {"author": ["x", {"y": 1}]}})
    tree = json.loads(text)
    tree["look"]["camera"] = {"tilt": 30}
    tree["data"]["colours"] = [1, 2, 3]
    state, extra = kviz.loads(json.dumps(tree))
    assert extra == {
        "layout": "AAEC",
        "notes": {"author": ["x", {"y": 1}]},
        "look": {"camera": {"tilt": 30}},
        "data": {"colours": [1, 2, 3]},
    }
    assert json.loads(kviz.dumps(state, extra)) == tree


def test_fields_nobody_knows_do_not_bring_held_out_points_back():
    state = start_up()
    held = State(state.document.with_share_aside(0.3), state.look)
    tree = json.loads(kviz.dumps(held))
    tree["held_out"]["from_the_future"] = 1
    opened, extra = kviz.loads(json.dumps(tree))
    assert json.loads(kviz.dumps(opened, extra)) == tree
    released = State(opened.document.with_nothing_held_out(), opened.look)
    again, extra = kviz.loads(kviz.dumps(released, extra))
    assert same(again, released)
    assert extra == {}


@pytest.mark.parametrize("nothing", [None, {}, {"points": []}, {"share": 0.3, "rows": []}])
def test_held_out_points_that_are_none_are_none(nothing):
    tree = json.loads(kviz.dumps(start_up())) | {"held_out": nothing}
    assert kviz.loads(json.dumps(tree))[0].document.held_out is None


def test_an_extra_field_never_overrides_the_state():
    state = state_with()
    text = kviz.dumps(state, {"kernel": "linear", "version": 99, "look": "broken", "data": {"task": "?"}})
    assert same(kviz.loads(text)[0], state)


def test_a_session_without_a_look_shows_all_points():
    tree = json.loads(kviz.dumps(state_with()))
    del tree["look"]
    state, _ = kviz.loads(json.dumps(tree))
    low, view = state.document.data.X.min(axis=0), state.look.view
    assert view.left < low[0]
    assert view.bottom < low[1]


def test_a_selection_of_points_that_do_not_exist_shrinks():
    tree = json.loads(kviz.dumps(state_with()))
    tree["look"]["selection"] = [1, 500]
    assert kviz.loads(json.dumps(tree))[0].look.selection == (1,)


def test_older_files_are_brought_up_to_date_one_version_at_a_time(monkeypatch):
    def from_1(tree):
        tree["fits"] = tree.pop("models")
        return tree

    def from_2(tree):
        tree["active"] = tree.pop("chosen")
        return tree

    monkeypatch.setattr(kviz, "VERSION", 3)
    monkeypatch.setattr(kviz, "MIGRATIONS", {1: from_1, 2: from_2})
    state = state_with()
    tree = json.loads(kviz.dumps(state)) | {"version": 1}
    tree["models"], tree["chosen"] = tree.pop("fits"), tree.pop("active")
    assert same(kviz.loads(json.dumps(tree))[0], state)


def test_there_is_a_migration_from_every_older_version():
    assert set(kviz.MIGRATIONS) == set(range(1, kviz.VERSION))


def test_a_picture_opens_as_the_session_it_carries(tmp_path):
    pixel = base64.b64decode(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    )
    state = state_with(look=LOOK)
    (tmp_path / "figure.png").write_bytes(png_metadata.embed(pixel, kviz.dumps(state)))
    assert same(kviz.load(tmp_path / "figure.png")[0], state)
    (tmp_path / "photo.png").write_bytes(pixel)
    with pytest.raises(BadInput, match=r"photo\.png cannot be opened: this picture contains no session"):
        kviz.load(tmp_path / "photo.png")


def test_the_command_line_takes_a_session_with_its_fits(tmp_path):
    state = state_with(kernel_text="linear", how="ridge(lam=2)")
    kviz.save(tmp_path / "a.kviz", state)
    source = open_source(str(tmp_path / "a.kviz"))
    assert (source.fits, source.active) == (state.document.fits, state.document.active)
    assert np.array_equal(source.data.X, state.document.data.X)


VERSION_1 = sorted((Path(__file__).parent / "version1").iterdir())


@pytest.mark.parametrize("path", VERSION_1, ids=lambda path: path.name)
def test_files_of_the_first_version_open_and_are_saved_as_the_present_one(tmp_path, path):
    state, extra = kviz.load(path)
    carried = (
        path.read_bytes() if path.suffix == ".kviz" else png_metadata.extract(path.read_bytes()).encode()
    )
    old = json.loads(carried)
    assert old["version"] == 1
    assert (str(state.document.kernel), str(state.document.algorithm)) == (old["kernel"], old["algorithm"])
    assert len(state.document.fits) == 1
    assert state.document.data.n == len(old["data"]["points"])
    assert (state.look.mode, state.look.step) == (old["look"]["mode"], old["look"]["step"])
    kviz.save(tmp_path / "again.kviz", state, extra)
    again, kept = kviz.load(tmp_path / "again.kviz")
    assert same(again, state)
    assert kept == extra == {key: old[key] for key in old.keys() & {"layout", "from_the_future"}}
    assert json.loads((tmp_path / "again.kviz").read_text())["version"] == kviz.VERSION


def test_several_fits_are_saved_with_the_one_that_is_active(tmp_path):
    state = start_up()
    document = state.document.with_fit(parse_fit("linear ; ridge(lam=0.1)")).with_fit(
        parse_fit("rbf ; logistic")
    )
    kviz.save(tmp_path / "several.kviz", State(document.replace(active=1), state.look))
    opened = kviz.load(tmp_path / "several.kviz")[0].document
    assert opened.fits == document.fits
    assert (opened.active, str(opened.algorithm)) == (1, "ridge(lam=0.1)")


def test_typed_limits_of_the_axes_are_kept_and_others_are_not_written():
    state = start_up()
    typed = State(state.document, state.look.replace(limits=ViewRange(0.1, 0.7, -1.0, 2.0)))
    assert kviz.loads(kviz.dumps(typed))[0].look.limits == typed.look.limits
    assert "limits" not in kviz.dumps(state)
    wrong = json.loads(kviz.dumps(typed))
    wrong["look"]["limits"]["right"] = 0.0
    with pytest.raises(BadInput, match="not a rectangle"):
        kviz.loads(json.dumps(wrong))


def test_a_byte_order_mark_before_a_session_is_skipped(tmp_path):
    path = tmp_path / "marked.kviz"
    path.write_bytes(b"\xef\xbb\xbf" + kviz.dumps(start_up()).encode())
    assert same(kviz.load(path)[0], start_up())


def test_a_view_that_can_be_drawn_is_opened_as_it_was_to_the_last_digit():
    for view in (ViewRange(0.1, 0.3, -0.7, 1 / 3), ViewRange(1e12, 1.1e12, 1e-9, 2e-9 + 1e3)):
        assert kviz.loads(kviz.dumps(State(start_up().document, Look(view=view))))[0].look.view == view
