"""Scripts that rebuild a figure: Copy as Python and Copy as scikit-learn.

`script` puts one together from the data, a recipe for the algorithm (`recipes`) with its kernel
(`kernels`), and a figure of the workspace (`figures`)."""
