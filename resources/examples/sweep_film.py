"""Make a film of a parameter: the boundary from the widest to the narrowest Gaussian, in sweep.gif."""

import io

import numpy as np
from PIL import Image

import kernelviz

data = kernelviz.dataset("moons(n=80, noise=0.25)")
frames = []
for gamma in np.geomspace(0.05, 50, 12):
    picture = io.BytesIO()
    kernel = f"rbf(gamma={gamma:.3g})"
    kernelviz.render(picture, data, kernel=kernel, size="640x560", dpi=100, limits=(-2, 3, -2, 2.5))
    frames.append(Image.open(picture).convert("RGB"))
frames[0].save("sweep.gif", save_all=True, append_images=frames[1:], duration=250, loop=0)
print(f"sweep.gif has {len(frames)} frames")
