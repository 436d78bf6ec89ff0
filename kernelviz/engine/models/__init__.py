"""The problem that a fit solves, and the models that it returns.

A model is a score function s(x) with everything that is known about the fit; all of them are frozen."""
