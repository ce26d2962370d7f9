from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from viewer.camera import Camera
from viewer.orbit import FLIGHT_S, Limits, Orbit, Steer

SIZE = (1280, 720)


def _settle(orbit: Orbit) -> Camera:
    for _ in range(600):
        if not orbit.update(1 / 60):
            break
    return orbit.camera


def test_camera_stays_within_its_limits_whatever_the_hand_does() -> None:
    """After any turns, pans and zooms the eye is above the table, its distance and target within the limits."""
    orbit, rng = Orbit(), np.random.default_rng(3)
    limits = orbit.limits
    for _ in range(300):
        dx, dy = (float(part) for part in rng.normal(0, 300, 2))
        orbit.turn(dx, dy)
        orbit.pan(dx, dy, SIZE)
        orbit.zoom(dy / 100, about=rng.normal(0, 100, 3))
        orbit.update(float(rng.uniform(0, 0.1)))
        for camera in (orbit.camera, orbit.goal):
            assert camera.eye[2] > 5.0
            assert 3.0 <= camera.elevation_deg <= 90.0
            assert limits.nearest_mm <= camera.distance_mm <= limits.farthest_mm
            assert (np.array(limits.low) <= camera.target).all()
            assert (np.array(limits.high) >= camera.target).all()


def test_motion_does_not_depend_on_the_frame_rate() -> None:
    """Half a second of following, of a flight and of a held key lead to the same camera in 6 as in 60 frames."""
    ends = []
    for frames in (6, 60):
        for act in ("turn", "fly", "hold"):
            orbit = Orbit()
            {
                "turn": lambda orbit=orbit: orbit.turn(200, 30),
                "fly": lambda orbit=orbit: orbit.fly_to(Camera(azimuth_deg=20.0, distance_mm=300.0), 1.0),
                "hold": lambda orbit=orbit: orbit.hold(Steer.RIGHT, True),
            }[act]()
            for _ in range(frames):
                orbit.update(0.5 / frames)
            ends.append(orbit.goal if act == "hold" else orbit.camera)
    for few, many in zip(ends[:3], ends[3:], strict=True):
        assert few.azimuth_deg == pytest.approx(many.azimuth_deg)
        assert few.distance_mm == pytest.approx(many.distance_mm)


def test_zoom_keeps_the_point_under_the_pointer() -> None:
    """What the pointer is on when the wheel turns is under it afterwards."""
    orbit, point = Orbit(), np.array([[40.0, -20.0, 10.0]])
    before = orbit.camera.project(point, SIZE)
    orbit.zoom(3, about=point[0])
    after = _settle(orbit)
    assert after.distance_mm == pytest.approx(600 * 0.88**3)
    np.testing.assert_allclose(after.project(point, SIZE), before, atol=1e-3)


def test_pan_moves_the_target_with_the_pointer() -> None:
    """What was at the target is seen as many pixels away as the drag was long."""
    orbit = Orbit()
    point = np.array([orbit.camera.target])
    orbit.pan(60, -25, SIZE)
    np.testing.assert_allclose(_settle(orbit).project(point, SIZE)[0], (640 + 60, 360 - 25), atol=1e-6)


def test_drag_turns_the_scene_with_the_pointer() -> None:
    """Dragging right, what is before the target moves right; dragging down, the view comes from higher up."""
    orbit = Orbit()
    camera = orbit.camera
    near = np.array([camera.target]) + 30 * camera.axes[2:] * (1, 1, 0)
    before = camera.project(near, SIZE)[0]
    orbit.turn(80, 20)
    after = _settle(orbit)
    assert after.project(near, SIZE)[0, 0] > before[0] + 5
    assert after.elevation_deg == pytest.approx(camera.elevation_deg + 6)


def test_flight_takes_its_time_goes_the_short_way_and_arrives() -> None:
    """From 350° to 10° the camera passes 0°, not 180°, arrives exactly, and is at rest afterwards."""
    orbit = Orbit(Camera(azimuth_deg=350.0))
    end = Camera(azimuth_deg=10.0, distance_mm=400.0)
    orbit.fly_to(end, 1.0)
    assert orbit.update(0.5)
    assert orbit.camera.azimuth_deg % 360 == pytest.approx(0.0, abs=1e-9)
    assert orbit.update(0.49)
    orbit.update(0.02)
    assert orbit.camera == end
    assert not orbit.moving
    assert not orbit.update(1.0)


def test_hand_ends_a_flight_where_it_is() -> None:
    """A drag in flight takes over from where the camera is, without a jump."""
    orbit = Orbit()
    orbit.fly_to(replace(orbit.camera, distance_mm=1200.0), 1.0)
    orbit.update(0.5)
    here = orbit.camera
    orbit.turn(10, 0)
    assert orbit.goal.distance_mm == here.distance_mm
    assert _settle(orbit).azimuth_deg == pytest.approx(here.azimuth_deg - 3.0)


def test_points_looked_at_come_into_the_middle() -> None:
    """Points looked at come into the middle."""
    orbit = Orbit()
    points = np.array([[80.0, 10.0, 20.0], [100.0, 30.0, 40.0]])
    orbit.look_at(points, aspect=16 / 9)
    orbit.update(FLIGHT_S)
    seen = orbit.camera.project(points, SIZE)
    np.testing.assert_allclose((seen.min(axis=0) + seen.max(axis=0)) / 2, (640, 360), atol=25)


def test_target_is_kept_near_what_stands_there() -> None:
    """After `keep_near` the target can't be moved farther than the margin from the box around the points."""
    orbit = Orbit()
    orbit.keep_near(np.array([[0.0, 0.0, 0.0], [100.0, 50.0, 80.0]]), margin_mm=40.0)
    for _ in range(20):
        orbit.pan(-3000, 2000, SIZE)
    x, y, z = _settle(orbit).target
    assert -40 <= x <= 140
    assert -40 <= y <= 90
    assert 0 <= z <= 120


def test_limits_lift_the_eye_over_the_table() -> None:
    """Close to the table a flat view is raised until the eye is above it."""
    assert Limits().hold(Camera((0.0, 0.0, 0.0), 110.0, 0.0, -40.0)).eye[2] >= 5.7


def test_released_keys_let_the_camera_rest() -> None:
    """While a key is held the camera moves; afterwards it comes to rest."""
    orbit = Orbit()
    orbit.hold(Steer.NEARER, True)
    assert orbit.update(0.1)
    assert orbit.camera.distance_mm < 600
    orbit.release_all()
    _settle(orbit)
    assert not orbit.update(0.1)
