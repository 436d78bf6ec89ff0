"""The score as colour: blue for +, orange for −, pale at 0, in even steps to the eye (Oklab); other sets of
colours; and how colours are seen as grey, or without red or green.

Fields, regions of several classes, shades of grey and masks become images with a pixel for each node; rows
are counted upwards, as on the vertical axis."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QImage

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.fields.contours import least_reach, rough_quantile
from kernelviz.engine.kernels.base import LARGEST_VALUE
from kernelviz.session.colour_sets import COLOUR_SETS, own_colours
from kernelviz.session.themes import Theme

Pixels = NDArray[np.uint32]

COLOUR_STEPS = 1024

# Björn Ottosson's Oklab: linear sRGB -> cone responses -> (lightness, green-red, blue-yellow).
RGB_TO_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
CONES_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)

# How eyes without the cones for red (protan) or green (deutan) see linear red, green and blue, by Machado,
# Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency" (2009),
# with full severity. Grey is the luminance.
VISIONS = {
    "grey": np.tile([0.2126, 0.7152, 0.0722], (3, 1)),
    "protan": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deutan": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
}


def _to_lab(colour: str) -> Array:
    """Return a colour such as "#0a4f91" in Oklab, where equal distances look equal."""
    rgb = QColor(colour)
    c = np.array([rgb.redF(), rgb.greenF(), rgb.blueF()])
    return np.asarray(CONES_TO_LAB @ np.cbrt(RGB_TO_CONES @ _to_linear(c)))


def _to_linear(c: Array) -> Array:
    """Return the channels of sRGB in proportion to light."""
    return np.asarray(np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4))


def _from_linear(linear: Array) -> Array:
    """Return the sRGB channels of linear light, clipped to the range of a screen."""
    linear = np.clip(linear, 0.0, 1.0)
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)


def _to_rgb(lab: Array) -> Array:
    """Return rows of Oklab as rows of red, green and blue in 0..1, (m, 3)."""
    return _from_linear((lab @ np.linalg.inv(CONES_TO_LAB).T) ** 3 @ np.linalg.inv(RGB_TO_CONES).T)


def _packed(rgb: Array) -> Pixels:
    """Return rows of red, green, blue in 0..1 as Qt's 0xffRRGGBB."""
    r, g, b = np.rint(255 * rgb).astype(np.uint32).T
    packed: Pixels = np.uint32(0xFF000000) | r << np.uint32(16) | g << np.uint32(8) | b
    return packed


def _ramp(start: str, end: str, count: int) -> Array:
    """Return `count` colours from start to end, equally spaced to the eye."""
    t = np.linspace(0.0, 1.0, count)[:, None]
    return _to_rgb((1 - t) * _to_lab(start) + t * _to_lab(end))


@cache
def blend(start: str, end: str, t: float) -> str:
    """Return the colour a fraction t of the way from start to end."""
    mixed = _to_rgb(((1 - t) * _to_lab(start) + t * _to_lab(end))[None])[0]
    return QColor.fromRgbF(*(float(v) for v in mixed)).name()


@cache
def coloured(theme: Theme, colours: str) -> Theme:
    """Return the theme in a set of colours, or in two custom colours of + and −, whose fields are pale."""
    own = own_colours(colours)
    if own is None:
        return COLOUR_SETS[colours].on(theme)
    paleness = 0.35  # How far the field is on its way from its middle to the colour of the points.
    fields = [blend(theme.zero, colour, paleness) for colour in own]
    return replace(
        theme,
        positive=own[0],
        negative=own[1],
        positive_field=fields[0],
        negative_field=fields[1],
        classes=(own[1], own[0], *theme.classes[2:]),
    )


def as_seen(image: QImage, vision: str) -> QImage:
    """Return an image as it is seen with one of VISIONS."""
    shades, by_code = np.unique(_rows_of(image), return_inverse=True)
    rgb = np.stack([(shades >> shift & 0xFF) / 255 for shift in (16, 8, 0)], axis=1)
    seen = _packed(_from_linear(_to_linear(rgb) @ VISIONS[vision].T)) & np.uint32(0xFFFFFF)
    alpha = shades & np.uint32(0xFF000000)
    return _image((seen | alpha)[by_code].reshape(image.height(), -1)[::-1], QImage.Format.Format_ARGB32)


def _rows_of(image: QImage) -> Pixels:
    """Return 0xAARRGGBB of each pixel, from the top row down."""
    plain = image.convertToFormat(QImage.Format.Format_ARGB32)
    return np.frombuffer(plain.constBits(), np.uint32).reshape(plain.height(), plain.width()).copy()


@cache
def _diverging(theme: Theme) -> Pixels:
    """Return COLOUR_STEPS colours, from those of − over the pale middle to those of +."""
    negative = _ramp(theme.negative_field, theme.zero, COLOUR_STEPS // 2)
    positive = _ramp(theme.zero, theme.positive_field, COLOUR_STEPS // 2)
    return _packed(np.concatenate([negative, positive]))


def diverging_colours(theme: Theme) -> Array:
    """Return the same as rows of red, green and blue from 0 to 1."""
    return _channels(_diverging(theme))


def _channels(pixels: Pixels) -> Array:
    """Return 0xffRRGGBB as red, green and blue from 0 to 1, (…, 3)."""
    return np.stack([(pixels >> shift & 0xFF) / 255.0 for shift in (16, 8, 0)], axis=-1)


@cache
def _region_ramps(theme: Theme, count: int) -> Pixels:
    """Return colours (count, 256), from barely tinted paper to the full tint of each class."""
    classes = [theme.of_class(k, count) for k in range(count)]
    ends = [(blend(theme.zero, each, 0.08), blend(theme.zero, each, theme.tint)) for each in classes]
    return np.stack([_packed(_ramp(pale, full, 256)) for pale, full in ends])


def _image(pixels: Pixels, form: QImage.Format = QImage.Format.Format_RGB32) -> QImage:
    """Return rows, which are counted upwards, as an image that owns its memory."""
    flipped = np.ascontiguousarray(pixels[::-1])
    rows, columns = flipped.shape
    return QImage(flipped.data, columns, rows, 4 * columns, form).copy()


def masked_image(mask: NDArray[np.bool_], colour: QColor) -> QImage:
    """Return an image with a pixel for each node: the colour where the mask is true, transparent
    elsewhere."""
    pixels = np.where(mask, np.uint32(colour.rgba()), np.uint32(0))
    return _image(pixels, QImage.Format.Format_ARGB32)


def field_unit(F: Array) -> float:
    """Return the score that counts as one for the colours: 1, unless the field as a whole is far from
    that."""
    sample = np.abs(F[::4, ::4])
    reach = max(rough_quantile(sample[np.isfinite(sample)], 0.9), least_reach(F))
    return float(np.clip(1.0, reach / 4.0, reach / 0.8)) if reach > 0 else 1.0


def _bounded(F: Array, limit: float) -> Array:
    """Return scores cut off at ±limit, with 0 for undefined ones: overflow in a kernel must not break the
    picture."""
    return np.nan_to_num(np.clip(F, -limit, limit), copy=False)


def field_colours(F: Array, theme: Theme, unit: float) -> Pixels:
    """Return 0xffRRGGBB for each score, compressed by tanh so that the gradient shows everywhere."""
    reach = 1.6  # The score, in units of the field, at which three quarters of the full colour are reached.
    saturated = 20.0
    with np.errstate(over="ignore", invalid="ignore"):
        relative = _bounded(F / unit / reach, saturated)
    scaled = np.tanh(relative.astype(np.float32))
    scaled += np.float32(1.0)
    scaled *= np.float32((COLOUR_STEPS - 1) / 2)
    return np.asarray(_diverging(theme)[scaled.astype(np.intp)])


def field_image(F: Array, theme: Theme, unit: float = 1.0) -> QImage:
    """Return an image with a pixel for each node."""
    return _image(field_colours(F, theme, unit))


@cache
def _shades(theme: Theme) -> Pixels:
    """Return 256 shades from paper to soft ink."""
    return _packed(_ramp(theme.paper, theme.soft_ink, 256))


def shaded_image(values: Array, theme: Theme) -> QImage:
    """Return values from 0 to 1 as shades of grey, which no class has; one pixel per node."""
    return _image(_shades(theme)[(255 * np.clip(values, 0.0, 1.0)).astype(np.intp)])


def region_image(F: Array, theme: Theme) -> QImage:
    """Return scores (classes, rows, columns) as regions in the winner's colour, stronger the clearer it
    wins."""
    return _image(_regions(F, theme))


def region_colours(F: Array, theme: Theme) -> Array:
    """Return the same as red, green and blue from 0 to 1, (rows, columns, 3)."""
    return _channels(_regions(F, theme))


def _regions(F: Array, theme: Theme) -> Pixels:
    """Return 0xffRRGGBB for each node of the regions."""
    F = _bounded(F, LARGEST_VALUE)
    winner = F.argmax(axis=0)
    top_two = np.partition(F, -2, axis=0)[-2:]
    # The lead over the next class, in votes, from which on a region has nearly its full tint.
    clear_lead = 0.5
    strength = (255 * np.tanh((top_two[1] - top_two[0]) / clear_lead)).astype(np.intp)
    return np.asarray(_region_ramps(theme, len(F))[winner, strength])
