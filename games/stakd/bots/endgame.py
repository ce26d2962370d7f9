"""Exact search near the end of a round: can a player force a win?"""

from __future__ import annotations

from games.budget import Budget
from games.stakd.position import Position

NODE_COST = 0.1
"""What a searched position costs, in iterations."""

MOST_KNOWN = 200_000
"""So many positions are remembered at most (about 100 MB); a search that needs more gives up."""


class EndgameSolver:
    """Depth-first search with memory, good while the budget's share lasts. One solver serves one `seat`.

    All others are taken to play together against `seat`. With two players the answer is therefore exact; with more, a win found
    is certain, but without one the seat may still win. Alone on the table (solo) it asks whether all pieces can be laid.
    """

    def __init__(self, seat: int, budget: Budget, *, share: float) -> None:
        self._seat, self._budget, self._share = seat, budget, share
        self._known: dict[tuple[object, ...], bool] = {}

    def winning_move(self, position: Position) -> int | None:
        """A move of `seat`, who is to move, that forces a win; None if there is none, or none was found in time."""
        nexts = {move: position.after(move) for move in position.ids()}
        try:
            return next((move for move in sorted(nexts, key=lambda move: self._replies(nexts[move])) if self._wins(nexts[move])), None)
        except _OutOfBudgetError:
            return None

    def _wins(self, position: Position) -> bool:
        if position.over:
            return position.winner == self._seat
        key = position.key()
        found = self._known.get(key)
        if found is None:
            self._spend()
            found = self._known[key] = self._search(position)
        return found

    def _search(self, position: Position) -> bool:
        mine = position.seat == self._seat
        nexts = [position.after(move) for move in position.ids()]
        if any(after.over and (after.winner == self._seat) == mine for after in nexts):
            return mine
        nexts.sort(key=self._replies if mine else self._replies_to_others)
        return mine if any(self._wins(after) == mine for after in nexts) else not mine

    def _replies(self, after: Position) -> int:
        """Order for `seat`: first the moves that leave the others the fewest replies, or himself the most when he stays on turn."""
        count = after.count()
        return -count if after.seat == self._seat else count

    def _replies_to_others(self, after: Position) -> int:
        return -self._replies(after)

    def _spend(self) -> None:
        self._budget.spend(NODE_COST)
        if self._budget.used >= self._share or len(self._known) >= MOST_KNOWN:
            raise _OutOfBudgetError


class _OutOfBudgetError(Exception):
    """The share of the budget for exact search, or the room to remember, is used up."""
