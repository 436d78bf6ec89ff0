"""Write a kernel of your own, fit with it, and draw what it finds in own_kernel.png."""

from dataclasses import dataclass

import numpy as np

import kernelviz
from kernelviz.engine.core.params import real
from kernelviz.engine.kernels.vectors import RadialKernel


@dataclass(frozen=True)
class Wave(RadialKernel):
    """k(x, x') = sin(r/l) / (r/l), r = |x - x'|: positive semi-definite for up to three inputs."""

    name = "wave"
    title = "Wave"
    summary_line = "Decays in waves, so that far points can count against a class."
    family = "My own"
    place = 1

    l: float = real(0.3, low=0.01, high=10.0, scale="log", label="l", help="Length of a wave")  # noqa: E741

    def of_squared_distance(self, d2: np.ndarray) -> np.ndarray:
        return np.sinc(np.sqrt(d2) / (np.pi * self.l))


data = kernelviz.dataset("xor(n=120)")
model = kernelviz.render(
    "own_kernel.png", data, kernel=Wave(l=0.3), algorithm="soft-margin-svm(C=10)", size="800x800"
)
print(f"{Wave(l=0.3)}: training error {model.summary()['training_error']:.0%}")
