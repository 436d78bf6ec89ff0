"""The composition of a kernel as a tree: sums, products, multiples and base kernels."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidgetItem

from kernelviz.engine.core.params import Parameter
from kernelviz.engine.kernels.base import Kernel, Scaled
from kernelviz.engine.kernels.editing import Path, walk
from kernelviz.scene.wording import shown
from kernelviz.ui.widgets.buttons import Tree
from kernelviz.ui.widgets.labels import plain

MOST_LINES = 9  # Shown without scrolling.
PATH = Qt.ItemDataRole.UserRole


def described(node: Kernel) -> str:
    """Return one short line for a part of a kernel: its title and its parameters."""
    if isinstance(node, Scaled):
        return f"{shown(node.scale)} ×"
    values = [
        _with_value(p, value)
        for p, value in zip(node.parameters(), node.values().values(), strict=True)
        if not (p.silent and value == p.default)
    ]
    return f"{node.title}   {', '.join(values)}" if values else node.title


def _with_value(parameter: Parameter, value: Any) -> str:
    if isinstance(value, bool):
        return f"{'' if value else 'not '}{parameter.label.lower()}"
    return f"{parameter.label} = {value if isinstance(value, str) else shown(value)}"


class KernelTree(Tree):
    """Shows the parts of a kernel; emits the path of the one the user selects."""

    selected = Signal(object)
    remove_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Parts of the kernel")
        self.setHeaderHidden(True)
        self.setColumnCount(1)
        self.setIndentation(16)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setUniformRowHeights(True)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.header().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self._shape: list[Path] = []
        self._items: dict[Path, QTreeWidgetItem] = {}
        self._quiet = False
        self.currentItemChanged.connect(self._on_current)

    def show_kernel(self, kernel: Kernel, selected: Path) -> None:
        """Show a kernel with one part selected, without emitting anything."""
        self._quiet = True
        nodes = list(walk(kernel))
        if [path for path, _ in nodes] != self._shape:
            self._rebuild([path for path, _ in nodes])
        for path, node in nodes:
            item = self._items[path]
            text = described(node)
            if item.text(0) != text:
                item.setText(0, text)
                item.setToolTip(0, plain(text))
        self.setCurrentItem(self._items[selected])
        self._quiet = False

    def _rebuild(self, shape: list[Path]) -> None:
        self.clear()
        self._shape, self._items = shape, {}
        for path in shape:
            parent = self._items[path[:-1]] if path else self.invisibleRootItem()
            item = QTreeWidgetItem(parent)
            item.setData(0, PATH, path)
            self._items[path] = item
        self.expandAll()
        self.updateGeometry()

    def _on_current(self, current: QTreeWidgetItem | None, _: object) -> None:
        if current is not None and not self._quiet:
            self.selected.emit(tuple(current.data(0, PATH)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete:
            self.remove_asked.emit()
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        row = max(24, self.sizeHintForRow(0))
        rows = min(MOST_LINES, len(self._shape))
        return QSize(200, rows * row + 2 * self.frameWidth() + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())
