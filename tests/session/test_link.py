"""Links: a state in one line of text, opened as it was, and never more than read."""

from __future__ import annotations

import base64
import socket
import subprocess
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelviz.engine.core.data import Data, Task, same_inputs
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits import registry
from kernelviz.engine.fits.parsing import dataset
from kernelviz.session.files import link as links
from kernelviz.session.files.link import is_link, link_to, state_in
from kernelviz.session.sources import Requested
from kernelviz.session.state import State
from kernelviz.session.view import Look, ViewRange
from kernelviz.session.workspaces.plane import PlaneWorkspace
from tests.session.states import same, state_with

LOOK = Look(
    view=ViewRange(-1.5, 2.25, -3, 1e-3),
    shown=frozenset({"field", "slack"}),
    mode="watch",
    step=3,
    selection=(0,),
)


def clicked(n, seed=0, places=None):
    """Return points as they are clicked onto the plane, with all digits of a screen or with a few."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2)) * 1.5
    X = X if places is None else X.round(places)
    z = np.where(X[:, 0] + 0.3 * rng.normal(size=n) > 0, 1.0, -1.0)
    z[:2] = -1.0, 1.0
    return Data(X, z, Task.TWO_CLASSES, ("-", "+"), ("x1", "x2"))


@pytest.mark.parametrize("name", registry.datasets())
def test_a_link_of_every_data_set_is_short_and_opens_exactly_that(name):
    for held_out in (None, "0.3"):
        state, _ = Requested(name, test=held_out).state()
        link = link_to(state)
        assert len(link) < (200 if state.document.data.domain != "objects" else 6000)
        opened, extra = state_in(link)
        assert same(opened, state)
        assert extra == {}
        if held_out:
            np.testing.assert_array_equal(opened.document.held_out.rows, state.document.held_out.rows)
            assert same_inputs(opened.document.held_out.data.X, state.document.held_out.data.X)


@pytest.mark.parametrize(("n", "most"), [(20, 200), (60, 370), (200, 950)])
def test_clicked_points_take_few_letters_and_move_by_less_than_one_sees(n, most):
    state = state_with(clicked(n), look=PlaneWorkspace().look(clicked(n)))
    link = link_to(state)
    assert len(link) <= most
    there = state_in(link)[0].document.data
    span = np.ptp(state.document.data.X, axis=0)
    assert (np.abs(there.X - state.document.data.X) <= span / 1600).all()
    np.testing.assert_array_equal(there.z, state.document.data.z)


def test_typed_numbers_stay_as_they_were_typed():
    data = clicked(50, places=2)
    np.testing.assert_array_equal(state_in(link_to(state_with(data)))[0].document.data.X, data.X)


@pytest.mark.parametrize(
    "state",
    [
        state_with(look=LOOK, source="points.csv", standardised=True),
        state_with(PlaneWorkspace().empty()),
        state_with(
            Data.labelled(np.array([[0.1, -2e-17], [1e12, 3.0], [0.3, 1 / 3]]), ["cat", "dog", "cat"])
        ),
        state_with(Data.labelled(np.random.default_rng(0).normal(size=(40, 2)) * 1e-300, [1, 2] * 20)),
        state_with(Data.labelled(["abc", "abd", "xyz"], ["p", "q", "p"]), kernel_text="spectrum(length=2)"),
        Requested("moons", fit=["rbf(gamma=2) ; soft-margin-svm(C=3)", "linear ; perceptron"]).state()[0],
        Requested("moons(n=30)", test="moons(n=20, seed=5)").state()[0],
    ],
    ids=["look", "empty", "few", "close together", "words", "two fits", "other points"],
)
def test_what_few_points_or_texts_are_is_kept_exactly(state):
    opened, _ = state_in(link_to(state))
    assert same(opened, state)
    assert opened.document.fits == state.document.fits


@given(
    st.lists(
        st.tuples(st.floats(-1e9, 1e9), st.floats(-1e-3, 1e-3), st.sampled_from([-1.0, 1.0])),
        min_size=3,
        max_size=60,
    ),
    st.tuples(*[st.floats(-1e6, 1e6)] * 4),
)
def test_a_link_of_what_a_link_opens_is_the_same_link(rows, sides):
    table = np.array(rows)
    left, right, bottom, top = sides
    data = Data(table[:, :2], table[:, 2], Task.TWO_CLASSES, ("-", "+"), ("x1", "x2"))
    view = ViewRange(left, left + 1 + abs(right), bottom, bottom + 1 + abs(top))
    first = link_to(state_with(data, look=Look(view=view, shown=PlaneWorkspace().shown)))
    opened = state_in(first)[0]
    again = link_to(opened)
    assert again == first
    assert same(state_in(again)[0], opened)


def test_further_fields_travel_along_but_other_workspaces_do_not():
    link = link_to(state_with(), {"views": ["loss"], "elsewhere": {"curve": {}}})
    assert state_in(link)[1] == {"views": ["loss"]}


def test_a_link_may_be_broken_into_lines():
    link = link_to(state_with(clicked(40)))
    broken = "\n  ".join(link[i : i + 70] for i in range(0, len(link), 70))
    assert is_link(f"\n{broken}")
    assert same(state_in(broken)[0], state_in(link)[0])


def test_every_command_takes_a_link_for_a_source():
    state, _ = Requested("moons", kernel="rbf(gamma=3)", test="0.3").state()
    again, _ = Requested(link_to(state)).state()
    assert same(again, state)
    with pytest.raises(BadInput, match="sessions have their own"):
        Requested(link_to(state), columns="1,2,3").open()


# Bad links --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("n", [12, 200])
def test_a_mutilated_link_is_refused_in_a_sentence_and_raises_nothing_else(n):
    link = link_to(state_with(clicked(n), look=LOOK, source=""))
    whole, refused = state_in(link)[0], 0
    rng = np.random.default_rng(n)
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_:=é \x00"
    for _ in range(5000):
        text = list(link)
        for _ in range(rng.integers(1, 4)):
            k = int(rng.integers(max(len(text), 1)))
            change = rng.integers(4)
            if change == 0:
                text[k : k + 1] = letters[rng.integers(len(letters))]
            elif change == 1:
                del text[k : k + 1]
            elif change == 2:
                text.insert(k, letters[rng.integers(len(letters))])
            else:
                text = text[: max(k, 1)]
        try:
            opened, _ = state_in("".join(text))
        except BadInput:
            refused += 1
        else:
            assert same(opened, whole)
    assert refused > 4500


def written(tree, points=b""):
    """Return a link with this JSON, its checksum right, as somebody with bad intentions can make it."""
    import binascii
    import zlib

    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, 9, zdict=links.WORDS)
    content = deflate.compress(msgspec.json.encode(tree)) + deflate.flush() + points
    checked = binascii.crc_hqx(content, 0).to_bytes(2, "big") + content
    return f"kernelviz:1:{base64.urlsafe_b64encode(checked).decode().rstrip('=')}"


def tree_of(state):
    return msgspec.json.decode(links.kviz.dumps(state))


def forged(**data):
    tree = tree_of(state_with())
    tree["data"] |= data
    return tree


@pytest.mark.parametrize(
    "tree",
    [
        [],
        {},
        {"data": {}},
        {"data": {"source": "/etc/passwd"}},
        {"data": {"points": []}},
        forged(points={"n": 500_000, "columns": [["of", [1.0]]] * 3}),
        forged(points={"n": 10**12, "columns": []}),
        forged(points={"n": 1, "columns": [["grid", 1, 300, 10**400, 1]] * 3}),
        forged(points={"n": 1, "columns": [["grid", 7, 0, 0, 1]] * 3}),
        forged(points={"n": 1, "columns": [["of", []]] * 3}),
        forged(points="x"),
        forged(points=[[1, 2]]),
        forged(columns=["x"] * 2000),
        {k: v for k, v in tree_of(state_with()).items() if k != "fits"},
        tree_of(state_with()) | {"held_out": {"share": "half", "points": []}},
        tree_of(state_with()) | {"held_out": 5},
        tree_of(state_with()) | {"look": {"view": 1}},
        tree_of(state_with()) | {"version": 99},
    ],
    ids=range(18),
)
def test_a_link_with_wrong_content_is_refused(tree):
    for points in (b"", b"\xff" * 40):
        with pytest.raises(BadInput):
            state_in(written(tree, points))


def test_a_link_to_a_data_set_that_holds_out_nonsense_is_refused():
    tree = tree_of(Requested("moons(n=20)", test="0.3").state()[0])
    del tree["data"]["points"]
    for share, seed in (("x", 0), (7.0, 0), (0.3, "x"), (0.3, -1), (0.3, 2**80), ([0.3], 0)):
        with pytest.raises(BadInput):
            state_in(written(tree | {"held_out": {"share": share, "seed": seed}}))


def test_a_link_that_unpacks_to_very_much_is_refused():
    with pytest.raises(BadInput, match="cannot be opened"):
        state_in(written({"data": {"points": [], "source": "x" * 50_000_000}}))


def test_a_link_of_a_later_version_asks_for_an_update():
    with pytest.raises(BadInput, match="Update kernelviz"):
        state_in("kernelviz:2:abc")


def test_what_is_too_much_for_a_link_is_refused_when_it_is_made():
    wide = Data.labelled(
        ["".join(w) for w in np.random.default_rng(0).choice([*"abcdefgh"], (9000, 60))], [1, 2] * 4500
    )
    with pytest.raises(BadInput, match="too much here for a link"):
        link_to(state_with(wide, kernel_text="spectrum(length=2)"))


def test_reading_a_link_opens_runs_and_fetches_nothing(monkeypatch):
    link = link_to(state_with(clicked(20), source="/etc/passwd"))
    other = link_to(state_with(dataset("moons(n=20)"), source="moons(n=20)"))

    def refuse(*_, **__):
        raise AssertionError("a link must not do this")

    for owner, name in ((Path, "open"), (socket, "socket"), (subprocess, "Popen")):
        monkeypatch.setattr(owner, name, refuse)
    monkeypatch.setattr("builtins.open", refuse)
    monkeypatch.setattr("builtins.exec", refuse)
    monkeypatch.setattr("builtins.eval", refuse)
    assert isinstance(state_in(link)[0], State)
    assert isinstance(state_in(other)[0], State)


def test_links_that_were_sent_can_be_read_for_ever():
    # Made by the first program that had links. If one cannot be read, the words or the format have changed.
    sent = {
        "moons(n=30, seed=2)": "kernelviz:1:R_yjMMpQU58SUhzCUqKxAbR8MdKkYbQaURitSCECAA",
        "": (
            "kernelviz:1:ac3dkzsOgjEMgy8ElZuHE9__YqQSww9iQ2KgU-Wmdqp--fLLXul7R46vxD1hWcgkrNNrI1q3O5Y8tD"
            "fljXNkR2t4IpCq2CTzNnPdnUr3zQBa4mgi6K5KMmQ-LC6N_ywWlYbsK6qr1dvNwKRQXSdqj5ZlCvm50j6-4KitKTI0"
            "M0581rS065TmNHLiM8xl2eYMs5r0GG_bEXGeQ7cPg_IT1O3PUbeFC-u4wI4n7bN7w_0BxVEmNCUA"
        ),
    }
    for source, link in sent.items():
        state = state_in(link)[0]
        assert state.document.source == source
        assert state.document.data.n == (30 if source else 6)
        assert str(state.document.kernel) == "rbf(gamma=2)"
