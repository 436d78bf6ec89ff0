"""The kernel panel: a kernel and its parameters, sums and products of kernels, formula, Mercer's condition.

A composed kernel is edited in three ways, which always show the same: the tree with its buttons, the form of
the selected part, and the line of text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache

import numpy as np
from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QMenu,
    QSizePolicy,
    QToolButton,
    QTreeWidgetItem,
)

from kernelviz.engine.core.data import Domain, are_others
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits import registry
from kernelviz.engine.fits.parsing import Fit
from kernelviz.engine.kernels import editing
from kernelviz.engine.kernels.base import Kernel, Product, Scaled, Sum
from kernelviz.engine.kernels.editing import Path, walk
from kernelviz.runtime.messages import Failure, Verdict
from kernelviz.scene.wording import readable, shown
from kernelviz.session.state import Document
from kernelviz.ui.sidebar.expression_line import ExpressionLine
from kernelviz.ui.sidebar.formula_label import FormulaLabel
from kernelviz.ui.sidebar.hints import WidthHint
from kernelviz.ui.sidebar.panel import Panel
from kernelviz.ui.widgets.buttons import Button, ToolButton, Tree
from kernelviz.ui.widgets.labels import MessageLabel, plain
from kernelviz.ui.widgets.layouts import Section, row, soon
from kernelviz.ui.widgets.number_control import NumberControl
from kernelviz.ui.widgets.picker import grouped
from kernelviz.ui.workbench.workbench import Workbench


def described(node: Kernel) -> str:
    """Return one short line for a part of a kernel: its title and its parameters."""
    if isinstance(node, Scaled):
        return f"{shown(node.scale)} ×"
    values = []
    for parameter, value in zip(node.parameters(), node.values().values(), strict=True):
        if isinstance(value, bool):
            text = f"{'' if value else 'not '}{parameter.label.lower()}"
        else:
            text = f"{parameter.label} = {value if isinstance(value, str) else shown(value)}"
        if not (parameter.silent and value == parameter.default):
            values.append(text)
    return f"{node.title}   {', '.join(values)}" if values else node.title


class KernelTree(Tree):
    """Shows the composition of a kernel as a tree of sums, products, multiples and base kernels; emits the
    path of the part that the user selects."""

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
        self._items: dict[Path, QTreeWidgetItem] = {}
        self.currentItemChanged.connect(self._on_current)

    def show_kernel(self, kernel: Kernel, selected: Path) -> None:
        """Show a kernel with one part selected, without emitting anything."""
        nodes = dict(walk(kernel))
        with QSignalBlocker(self):
            if list(nodes) != list(self._items):
                self.clear()
                self._items = {}
                for path in nodes:  # a part comes after the one that contains it
                    above = self._items[path[:-1]] if path else self.invisibleRootItem()
                    self._items[path] = QTreeWidgetItem(above)
                self.expandAll()
                self.updateGeometry()
            for path, node in nodes.items():
                item, text = self._items[path], described(node)
                if item.text(0) != text:
                    item.setText(0, text)
                    item.setToolTip(0, plain(text))
            self.setCurrentItem(self._items[selected])

    def _on_current(self, current: QTreeWidgetItem | None) -> None:
        """Emit the path of the part that has been selected."""
        paths = [path for path, item in self._items.items() if item is current]
        if paths:
            self.selected.emit(paths[0])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ask to remove the selected part on Delete."""
        if event.key() == Qt.Key.Key_Delete:
            self.remove_asked.emit()
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        """Return a height for the lines, up to a few; more are scrolled."""
        most_lines = 9  # Of the composition, shown without scrolling.
        row = max(24, self.sizeHintForRow(0))
        rows = min(most_lines, len(self._items))
        return QSize(200, rows * row + 2 * self.frameWidth() + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())


class KernelPanel(Panel):
    """Edits the kernel. The controls above the section "Composition" edit the part selected in it.

    A kernel is a tree of sums, products and multiples of base kernels; a part of it is found by its path, the
    indices that lead to it from the top."""

    def __init__(self, workbench: Workbench) -> None:
        self._offered = kernels_for(workbench.session.document)
        super().__init__(workbench, "Kernel", self._offered)
        self._last: dict[str, Kernel] = {}
        self._kernel: Kernel = workbench.session.document.kernel
        self._path: Path = editing.first_leaf(self._kernel)
        self._wanted: Path | None = None
        self._fit: Fit | None = None  # The fit that was shown last, and the kinds of its inputs.
        self._inputs: tuple[Domain, ...] = ()
        self._late = False  # Whether the fit of the document takes long.
        self.median = Button(
            "Set width by median heuristic",
            "Choose the width from the distances between the points",
            self._on_median,
        )
        self.width_hint = WidthHint(workbench)
        self.formula = FormulaLabel()
        self.tree = KernelTree()
        self.line = ExpressionLine(lambda: workbench.session.document.data)
        self.turn = Button(do=self._on_turn)
        self.message = MessageLabel("error")
        self.verdict = MessageLabel("muted")
        self.unused = MessageLabel("warning")
        self._lay_out()
        self.line.edited.connect(lambda kernel, gesture: self._change_kernel(kernel, "edit kernel", gesture))
        self.tree.selected.connect(self._on_selected)
        self.tree.remove_asked.connect(self._on_remove)
        workbench.verdict_arrived.connect(self._on_verdict)
        workbench.failed.connect(self._on_failure)
        workbench.busy_changed.connect(self._on_busy)
        self.show_document(workbench.session.document)

    def _lay_out(self) -> None:
        """Put the controls of the selected part above the section with the composition."""
        section = self.composition = Section("Composition")
        section.body.addWidget(self.line)
        self.add = _menu_button("plus", "Add", "Add a kernel to the selected one")
        self.multiply = _menu_button("close", "Multiply", "Multiply the selected kernel by another")
        self._fill_menus()
        self.scale = ToolButton(
            "", "Scale", "Multiply the selected kernel by a number", self._on_scale, text="a ×"
        )
        self.remove = ToolButton("delete", "Remove", "Remove the selected part (Delete)", self._on_remove)
        section.body.addLayout(row(self.add, self.multiply, self.scale, self.remove, (None, 1), spacing=2))
        section.body.addWidget(self.tree)
        above = (self.unused, self.picker, self.summary, self.form, self.width_hint, self.median, self.turn)
        self.lay_out(*above, self.formula, self.message, self.verdict, section)

    def _fill_menus(self) -> None:
        """List the kernels on offer in the menus of *Add* and *Multiply*."""
        for button, act in ((self.add, editing.added), (self.multiply, editing.multiplied)):
            button.menu().clear()
            for kinds in grouped(self._offered).values():
                button.menu().addSeparator()
                for kind in kinds:
                    entry = button.menu().addAction(kind.title)
                    entry.setToolTip(kind.summary_line)
                    entry.triggered.connect(lambda _=False, act=act, name=kind.name: self._combine(act, name))

    def hide_controls(self, names: frozenset[str]) -> None:
        self.composition.setHidden(bool(names))
        self.width_hint.allow(not names)
        super().hide_controls(names)
        self._show()

    # Showing ------------------------------------------------------------------------------------------
    def show_document(self, document: Document) -> None:
        """Show the kernel of a document, with the part selected that was edited last."""
        self.message.say("")
        self._remove_other_verdict()
        fit, inputs = document.fit, document.data.kernel_domains
        if fit is self._fit and inputs == self._inputs:  # as while points are dragged
            return
        self._fit, self._inputs = fit, inputs
        if (offered := kernels_for(document)) != self._offered:
            self._offered = offered
            self.picker.offer(offered)
            self._fill_menus()
        algorithm = document.algorithm
        self.unused.say("" if algorithm.uses_kernel else f"{algorithm.title}: no kernel is used.")
        if document.kernel is self._kernel and self.form.current is not None:
            return
        grown = bool(document.kernel.parts) and not self._kernel.parts
        self._kernel = document.kernel
        self._path = self._next_path(grown)
        self._show()

    def _next_path(self, grown: bool) -> Path:
        """Return the part to select: the one an edit requests, else the one selected before, else the first
        base kernel."""
        wanted, self._wanted = self._wanted, None
        if wanted is not None and editing.at(self._kernel, wanted) is not None:
            return wanted
        lost = editing.at(self._kernel, self._path) is None
        return editing.first_leaf(self._kernel) if lost or grown else self._path

    @property
    def headline(self) -> str:
        """The kernel in a few words."""
        if self.unused.sentence:
            return "No kernel is used"
        whole = bool(self._kernel.parts) and not self.form.hidden
        return readable(self._kernel) if whole else super().headline

    @property
    def main(self) -> NumberControl | None:
        """The control of the main parameter of the selected part."""
        return None if self.unused.sentence else super().main

    @property
    def selected(self) -> Kernel:
        """The part of the kernel that the form edits."""
        node = editing.at(self._kernel, self._path)
        assert node is not None
        return node

    def _show(self) -> None:
        """Show the whole kernel, and the selected part in the controls."""
        kernel, node = self._kernel, self.selected
        if node.name:
            self._last[node.name] = node
        self.show_chosen(node)
        self.line.show_kernel(kernel)
        self.tree.show_kernel(kernel, self._path)
        self.tree.setVisible(bool(kernel.parts))
        self.remove.setEnabled(editing.removed(kernel, self._path) is not kernel)
        self.scale.setEnabled(not isinstance(node, Scaled))
        self.turn.setVisible(isinstance(node, Sum | Product))
        self.turn.setText(f"Turn into a {'product' if isinstance(node, Sum) else 'sum'}")
        latex = kernel.latex_with_values() if kernel.parts else kernel.latex
        self.formula.set_latex(f"{kernel.latex_name} = \\allowbreak {latex}", f"K = {kernel}")
        base_kinds: set[type] = {type(part) for _, part in walk(node) if not part.parts}
        self.median.setVisible(not self.form.hidden and any(_has_width(kind) for kind in base_kinds))

    def _on_failure(self, failure: Failure) -> None:
        """Remove a verdict on points that could not be fitted."""
        self.verdict.say("")

    def _on_busy(self, busy: bool) -> None:
        """Note whether the worker is late."""
        self._late = busy
        self._remove_other_verdict()

    def _remove_other_verdict(self) -> None:
        """Remove a verdict on other points while the worker is late with these."""
        last, data = self.workbench.verdict, self.workbench.session.document.data
        if self._late and (last is None or are_others(data, last.request.data)):
            self.verdict.say("")

    def _on_verdict(self, verdict: Verdict) -> None:
        """Show whether the kernel is positive semi-definite on the points."""
        document = self.workbench.session.document
        if verdict.request.kernel is document.kernel and verdict.request.data is document.data:
            mercer = verdict.mercer
            self.verdict.say(mercer.verdict, "muted" if mercer.holds else "warning")

    # Changing -----------------------------------------------------------------------------------------
    def _change_kernel(
        self, kernel: Kernel, undo_name: str, gesture: object = None, select: object = None
    ) -> None:
        """Change the session's kernel. select: the part to select next, as an object or a path."""
        if isinstance(select, Kernel):
            select = editing.path_of(kernel, select)
        self._wanted = select if isinstance(select, tuple) else self._wanted
        grows = len([*walk(kernel)]) > len([*walk(self._kernel)])
        self.workbench.session.change(undo_name, gesture=gesture, kernel=kernel)
        if grows and not self.line.line.hasFocus():
            soon(self.tree, self._show_tree)  # once it is laid out, with what has been added

    def _show_tree(self) -> None:
        self.ensureWidgetVisible(self.tree, 0, 12)

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        """Show why a change inside is not possible."""
        try:
            yield
        except BadInput as problem:
            self.message.say(str(problem))

    def on_picked(self, name: str) -> None:
        """Put another kernel in place of the selected part."""
        if name == self.selected.name:
            return
        new = self._last.get(name) or registry.kernels()[name]()
        with self._refusals():
            kernel = editing.replaced(self._kernel, self._path, new)
            self._change_kernel(kernel, "choose kernel", select=new)

    def on_edited(self, node: Kernel, gesture: object, undo_name: str) -> None:
        """Change the parameters of the selected part."""
        kernel = editing.replaced(self._kernel, self._path, node)
        self._change_kernel(kernel, undo_name, gesture, select=node)

    def _on_selected(self, path: Path) -> None:
        """Show the form of another part."""
        self._path = path
        self._show()
        self.changed.emit()

    def _on_median(self) -> None:
        """Set the width of the selected part by the median heuristic."""
        data = self.workbench.session.document.data
        if not data.n:
            return
        with self._refusals():
            node = self.selected.scaled_to(data.numbers if self.selected.domain == "vectors" else data.X)
            if node != self.selected:
                kernel = editing.replaced(self._kernel, self._path, node)
                self._change_kernel(kernel, "set width by median heuristic", select=self._path)

    def _combine(self, act: Callable[[Kernel, Path, Kernel], Kernel], name: str) -> None:
        """Add a kernel to the selected part, or multiply the part by it."""
        new = registry.kernels()[name]()
        what = "add kernel" if act is editing.added else "multiply kernel"
        with self._refusals():
            self._change_kernel(act(self._kernel, self._path, new), what, select=new)

    def _on_scale(self) -> None:
        """Put a number in front of the selected part, and select it."""
        with self._refusals():
            kernel = editing.multiplied(self._kernel, self._path, 1.0)
            # The number stands in front of the node, or of the product the node is a factor of.
            upwards = (self._path[:k] for k in range(len(self._path), -1, -1))
            number = next(p for p in upwards if isinstance(editing.at(kernel, p), Scaled))
            self._change_kernel(kernel, "scale kernel", select=number)

    def _on_turn(self) -> None:
        """Turn a sum into a product, or the other way round."""
        with self._refusals():
            kernel = editing.turned(self._kernel, self._path)
            self._change_kernel(kernel, "swap sum and product", select=self._path)

    def _on_remove(self) -> None:
        """Remove the selected part from the kernel."""
        kernel = editing.removed(self._kernel, self._path)
        if kernel is not self._kernel:
            self._change_kernel(kernel, "remove kernel", select=editing.first_leaf(kernel))


def kernels_for(document: Document) -> list[type[Kernel]]:
    """Return the kernels for the inputs that the algorithm takes, and those in use whether it takes them or
    not."""
    in_use = {type(part) for _, part in walk(document.kernel)}
    takes_weights = document.algorithm.takes_weights
    return [
        kind
        for kind in registry.kernels().values()
        if kind.domain in document.data.kernel_domains
        if takes_weights or not kind.weights_only or kind in in_use
    ]


@cache
def _has_width(kind: type[Kernel]) -> bool:
    """Return True if the median heuristic changes a base kernel, tried on three points."""
    if kind.domain != "vectors":
        return False
    points = np.array([[0.0, 0.0], [1.0, 0.5], [0.3, 2.0]])
    return kind().scaled_to(points) != kind().scaled_to(10 * points)


def _menu_button(picture: str, name: str, help: str) -> QToolButton:
    """Return a button that opens a menu, which is still empty."""
    button = ToolButton(picture, name, help, text=name)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    menu = QMenu(button)
    menu.setToolTipsVisible(True)
    button.setMenu(menu)
    return button
