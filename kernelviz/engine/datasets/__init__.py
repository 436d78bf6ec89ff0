"""Data sets: points drawn from a declared seed, and a few that are given.

Every subclass of `DataSet` with a name is found by the registry."""
