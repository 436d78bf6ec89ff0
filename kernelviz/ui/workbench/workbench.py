"""The workbench, which every view shares: the session, the worker's answers and the point under the mouse."""

from __future__ import annotations

import threading
import time

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from kernelviz.runtime.messages import END, Answer, Failure, Frame, Progress, Verdict
from kernelviz.runtime.runner import Decorate, Runner
from kernelviz.session.edit_log import EditLog
from kernelviz.session.history import History
from kernelviz.session.session import Session
from kernelviz.session.state import Document, State
from kernelviz.session.workspaces.registry import workspace_of
from kernelviz.ui.workbench.background import Background


class Workbench(QObject):
    """Turns session changes into requests and answers into signals, all on the window's thread.

    Every view is connected to one workbench. It asks the worker for each new state, and the answers come back
    in a slot for each fit, so that a slow window skips frames instead of falling behind. Views connect to
    `state_changed` for what the user does, and to `frame_arrived` and `failed` for what follows from it; both
    carry all they need. Work that takes longer than a frame runs in a `background`, which ends together with
    the worker."""

    state_changed = Signal(object, object)  # (old State, new State), after every change of the session.
    frame_arrived = Signal(object)  # A Frame to draw, never older than the one before it.
    other_fit_arrived = Signal(object)  # A Frame of a fit other than the active one.
    other_fit_failed = Signal(object)  # A Failure of such a fit.
    verdict_arrived = Signal(object)
    failed = Signal(object)  # A Failure: the newest state has no picture; its sentence says why.
    busy_changed = Signal(bool)
    progressed = Signal(str)  # The progress of the present fit, when it takes long.
    workspace_left = Signal()  # The latest answers belong to another workspace and have been dropped.
    hovered = Signal(object)  # The index of the point under the mouse in any view, or None.
    frozen_changed = Signal(bool)  # Whether fits wait until they are revealed.
    _woken = Signal()

    def __init__(self, session: Session, *, synchronous: bool = False) -> None:
        super().__init__()
        self.session = session
        # By workspace: prepares a frame for its canvas on the worker's thread.
        self.decorators: dict[str, Decorate] = {}
        self.frame: Frame | None = None
        self.failure: Failure | None = None
        self.latest: dict[int, Frame | Failure] = {}  # The latest answer for each fit.
        self.verdict: Verdict | None = None
        self.hovered_point: int | None = None
        self.hovered_partner: int | None = None
        self._stamp = 0
        self._shown_stamp = -1
        self._busy = False
        self._verdict_due = False
        self._frozen: tuple[State, History] | None = None  # The state fitted last, while fits wait.
        self._waiting_since: float | None = None
        self._lock = threading.Lock()
        self._slots: dict[tuple[type, int | None], Answer] = {}
        self._wake_queued = False
        self._runner = Runner(self._receive, decorate=self._decorate, synchronous=synchronous)
        self._woken.connect(self._collect, Qt.ConnectionType.QueuedConnection)
        self._unsubscribe = session.subscribe(self._on_state)
        self._backgrounds: list[Background] = []
        self.edit_log = EditLog()
        self._watchdog = QTimer(self, interval=50)
        self._watchdog.timeout.connect(self._check_busy)

    # Requests ------------------------------------------------------------------------------------------
    def refresh(self) -> None:
        """Request a frame of the present state."""
        self._submit(self.session.state, discrete=True)

    def stop_computing(self) -> None:
        """Cancel the frame that is being computed."""
        if self._waiting_since is not None:
            self._runner.give_up(self._stamp)

    def hover(self, point: int | None, partner: int | None = None) -> None:
        """Set the point under the mouse, which every view highlights. partner: the other one of a matrix
        cell."""
        if (point, partner) != (self.hovered_point, self.hovered_partner):
            self.hovered_point, self.hovered_partner = point, partner
            self.hovered.emit(point)

    @property
    def frozen(self) -> bool:
        """True while fits wait until they are revealed."""
        return self._frozen is not None

    def toggle_freeze(self) -> None:
        """Hold the fits while the points are edited, or reveal the new ones."""
        self.freeze(not self.frozen)

    def freeze(self, on: bool) -> None:
        """Hold the fits, or reveal them. Meanwhile the worker only draws other views of the last fits, so
        that no number and no picture can give the answer away."""
        if on == self.frozen:
            return
        self._frozen = (self.session.state, self.session.history) if on else None
        self.frozen_changed.emit(on)
        if not on:
            self.refresh()

    @property
    def up_to_date(self) -> bool:
        """True if the last request has its final answer."""
        fitted = self.session.document if self._frozen is None else self._frozen[0].document
        fits = range(len(fitted.fits))
        return not self._slots and all(self._is_final(self.latest.get(fit)) for fit in fits)

    def _is_final(self, answer: Frame | Failure | None) -> bool:
        """Return True if an answer is the last one to the latest request."""
        if answer is None or answer.stamp != self._stamp:
            return False
        if isinstance(answer, Failure):
            return True
        wanted = answer.request.step
        return answer.refined and (wanted is None or answer.finished or answer.step >= wanted)

    def background(self, name: str, parent: QObject) -> Background:
        """Return a thread for long work of a view, which ends together with the worker."""
        made = Background(name, parent)
        self._backgrounds.append(made)
        return made

    def stop(self) -> bool:
        """End the worker and all background work; return True if they ended in time."""
        self._watchdog.stop()
        self._unsubscribe()
        ended = [background.stop() for background in self._backgrounds]
        return self._runner.stop() and all(ended)

    def _on_state(self, old: State, new: State) -> None:
        """Ask the worker for a changed document or view, then pass the change on to the views."""
        document_changed = old.document is not new.document
        look_changed = (old.look.view, old.look.mode, old.look.step) != (
            new.look.view,
            new.look.mode,
            new.look.step,
        )
        if self._frozen is not None:
            self._go_on_frozen(new)
        if self._frozen is None and (document_changed or look_changed):
            discrete = old.look.mode != new.look.mode or _changes_kind(old.document, new.document)
            # Pausing or stepping back from a long run must not wait for it.
            discrete = discrete or (old.look.step == END and new.look.step != END)
            # The worker first: the views have time until it answers.
            self._submit(new, discrete, verdict=document_changed)
        if old.document.data.n != new.document.data.n:
            self.hover(None)  # its index may belong to another point now
        if old.document.workspace is not new.document.workspace:
            self.frame = self.failure = self.verdict = None
            self.latest.clear()
            self.workspace_left.emit()
        self.state_changed.emit(old, new)

    def _go_on_frozen(self, new: State) -> None:
        """Show another view of the last fits; reveal the fits if something else has been opened."""
        assert self._frozen is not None
        (fitted, look), history = (self._frozen[0].document, self._frozen[0].look), self._frozen[1]
        if fitted.workspace is not new.document.workspace or self.session.history is not history:
            self.freeze(False)
        elif look.view != new.look.view:
            seen = State(fitted, look.replace(view=new.look.view))
            self._frozen = seen, history
            self._submit(seen, discrete=False, verdict=False)

    def _submit(self, state: State, discrete: bool, verdict: bool = True) -> None:
        """Ask the worker for a state, which replaces a request that it has not begun."""
        self._stamp += 1
        # A verdict that a mere change of view has overtaken is still due.
        self._verdict_due = self._verdict_due or verdict
        for gone in self.latest.keys() - set(range(len(state.document.fits))):
            del self.latest[gone]
        self._runner.submit(
            state.request(self._stamp, every_fit=True, discrete=discrete, verdict=self._verdict_due)
        )
        if self._waiting_since is None:
            self._waiting_since = time.perf_counter()
        if not self._watchdog.isActive():
            self._watchdog.start()

    def _decorate(self, frame: Frame) -> object:
        """Prepare a frame for the canvas of its workspace. Runs on the worker's thread."""
        decorator = self.decorators.get(workspace_of(frame.data).name)
        return None if decorator is None else decorator(frame)

    # Answers -------------------------------------------------------------------------------------------
    def _receive(self, answer: Answer) -> None:
        """Leave an answer in its slot and wake the window once. Runs on the worker's thread."""
        with self._lock:
            fit = answer.fit if isinstance(answer, Frame | Failure) else None
            self._slots[type(answer), fit] = answer
            wake, self._wake_queued = not self._wake_queued, True
        if wake:
            self._woken.emit()

    @Slot()
    def _collect(self) -> None:
        """Take all answers from their slots, oldest first, and emit them."""
        with self._lock:
            slots, self._slots = self._slots, {}
            self._wake_queued = False
        for answer in sorted(slots.values(), key=lambda a: a.stamp):
            if isinstance(answer, Frame | Failure):
                self._take(answer)
            elif isinstance(answer, Verdict):
                document = self.session.document
                same = answer.request.data is document.data and answer.request.kernel is document.kernel
                self._verdict_due = self._verdict_due and not same
                self.verdict = answer
                self.verdict_arrived.emit(answer)
            elif isinstance(answer, Progress) and answer.stamp > self._shown_stamp:
                self.progressed.emit(answer.words)
        if all(isinstance(answer, Progress) for answer in slots.values()):
            return  # still waiting for the same
        self._waiting_since = None if self.up_to_date else time.perf_counter()

    def _take(self, answer: Frame | Failure) -> None:
        """Keep an answer and emit it, unless it belongs to a workspace that was left or is older than what is
        shown."""
        if workspace_of(answer.request.data) is not self.session.document.workspace:
            return  # too late
        self.latest[answer.fit] = answer
        if answer.fit != answer.request.active:
            (self.other_fit_arrived if isinstance(answer, Frame) else self.other_fit_failed).emit(answer)
        elif answer.stamp >= self._shown_stamp:
            self._shown_stamp = answer.stamp
            if isinstance(answer, Frame):
                self.frame, self.failure = answer, None
                self.edit_log.see(answer, self.session)
                self.frame_arrived.emit(answer)
            else:
                self.frame, self.failure = None, answer
                self.failed.emit(answer)

    def _check_busy(self) -> None:
        """Emit whether an answer has been due for some time."""
        busy_after = 0.1  # Seconds of work after which "computing" is shown.
        since = self._waiting_since
        busy = since is not None and time.perf_counter() - since > busy_after
        if busy != self._busy:
            self._busy = busy
            self.busy_changed.emit(busy)
        if since is None:
            self._watchdog.stop()


def _changes_kind(old: Document, new: Document) -> bool:
    """Return True if the change is one of kind, which preempts the worker, not of degree (a drag, a
    slider)."""
    before, after = old.fit, new.fit
    return (
        type(before.kernel) is not type(after.kernel)
        or type(before.algorithm) is not type(after.algorithm)
        or abs(old.data.n - new.data.n) > 1
    )
