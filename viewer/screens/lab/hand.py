"""A person's hand over the lab's tower: a piece held by the Grip, simulated beside the window. No rules hold here."""

from __future__ import annotations

from games.background import ActDone, Background, Failed, Poses
from games.moving_table import MovingTable
from meshes.piece_set import PieceType
from physics.act import ActResult, Outcome
from physics.pose import Pose
from physics.tower import Tower
from viewer.screens.live_hand import LiveHand


class LabHand:
    """Takes pieces up over `tower`, moves them as `live` says and lets go. Nothing blocks: call `update` once a frame."""

    def __init__(self, tower: Tower, pace: float) -> None:
        self.live = LiveHand(self)
        self.holding = False
        self._background = Background(pace=pace)
        self._table = MovingTable(tower)

    @property
    def tower(self) -> Tower:
        """What was at rest when the piece was taken up."""
        return self._table.tower

    @property
    def poses(self) -> list[tuple[PieceType, Pose]]:
        """All pieces where they are now, the one in the hand or on its way last."""
        return self._table.poses

    @property
    def feels_support(self) -> bool:
        """Whether the hand feels its piece stand on something."""
        return self._table.feels_support

    @property
    def busy(self) -> bool:
        """Whether a piece is held, or all is not yet at rest."""
        return self._background.busy

    def start(self) -> None:
        """Get ready; it takes a second or two, in which nothing waits."""
        self._background.start()

    def rest(self, tower: Tower) -> None:
        """Put back what is held, and have this tower at rest."""
        self._background.cancel()
        self.holding = False
        self._table.rest(tower)

    def take(self, piece: str, pose: Pose) -> None:
        """Take a piece up at `pose`."""
        self._background.take(self.tower, piece, pose, None)
        self._table.begin(self.tower, piece, pose)
        self.holding = True

    def move_to(self, pose: Pose) -> None:
        """Want the held piece there."""
        if self.holding:
            self._background.move_to(pose)

    def release(self) -> None:
        """Let go of it."""
        if self.holding:
            self._background.release()
            self.holding = False

    def update(self, seconds: float) -> list[Poses | ActResult | Failed]:
        """What has happened since the last call; a result is the end of an act."""
        if self.holding:
            self.live.update(seconds)
        heard: list[Poses | ActResult | Failed] = []
        for report in self._background.poll():
            if isinstance(report, Poses):
                self._table.move(report)
                self.holding = self.holding and report.held
                heard.append(report)
            elif isinstance(report, ActDone):
                self.holding = False
                if report.result.outcome is Outcome.KNOCKED_OVER:
                    self._table.lie([laid.pose for laid in report.result.tower.laid])
                heard.append(report.result)
            elif isinstance(report, Failed):
                self.rest(self.tower)
                heard.append(report)
        return heard

    def close(self) -> None:
        """End the process beside."""
        self._background.close()
