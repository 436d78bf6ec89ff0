"""Kernels, one file each; every class with a name is found by the registry."""
