"""Algorithms, one file for each or for a few that differ in a formula.

Every subclass of `Algorithm` with a name is found by the registry."""
