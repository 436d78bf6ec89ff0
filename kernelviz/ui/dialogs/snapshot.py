"""A snapshot of what is on screen, from which a figure can be painted on any thread."""

from __future__ import annotations

from dataclasses import dataclass, replace

from kernelviz.runtime.messages import Failure, Frame, Verdict
from kernelviz.scene.export.composition import Composition
from kernelviz.session.state import State
from kernelviz.ui.workbench.workbench import Workbench


@dataclass(frozen=True)
class Snapshot(Composition):
    """A figure of what is on screen, which can be painted on any thread.

    It has the frames and the verdict that the worker has answered, as far as they belong to the present
    document."""

    @classmethod
    def of(cls, workbench: Workbench) -> Snapshot:
        """Return what is on screen now."""
        state, fits = workbench.session.state, range(len(workbench.session.document.fits))
        active = cls._of(workbench, state, workbench.frame, workbench.failure)
        if len(fits) == 1:
            return active
        every = []
        for k in fits:
            found = workbench.latest.get(k)
            frame = found if isinstance(found, Frame) else None
            failure = found if isinstance(found, Failure) else None
            own = replace(state, document=state.document.replace(active=k))
            every.append(cls._of(workbench, own, frame, failure))
        return replace(active, together=tuple(every))

    @classmethod
    def _of(
        cls, workbench: Workbench, state: State, frame: Frame | None, failure: Failure | None
    ) -> Snapshot:
        """Return the snapshot of the active fit of a state."""
        if frame is not None and _shows(frame, state):
            if state.look.mode == "watch":  # the picture may be a few steps behind the one asked for
                state = replace(state, look=state.look.replace(step=frame.step))
            return cls(state, frame, _verdict_on(frame, workbench.verdict))
        document = state.document
        if failure is not None and failure.request.data is document.data:
            return cls(state, failure=failure)
        return cls(state)


def _shows(frame: Frame, state: State) -> bool:
    """Return True if the frame shows this very document in this mode."""
    asked, fit, document = frame.request, frame.request.fits[frame.fit], state.document
    return (
        asked.data is document.data
        and fit.kernel is document.kernel
        and fit.algorithm is document.algorithm
        and (asked.step is None) == (state.look.mode == "live")
    )


def _verdict_on(frame: Frame, verdict: Verdict | None) -> Verdict | None:
    """Return the verdict if it is about the points and kernel of the frame."""
    if verdict is None:
        return None
    judged, shown = verdict.request, frame.model.problem
    return verdict if judged.data is shown.data and judged.kernel == shown.kernel else None
