"""The command line, mostly in this process; a few times through the installed entry point."""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import subprocess
import sys
import types
from pathlib import Path

import numpy as np
import pytest

import kernelviz
from kernelviz.cli.list import KINDS
from kernelviz.cli.render import known_toggles
from kernelviz.engine.numbers.bounds import BOUNDS
from kernelviz.engine.numbers.of_fit import NAMES
from tests.command_lines import Run, of_python, refused
from tests.elsewhere import exists, pids_in
from tests.patience import wait_until


def test_fit_prints_the_model_that_the_library_fits(run: Run) -> None:
    code, out, err = run(
        "fit", "rings(n=40, seed=1)", "--kernel", "rbf(gamma=2)", "--algorithm", "soft-margin-svm(C=5)"
    )
    model = kernelviz.fit(
        kernelviz.dataset("rings(n=40, seed=1)"), kernel="rbf(gamma=2)", algorithm="soft-margin-svm(C=5)"
    )
    assert (code, err) == (0, "")
    printed = json.loads(out)
    assert printed["kernel"] == "rbf(gamma=2)"
    assert printed["algorithm"] == "soft-margin-svm(C=5)"
    assert printed["n"] == 40
    assert printed["alpha"] == pytest.approx(model.alpha)
    assert printed["beta"] == pytest.approx(model.beta)
    assert printed["b"] == pytest.approx(model.b)
    assert printed["support"] == model.support.tolist()
    assert printed["converged"] is True
    assert tuple(printed["summary"]) == (*NAMES, *BOUNDS, "roc_area")


OF_THE_MODEL = "kernel algorithm n alpha beta b support converged message summary"
OF_EVERY_FIT = """training_error hinge_loss margin margin_width norm radius primal_objective dual_objective
    duality_gap kkt_violation support_vectors free bounded iterations"""
OF_BOUNDS = """bound_separation bound_separation_needs bound_compression bound_compression_needs slack_ratio
    mistakes mistake_bound"""
OF_REGRESSION = "mean_squared_error mean_absolute_error epsilon_loss r2 log_marginal_likelihood"
OF_HELD_OUT = "test_error test_hinge_loss test_mean_squared_error"


@pytest.mark.parametrize(
    ("source", "names"), [("rings(n=40, seed=1)", OF_BOUNDS), ("sine(n=30)", OF_REGRESSION)]
)
def test_scripts_find_the_numbers_by_the_names_they_were_promised(run: Run, source: str, names: str) -> None:
    told = json.loads(run("fit", source, "--test", "0.3")[1])
    assert told.keys() >= set(OF_THE_MODEL.split())
    promised = f"{OF_EVERY_FIT} {names} {OF_HELD_OUT}".split()
    assert told["summary"].keys() >= set(promised)
    assert {name for name in told["summary"] if "bound" in name and name not in promised} == set()


def test_without_options_the_defaults_of_the_library_are_used(run: Run) -> None:
    printed = json.loads(run("fit", "rings(n=30)")[1])
    model = kernelviz.fit(kernelviz.dataset("rings(n=30)"))
    assert printed["kernel"] == str(model.problem.kernel)
    assert printed["algorithm"] == str(model.algorithm)


def test_a_fit_can_be_given_as_one_and_several_make_a_list(run: Run) -> None:
    apart = run("fit", "rings(n=30)", "--kernel", "linear", "--algorithm", "ridge(lam=2)")[1]
    assert run("fit", "rings(n=30)", "--fit", "linear ; ridge(lam=2)")[1] == apart
    code, out, _ = run("fit", "rings(n=30)", "--fit", "linear ; ridge(lam=2)", "--fit", "rbf ; prototype")
    first, second = json.loads(out)["fits"]
    assert (code, first) == (0, json.loads(apart))
    assert (second["kernel"], second["algorithm"]) == ("rbf(gamma=1)", "prototype")


def test_a_share_or_other_data_can_be_held_out_to_test_on(run: Run, tmp_path: Path) -> None:
    shared = json.loads(run("fit", "moons(n=100, noise=0.3)", "--test", "0.3")[1])
    assert shared["n"] == 70
    fresh = json.loads(run("fit", "moons(n=100, noise=0.3)", "--test", "moons(n=1000, noise=0.3, seed=2)")[1])
    assert fresh["n"] == 100
    model = kernelviz.fit(kernelviz.dataset("moons(n=100, noise=0.3)"))
    test = kernelviz.dataset("moons(n=1000, noise=0.3, seed=2)")
    assert fresh["summary"]["test_error"] == np.mean(model.predict(test.X) != test.z)
    assert fresh["summary"]["test_hinge_loss"] == np.maximum(0, 1 - test.z * model.score(test.X)).mean()
    assert "test_error" not in json.loads(run("fit", "moons")[1])["summary"]
    table = tmp_path / "test.csv"
    table.write_text("a,b,label\n0,0,+\n1,1,-\n")
    assert json.loads(run("fit", "moons", "--test", str(table))[1])["summary"]["test_error"] in (0, 0.5, 1)


def test_held_out_points_are_scaled_as_those_fitted_are(run: Run) -> None:
    near = json.loads(run("fit", "moons", "--standardise", "--test", "moons(seed=1)")[1])["summary"]
    assert near["test_error"] < 0.1


@pytest.mark.parametrize("on", ["1.5", "nan", "nothing", "blobs", "iris", "missing.csv"])
def test_what_cannot_be_tested_on_is_said_in_a_line(run: Run, on: str) -> None:
    refused(run("fit", "moons", "--test", on))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--fit", "rbf"], "kernel and an algorithm"),
        (["--fit", "; ridge"], "kernel and an algorithm"),
        (["--fit", "rbf ; ridge", "--kernel", "linear"], "either --fit, or --kernel"),
        (5 * ["--fit", "rbf ; ridge"], "room for 4 fits"),
    ],
)
def test_a_fit_that_makes_no_sense_is_said(run: Run, options: list[str], sentence: str) -> None:
    assert sentence in refused(run("fit", "rings(n=30)", *options))


def test_dash_and_underscore_are_the_same(run: Run) -> None:
    assert run("fit", "xor-line", "--algorithm", "soft_margin_svm(C=1)")[0] == 0


def test_not_separable_is_an_honest_result_with_its_own_exit_code(run: Run) -> None:
    code, out, err = run("fit", "just_not_separable", "--kernel", "linear", "--algorithm", "hard-margin-svm")
    assert (code, err) == (3, "")
    printed = json.loads(out)
    assert printed["converged"] is False
    assert "separable" in printed["message"]


def test_a_perceptron_that_never_ends_is_stopped_and_says_so(run: Run) -> None:
    code, out, _ = run(
        "fit", "just_not_separable", "--kernel", "linear", "--algorithm", "perceptron(sweeps=5)"
    )
    assert code == 3
    assert json.loads(out)["converged"] is False


def test_columns_of_a_file_are_chosen_by_name_or_number(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text("id,a,b,c,label\n1,0,0,9,no\n2,1,1,9,yes\n3,2,2,9,yes\n4,-1,-1,9,no\n")
    named = run("fit", str(path), "--columns", "a,b,label")
    numbered = run("fit", str(path), "--columns", "2,3,5")
    assert named == numbered
    assert json.loads(named[1])["classes"] == ["no", "yes"]
    assert "--columns" in refused(run("fit", str(path)))


def test_standardising_happens_only_when_asked_and_is_said(run: Run) -> None:
    plain = json.loads(run("fit", "iris")[1])
    scaled = json.loads(run("fit", "iris", "--standardise")[1])
    assert "variance" not in plain["message"]
    assert "mean 0 and variance 1" in scaled["message"]
    assert plain["beta"] != scaled["beta"]


def test_a_large_file_is_thinned_out_for_exact_solvers_and_it_is_said(run: Run, tmp_path: Path) -> None:
    x = np.linspace(-1, 1, 6000)
    np.savetxt(tmp_path / "large.csv", np.column_stack([x, x**2, x > 0]), delimiter=",")
    printed = json.loads(run("fit", str(tmp_path / "large.csv"), "--algorithm", "prototype")[1])
    assert printed["n"] == 5000
    assert "5,000 of 6,000 rows" in printed["message"]
    whole = run("fit", str(tmp_path / "large.csv"), "--algorithm", "random-features(q=5, model=ridge)")
    assert json.loads(whole[1])["n"] == 6000


@pytest.mark.parametrize("kind", KINDS)
def test_list_names_everything_as_text_and_as_json(kind: str, run: Run) -> None:
    code, text, err = run("list", kind)
    assert (code, err) == (0, "")
    entries = json.loads(run("list", kind, "--json")[1])[kind]
    assert all(entry["name"] in text for entry in entries)
    assert all(p["name"] in text for entry in entries for p in entry.get("parameters", []))


def test_the_lessons_are_listed_in_the_order_in_which_they_are_taught(run: Run) -> None:
    names = [lesson["name"] for lesson in json.loads(run("list", "lessons", "--json")[1])["lessons"]]
    assert names == sorted(names)
    lines = run("list", "lessons")[1].splitlines()
    assert lines[0] == "lessons:"
    assert [line.split()[0] for line in lines[1:]] == names


def test_a_word_that_is_no_file_gets_the_nearest_command_as_advice(run: Run) -> None:
    code, _, err = run("rendr")
    assert code == 2
    assert err.startswith("kernelviz: There is no file or command called 'rendr'.")
    assert "render" in err


def test_a_misspelt_command_is_named_before_its_arguments(run: Run) -> None:
    sentence = "kernelviz: There is no file or command called 'fitt'. Did you mean fit?\n"
    assert run("fitt", "moons") == (2, "", sentence)
    assert run("fitt", "moons", "--kernel", "rbf") == (2, "", sentence)


def test_help_is_a_command_too(run: Run) -> None:
    assert run("help") == run("--help")
    assert run("help", "help") == run("--help")
    assert run("help", "fit") == run("fit", "--help")
    assert "Did you mean fit?" in run("help", "fitt")[2]


def test_list_names_what_views_show_and_hide_take(run: Run) -> None:
    views = json.loads(run("list", "views", "--json")[1])["views"]
    response = next(view for view in views if view["name"] == "response")
    face = next(parameter for parameter in response["parameters"] if parameter["name"] == "face")
    assert "three widths" in face["options"]
    assert "three_widths" in run("list", "views")[1]
    layers = [layer["name"] for layer in json.loads(run("list", "layers", "--json")[1])["layers"]]
    assert {"slack", "truth", "labels"} <= set(layers)
    assert known_toggles(", ".join(layers)) == tuple(layers)


def test_list_alone_lists_all_kinds(run: Run) -> None:
    assert tuple(json.loads(run("list", "--json")[1])) == KINDS
    assert "soft-margin-svm" in run("list")[1]


def test_version_and_help(run: Run) -> None:
    assert run("--version") == (0, f"kernelviz {kernelviz.__version__}\n", "")
    code, out, _ = run("--help")
    assert code == 0
    assert "fit" in out
    assert "list" in out
    assert "--columns" in run("fit", "--help")[1]


@pytest.mark.parametrize(
    "argv",
    [
        ["fit"],
        ["fit", "rings", "moons"],
        ["fit", "rings", "--kernl", "linear"],
        ["fit", "rings", "--kernel"],
        ["fit", "rings", "--kernel", ""],
        ["fit", "rings", "--kernel", "rbf(gamma=-1)"],
        ["fit", "rings", "--kernel", "rbf(gamma=nan)"],
        ["fit", "rings", "--kernel", "__import__('os')"],
        ["fit", "rings", "--algorithm", "soft-margin(C=1)"],
        ["fit", "rings", "--algorithm", "soft-margin-svm(C=0)"],
        ["fit", "rings", "--columns", "1,2,3"],
        ["fit", "ringz"],
        ["fit", "rings(n=0)"],
        ["fit", "missing.csv"],
        ["fit", "."],
        ["list", "colours"],
        ["list", "--jsn"],
        ["fti"],
        ["--frobnicate"],
        ["no such file.csv"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_one_line_on_stderr_and_exit_code_2(argv: list[str], run: Run) -> None:
    refused(run(*argv))


def test_the_window_opens_on_the_file_it_is_given(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    opened: list[str | None] = []
    monkeypatch.setattr("kernelviz.scene.qt_check.has_display", lambda: True)
    app = types.ModuleType("kernelviz.ui.app")
    app.main = lambda file=None: opened.append(file) or 0  # type: ignore[attr-defined, func-returns-value]
    monkeypatch.setitem(sys.modules, "kernelviz.ui.app", app)
    path = tmp_path / "points.csv"
    path.write_text("1,2,+\n3,4,-\n")
    assert run()[0] == 0
    assert run(str(path))[0] == 0
    assert opened == [None, str(path)]


def test_too_little_memory_is_a_sentence(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("kernelviz.session.sources.open_source", exhausted)
    assert "not enough memory" in refused(run("fit", "rings"))


def test_points_come_through_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"0,0,-\n1,1,+\n")))
    assert json.loads(run("fit", "-", "--kernel", "linear")[1])["n"] == 2


# Through the entry point ----------------------------------------------------------------------------------

ENTRY = [shutil.which("kernelviz", path=str(Path(sys.executable).parent)) or "kernelviz"]
MODULE = [sys.executable, "-m", "kernelviz"]


@pytest.mark.parametrize("command", [ENTRY, MODULE], ids=["kernelviz", "python -m kernelviz"])
def test_the_installed_command_fits(command: list[str]) -> None:
    done = subprocess.run([*command, "fit", "three_points"], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stderr == ""
    assert json.loads(done.stdout)["n"] == 3


def test_the_installed_command_complains_in_one_line() -> None:
    done = subprocess.run([*ENTRY, "fit", "nope.csv"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == "kernelviz: nope.csv cannot be read: no such file or directory.\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["fit", "zz\x1b[31m\x07.csv"], r"zz\x1b[31m\x07.csv cannot be read: no such file or directory."),
        (["fit", "moons", "--\x9b2J"], r"unrecognized arguments: --\x9b2J (see kernelviz fit --help)"),
        (["fit", "\u202evsc.é"], r"\u202evsc.é cannot be read: no such file or directory."),
    ],
    ids=["data", "option", "direction of writing"],
)
def test_control_characters_of_a_name_do_not_reach_the_terminal(
    arguments: list[str], sentence: str, run: Run
) -> None:
    code, _, err = run(*arguments)
    assert code != 0
    assert err == f"kernelviz: {sentence}\n"


@pytest.mark.skipif(os.name == "nt", reason="pipes end differently on Windows")
def test_a_reader_that_has_seen_enough_causes_no_noise() -> None:
    with subprocess.Popen(
        [*ENTRY, "list", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.close()
        assert child.stderr.read() == b""
    assert child.returncode == 0


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for children")
@pytest.mark.usefixtures("sigint_as_in_a_terminal")
def test_ctrl_c_causes_no_noise() -> None:
    with subprocess.Popen(
        [*ENTRY, "fit", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdin is not None
        assert child.stderr is not None
        child.stdin.write(b"0,0,+\n" * 50_000)  # more than a pipe holds: once it is written it is being read
        child.send_signal(signal.SIGINT)
        assert child.stderr.read() == b""
    assert child.returncode == 130


@pytest.mark.skipif(os.name == "nt", reason="Windows cannot stop a process")
def test_a_stopped_process_does_not_outlive_a_program_that_is_left(tmp_path: Path) -> None:
    script = (
        "import sys, threading\n"
        "from pathlib import Path\n"
        "from kernelviz.cli.terminal import leave\n"
        "from kernelviz.runtime.processes import spread\n"
        "from tests import elsewhere\n"
        "from tests.patience import wait_until\n"
        f"folder = Path({str(tmp_path)!r})\n"
        "work = lambda: list(spread(elsewhere.stay_stopped, [folder], workers=1))\n"
        "threading.Thread(target=work, name='kernelviz-work', daemon=True).start()\n"
        "wait_until(lambda: elsewhere.pids_in(folder))\n"
        "leave(130)\n"
    )
    assert of_python(script) == (130, "", "")
    (pid,) = pids_in(tmp_path)
    status = Path(f"/proc/{pid}/status")
    wait_until(lambda: not exists(pid) or "zombie" in status.read_text())  # which nobody may collect


@pytest.mark.skipif(os.name == "nt", reason="Windows cannot stop a process")
def test_a_stopped_process_does_not_outlive_a_program_that_is_terminated(tmp_path: Path) -> None:
    script = (
        "import signal, sys\n"
        "from pathlib import Path\n"
        "from kernelviz.cli import fit, program\n"
        "from kernelviz.runtime.processes import spread\n"
        "from tests import elsewhere\n"
        f"folder = Path({str(tmp_path)!r})\n"
        "def beat():\n"
        "    if elsewhere.pids_in(folder):\n"
        "        signal.raise_signal(signal.SIGTERM)\n"
        "fit.run = lambda _: list(spread(elsewhere.stay_stopped, [folder], workers=1, beat=beat))\n"
        "sys.argv = ['kernelviz', 'fit', 'rings(n=20)']\n"
        "program.main()\n"
    )
    assert of_python(script) == (-signal.SIGTERM, "", "")
    (pid,) = pids_in(tmp_path)
    status = Path(f"/proc/{pid}/status")
    wait_until(lambda: not exists(pid) or "zombie" in status.read_text())  # which nobody may collect


def test_work_that_ctrl_c_abandons_is_not_torn_down_while_it_goes_on() -> None:
    """A factorisation crashes when its library ends before it does, and the program with it."""
    script = (
        "import atexit, signal, sys, threading\n"
        "from kernelviz.cli import program\n"
        "from kernelviz.engine.fits import solve\n"
        "def work(*_, **__):\n"
        "    signal.raise_signal(signal.SIGINT)\n"
        "    threading.Event().wait()\n"
        "solve.fit_data = work\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "atexit.register(print, 'the libraries end')\n"
        "sys.argv = ['kernelviz', 'fit', 'rings(n=20)']\n"
        "sys.exit(program.main())\n"
    )
    assert of_python(script) == (130, "", "")


@pytest.mark.parametrize(
    "then",
    [
        "except KeyboardInterrupt: raise ImportError('numpy._core.umath failed to import') from None",
        "finally: os.write(2, b'Painter ended with 2 saved states')",
    ],
    ids=["an import makes an error of its own of it", "a library complains"],
)
def test_ctrl_c_is_ctrl_c_whatever_a_library_makes_of_it(then: str) -> None:
    script = (
        "import os, signal, sys\n"
        "from kernelviz.cli import program\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "def interrupted(argv):\n"
        "    try: signal.raise_signal(signal.SIGINT)\n"
        f"    {then}\n"
        "program._run = interrupted\n"
        "sys.exit(program.main())\n"
    )
    assert of_python(script) == (130, "", "")


def test_importing_the_library_sets_no_threads_and_loads_no_qt_nor_scipy() -> None:
    script = (
        "import os, sys; before = dict(os.environ); import kernelviz\n"
        "assert dict(os.environ) == before\n"
        "bad = [m for m in sys.modules if m.startswith(('PySide6', 'scipy', 'pyqtgraph'))]\n"
        "assert not bad, bad\n"
        "import kernelviz.cli; kernelviz.cli.main(['list', 'kernels'])\n"
        "assert os.environ['OPENBLAS_NUM_THREADS'] == '1'\n"
        "assert not [m for m in sys.modules if m.startswith('PySide6')]\n"
    )
    environment = {k: v for k, v in os.environ.items() if not k.endswith("_NUM_THREADS")}
    code, _, err = of_python(script, env=environment)
    assert (code, err) == (0, "")


def test_little_is_loaded_before_ctrl_c_ends_the_program_without_a_traceback() -> None:
    """Until `main` is called Python itself handles Ctrl+C."""
    script = (
        "import sys; before = set(sys.modules); import kernelviz.cli\n"
        "new = set(sys.modules) - before\n"
        "assert 'typing' not in new\n"
        "assert {name for name in new if 'kernelviz' in name} == {'kernelviz', 'kernelviz.cli'}\n"
    )
    assert of_python(script) == (0, "", "")


@pytest.mark.parametrize("value", ["-1*rbf", "-rbf", "-0.5*linear + rbf"])
@pytest.mark.parametrize("command", [("fit",), ("render", "-o", "never.png")], ids=["fit", "render"])
def test_a_negative_kernel_is_refused_as_one_and_not_taken_for_an_option(
    run: Run, command: tuple[str, ...], value: str
) -> None:
    assert "A kernel may be scaled by zero or a positive number only, not by" in refused(
        run(*command, "rings(n=20)", "--kernel", value)
    )


@pytest.mark.parametrize("argv", [("--kernel", "--algorithm", "ridge"), ("--kernel",), ("--kernel", "-h")])
def test_an_option_without_its_value_is_still_told(run: Run, argv: tuple[str, ...]) -> None:
    assert "--kernel: expected one argument" in refused(run("fit", "rings(n=20)", *argv))


def test_a_kernel_in_the_place_of_the_source_is_said_to_be_one(run: Run) -> None:
    assert "neither a file nor a data set called 'rbf'. That is the name of a kernel." in refused(
        run("fit", "rbf")
    )


INTERRUPTED_WHILE_LOADING = """
import importlib.abc, os, signal, sys

class Interrupting(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "kernelviz.cli.program":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
from kernelviz.cli import main
main()
"""


@pytest.mark.usefixtures("sigint_as_in_a_terminal")
def test_ctrl_c_while_the_program_is_loaded_ends_it_without_a_traceback() -> None:
    code, out, err = of_python(INTERRUPTED_WHILE_LOADING, "--version")
    assert (code, out, err) == (-signal.SIGINT, "", "")


INTERRUPTED_WHILE_QT_IS_LOADED = """
import importlib.abc, os, signal, sys
number = signal.Signals[sys.argv.pop()]
signal.signal(number, signal.SIG_DFL)

def interrupt(frame, event, _):
    if event == "call" and frame.f_code.co_filename.endswith("signature_bootstrap.py"):
        sys.setprofile(None)
        os.kill(os.getpid(), number)

class Interrupting(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "shiboken6.Shiboken":  # its C code runs that Python code
            sys.setprofile(interrupt)

sys.meta_path.insert(0, Interrupting())
from kernelviz.cli import main
sys.exit(main())
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", -15), ("SIGHUP", -1)])
def test_a_signal_while_qt_is_loaded_ends_the_program_without_a_crash(
    name: str, code: int, tmp_path: Path
) -> None:
    """PySide calls abort() if an exception is raised in the Python code that it runs while it is imported."""
    figure = tmp_path / "figure.png"
    argv = ("render", "moons(n=10)", "-o", str(figure), name)
    assert of_python(INTERRUPTED_WHILE_QT_IS_LOADED, *argv) == (code, "", "")
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
@pytest.mark.parametrize("second", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_second_signal_does_not_keep_the_program_from_removing_a_half_written_file(
    second: str, tmp_path: Path
) -> None:
    script = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from kernelviz.cli import program\n"
        "from kernelviz.session.files.atomic import replacing\n"
        "unlink = Path.unlink\n"
        "def interrupted(path):\n"
        f"    os.kill(os.getpid(), signal.{second})\n"
        "    unlink(path)\n"
        "Path.unlink = interrupted\n"
        "def run(argv):\n"
        f"    with replacing({str(tmp_path / 'a')!r}) as file:\n"
        "        file.write(b'half')\n"
        "        os.kill(os.getpid(), signal.SIGTERM)\n"
        "program._run = run\n"
        "program.main()\n"
    )
    assert of_python(script) == (-signal.SIGTERM, "", "")
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not remove a folder in use")
@pytest.mark.parametrize(
    ("argv", "code"),
    [
        ((), 74),
        (("render", "moons(n=10)", "rings(n=10)", "-o", "{name}.png"), 74),
        (("select", "moons(n=20)", "--over", "gamma=1:2:2", "--jobs", "2"), 0),
        (("lesson", "new", "mine.md"), 74),
    ],
    ids=["picture", "render", "select", "lesson"],
)
def test_in_a_folder_that_was_removed_there_are_sentences_and_no_traceback(
    argv: tuple[str, ...], code: int, tmp_path: Path
) -> None:
    script = (
        "import os, sys\n"
        "from kernelviz.cli import main\n"
        f"os.chdir({str(tmp_path)!r}); os.rmdir({str(tmp_path)!r})\n"
        "sys.exit(main())\n"
    )
    shown = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    returned, _, err = of_python(script, *argv, env={k: v for k, v in os.environ.items() if k not in shown})
    assert returned == code
    assert all(line.startswith("kernelviz: ") for line in err.splitlines())
    assert bool(err) == (code != 0)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such locales")
def test_a_figure_is_drawn_without_a_word_in_the_c_locale(tmp_path: Path) -> None:
    argv = ["render", "moons(n=10)", "-o", "figure.png", "--size", "800x640"]
    done = subprocess.run(
        [*ENTRY, *argv], cwd=tmp_path, env={**os.environ, "LC_ALL": "C"}, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_file_in_a_folder_one_may_not_enter_is_not_said_to_be_missing(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stat(path: object, **_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("kernelviz.scene.qt_check.has_display", lambda: False)
    monkeypatch.setattr("kernelviz.cli.program.os.stat", stat)
    monkeypatch.setattr("kernelviz.cli.render.draw_instead_of_window", lambda _: 7)
    assert run("secret/points.csv")[0] == 7
