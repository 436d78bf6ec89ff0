"""The outcomes of a grid of settings, and which setting to choose.

The best setting has the smallest mean error over the folds. The one-standard-error choice is the simplest
setting whose error is no more than one spread above it, spread = standard deviation of the folds / √folds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.displayed import Displayed
from kernelviz.engine.fits.parsing import Fit
from kernelviz.engine.selection.folds import By, SettingErrors
from kernelviz.engine.selection.grid import SettingsGrid


@dataclass(frozen=True, eq=False)
class Selection(Displayed):
    """The outcomes of all settings of a grid, NaN where they are not computed yet or no fit is possible.

    `best` has the smallest error on points left out, or the largest likelihood; of several that share it,
    the simplest. `one_standard_error` is the simplest whose error is within one spread of the best."""

    grid: SettingsGrid
    outcomes: tuple[SettingErrors, ...]
    by: By
    note: str = ""  # How the points were left out.

    def __repr__(self) -> str:
        """Return one line with the parameters and, once there is one, the best fit."""
        over = ", ".join(axis.key for axis in self.grid.axes)
        best = "" if self.best is None else f", best {self.fit(self.best)}"
        return f"<Selection of {over}: {len(self.outcomes)} settings{best}>"

    def face(self, name: str) -> Array:
        """Return one number of every setting, in the shape of the grid: error, spread, training_error, …"""
        return np.array([getattr(outcome, name) for outcome in self.outcomes]).reshape(self.grid.shape)

    @cached_property
    def _judged(self) -> Array:
        """The number to be minimised."""
        if self.by == "likelihood":
            return -self.face("likelihood").ravel()
        return self.face("error").ravel()

    @cached_property
    def ties(self) -> tuple[int, ...]:
        """Return all cells that share the best value."""
        if not np.isfinite(self._judged).any():
            return ()
        least = np.nanmin(self._judged)
        return tuple(np.flatnonzero(self._judged <= _with_rounding(least)).tolist())

    @cached_property
    def best(self) -> int | None:
        """Return the cell to choose, or None if nothing is known."""
        return self._simplest(self.ties) if self.ties else None

    @cached_property
    def one_standard_error(self) -> int | None:
        """Return the simplest cell that is not clearly worse, or None without a spread."""
        best = self.best
        if best is None or self.by == "likelihood" or not np.isfinite(self.outcomes[best].spread):
            return None
        limit = _with_rounding(self._judged[best] + self.outcomes[best].spread)
        own = self.grid.steps_to_complex(best)
        good = [
            cell
            for cell in np.flatnonzero(self._judged <= limit).tolist()
            if all(a >= b for a, b in zip(self.grid.steps_to_complex(cell), own, strict=True))
        ]
        # Numbers of which neither end is simpler stay those of the best.
        kept = {
            a.key: self.grid.values_of(best)[a.key] for a in self.grid.axes if not a.knob.parameter.simpler
        }
        simpler = [cell for cell in good if kept.items() <= self.grid.values_of(cell).items()]
        return self._simplest(simpler or [best])

    def _simplest(self, cells: Any) -> int:
        """Return the cell with most steps from the complex ends; of those the best, and the first."""
        return int(
            min(cells, key=lambda cell: (-sum(self.grid.steps_to_complex(cell)), self._judged[cell], cell))
        )

    def fit(self, cell: int) -> Fit:
        """Return the kernel and algorithm of a cell."""
        return self.grid.fits[cell]

    @property
    def done(self) -> int:
        """The number of settings that have been tried."""
        return int(np.isfinite([outcome.converged for outcome in self.outcomes]).sum())

    # In words and as plain values ------------------------------------------------------------------------
    @property
    def message(self) -> str:
        """The result in sentences: ties are named, and so is a misleading choice by the training error."""
        unsolved = sum(outcome.converged == 0.0 for outcome in self.outcomes)
        limits = (
            f"{unsolved} of {len(self.outcomes)} settings were not solved to the end." if unsolved else ""
        )
        what = "largest likelihood" if self.by == "likelihood" else "smallest error"
        ties = "" if self.ties else "No setting could be fitted."
        if len(self.ties) > 1:
            ties = (
                f"A tie: {len(self.ties)} settings have the {what}; the simplest of them is called the best."
            )
        warning = ""
        if self.misled is not None and self.best is not None:
            chosen, best = self.outcomes[self.misled], self.outcomes[self.best]
            at = ", ".join(f"{key} = {value:.4g}" for key, value in self.grid.values_of(self.misled).items())
            warning = (
                f"A warning: the smallest training error, {chosen.training_error:.3g}, at {at}, would have "
                f"been a bad choice: the error there is {chosen.error:.3g}, at best it is {best.error:.3g}."
            )
        return " ".join(filter(None, (self.note, ties, warning, limits)))

    @cached_property
    def misled(self) -> int | None:
        """Return the cell that the training error would have chosen, if that is worse than the best by
        more than the spread. Of several with the smallest training error it is the best, so that the
        training error is not blamed for a choice it leaves open."""
        training, best = self.face("training_error").ravel(), self.best
        if self.by == "likelihood" or best is None or not np.isfinite(training).any():
            return None
        least = np.flatnonzero(training <= _with_rounding(np.nanmin(training)))
        cell = int(min(least, key=lambda cell: np.nan_to_num(self._judged[cell], nan=np.inf)))
        limit = _with_rounding(self._judged[best] + np.nan_to_num(self.outcomes[best].spread))
        return cell if self._judged[cell] > limit else None

    @property
    def table(self) -> list[dict[str, float]]:
        """Return one row for every setting."""
        return [self._row(cell) for cell in range(len(self.outcomes))]

    def _row(self, cell: int) -> dict[str, Any]:
        """Return the numbers of a cell and its outcome by name."""
        outcome = self.outcomes[cell]
        row: dict[str, Any] = dict(self.grid.values_of(cell))
        if self.by == "likelihood":
            return row | {"log_marginal_likelihood": outcome.likelihood}
        row |= {"error": outcome.error, "spread": outcome.spread, "training_error": outcome.training_error}
        return row if np.isnan(outcome.true_error) else row | {"true_error": outcome.true_error}

    def chosen(self, cell: int | None) -> dict[str, Any] | None:
        """Return a cell's row with the expressions of its fit."""
        if cell is None:
            return None
        fit = self.fit(cell)
        return {"kernel": str(fit.kernel), "algorithm": str(fit.algorithm), **self._row(cell)}

    def report(self) -> dict[str, Any]:
        """Return everything in plain values."""
        return {
            "by": self.by,
            "message": self.message,
            "best": self.chosen(self.best),
            "one_standard_error": self.chosen(self.one_standard_error),
            "ties": [self.chosen(cell) for cell in self.ties] if len(self.ties) > 1 else [],
            "table": self.table,
        }


def _with_rounding(value: float) -> float:
    """Return the largest number that is the same up to rounding."""
    same = 1e-12  # Errors that differ by less than this share are the same.
    return float(value + same * abs(value))
