"""The palette: every command of the window, found by a few letters, and every expression of the command line.

Its entries come from where these things are declared. A text that is an expression for data, a kernel, an
algorithm, a fit, a parameter or a link comes first; while it cannot be read, the message says why and the
caret is at the fault."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPoint, QStringListModel, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QLineEdit, QListView, QMenu

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Declared
from kernelviz.engine.fits import registry
from kernelviz.engine.fits.expressions import BadExpression
from kernelviz.session.files.link import is_link
from kernelviz.session.typed import typed
from kernelviz.ui.insight.views import VIEWS
from kernelviz.ui.widgets.labels import MessageLabel
from kernelviz.ui.widgets.layouts import column
from kernelviz.ui.window.menus import Menus
from kernelviz.ui.window.shell import Shell


@dataclass(frozen=True, eq=False)
class PaletteEntry:
    """A line of the palette: its name, its kind, and its action."""

    title: str
    kind: str
    do: Callable[[], object]
    keys: str = ""
    also: str = ""  # Other names by which it is found.

    @property
    def text(self) -> str:
        """The line as it is listed."""
        return "  ·  ".join(filter(None, (self.title, self.kind, self.keys)))


def fits(words: list[str], entry: PaletteEntry) -> float:
    """Return a score for how well an entry fits all typed words, 0 if it does not.

    A word that begins the title is worth more than one that begins a later word of it, and that more than one
    in the middle or in another name."""
    title, rest = entry.title.casefold(), f"{entry.also} {entry.kind}".casefold()
    total = 0.0
    for word in words:
        if word == title or word in entry.also.casefold().split():
            total += 5
        elif title.startswith(word):
            total += 4
        elif f" {word}" in f" {title}".replace("(", " "):
            total += 3
        elif f" {word}" in f" {rest}":
            total += 2
        elif word in title:
            total += 1
        else:
            return 0.0
    return total - 0.001 * len(title)


class PaletteEntries:
    """Everything that the window can do now."""

    def __init__(self, window: Shell, menus: Menus, go_to_view: Callable[[str], None]) -> None:
        """go_to_view: shows an insight view."""
        self._window, self._menus, self._go_to_view = window, menus, go_to_view

    def all(self) -> list[PaletteEntry]:
        """Return all entries, in the order of the menus."""
        menus = (self._commands, self._toggles, self._choices)
        parts = (*menus, self._views, self._declared, self._lessons, self._files)
        return [entry for part in parts for entry in part()]

    def _commands(self) -> Iterator[PaletteEntry]:
        for title, menu in self._menus.by_title.items():
            for action in menu.actions():
                known = self._window.actions_by_name.keys() - {"find_anything"}
                if action.objectName() in known and action.isEnabled() and action.isVisible():
                    text = action.text().replace("&", "")
                    yield PaletteEntry(
                        text, title.replace("&", ""), action.trigger, action.shortcut().toString()
                    )

    def _toggles(self) -> Iterator[PaletteEntry]:
        for action in self._menus.toggles.values():
            if action.isVisible():
                kind = "hide" if action.isChecked() else "show"
                yield PaletteEntry(action.text().replace("&", ""), kind, action.trigger)

    def _choices(self) -> Iterator[PaletteEntry]:
        """Yield the entries of the submenus of *View*, such as themes; the insight views are listed
        separately."""
        for action in self._menus.by_title["&View"].actions():
            submenu, kind = action.menu(), action.text().replace("&", "")
            if isinstance(submenu, QMenu) and kind != "Insight":
                for choice in submenu.actions():
                    if choice.isVisible() and choice.isEnabled() and not choice.isSeparator():
                        yield PaletteEntry(choice.text().replace("&", ""), kind, choice.trigger)

    def _views(self) -> Iterator[PaletteEntry]:
        domain = self._window.session.document.data.domain
        for view in VIEWS.values():
            if domain in view.domains:
                yield PaletteEntry(
                    view.title, "insight view", partial(self._go_to_view, view.name), also=view.name
                )

    def _declared(self) -> Iterator[PaletteEntry]:
        data = self._window.session.document.data
        for name, kernel in registry.kernels().items():
            if kernel.domain in data.kernel_domains:
                yield self._of(name, kernel, "kernel")
        for name, algorithm in registry.algorithms().items():
            if data.task in algorithm.tasks:
                yield self._of(name, algorithm, "algorithm")
        for name, dataset in registry.datasets().items():
            yield self._of(name, dataset, "data")

    def _of(self, name: str, declared: type[Declared], kind: str) -> PaletteEntry:
        also = " ".join((name, *declared.other_names))
        return PaletteEntry(declared.title or name, kind, partial(do_typed, self._window, name), also=also)

    def _lessons(self) -> Iterator[PaletteEntry]:
        from kernelviz.session.lessons.lecture_reader import lectures
        from kernelviz.session.lessons.reader import title_of
        from kernelviz.session.lessons.shipped import shipped

        for kind, paths in (("lesson", shipped()), ("lecture", lectures())):
            for path in paths:
                number = path.stem.partition("-")[0].lstrip("0")
                do = partial(self._open, path)
                yield PaletteEntry(title_of(path), kind, do, also=f"{path.stem} {number}")

    def _files(self) -> Iterator[PaletteEntry]:
        for name in self._window.settings.recent:
            yield PaletteEntry(Path(name).name, "recent file", partial(self._open, Path(name)))

    def _open(self, path: Path) -> None:
        self._window.files.open_path(path)


def do_typed(window: Shell, text: str) -> None:
    """Carry out a typed line as one step of undo, or raise BadInput."""
    if is_link(text):
        window.files.open_link(text)
    else:
        name, parts = typed(text, window.session.document)
        window.session.change(name, **parts)


def do_or_complain(window: Shell, entry: PaletteEntry) -> None:
    """Carry out an entry; an error is shown on the canvas."""
    try:
        entry.do()
    except BadInput as problem:
        window.complain(str(problem))


class CommandPalette(QFrame):
    """A line to type in, and below it the entries that fit; Return takes the marked one."""

    def __init__(self, window: Shell, entries: list[PaletteEntry]) -> None:
        super().__init__(window, Qt.WindowType.Popup)
        self.setObjectName("palette")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAccessibleName("Find anything")
        self._window, self._entries, self._found = window, entries, entries
        self.line, self.list, self.message = QLineEdit(), QListView(), MessageLabel("error")
        self.line.setPlaceholderText("A command, a view, a kernel, C = 10, moons(noise=0.3), …")
        self.line.setAccessibleName("What to do")
        self._texts = QStringListModel(self)
        self.list.setModel(self._texts)
        self.list.setUniformItemSizes(True)
        self.list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.clicked.connect(self.take)
        self.line.textChanged.connect(self.search)
        self.line.returnPressed.connect(self.take)
        self.line.installEventFilter(self)
        column(self.line, self.message, (self.list, 1), on=self, spacing=6, margins=(10, 10, 10, 10))
        self.search("")

    def open(self) -> None:
        """Show it below the upper edge of the window."""
        window = self._window
        em = self.fontMetrics().height()
        width, height = min(window.width() - 40, 38 * em), min(window.height() - 120, 22 * em)
        self.resize(width, height)
        self.move(window.mapToGlobal(QPoint((window.width() - width) // 2, 60)))
        self.show()
        self.line.setFocus()

    def search(self, text: str) -> None:
        """List the results: first the text as an expression, then the entries, best fit first."""
        self.message.say("")
        words = text.casefold().split()
        scored = [(fits(words, entry), entry) for entry in self._entries]
        found = sorted((pair for pair in scored if pair[0] > 0 or not words), key=lambda pair: -pair[0])
        self._found = [*self._typed(text, exact=bool(found)), *(entry for _, entry in found)]
        self._texts.setStringList([entry.text for entry in self._found])
        self.list.setCurrentIndex(self._texts.index(0))

    def _typed(self, text: str, exact: bool) -> Iterator[PaletteEntry]:
        """Yield an entry for a text that can be read as an expression or a link. Where no other entry fits,
        the entry shows the error message. exact: another entry fits."""
        if not text.strip() or (exact and not set(text) & set("(=;*+:")):
            return
        try:
            if not is_link(text):
                typed(text, self._window.session.document)
        except BadInput as problem:
            if not exact:
                self.message.say(str(problem))
            return
        yield PaletteEntry(text.strip(), "do this", partial(do_typed, self._window, text))

    def take(self) -> None:
        """Carry out the selected entry, or move the caret to the error in the text."""
        row = self.list.currentIndex().row()
        if 0 <= row < len(self._found):
            # Not now: the event loop of a dialogue would delete the palette while its key is handled.
            QTimer.singleShot(0, self._window, partial(do_or_complain, self._window, self._found[row]))
            self.close()
        elif self.line.text().strip():
            try:
                do_typed(self._window, self.line.text())
            except BadExpression as problem:
                self.line.setCursorPosition(problem.position)
                self.message.say(str(problem))
            except BadInput as problem:
                self.message.say(str(problem))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the keys that move through a list move through this one."""
        moves = (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp)
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() in moves:
            QApplication.sendEvent(self.list, event)
            return True
        return super().eventFilter(watched, event)
