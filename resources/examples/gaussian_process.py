"""Draw a Gaussian process over a gap in the data, with its band and the true function, in gap.png."""

import kernelviz

data = kernelviz.dataset("gap(n=40, noise=0.1, seed=1)")
model = kernelviz.render(
    "gap.png",
    data,
    kernel="rbf(gamma=3)",
    algorithm="gaussian-process(noise=0.01)",
    shown=["curve", "band", "truth", "points", "legend"],
    source="gap(n=40, noise=0.1, seed=1)",
    size="170x85mm",
)
print(f"log marginal likelihood {model.summary()['log_marginal_likelihood']:.2f}")
