"""Files and texts a user may come along with, good, odd and bad."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
from PySide6.QtGui import QImage

from kernelviz.engine.fits.parsing import algorithm, dataset, kernel
from kernelviz.session.files import kviz
from kernelviz.session.files.png_metadata import embed
from kernelviz.session.state import Document, State
from kernelviz.session.tables import formats
from kernelviz.session.workspaces.plane import PlaneWorkspace

TEXTS = (
    "",
    "0\t0\tno\n1\t1\tyes\n2\t0\tno\n",
    "x,y,label\n0,0,a\n0,0,b\n",
    "0;0,5;a\n1;1,5;b\n2;0,25;c\n",
    "1,2,3,4,5,6\n2,3,4,5,6,a\n1,1,1,1,1,b\n",
    "hello world, this is no table",
    "1 2\n3 4",
    "1,2,a\n3,nan,b",
    "1e300 -1e300 1\n-1e300 1e300 -1\n",
    "1e-300 0 1\n0 1e-300 -1\n",
    "5 5 1\n5 5 1\n",
    "\0\0\0",
    "−1,2,ä\n3,4,🙂\n",
)
"""What the clipboard may hold."""

WORDS = (
    "",
    "0",
    "1",
    "-1",
    "3.5",
    "1e-9",
    "1e9",
    "1e999",
    "nan",
    "0,5",
    "12345678901234567890",
    "linear",
    "rbf(gamma=1)",
    "rbf(gamma=0.3) + 0.5*linear",
    "polynomial(degree=3)*rbf(sigma=0.2)",
    "2*(matern32 + sigmoid(gamma=0.3))",
    "laplacian(gamma=",
    "rbf(gamma=-1)",
    "rbf(colour=blue)",
    "((((linear))))",
    "moons(n=80, noise=0.2)",
    "ä ö 🙂 α²",
    "__import__('os')",
    "a" * 300,
    "\\frac{1}{2}",
)
"""What may be typed into a field."""

NAMES = (
    "saved.kviz",
    "again",
    "points.csv",
    "points.npz",
    "points.svm",
    "model.json",
    "figure.png",
    "film.gif",
)
"""What a file to be written may be called."""
NOWHERE = ("no such folder/a.kviz", "a folder", "un\u0308mla\u0308ut 🙂.kviz", "x" * 250, "a.exe", ".hidden")


class Larder:
    """A folder of such files."""

    def __init__(self, folder: Path, large: bool = False) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._sessions()
        self._tables(large)
        self._bad()
        self.paths = (*sorted(folder.iterdir()), folder / "missing.csv")

    def to_open(self, rng: Random) -> Path:
        """Something to open, existing or not."""
        return rng.choice(self.paths)

    def to_write(self, rng: Random) -> Path:
        """A name to save under, mostly one that can be."""
        return self.folder / rng.choice(rng.choice((NAMES, NAMES, NAMES, NOWHERE)))

    def _sessions(self) -> None:
        for name, points, k, a in (
            ("moons.kviz", "moons(n=60)", "rbf(gamma=2)", "soft-margin-svm(C=1)"),
            ("blobs.kviz", "blobs(n=45)", "linear", "ridge(lam=0.1)"),
            ("xor.kviz", "xor(n=40)", "polynomial(degree=2)", "perceptron"),
        ):
            data = dataset(points)
            state = State(Document.of(data, kernel(k), algorithm(a), points), PlaneWorkspace().look(data))
            kviz.save(self.folder / name, state)
        picture = self.folder / "picture.png"
        QImage(8, 8, QImage.Format.Format_RGB32).save(str(picture))
        carrying = embed(picture.read_bytes(), (self.folder / "moons.kviz").read_text())
        (self.folder / "carries a session.png").write_bytes(carrying)

    def _tables(self, large: bool) -> None:
        for name in ("rings.csv", "rings.svm", "rings.npz"):
            formats.save_data(dataset("rings(n=50)"), self.folder / name)
        rng = np.random.default_rng(1)
        rows = [
            f"{i},{a:.4f},{b:.4f},{c:.4f},{'pqr'[i % 3]}"
            for i, (a, b, c) in enumerate(rng.normal(size=(30, 3)))
        ]
        (self.folder / "wide.csv").write_text("\n".join(["id,height,weight,age,kind", *rows]))
        if large:
            many = rng.normal(size=(20_000, 2))
            np.savetxt(self.folder / "many.csv", np.c_[many, many[:, 0] > 0], fmt="%.5g", delimiter=",")

    def _bad(self) -> None:
        whole = (self.folder / "moons.kviz").read_bytes()
        for name, content in {
            "empty.csv": b"",
            "cut off.kviz": whole[: len(whole) // 2],
            "newer.kviz": whole.replace(b'"version": ', b'"version": 99'),
            "noise.npz": bytes(range(256)),
            "noise.csv": bytes(range(256)),
            "one class.csv": b"0,0,a\n1,1,a\n2,0,a\n",
            "a quantity.csv": b"".join(b"%d,%d,%d.5\n" % (i, i * i, i) for i in range(40)),
            "not a picture.png": b"\x89PNG\r\n\x1a\n" + bytes(40),
        }.items():
            (self.folder / name).write_bytes(content)
        (self.folder / "a folder").mkdir(exist_ok=True)
