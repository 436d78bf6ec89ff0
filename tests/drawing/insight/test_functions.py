"""The fit as a vector."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kernelviz.drawing.insight.functions import OTHER, FunctionsMaker, FunctionsPicture
from kernelviz.drawing.insight.picture import NothingToShow
from kernelviz.engine.analysis.functions import compared
from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import dataset

MAKER = FunctionsMaker(FunctionsPicture, FunctionsPicture.switches())


def test_the_bars_add_up_to_the_squared_norm(frame_of):
    frame = frame_of()
    picture = MAKER.make(frame)
    assert picture.terms.sum() == pytest.approx(frame.model.squared_norm)
    assert picture.square == pytest.approx(frame.model.numbers["norm"] ** 2)
    assert set(picture.order.tolist()) <= set(frame.model.support.tolist())


def test_with_a_function_to_compare_with_there_are_four_numbers(frame_of):
    frame = frame_of()
    g = frame_of(how="soft-margin-svm(C=20)").model
    picture = FunctionsMaker(FunctionsPicture, FunctionsPicture.switches(), g).make(frame)
    told = {name: float(value.replace("−", "-")) for name, value in picture.told() if value}
    expected = compared(frame.model, g)
    assert told["⟨f, g⟩ ="] == pytest.approx(expected.product, rel=1e-3)
    assert told["‖f − g‖ ="] == pytest.approx(expected.distance, rel=1e-3)


def test_after_a_change_of_the_kernel_it_is_said_that_the_space_is_another(frame_of):
    g = frame_of(kernel_text="rbf(gamma=3)").model
    picture = FunctionsMaker(FunctionsPicture, FunctionsPicture.switches(), g).make(frame_of())
    assert picture.comparison is None
    assert "different spaces" in picture.words


def test_without_another_fit_of_this_kernel_there_is_nothing_to_compare_with(frame_of):
    picture = MAKER.switched("other", OTHER).make(frame_of())
    assert picture.comparison is None
    assert "no other fit" in picture.words


@pytest.mark.parametrize(
    "setting", [{"how": "nearest-neighbours(k=3)"}, {"kernel_text": "sigmoid(gamma=1, c=-1)"}], ids=str
)
def test_what_has_no_norm_says_so(frame_of, setting):
    assert isinstance(MAKER.make(frame_of(**setting)), NothingToShow)


def test_terms_of_any_size_fill_the_picture(frame_of):
    data = dataset("barely_separable(n=40, gap=1.5)")
    far = Data.labelled(1e4 * data.X, data.z)
    picture = MAKER.make(frame_of(far, "linear", "hard-margin-svm"))
    assert 0.0 < picture.terms.max() < 1e-6
    assert picture.axes[1].high < 2.5 * picture.terms.max()


def test_functions_of_inputs_of_another_kind_leave_the_fit_its_own_numbers(frame_of):
    flat, line = frame_of("rings(n=20, seed=1)"), frame_of(Data.labelled([[0.0], [1.0]], [-1, 1]))
    picture = replace(MAKER, reference=flat.model).make(line)
    assert (picture.comparison, "columns" in picture.words) == (None, True)
    assert picture.square == pytest.approx(line.model.squared_norm)


def test_the_axis_of_a_large_fit_is_not_that_of_a_function_that_is_zero(frame_of):
    large = MAKER.make(frame_of(Data.labelled([[1e6, 0.0], [2e6, 0.0]], [-1, 1]), "linear", "prototype"))
    assert large.axes[1].high > 1e6
    zero = MAKER.make(frame_of(Data.labelled([[1.0, 0.0], [1.0, 0.0]], [-1, 1]), "linear"), before=large)
    assert (len(zero.order), zero.axes[1].high) == (0, 1.0)
