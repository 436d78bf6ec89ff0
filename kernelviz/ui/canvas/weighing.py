"""The wheel with Shift over a point: it changes the weight of the point."""

from __future__ import annotations

from kernelviz.ui.canvas.editor import Editor, Gesture


class Weighing:
    """Changes the weight of the point under the mouse, or of all selected ones if it is one of them.

    All turns of the wheel are one step of undo until the mouse goes elsewhere or something else happens."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._rows: tuple[int, ...] = ()
        self._gesture = Gesture()
        self._turned = 0.0  # Notches that have not made a step yet.

    def turn(self, row: int, notches: float) -> None:
        """Change the weight by a step for each full notch; a touch pad turns the wheel by small parts."""
        selection = self._editor.selection
        rows = selection if row in selection else (row,)
        if rows != self._rows:
            self.end()
            self._rows = rows
        self._turned += notches
        steps = int(self._turned)
        self._turned -= steps
        if steps:
            self._editor.weigh(rows, steps, self._gesture)

    def hover(self, point: int | None) -> None:
        """End the gesture if the mouse is elsewhere."""
        if point not in self._rows:
            self.end()

    def end(self) -> None:
        """End the gesture: the next turn is another step of undo."""
        self._rows, self._gesture, self._turned = (), Gesture(), 0.0
