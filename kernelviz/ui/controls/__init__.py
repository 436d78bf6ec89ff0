"""One widget per kind of parameter, made from its declaration."""

from kernelviz.ui.controls.form import ParameterForm, control_for

__all__ = ["ParameterForm", "control_for"]
