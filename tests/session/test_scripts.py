"""Copy as Python: the scripts run, and give the same scores."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys

import numpy as np
import pytest
from matplotlib import rc_context

import kernelviz
from kernelviz.engine.analysis.kernel_pca import kernel_pca
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import REAL
from kernelviz.engine.fits.parsing import algorithm, dataset, kernel
from kernelviz.engine.fits.registry import algorithms, kernels
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.models.sampling import scores_in_category
from kernelviz.engine.numbers.of_fit import on_held_out
from kernelviz.session.figure_options import FigureOptions
from kernelviz.session.panels import Panels
from kernelviz.session.scripts.recipes import EXPRESSIONS, ONE_AGAINST_ONE, RECIPES, numpy_expression
from kernelviz.session.scripts.script import kernelviz_script, sklearn_script
from kernelviz.session.scripts.text import Sheet
from kernelviz.session.state import Document, State, start_up
from kernelviz.session.view import Look, ViewRange
from kernelviz.session.workspaces.plane import PlaneWorkspace
from kernelviz.session.workspaces.registry import workspace_of

PLACES = np.random.default_rng(0).uniform(-2, 2, (60, 2))


def state_with(
    data="gaussians(n=40, seed=3)", kernel_text="rbf(gamma=0.7)", how="soft-margin-svm(C=2)", **look
):
    points = dataset(data) if isinstance(data, str) else data
    source = data if isinstance(data, str) else ""
    document = Document.of(points, kernel(kernel_text), algorithm(how), source)
    return State(
        document, Look(**{"view": ViewRange(-3, 3, -2.5, 2.5), "shown": PlaneWorkspace().shown, **look})
    )


FIGURES = ("x1 = np.linspace", "x = np.linspace", "pca = ", "kernelviz.render(")


@pytest.fixture
def executed(tmp_path, monkeypatch):
    """Run a script and return the names it defines.

    Its figure is left out unless it is asked for: figures take most of the time."""
    monkeypatch.chdir(tmp_path)

    def run(script, *, with_figure=False):
        for figure in () if with_figure else FIGURES:
            script = script.partition(f"\n{figure}")[0]
        names: dict[str, object] = {}
        exec(compile(script, "script.py", "exec"), names)
        return names

    return run


def fitted(state):
    document = state.document
    return kernelviz.fit(document.data, kernel=document.kernel, algorithm=document.algorithm)


ALGORITHMS = [
    "soft-margin-svm(C=2, tol=1e-6)",
    "squared-slack-svm(lam=0.5, tol=1e-6)",
    "nu-svm(nu=0.37, tol=1e-6)",  # νn odd: else all weights may be at their bound and b is not unique
    "one-class-svm(nu=0.3, tol=1e-6)",
    "ridge(lam=0.3)",
    "ridge(lam=0.3, targets=zero-one)",
    "logistic(lam=0.2)",
    "nearest-neighbours(k=3)",
    "feature-map(features=squares, model=logistic, lam=0.1)",
    "feature-map(features=polar, model=ridge, lam=0.1)",
    "feature-map(features=monomials, degree=3, model=hinge, lam=0.01)",
    "feature-map(features=coordinates, model=logistic, lam=0.1)",
]


@pytest.mark.parametrize("how", ALGORITHMS)
@pytest.mark.parametrize("kernel_text", ["rbf(gamma=0.7)", "0.5*laplacian(gamma=1) + linear"])
def test_the_scikit_learn_script_gives_the_same_scores(how, kernel_text, executed):
    state = state_with(how=how, kernel_text=kernel_text)
    names = executed(sklearn_script(state))
    assert names["score"](PLACES) == pytest.approx(fitted(state).score(PLACES), abs=2e-4)


CURVES = [
    "svr(C=3, epsilon=0.1, tol=1e-6)",
    "nu-svr(C=3, nu=0.37, tol=1e-6)",
    "gaussian-process(noise=0.05)",
    "ridge(lam=0.2)",
    "nearest-neighbours(k=3)",
    "feature-map(features=monomials, degree=5, model=ridge, lam=0.1)",
]


@pytest.mark.parametrize("how", CURVES)
@pytest.mark.parametrize("kernel_text", ["rbf(gamma=3)", "0.5*laplacian(gamma=1) + linear"])
def test_the_scikit_learn_script_gives_the_same_curve(how, kernel_text, executed):
    state = state_with("sine(n=40, seed=3)", how=how, kernel_text=kernel_text)
    names = executed(sklearn_script(state))
    x = np.linspace(-2.2, 2.2, 50)[:, None]
    model = fitted(state)
    assert names["score"](x) == pytest.approx(model.score(x), abs=5e-4)
    if how.startswith("gaussian"):
        assert names["deviation"](x) == pytest.approx(model.deviation(x), abs=1e-6)


@pytest.mark.parametrize("kernel_text", ["rbf(gamma=3)", "0.5*laplacian(gamma=1) + matern32"])
def test_the_script_of_nadaraya_watson_takes_the_same_mean(kernel_text, executed):
    state = state_with("sine(n=40, seed=3)", how="nadaraya-watson", kernel_text=kernel_text)
    names = executed(sklearn_script(state))
    x = np.linspace(-2.2, 2.2, 50)[:, None]
    assert names["score"](x) == pytest.approx(fitted(state).score(x), abs=1e-9)


@pytest.mark.parametrize("kernel_text", ["rbf(gamma=3)", "2*laplacian(gamma=5)", "matern32(l=0.01)"])
def test_the_script_of_nadaraya_watson_has_a_mean_also_far_from_all_points(kernel_text, executed):
    state = state_with("sine(n=40, seed=3)", how="nadaraya-watson", kernel_text=kernel_text)
    names = executed(sklearn_script(state))
    far, y = np.array([[-1e3], [-300.0], [500.0]]), state.document.data.y
    with np.errstate(all="raise", under="ignore"):
        means = names["score"](far)
    assert ((y.min() <= means) & (means <= y.max())).all()
    if "matern" not in kernel_text:  # its weights vanish for numpy, and then all points count alike
        assert means == pytest.approx(fitted(state).score(far), abs=1e-9)


@pytest.mark.parametrize("nu", [0.1, 0.37, 0.9])
def test_the_script_of_nu_svr_finds_the_same_tube(nu, executed):
    state = state_with(
        "sine(n=40, seed=3)", how=f"nu-svr(C=3, nu={nu}, tol=1e-6)", kernel_text="rbf(gamma=3)"
    )
    names = executed(sklearn_script(state))
    assert names["epsilon"] == pytest.approx(fitted(state).tube, abs=1e-3)


@pytest.mark.parametrize(
    "how", ["svr(C=3, epsilon=0.1)", "nu-svr(C=3, nu=0.37)", "gaussian-process(noise=0.05)"]
)
def test_the_scikit_learn_script_draws_the_curve_in_its_tube_or_band(how, tmp_path, executed):
    state = state_with("sine(n=40, seed=3)", how=how)
    look = workspace_of(state.document.data).look(state.document.data)
    names = executed(sklearn_script(State(state.document, look)), with_figure=True)
    (band,) = [c for c in names["ax"].collections if type(c).__name__ == "FillBetweenPolyCollection"]
    reach = band.get_datalim(names["ax"].transData)
    assert reach.y0 < names["s"].min() - 0.05
    assert names["s"].max() + 0.05 < reach.y1
    names["plt"].close("all")
    assert (tmp_path / "figure-sklearn.png").exists()


def test_every_recipe_is_tried_here():
    tried = {how.partition("(")[0] for how in (*ALGORITHMS, *CURVES)} | {"hard-margin-svm", "nadaraya-watson"}
    assert tried == set(RECIPES)
    assert set(RECIPES) <= set(algorithms())


def test_the_hard_margin_is_a_soft_one_without_slack(executed):
    state = state_with("rings(n=40, noise=0.05, seed=1)", how="hard-margin-svm(tol=1e-6)")
    names = executed(sklearn_script(state))
    assert names["score"](PLACES) == pytest.approx(fitted(state).score(PLACES), abs=1e-3)


@pytest.mark.parametrize("name", sorted(name for name, cls in kernels().items() if cls.domain == "vectors"))
def test_every_kernel_can_be_written(name, executed):
    # The penalty keeps the system regular for the one kernel that is not positive semi-definite.
    lam = 1 if kernel(name).positive_definite else 100
    state, places = state_with(how=f"ridge(lam={lam})", kernel_text=name), PLACES
    if kernel(name).weights_only:
        state = state_with("sine(n=20)", how="nadaraya-watson", kernel_text=name)
        places = state.document.data.X
    names = executed(sklearn_script(state))
    expected = state.document.kernel(places, state.document.data.X)
    assert names["K"](places, state.document.data.X) == pytest.approx(expected)
    assert names["score"](places) == pytest.approx(fitted(state).score(places), rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("name", sorted(EXPRESSIONS))
def test_kernels_in_numpy_are_right_for_other_parameters_too(name):
    from scipy.spatial.distance import cdist

    made = kernel(name)
    values = {
        p.name: p.soft[0] + 0.37 * (min(p.soft[1], 3.0) - p.soft[0])
        for p in made.parameters()
        if p.kind is REAL
    }
    changed = made.replace(**values)
    A, B = PLACES[:7], PLACES[7:12]
    found = eval(numpy_expression(changed), {"np": np, "cdist": cdist, "A": A, "B": B})
    assert found == pytest.approx(changed(A, B), rel=1e-9)


@pytest.mark.parametrize(
    "name", ["linear", "rbf(gamma=2)", "polynomial(degree=2)", "homogeneous(degree=3)", "sigmoid"]
)
def test_kernels_scikit_learn_knows_are_called_by_their_names(name, executed):
    state = state_with(kernel_text=name, how="soft-margin-svm(C=1, tol=1e-6)")
    script = sklearn_script(state)
    assert "def K" not in script
    if kernel(name).positive_definite:
        names = executed(script)
        assert names["score"](PLACES) == pytest.approx(fitted(state).score(PLACES), abs=1e-3)


def test_sums_and_products_keep_their_meaning(executed):
    state = state_with(kernel_text="2*rbf(gamma=1)*(linear + polynomial(degree=2)) + 0.5*laplacian(gamma=2)")
    names = executed(sklearn_script(state))
    assert names["K"](PLACES, PLACES[:5]) == pytest.approx(state.document.kernel(PLACES, PLACES[:5]))


@pytest.mark.parametrize("how", sorted(set(algorithms()) - set(RECIPES)))
def test_what_scikit_learn_does_not_have_is_said_in_a_sentence(how):
    with pytest.raises(BadInput, match=r"scikit-learn has no .* It has: "):
        sklearn_script(state_with(how=how))


STRINGS = "subsequence(length=2, decay=0.5, normalised=true)"


@pytest.mark.parametrize("how", [how for how in ALGORITHMS if how.partition("(")[0] != "feature-map"])
def test_strings_are_fitted_by_scikit_learn_with_the_kernel_of_kernelviz(how, executed):
    state = state_with("spelling", STRINGS, how)
    names = executed(sklearn_script(state))
    asked = ["sentense", "banan", "nothing alike"]
    assert names["score"](asked) == pytest.approx(fitted(state).score(asked), abs=1e-5)


@pytest.mark.parametrize("text", ["sp,ace", "quo\"te's", "tab\there", "naïve e\u0301", ""])
def test_scripts_hold_whatever_is_in_a_string(text, executed):
    data = Data.labelled([text, "sentence", "banana", "bananna"], ["a", "a", "b", "b"])
    state = state_with(data, STRINGS)
    script = kernelviz_script(state)
    assert executed(script)["data"].X == data.X
    assert executed(sklearn_script(state))["X"] == list(data.X)


def test_the_map_of_strings_is_drawn_by_matplotlib_with_the_components_chosen(tmp_path, executed):
    state = state_with("spelling", STRINGS, components=(0, 2))
    names = executed(sklearn_script(state), with_figure=True)
    assert (tmp_path / "figure-sklearn.png").exists()
    ours = kernel_pca(Problem(state.document.data, state.document.kernel), 3).projections[:, [0, 2]]
    assert np.abs(names["at"]) == pytest.approx(np.abs(ours), abs=1e-8)
    assert "components=(1, 3)" in kernelviz_script(state)


@pytest.mark.parametrize("classes", [("a $x^$", "b $\\frac$"), ("a", "b", "c $\\frac$")])
@pytest.mark.parametrize("texts", [True, False])
def test_a_dollar_is_no_formula(classes, texts, tmp_path, executed):
    inputs = ["$\\frac$ x", "cost $5 and $6", "x_$y^$", "plain", "c", "d"] if texts else PLACES[:6]
    data = Data.labelled(
        inputs, [classes[i % len(classes)] for i in range(6)], () if texts else ("$a^$", "b")
    )
    script = sklearn_script(state_with(data, STRINGS if texts else "rbf(gamma=1)"))
    with rc_context():
        executed(script, with_figure=True)
    assert (tmp_path / "figure-sklearn.png").exists()


def test_features_of_strings_and_no_points_are_said_in_a_sentence():
    words = Data.labelled(["ab", "ba"], [1, -1])
    with pytest.raises(BadInput, match="needs inputs that are numbers"):
        sklearn_script(state_with(words, STRINGS, "feature-map"))
    with pytest.raises(BadInput, match="no points"):
        sklearn_script(state_with(PlaneWorkspace().empty()))


def test_a_regression_is_written_with_its_targets(executed):
    x = np.linspace(0, 3, 20)[:, None]
    state = state_with(Data.regression(x, np.sin(x[:, 0])), how="ridge(lam=0.1)")
    names = executed(sklearn_script(state), with_figure=True)
    assert names["score"](x + 0.05) == pytest.approx(fitted(state).score(x + 0.05))


# More than two classes ----------------------------------------------------------------------------------
SEVERAL = [
    "soft-margin-svm(C=2, tol=1e-6)",
    "squared-slack-svm(lam=0.5, tol=1e-6)",
    "nu-svm(nu=0.37, tol=1e-6)",
    "logistic(lam=0.2)",
]
OVERLAPPING = "blobs(n=50, classes=4, noise=0.9, seed=2)"


@pytest.mark.parametrize("how", SEVERAL)
@pytest.mark.parametrize("kernel_text", ["rbf(gamma=0.7)", "0.5*laplacian(gamma=1) + linear"])
def test_with_several_classes_scikit_learn_votes_as_we_do(how, kernel_text, executed):
    state = state_with(OVERLAPPING, kernel_text, how)
    names = executed(sklearn_script(state))
    model = fitted(state)
    scores = names["score"](PLACES)
    assert scores == pytest.approx(model.score(PLACES), abs=2e-4)
    assert scores.argmax(axis=1).tolist() == model.codes(PLACES).tolist()
    if "SVC" in type(names["model"]).__name__ and "squared" not in how:
        assert names["model"].predict(PLACES).tolist() == model.codes(PLACES).tolist()


def test_several_classes_are_separated_by_a_hard_margin_too(executed):
    state = state_with("blobs(n=45, classes=3, noise=0.2, seed=1)", how="hard-margin-svm(tol=1e-6)")
    names = executed(sklearn_script(state))
    assert names["score"](PLACES) == pytest.approx(fitted(state).score(PLACES), abs=1e-3)


def test_every_vote_of_scikit_learn_is_tried_here():
    tried = {how.partition("(")[0] for how in SEVERAL}
    assert tried | {"hard-margin-svm", "one-class-svm"} == ONE_AGAINST_ONE


def test_a_class_without_points_has_no_vote(executed):
    data = dataset("blobs(n=40, classes=4, seed=1)")
    state = state_with(data.subset(data.y != 1))
    names = executed(sklearn_script(state))
    assert names["names"] == ["A", "C", "D"]
    ours = fitted(state).codes(PLACES).astype(int)
    theirs = names["score"](PLACES).argmax(axis=1)
    assert [data.class_names[k] for k in ours] == [names["names"][k] for k in theirs]


def test_two_classes_out_of_several_are_refused_in_a_sentence():
    data = dataset("blobs(n=40, classes=4, seed=1)")
    with pytest.raises(BadInput, match="at least three"):
        sklearn_script(state_with(data.subset(data.y < 2)))


@pytest.mark.parametrize("how", sorted(set(RECIPES) - ONE_AGAINST_ONE))
def test_what_scikit_learn_does_otherwise_for_several_classes_is_said_in_a_sentence(how):
    with pytest.raises(BadInput, match=r"more than two classes .* It has: "):
        sklearn_script(state_with(OVERLAPPING, how=how))


def test_the_figure_of_several_classes_shows_the_same_regions(tmp_path, executed):
    state = state_with(OVERLAPPING, how="soft-margin-svm(C=2, tol=1e-6)")
    names = executed(sklearn_script(state), with_figure=True)
    names["plt"].close("all")
    assert (tmp_path / "figure-sklearn.png").read_bytes().startswith(b"\x89PNG")
    ours = fitted(state).on_grid(names["x1"], names["x2"]).argmax(axis=0)
    assert np.mean(ours != names["winner"]) < 1e-3


def test_the_small_figure_of_the_scikit_learn_script_shows_all_of_its_text(executed):
    points = dataset("gaussians(n=40, seed=3)")
    data = Data.labelled(points.X, np.where(points.z > 0, "ill", "well"), ("blood pressure (mmHg)", "age"))
    options = FigureOptions(width=1004, height=945, dpi=300, text=7, theme="dark")
    script = sklearn_script(state_with(data), Sheet(options))
    names = executed(script, with_figure=True)
    ax, paper = names["ax"], names["fig"].bbox
    inside = paper.intersection(ax.get_tightbbox(), paper)
    named = {text.get_text() for text in ax.get_legend().get_texts()}
    names["plt"].close("all")
    assert inside.bounds == pytest.approx(ax.get_tightbbox().bounds, abs=1.0)
    assert named == {"ill", "well", "support vectors"}
    assert ax.get_xticklabels()[0].get_fontsize() == 7
    assert "not in those of the dark one" in script


@pytest.mark.parametrize("how", ["soft-margin-svm(C=2, tol=1e-6)", "ridge(lam=0.3)"])
def test_the_figure_of_categories_has_a_plane_for_each(how, tmp_path, executed):
    state = state_with("colours(n=60)", "rbf(gamma=1)*category(share=0.2)", how)
    names = executed(sklearn_script(state), with_figure=True)
    shown = [ax.get_title() for ax in names["fig"].axes if ax.get_visible()]
    names["plt"].close("all")
    data, panels = state.document.data, Panels.of(state.document.data)
    assert shown == list(data.categories.names)
    assert (tmp_path / "figure-sklearn.png").read_bytes().startswith(b"\x89PNG")
    last = len(panels.names) - 1
    ours = scores_in_category(fitted(state), last, names["x1"], names["x2"])
    assert ours == pytest.approx(names["S"], abs=1e-3)


# With kernelviz -----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "data",
    [
        "rings(n=30, seed=2)",
        Data.labelled(PLACES, ["spam" if x > 0 else 'ham "and" eggs' for x in PLACES[:, 0]], ["a", "b'c"]),
        Data.labelled(PLACES, np.sign(PLACES[:, 1])),
        Data.labelled(PLACES, ["left", "middle", "right"] * 20),
    ],
    ids=["a data set", "named classes", "numbers", "three classes"],
)
def test_the_kernelviz_script_rebuilds_data_and_fit(data, executed):
    state = state_with(data)
    names = executed(kernelviz_script(state))
    rebuilt = names["data"]
    assert np.array_equal(rebuilt.X, state.document.data.X)
    assert np.array_equal(rebuilt.target, state.document.data.target)
    assert rebuilt.class_names == state.document.data.class_names
    assert rebuilt.columns == state.document.data.columns
    assert names["model"].score(PLACES) == pytest.approx(fitted(state).score(PLACES), abs=1e-12)


@pytest.mark.parametrize("how", sorted(algorithms()))
def test_every_algorithm_can_be_written_with_kernelviz(how, executed):
    state = state_with(data_for(algorithm(how)), how=how)
    names = executed(kernelviz_script(state))
    assert names["model"].score(PLACES) == pytest.approx(fitted(state).score(PLACES), abs=1e-12)


def data_for(how):
    """A data set with two classes, or points with the target the algorithm asks for instead."""
    if Task.TWO_CLASSES in how.tasks:
        return "rings(n=20, seed=1)"
    return Data.regression(PLACES, PLACES[:, 0]) if Task.REGRESSION in how.tasks else Data.unlabelled(PLACES)


def test_regression_and_points_without_a_target_are_rebuilt_too(executed):
    x = np.linspace(0, 3, 20)[:, None]
    state = state_with(Data.regression(x, np.sin(x[:, 0])), how="ridge(lam=0.1)")
    assert np.array_equal(executed(kernelviz_script(state))["data"].y, np.sin(x[:, 0]))
    state = state_with(Data.unlabelled(PLACES), how="one-class-svm(nu=0.2)")
    assert np.array_equal(executed(kernelviz_script(state))["data"].X, PLACES)


def test_a_data_set_that_was_edited_is_written_out_point_by_point():
    state = start_up()
    assert 'dataset("rings(' in kernelviz_script(state)
    moved = PlaneWorkspace().placed(state.document.data, [0], [[1, 1]])
    assert "dataset(" not in kernelviz_script(State(state.document.replace(data=moved), state.look))


def test_standardised_coordinates_are_mentioned():
    state = state_with()
    told = State(state.document.replace(standardised=True), state.look)
    for write in (kernelviz_script, sklearn_script):
        assert "standardised" in write(told)
        assert "standardised" not in write(state)


@pytest.mark.parametrize("write", [kernelviz_script, sklearn_script])
def test_scripts_are_short_lines_of_plain_code(write):
    state = state_with("gaussians(n=300, seed=1)", kernel_text="0.5*matern52(l=0.3) + rational_quadratic")
    moved = state.document.replace(data=PlaneWorkspace().placed(state.document.data, [0], [[1, 1]]))
    script = write(State(moved, state.look))
    assert max(map(len, script.splitlines())) <= 130
    assert "\n\n\n" not in script


HOSTILE = '");import os;os.abort();("'


@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.parametrize("write", [kernelviz_script, sklearn_script])
def test_names_from_a_file_cannot_smuggle_code_in(write, count, executed):
    labels = [(HOSTILE, "b\n'''", "c\\")[k % count] for k in range(len(PLACES))]
    data = Data.labelled(PLACES, labels, [HOSTILE, "two\nlines"])
    document = state_with(data).document.replace(source=HOSTILE)
    script = write(State(document, Look(shown=PlaneWorkspace().shown)))
    attributes = {node.attr for node in ast.walk(ast.parse(script)) if isinstance(node, ast.Attribute)}
    assert "abort" not in attributes
    executed(script)


# Whole scripts, with their figures -----------------------------------------------------------------------
@pytest.mark.parametrize("how", ["one-class-svm(nu=0.2)", "nearest-neighbours(k=3)", "ridge(lam=1)"])
def test_the_script_draws_its_figure_with_matplotlib(how, tmp_path, executed):
    state = state_with(how=how)
    names = executed(sklearn_script(state), with_figure=True)
    names["plt"].close("all")
    assert (tmp_path / "figure-sklearn.png").read_bytes().startswith(b"\x89PNG")
    model = fitted(state)
    assert names["S"] == pytest.approx(model.on_grid(names["x1"], names["x2"]), abs=2e-3)


@pytest.mark.parametrize("write", [kernelviz_script, sklearn_script])
def test_the_whole_script_runs_as_a_program(write, tmp_path):
    (tmp_path / "script.py").write_text(write(state_with()), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "error", "script.py"],
        cwd=tmp_path,
        env={**os.environ, "MPLBACKEND": "agg", "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (figure,) = tmp_path.glob("*.png")
    assert figure.read_bytes().startswith(b"\x89PNG")


def test_the_two_scripts_write_figures_of_their_own():
    written = {
        write: set(re.findall(r'"([^"]+\.png)"', write(state_with())))
        for write in (kernelviz_script, sklearn_script)
    }
    assert all(written.values())
    assert not set.intersection(*written.values())


@pytest.mark.parametrize("data", ["rings(n=30, seed=2)", Data.labelled(PLACES, ["a", "b", "c"] * 20)])
def test_our_script_needs_nothing_but_what_is_public(data):
    tree = ast.parse(kernelviz_script(state_with(data, shown=frozenset({"points"}), mode="watch", step=2)))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert imported <= {"kernelviz", "numpy"}
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    used = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "kernelviz"
    }
    assert {"fit", "render"} <= used <= set(kernelviz.__all__)


def test_the_script_says_the_limits_that_were_typed_and_else_what_is_seen():
    state = state_with("rings(n=20, seed=1)")
    assert "view=(" in kernelviz_script(state)
    typed = State(state.document, state.look.replace(limits=ViewRange(0.1, 0.7, -1.0, 2.0)))
    assert "limits=(0.1, 0.7, -1" in kernelviz_script(typed)
    assert "np.linspace(0.1, 0.7, 200)" in sklearn_script(typed)


HELD_OUT = [
    ("sine(n=40, seed=1)", "rbf(gamma=3)", "ridge(lam=0.1)", "mean_squared_error"),
    ("moons(n=40, seed=1, noise=0.4)", "rbf", "soft-margin-svm(C=2)", "error"),
    ("blobs(n=50, classes=4, noise=0.9, seed=2)", "rbf", "soft-margin-svm(C=2)", "error"),
    (Data.labelled(PLACES, ["no", "yes", "yes"] * 20), "rbf", "soft-margin-svm(C=2)", "error"),
    ("spelling", "spectrum(length=2)", "soft-margin-svm(C=2)", "error"),
]


@pytest.mark.parametrize("write", [kernelviz_script, sklearn_script])
@pytest.mark.parametrize("hold_out", ["share", "fresh"])
@pytest.mark.parametrize(("data", "kernel_text", "how", "number"), HELD_OUT)
def test_scripts_test_on_the_held_out_points(
    write, hold_out, data, kernel_text, how, number, capsys, executed
):
    state = state_with(data, kernel_text, how)
    try:
        held = (
            state.document.with_share_aside(0.3)
            if hold_out == "share"
            else state.document.with_fresh_points(50)
        )
    except BadInput:  # of strings and of points from elsewhere there are no fresh ones
        assert hold_out == "fresh"
        assert data == "spelling" or not isinstance(data, str)
        return
    state = State(held, state.look)
    executed(write(state))
    error = getattr(on_held_out(fitted(state), held.held_out.data), number)
    printed = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("held-out"))
    assert float(printed.split()[-1]) == pytest.approx(error, rel=1e-4, abs=1e-9)


def test_our_script_draws_the_true_function_and_the_held_out_points(monkeypatch, qapp, executed):
    state = state_with("sine(n=40, seed=1)", "rbf(gamma=3)", "ridge(lam=0.1)")
    shown = frozenset({"curve", "truth", "points", "held_out"})
    state = State(state.document.with_share_aside(0.3), state.look.replace(shown=shown))
    monkeypatch.setattr(kernelviz, "render", lambda *_, **told: drawn.update(told))
    drawn: dict[str, object] = {}
    executed(kernelviz_script(state), with_figure=True)
    assert dataset(drawn["source"]).n == 40
    assert np.array_equal(drawn["held_out"].y, state.document.held_out.data.y)


@pytest.mark.parametrize(
    ("data", "how", "other"), [("sine(n=9)", "kernel-sgd", "soft-margin-svm"), ("moons", "perceptron", "svr")]
)
def test_only_what_applies_to_these_data_is_named_where_scikit_learn_has_nothing(data, how, other):
    with pytest.raises(BadInput) as refusal:
        sklearn_script(state_with(data, "rbf", how))
    named = str(refusal.value).partition("It has: ")[2].rstrip(".").split(", ")
    assert other not in named
    assert {"ridge", "nearest-neighbours"} <= set(named)
