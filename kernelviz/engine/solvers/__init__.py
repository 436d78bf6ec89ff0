"""Solvers that algorithms share: the dual quadratic programme, linear models, hulls, paths, likelihood.

README.md explains the method behind each."""
