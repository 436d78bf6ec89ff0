"""Fit a support vector machine to the rings, look at its numbers, predict new points."""

import kernelviz

data = kernelviz.dataset("rings(n=200, seed=1)")
model = kernelviz.fit(data.X, data.z, kernel="rbf(gamma=1)", algorithm="soft-margin-svm(C=10)")

print(model.message)
print(f"{len(model.support)} of {data.n} points are support vectors; b = {model.b:.3f}")
print(
    f"smallest margin {model.summary()['margin']:.3g}, training error {model.summary()['training_error']:.0%}"
)
print("centre and far away:", model.predict([[0.0, 0.0], [1.6, 0.0]]))
