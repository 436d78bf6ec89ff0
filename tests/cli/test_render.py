"""`kernelviz render` through the installed program, without a display."""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from kernelviz.cli.render import FigureJob, draw, draw_all, known_toggles
from kernelviz.cli.terminal import BAD_INPUT, DONE
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import Fit, algorithm, dataset, kernel
from kernelviz.runtime import processes
from kernelviz.runtime.processes import KILLED
from kernelviz.scene.export.options import Options
from kernelviz.session.files.kviz import dumps, load
from kernelviz.session.files.kviz import save as save_session
from kernelviz.session.sources import Requested
from kernelviz.session.state import Document, State
from kernelviz.session.themes import HIGH_CONTRAST, LIGHT
from kernelviz.session.view import ViewRange
from kernelviz.session.workspaces.plane import PlaneWorkspace
from kernelviz.session.workspaces.registry import usual_fit
from tests.command_lines import of_python, refused
from tests.elsewhere import be_killed

HALF_A_DOT_PER_METRE = 0.5 * 0.0254
"""PNG keeps whole dots per metre."""
PROGRAM = Path(sys.executable).with_name("kernelviz")


def render(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    without_display = {
        k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    }
    line = [PROGRAM, "render", *arguments]
    return subprocess.run(line, cwd=cwd, env=without_display, capture_output=True, text=True, check=False)


def test_a_figure_has_the_size_and_resolution_asked_for_and_can_be_rendered_again(tmp_path):
    options = ["-o", "rings.png", "--size", "700x500", "--dpi", "150", "--theme", "dark"]
    first = render("rings(n=30, seed=1)", *options, cwd=tmp_path)
    assert (first.returncode, first.stdout, first.stderr) == (0, "", "")
    with Image.open(tmp_path / "rings.png") as png:
        assert png.size == (700, 500)
        assert png.info["dpi"] == pytest.approx((150, 150), abs=HALF_A_DOT_PER_METRE)
        assert sum(png.convert("RGB").getpixel((2, 2))) < 150
    again = render("rings.png", "-o", "again.svg", "--hide", "field", cwd=tmp_path)
    assert (again.returncode, again.stderr) == (0, "")
    assert "Soft-margin SVM (C = 10)" in (tmp_path / "again.svg").read_text(encoding="utf-8")


def test_a_size_on_paper_becomes_pixels_at_the_resolution(tmp_path):
    done = render("rings(n=30, seed=1)", "-o", "r.png", "--size", "2x1.5in", "--dpi", "120", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stderr.startswith("kernelviz: There is no room for the formula")
    assert len(done.stderr.splitlines()) == 1
    with Image.open(tmp_path / "r.png") as png:
        assert png.size == (240, 180)


@pytest.mark.parametrize(("kind", "head"), [("png", b"\x89PNG\r\n"), ("svg", b"<?xml"), ("pdf", b"%PDF-")])
def test_a_figure_on_standard_output_is_that_of_a_file(tmp_path, kind, head):
    source = ["three_points", "--size", "800x600"]
    line = [PROGRAM, "render", *source, "-o", "-", "--format", kind]
    printed = subprocess.run(line, cwd=tmp_path, capture_output=True, check=False)
    assert (printed.returncode, printed.stderr) == (0, b"")
    assert printed.stdout.startswith(head)
    assert list(tmp_path.iterdir()) == []
    assert render(*source, "-o", f"figure.{kind}", cwd=tmp_path).returncode == 0
    if kind != "pdf":  # which has the time in it
        assert (tmp_path / f"figure.{kind}").read_bytes() == printed.stdout


@pytest.mark.parametrize(
    ("options", "terminal", "sentence"),
    [
        (["-o", "-"], True, "A terminal cannot show a PNG"),
        (["-o", "-", "--format", "pdf"], True, "A terminal cannot show a PDF"),
        (["-o", "figure.pdf", "--format", "svg"], False, "the name of a file gives its format"),
    ],
)
def test_what_cannot_go_to_standard_output_is_refused(
    run, tmp_path, monkeypatch, options, terminal, sentence
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdout.isatty", lambda: terminal)
    assert sentence in refused(run("render", "three_points", *options))


def test_a_quiet_command_line_says_errors_only(tmp_path):
    film = ["three_points", "--algorithm", "ridge", "--size", "400x300"]
    told = render(*film, "-o", "told.gif", cwd=tmp_path)
    assert told.stderr == "kernelviz: ridge has no steps to watch: the film has a single frame.\n"
    quiet = render(*film, "-q", "-o", "quiet.gif", cwd=tmp_path)
    assert (quiet.returncode, quiet.stderr) == (0, "")
    assert (tmp_path / "quiet.gif").read_bytes() == (tmp_path / "told.gif").read_bytes()
    wrong = render("nonsense(n=1)", "-q", "-o", "wrong.png", cwd=tmp_path)
    assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1)


def test_limits_and_views_are_drawn_and_the_limits_are_in_the_session(tmp_path):
    options = ["-o", "r.svg", "--limits", "-4,4,-3,3", "--views", "loss(hinge=true), gram"]
    done = render("rings(n=30, seed=1)", *options, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    svg = (tmp_path / "r.svg").read_text(encoding="utf-8")
    assert "z·s(x)" in svg
    assert render("rings(n=30, seed=1)", "-o", "r.png", *options[2:4], cwd=tmp_path).returncode == 0
    state, _ = load(tmp_path / "r.png")
    assert state.look.limits == ViewRange(-4.0, 4.0, -3.0, 3.0)


def test_a_figure_can_be_in_high_contrast(tmp_path):
    done = render("rings(n=30, seed=1)", "-o", "rings.svg", "--theme", "high-contrast", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    svg = (tmp_path / "rings.svg").read_text(encoding="utf-8")
    assert HIGH_CONTRAST.positive in svg
    assert LIGHT.positive not in svg


def test_several_sources_become_several_figures_in_parallel_and_a_bad_one_stops_no_other(tmp_path):
    done = render("moons(n=20)", "nonsense(n=1)", "xor(n=20)", "-o", "fig-{name}.pdf", cwd=tmp_path)
    assert done.returncode == 2
    assert "nonsense(n=1):" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert sorted(p.name for p in tmp_path.glob("*.pdf")) == ["fig-moons-n-20.pdf", "fig-xor-n-20.pdf"]


def test_a_film_of_the_algorithm_at_work(tmp_path):
    options = ["-o", "run.gif", "--algorithm", "perceptron", "--frames", "3", "--size", "300x200"]
    done = render("rings(n=20)", *options, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    with Image.open(tmp_path / "run.gif") as film:
        assert film.n_frames == 3
        assert film.size == (300, 200)


@pytest.mark.parametrize(("pace", "seconds"), [([], 3.0), (["--fps", "10"], 0.7)])
def test_a_film_of_few_steps_lasts_three_seconds_unless_a_pace_is_given(tmp_path, pace, seconds):
    source = ["xor(n=20, seed=1)", "--kernel", "rbf(gamma=2)", "--algorithm", "perceptron"]
    options = ["-o", "run.gif", "--frames", "7", "--size", "200x150", *pace]
    assert render(*source, *options, cwd=tmp_path).returncode == 0
    with Image.open(tmp_path / "run.gif") as film:
        lasts = film.info["duration"] * film.n_frames / 1000
    assert lasts == pytest.approx(seconds, rel=0.02)


def test_a_film_of_an_algorithm_without_steps_says_that_it_has_one_frame(tmp_path):
    done = render("sine(n=20)", "-o", "run.gif", "--algorithm", "ridge", "--size", "300x200", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stderr == "kernelviz: ridge has no steps to watch: the film has a single frame.\n"


@pytest.mark.parametrize("how", ["kernel-sgd(epochs=3)", "svr(C=3)"])
def test_a_film_of_a_curve_shows_its_steps_until_the_fit(tmp_path, how):
    options = f"-o run.gif --algorithm {how} --frames 4 --size 300x200".split()
    said = render("sine(n=20)", *options, cwd=tmp_path)
    assert said.returncode in (0, 3), said.stderr
    with Image.open(tmp_path / "run.gif") as film:
        assert film.n_frames == 4
        pictures = []
        for k in range(film.n_frames):
            film.seek(k)
            pictures.append(np.asarray(film.convert("RGB")))
    assert all((one != other).any() for one, other in itertools.pairwise(pictures))


def test_not_separable_draws_the_points_says_so_and_ends_with_three(tmp_path):
    options = ["-o", "no.png", "--kernel", "linear", "--algorithm", "hard-margin-svm"]
    done = render("just_not_separable", *options, cwd=tmp_path)
    assert done.returncode == 3
    assert "separable" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert (tmp_path / "no.png").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["rings", "-o", "a.bmp"], "png, svg, pdf"),
        (["rings", "-o", "a.png", "--size", "big"], "1600x1200"),
        (["rings", "-o", "a.png", "--dpi", "1"], "dpi"),
        (["rings", "-o", "a.png", "--dpi", "0"], "dpi"),
        (["rings", "-o", "a.png", "--preset", "slide", "--dpi", "0"], "dpi"),
        (["rings", "moons", "-o", "a.gif"], "{name}"),
        (["rings", "-o", "a.png", "--show", "slak"], "Did you mean slack"),
        (["rings", "-o", "a.png", "--preset", "billboard"], "one-column"),
        (["rings", "-o", "a.gif", "--frames", "0"], "1 to 2000"),
        (["rings", "-o", "a.png", "--fps", "0"], "0.05 to 50 frames per second"),
        (["rings", "-o", "a.gif", "--fps", "nan"], "0.05 to 50 frames per second"),
        (["rings", "-o", "a.png", "--limits", "-1,1,0"], "left, right, bottom and top, not '-1,1,0'"),
        (["rings", "-o", "a.png", "--limits", "1,-1,0,1"], "from left to right"),
        (["rings", "-o", "a.png", "--views", "los"], "Did you mean loss"),
        (["rings", "-o", "a.gif", "--views", "loss"], "A film shows the canvas alone"),
        (["rings", "-o", "a.png", "--size", "1x1mm"], "64 to 20000 pixels"),
        (["rings"], "--output"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_two(run, tmp_path, monkeypatch, arguments, sentence):
    monkeypatch.chdir(tmp_path)
    assert sentence in refused(run("render", *arguments))
    assert list(tmp_path.iterdir()) == []


def test_a_missing_library_of_qt_is_a_sentence_and_no_traceback(run, monkeypatch, tmp_path):
    missing = "Drawing needs the system library libEGL, which is not installed."
    monkeypatch.setattr("kernelviz.scene.qt_check.library_problem", lambda: missing)
    monkeypatch.setitem(sys.modules, "kernelviz.scene.export.composition", None)  # as if its import failed
    assert refused(run("render", "rings", "-o", str(tmp_path / "never.png"))) == f"kernelviz: {missing}\n"


def test_several_fits_stand_side_by_side_and_are_in_the_session_the_picture_carries(tmp_path):
    fits = ("linear ; hard-margin-svm", "rbf(gamma=2) ; prototype")
    options = [*["-o", "two.png", "--size", "500x240"], "--fit", fits[0], "--fit", fits[1]]
    done = render("three_points", *options, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    document = load(tmp_path / "two.png")[0].document
    assert tuple(map(str, document.fits)) == fits
    with Image.open(tmp_path / "two.png") as picture:
        left, right = picture.crop((0, 0, 250, 240)), picture.crop((250, 0, 500, 240))
    for half in (left, right):  # each has a field of its own
        assert len(half.convert("RGB").getcolors(100_000)) > 100


def test_rendering_loads_no_widgets(tmp_path):
    script = (
        "import sys\n"
        "from kernelviz.cli import main\n"
        "code = main(['render', 'rings(n=30)', '-o', 'rings.png', '--size', '200x200'])\n"
        "heavy = ('PySide6.QtWidgets', 'kernelviz.ui', 'pyqtgraph')\n"
        "loaded = [m for m in sys.modules if m.startswith(heavy)]\n"
        "sys.exit(str(loaded) if loaded or code else 0)\n"
    )
    code, _, err = of_python(script, cwd=tmp_path)
    assert code == 0, err


def session_of(points: int, name: str, path: Path) -> str:
    x = np.linspace(-3, 3, points)
    data = Data.labelled(np.column_stack([x, np.sin(5 * x)]), np.cos(3 * x) > 0)
    document = Document(data, (Fit(kernel("rbf"), algorithm(name)),))
    save_session(path, State(document, PlaneWorkspace().look(data)))
    return str(path)


@pytest.mark.skipif(os.name == "nt", reason="Windows does not tell the memory of children")
def test_a_session_with_very_many_points_is_thinned_out_for_exact_solvers_and_it_is_said(tmp_path):
    import resource

    session = session_of(20_000, "prototype", tmp_path / "many.kviz")
    done = render(session, "-o", "many.png", "--size", "300x200", cwd=tmp_path)
    assert done.returncode == 0
    assert "5,000 of 20,000 rows are used" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    # In kilobytes (bytes on macOS): 20,000 points would need 3.2 GB for the Gram matrix alone.
    unit = 1 if sys.platform == "darwin" else 1024
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * unit < 2e9


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for children")
def test_ctrl_c_ends_all_renders_though_only_the_program_itself_hears_it(tmp_path):
    slow = [f"moons(n=4000, seed={k})" for k in range(8)]
    with subprocess.Popen(
        [PROGRAM, "render", "moons(n=10)", *slow, "-o", "{name}.png", "--algorithm", "logistic"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL) and None,
    ) as program:
        while not (tmp_path / "moons-n-10.png").exists():
            assert program.poll() is None
            time.sleep(0.01)
        program.send_signal(signal.SIGINT)
        # The processes it has started write to the same pipe: it closes when all of them have ended.
        assert program.stderr.read() == b""
    assert program.returncode == 130
    assert len(list(tmp_path.glob("*.png"))) < 4


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals for children")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_film_that_is_ended_by_a_signal_leaves_no_file(tmp_path, name):
    number = signal.Signals[name]
    slow = ("--algorithm", "perceptron", "--kernel", "linear", "--frames", "2000", "--size", "800x640")
    with subprocess.Popen(
        [PROGRAM, "render", "moons(n=60, noise=0.5)", "-o", "film.gif", *slow],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL) and None,
    ) as program:
        while not list(tmp_path.iterdir()):
            assert program.poll() is None
            time.sleep(0.01)
        program.send_signal(number)
        assert program.stderr.read() == b""
    assert program.returncode == -number
    assert not list(tmp_path.iterdir())


def is_drawn(source: Path) -> bool:
    figure = source.with_name("figure.svg")
    outcome = draw(FigureJob(Requested(str(source)), str(figure), Options(300, 300, 96.0)))
    return outcome.code in (0, 3) and figure.stat().st_size > 0


EXTREMES = {
    "the largest numbers": (-1e308, 1e308, -1e308, 1e308),
    "one long side": (-1e308, 1e308, -1.0, 1.0),
    "denormal sides": (0.0, 5e-324, 0.0, 5e-324),
    "one denormal side": (0.0, 1.0, 0.0, 5e-324),
    "neighbouring numbers": (1e10, 1e10 + 2e-6, 0.0, 1.0),
    "far away": (1e307, 1.1e307, 0.0, 1.0),
}


@pytest.mark.parametrize("kind", ["view", "limits"])
@pytest.mark.parametrize("sides", EXTREMES.values(), ids=EXTREMES)
@pytest.mark.parametrize("source", ["rings(n=20)", "sine(n=20)", "languages(n=10)"])
def test_a_session_with_an_extreme_view_is_drawn(qapp, tmp_path, kind, sides, source):
    data = dataset(source)
    fit = usual_fit(data)
    state = State(Document.of(data, fit.kernel, fit.algorithm))
    tree = json.loads(dumps(state))
    tree["look"][kind] = dict(zip(("left", "right", "bottom", "top"), sides, strict=True))
    (tmp_path / "extreme.kviz").write_text(json.dumps(tree))
    assert is_drawn(tmp_path / "extreme.kviz")


@pytest.mark.parametrize(
    "table", ["0,0,a\n5e-324,5e-324,b\n0,5e-324,a\n", "x,y\n0,0\n5e-324,5e-324\n1e-323,0.\n"]
)
def test_points_that_lie_denormally_close_are_drawn(qapp, tmp_path, table):
    (tmp_path / "close.csv").write_text(table)
    assert is_drawn(tmp_path / "close.csv")


@pytest.mark.parametrize(
    "table", ["1e308,-1e308,a\n-1e308,1e308,b\n0,0,a\n", "x,y\n1e308,-1e308\n-1e308,1e308\n"]
)
def test_points_too_far_to_compute_with_are_refused_in_one_line(tmp_path, table):
    (tmp_path / "far.csv").write_text(table)
    done = render("far.csv", "-o", "figure.png", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "too large to compute with" in done.stderr


class DeadlyJob(FigureJob):
    """Kills the process that is given it."""

    def __reduce__(self):
        return be_killed, ()


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 on this system")
def test_a_killed_process_is_a_sentence_about_its_own_figure_and_the_others_are_made(tmp_path, monkeypatch):
    monkeypatch.setattr(processes, "cores", lambda: 2)
    options = Options(width=200, height=160)
    jobs = [
        DeadlyJob(Requested("xor"), str(tmp_path / "lost.png"), options),
        *(FigureJob(Requested(name), str(tmp_path / f"{name}.png"), options) for name in ("xor", "moons")),
    ]
    told = {outcome.job.output: (outcome.sentence, outcome.code) for outcome in draw_all(jobs)}
    assert told == {job.output: (KILLED, BAD_INPUT) if job is jobs[0] else ("", DONE) for job in jobs}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["moons.png", "xor.png"]


def test_what_can_be_shown_is_listed_once() -> None:
    with pytest.raises(BadInput) as refused:
        known_toggles("foo")
    names = str(refused.value).partition("Known: ")[2].rstrip(".").split(", ")
    assert len(names) == len(set(names)) > 10


def test_a_bayes_boundary_that_is_not_known_is_refused(tmp_path, run):
    sentence = "kernelviz: moons(noise=0.3) has no known Bayes boundary to show.\n"
    output = str(tmp_path / "a.png")
    assert refused(run("render", "moons(noise=0.3)", "--show", "bayes", "-o", output)) == sentence
    assert not list(tmp_path.iterdir())
    assert run("render", "gaussians(n=20)", "--show", "bayes", "--size", "200x160", "-o", output)[0] == 0
