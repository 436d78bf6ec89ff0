"""Widgets that know nothing of the application: buttons, sliders, fields, forms made from declarations."""
