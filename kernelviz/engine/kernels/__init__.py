"""Kernels, a file for each family: dot products, the Gaussian and its relatives, others, strings.

Every subclass of `Kernel` with a name is found by the registry."""
