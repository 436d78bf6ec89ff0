"""Data sets of objects that are given by their Gram matrix."""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.objects import objects
from kernelviz.engine.core.params import integer
from kernelviz.engine.datasets.base import DataSet

Edges = list[tuple[int, int]]


@dataclass(frozen=True)
class Graphs(DataSet):
    """Small graphs, compared by their closed walks: K(G, H) = Σ_k c_k(G) c_k(H)/k!, where c_k(G) = tr A^k is
    the number of walks of k steps in G that end where they begin."""

    name = "graphs"
    title = "Small graphs"
    summary_line = "Trees and graphs with a cycle, known only by how many closed walks two of them share."
    family = "Objects"
    place = 31
    shown_in = "objects"

    steps: int = integer(6, low=2, high=12, help="Longest walk that is counted")

    def make(self) -> Data:
        trees = {f"path of {n}": _path(n) for n in range(3, 9)}
        trees |= {f"star of {n}": [(0, k) for k in range(1, n)] for n in range(4, 9)}
        trees |= {f"fork of {n}": [*_path(n), (n - 2, n)] for n in range(4, 8)}
        cycles = {f"cycle of {n}": _cycle(n) for n in range(3, 9)}
        cycles |= {f"wheel of {n + 1}": [*_cycle(n), *((n, k) for k in range(n))] for n in range(4, 8)}
        cycles |= {f"lasso of {n}": [*_cycle(3), *((k - 1, k) for k in range(3, n))] for n in range(4, 9)}
        graphs = [graph for pair in zip(trees.items(), cycles.items(), strict=True) for graph in pair]
        counts = np.array([self._closed_walks(edges) for _, edges in graphs])
        every = objects(counts @ counts.T, [name for name, _ in graphs])
        return Data.labelled(every, ["tree", "cycle"] * len(trees), ["object"])

    def _closed_walks(self, edges: Edges) -> Array:
        """Return c_k/√k! for k from 2 to the longest walk."""
        n = 1 + max(max(edge) for edge in edges)
        A = np.zeros((n, n))
        for i, j in edges:
            A[i, j] = A[j, i] = 1.0
        powers = [np.linalg.matrix_power(A, k) for k in range(2, self.steps + 1)]
        return np.array([np.trace(power) / factorial(k) ** 0.5 for k, power in enumerate(powers, 2)])


def _path(n: int) -> Edges:
    return [(k, k + 1) for k in range(n - 1)]


def _cycle(n: int) -> Edges:
    return [*_path(n), (n - 1, 0)]
