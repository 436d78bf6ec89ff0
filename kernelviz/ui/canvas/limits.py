"""View > Axis limits: four numbers."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLabel, QLineEdit, QWidget

from kernelviz.session.state import ViewRange
from kernelviz.ui.canvas.view import FARTHEST, NARROWEST_SPAN

__all__ = ["LimitsDialog", "read_limits"]

NAMES = ("left", "right", "bottom", "top")
LABELS = ("x₁ from", "x₁ to", "x₂ from", "x₂ to")


def read_limits(texts: list[str]) -> ViewRange | str:
    """The rectangle the four texts name, or the sentence that says what is wrong with them."""
    values = []
    for label, text in zip(LABELS, texts, strict=True):
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

    def __init__(self, view: ViewRange, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Axis limits")
        self.chosen = view
        self._fields = [QLineEdit(f"{getattr(view, name):.6g}", self) for name in NAMES]
        self._complaint = QLabel(self)
        self._complaint.setProperty("role", "error")
        self._complaint.setWordWrap(True)
        self._complaint.hide()
        ok, cancel = QDialogButtonBox.StandardButton.Ok, QDialogButtonBox.StandardButton.Cancel
        buttons = QDialogButtonBox(ok | cancel, self)
        buttons.accepted.connect(self._accept)
        buttons.rejected.connect(self.reject)
        form = QFormLayout(self)
        for label, field in zip(LABELS, self._fields, strict=True):
            form.addRow(label, field)
        form.addRow(self._complaint)
        form.addRow(buttons)

    def _accept(self) -> None:
        answer = read_limits([field.text() for field in self._fields])
        if isinstance(answer, str):
            self._complaint.setText(answer)
            self._complaint.show()
        else:
            self.chosen = answer
            self.accept()
