"""What the canvas says of a picture that cannot show what is asked for."""

from __future__ import annotations

from kernelviz.api import fit
from kernelviz.engine.fits.parsing import dataset, kernel
from kernelviz.ui.canvas.banner import advice_on_bumps


def test_bumps_that_an_algorithm_does_not_have_are_said_to_be_missing():
    data = dataset("sine(n=20)")
    advice = advice_on_bumps(fit(data, algorithm="nadaraya-watson"))
    assert advice is not None
    assert advice.text.startswith("Nadaraya")
    assert advice.toggle == "bumps"
    assert advice_on_bumps(fit(data, algorithm="ridge")) is None


def test_where_sigma_is_offered_it_says_what_kernlab_calls_so():
    sigma = next(view for view in kernel("rbf").parameter("gamma").views if view.name == "sigma")
    assert "kernlab" in sigma.help
