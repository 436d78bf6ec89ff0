"""Choose width and C by cross-validation, and the simplest fit within one standard error of the best."""

import kernelviz

data = kernelviz.dataset("moons(n=80, noise=0.3)")
found = kernelviz.select(data, over={"gamma": (0.1, 10, 5), "C": (1, 100, 3)}, folds=5, seed=0)
print("best:", found.chosen(found.best))
print("within one standard error:", found.chosen(found.one_standard_error))
