"""Short sentences on two topics."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.data import Data
from kernelviz.engine.datasets.base import SeededDataSet, points, seed_of, shares, strings_of

__all__ = ["Topics"]

SUBJECTS = {
    "sea": ("the captain", "a sailor", "the old fisherman", "our ship", "the crew", "a small boat"),
    "kitchen": ("the cook", "a baker", "my grandmother", "our guest", "the waiter", "a young chef"),
}
DEEDS = {
    "sea": (
        "watched the waves",
        "sailed to the island",
        "hauled the net",
        "waited for the tide",
        "left port",
    ),
    "kitchen": (
        "stirred the soup",
        "baked fresh bread",
        "chopped the onions",
        "tasted the sauce",
        "set the table",
    ),
}
WHENS = (
    "at dawn",
    "in the evening",
    "before the storm",
    "once more",
    "with great care",
    "in a hurry",
    "alone",
)
"""These belong to both."""


@dataclass(frozen=True)
class Topics(SeededDataSet):
    """Sentences put together from a subject, a deed and a time; the last tells nothing of the topic."""

    name = "topics"
    title = "Two topics"
    summary_line = "Sentences about the sea and about the kitchen: a few words tell which."
    family = "Words"
    place = 22
    shown_in = "words"

    n: int = points(40)
    seed: int = seed_of()

    def fresh(self, count: int) -> Data | None:
        return None  # there are only so many: drawn again they would be those that were fitted

    def draw(self, rng: np.random.Generator) -> Data:
        groups = [
            [_sentence(topic, rng) for _ in range(count)]
            for topic, count in zip(SUBJECTS, shares(self.n), strict=True)
        ]
        return strings_of(groups, list(SUBJECTS))


def _sentence(topic: str, rng: np.random.Generator) -> str:
    parts = (SUBJECTS[topic], DEEDS[topic], WHENS)
    return " ".join(part[int(rng.integers(len(part)))] for part in parts)
