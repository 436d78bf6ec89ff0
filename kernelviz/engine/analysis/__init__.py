"""The computations of the insight views: tables of points, kernel PCA, lifts, functions of the RKHS, paths.

Nothing here changes a fit. A result takes a model, a problem or a Gram matrix and is frozen."""
