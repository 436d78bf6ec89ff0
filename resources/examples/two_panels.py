"""Draw a figure of two panels for a paper: two widths of the Gaussian side by side, in two_panels.pdf."""

import kernelviz

data = kernelviz.dataset("moons(n=100, noise=0.25, seed=3)")
kernelviz.render(
    "two_panels.pdf",
    data,
    fits=["rbf(gamma=0.1) ; soft-margin-svm(C=10)", "rbf(gamma=30) ; soft-margin-svm(C=10)"],
    size="178x90mm",
    text=8,
)
print("two_panels.pdf is 178 x 90 mm, with type of 8 points")
