"""Compare the errors on training points and on fresh points, for three widths of the Gaussian."""

import numpy as np

import kernelviz

train = kernelviz.dataset("moons(n=100, noise=0.3, seed=1)")
fresh = kernelviz.dataset("moons(n=1000, noise=0.3, seed=2)")
for gamma in (0.01, 1, 100):
    model = kernelviz.fit(train.X, train.z, kernel=f"rbf(gamma={gamma})", algorithm="soft-margin-svm(C=10)")
    errors = [np.mean(model.predict(data.X) != data.z) for data in (train, fresh)]
    print(f"gamma = {gamma:g}: {errors[0]:.0%} wrong in training, {errors[1]:.0%} of the fresh points")
