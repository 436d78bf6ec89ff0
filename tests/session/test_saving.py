"""Saving a session never leaves half a file."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from kernelviz.engine.core.errors import BadInput
from kernelviz.session.files import kviz
from kernelviz.session.state import start_up
from tests.session.states import same, state_with


def test_a_save_that_fails_leaves_the_old_file(tmp_path):
    path = tmp_path / "session.kviz"
    kviz.save(path, state_with())
    before = path.read_bytes()
    with pytest.raises(BadInput, match="cannot be saved"):
        kviz.save(tmp_path / "nowhere" / "session.kviz", state_with())
    with pytest.raises(TypeError):
        kviz.save(path, state_with(), {"strange": object()})
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


SAVING = """
import sys
from kernelviz.session.files import kviz
from kernelviz.session.state import State
from kernelviz.session.state import start_up
from kernelviz.engine.fits.parsing import dataset
path = sys.argv[1]
states = [State(start_up().document.replace(data=dataset(f"gaussians(n={n}, seed=1)"))) for n in (4000, 4001)]
print("ready", flush=True)
while True:
    for state in states:
        kviz.save(path, state)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 on this system")
def test_a_process_killed_while_saving_leaves_a_whole_file(tmp_path):
    path = tmp_path / "session.kviz"
    rng = np.random.default_rng(0)
    for _ in range(4):
        child = subprocess.Popen(
            [sys.executable, "-c", SAVING, str(path)],
            stdout=subprocess.PIPE,
            env=os.environ | {"OMP_NUM_THREADS": "1"},
        )
        assert child.stdout.readline() == b"ready\n"
        while not path.exists():
            time.sleep(0.005)
        time.sleep(float(rng.uniform(0.0, 0.08)))
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
        state, _ = kviz.load(path)
        assert state.document.data.n in (4000, 4001)


def test_a_link_is_followed_and_stays_a_link(tmp_path):
    real, link = tmp_path / "real.kviz", tmp_path / "link.kviz"
    kviz.save(real, state_with())
    link.symlink_to(real)
    kviz.save(link, start_up())
    assert link.is_symlink()
    assert same(kviz.load(real)[0], start_up())
    assert Path(link).exists()
