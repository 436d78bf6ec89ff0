"""Discovery by name."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest

from kernelviz.engine import algorithms, datasets, kernels
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Declared
from kernelviz.engine.fits import registry
from kernelviz.engine.fits.parsing import algorithm, dataset, kernel
from kernelviz.engine.kernels.dot_products import Linear

PROMISED = {
    "linear",
    "polynomial",
    "homogeneous",
    "power_series",
    "exponential",
    "rbf",
    "ard",
    "rational_quadratic",
    "periodic",
    "laplacian",
    "matern32",
    "matern52",
    "sigmoid",
}


def test_all_promised_kernels_are_there_under_their_names() -> None:
    assert set(registry.kernels()) >= PROMISED
    assert all(name == cls.name for name, cls in registry.kernels().items())


def test_names_are_found_whatever_their_case_and_dashes() -> None:
    for name in ("matern32", "Matern32", "MATERN32"):
        assert registry.look_up(name, registry.kernels(), "kernel").name == "matern32"
    for name in ("rational-quadratic", "Rational_Quadratic"):
        assert registry.look_up(name, registry.kernels(), "kernel").name == "rational_quadratic"


def test_an_unknown_name_names_the_nearest() -> None:
    with pytest.raises(BadInput, match=r"no kernel called 'laplace'. Did you mean laplacian\?"):
        registry.look_up("laplace", registry.kernels(), "kernel")


@pytest.mark.parametrize(
    ("text", "asked", "sentence"),
    [
        ("ridge", kernel, "There is no kernel called 'ridge'. That is the name of an algorithm."),
        ("Nu-SVM(nu=0.1)", kernel, "There is no kernel called 'Nu-SVM'. That is the name of an algorithm."),
        ("rbf(gamma=1)", algorithm, "There is no algorithm called 'rbf'. That is the name of a kernel."),
        ("moons", algorithm, "There is no algorithm called 'moons'. That is the name of a data set."),
        ("matern32", dataset, "There is no data set called 'matern32'. That is the name of a kernel."),
        ("gaussian", kernel, "There is no kernel called 'gaussian'. Did you mean rbf?"),
        ("Anisotropic", kernel, "There is no kernel called 'Anisotropic'. Did you mean ard?"),
        ("kernel-ridge", algorithm, "There is no algorithm called 'kernel-ridge'. Did you mean ridge?"),
        ("two_gaussians", dataset, "There is no data set called 'two_gaussians'. Did you mean gaussians?"),
    ],
)
def test_a_name_of_another_kind_is_recognised_and_a_title_leads_to_its_name(
    text: str, asked: Callable[[str], Any], sentence: str
) -> None:
    with pytest.raises(BadInput) as error:
        asked(text)
    assert str(error.value).startswith(sentence)


def test_a_class_made_elsewhere_stays_private() -> None:
    @dataclass(frozen=True)
    class Mine(Linear):
        name = "mine"

    registry.kernels.cache_clear()
    try:
        assert "mine" not in registry.kernels()
    finally:
        registry.kernels.cache_clear()


def test_compositions_and_shared_bases_are_not_listed() -> None:
    assert "" not in registry.kernels()
    assert not {"sum", "product", "scaled", "matern"} & set(registry.kernels())


@pytest.mark.parametrize("package", [kernels, algorithms, datasets])
def test_whatever_is_declared_in_any_file_of_a_folder_is_found(package: ModuleType) -> None:
    """Families stand together in a file; a further class needs no edit elsewhere."""
    declared = getattr(registry, package.__name__.rpartition(".")[2])()
    for info in pkgutil.iter_modules(package.__path__):
        module = import_module(f"{package.__name__}.{info.name}")
        named = [c for c in vars(module).values() if isinstance(c, type) and vars(c).get("name")]
        own = [c for c in named if c.__module__ == module.__name__ and issubclass(c, Declared)]
        assert all(declared[cls.name] is cls for cls in own)
