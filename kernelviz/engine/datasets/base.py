"""What a data set is: declared parameters (n, noise, seed, …) and one method that draws the points."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

from kernelviz.engine.data import Data
from kernelviz.engine.params import Declared

__all__ = ["DataSet"]


@dataclass(frozen=True)
class DataSet(Declared):
    """A seeded, parameterised toy data set; the same parameters give the same points on every machine."""

    @abstractmethod
    def make(self) -> Data:
        """Draw the points."""
