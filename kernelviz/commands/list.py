"""List kernels, algorithms, data sets or lessons with their parameters, bounds and defaults."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from kernelviz.runtime.terminal import DONE, say

KINDS = ("kernels", "algorithms", "datasets", "lessons")


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("kind", nargs="?", choices=KINDS, help="what to list (default: everything)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: Namespace) -> int:
    from kernelviz.session.catalogue import catalogue

    kinds = [arguments.kind] if arguments.kind else list(KINDS)
    found = {kind: catalogue(kind) for kind in kinds}
    if arguments.json:
        import json

        say(json.dumps(found, indent=2, allow_nan=False) + "\n")
    else:
        say("\n".join(_section(kind, entries) for kind, entries in found.items()))
    return DONE


def _section(kind: str, entries: list[dict[str, Any]]) -> str:
    lines = [f"{kind}:"] if entries else [f"{kind}: none yet"]
    for entry in entries:
        described = " ".join(filter(None, (f"{entry['title']}.", entry["summary"])))
        lines.append(f"  {entry['name']:<20} {described}")
        lines += [f"      {_parameter(p)}" for p in entry.get("parameters", [])]
    return "\n".join(lines) + "\n"


def _parameter(p: dict[str, Any]) -> str:
    from kernelviz.engine.core.params import number

    default = p["default"] if isinstance(p["default"], str) else number(p["default"])
    if p["kind"] == "choice":
        values = " | ".join(p["options"])
    elif p["kind"] == "flag":
        values = "true | false"
    else:
        low, high = ("…" if p[end] is None else number(p[end]) for end in ("low", "high"))
        values = f"{p['kind']} from {low} to {high}"
    also = f" Also written as {', '.join(p['also'])}." if p["also"] else ""
    described = f"  {p['help']}.{also}" if p["help"] else also
    return f"{p['name']} = {default}  ({values}){described}"
