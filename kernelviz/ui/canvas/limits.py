"""View > Axis limits: four numbers."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLineEdit, QWidget

from kernelviz.scene.axes import axis_name
from kernelviz.session.view import FARTHEST, NARROWEST_SPAN, ViewRange
from kernelviz.ui.widgets.labels import Label

SIDES = ("across", "up")  # What an axis without a name is called.
NAMES = ("left", "right", "bottom", "top")


def labels_of(axes: tuple[str, str]) -> tuple[str, ...]:
    """Return the labels of the four numbers."""
    names = [axis_name(name) if name else side for name, side in zip(axes, SIDES, strict=True)]
    return tuple(f"{name} {end}" for name in names for end in ("from", "to"))


def read_limits(texts: list[str], labels: tuple[str, ...]) -> ViewRange | str:
    """Return the rectangle the four texts name, or a sentence that says what is wrong with them."""
    values = []
    for label, text in zip(labels, texts, strict=True):
        try:
            values.append(float(text.replace(",", ".")))
        except ValueError:
            return f"{label}: {text!r} is not a number."
    left, right, bottom, top = values
    if not all(abs(value) <= FARTHEST for value in values):
        return f"The limits can reach {FARTHEST:g} in size."
    if right - left < NARROWEST_SPAN or top - bottom < NARROWEST_SPAN:
        return "Each axis must end to the right of, or above, where it starts."
    return ViewRange(left, right, bottom, top)


class LimitsDialog(QDialog):
    """Asks for the limits of both axes; `chosen` is the answer once accepted."""

    def __init__(self, view: ViewRange, axes: tuple[str, str], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Axis limits")
        self.chosen = view
        self._labels = labels_of(axes)
        self._fields = [QLineEdit(f"{getattr(view, name):.6g}", self) for name in NAMES]
        self._complaint = Label(role="error", wraps=True)
        self._complaint.hide()
        ok, cancel = QDialogButtonBox.StandardButton.Ok, QDialogButtonBox.StandardButton.Cancel
        buttons = QDialogButtonBox(ok | cancel, self)
        buttons.accepted.connect(self._accept)
        buttons.rejected.connect(self.reject)
        form = QFormLayout(self)
        for label, field in zip(self._labels, self._fields, strict=True):
            form.addRow(label, field)
        form.addRow(self._complaint)
        form.addRow(buttons)

    def _accept(self) -> None:
        answer = read_limits([field.text() for field in self._fields], self._labels)
        if isinstance(answer, str):
            self._complaint.setText(answer)
            self._complaint.show()
            self.adjustSize()
        else:
            self.chosen = answer
            self.accept()
