"""Standard streams that are closed, full or of a small alphabet: one line and the right exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kernelviz.cli import terminal
from tests.command_lines import of_python

pytestmark = pytest.mark.skipif(os.name == "nt", reason="descriptors and devices of Unix")

FULL = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the device exists on Linux only")


def shell(line: str, folder: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a line of sh in which kernelviz is this one."""
    ours = {"PYTHONPATH"}
    without = {
        k: v for k, v in os.environ.items() if k in ours or not k.startswith(("PYTHON", "LC_", "LANG"))
    }
    return subprocess.run(
        ["/bin/sh", "-c", line.replace("kernelviz ", f"{sys.executable} -m kernelviz ")],
        cwd=folder,
        env=without | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def said_in_one_line(done: subprocess.CompletedProcess[str], code: int, words: str) -> bool:
    assert (done.returncode, done.stdout) == (code, ""), done.stderr
    assert done.stderr.startswith("kernelviz: ")
    assert done.stderr.count("\n") == 1
    return words in done.stderr


@pytest.mark.parametrize("command", ["fit -", "render - -o never.png"])
def test_a_closed_standard_input_is_said_so(command: str, tmp_path: Path) -> None:
    assert said_in_one_line(shell(f"kernelviz {command} <&-", tmp_path), 2, "Standard input is closed")
    assert list(tmp_path.iterdir()) == []


def test_a_standard_input_that_cannot_be_read_is_said_so() -> None:
    assert said_in_one_line(shell("kernelviz fit - <&1"), 2, "Standard input cannot be read")


@pytest.mark.parametrize("command", ["fit three_points", "list", "--help", "--version", "render xor -o -"])
def test_a_closed_standard_output_is_a_failed_write(command: str) -> None:
    assert said_in_one_line(shell(f"kernelviz {command} >&-"), 74, "Standard output cannot be written: it is")


@FULL
@pytest.mark.parametrize(
    ("command", "unbuffered"),
    [("fit three_points", ""), ("list", ""), ("list", "1"), ("--help", ""), ("render xor -o -", "")],
)
def test_a_full_disk_is_a_failed_write(command: str, unbuffered: str) -> None:
    done = shell(f"kernelviz {command} >/dev/full", PYTHONUNBUFFERED=unbuffered)
    assert said_in_one_line(done, 74, "no space left on device")


@pytest.mark.parametrize(
    "command",
    ["fit three_points", "list kernels --json", "compare xor --fit 'rbf ; ridge' --fit 'linear ; ridge'"],
)
def test_an_answer_is_written_into_a_file_or_to_standard_output(command: str, tmp_path: Path) -> None:
    printed, written = shell(f"kernelviz {command} -o -"), shell(f"kernelviz {command} -o answer", tmp_path)
    assert (written.returncode, written.stdout, written.stderr) == (0, "", "")
    assert (tmp_path / "answer").read_text(encoding="utf-8") == printed.stdout
    assert printed.stdout != ""


def test_a_quiet_command_shows_no_progress(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with terminal.quietly(True):
        terminal.progress(1, 2)
    assert capsys.readouterr().err == ""
    terminal.progress(1, 2)
    assert "1/2" in capsys.readouterr().err


def test_a_figure_that_cannot_be_written_is_a_failed_write(tmp_path: Path) -> None:
    done = shell("kernelviz render three_points -o nowhere/figure.png", tmp_path)
    assert said_in_one_line(done, 74, "figure.png cannot be saved")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems always have a display")
def test_the_picture_instead_of_a_window_is_drawn_though_nobody_can_be_told(tmp_path: Path) -> None:
    done = shell("unset DISPLAY WAYLAND_DISPLAY QT_QPA_PLATFORM; kernelviz >&-", tmp_path)
    assert said_in_one_line(done, 74, "Standard output cannot be written")
    assert (tmp_path / "kernelviz.png").stat().st_size > 0


@pytest.mark.parametrize("where", ["2>&-", pytest.param("2>/dev/full", marks=FULL)])
def test_where_nothing_can_be_said_the_exit_code_still_is_right(where: str, tmp_path: Path) -> None:
    done = shell(f"kernelviz fit nope.csv {where}", tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "")
    done = shell(f"kernelviz list >&- {where}", tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (74, "", "")


def test_what_is_closed_does_not_become_a_file_of_the_users(tmp_path: Path) -> None:
    line = (
        "import os, kernelviz.runtime.streams as t; t.prepare_streams(); "
        "assert os.open('new', os.O_CREAT | os.O_WRONLY) > 2; os.system('echo a library speaks >&2')"
    )
    assert shell(f'{sys.executable} -c "{line}" <&- >&- 2>&-', tmp_path).returncode == 0
    assert (tmp_path / "new").read_bytes() == b""


def test_a_closed_pipe_is_silent() -> None:
    done = shell("{ kernelviz list --json; echo $? >&2; } | :")
    assert (done.stdout, done.stderr) == ("", "0\n")


ASCII = [
    {"PYTHONIOENCODING": "ascii"},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
]


@pytest.mark.parametrize("environment", ASCII, ids=["PYTHONIOENCODING", "LC_ALL"])
@pytest.mark.parametrize("command", ["list", "--help"])
def test_a_small_alphabet_spells_the_other_letters(command: str, environment: dict[str, str]) -> None:
    done = shell(f"kernelviz {command}", **environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.isascii()


@pytest.mark.parametrize("environment", ASCII, ids=["PYTHONIOENCODING", "LC_ALL"])
def test_json_is_the_same_in_every_alphabet(environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "points.csv").write_text("0,0,süß\n1,1,γ\n", encoding="utf-8")
    done = shell("kernelviz fit points.csv", tmp_path, **environment)
    assert json.loads(done.stdout)["classes"] == ["süß", "γ"]
    assert json.loads(shell("kernelviz list --json", **environment).stdout)["kernels"]


WITHOUT_A_HOME = """
import os, pwd, sys
from kernelviz.cli import main
os.environ.pop("HOME", None)
pwd.getpwuid = lambda uid: {}[uid]  # nobody is known
code = main(sys.argv[1:])
assert os.environ["HOME"].startswith(os.environ["TMPDIR"])
raise SystemExit(code)
"""


@pytest.mark.parametrize("command", [["fit", "three_points"], ["render", "three_points", "-o", "figure.svg"]])
def test_somebody_the_system_does_not_know_needs_no_home(command: list[str], tmp_path: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    code, _, err = of_python(WITHOUT_A_HOME, *command, cwd=tmp_path, env=environment)
    assert (code, err) == (0, "")


def without_a_home(folder: Path) -> tuple[int, str, str]:
    script = WITHOUT_A_HOME.replace("raise SystemExit", "print(os.environ['HOME'])\nraise SystemExit")
    return of_python(
        script.replace("assert os.environ", "os.environ"),
        "--version",
        env={**os.environ, "TMPDIR": str(folder)},
    )


@pytest.mark.parametrize("kind", ["file", "link", "open to all", "of another user"])
def test_a_folder_that_somebody_else_has_put_there_is_not_used_as_home(kind: str, tmp_path: Path) -> None:
    trap, elsewhere = tmp_path / f"kernelviz-{os.getuid()}", tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    if kind == "file":
        trap.touch()
    elif kind == "link":
        trap.symlink_to(elsewhere)
    else:
        trap.mkdir()
        trap.chmod(0o777 if kind == "open to all" else 0o700)
    if kind == "of another user":
        if os.geteuid():
            pytest.skip("only root can give folders away")
        os.chown(trap, 12345, 12345)
    code, out, err = without_a_home(tmp_path)
    assert (code, err) == (0, "")
    home = Path(out.splitlines()[-1])
    assert home.parent == tmp_path
    assert home not in (trap, elsewhere)
    assert home.stat().st_mode & 0o777 == 0o700


def test_the_folder_of_somebody_without_a_home_is_private_and_the_same_next_time(tmp_path: Path) -> None:
    first, second = (without_a_home(tmp_path)[1].splitlines()[-1] for _ in range(2))
    assert first == second
    assert Path(first).stat().st_mode & 0o777 == 0o700


def test_without_any_folder_to_write_to_a_model_is_fitted_all_the_same(tmp_path: Path) -> None:
    script = WITHOUT_A_HOME.replace(
        "os.environ.pop",
        "import tempfile\n"
        "def nowhere(): raise FileNotFoundError(2, 'No usable temporary directory')\n"
        "tempfile.gettempdir = nowhere\nos.environ.pop",
    ).replace("assert os.environ", "os.environ")
    code, _, err = of_python(script, "fit", "three_points", env={**os.environ, "TMPDIR": str(tmp_path)})
    assert (code, err) == (0, "")


@pytest.mark.parametrize("name", ["süß.csv", "数.csv"])
def test_files_with_other_letters_are_read_and_written_in_a_small_alphabet(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("0,0,a\n1,1,b\n", encoding="utf-8")
    done = shell(f"kernelviz render {name} -o {name}.svg --title {name}", tmp_path, **ASCII[1])
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.count("\n") <= 1  # Qt remarks that the locale is not UTF-8
    assert sorted(path.name for path in tmp_path.iterdir()) == [name, f"{name}.svg"]


LONG = "x" * 100_000


@pytest.mark.parametrize(
    ("table", "options"),
    [(f"0,0,{LONG}\n1,1,{LONG}\n", ""), (f"{LONG},b,c\n1,2,u\n3,4,v\n", "--columns q,r")],
    ids=["class", "column"],
)
def test_a_name_of_100000_letters_is_not_echoed_whole(table: str, options: str, tmp_path: Path) -> None:
    (tmp_path / "long.csv").write_text(table)
    done = shell(f"kernelviz fit long.csv {options}", tmp_path)
    assert said_in_one_line(done, 2, "xxx…")
    assert len(done.stderr) < 1000


def test_a_warning_of_a_library_is_at_most_one_line(tmp_path: Path) -> None:
    script = (
        "import sys, warnings\n"
        "from kernelviz.cli import program\n"
        "def speak(argv):\n"
        "    warnings.warn('numpy speaks', RuntimeWarning)\n"
        "    from kernelviz.scene.export.files import ensure_application\n"
        "    app = ensure_application()\n"
        "    from PySide6.QtCore import qWarning\n"
        "    qWarning('two\\nlines')\n"
        "    return 0\n"
        "program._run = speak\n"
        "sys.exit(program.main())\n"
    )
    assert of_python(script) == (0, "", "kernelviz: Qt: two lines\n")


def test_progress_of_short_work_is_not_shown(monkeypatch):
    shown, clock = [], iter([0.0, 0.5, 1.5, 2.0])
    monkeypatch.setattr(terminal, "perf_counter", lambda: next(clock))
    monkeypatch.setattr(terminal, "progress", lambda done, count: shown.append((done, count)))
    tell = terminal.progress_if_long()
    for share in (0.1, 0.5, 1.0):
        tell(share)
    assert shown == [(50, 100), (100, 100)]
