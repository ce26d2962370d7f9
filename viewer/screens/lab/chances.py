"""How likely hands topple the tower when they lay its last piece again: reckoned beside the window, and drawn as bars with their intervals."""

from __future__ import annotations

from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import ExitStack
from itertools import chain

import numpy as np

from games.processes import cores, process_pool
from physics.chance import Chance, reckoned, shares, together
from physics.grip import NORMAL, SHAKY, STEADINESS, STEADY
from physics.tower import Tower
from viewer.gui.box import Box
from viewer.gui.gui import Gui
from viewer.gui.painter import Align
from viewer.gui.theme import INK, ORANGE, SOFT_INK, Face, colour

HANDS = 200
LEVELS = (STEADY.name, NORMAL.name, SHAKY.name)
_ASKED = LEVELS[::-1]
"""The shaky ones first: who asks wants to know the worst."""
_SEED = 0
_LOST = "a process ended unexpectedly; there may be too little memory for it; ask again"
_GROUND = colour("#eadcc6")


class Chances:
    """The chances of one `tower`, by the level of the hand, as far as they are known: they come in shares. `failure`: why there are none, or nothing.

    The processes that reckon stay for the next tower, so that it waits for none to start: one for each core, of some 170 MB.
    """

    def __init__(self) -> None:
        self.tower: Tower | None = None
        self.found: dict[str, Chance] = {}
        self.failure = ""
        self._pool: ProcessPoolExecutor | None = None
        self._ends = ExitStack()
        self._asked: dict[str, list[Future[Chance]]] = {}

    @property
    def busy(self) -> bool:
        """Whether they are being reckoned."""
        return any(not self._known(level) for level in self._asked)

    def ask(self, tower: Tower) -> None:
        """Reckon those of the last piece of a tower on all before."""
        self.clear()
        self.tower = tower
        rest, last = Tower(tower.piece_set, tower.laid[:-1]), tower.laid[-1].placement
        try:
            if self._pool is None:
                self._pool = self._ends.enter_context(process_pool(cores(), if_lost="ask again"))
            for level in _ASKED:
                parts = shares(rest, last, STEADINESS[level], np.random.default_rng(_SEED), HANDS)
                self._asked[level] = [self._pool.submit(reckoned, part) for part in parts]
        except BrokenExecutor:
            self._fail(_LOST)
        except OSError as error:
            self._fail(f"no process could be started: {error}")

    def update(self) -> bool:
        """Take over what was found; whether there was anything."""
        before = dict(self.found)
        try:
            for level, asked in self._asked.items():
                parts = [part.result() for part in asked if part.done()]
                if parts and not self._known(level):
                    self.found[level] = together(parts)
        except BrokenExecutor:
            self._fail(_LOST)
            return True
        except Exception as error:  # noqa: BLE001 – whatever it is, the user hears of it
            self._fail(str(error) or repr(error))
            return True
        return self.found != before

    def clear(self) -> None:
        """Forget them; no more shares are begun, those that are end by themselves."""
        for part in chain.from_iterable(self._asked.values()):
            part.cancel()
        self.tower, self.found, self.failure, self._asked = None, {}, "", {}

    def close(self) -> None:
        """End the processes."""
        self.clear()
        self._pool = None
        self._ends.close()

    def _known(self, level: str) -> bool:
        return level in self.found and self.found[level].hands == HANDS

    def _fail(self, why: str) -> None:
        tower = self.tower
        self.close()
        self.tower, self.failure = tower, why


def chance_words(chance: Chance) -> str:
    """The rate and its interval, and how many hands they are from as long as there are more to come."""
    so_far = "" if chance.hands == HANDS else f"{chance.hands} hands: "
    return f"{so_far}{chance.rate:.0%} ({chance.low:.0%}–{chance.high:.0%})"


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
