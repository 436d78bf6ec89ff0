"""The words: which data they show, and what edits do to strings."""

from __future__ import annotations

import numpy as np
import pytest

from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import dataset
from kernelviz.session.files import kviz
from kernelviz.session.state import State, start_up
from kernelviz.session.workspaces.base import LIMIT
from kernelviz.session.workspaces.registry import datasets_for, usual_fit, workspace_of
from kernelviz.session.workspaces.words import WordsWorkspace

WORDS = WordsWorkspace()
SOME = Data.labelled(["ab", "ba", "cc"], ["x", "y", "x"], ["text"])
THREE = Data.labelled(["ab", "ba", "cc"], ["x", "y", "z"], ["text"])


@pytest.mark.parametrize("name", ["spelling", "topics", "languages", "motif"])
def test_the_string_data_sets_are_shown_and_fitted_with_a_kernel_on_strings(name):
    data = dataset(name)
    assert isinstance(workspace_of(data), WordsWorkspace)
    assert name in datasets_for(WORDS)
    assert usual_fit(data).suits(data)


@pytest.mark.parametrize(
    "data", [Data.labelled([[1.0, 2.0], [2.0, 1.0]], [1, -1]), Data.unlabelled(["a", "b"])]
)
def test_what_has_no_strings_or_no_classes_is_refused_in_a_sentence(data):
    assert WORDS.refusal(data).endswith(".")


def test_strings_are_added_retyped_and_given_another_class():
    more = WORDS.with_text(SOME, "new one", 1)
    assert more.X == ("ab", "ba", "cc", "new one")
    assert more.class_of_each[-1] == "y"
    assert WORDS.retyped(SOME, 1, "b").X == ("ab", "b", "cc")
    assert WORDS.retyped(SOME, 1, "ba") is SOME
    assert WORDS.relabelled(SOME, 0, "y").class_of_each == ["y", "y", "x"]
    assert WORDS.relabelled(THREE, 0, "Z").class_of_each == ["z", "y", "z"]
    assert WORDS.relabelled(SOME, 0, "x") is SOME


def test_an_unknown_class_is_answered_with_those_there_are():
    with pytest.raises(BadInput, match="There is no class 'q' here; there are x, y"):
        WORDS.relabelled(SOME, 0, "q")


def test_flipping_duplicating_and_clearing():
    assert WORDS.flipped(SOME, [0]).class_of_each == ["y", "y", "x"]
    assert WORDS.flipped(THREE, [2]).class_of_each == ["x", "y", "x"]
    assert WORDS.duplicated(SOME, [2], np.zeros(2)).X == ("ab", "ba", "cc", "cc")
    assert isinstance(workspace_of(WORDS.cleared(SOME)), WordsWorkspace)
    assert isinstance(workspace_of(WORDS.empty()), WordsWorkspace)


@pytest.mark.parametrize("edit", [WORDS.placed, WORDS.jittered])
def test_a_string_cannot_be_moved_by_hand(edit):
    with pytest.raises(BadInput, match="change its letters to move it"):
        edit(SOME, [0], *((np.zeros((1, 2)),) if edit == WORDS.placed else (0.1, 0)))


def test_there_is_room_for_so_many_strings():
    full = Data.labelled(["a", "b"] * (LIMIT // 2), [1, -1] * (LIMIT // 2))
    with pytest.raises(BadInput, match="erase some first"):
        WORDS.with_text(full, "one more", 1)


def test_lines_without_labels_are_strings_of_one_class():
    lines = WORDS.plain(SOME, "the first line\n\n  \nthe second, with a comma\r\nthird\n")
    assert lines.X == ("the first line", "the second, with a comma", "third")
    assert set(lines.class_of_each) == {"y"}
    assert lines.task is Task.TWO_CLASSES
    assert set(WORDS.plain(THREE, "one").class_of_each) == {"x"}


def test_which_components_are_shown_is_kept_in_a_session():
    state = start_up(WORDS)
    state = State(state.document, state.look.replace(components=(3, 1)))
    opened, _ = kviz.loads(kviz.dumps(state), "it")
    assert opened.look.components == (3, 1)
    plain, _ = kviz.loads(kviz.dumps(start_up(WORDS)), "it")
    assert plain.look.components == (0, 1)
