"""The search tree of the `mcts` bot: where it looks next, how it plays a round out, what it learns, what it has proven."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from games.stakd.bots.quick import appeal
from games.stakd.position import Position

EXPLORATION = 0.4
"""Weight of curiosity beside the win rate (the constant of UCT)."""

SHARED_WEIGHT = 200.0
"""About how many visits a move needs before its own record outweighs what playouts tell about it from elsewhere (RAVE)."""

PRIOR_VISITS = 24.0
"""The first guess from a move's appeal counts like so many playouts."""

APPEAL_SCALE = 8.0
"""A move whose appeal is this much above the average is guessed to win with odds of e to 1."""

SOLO_HALVING = 4.0
"""Solo, a playout is worth half as much for so many more pieces left in hand."""

MOST_OPEN = 30_000
"""So many nodes are opened at most, which keeps a tree under 200 MB however long it may grow; playouts go on from its leaves."""

_NEVER = 1e6


class Node:
    """A position in the tree, and for each of its moves (once it is open) what came of it.

    `wins` are gains of the player to move here, `shared_visits` and `shared_wins` count playouts in which that player made the
    move now or later. `winner` is set when the node is proven: that seat can win whatever the others do. `wrong` marks moves
    proven to lose. `playouts` came through here.
    """

    __slots__ = ("children", "index", "moves", "playouts", "position", "shared_visits", "shared_wins", "visits", "winner", "wins", "wrong")

    def __init__(self, position: Position) -> None:
        self.position = position
        self.winner = position.winner
        self.playouts = 0
        self.moves: list[int] = []

    def open(self) -> None:
        """Find the moves and guess how good they are."""
        self.moves = self.position.ids()
        count = len(self.moves)
        self.index = dict(zip(self.moves, range(count), strict=True))
        self.children: list[Node | None] = [None] * count
        self.visits, self.wins, self.wrong = [0] * count, [0.0] * count, [False] * count
        self.shared_visits, self.shared_wins = [PRIOR_VISITS] * count, [PRIOR_VISITS / 2] * count
        # while bases are laid most steps need a board of their own, too dear to take them all
        if self.position.board is not None:
            self._look_ahead()

    def child(self, at: int) -> Node:
        """The node behind the move at this index."""
        found = self.children[at]
        if found is None:
            found = self.children[at] = Node(self.position.after(self.moves[at]))
        return found

    def prove(self) -> bool:
        """Mark wrong moves, and set `winner` if the children settle it; True if they do."""
        seat = self.position.seat
        winners = [None if child is None else child.winner for child in self.children]
        self.wrong = [winner not in (None, seat) for winner in winners]
        if seat in winners:
            self.winner = seat
        elif len(set(winners)) == 1:
            self.winner = winners[0]
        return self.winner is not None

    def choice(self) -> int:
        """The index of the move to look into next: curiosity about moves little tried, and what is known of each so far.

        Moves proven wrong come last.
        """
        best, chosen = -2 * _NEVER, 0
        curiosity = EXPLORATION * math.sqrt(math.log(self.playouts + 2))
        known = zip(self.visits, self.wins, self.shared_visits, self.shared_wins, self.wrong, strict=True)
        for at, (visits, wins, shared_visits, shared_wins, wrong) in enumerate(known):
            share = shared_visits / (shared_visits + visits + shared_visits * visits / SHARED_WEIGHT)
            own = wins / visits if visits else 0.0
            worth = (1.0 - share) * own + share * shared_wins / shared_visits + curiosity / math.sqrt(visits + 1)
            if wrong:
                worth -= _NEVER
            if worth > best:
                best, chosen = worth, at
        return chosen

    def learn(self, at: int, gain: float, made: Iterable[int]) -> None:
        """Take in a playout through the move at index `at`, in which the player to move here also `made` moves later."""
        self.playouts += 1
        self.visits[at] += 1
        self.wins[at] += gain
        index, shared_visits, shared_wins = self.index, self.shared_visits, self.shared_wins
        for move in made:
            also = index.get(move)
            if also is not None:
                shared_visits[also] += 1
                shared_wins[also] += gain

    def _look_ahead(self) -> None:
        """Step to the children: a win on the spot settles the node; else their appeal is the first guess."""
        position = self.position
        nexts = []
        for at in range(len(self.moves)):
            child = self.child(at)
            if child.winner == position.seat:
                self.winner = position.seat
                return
            nexts.append(child.position)
        appeals = [appeal(position, move, after) for move, after in zip(self.moves, nexts, strict=True)]
        middle = sum(appeals) / len(appeals)
        self.shared_wins = [PRIOR_VISITS / (1.0 + math.exp(_within((middle - value) / APPEAL_SCALE))) for value in appeals]


class Tree:
    """A tree growing from `root`, which must not be over. `chance` gives uniform numbers in [0, 1)."""

    def __init__(self, root: Position, chance: Iterator[float]) -> None:
        self._root, self._chance = Node(root), chance
        self._solo = root.rules.seats == 1
        self._best_gain, self._best_start = -1.0, 0
        self._opened = 1
        self._root.open()

    def grow(self) -> bool:
        """Play the round out once and learn from it; False if the choice is settled and there is nothing to learn."""
        root = self._root
        if root.winner is not None or all(root.wrong):
            return False
        path, leaf = self._descend()
        gains, later = self._play_out(leaf)
        leaf.playouts += 1
        if gains[root.position.seat] > self._best_gain:
            self._best_gain, self._best_start = gains[root.position.seat], path[0][1]
        settled = leaf.winner is not None
        for node, at in reversed(path):
            settled = settled and node.prove()
            seat = node.position.seat
            later[seat].add(node.moves[at])
            node.learn(at, gains[seat], later[seat])
        return True

    def best(self) -> int:
        """The move to make: one proven to win; solo the start of the best playout; else the most visited not proven wrong."""
        root = self._root
        seat = root.position.seat
        for move, child in zip(root.moves, root.children, strict=True):
            if child is not None and child.winner == seat:
                return move
        if self._solo:
            return root.moves[self._best_start]
        order = range(len(root.moves))
        return root.moves[max(order, key=lambda at: (not root.wrong[at], root.visits[at], root.shared_wins[at] / root.shared_visits[at]))]

    def _descend(self) -> tuple[list[tuple[Node, int]], Node]:
        """From the root to a node that is proven, over, or new; and the way there."""
        node, path = self._root, []
        while node.winner is None and not node.position.over:
            if not node.moves:
                if not node.playouts or self._opened >= MOST_OPEN:
                    break
                node.open()
                self._opened += 1
                if node.winner is not None:
                    break
            at = node.choice()
            path.append((node, at))
            node = node.child(at)
        return path, node

    def _play_out(self, leaf: Node) -> tuple[list[float], list[set[int]]]:
        """Play on at random to the end, larger pieces first: of two moves drawn the one that lays more nodes.

        Gives what each seat gains and the moves each seat made.
        """
        position, chance = leaf.position, self._chance
        made: list[set[int]] = [set() for _ in range(position.rules.seats)]
        while leaf.winner is None and not position.over:
            moves = position.ids()
            move = moves[int(next(chance) * len(moves))]
            board = position.board
            if board is not None:
                other = moves[int(next(chance) * len(moves))]
                if board.masks[other % board.size].bit_count() > board.masks[move % board.size].bit_count():
                    move = other
            made[position.seat].add(move)
            position = position.after(move)
        winner = position.winner if leaf.winner is None else leaf.winner
        if self._solo:
            if winner is not None:
                leaf.winner = winner
            return [0.5 ** (sum(position.hands[0]) / SOLO_HALVING)], made
        return [float(seat == winner) for seat in range(position.rules.seats)], made


def _within(power: float) -> float:
    """Kept where `exp` is finite."""
    return max(-50.0, min(50.0, power))
