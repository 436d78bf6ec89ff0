"""Write a lesson, width.md, and have the robot do it as a student would."""

from pathlib import Path

from kernelviz.cli import main

Path("width.md").write_text(
    """+++
format = 1
title = "The width of the Gaussian"
minutes = 3
shows = ["kernel.gamma", "canvas", "status"]
+++

A kernel decides which points count as neighbours.

## Narrow enough

```stage
data = "moons(n=80, noise=0.1, seed=4)"
fit  = "rbf(gamma=0.01) ; soft-margin-svm(C=10)"
```

```task
say   = "Make the kernel narrower until no point is on the wrong side."
check = "training_error == 0"
do    = "kernel.gamma = 3"
```
""",
    encoding="utf-8",
)
main(["lesson", "check", "width.md"])
