"""Figures that play: the file itself, and what a browser makes of it."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
from base64 import b64decode

import numpy as np
import pytest
from PIL import Image

import kernelviz
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import dataset, parse_fit
from kernelviz.engine.fits.solve import fit_data
from kernelviz.scene.export.options import Options
from kernelviz.scene.export.playing import playing
from kernelviz.session.state import Document, State
from kernelviz.session.workspaces.registry import workspace_of
from tests.command_lines import refused

SVM = "rbf(gamma=1) ; soft-margin-svm(C=10)"
SMALL = Options(480, 360, 80.0, text=7.0)
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
NASTY = "</script><script>alert(1)"


def state_of(data: Data | str, *fits: str) -> State:
    source = data if isinstance(data, str) else ""
    data = dataset(data) if isinstance(data, str) else data
    made = tuple(map(parse_fit, fits or (SVM,)))
    return State(Document(data, made, source=source), workspace_of(data).look(data))


def page_of(state: State, *sweep: str, options: Options = SMALL, most: int = 8) -> str:
    return playing(state, options, sweep, most, lambda: None).decode()


def content(page: str) -> dict:
    return json.loads(re.search(r'id="data">(.*?)</script>', page, re.S)[1])


def in_plane(places: np.ndarray, found: dict, state: State, plane: int = 0) -> np.ndarray:
    """Return places in units of the page as points of the plane, by those of two training points."""
    units = np.reshape(found["places"][found["frames"][0]["places"][plane]], (-1, 2))
    X = state.document.data.X
    i, j = np.argmin(X.sum(axis=1)), np.argmax(X.sum(axis=1))
    scale = (X[j] - X[i]) / (units[j] - units[i])
    return X[i] + (places - units[i]) * scale


def polylines(path: str) -> list[np.ndarray]:
    """Return the vertices of a path of straight lines, as its relative steps say."""
    lines, at = [], np.zeros(2)
    for start, steps, _ in re.findall(r"m([^mlzc]+)l([^mlzc]+)(z?)", path):
        first = at + [int(n) for n in re.findall(r"-?\d+", start)]
        moves = np.reshape([int(n) for n in re.findall(r"-?\d+", steps)], (-1, 2))
        line = np.vstack([first, first + np.cumsum(moves, axis=0)])
        lines.append(line)
        at = first if _ else line[-1]
    return lines


# The file ---------------------------------------------------------------------------------------------------
def test_a_page_has_a_slider_for_each_parameter_and_a_frame_for_each_pair(qapp):
    page = page_of(state_of("moons(n=20)"), "gamma=0.1:10:3", "C=1,100")
    found = content(page)
    assert found["sliders"] == [
        {"name": "γ", "values": ["0.1", "1", "10"]},
        {"name": "C", "values": ["1", "100"]},
    ]
    assert len(found["frames"]) == 6
    assert "γ\u00a0=\u00a01)" in found["frames"][1]["caption"]
    assert "C\u00a0=\u00a0100" in found["frames"][3]["caption"]
    assert page.count('type="range"') == 2


def test_the_steps_of_a_run_play_too_and_what_has_none_is_refused(qapp):
    found = content(page_of(state_of("xor(n=20)", "rbf ; perceptron"), most=6))
    assert found["sliders"][0]["name"] == "step"
    assert 2 <= len(found["frames"]) <= 6
    assert found["frames"][0]["caption"].startswith("step 0")
    with pytest.raises(BadInput, match="sweep a parameter"):
        page_of(state_of("xor(n=20)", "rbf ; ridge"))


def test_a_page_of_60_frames_of_200_points_is_small(qapp):
    state = state_of("moons(n=200, noise=0.3)", "rbf(gamma=1) ; soft-margin-svm(C=10)")
    page = page_of(state, "gamma=0.01:100:60", options=Options())
    assert len(content(page)["frames"]) == 60
    assert len(page.encode()) < 1_200_000


def test_nothing_is_loaded_and_only_this_script_and_style_are_allowed(qapp):
    page = page_of(state_of("moons(n=20)"), "gamma=1,2")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
    assert policy.startswith("default-src 'none'; img-src data:; script-src 'sha256-")
    assert "unsafe" not in policy
    assert re.findall(r"\b(?:src|href)\s*=\s*[\"']", page.replace("xlink:", "")) == []
    assert set(re.findall(r"https?://[^\"\s]+", page)) == {"http://www.w3.org/2000/svg"}


def test_names_from_data_are_text_and_nothing_else(qapp):
    X = [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]]
    data = Data.labelled(X, [NASTY, "b", NASTY, "b"], columns=("<b>x</b>", "y&z"))
    page = page_of(state_of(data), "gamma=1,2", options=SMALL.replace(heading="<img src=x> & more"))
    assert page.count("</script>") == 2
    assert page.count("<script") == 2
    assert "<img" not in page
    assert any(NASTY in name for name in content(page)["points"])


# What it shows ----------------------------------------------------------------------------------------------
def test_the_boundary_on_the_page_is_where_the_score_is_zero(qapp):
    state = state_of("moons(n=40, seed=1)")
    page = page_of(state, "gamma=0.5,2")
    found = content(page)
    looks = {
        int(number): float(width)
        for number, width in re.findall(r"\.look(\d+)\{stroke-width:([\d.]+);[^}]*fill:none", page)
    }
    for frame, gamma in zip(found["frames"], (0.5, 2.0), strict=True):
        model = fit_data(state.document.data, f"rbf(gamma={gamma})", "soft-margin-svm(C=10)")
        shapes = [
            shape
            for k in frame["layers"]
            for shape in found["layers"][k]["shapes"]
            if found["layers"][k]["clip"] == 0 and shape[0] in looks and shape[2:] == [0, 0]
        ]
        widest = max(looks[shape[0]] for shape in shapes)
        boundary = [found["paths"][shape[1]] for shape in shapes if looks[shape[0]] == widest]
        lines = [line for path in boundary for line in polylines(path)]
        lines += [(line[1:] + line[:-1]) / 2 for line in lines]  # between vertices too
        assert lines
        xy = in_plane(np.vstack(lines), found, state)
        assert np.abs(model.score(xy)).max() < 0.03


def test_points_stand_where_they_are_and_have_their_scores(qapp):
    state = state_of("moons(n=30, seed=1)")
    found = content(page_of(state, "gamma=0.5,2"))
    assert len(found["places"]) == 1
    assert np.allclose(
        in_plane(np.reshape(found["places"][0], (-1, 2)), found, state), state.document.data.X, atol=0.01
    )
    for frame, gamma in zip(found["frames"], (0.5, 2.0), strict=True):
        model = fit_data(state.document.data, f"rbf(gamma={gamma})", "soft-margin-svm(C=10)")
        assert np.allclose(frame["scores"][0], model.training_scores, rtol=6e-3, atol=1e-6)
    assert found["points"][0].startswith("point 1, ")


def test_the_level_at_a_place_is_the_score_there_in_one_unit_for_all_frames(qapp):
    state = state_of("moons(n=40, seed=1)")
    found = content(page_of(state, "C=0.01,1000"))
    meaning = np.array(found["levels"])
    for frame, C in zip(found["frames"], (0.01, 1000.0), strict=True):
        model = fit_data(state.document.data, "rbf(gamma=1)", f"soft-margin-svm(C={C})")
        (field,) = [s for k in frame["layers"] for s in found["layers"][k]["shapes"] if s[0] < 0]
        levels = np.array(picture(found, field[1], "levels").convert("L"))
        rows, columns = levels.shape
        x = field[2] + (np.arange(columns) + 0.5) / columns * field[4]
        y = field[3] + (np.arange(rows) + 0.5) / rows * field[5]
        xy = in_plane(np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2), found, state)
        scores = model.score(xy)
        inner = (levels.ravel() > 0) & (levels.ravel() < len(meaning) - 1)
        step = np.gradient(meaning)[levels.ravel()]
        assert np.all(np.abs(scores - meaning[levels.ravel()])[inner] <= 0.51 * step[inner] + 0.01)


def test_small_scores_use_all_levels(qapp):
    found = content(page_of(state_of("moons(n=40)"), "C=0.001,0.002"))
    assert found["levels"][-2] < 1.0


def test_colours_are_those_of_the_figure_in_light_and_in_dark(qapp, tmp_path):
    state = state_of("moons(n=40, seed=1)")
    found = content(page_of(state, "gamma=1,2"))
    (field,) = [s for k in found["frames"][0]["layers"] for s in found["layers"][k]["shapes"] if s[0] < 0]
    light, dark = (
        np.array(picture(found, field[1], name).convert("RGB"), float) for name in ("light", "dark")
    )
    assert light.shape == dark.shape
    assert light.mean() > 200
    assert dark.mean() < 90
    plus = np.array(picture(found, field[1], "levels").convert("L")) > 100
    assert (light[plus][:, 2] > light[plus][:, 0]).all()
    assert (dark[plus][:, 2] > dark[plus][:, 0]).all()


def picture(found: dict, k: int, palette: str) -> Image.Image:
    head, tail = found["images"][k]
    return Image.open(io.BytesIO(b64decode(head + found["palettes"][palette] + tail)))


def test_regions_of_several_classes_are_named(qapp):
    found = content(page_of(state_of("blobs(n=30)"), "gamma=0.5,2"))
    assert set(found["levels"]) == set(dataset("blobs(n=30)").class_names)


def test_a_curve_has_its_values_from_left_to_right(qapp):
    state = state_of("sine(n=20)", "rbf(gamma=1) ; ridge(lam=0.1)")
    found = content(page_of(state, "gamma=0.5,2"))
    view = state.look.view
    model = fit_data(state.document.data, "rbf(gamma=2)", "ridge(lam=0.1)")
    values = model.score(np.linspace(view.left, view.right, len(found["frames"][1]["curves"][0]))[:, None])
    assert np.allclose(found["frames"][1]["curves"][0], values, rtol=6e-3, atol=1e-3)


@pytest.mark.parametrize(
    ("source", "fits", "sweep"),
    [
        ("languages(n=14)", ["subsequence(length=2) ; soft-margin-svm"], "decay=0.3,0.8"),
        ("colours(n=30)", ["category*rbf ; soft-margin-svm"], "gamma=0.5,2"),
        ("moons(n=20)", ["rbf ; soft-margin-svm", "rbf ; logistic"], "gamma=0.5,2"),
        ("sine(n=20)", ["rbf ; ridge", "rbf ; svr"], "gamma=0.5,2"),
        ("moons(n=20)", ["linear ; by-hand"], "angle=10,20"),
        ("hills(n=30)", ["rbf ; ridge"], "gamma=0.5,2"),
    ],
)
def test_every_workspace_and_several_fits_can_play(qapp, source, fits, sweep):
    found = content(page_of(state_of(source, *fits), sweep))
    assert [len(frame["layers"]) > 4 for frame in found["frames"]] == [True, True]
    assert found["frames"][0]["layers"] != found["frames"][1]["layers"]


# Other ways to it -------------------------------------------------------------------------------------------
def test_the_command_line_and_python_write_the_same_page(qapp, run, tmp_path):
    one, other = tmp_path / "one.html", tmp_path / "other.html"
    line = ["--fit", SVM, "--sweep", "gamma=0.5,2", "--size", "480x360", "--dpi", "80", "--text", "7"]
    assert run("render", "moons(n=20)", "-o", str(one), *line) == (0, "", "")
    how = {"kernel": "rbf(gamma=1)", "algorithm": "soft-margin-svm(C=10)", "sweep": "gamma=0.5,2"}
    kernelviz.render(other, dataset("moons(n=20)"), **how, size="480x360", dpi=80.0, text=7.0)
    assert one.read_bytes() == other.read_bytes()


def test_the_command_line_and_python_write_the_same_film_of_a_run(qapp, run, tmp_path):
    one, other = tmp_path / "one.gif", tmp_path / "other.gif"
    line = ["--fit", "linear ; perceptron", "--size", "200x160", "--frames", "4", "--fps", "2"]
    assert run("render", "xor(n=20)", "-o", str(one), *line)[0] == 0
    how = {"kernel": "linear", "algorithm": "perceptron", "size": "200x160", "frames": 4, "fps": 2.0}
    kernelviz.render(other, dataset("xor(n=20)"), **how)
    assert one.read_bytes() == other.read_bytes()
    for wrong in ({"frames": 0}, {"frames": 2.5}, {"fps": 1000.0}):
        with pytest.raises(BadInput, match=r"A film has 1 to 2000 frames|An animation has"):
            kernelviz.render(other, dataset("xor(n=20)"), **(how | wrong))


def test_a_film_can_be_of_a_sweep_as_well(run, tmp_path):
    path = tmp_path / "film.gif"
    line = ["--kernel", "rbf", "--sweep", "gamma=0.5:2:4", "--size", "300x240", "-o", str(path)]
    assert run("render", "moons(n=20)", *line)[0] == 0
    with Image.open(path) as film:
        assert film.n_frames == 4


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--sweep", "gamma=1:2:3", "-o", "a.png"], "needs frames"),
        (["--sweep", "gamma=1:2:50", "--sweep", "C=1:2:50", "-o", "a.html"], "at most 400 frames"),
        (["--sweep", "gamma=1:2:3", "--sweep", "gamma=3,4", "-o", "a.html"], "gamma is given twice"),
        (["--sweep", "gama=1:2:3", "-o", "a.html"], "Did you mean gamma"),
        (["--sweep", "gamma=-1:2:3", "-o", "a.html"], "must lie between"),
        (["--sweep", "gamma", "-o", "a.html"], "NAME="),
        (["--sweep", "gamma=1,2", "--words", "latex", "-o", "a.html"], "only in a PDF"),
        (["--views", "gram", "--sweep", "gamma=1:2:3", "-o", "a.html"], "leave --views out"),
    ],
)
def test_what_cannot_play_is_refused_in_a_line(run, tmp_path, monkeypatch, options, sentence):
    monkeypatch.chdir(tmp_path)
    assert sentence in refused(run("render", "moons(n=20)", "--kernel", "rbf", *options))
    assert list(tmp_path.iterdir()) == []


# In a browser -----------------------------------------------------------------------------------------------
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed (apt-get install chromium)")
class TestInChromium:
    def dom(self, tmp_path, page: str, script: str = "", dark: bool = False) -> str:
        """Return the document after a script, which needs a page without its policy."""
        if script:
            page = (
                re.sub(r"<meta http-equiv[^>]*>", "", page) + f"<script>(async () => {{{script}}})()</script>"
            )
        file = tmp_path / "page.html"
        file.write_text(page, encoding="utf-8")
        switches = [
            *("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"),
            *("--virtual-time-budget=4000", "--window-size=860,760", f"--user-data-dir={tmp_path / 'own'}"),
        ]
        scheme = ["--blink-settings=preferredColorScheme=0"] if dark else []
        done = subprocess.run(
            [CHROMIUM, *switches, *scheme, "--dump-dom", file.as_uri()],
            capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
        return done.stdout

    def press(self, *keys: str) -> str:
        event = "document.dispatchEvent(new KeyboardEvent('keydown', {key: %s, bubbles: true}));"
        return "".join(event % json.dumps(key) for key in keys)

    def shown(self, dom: str) -> list[str]:
        return re.findall(r'<output id="value\d">([^<]*)<', dom)

    def test_it_shows_its_first_frame_under_its_own_policy(self, qapp, tmp_path):
        dom = self.dom(tmp_path, page_of(state_of("moons(n=20)"), "gamma=0.5,2"))
        assert self.shown(dom) == ["0.5"]
        assert "Gaussian (γ&nbsp;=&nbsp;0.5)" in re.search(r'id="caption">([^<]*)<', dom)[1]
        assert len(re.findall(r'<path class="look', dom)) > 40
        assert 'href="data:image/png;base64,' in dom

    def test_a_class_with_a_script_for_a_name_runs_nothing(self, qapp, tmp_path):
        data = Data.labelled(
            [[0.0, 0.0], [1.0, 1.0]], ["</script><script>document.title='run'</script>", "b"]
        )
        dom = self.dom(tmp_path, page_of(state_of(data), "gamma=1,2"))
        assert "<title>run" not in dom
        assert self.shown(dom) == ["1"]

    def test_keys_move_both_sliders_and_space_plays(self, qapp, tmp_path):
        page = page_of(state_of("moons(n=20)"), "gamma=1,2,3", "C=1,10")
        assert self.shown(self.dom(tmp_path, page, self.press("ArrowRight", "ArrowUp"))) == ["2", "10"]
        assert self.shown(self.dom(tmp_path, page, self.press("End", "ArrowLeft"))) == ["2", "1"]
        assert self.shown(self.dom(tmp_path, page, self.press("End", "Home"))) == ["1", "1"]
        assert self.shown(self.dom(tmp_path, page, self.press(" "))) == ["3", "1"], "after three seconds"

    def test_the_pointer_finds_points_and_scores(self, qapp, tmp_path):
        state = state_of("moons(n=20)")
        page = page_of(state, "gamma=1,2")
        x, y = content(page)["places"][0][:2]
        ask = """
            const at = new DOMPoint(%d, %d).matrixTransform(stage.getScreenCTM());
            stage.dispatchEvent(new PointerEvent('pointermove', {clientX: at.x, clientY: at.y}));
            await new Promise((done) => setTimeout(done, 500));
        """
        tip = r'<div id="tip"[^>]*>([^<]*)<'
        score = content(page)["frames"][0]["scores"][0][0]
        said = re.search(tip, self.dom(tmp_path, page, ask % (x, y)))[1]
        assert said == f"{content(page)['points'][0]}, s = {score:g}".replace("-", "−")
        left, top, *_ = content(page)["planes"][0]
        said = re.search(tip, self.dom(tmp_path, page, ask % (left + 30, top + 30)))[1]
        assert re.fullmatch(r"s [=≤≥] −?[\d.e−]+", said)

    def test_dark_has_other_pictures_of_the_field(self, qapp, tmp_path):
        page = page_of(state_of("moons(n=20)"), "gamma=1,2")
        light, dark = (
            re.search(r'href="(data:image/png[^"]*)"', self.dom(tmp_path, page, dark=scheme))[1]
            for scheme in (False, True)
        )
        assert light != dark
