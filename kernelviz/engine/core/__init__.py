"""The foundation of the engine: arrays, errors, checked data, declared parameters, losses.

Nothing here knows of kernels or of fits."""
