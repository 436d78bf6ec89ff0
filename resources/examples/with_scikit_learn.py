"""Use a kernel of kernelviz in scikit-learn, and see that both find the same machine."""

from sklearn.svm import SVC

import kernelviz

data = kernelviz.dataset("xor(n=100)")
kernel = kernelviz.kernel("rbf(gamma=1) * polynomial(degree=2) + 0.1*linear")
theirs = SVC(kernel=kernel, C=10, tol=1e-8).fit(data.X, data.z)
ours = kernelviz.fit(data.X, data.z, kernel=kernel, algorithm="soft-margin-svm(C=10)")
difference = abs(theirs.decision_function(data.X) - ours.score(data.X)).max()
print(f"scores differ by at most {difference:.1g}")
