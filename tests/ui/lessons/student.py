"""Lessons for the tests, and a student who does them with mouse and keys."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QApplication, QWidget

from kernelviz.ui.window.main_window import MainWindow

LEFT = Qt.MouseButton.LeftButton

PLANE = r"""+++
format  = 1
title   = "The width of the Gaussian"
minutes = 8
shows   = ["kernel.gamma", "canvas", "gram", "status"]
+++

A kernel decides which points count as *neighbours*.

## Too narrow

```stage
data = "moons(n=40, noise=0.3, seed=4)"
test = "moons(n=200, noise=0.3, seed=5)"
fit  = "rbf(gamma=1) ; soft-margin-svm(C=10)"
```

The kernel is $K(x, x') = e^{-\gamma \|x - x'\|^2}$.

```predict
ask    = "γ goes to 200. What happens to the error on fresh points?"
a      = "It falls."
b      = "It rises."
answer = "b"
reveal = "kernel.gamma = 200"
true   = "test_error > before(test_error)"
why.a  = "A narrow kernel gets the training points right, and no others."
```

```task
say   = "Set γ between 10 and 30."
check = "10 < kernel.gamma < 30"
do    = "kernel.gamma = 20"
hint  = ["Less than 30.", "Try 20."]
miss  = [["kernel.gamma >= 30", "Make it wider."], ["kernel.gamma <= 10", "Make it narrower."]]
```

## One point

```stage
data   = "gaussians(n=10, distance=4, noise=0.3, seed=1)"
fit    = "linear ; soft-margin-svm(C=10)"
points = { p = 1 }
```

```task
say   = "Bring p below -1."
check = "point('p').y < -1"
do    = "move p (0, -1.5)"
miss  = [["point('p').y >= -1", "p is too high."]]
```

## The matrix

```task
say   = "Open the Gram matrix."
check = "view.gram"
do    = "open gram"
```
"""

CURVE = r"""+++
format = 1
title  = "A tube"
shows  = ["algorithm", "watch", "status"]
+++

## Widening the tube

```stage
data = "sinc(n=30)"
fit  = "rbf(gamma=1) ; svr(C=10, epsilon=0.01)"
```

```predict
ask    = "ε goes to 0.3. How many support vectors are left?"
a      = "Nearly all."
b      = "Few."
c      = "None."
answer = "b"
reveal = "algorithm.epsilon = 0.3"
true   = "support_vectors < before(support_vectors)"
```

## Ridge

```task
say   = "Choose ridge regression."
check = "algorithm == 'ridge'"
do    = "algorithm = ridge"
```
"""

WORDS = r"""+++
format = 1
title  = "Strings"
shows  = ["kernel.fold_case", "kernel.normalised", "gram"]
+++

## Common words

```stage
rows = [["The old cat", "+"], ["the old cat", "+"], ["a dog", "-"]]
fit  = "words ; soft-margin-svm(C=10)"
```

```predict
ask    = "Is K of the first two equal to that of the first with itself?"
a      = "Yes."
b      = "No."
answer = "b"
reveal = "open gram"
true   = "K(1, 2) < K(1, 1)"
```

```task
say   = "Make the first two equal."
check = "K(1, 2) == K(1, 1)"
do    = "kernel.fold_case = true"
```
"""


class Student:
    """Uses the window of a lesson as a person would."""

    def __init__(self, qtbot, window: MainWindow) -> None:
        self.qtbot, self.window = qtbot, window

    def open(self, path: Path) -> None:
        self.window.files.open_path(path)
        self.qtbot.waitUntil(lambda: getattr(self.tutor.lesson, "path", None) == path)
        self.settle()

    def settle(self) -> None:
        """Wait until the step is prepared, everything is played and the picture is final."""
        lessons = self.window.lessons
        self.qtbot.waitUntil(lambda: lessons.running and lessons.part.tutor.ready)
        self.qtbot.waitUntil(lambda: self.window.workbench.up_to_date)

    @property
    def tutor(self):
        return self.window.lessons.part.tutor

    @property
    def panel(self):
        return self.window.lessons.panel

    def press(self, widget: QWidget) -> None:
        assert widget.isVisible(), f"{widget.accessibleName()} is not in sight"
        self.qtbot.mouseClick(widget, LEFT)
        QApplication.processEvents()  # a card that is pressed is replaced a moment later

    def key(self, key: Qt.Key, modifier=Qt.KeyboardModifier.NoModifier) -> None:
        """Press a key where the keyboard is: on the canvas unless somebody has moved it."""
        self.window.activateWindow()
        self.qtbot.waitUntil(self.window.isActiveWindow)
        self.qtbot.keyClick(self.window.canvas.area, key, modifier)

    def type_number(self, name: str, number: str) -> None:
        """Type into the field of a control that the lesson shows."""
        field = self.control(name).control.field
        self.qtbot.mouseClick(field, LEFT)
        field.setFocus()
        field.selectAll()
        self.qtbot.keyClicks(field, number)
        self.qtbot.keyClick(field, Qt.Key.Key_Return)

    def control(self, name: str):
        return next(row for row in self.panel.controls.rows if row.name == name)

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Drag a point on the canvas."""
        area = self.window.canvas.area
        first, last = (area.mapFromScene(area.box.mapViewToScene(QPointF(*place))) for place in (start, end))
        port = area.viewport()
        self.qtbot.mouseMove(port, first)
        self.qtbot.mousePress(port, LEFT, pos=first)
        for share in (0.3, 0.6, 1.0):
            self.qtbot.mouseMove(port, first + (last - first) * share)
        self.qtbot.mouseRelease(port, LEFT, pos=last)

    def wait_for_green(self) -> None:
        self.qtbot.waitUntil(lambda: self.tutor.light == "done")
