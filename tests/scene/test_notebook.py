"""What notebooks show of data, kernels, models and selections, and of estimators of others."""

from __future__ import annotations

import html
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient
from sklearn.svm import SVC, OneClassSVM

import kernelviz
from kernelviz.engine.core.errors import BadInput

pytestmark = pytest.mark.usefixtures("qapp")
EXAMPLE = Path(__file__).parent.parent.parent / "resources" / "examples" / "notebook.ipynb"


def table(shown: str) -> dict[str, list[str]]:
    """The rows of the table by their first cell."""
    root = ElementTree.fromstring(re.sub(r"<img [^>]*>", "", shown))
    rows = ([cell.text or "" for cell in row] for row in root.iter("tr"))
    return {name: cells for name, *cells in rows}


def picture(shown: str) -> str:
    """The SVG inside the HTML, as a browser reads it."""
    return unquote(html.unescape(re.findall(r'src="data:image/svg\+xml,([^"]*)"', shown)[0]))


def test_a_model_shows_its_picture_and_its_numbers():
    model = kernelviz.fit(kernelviz.dataset("rings(n=60, seed=1)"), algorithm="soft-margin-svm(C=3)")
    shown = model._repr_html_()
    assert picture(shown) == model._repr_svg_().replace('"', "'")
    ElementTree.fromstring(picture(shown))
    rows = table(shown)
    assert rows["kernel"] == ["Gaussian (γ = 1)"]
    assert rows["algorithm"] == ["Soft-margin SVM (C = 3)"]
    assert rows["points"] == ["60"]
    assert rows["support vectors"] == [str(model.summary()["support_vectors"])]
    assert model.message.replace("<", "&lt;") in shown


def test_the_paper_is_opaque_and_the_table_has_the_colours_of_the_page():
    shown = kernelviz.fit(kernelviz.dataset("rings(n=20)"))._repr_html_()
    assert re.search(r"<g fill='#ffffff'[^>]*>\s*<rect x='0' y='0'", picture(shown))
    outside = re.sub(r"<img [^>]*>", "", shown)
    assert set(re.findall(r"(?<!-)(?:color|background):([^;\"]*)", outside)) == {"inherit", "none"}
    dark = kernelviz.show("rings(n=20)", theme="dark")._repr_html_()
    assert "<g fill='#ffffff'" not in picture(dark)


def test_data_show_their_classes_by_name_whatever_characters_they_have():
    data = kernelviz.Data.labelled([[0, 0], [1, 1], [2, 0]], ["<b>", "a & b", "a & b"])
    assert table(data._repr_html_())["a & b"] == ["2"]
    assert "<b>" not in data._repr_html_()
    wide = kernelviz.Data.labelled(np.eye(4), [0, 1, 2, 2])
    assert wide._repr_svg_() is None
    assert table(wide._repr_html_())["class 2"] == ["2"]


def test_a_title_may_have_any_characters():
    shown = kernelviz.show("moons(n=20)", title='n < 30 & "noise" &lt; 1')._repr_html_()
    title = ElementTree.fromstring(picture(shown)).find("{http://www.w3.org/2000/svg}title")
    assert title.text == 'n < 30 & "noise" &lt; 1'


def test_a_kernel_shows_its_curves_and_one_of_strings_has_none():
    assert kernelviz.kernel("rbf(gamma=2)")._repr_svg_()
    words = kernelviz.kernel("spectrum(length=2)")
    assert words._repr_svg_() is None
    assert table(words._repr_html_())["kernel"] == ["Spectrum (k = 2)"]


def test_a_selection_shows_what_it_chose():
    data = kernelviz.dataset("moons(n=40, noise=0.3)")
    found = kernelviz.select(data, over={"gamma": (0.1, 10, 3), "C": (1, 100, 3)}, jobs=1)
    rows = table(found._repr_html_())
    best, simplest = (found.chosen(cell)["kernel"] for cell in (found.best, found.one_standard_error))
    assert rows[""] == ["best", "one standard error"]
    assert rows["kernel"] == [best, simplest]
    assert found._repr_svg_()


def test_several_fits_are_shown_side_by_side_with_their_numbers():
    exhibit = kernelviz.show("moons(n=40)", "rbf(gamma=1) ; ridge", "linear ; logistic", views=["gram"])
    rows = table(exhibit._repr_html_())
    assert rows[""] == ["A", "B"]
    assert rows["algorithm"] == ["Kernel ridge (λ = 0.1)", "Kernel logistic regression (λ = 0.1)"]
    assert len(rows["training error"]) == 2


def test_in_a_terminal_the_text_says_how_to_see_it():
    assert repr(kernelviz.show("moons(n=40)", "linear ; ridge")) == (
        "<Kernel ridge (λ = 0.1): a notebook shows it when it is the last line of a cell>"
    )


@pytest.mark.parametrize(
    ("arguments", "options", "sentence"),
    [
        ((3,), {}, "fitted estimator with its points, not int"),
        (("moons", "linear ; ridge", "linear"), {}, "A fit is a kernel and an algorithm"),
        (("moons", *["linear ; ridge"] * 5), {}, "up to 4 fits, not 5"),
        (("moons",), {"colour": "red"}, r"Unknown figure option 'colour'\. Did you mean colours"),
        (("moons",), {"heading": "x"}, "Unknown figure option 'heading'"),
        ((kernelviz.kernel("linear"), "linear ; ridge"), {}, "Fits and views are shown of data"),
        ((OneClassSVM(),), {}, "with the points that it is drawn with"),
        ((SVC(), [[0.0, 1.0], [1.0, 0.0]], [1, 0]), {}, "SVC cannot score these points: .*not fitted"),
    ],
)
def test_what_cannot_be_shown_is_said_in_a_sentence(arguments, options, sentence):
    with pytest.raises(BadInput, match=sentence):
        kernelviz.show(*arguments, **options)


def test_the_package_is_imported_without_numpy_though_its_objects_show_themselves():
    code = "import sys, kernelviz; assert not {'numpy', 'scipy', 'PySide6', 'matplotlib'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_example_notebook_runs_and_shows_a_picture_for_every_cell(tmp_path):
    notebook = nbformat.read(EXAMPLE, as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "it is kept without its outputs"
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": tmp_path}}).execute()
    for cell in notebook.cells:
        if cell.cell_type == "code":
            kinds = set().union(*(output.get("data", {}) for output in cell.outputs))
            assert kinds >= {"image/png"} if "plt" in cell.source else {"text/html", "image/svg+xml"}
            assert not any(output.output_type in ("error", "stream") for output in cell.outputs)
