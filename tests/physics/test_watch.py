from collections.abc import Callable

import numpy as np
import pytest

from meshes.piece_set import load_piece_set
from meshes.placement import Placement
from physics.nodes import TowerNodes
from physics.pose import Pose, Vector, as_array
from physics.rotation import from_turn
from physics.scene import Scene
from physics.tower import Tower
from physics.watch import LIMIT_S, PATIENCE_S, QUIET_S, Fallen, KnockOver, Leaving, QuietWatch, Support, fallen_pieces, knock_over

CLASSIC = load_piece_set("classic")
Change = Callable[[Vector], None]


def tower_of(*texts: str) -> Tower:
    """A tower with these placements, exactly placed."""
    return Tower.exact(CLASSIC, [placement for text in texts if (placement := Placement.parse(text))])


BRIDGE = tower_of("BASE 0 0,0 0,1 1,0 1,1 2,0", "DUO 1 0,0 1,0", "UNI 1 2,0", "DUO 2 1,0 2,0")
"""The upper DUO stands with one node on the lower DUO and with the other on the UNI."""


def states_of(tower: Tower) -> Vector:
    """(n, 7) poses of the pieces."""
    return np.array([as_array(piece.pose) for piece in tower.laid])


def changed(tower: Tower, piece: int, change: Change) -> Vector:
    """The poses of the pieces with one of them changed."""
    states = states_of(tower)
    change(states[piece])
    return states


def leaning(degrees: float) -> Change:
    """Lean a piece about x."""

    def change(state: Vector) -> None:
        state[3:] = from_turn((float(np.radians(degrees)), 0.0, 0.0))

    return change


def shifted(axis: int, mm: float) -> Change:
    """Shift a piece along an axis."""

    def change(state: Vector) -> None:
        state[axis] += mm

    return change


def pushed(tower: Tower, piece: int, force_n: float, *, for_s: float = 0.1) -> KnockOver | None:
    """What a push along +x does to a tower within two seconds."""
    with Scene(tower, frozen=False) as scene:
        scene.run(300)
        for _ in range(round(for_s * 960)):
            scene.world.push(piece, (force_n, 0.0, 0.0))
            scene.step()
        scene.run(1800)
        return knock_over(tower, scene.times, scene.frames)


def test_limits_of_a_knock_over() -> None:
    """A piece has left its place beyond 10° of lean, half a layer of fall or half a pitch of shift, and not before (RULES S42)."""
    for change, how in ((leaning(10.5), Leaving.TIPPED), (shifted(2, -5.5), Leaving.FELL), (shifted(0, 15.5), Leaving.SHIFTED)):
        assert fallen_pieces(BRIDGE, changed(BRIDGE, 1, change)) == (Fallen(1, how),)
    for change in (leaning(9.5), shifted(2, -4.5), shifted(0, 14.5)):
        assert fallen_pieces(BRIDGE, changed(BRIDGE, 1, change)) == ()


def test_shift_counts_from_the_exact_place() -> None:
    """A piece that already rested 10 mm off has 5 mm left before it counts as knocked over, not 15."""
    off = BRIDGE.with_poses([*(piece.pose for piece in BRIDGE.laid[:3]), Pose(40, 0, 20)])
    assert fallen_pieces(off, changed(off, 3, shifted(0, 6))) == (Fallen(3, Leaving.SHIFTED),)


def test_half_turn_of_a_symmetric_piece_is_no_shift() -> None:
    """A DUO laid the other way round by hand is in its place."""
    turned = BRIDGE.with_poses([*(piece.pose for piece in BRIDGE.laid[:3]), Pose.flat(60, 0, 20, 180)])
    assert fallen_pieces(turned, states_of(turned)) == ()


def test_nodes_know_their_carriers() -> None:
    """The two nodes of a bridging piece are carried by the two pieces below it, those of a BASE by the table."""
    nodes = TowerNodes.of(BRIDGE)
    assert nodes.carrier[nodes.piece == 3].tolist() == [1, 2]
    assert nodes.carrier[nodes.piece == 0].tolist() == [-1] * 5


def test_account_names_piece_support_and_moment() -> None:
    """The report names the piece that lost its support first, which of its supports, and when; later falls are only counted."""
    start = states_of(BRIDGE)
    frames = [start.copy() for _ in range(10)]
    for step, frame in enumerate(frames):
        if step >= 4:  # the UNI drops away below its end of the DUO …
            frame[2, 2] -= 2.0 * (step - 3)
        if step >= 6:  # … which then tips
            leaning(12.0)(frame[3])
    account = knock_over(BRIDGE, [step / 10 for step in range(10)], frames)
    assert account is not None
    assert account.fallen == (Fallen(2, Leaving.FELL), Fallen(3, Leaving.TIPPED))
    assert (account.first.piece, account.first.supports) == (3, 2)
    assert account.first.seconds == pytest.approx(0.4)
    assert Support((2, 0), 2) in account.first.lost
    assert str(account).startswith("DUO on layer 2 lost")
    assert str(account).endswith("1 more piece left its place")


def test_a_nudge_is_no_knock_over_and_a_shove_is() -> None:
    """A push of 0.02 N at a lone top piece is forgiven; one of 1 N throws it down, and the report says so in words."""
    assert pushed(BRIDGE, 3, 0.02) is None
    account = pushed(BRIDGE, 3, 1.0)
    assert account is not None
    assert [fallen.piece for fallen in account.fallen] == [3]
    assert str(account) == "DUO on layer 2 lost 2 of 2 supports (DUO, UNI)"


def test_support_struck_out_brings_down_what_it_carried() -> None:
    """A UNI struck out from below a bridge brings the bridge down with it; the one bearing left is named as kept."""
    account = pushed(BRIDGE, 2, 3.0)
    assert account is not None
    assert {fallen.piece for fallen in account.fallen} == {2, 3}
    assert account.first.seconds < 0.6


def test_watch_waits_through_a_fall() -> None:
    """A piece in mid-air or at the top of a bounce is not at rest; half a second after it has come to lie it is."""
    with Scene(tower_of("BASE 0 0,0 0,1 1,0 1,1 2,0"), frozen=True) as scene:
        body = scene.take_up(CLASSIC.by_name["UNI"], Pose(30, 13, 80))
        watch = QuietWatch(scene)
        while not (scene.step() and watch.look()):
            pass
        assert scene.world.pose(body).z == pytest.approx(10, abs=0.1)
        last_fall = max(time for time, frame in zip(scene.times, scene.frames, strict=True) if frame[-1, 2] > 10.5)
        assert last_fall + QUIET_S < scene.seconds < last_fall + QUIET_S + 2


def rolling(scene: Scene) -> int:
    """A UNI on its rim, set rolling across the table; returns its number."""
    body = scene.take_up(CLASSIC.by_name["UNI"], Pose(0, 0, 13, from_turn((np.pi / 2, 0.0, 0.0))))
    push(scene, body)
    return body


def push(scene: Scene, body: int) -> None:
    """Push it until it is fast."""
    for _ in range(40):
        scene.world.push(body, (0.01, 0.0, 0.0))
        scene.step()
    assert scene.world.speed(body) > 50


def test_rolling_disc_ends_by_the_time_limit() -> None:
    """A UNI that rolls on its rim across the table comes to an end within the time limit."""
    with Scene(Tower(CLASSIC), frozen=True) as scene:
        rolling(scene)
        watch = QuietWatch(scene)
        while not (scene.step() and watch.look()):
            pass
        assert 1 < scene.seconds < LIMIT_S + 1


def test_limit_is_not_taken_for_rest() -> None:
    """A watch that the time limit ended says that something still moves; one that ended by itself says that all is quiet."""
    with Scene(Tower(CLASSIC), frozen=True) as scene:
        body = rolling(scene)
        watch = QuietWatch(scene)
        while not watch.look():
            scene.world.push(body, (0.002, 0.0, 0.0))
            scene.step()
        assert scene.seconds > LIMIT_S
        assert not watch.quiet
        watch.restart()
        while not (scene.step() and watch.look()):
            pass
        assert watch.quiet


def test_restart_undoes_the_slowing() -> None:
    """A disc that was slowed down rolls freely again once the watch begins anew: it keeps half its speed for half a second (its rim has 24 sides)."""
    with Scene(Tower(CLASSIC), frozen=True) as scene:
        body = rolling(scene)
        watch = QuietWatch(scene)

        def kept() -> float:
            """The share of its speed that it keeps in half a second of watching."""
            start = scene.world.speed(body)
            until = scene.seconds + 0.5
            while scene.seconds < until:
                if scene.step():
                    watch.look()
            return scene.world.speed(body) / start

        assert kept() > 0.5
        while scene.seconds < PATIENCE_S + 0.1:
            scene.step()
        push(scene, body)
        assert kept() < 0.25
        push(scene, body)
        watch.restart()
        assert kept() > 0.5


def test_free_fall_is_never_slowed() -> None:
    """What is still in the air after the watch has lost its patience falls on as Newton says, less the engine's own 4 % a second."""
    with Scene(Tower(CLASSIC), frozen=True) as scene:
        body = scene.take_up(CLASSIC.by_name["UNI"], Pose(0, 0, 60_000))
        watch = QuietWatch(scene)
        while scene.seconds < PATIENCE_S + 0.5:
            if scene.step():
                watch.look()
        fallen = 60_000 - scene.world.pose(body).z
        assert fallen == pytest.approx(9806.65 * scene.seconds**2 / 2, rel=0.06)
