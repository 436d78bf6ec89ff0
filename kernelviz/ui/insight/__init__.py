"""Views into the model besides the plane; what is pointed at in one is highlighted in all."""
