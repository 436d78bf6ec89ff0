"""A lesson within a session file: where the student is, and the work from before the lesson."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import msgspec

from kernelviz.engine.core.errors import BadInput
from kernelviz.session.files import kviz
from kernelviz.session.lessons.lecture_reader import lectures
from kernelviz.session.lessons.reader import SUFFIX
from kernelviz.session.lessons.shipped import shipped
from kernelviz.session.session import Desk
from kernelviz.session.view_listing import SetView, parse_view, switches_text


def packed_desk(before: Desk) -> Any:
    """Return the work from before a lesson as it is kept in a session file."""
    extra = kviz.PackedStates().packed({}, before.elsewhere)
    return msgspec.json.decode(kviz.dumps(before.state, extra))


@dataclass(frozen=True)
class SavedLesson:
    """The record of a lesson in a session file. points: the rows of the points that have names. views: the
    open insight views. work_file: the file of the work from before, and its fingerprint when it was opened or
    saved last."""

    name: str
    file: str
    progress: str
    points: tuple[tuple[str, int], ...]
    before: Desk
    work_file: tuple[str, str] = ("", "")
    views: tuple[SetView, ...] = ()

    def record(self, packed: Any) -> dict[str, Any]:
        """Return the field of the session file. packed: the work from before, by `packed_desk`."""
        field = "lesson"  # Of a session file.
        return {
            field: {
                "file": self.file,
                "name": self.name,
                "progress": self.progress,
                "points": dict(self.points),
                "before": packed,
                "work_file": self.work_file,
                "work_unsaved": bool(self.before.unsaved),
                "views": list(map(switches_text, self.views)),
            }
        }

    @classmethod
    def read(cls, record: Mapping[str, Any], *, saved: bool) -> Self:
        """Return the lesson of a session file; BadInput if the work from before cannot be read.

        saved: the session is the one in its file, and so is the work from before."""
        try:
            state, extra = kviz.loads(msgspec.json.encode(record.get("before")), "The work before the lesson")
        except msgspec.MsgspecError as problem:
            raise BadInput(str(problem)) from None
        elsewhere, _ = kviz.unpacked(extra)
        documents = {name: left.document for name, left in elsewhere.items()}
        documents[state.document.workspace.name] = state.document
        points, file, views = record.get("points"), record.get("work_file"), record.get("views")
        rows = points.items() if isinstance(points, Mapping) else ()
        return cls(
            str(record.get("name", "")),
            str(record.get("file", "")),
            str(record.get("progress", "")),
            tuple((str(name), row) for name, row in rows if isinstance(row, int)),
            Desk(state, elsewhere, documents if saved else {}),
            (str(file[0]), str(file[1])) if isinstance(file, list) and len(file) == 2 else ("", ""),
            tuple(_known(views)) if isinstance(views, list) else (),
        )

    def path(self) -> Path:
        """Return where the lesson or lecture is: the file it was, or one of ours by its name, which may be in
        another folder by now; BadInput if it is gone."""
        ours = [path for path in (*shipped(), *lectures()) if path.stem == self.name]
        for path in (Path(self.file), *ours):
            with contextlib.suppress(OSError, ValueError):
                if path.suffix == SUFFIX and path.is_file():
                    return path
        raise BadInput(f"The file of {self.name} is not there.")


def _known(texts: Iterable[object]) -> Iterator[SetView]:
    """Yield the views of a session file, without those that this version does not have."""
    for text in texts:
        with contextlib.suppress(BadInput):
            yield parse_view(str(text))
