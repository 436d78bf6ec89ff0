"""Many figures at once."""

from __future__ import annotations

import signal

import pytest

from kernelviz.drawing.export import batch
from kernelviz.drawing.export.batch import Job, in_parallel, known_toggles
from kernelviz.drawing.export.options import Options
from kernelviz.engine.core.errors import BadInput
from kernelviz.runtime.processes import KILLED
from kernelviz.runtime.terminal import BAD_INPUT, DONE
from tests.elsewhere import be_killed


class DeadlyJob(Job):
    """Kills the process that is given it."""

    def __reduce__(self):
        return be_killed, ()


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 on this system")
def test_a_killed_process_is_a_sentence_about_its_own_figure_and_the_others_are_made(tmp_path, monkeypatch):
    monkeypatch.setattr(batch, "cores", lambda: 2)
    options = Options(width=200, height=160)
    jobs = [
        DeadlyJob("xor", str(tmp_path / "lost.png"), options),
        *(Job(name, str(tmp_path / f"{name}.png"), options) for name in ("xor", "moons")),
    ]
    told = {outcome.job.output: (outcome.sentence, outcome.code) for outcome in in_parallel(jobs)}
    assert told == {job.output: (KILLED, BAD_INPUT) if job is jobs[0] else ("", DONE) for job in jobs}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["moons.png", "xor.png"]


def test_what_can_be_shown_is_listed_once() -> None:
    with pytest.raises(BadInput) as refused:
        known_toggles("foo")
    names = str(refused.value).partition("Known: ")[2].rstrip(".").split(", ")
    assert len(names) == len(set(names)) > 10
