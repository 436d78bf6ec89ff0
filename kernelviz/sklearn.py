"""Kernels and algorithms of kernelviz as estimators of scikit-learn.

>>> from kernelviz.sklearn import KernelClassifier
>>> from sklearn.model_selection import GridSearchCV
>>> svm = KernelClassifier(kernel="rbf(gamma=1)", algorithm="soft-margin-svm(C=1)")
>>> GridSearchCV(svm, {"kernel__gamma": [0.1, 1, 10], "algorithm__C": [1, 100]}).fit(X, y).best_params_

Kernel and algorithm are text or objects; either way their parameters are searched as `kernel__gamma` and
`algorithm__C`. After `fit`, `model_` is what `kernelviz.fit` returns. It needs scikit-learn:
`pip install "kernelviz[sklearn]"`."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Self

import numpy as np

from kernelviz.api import kernel_pca as find_components
from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import REAL
from kernelviz.engine.fits.expressions import parse_open_kernel
from kernelviz.engine.fits.named import paths_by_name, values_by_name, with_value
from kernelviz.engine.fits.parsing import algorithm as as_algorithm
from kernelviz.engine.fits.parsing import kernel as as_kernel
from kernelviz.engine.fits.solve import fit_data, learning
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.kernels.derivatives import Pairs, ParameterPath
from kernelviz.engine.kernels.vectors import clipped

try:
    from sklearn.base import (
        BaseEstimator,
        ClassifierMixin,
        ClassNamePrefixFeaturesOutMixin,
        OutlierMixin,
        RegressorMixin,
        TransformerMixin,
    )
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.gaussian_process.kernels import Hyperparameter
    from sklearn.gaussian_process.kernels import Kernel as ProcessKernel
    from sklearn.utils.class_weight import compute_sample_weight
    from sklearn.utils.metaestimators import available_if
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import _check_sample_weight, check_is_fitted, column_or_1d, validate_data
except ImportError as missing:
    raise ImportError(
        'kernelviz.sklearn needs scikit-learn 1.6 or later: pip install "kernelviz[sklearn]".'
    ) from missing

__all__ = ["GPKernel", "KernelClassifier", "KernelPCA", "KernelRegressor", "OneClass"]

# The parameters that have parameters, and how they are read.
OWNERS: dict[str, Callable[[Any], Kernel | Algorithm]] = {"kernel": as_kernel, "algorithm": as_algorithm}


class Nested:
    """Parameters of the kernel and the algorithm as `kernel__gamma` and `algorithm__C`, for text and objects
    alike: text stays text."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name; `deep` adds those of the kernel and the algorithm."""
        params: dict[str, Any] = super().get_params(deep=False)  # type: ignore[misc]
        for owner in [key for key in OWNERS if deep and key in params]:
            try:
                found = values_by_name(parsed(owner, params[owner]))
            except BadInput:  # `fit` says what is wrong
                continue
            params |= {f"{owner}__{name}": value for name, value in found.items()}
        return params

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name, those of the kernel and the algorithm after these themselves."""
        nested = {key: value for key, value in params.items() if key.startswith(("kernel__", "algorithm__"))}
        super().set_params(**{key: value for key, value in params.items() if key not in nested})  # type: ignore[misc]
        for key, value in nested.items():
            owner, _, name = key.partition("__")
            given = getattr(self, owner)
            changed = with_value(parsed(owner, given), name, value)
            setattr(self, owner, str(changed) if isinstance(given, str) else changed)
        return self


def parsed(owner: str, given: Any) -> Any:
    """Return the kernel or the algorithm; widths in text that wait for their points stay words."""
    return parse_open_kernel(given) if owner == "kernel" and isinstance(given, str) else OWNERS[owner](given)


class KernelEstimator(Nested, BaseEstimator):
    """What the estimators share: checked inputs, and `model_`, the fitted model, with its support vectors."""

    kernel: str | Kernel
    algorithm: str | Algorithm

    def _checked(self, X: Any, *y: Any, **how: Any) -> Any:
        """Return rows of numbers, or strings for a kernel on strings, and y if it is given."""
        if parsed("kernel", self.kernel).domain in ("vectors", "categories"):
            return validate_data(self, X, *y, dtype=np.float64, **how)
        X = [str(x) for x in np.asarray(X, dtype=object).ravel()]
        return (X, column_or_1d(y[0], warn=True)) if y else X

    def _names(self) -> tuple[str, ...]:
        """Return the names of the columns of the data frame that is being fitted, if it is one."""
        return tuple(getattr(self, "feature_names_in_", ()))

    def _learn(
        self, data: Data, algorithm: str | Algorithm, X: Any = None, sample_weight: Any = None
    ) -> Self:
        """Fit the model; scikit-learn's warning says so if it has not converged."""
        if sample_weight is not None:
            data = data.weighted(_check_sample_weight(sample_weight, X, ensure_non_negative=True))
        self.model_ = fit_data(data, self.kernel, algorithm)
        if not (self.model_.converged or self.model_.algorithm.ends_at_limit):
            warnings.warn(self.model_.message, ConvergenceWarning, stacklevel=3)
        self.support_, self.n_iter_ = self.model_.support, self.model_.iterations
        if self.model_.beta is not None:
            self.dual_coef_ = self.model_.beta[None, self.support_]
            self.intercept_ = np.array([self.model_.b])
        return self

    def _scores(self, X: Any) -> Array:
        """Return s(x) of the fitted model for other inputs."""
        check_is_fitted(self)
        return self.model_.score(self._checked(X, reset=False))


class KernelClassifier(ClassifierMixin, KernelEstimator):
    """Any algorithm for classes, such as "soft-margin-svm(C=1)", "logistic" or "perceptron", with any kernel.

    `decision_function` has the shape and the signs of scikit-learn's SVC: (n,), positive for `classes_[1]`,
    or for more classes (n, classes), the votes of their pairs; with `multiclass="one-vs-rest"` the score of
    each class against the others. `predict_proba` is there for algorithms that estimate probabilities."""

    def __init__(
        self,
        kernel: str | Kernel = "rbf(gamma=1)",
        algorithm: str | Algorithm = "soft-margin-svm(C=1)",
        multiclass: str = "one-vs-one",
        class_weight: Any = None,
    ) -> None:
        self.kernel = kernel
        self.algorithm = algorithm
        self.multiclass = multiclass
        self.class_weight = class_weight

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit to rows of numbers, a data frame or strings, with a label for each, and maybe a weight."""
        X, y = self._checked(X, y)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        algorithm = parsed("algorithm", self.algorithm)
        if self.multiclass != "one-vs-one":
            algorithm = learning(algorithm, self.multiclass)
        if algorithm.ignores_labels:
            raise BadInput(f"{algorithm.name} ignores labels: use OneClass.")
        if len(self.classes_) == 1:
            raise BadInput(f"All points are of one class ({self.classes_[0]}). Add points of another class.")
        names = tuple(map(str, self.classes_))
        data = replace(Data.labelled(X, codes, self._names()), class_names=names, labels=())
        if self.class_weight is not None:
            of_class = compute_sample_weight(self.class_weight, y)
            given = 1.0 if sample_weight is None else _check_sample_weight(sample_weight, X)
            sample_weight = of_class * given
        return self._learn(data, algorithm, X, sample_weight)

    def decision_function(self, X: Any) -> Array:
        """Return the score of every row, or the scores of all classes."""
        return self._scores(X)

    def predict(self, X: Any) -> Any:
        """Return the label of every row."""
        s = self._scores(X)
        return self.classes_[s.argmax(axis=1) if s.ndim > 1 else (s > 0).astype(int)]

    @available_if(lambda self: self._estimates_probabilities())
    def predict_proba(self, X: Any) -> Array:
        """Return the probability of each class of `classes_` at every row."""
        check_is_fitted(self)
        return self.model_.predict_proba(self._checked(X, reset=False))

    def _estimates_probabilities(self) -> bool:
        try:
            return bool(parsed("algorithm", self.algorithm).has_probabilities)
        except BadInput:  # `fit` says what is wrong
            return False


class KernelRegressor(RegressorMixin, KernelEstimator):
    """Any algorithm for real targets, such as "ridge(lam=1)" or "svr(C=1)", with any kernel."""

    def __init__(
        self, kernel: str | Kernel = "rbf(gamma=1)", algorithm: str | Algorithm = "ridge(lam=1)"
    ) -> None:
        self.kernel = kernel
        self.algorithm = algorithm

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit to rows of numbers, a data frame or strings, with a number for each, and maybe a weight."""
        X, y = self._checked(X, y, y_numeric=True)
        return self._learn(Data.regression(X, y, self._names()), self.algorithm, X, sample_weight)

    def predict(self, X: Any, return_std: bool = False, return_cov: bool = False) -> Any:
        """Return s(x) for every row; a Gaussian process also returns standard deviations or covariances."""
        check_is_fitted(self)
        return self.model_.predict(self._checked(X, reset=False), return_std, return_cov)


class OneClass(OutlierMixin, KernelEstimator):
    """A region that holds most of the points; `predict` is 1 inside and -1 outside."""

    def __init__(
        self, kernel: str | Kernel = "rbf(gamma=1)", algorithm: str | Algorithm = "one-class-svm(nu=0.1)"
    ) -> None:
        self.kernel = kernel
        self.algorithm = algorithm

    def fit(self, X: Any, y: Any = None) -> Self:
        """Fit to rows of numbers, a data frame or strings; y is ignored."""
        X = self._checked(X)
        self._learn(Data.unlabelled(X, self._names()), self.algorithm)
        self.offset_ = -(self.model_.b or 0.0)
        return self

    def decision_function(self, X: Any) -> Array:
        """Return s(x) for every row, negative outside."""
        return self._scores(X)

    def score_samples(self, X: Any) -> Array:
        """Return s(x) without the offset: `decision_function` is this minus `offset_`."""
        return self._scores(X) + self.offset_

    def predict(self, X: Any) -> Any:
        """Return 1 for rows inside the region and -1 for those outside."""
        return np.where(self._scores(X) >= 0.0, 1, -1)


class KernelPCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, KernelEstimator):
    """The leading kernel principal components, most spread first; fewer where the points span fewer.

    `eigenvalues_` and `eigenvectors_` are those of the centred Gram matrix, `shares_` the share of the
    variance along each component."""

    def __init__(self, n_components: int = 2, kernel: str | Kernel = "rbf(gamma=1)") -> None:
        self.n_components = n_components
        self.kernel = kernel

    def fit(self, X: Any, y: Any = None) -> Self:
        """Fit to rows of numbers, a data frame or strings; y is ignored."""
        X = self._checked(X)
        self.pca_ = find_components(Data.unlabelled(X), self.kernel, self.n_components)
        self.eigenvalues_, self.eigenvectors_ = self.pca_.eigenvalues, self.pca_.vectors
        self.shares_ = self.pca_.shares
        return self

    def transform(self, X: Any) -> Array:
        """Return the coordinates of every row along the components."""
        check_is_fitted(self)
        return self.pca_.project(self._checked(X, reset=False))

    @property
    def _n_features_out(self) -> int:
        """The number of components, which names the columns of a result."""
        return self.pca_.components


class GPKernel(Nested, ProcessKernel):
    """A kernel for scikit-learn's Gaussian processes, which search its parameters by their gradient, and for
    all else there that takes kernels: KernelRidge calls it once for all pairs.

        GaussianProcessRegressor(GPKernel("rbf(gamma=1)") + WhiteKernel())
        KernelRidge(kernel=GPKernel("rbf(gamma=1) + 0.5*linear"))

    `theta` has the logarithms of the real parameters that are positive and cannot be negative; the others
    stay as they are."""

    def __init__(self, kernel: str | Kernel = "rbf(gamma=1)") -> None:
        self.kernel = kernel

    def __call__(self, X: Any, Y: Any = None, eval_gradient: bool = False) -> Any:
        """Return K(X, Y), and (n, n, parameters) derivatives by `theta` if `eval_gradient`."""
        kernel, X = as_kernel(self.kernel), self._inputs(X)
        if Y is not None and eval_gradient:
            raise ValueError("Gradient can only be evaluated when Y is None.")
        K = np.array(kernel(X, None if Y is None else self._inputs(Y)))
        if not eval_gradient:
            return K
        gradient = np.empty((*K.shape, len(self._paths)))
        if self._paths:
            pairs = Pairs(kernel.checked(X))
            slopes = kernel.differentiated(pairs)[1](1.0, np.multiply)
            for j, path in enumerate(self._paths.values()):
                upper = np.triu(pairs.upper(kernel.at(path) * slopes[path]))
                gradient[:, :, j] = upper + np.triu(upper, 1).T
        return K, gradient

    def diag(self, X: Any) -> Array:
        """Return K(x, x) for every row."""
        return np.array(as_kernel(self.kernel).diagonal(self._inputs(X)))

    def is_stationary(self) -> bool:
        """Return True if K(x, x') is a function of x - x'."""
        return as_kernel(self.kernel).stationary

    @property
    def requires_vector_input(self) -> bool:
        """Whether the inputs are rows of numbers; otherwise they are strings."""
        return as_kernel(self.kernel).domain in ("vectors", "categories")

    def _inputs(self, X: Any) -> Any:
        return X if self.requires_vector_input else tuple(map(str, np.ravel(X)))

    @property
    def _paths(self) -> dict[str, ParameterPath]:
        """The parameters of `theta`, by name."""
        kernel = as_kernel(self.kernel)
        if not self.requires_vector_input:
            return {}
        return {
            name: path
            for name, path in paths_by_name(kernel).items()
            if (p := kernel.declared(path)).kind is REAL and p.low >= 0.0 and kernel.at(path) > 0.0
        }

    @property
    def hyperparameters(self) -> list[Any]:
        """The parameters of `theta` with their bounds."""
        declared = as_kernel(self.kernel).declared
        tiniest = 1e-12  # Stands for a bound of 0, which has no logarithm.
        bounds = {n: (declared(path).low or tiniest, declared(path).high) for n, path in self._paths.items()}
        return [Hyperparameter(f"kernel__{name}", "numeric", ends) for name, ends in bounds.items()]

    @property
    def theta(self) -> Array:
        """The logarithms of these parameters."""
        kernel = as_kernel(self.kernel)
        return np.asarray(np.log([kernel.at(path) for path in self._paths.values()]))

    @theta.setter
    def theta(self, values: Array) -> None:
        kernel = as_kernel(self.kernel)
        for path, value in zip(self._paths.values(), np.exp(values).tolist(), strict=True):
            kernel = kernel.having(path, clipped(value, kernel.declared(path)))
        self.kernel = str(kernel) if isinstance(self.kernel, str) else kernel

    def __repr__(self) -> str:
        return f"GPKernel({str(self.kernel)!r})"
