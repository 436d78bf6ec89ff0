"""Linear models in any basis: logistic regression by Newton steps, and stochastic gradient descent."""
