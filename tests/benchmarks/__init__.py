"""Speed beside scikit-learn: `python -m tests.benchmarks [names] [--quick]`."""
