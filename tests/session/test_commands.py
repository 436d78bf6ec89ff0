"""Copy as command: a line for a shell, with the session behind it where one is needed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import dataset, parse_fit
from kernelviz.scene.export.composition import Composition
from kernelviz.scene.export.files import as_image
from kernelviz.scene.export.options import Options
from kernelviz.session.scripts.command import command_line
from kernelviz.session.scripts.script import sklearn_script
from kernelviz.session.scripts.text import Sheet
from kernelviz.session.state import Document, State
from kernelviz.session.view import ViewRange
from kernelviz.session.workspaces.registry import workspace_of

HOW = Options(420, 320, 100.0, xlabel="it's $x_1$ (mm)", entries=("class +=healthy",), caption=False)


def state_of(source: str, *fits: str) -> State:
    data = dataset(source)
    return State(Document(data, tuple(map(parse_fit, fits)), source=source), workspace_of(data).look(data))


PLAIN = state_of("moons(n=30)", "linear ; logistic", "rbf(gamma=2) ; soft-margin-svm")


def test_a_data_set_as_it_is_seen_at_first_needs_no_session():
    line = command_line(PLAIN, Sheet(HOW, ".png"))
    assert line.startswith("kernelviz render 'moons(n=30")
    assert line.count("\n") == 1
    assert "--no-caption" in line


def seen_otherwise() -> list[State]:
    look = PLAIN.look
    return [
        PLAIN,
        State(PLAIN.document, look.replace(shown=look.shown - {"field"} | {"grid"})),
        State(PLAIN.document, look.replace(limits=ViewRange(-1.5, 2.0, -1.0, 1.25))),
        State(PLAIN.document, look.replace(view=ViewRange(-1.0, 1.0, -1.0, 1.0))),
        State(PLAIN.document.replace(data=dataset("moons(n=20)").swapped()), look),
    ]


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no shell on this machine")
@pytest.mark.parametrize("number", range(5))
def test_a_shell_draws_exactly_the_figure(qapp, tmp_path: Path, number):
    state = seen_otherwise()[number]
    text = command_line(state, Sheet(HOW, ".png"))
    assert ("<<'SESSION'" in text) == (number > 2)
    folder = str(Path(sys.executable).parent)
    line = f'PATH="{folder}:$PATH"\n{text}'
    done = subprocess.run(["bash", "-c", line], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    drawn = tmp_path / "figure.png"
    ours = as_image(Composition.of_state(state).figure(HOW), HOW)
    assert type(ours)(str(drawn)).convertToFormat(ours.format()) == ours


def test_a_view_that_no_command_draws_is_named():
    with pytest.raises(BadInput, match="cannot draw Gram matrix as it is now"):
        command_line(PLAIN, Sheet(HOW, views={"Gram matrix": ""}))


# scikit-learn -------------------------------------------------------------------------------------------
WORDS = {
    "heading": "Costs of $f$ in \\$",
    "xlabel": "length $l$ (mm)",
    "entries": ("class +=healthy", "support vector="),
    "colours": "#006644,#aa0055",
    "panel_titles": ("Linear", "Gaussian"),
    "letters": True,
    "legend": "lower-left",
}


def test_a_script_for_scikit_learn_has_the_words_and_the_colours_of_the_author(tmp_path, monkeypatch):
    script = sklearn_script(PLAIN, Sheet(Options(480, 360, 80.0, **WORDS)))
    assert "xlabel='length $l$ (mm)', ylabel='x2'" in script
    assert "ax.set_title('Costs of $f$ in \\\\$')" in script
    assert "ax.set_title('(a) Linear', loc=\"left\")" in script
    assert "ax.set_title('(b) Gaussian', loc=\"left\")" in script
    assert "color=\"#006644\", mew=2, label='healthy'" in script
    assert 'color="#aa0055"' in script
    assert 'loc="lower left"' in script
    assert "parse_math" not in script
    monkeypatch.chdir(tmp_path)
    exec(compile(script, "script.py", "exec"), {})
    assert {path.name for path in tmp_path.iterdir()} == {"figure-sklearn-A.png", "figure-sklearn-B.png"}


def test_a_script_for_scikit_learn_without_a_legend_draws_none():
    assert "legend(" not in sklearn_script(PLAIN, Sheet(Options(legend="none")))
