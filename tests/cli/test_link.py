"""`kernelviz link`."""

from __future__ import annotations

import json

from kernelviz.cli import program
from kernelviz.session.files.link import state_in
from tests.command_lines import Run, refused


def test_a_link_is_one_line_that_other_commands_take(run: Run) -> None:
    code, link, err = run("link", "moons(n=40)", "--kernel", "rbf(gamma=3)", "--test", "0.25")
    assert (code, err) == (0, "")
    assert link.startswith("kernelviz:1:")
    assert link.count("\n") == 1
    told = json.loads(run("fit", link.strip())[1])
    assert (told["kernel"], told["n"]) == ("rbf(gamma=3)", 30)
    assert run("link", link.strip())[1] == link


def test_a_link_can_be_drawn(run: Run, tmp_path, qapp) -> None:
    link = run("link", "sine(n=20)")[1].strip()
    assert run("render", link, "-o", str(tmp_path / "{name}.png"))[0] == 0
    assert [path.name for path in tmp_path.iterdir()] == ["link.png"]


def test_what_was_done_to_the_points_is_said_beside_the_link(run: Run, tmp_path) -> None:
    table = tmp_path / "heights.csv"
    rows = "\n".join(f"{i},{150 + i},{50 + i % 7},{i % 2}" for i in range(20))
    table.write_text(f",height,weight,label\n{rows}\n")
    code, link, err = run("link", str(table))
    assert (code, link[:12]) == (0, "kernelviz:1:")
    assert "column" in err


def test_a_broken_link_is_one_sentence(run: Run) -> None:
    link = run("link", "moons(n=40)")[1].strip()
    for command in (["fit"], ["render", "-o", "x.png"], ["link"]):
        assert "The link cannot be opened" in refused(run(*command, link[:-3]))


def test_a_link_is_taken_for_a_file_and_a_misspelt_one_is_not(run: Run, monkeypatch) -> None:
    opened = []
    monkeypatch.setattr(program, "_open_window", lambda files: opened.extend(files) or 0)
    assert run("kernelviz:1:AAAA")[0] == 0
    assert opened == ["kernelviz:1:AAAA"]
    assert "unrecognized arguments" in refused(run("kernelviz:1:AAAA", "--strange"))
    assert "no file" in refused(run("kernelvis:1:AAAA", "--strange"))


def test_views_can_be_given_along_and_a_wrong_one_is_a_sentence(run: Run) -> None:
    _, link, _ = run("link", "moons(n=40)", "--views", "gram, loss(hinge=true)")
    assert state_in(link)[1] == {"views": ["gram", "loss(hinge=true)"]}
    assert "gramm" in refused(run("link", "moons", "--views", "gramm"))
