"""The numerical engine: numpy and scipy only; no Qt, no threads, no files, no global state.

Its packages build on each other in one order, which import-linter checks: core, kernels, fields, models,
solvers, numbers, algorithms, fits, analysis, selection."""
