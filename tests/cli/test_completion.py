"""Completion in real shells, and the manual page in a real man."""

from __future__ import annotations

import os
import pty
import select
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from kernelviz.cli.completed import VALUES, command_line
from kernelviz.cli.program import COMMANDS
from kernelviz.engine.fits import registry
from tests.command_lines import Run

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the shells are those of Unix")


def needs(program: str) -> pytest.MarkDecorator:
    missing = shutil.which(program) is None
    return pytest.mark.skipif(missing, reason=f"{program} is not installed here")


COMPLETIONS = [
    ("re", "render"),
    ("fit moo", "moons"),
    ("fit moons --ker", "--kernel"),
    ("fit moons --kernel perio", "periodic"),
    ("fit moons --kernel=perio", "periodic"),
    ("render moons --fit power", "power_series"),
    ("render moons --views gra", "gram"),
    ("render moons --preset one", "one-column"),
    ("render moons --theme high", "high-contrast"),
    ("lesson sh", "sheet"),
    ("lesson sheet 01-", "01-no-line-does-it"),
    ("lesson sheet --paper lett", "letter"),
    ("list kern", "kernels"),
    ("fit tab", "table.csv"),
    ("render moons -o fig", "figure.png"),
    ("fit moons --columns tab", ""),
    ("list tab", ""),
]
"""The end of a line, and the one word that completes it; an empty one where nothing does."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a table and a figure."""
    (tmp_path / "table.csv").touch()
    (tmp_path / "figure.png").touch()
    return tmp_path


def script(run: Run, shell: str, folder: Path) -> Path:
    path = folder / f".{shell}"
    assert run("completion", shell, "-o", str(path)) == (0, "", "")
    return path


def sh(*line: str, folder: Path) -> str:
    done = subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_bash_completes_what_begins_a_word(run: Run, folder: Path) -> None:
    """The function is called as bash does: a value after = is a word of its own."""
    calls = [f"source {script(run, 'bash', folder)}"]
    for line, _ in COMPLETIONS:
        words = f"kernelviz {line.replace('=', ' = ')}".split()
        calls += [
            f"COMP_WORDS=({' '.join(words)}) COMP_CWORD={len(words) - 1} COMPREPLY=()",
            f'_kernelviz kernelviz {words[-1]} {words[-2]}; echo "${{COMPREPLY[*]}}"',
        ]
    found = sh("bash", "-c", "\n".join(calls), folder=folder).splitlines()
    assert dict(zip(COMPLETIONS, found, strict=True)) == {(line, word): word for line, word in COMPLETIONS}


@needs("fish")
def test_fish_completes_what_begins_a_word(run: Run, folder: Path) -> None:
    calls = [f"source {script(run, 'fish', folder)}"]
    for line, _ in COMPLETIONS:
        calls += [f"complete -C 'kernelviz {line}'; echo ."]
    found = [
        text.split("\t")[0]
        for text in sh("fish", "--no-config", "-c", "\n".join(calls), folder=folder).splitlines()
    ]
    assert " ".join(found).replace("--kernel=periodic", "periodic") == " ".join(
        f"{word} ." if word else "." for _, word in COMPLETIONS
    )


def has_terminals() -> bool:
    """Return True if a terminal can be opened; in a chroot /dev/pts may be missing."""
    try:
        ends = os.openpty()
    except OSError:
        return False
    for end in ends:
        os.close(end)
    return True


class Terminal:
    """A shell on a terminal, to which keys are typed."""

    def __init__(self, folder: Path, *line: str) -> None:
        self.pid, self.end = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execve(shutil.which(line[0]) or "", list(line), {**os.environ, "TERM": "dumb"})

    def typed(self, keys: str, until: str) -> str:
        """Type keys and return what is shown, once `until` is."""
        os.write(self.end, keys.encode())
        shown, deadline = "", time.monotonic() + 60.0
        while until not in shown and time.monotonic() < deadline:
            if select.select([self.end], [], [], 0.2)[0]:
                shown += os.read(self.end, 65536).decode(errors="replace")
        assert until in shown, shown
        return shown

    def close(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.end)


@pytest.mark.skipif(not has_terminals(), reason="no terminal can be opened here: /dev/pts is missing")
@pytest.mark.parametrize(
    ("line", "setup"),
    [
        (["bash", "--norc", "--noprofile", "-i"], "source .bash"),
        pytest.param(
            ["zsh", "-f", "-i"],
            "autoload -U compinit; compinit -u -d .zcompdump; unsetopt prompt_cr; source .zsh",
            marks=needs("zsh"),
        ),
    ],
    ids=["bash", "zsh"],
)
def test_tab_completes_on_a_terminal(run: Run, folder: Path, line: list[str], setup: str) -> None:
    script(run, line[0], folder)
    terminal = Terminal(folder, *line)
    try:
        terminal.typed(f"{setup}; echo rea''dy\n", "ready")
        for begun, word in COMPLETIONS:
            if word:
                rest = word.removeprefix(begun.replace("=", " ").split()[-1])
                terminal.typed(f"kernelviz {begun}\t", f"{begun}{rest}")
                terminal.typed("\x15echo do''ne\n", "done")  # Ctrl+U empties the line
        terminal.typed('kernelviz fit moons --kernel "perio\t', '"periodic"')
    finally:
        terminal.close()


@needs("man")
def test_the_manual_page_is_formatted_without_a_warning(run: Run, folder: Path) -> None:
    page = sh("man", "--warnings", "-l", str(script(run, "man", folder)), folder=folder)
    assert "KERNELVIZ(1)" in page
    for word in (*COMMANDS, *registry.kernels(), *registry.datasets(), "EXIT STATUS", "--standardise"):
        assert word in page


def test_every_list_of_words_belongs_to_an_argument_that_there_is() -> None:
    line = command_line()
    arguments = [a for command in line.program.walk() for a in (*command.options, *command.positionals)]
    assert {argument.words for argument in arguments} - {""} == set(line.words)
    assert set(VALUES.values()) <= set(line.words)
    assert all(line.words.values())
