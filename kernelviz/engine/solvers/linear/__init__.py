"""Linear models in any basis: logistic, subgradient and least squares by gradient descent."""
