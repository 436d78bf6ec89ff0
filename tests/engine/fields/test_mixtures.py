"""Fields of mixtures of Gaussians: as exact as promised wherever the points are, each width in its way."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import scipy.special
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.fields import mixtures
from kernelviz.engine.fields.direct import Sources, direct
from kernelviz.engine.fields.interpolation import basis, chebyshev_nodes, transform
from kernelviz.engine.fields.mixtures import (
    Gaussians,
    Mixture,
    gaussians,
    interpolation_error,
    log_gamma,
    mixture,
)
from kernelviz.engine.fits.parsing import kernel
from kernelviz.engine.kernels.base import Kernel

KERNELS = st.builds(
    lambda name, length: kernel(name).replace(l=10**length),
    st.sampled_from(["matern32", "matern52"]),
    st.floats(-2.5, 1),
)
DISTANCES = np.append(0.0, np.geomspace(1e-6, 1e4, 3000))


def cloud(n: int, seed: int = 0) -> Sources:
    rng = np.random.default_rng(seed)
    return Sources(rng.standard_normal((n, 2)), np.where(rng.random(n) < 0.5, 1.0, -1.0))


def error(found: Array, k: Kernel, sources: Sources, x1: Array, x2: Array) -> float:
    expected = direct(k, sources, x1, x2)
    return float(np.abs(found - expected).max() / np.abs(expected).max())


def made(expression: str, sources: Sources, x1: Array, x2: Array) -> Mixture:
    found = mixture(kernel(expression), sources, x1, x2)
    assert found is not None
    return found


@settings(max_examples=150, deadline=None)
@given(
    k=KERNELS,
    seed=st.integers(0, 10**6),
    n=st.integers(1, 60),
    g1=st.integers(1, 120),
    g2=st.integers(1, 120),
    far=st.sampled_from([0.0, 0.0, 1e3, 1e6]),
    spread=st.floats(0, 6),
    width=st.floats(-1, 2),
)
def test_the_field_is_the_direct_sum_or_none(
    k: Kernel, seed: int, n: int, g1: int, g2: int, far: float, spread: float, width: float
) -> None:
    rng = np.random.default_rng(seed)
    points = rng.standard_normal((n, 2))
    points[: n // 4] *= 1 + far
    sources = Sources(points, rng.standard_normal(n) * 10.0 ** rng.uniform(-spread, spread, n))
    x1 = np.linspace(-1.1, 1, g1) * 10**width
    x2 = np.sort(rng.uniform(-1, 1.2, g2)) * 10**width
    found = mixture(k, sources, x1, x2)
    if found is not None:
        assert error(found.field(x1, x2), k, sources, x1, x2) <= 1e-9


@pytest.mark.parametrize(
    "expression",
    [
        "matern32(l=1)",
        "matern32(l=0.05)",
        "matern52(l=0.1)",
        "matern52(l=3)",
    ],
)
@pytest.mark.parametrize("nodes", [100, 310])
def test_usual_fields_are_mixtures(expression: str, nodes: int) -> None:
    k, sources = kernel(expression), cloud(90)
    x = np.linspace(-3, 3, nodes)
    found = mixture(k, sources, x, x)
    assert error(found.field(x, x), k, sources, x, x) <= 1e-9


@pytest.mark.parametrize("near", [0, 40])
def test_squaring_over_many_octaves_keeps_the_digits(near: int) -> None:
    rates, weights = 2.0 ** np.arange(40), np.ones(40)
    x = np.append(-np.geomspace(1, 1e-6, 60), np.geomspace(1e-6, 1, 60))
    widths = Gaussians(rates, weights, per_octave=1)
    found = Mixture(widths, Sources(np.zeros((1, 2)), np.ones(1)), (), near, reach=6.0, cost=0.0)
    d = np.add.outer(x**2, x**2)
    expected = np.exp(-np.multiply.outer(d, rates)) @ weights
    np.testing.assert_allclose(found.field(x, x), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("side", [-1.0, 1.0])
@pytest.mark.parametrize(("points_reach", "grid_reaches"), [(1.0, 80.0), (80.0, 1.0)])
def test_however_far_the_points_lie_beside_the_grid_wide_gaussians_are_exact(
    axis: int, side: float, points_reach: float, grid_reaches: float
) -> None:
    points = np.random.default_rng(2).uniform(-1, 1, (60, 2))
    points[:, axis] = side * np.linspace(0, points_reach, 60)
    grid = [np.linspace(-1, 1, 60), np.linspace(-1, 1, 60)]
    grid[axis] = np.sort(-side * np.linspace(0, grid_reaches, 60))
    sources = Sources(points, np.ones(60))
    k = kernel("matern52(l=10)")
    found = mixture(k, sources, *grid)
    assert error(found.field(*grid), k, sources, *grid) <= 1e-9


def test_more_points_than_a_block_holds() -> None:
    k, sources, x = kernel("matern52(l=0.2)"), cloud(mixtures.POINTS_AT_A_TIME + 90), np.linspace(-3, 3, 70)
    found = mixture(k, sources, x, x)
    assert error(found.field(x, x), k, sources, x, x) <= 1e-9


@pytest.mark.parametrize("expression", ["matern52(l=0.3)", "matern32(l=0.5)"])
def test_wide_middle_and_narrow_gaussians_each_have_their_way(expression: str) -> None:
    sources, x = cloud(200), np.linspace(-3, 3, 200)
    found = made(expression, sources, x, x)
    assert 0 < found.coarse[0] < found.coarse[-1] < found.near < len(found.gaussians)
    assert found.reach < 1.5
    k = kernel(expression)
    for changed in (
        replace(found, coarse=()),
        replace(found, near=len(found.gaussians)),
        replace(found, coarse=(), near=len(found.gaussians)),
    ):
        assert error(changed.field(x, x), k, sources, x, x) <= 1e-9
    assert error(replace(found, reach=0.5 * found.reach).field(x, x), k, sources, x, x) > 1e-9
    assert error(replace(found, coarse=found.coarse[1:]).field(x, x), k, sources, x, x) > 1e-9


def test_narrow_kernels_cost_less_than_the_direct_sum_and_few_points_do_not() -> None:
    x = np.linspace(-3, 3, 200)
    every_node = mixtures.VALUE * len(x) ** 2
    assert made("matern52(l=0.3)", cloud(200), x, x).cost < 0.5 * 200 * every_node
    assert made("matern52(l=0.3)", cloud(2), x, x).cost > 2 * every_node


def test_the_unit_of_the_weights_does_not_matter() -> None:
    sources, x = cloud(90), np.linspace(-3, 3, 100)
    usual = made("matern52(l=0.3)", sources, x, x)
    for unit in (1e-12, 1e12):
        found = made("matern52(l=0.3)", replace(sources, weights=unit * sources.weights), x, x)
        assert (len(found.gaussians), found.coarse, found.near) == (
            len(usual.gaussians),
            usual.coarse,
            usual.near,
        )
        np.testing.assert_allclose(found.field(x, x) / unit, usual.field(x, x), rtol=0, atol=1e-9)


def test_weights_that_cancel_are_left_to_others() -> None:
    points = np.array([[0.0, 0.0], [1e-7, 0.0]])
    x = np.linspace(-3, 3, 50)
    k = kernel("matern52")
    assert mixture(k, Sources(points, np.array([1e12, -1e12])), x, x) is None
    assert mixture(k, Sources(points, np.zeros(2)), x, x) is None
    assert mixture(kernel("rbf"), Sources(points, np.ones(2)), x, x) is None


def test_descending_and_scattered_grids_do_without_neighbourhoods() -> None:
    sources = cloud(150)
    x1, x2 = np.linspace(3, -3, 150), np.random.default_rng(1).permutation(np.linspace(-3, 3, 150))
    k = kernel("matern52(l=0.3)")
    found = mixture(k, sources, x1, x2)
    assert found.near == len(found.gaussians)
    assert error(found.field(x1, x2), k, sources, x1, x2) <= 1e-9


@given(rate=st.floats(-2, 3), centre=st.floats(-1.5, 1.5), N=st.sampled_from(mixtures.DEGREES[:4]))
def test_the_bound_on_interpolation_is_one_and_not_a_wild_one(rate: float, centre: float, N: int) -> None:
    x, r = np.linspace(-1, 1, 801), 10**rate
    C = transform(N) @ np.exp(-r * (chebyshev_nodes(x, N) - centre) ** 2)
    wrong = float(np.abs(basis(x, N) @ C - np.exp(-r * (x - centre) ** 2)).max())
    bound = float(interpolation_error(N, np.array([r]))[0])
    assert wrong <= bound + 1e-13
    if abs(centre) < 0.5 and 1e-9 < wrong < 1e-3:
        assert bound < 1e4 * wrong


@settings(max_examples=40, deadline=None)
@given(k=KERNELS, digits=st.sampled_from([6, 9, 11, 13]))
def test_the_gaussians_add_up_to_the_kernel(k: Kernel, digits: int) -> None:
    tolerance = 10.0**-digits
    found = gaussians(k, tolerance)
    points = np.stack((DISTANCES, np.zeros_like(DISTANCES)), axis=1)
    expected = k.gram(np.zeros((1, 2)), points)[0]
    total = np.exp(-np.multiply.outer(DISTANCES**2, found.rates)) @ found.weights
    assert np.abs(total - expected).max() <= 5 * tolerance + 1e-14
    per_octave = found.per_octave
    assert (np.diff(found.rates) > 0).all()
    np.testing.assert_allclose(found.rates[per_octave:], 2 * found.rates[:-per_octave], rtol=1e-12)


def test_coarser_tolerances_need_fewer_gaussians() -> None:
    counts = [len(gaussians(kernel("matern52"), tolerance)) for tolerance in (1e-13, 1e-10, 1e-6)]
    assert counts[0] > counts[1] > counts[2]
    assert counts[2] <= 25


@given(real=st.floats(0.01, 1000), imaginary=st.floats(0, 300))
def test_the_logarithm_of_the_gamma_function_is_scipys(real: float, imaginary: float) -> None:
    z = complex(real, imaginary)
    np.testing.assert_allclose(log_gamma(z), scipy.special.loggamma(z).real, rtol=1e-7, atol=1e-7)
