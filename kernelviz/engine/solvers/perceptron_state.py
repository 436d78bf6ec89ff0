"""The state of a perceptron, with scores whose signs are those of exact arithmetic."""

from __future__ import annotations

import math

import numpy as np

from kernelviz.engine.core.arrays import Array, Indices

HALF_A_DIGIT = 1.2e-16  # The relative error of one floating point operation, and a little more.

SPLIT = 2.0**27 + 1.0  # Splits a number into two of half as many digits each (Veltkamp).


class Progress:
    """beta, b = count · step, and the kernel's part f = K beta of the scores, from one mistake to the next.

    A narrow kernel's f is lost when added to b, and in a tie the last digit decides. So the two are kept
    apart, and where rounding may have taken f + b across zero the sum is computed exactly."""

    def __init__(self, K: Array, step: float) -> None:
        self.K, self.step = K, step
        self.beta, self._f, self._visited = np.zeros((3, len(K)))
        self.mistakes = self._count = 0
        self.sweep = 0  # Of the last mistake, counted from 1.
        self._largest = max(float(K.max(initial=0.0)), -float(K.min(initial=0.0)), step)

    @property
    def b(self) -> float:
        return self._count * self.step

    def learn(self, i: int, sign: float) -> None:
        """Learn from a mistake at point i: beta_i += sign, b += sign · step."""
        self.beta[i] += sign
        self._count += int(sign)
        self._f += sign * self.K[i]
        self._visited += np.abs(self._f)  # each rounding error of f is at most half a digit of one of these
        self.mistakes += 1

    def next_mistake(self, z: Array, begin: int) -> int | None:
        """Return the first point from `begin` on with z s <= 0, or None."""
        product = self._f[begin:] + self.b
        product *= z[begin:]
        for k in (product <= self._most_doubt()).nonzero()[0]:
            i, value = begin + int(k), float(product[k])
            doubt = self._doubt(i, value)
            if value < -doubt or (value <= doubt and z[i] * self._exact(i) <= 0.0):
                return i
        return None

    def scores(self) -> Array:
        """Return s = f + b, with the right sign everywhere."""
        s = self._f + self.b
        for i in (np.abs(s) <= self._most_doubt()).nonzero()[0].tolist():
            if abs(s[i]) <= self._doubt(i, s[i]):
                s[i] = self._exact(i)
        return s

    def _doubt(self, i: int, score: float) -> float:
        """Return how far rounding may have taken the score of point i."""
        return HALF_A_DIGIT * (float(self._visited[i]) + abs(score) + abs(self.b))

    def _most_doubt(self) -> float:
        """Return an upper bound of all doubts: after m mistakes |f| and |b| are at most m times the
        largest entry."""
        return HALF_A_DIGIT * self._largest * (self.mistakes + 2) ** 2

    def _exact(self, i: int) -> float:
        """Return the score of point i, rounded once at the end: small integers times half numbers are
        exact."""
        support: Indices = self.beta.nonzero()[0]
        counts = np.append(self.beta[support], self._count)
        values = np.append(self.K[support, i], self.step)
        scaled = SPLIT * values
        high = scaled - (scaled - values)
        return math.fsum(np.concatenate((counts * high, counts * (values - high))).tolist())
