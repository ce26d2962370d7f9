"""How likely hands topple the tower when they lay its last piece again: reckoned beside the window, and drawn as bars with their intervals."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from physics.chance import Chance, fall_chance
from physics.grip import NORMAL, SHAKY, STEADINESS, STEADY
from physics.tower import Tower
from viewer.gui.box import Box
from viewer.gui.gui import Gui
from viewer.gui.painter import Align
from viewer.gui.theme import INK, ORANGE, SOFT_INK, Face, colour
from viewer.screens.lab.worker import Failed, Worker

HANDS = 200
LEVELS = (STEADY.name, NORMAL.name, SHAKY.name)
_SEED = 0
_GROUND = colour("#eadcc6")


class Chances:
    """The chances of one `tower`, by the level of the hand, as far as they are known. `failure`: why there are none, or nothing."""

    def __init__(self) -> None:
        self.tower: Tower | None = None
        self.found: dict[str, Chance] = {}
        self.failure = ""
        self._workers = {level: Worker() for level in LEVELS}

    @property
    def busy(self) -> bool:
        """Whether they are being reckoned."""
        return any(worker.busy for worker in self._workers.values())

    def ask(self, tower: Tower) -> None:
        """Reckon those of the last piece of a tower on all before."""
        self.clear()
        self.tower = tower
        for level, worker in self._workers.items():
            failed = worker.start(tell_chance, tower, level)
            self.failure = failed.message if failed else self.failure

    def update(self) -> bool:
        """Take over what was found; whether there was anything."""
        heard = [(level, report) for level, worker in self._workers.items() for report in worker.poll()]
        for level, report in heard:
            if isinstance(report, Failed):
                self.failure = report.message
            else:
                self.found[level] = report
        return bool(heard)

    def clear(self) -> None:
        """Forget them; nothing is reckoned any more."""
        for worker in self._workers.values():
            worker.cancel()
        self.tower, self.found, self.failure = None, {}, ""


def tell_chance(tell: Callable[[Chance], None], tower: Tower, level: str) -> None:
    """Tell the chance for hands of one level; for a `Worker`. Raises `NotFlat`."""
    rest, last = Tower(tower.piece_set, tower.laid[:-1]), tower.laid[-1].placement
    tell(fall_chance(rest, last, STEADINESS[level], np.random.default_rng(_SEED), hands=HANDS))


def chance_words(chance: Chance) -> str:
    """The rate and its interval."""
    return f"{chance.rate:.0%} ({chance.low:.0%}–{chance.high:.0%})"


def draw_chances(gui: Gui, box: Box, chances: Chances) -> None:
    """A bar for each level in a panel, with a line over its interval."""
    assert chances.tower is not None, "they were asked for"
    gui.panel(box)
    inner, paint, last = box.inset(16, 12), gui.paint, chances.tower.laid[-1].placement
    paint.words("How likely a hand topples it", inner.x, inner.y, 15.5, face=Face.SUBTITLE)
    y = inner.y + 26
    y += paint.words(f"{HANDS} hands each lay the {last.piece} on layer {last.layer} again.", inner.x, y, 12.5, colour=SOFT_INK, wrap=inner.w) + 12
    if chances.failure:
        paint.words(chances.failure, inner.x, y, 13.5, colour=INK, wrap=inner.w)
        return
    for level in LEVELS:
        chance = chances.found.get(level)
        paint.words(level, inner.x, y, 14, face=Face.SEMI, colour=INK)
        words = chance_words(chance) if chance else "being reckoned…"
        paint.words(words, inner.right, y, 14, colour=INK if chance else SOFT_INK, align=Align.RIGHT)
        bar = Box(inner.x, y + 24, inner.w, 14)
        paint.bar(bar, chance.rate if chance else 0.0, ORANGE, _GROUND)
        if chance:
            low, high = (bar.x + bar.w * share for share in (chance.low, chance.high))
            middle = bar.middle[1]
            paint.line([(low, middle), (high, middle)], INK, 1.8)
            for end in (low, high):
                paint.line([(end, middle - 5), (end, middle + 5)], INK, 1.8)
        y += 58
