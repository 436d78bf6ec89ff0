"""Speed beside scikit-learn: `python -m tests.benchmarks [names] [--quick]`."""

import os

# One BLAS thread on both sides. This package is imported before its modules, and so before numpy.
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"
