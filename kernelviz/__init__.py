"""kernelviz: see kernel methods.

>>> import kernelviz
>>> model = kernelviz.fit(X, z, kernel="rbf(gamma=1)", algorithm="soft-margin-svm(C=10)")
>>> model.score(X), model.alpha, model.b, model.summary()
"""

from kernelviz.engine.api import BadInput, algorithm, dataset, fit, kernel

__version__ = "0.1.0"
__all__ = ["BadInput", "__version__", "algorithm", "dataset", "fit", "kernel"]
