"""The session: the only mutable object. It replaces its frozen state and calls its observers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

from kernelviz.session.history import History
from kernelviz.session.state import Document, State, start_up
from kernelviz.session.tables.preparation import manageable
from kernelviz.session.view import Look, loses
from kernelviz.session.workspaces.base import Workspace
from kernelviz.session.workspaces.registry import workspaces

Observer = Callable[[State, State], None]


@dataclass(frozen=True, eq=False)
class Desk:
    """Everything that a session holds: its state, the states of other workspaces, the saved documents, and
    undo.

    elsewhere: the last state of each other workspace. saved: the document of each workspace that is in a
    file, or its start-up example. Both are by the names of the workspaces."""

    state: State
    elsewhere: Mapping[str, State] = field(default_factory=dict)
    saved: Mapping[str, Document] = field(default_factory=dict)
    history: History = field(default_factory=History)

    @property
    def documents(self) -> dict[str, Document]:
        """The document of each workspace that has one, by the name of the workspace."""
        states = (*self.elsewhere.values(), self.state)
        return {state.document.workspace.name: state.document for state in states}

    @property
    def unsaved(self) -> list[str]:
        """The names of the workspaces whose document differs from the one last saved or opened."""
        return [name for name, document in self.documents.items() if document is not self.saved.get(name)]


class Session:
    """State, undo and observers. Not thread-safe: it belongs to the GUI thread.

    >>> session = Session(start_up())
    >>> session.change("change kernel", kernel=kernel("linear"))
    >>> session.undo()

    The document is changed by `change` and `replace`, which can be undone; the look by `adjust`, which
    cannot. Observers are called with the old and the new state after every change."""

    def __init__(self, state: State) -> None:
        self._state = state
        # For each workspace the document that is in a file, or its start-up example.
        self._saved: dict[str, Document] = {state.document.workspace.name: state.document}
        self._observers: list[Observer] = []
        self._left: dict[str, State] = {}  # The last state of each workspace that was left.
        self.history = History()
        # Shows the user a sentence about what the session did by itself.
        self.tell: Callable[[str], None] = lambda sentence: None

    @property
    def state(self) -> State:
        """The present state; `open` and `exchange` replace it as a whole."""
        return self._state

    @property
    def document(self) -> Document:
        """The present document; `change` and `replace` exchange it for another."""
        return self._state.document

    @property
    def look(self) -> Look:
        """The look of the document; `adjust` changes it."""
        return self._state.look

    def subscribe(self, observer: Observer) -> Callable[[], None]:
        """Call `observer(old, new)` after every change; return a function that ends the subscription."""
        self._observers.append(observer)
        return lambda: self._observers.remove(observer)

    # Changes ------------------------------------------------------------------------------------------
    def change(self, name: str, *, gesture: object = None, **changes: Any) -> None:
        """Replace parts of the document as one undoable step called `name` ("move point").

        Changes with the same gesture merge into one step. Nothing happens when nothing changes. If there are
        more points than the algorithm can take, a sample of them is kept. If points come as a whole, from a
        data set or a file, as many of them are held out as before."""
        old = self._state.document
        if all(getattr(old, key) is value for key, value in changes.items()):
            return
        whole = bool(changes.get("source"))  # an edit by hand has no source
        changed = old.with_other_points if whole else old.with_edited_points
        self.replace(name, changed(**changes), gesture=gesture)

    def replace(self, name: str, document: Document, *, gesture: object = None) -> None:
        """Replace the document as one undoable step."""
        old = self._state.document
        new, sentence = self._suited(document, old), ""
        if new.data.n > old.data.n or new.fits is not old.fits:  # neither holds while a point is dragged
            new, sentence = manageable(new)
        self.history.record(name, old, new, gesture)
        self._set_state(State(new, self._look_for(new, old)))
        if sentence:
            self.tell(sentence)

    def note(
        self, name: str, undo: Callable[[], None], redo: Callable[[], None], gesture: object = None
    ) -> None:
        """Make a change outside the document undoable, such as that of a switch of a view."""
        document = self._state.document
        self.history.record(name, document, document, gesture, undo=undo, redo=redo)
        self._set_state(self._state)

    def adjust(self, **changes: Any) -> None:
        """Replace parts of the look (view, toggles, mode, selection); this cannot be undone.

        A selection keeps only points that exist: a view may show those of an earlier document."""
        if "selection" in changes:
            changes["selection"] = tuple(i for i in changes["selection"] if i < self._state.document.data.n)
        look = self._state.look.replace(**changes)
        if look != self._state.look:
            self._set_state(State(self._state.document, look))

    def activate(self, fit: int) -> None:
        """Let the panels edit another of the fits. This is not a step of undo and need not be saved."""
        old, look = self._state.document, self._state.look
        if fit == old.active or not 0 <= fit < len(old.fits):
            return
        new, workspace = old.replace(active=fit), old.workspace.name
        if self._saved.get(workspace) is old:
            self._saved[workspace] = new
        self._set_state(State(new, look))

    def toggle(self, name: str) -> None:
        """Show what is hidden, hide what is shown."""
        self.adjust(shown=self.look.shown ^ {name})

    def open(
        self, state: State, *, elsewhere: Mapping[str, State] = MappingProxyType({}), saved: bool = True
    ) -> None:
        """Replace everything by another state, without history and without unsaved changes.

        elsewhere: the states of other workspaces. saved: False for a state that is in no file of the user's,
        such as a recovered session."""
        self.history = History()
        self._left = dict(elsewhere)
        everything = {name: left.document for name, left in elsewhere.items()}
        here = {state.document.workspace.name: state.document}
        self._saved = everything | here if saved else {}
        self._set_state(state, leaving=False)

    def exchange(self, desk: Desk) -> Desk:
        """Put another desk in place of the present one, which is returned: a lesson has its own desk, and the
        work from before comes back with its undo when the lesson ends."""
        before = self.desk
        self.history, self._left, self._saved = desk.history, dict(desk.elsewhere), dict(desk.saved)
        self._set_state(desk.state, leaving=False)
        return before

    def visit(self, workspace: Workspace) -> None:
        """Go to the last state of a workspace, or to its start-up example, as one step of undo."""
        old = self._state.document
        if workspace is not old.workspace:
            there = self._left.get(workspace.name)
            if there is None:
                there = start_up(workspace)
                self._saved.setdefault(workspace.name, there.document)
            self.history.record(f"go to {workspace.title}", old, there.document)
            self._set_state(there)

    def undo(self) -> None:
        """Take back the last step; the view follows points that it does not show."""
        self._travel(self.history.undo(), to_be_seen=True)

    def redo(self) -> None:
        """Repeat the step that was last undone; the view follows points that it does not show."""
        self._travel(self.history.redo(), to_be_seen=True)

    def go_to(self, document: Document) -> None:
        """Undo or redo up to an earlier document; one that is no longer in the history becomes a new step."""
        way = self.history.way_to(document)
        if way is None:
            self.replace("go back", document)
            return
        there: Document | None = None
        for _ in range(abs(way)):
            there = self.history.undo() if way < 0 else self.history.redo()
        self._travel(there)

    def abandon(self, gesture: object) -> None:
        """Take back an unfinished gesture; it leaves no step of undo."""
        self._travel(self.history.abandon(gesture))

    # Saved or not -------------------------------------------------------------------------------------
    @property
    def unsaved(self) -> bool:
        """True if a document, here or in another workspace, differs from the one last saved or opened."""
        return bool(self.desk.unsaved)

    @property
    def unsaved_in(self) -> list[str]:
        """Return the titles of the workspaces with unsaved changes, in the order of the switch."""
        changed = self.desk.unsaved
        return [workspace.title for workspace in workspaces() if workspace.name in changed]

    @property
    def elsewhere(self) -> dict[str, State]:
        """The last states of the workspaces that are not shown, by the names of these."""
        here = self._state.document.workspace.name
        return {name: state for name, state in self._left.items() if name != here}

    @property
    def desk(self) -> Desk:
        """Everything that the session holds now."""
        return Desk(self._state, self.elsewhere, dict(self._saved), self.history)

    def mark_saved(self) -> None:
        """Note that all documents are in a file now."""
        self._saved = self.desk.documents
        self._set_state(State(self._state.document, self._state.look))

    # ---------------------------------------------------------------------------------------------------
    def _travel(self, document: Document | None, to_be_seen: bool = False) -> None:
        """Show a document from the history. to_be_seen: whether the view follows points that leave it."""
        if document is None:
            return
        if document is self._state.document:  # only a switch of a view has changed
            self._set_state(self._state)
            return
        present, look = self._state.document, self._look_for(document, self._state.document)
        workspace, old, new = document.workspace, present.data, document.data
        if to_be_seen and workspace is present.workspace and new is not old and look.limits is None:
            extent = workspace.extent(new)
            if loses(look.view, workspace.extent(old), extent):
                look = look.replace(view=extent)
        self._set_state(State(document, look))

    def _suited(self, new: Document, old: Document) -> Document:
        """Return the document with fits that suit its data if it is in another workspace than the old one:
        those of its own that do, or else the fit that was last made there. A kernel that could be applied to
        the new data, but ignores their category, does not suit them."""
        workspace = new.workspace
        if workspace is old.workspace:
            return new
        data = new.data
        fits = tuple(fit for fit in new.fits if fit.suits(data) and fit.kernel.domain == data.domain)
        if not fits:
            left = self._left.get(workspace.name)
            fits = (workspace.fit if left is None else left.document.fit,)
        return new.replace(fits=fits, active=fits.index(new.fit) if new.fit in fits else 0)

    def _look_for(self, new: Document, old: Document) -> Look:
        """Return the look of a changed document: from its first step, with selected points that still
        exist."""
        workspace = new.workspace
        if workspace is not old.workspace:
            left = self._left.get(workspace.name)
            look = left.look if left is not None else workspace.look(new.data)
            return look.replace(selection=(), step=0)
        look = self._state.look
        kept = look.selection
        if kept and new.data.n != old.data.n:  # indices may mean other points now
            before, after = old.data.X, new.data.X
            kept = tuple(i for i in kept if i < new.data.n and np.array_equal(before[i], after[i]))
        return look if kept == look.selection and look.step == 0 else look.replace(selection=kept, step=0)

    def _set_state(self, state: State, leaving: bool = True) -> None:
        """Replace the state, keep the old one of a workspace that is left, and call the observers."""
        old, self._state = self._state, state
        if leaving and old.document.data is not state.document.data:
            workspace = old.document.workspace
            if workspace is not state.document.workspace:
                self._left[workspace.name] = old
        for observer in tuple(self._observers):
            observer(old, state)
