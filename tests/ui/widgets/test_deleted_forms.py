"""Forms that are shown, put into the order of Tab and deleted again, as often as a long session does."""

from __future__ import annotations

import subprocess
import sys

SESSION = """
import gc

from PySide6.QtWidgets import QApplication, QWidget

from kernelviz.engine.fits.registry import kernels
from kernelviz.ui.widgets.focus import order_tabs
from kernelviz.ui.widgets.form import FormStack
from kernelviz.ui.widgets.layouts import column

app, page, stack = QApplication([]), QWidget(), FormStack()
whole = column(stack, on=page)
stack.grown.connect(lambda: order_tabs(whole))
page.show()
for _ in range(20):
    for kernel in kernels().values():
        stack.show_declared(kernel())
        app.processEvents()
    stack.forget_hidden()
    gc.collect()
print("lived")
"""


def test_forms_deleted_again_and_again_do_not_crash():
    """In a process of its own, because what goes wrong here ends it."""
    done = subprocess.run([sys.executable, "-c", SESSION], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "lived\n"), done.stderr[-2000:]
