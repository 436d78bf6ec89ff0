"""Three dimensions on paper."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from kernelviz.scene.insight.parts import space3d
from kernelviz.scene.insight.parts.space3d import (
    ABOVE,
    ASLANT,
    Camera,
    UnitCube,
    cut_sheet,
    plane_patches,
    sheet_patches,
)

ROOM = QRectF(0, 0, 200, 100)


def test_from_above_x_goes_right_and_y_goes_up() -> None:
    (origin, right, up, high), near = ABOVE.project(np.vstack([np.zeros(3), np.eye(3)]), ROOM)
    assert origin == pytest.approx([100, 50])
    assert right[0] > origin[0]
    assert right[1] == pytest.approx(origin[1])
    assert up[1] < origin[1]
    assert high == pytest.approx(origin), "what is above is nearer, at the same place"
    assert near.tolist() == pytest.approx([0, 0, 0, 1])


def test_a_whole_turn_leads_back_and_nobody_goes_over_the_top() -> None:
    turned = ASLANT
    for _ in range(36):
        turned = turned.turned(10.0, 0.0)
    assert turned.azimuth == pytest.approx(ASLANT.azimuth)
    assert ASLANT.turned(0.0, 500.0).elevation == 90.0
    assert ASLANT.zoomed(1e9).zoom == 6.0
    assert ASLANT.zoomed(1e-9).zoom == 0.4


def test_the_way_between_two_places_is_the_shorter_one() -> None:
    assert Camera(170, 0).towards(Camera(-170, 0), 0.5).azimuth == pytest.approx(180)
    assert ABOVE.towards(ASLANT, 1.0) == ASLANT
    assert ABOVE.towards(ASLANT, 0.0) == ABOVE


def test_what_is_near_looks_larger() -> None:
    ends = np.array([[1.0, -1, 0], [1, 1, 0], [-1, -1, 0], [-1, 1, 0]])
    xy, _ = Camera(0.0, 0.0).project(ends, ROOM)
    assert np.hypot(*(xy[1] - xy[0])) > np.hypot(*(xy[3] - xy[2]))


def test_a_box_brings_all_places_between_minus_one_and_one() -> None:
    places = np.random.default_rng(0).normal(3.0, [1, 10, 0], (50, 3))
    inside = UnitCube.around(places)(places)
    assert np.abs(inside).max(axis=0) == pytest.approx([1, 1, 0])
    alike = UnitCube.around(places, same_unit=True)
    assert np.ptp(alike.half) == 0.0
    assert UnitCube.around(np.empty((0, 3)))(np.zeros((1, 3))).tolist() == [[0, 0, 0]]


def bowl() -> np.ndarray:
    x, y = np.meshgrid(np.linspace(-1, 1, 25), np.linspace(-1, 1, 25))
    return np.stack([x, y, x**2 + y**2], axis=-1)


def test_a_sheet_is_cut_cleanly_at_the_edge_of_the_box() -> None:
    cut, seen = cut_sheet(bowl(), 1.0)
    corners = np.stack([cut[:-1, :-1], cut[:-1, 1:], cut[1:, 1:], cut[1:, :-1]], axis=2)[seen]
    assert np.abs(corners).max() <= 1.0 + 1e-9
    rim = cut[np.isclose(cut[..., 2], 1.0)]
    assert len(rim) > 50, "the rim of the bowl lies in its plane"
    assert not seen.all()
    whole, everything = cut_sheet(bowl(), 5.0)
    assert everything.all()
    np.testing.assert_array_equal(whole, bowl())


def test_patches_of_a_plane_lie_on_it_inside_the_box() -> None:
    normal, offset = np.array([0.4, -0.2, 0.9]), 0.3
    found = plane_patches(normal, offset, 0xFF000000, 0)
    assert np.abs(found.corners @ normal + offset).max() < 1e-9
    assert np.abs(found.corners).max() <= 1.0 + 1e-9
    assert len(plane_patches(normal, 50.0, 0xFF000000, 0).corners) == 0, "it does not meet the box"


def test_every_cell_of_a_sheet_has_its_colour() -> None:
    colours = np.arange(24 * 24, dtype=np.uint32).reshape(24, 24)
    found = sheet_patches(bowl(), colours, 7)
    assert found.colours.tolist() == list(range(24 * 24))
    assert found.corners.shape == (24 * 24, 4, 3)
    assert set(found.edges.tolist()) == {7}


def image_of(draw) -> QImage:
    image = QImage(200, 100, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    with QPainter(image) as painter:
        draw(painter)
    return image


def test_a_mesh_is_drawn_as_one_polygon_and_looks_like_its_patches_one_by_one(qapp, monkeypatch) -> None:
    colours = np.random.default_rng(0).integers(0xD8000000, 0xD8FFFFFF, (24, 24)).astype(np.uint32)
    mesh, made = sheet_patches(bowl(), colours, 0x38102030), []
    xy, near = ASLANT.project(mesh.corners, ROOM)

    def one_by_one(painter: QPainter) -> None:
        painter.setPen(QPen(QColor.fromRgba(0x38102030), 0.0))
        for k in np.argsort(near.mean(axis=1)):
            painter.setBrush(QColor.fromRgba(int(mesh.colours[k])))
            painter.drawConvexPolygon([QPointF(x, y) for x, y in xy[k].tolist()])

    real = space3d.polygon
    monkeypatch.setattr(space3d, "polygon", lambda places: made.append(len(places)) or real(places))
    assert image_of(lambda painter: mesh.draw(painter, ASLANT, ROOM, 0.0)) == image_of(one_by_one)
    assert made == [4 * 24 * 24]


@pytest.mark.parametrize("reach", [5e-324, 1e-310, 1e308])
@pytest.mark.parametrize("same_unit", [True, False])
def test_a_box_around_the_smallest_and_the_largest_numbers_holds_them(reach, same_unit):
    places = np.array([[-reach, 0.0, 1.0], [reach, reach, 1.0]])
    inside = UnitCube.around(places, 0.1, same_unit)(places)
    assert np.abs(inside).max() <= 1.0
