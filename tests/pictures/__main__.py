"""`python -m tests.pictures write DIR [DOCUMENT ...]`, `compare OLD NEW`, or `approve`."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def main() -> int:
    from tests.pictures.comparing import compare
    from tests.pictures.documents import DOCUMENTS

    parser = argparse.ArgumentParser(prog="python -m tests.pictures", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    write = verbs.add_parser("write", help="draw everything into a folder")
    write.add_argument("folder", type=Path)
    write.add_argument("names", nargs="*", help=f"any of: {', '.join(DOCUMENTS)} (default: all)")
    comparing = verbs.add_parser("compare", help="list what differs between two folders")
    comparing.add_argument("old", type=Path)
    comparing.add_argument("new", type=Path)
    verbs.add_parser("approve", help="draw the approved pictures of the tests again")
    verbs.add_parser("starts", help="draw the pictures of the states to begin with again")
    verbs.add_parser("views", help="draw the pictures of insight views again")
    asked = parser.parse_args()
    if asked.verb == "compare":
        lines = compare(asked.old, asked.new)
        print("\n".join(lines) or "No difference.")
        return 1 if lines else 0
    if asked.verb == "starts":
        from kernelviz.session.starts import STARTS
        from tests.pictures.starts import draw_start

        for start in STARTS:
            draw_start(start, start.picture)
        return 0
    if asked.verb == "views":
        from PySide6.QtWidgets import QApplication

        from kernelviz.session.themes import THEMES
        from kernelviz.session.view_listing import listed_views
        from tests.pictures.views import draw_view

        QApplication([])
        for listed in listed_views():
            for theme in THEMES:
                draw_view(listed, theme, listed.picture(theme))
        return 0
    if asked.verb == "approve":
        from kernelviz.scene.export.composition import render_state
        from kernelviz.scene.export.options import Options

        for name, document in DOCUMENTS.items():
            path = Path(__file__).with_name("approved") / f"{name}.png"
            path.parent.mkdir(exist_ok=True)
            render_state(document.state(), path, Options(width=640, height=480, dpi=100.0))
        return 0
    if unknown := set(asked.names) - set(DOCUMENTS):
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    from tests.pictures.commands import write_answers
    from tests.pictures.drawing import draw_documents

    asked.folder.mkdir(parents=True, exist_ok=True)
    draw_documents(asked.folder, asked.names or list(DOCUMENTS), lambda line: print(line, flush=True))
    if not asked.names:
        write_answers(asked.folder / "command line.json")
    return 0


if __name__ == "__main__":
    sys.exit(main())
