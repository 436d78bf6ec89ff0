"""The problem that a fit solves, and the models that it returns."""
