"""The long form: `python -m tests.monkey --events 100000 --seed 7`, with or without a screen."""

from __future__ import annotations

import argparse
import faulthandler
import os
import sys
import tempfile
from pathlib import Path
from time import perf_counter

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.monkey", description=__doc__)
    parser.add_argument("--events", type=int, default=100_000, help="how many actions (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="which user; the same seed does the same things")
    parser.add_argument(
        "--from", type=int, default=0, dest="first", help="leave out the actions before this one"
    )
    parser.add_argument("--look-every", type=int, default=500, help="actions between two looks around")
    parser.add_argument("--log", type=Path, help="where every action is written before it is done")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kernelviz-monkey-") as home:
        return _walk(wanted, Path(home))


def _walk(wanted: argparse.Namespace, home: Path) -> int:
    """Run it with settings, state and files in a folder of its own."""
    os.environ |= {
        "HOME": str(home),
        "XDG_STATE_HOME": str(home / "state"),
        "XDG_CONFIG_HOME": str(home / "config"),
    }
    log = wanted.log or Path(tempfile.gettempdir()) / f"monkey-{wanted.seed}.log"
    from PySide6.QtWidgets import QApplication

    from tests.monkey.walk import Failed, Walk

    app = QApplication(["kernelviz"])
    app.setQuitOnLastWindowClosed(False)
    os.chdir(home)
    began = perf_counter()
    print(f"seed {wanted.seed}, {wanted.events} actions, written to {log}", flush=True)
    faulthandler.enable()
    with log.open("w") as file:
        walk = Walk(
            home,
            wanted.seed,
            first=wanted.first,
            look_every=wanted.look_every,
            large=True,
            log=file,
            tell=_tell,
        )
        try:
            walk.go(wanted.events)
        except Failed as problem:
            print(problem, file=sys.stderr)
            return 1
    print(f"all well after {perf_counter() - began:.0f} s")
    return 0


def _tell(words: str) -> None:
    print(words, flush=True)


if __name__ == "__main__":
    sys.exit(main())
