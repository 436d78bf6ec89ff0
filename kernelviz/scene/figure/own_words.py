"""The words of an author in place of ours: the names of the axes, the entries of the legend and its place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import nearest
from kernelviz.scene.figure.legend import Entry
from kernelviz.scene.figure.text import marked
from kernelviz.session.figure_options import OUTSIDE, FigureOptions
from kernelviz.session.labels import renaming


@dataclass(frozen=True)
class OwnWords:
    """What an author has typed for the figure of a plane; what is empty is as usual."""

    labels: tuple[str, str] = ("", "")
    entries: tuple[str, ...] = ()
    legend: str = OUTSIDE  # Where the legend stands.
    letters: bool = False  # Whether (a), (b) above the plots distinguish them.

    @classmethod
    def of(cls, options: FigureOptions) -> OwnWords:
        """Return what the options of a figure say."""
        return cls(
            (marked(options.xlabel), marked(options.ylabel)), options.entries, options.legend, options.letters
        )

    def renamed(self, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
        """Return the entries in the author's words, without those that have none."""
        names = [entry.text for entry in entries]
        words = dict(filter(None, (renaming(each, names) for each in self.entries)))
        made = (
            replace(entry, text=marked(words[entry.text]), kind=entry.key) if entry.text in words else entry
            for entry in entries
        )
        return tuple(entry for entry in made if entry.text)

    def check(self, known: Iterable[Entry]) -> None:
        """Raise BadInput for the words of an entry that the legend does not have."""
        names = list(dict.fromkeys(entry.text for entry in known))
        for each in self.entries:
            if renaming(each, names) is None:
                name = each.partition("=")[0].strip()
                has = nearest(name, names) if names else "It is empty."
                raise BadInput(f"The legend has no entry called {name!r}. {has}")


NO_OWN_WORDS = OwnWords()
