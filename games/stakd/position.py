"""A position within one round: immutable, small, quick to step from. What bots search on."""

from __future__ import annotations

from dataclasses import dataclass

from games.stakd.board import Board, bits
from games.stakd.geometry import Layers
from games.stakd.rules import PIECES_BEFORE_NEW_LAYER, Hand, Rules
from meshes.placement import Placement


@dataclass(slots=True, init=False, eq=False, repr=False)
class Position:
    """One moment of a round. Never change one; `after(move)` gives the next.

    Moves are whole numbers here. While bases are laid they are the negative ids of `Rules.spots`; then `layer * board.size + place`,
    the same number for the same placement all through the round. `placement` and `find` translate.

    For reading: `seat` is the player to move (the winner, when the round is over with one), `over` and `winner` tell how it stands
    (`winner` is None while the round goes on and when solo is lost), `inside` has bit s set while player s is in the round,
    `hands[s][k]` counts the pieces of type k, `level` is the number of the current layer, `board` is None until all bases are laid.
    """

    rules: Rules
    board: Board | None
    bases: tuple[int, ...]
    hands: tuple[Hand, ...]
    inside: int
    seat: int
    level: int
    over: bool
    winner: int | None
    _types: tuple[int, ...]  # for each player the types in hand, bit k for type k
    _top: tuple[int, ...]  # places of the pieces of the current layer in laying order
    _below: tuple[int, ...]  # places of the pieces one layer down (of the bases, under layer 1)
    _lower: tuple[tuple[int, ...], ...]  # places of the finished layers from 1 on
    _avail: int  # places on the current layer that are supported, free and not barred by S16 or S20
    _near: int  # places beside a piece of the current layer
    _cover: int  # mask of the current layer
    _laid: int  # set of the places laid on the current layer
    _under: int  # set of the places laid one layer down
    _now: int  # legal places on the current layer
    _new: int  # legal places on the next layer
    _spots: tuple[int, ...]  # legal moves while bases are laid

    @classmethod
    def deal(cls, rules: Rules, starter: int, *, inside: int | None = None) -> Position:
        """The start of a round: full hands, an empty table, `starter` to move. `inside` leaves out players who have left the match."""
        new = cls._empty(rules, (rules.hand,) * rules.seats, (1 << rules.seats) - 1 if inside is None else inside, starter)
        new._spots = rules.spots(())
        if rules.seats > 1 and not new.inside & (new.inside - 1):
            new._finish(starter)
        return new

    @classmethod
    def restore(cls, rules: Rules, laid: Layers, hands: tuple[Hand, ...], *, inside: int, seat: int, over: bool, winner: int | None) -> Position:
        """A position from what lies on the table, which must keep the rules of place (`geometry.place_violations`)."""
        new = cls._empty(rules, hands, inside, seat)
        bases = (rules.bases.place(placement.cells) for placement in (laid[0] if laid else ()))
        new.bases = tuple(base for base in bases if base is not None)
        new._close_bases()
        for layer in laid[1:]:
            new._open()
            for placement in layer:
                place = new._board.place(rules.names.index(placement.piece), placement.cells)
                assert place is not None, "laid outside the board"
                new._put(place)
        if over:
            new._finish(winner)
        else:
            new._can_move(seat)
        return new

    @classmethod
    def _empty(cls, rules: Rules, hands: tuple[Hand, ...], inside: int, seat: int) -> Position:
        new = cls.__new__(cls)
        new.rules, new.board, new.bases = rules, None, ()
        new.hands, new.inside = hands, inside
        new._types = tuple([sum(1 << kind for kind, count in enumerate(hand) if count) for hand in hands])
        new.seat, new.level, new.over, new.winner = seat, 0, False, None
        new._top = new._below = new._lower = new._spots = ()
        new._avail = new._near = new._cover = new._laid = new._under = new._now = new._new = 0
        return new

    def ids(self) -> list[int]:
        """The legal moves: the current layer's, then those that open the next; none when the round is over."""
        board = self.board
        if board is None:
            return list(self._spots)
        found = bits(self._now, self.level * board.size)
        return found + bits(self._new, (self.level + 1) * board.size) if self._new else found

    def count(self) -> int:
        """Number of legal moves."""
        return len(self._spots) + self._now.bit_count() + self._new.bit_count()

    def allows(self, move: int) -> bool:
        """Whether the move with this id is legal."""
        if self.board is None:
            return move in self._spots
        layer, place = divmod(move, self.board.size)
        return bool((self._now if layer == self.level else self._new if layer == self.level + 1 else 0) >> place & 1)

    def after(self, move: int) -> Position:
        """The position after a legal move (not checked), with those who cannot move put out and the end of the round found."""
        new = self._twin()
        new._lay(move) if self.board is None else new._stack(move)
        new._pass_on()
        return new

    def without(self, seat: int) -> Position:
        """The position after a player has left the round (S53); his pieces stay."""
        new = self._twin()
        new.inside &= ~(1 << seat)
        if seat == self.seat or not new.inside & (new.inside - 1):
            if new.board is None:
                new._close_bases()
            new._pass_on()
        return new

    def placement(self, move: int) -> Placement:
        """The move with this id as a placement."""
        return self._placements[move]

    def placements(self) -> list[Placement]:
        """The legal moves as placements, in the order of `ids`."""
        return list(map(self._placements.__getitem__, self.ids()))

    def find(self, placement: Placement) -> int | None:
        """The id of a placement if it is legal, else None."""
        rules, board = self.rules, self.board
        piece, layer, cells = placement
        if piece not in rules.names or not cells:
            return None
        kind = rules.names.index(piece)
        if board is None:
            move = rules.bases.place(cells) if kind == rules.base and layer == 0 else None
        else:
            place = board.place(kind, cells)
            move = None if place is None else layer * board.size + place
        return move if move is not None and self.allows(move) else None

    def laid(self) -> Layers:
        """All pieces on the table by layer, in laying order."""
        if not self.bases:
            return ()
        layers = [tuple([self.rules.bases.placements[base] for base in self.bases])]
        if self.level:
            board = self._board
            for layer, places in enumerate((*self._lower, self._top), 1):
                layers.append(tuple([board.placements[layer * board.size + place] for place in places]))
        return tuple(layers)

    def key(self) -> tuple[object, ...]:
        """Equal for positions of the same rules with the same moves now and later, whatever order they were reached in."""
        return tuple(sorted(self.bases)), self._laid, self._under, self.hands, self.inside, self.seat

    def choices(self, seat: int) -> tuple[int, int]:
        """What `seat` could place if it were his turn, once the bases lie: legal places on the current layer and on the next."""
        board = self._board
        held, opening = board.held(self._types[seat])
        now = self._avail & self._near & held
        if self.level and len(self._top) < PIECES_BEFORE_NEW_LAYER and (now or self.is_held()):
            return now, 0
        return now, board.supported(self._cover) & ~self._laid & opening

    def is_early(self) -> bool:
        """Whether the current layer has too few pieces for the next to be started, save by the exception (S25, S27)."""
        return self.level > 0 and len(self._top) < PIECES_BEFORE_NEW_LAYER

    def is_held(self) -> bool:
        """Whether option S27 `all` keeps the current layer from being left early, as some player in the round can lay on it."""
        board, free = self.board, self._avail & self._near
        if board is None or not self.rules.everyone_counts or not self.is_early():
            return False
        return any(self.inside >> seat & 1 and board.held(types)[0] & free for seat, types in enumerate(self._types))

    def openings(self, seat: int) -> int:
        """Places on the next layer for any piece in the hand of `seat`, leaving aside the six-piece and UNI rules."""
        return self._board.supported(self._cover) & ~self._laid & self._board.held(self._types[seat])[0]

    def larger_types(self, seat: int) -> list[str]:
        """The names of the types of more than one node that `seat` could stack (S30)."""
        rules = self.rules
        several = (kind for kind, single in enumerate(rules.single) if not single and kind != rules.base)
        return [rules.names[kind] for kind in several if self.hands[seat][kind]]

    @property
    def _placements(self) -> dict[int, Placement]:
        return self.rules.bases.placements if self.board is None else self.board.placements

    @property
    def _board(self) -> Board:
        assert self.board is not None, "bases are still being laid"
        return self.board

    def _twin(self) -> Position:
        new = Position.__new__(Position)
        new.rules, new.board, new.bases = self.rules, self.board, self.bases
        new.hands, new._types, new.inside, new.seat = self.hands, self._types, self.inside, self.seat
        new.level, new.over, new.winner = self.level, self.over, self.winner
        new._top, new._below, new._lower = self._top, self._below, self._lower
        new._avail, new._near, new._cover = self._avail, self._near, self._cover
        new._laid, new._under = self._laid, self._under
        new._now, new._new, new._spots = self._now, self._new, self._spots
        return new

    def _lay(self, base: int) -> None:
        """Lay a BASE."""
        self._take(self.rules.base)
        self.bases += (base,)
        self._close_bases()

    def _close_bases(self) -> None:
        """Once nobody in the round holds a BASE, the base layer is complete (S5) and the board is known."""
        base = self.rules.base
        if any(self.inside >> seat & 1 and hand[base] for seat, hand in enumerate(self.hands)):
            return
        self.board = board = self.rules.board(self.bases)
        self._spots = ()
        self._top = tuple(range(board.size, board.size + len(self.bases)))
        self._cover = (1 << len(board.cells)) - 1

    def _stack(self, move: int) -> None:
        """Lay a piece on the current layer, or open the next with it."""
        board = self._board
        layer, place = divmod(move, board.size)
        if layer != self.level:
            self._open()
        self._put(place)
        self._take(board.kinds[place])

    def _put(self, place: int) -> None:
        """Put a piece on the current layer and bar what it bars there: its cells, and its type on the pieces it stands on (S16)."""
        board = self._board
        mask, masks, sharing = board.masks[place], board.masks, board.sharing
        barred = 0
        for piece in self._below:
            if masks[piece] & mask:
                barred |= sharing(piece)
        self._avail &= ~(sharing(place) | (barred & board.of_kind[board.kinds[place]]))
        self._near |= board.beside(place)
        self._cover |= mask
        self._laid |= 1 << place
        self._top += (place,)

    def _open(self) -> None:
        self._avail = self._board.supported(self._cover) & ~self._laid
        if self.level:
            self._lower += (self._top,)
        self._below, self._under = self._top, self._laid
        self._top = ()
        self._near = self._cover = self._laid = 0
        self.level += 1

    def _take(self, kind: int) -> None:
        """Take a piece out of the mover's hand."""
        seat = self.seat
        hand = list(self.hands[seat])
        hand[kind] -= 1
        self.hands = (*self.hands[:seat], tuple(hand), *self.hands[seat + 1 :])
        if not hand[kind]:
            self._types = (*self._types[:seat], self._types[seat] & ~(1 << kind), *self._types[seat + 1 :])

    def _pass_on(self) -> None:
        """Give the turn to the next player who can move; put out the others on the way (S35, S51); end the round (S37, S49)."""
        seats = self.rules.seats
        if seats == 1:
            self._pass_on_solo()
            return
        seat = self.seat
        while self.inside & (self.inside - 1):
            seat = (seat + 1) % seats
            if self.inside >> seat & 1:
                if self._can_move(seat):
                    self.seat = seat
                    return
                self.inside &= ~(1 << seat)
        self._finish(self.inside.bit_length() - 1)

    def _pass_on_solo(self) -> None:
        if not any(self.hands[0]):
            self._finish(0)
        elif not self.inside or not self._can_move(0):
            self.inside = 0
            self._finish(None)

    def _can_move(self, seat: int) -> bool:
        """Find the moves of `seat`; False if there are none."""
        if self.board is None:
            self._spots = self.rules.spots(self.bases) if self.hands[seat][self.rules.base] else ()
            return bool(self._spots)
        self._now, self._new = self.choices(seat)
        return bool(self._now or self._new)

    def _finish(self, winner: int | None) -> None:
        self.over, self.winner = True, winner
        self._spots, self._now, self._new = (), 0, 0
        if winner is not None:
            self.seat = winner
