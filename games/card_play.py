"""A match of a card game being played at one screen by persons and bots. Nothing here blocks: call `update` once a frame and draw what is there."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from games.autosave import Autosave
from games.card_acts import CardAct
from games.card_log import CardLog, CardLogEntry
from games.card_match import THINK, CardMatch, CardSeat, seen, seen_by_nobody
from games.card_phases import CardPhase
from games.card_record import CardRecordWriter, load_card_record
from games.card_reflexes import Reflexes
from games.card_scores import RoundSummary, result_words, round_summaries, scores_seen
from games.card_thinker import Chosen, Thinking, Thinks
from games.card_undo import CannotTakeBack, undo_depth, undo_refusal
from games.card_words import seen_move
from games.errors import Violation
from games.interface import Outcome
from games.phases import NotNow

__all__ = ["CardLogEntry", "CardPhase", "CardPlay", "NotNow"]

T = TypeVar("T")

MOST_FAILURES = 3
"""After so many failures in a row bots are stopped."""

_DIGITS = 6
"""Times on the match's clock are whole microseconds, so that what is due at a moment is done at that moment."""


class CardPlay:
    """A match, those who think for its bots, and the file it is saved to after every act.

    Bots move by themselves while `paused` and `stopped` are False, not sooner than `pause_s` seconds after what came before (in Sakapuss
    when people would).
    `clock` gives seconds. `match` may be read, not changed. `messages` are for the user: take them out when shown.
    """

    def __init__(
        self,
        match: CardMatch,
        thinks: Thinks,
        *,
        path: Path | None = None,
        pause_s: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.match = match
        self.pause_s = pause_s
        self.messages: list[str] = []
        self._thinks, self._clock, self._real = thinks, clock, clock()
        self._now = self._since = match.acts[-1].seconds if match.acts else 0.0
        self._autosave = Autosave(CardRecordWriter(match.setup), path) if path is not None else None
        self._phase, self._next = CardPhase.WATCHING, 0
        self._ended: CardAct | None = None
        self._view_seat: int | None = None
        self._alone = len(self.persons) == 1  # whoever is left alone by others sees his hand once he has opened the curtain
        self._looked: set[int] = set()
        self._job: int | None = None
        self._choice: str | None = None
        self._failures, self._paused, self._untold = 0, False, False
        self._known: dict[object, Any] = {}
        self._log = CardLog(match)
        self._reflexes = Reflexes(match) if match.simultaneous else None
        self._save()
        self._stand()

    @classmethod
    def resume(cls, path: Path, thinks: Thinks, *, pause_s: float = 0.0, clock: Callable[[], float] = time.monotonic) -> CardPlay:
        """Go on with a recorded match after its last act; it is saved there again. Raises `BadRecord`."""
        return cls(load_card_record(path), thinks, path=path, pause_s=pause_s, clock=clock)

    def close(self) -> None:
        """Leave the match: the last act is on disk afterwards."""
        if self._autosave:
            self.messages += self._autosave.close()

    @property
    def phase(self) -> CardPhase:
        """What the match waits for."""
        return self._phase

    @property
    def paused(self) -> bool:
        """Whether bots rest and the match's clock stands still."""
        return self._paused

    @paused.setter
    def paused(self, paused: bool) -> None:
        before = self._tale
        self._pass_time()  # what has passed until now belongs to what was so until now
        self._untold |= before != self._tale
        self._paused = paused

    @property
    def stopped(self) -> bool:
        """Whether bots have failed so often that they wait for `try_again`."""
        return self._failures >= MOST_FAILURES

    def try_again(self) -> None:
        """Let bots that are stopped go on."""
        self._failures = 0

    @property
    def names(self) -> tuple[str, ...]:
        """By seat."""
        return self.match.names

    @property
    def seats(self) -> tuple[CardSeat, ...]:
        """Who plays at each seat; a bot where a person has left."""
        return self.match.seats

    @property
    def persons(self) -> tuple[int, ...]:
        """The seats of persons who are still there."""
        return tuple(number for number, seat in enumerate(self.match.seats) if seat.bot is None)

    @property
    def to_move(self) -> int | None:
        """The seat whose turn it is; where several may move at once the person who is to choose now. None if nobody is."""
        if self.match.simultaneous:
            return self.view_seat if self._phase is CardPhase.PASSING else self.next_seat
        return None if self.match.over else self.match.state.to_move

    @property
    def view_seat(self) -> int | None:
        """Whose hand may be seen now: always the person's if there is only one, nobody's behind the curtain."""
        return self.persons[0] if self._alone else self._view_seat

    @property
    def next_seat(self) -> int | None:
        """For whom the curtain opens, while there is one."""
        return self._next if self._phase is CardPhase.CURTAIN else None

    def view(self) -> Mapping[str, Any]:
        """What may be seen now, in protocol form: everything if only bots play; until `go_on` what stood before the round ended."""
        return self._once("view", self._look)

    def _look(self) -> Mapping[str, Any]:
        state = self.match.state_before(self._ended.number) if self._ended else self.match.state
        if self.view_seat is None and self.persons:
            return seen_by_nobody(state)
        return seen(state, self.view_seat)

    @property
    def last_act(self) -> CardAct | None:
        """What was done last."""
        return self.match.acts[-1] if self.match.acts else None

    def seen_move(self, act: CardAct) -> str | None:
        """The text of an act's move, if it may be seen now."""
        return act.move if not self.persons else seen_move(self.match.setup.game, act, self.view_seat)

    @property
    def log(self) -> list[CardLogEntry]:
        """The acts in words, without what may not be seen now."""
        return self._log.of(self.view_seat, everything=not self.persons)

    @property
    def scores(self) -> tuple[int | None, ...]:
        """By seat, what counts so far; None where it is hidden until the end. In Sakapuss the fewest win."""
        outcome = self.outcome
        return outcome.scores if outcome else self._once("scores", lambda: scores_seen(self.view()))

    @property
    def rounds(self) -> list[RoundSummary]:
        """The rounds that are over."""
        return round_summaries(self.match)

    @property
    def outcome(self) -> Outcome | None:
        """The result, once the game is over."""
        return self.match.state.outcome()

    @property
    def result(self) -> str:
        """The result in words; empty while the game goes on."""
        return result_words(self.match)

    @property
    def due(self) -> float | None:
        """When, on the clock, `update` has something to do next; None if it waits for a person or for those who think."""
        at = None
        if self._running and self._reflexes:
            held = self._reflexes.hold_until
            following = self._reflexes.next
            at = held if self._now < held else following.seconds if following else None
        elif self._running and self._choice is not None:
            at = self._pause_over
        return None if at is None else self._real + max(at - self._now, 0.0)

    def legal(self, seat: int | None = None) -> Sequence[str]:
        """The texts of the legal moves of a person, by default of the one who is to move now."""
        seat = self.to_move if seat is None else seat
        if seat is None or self._phase not in (CardPhase.PERSON, CardPhase.PASSING):
            return []
        return self._once(("legal", seat), lambda: [str(move) for move in self.match.state.legal_moves(seat)])

    def explain(self, move: object, seat: int | None = None) -> tuple[Violation, ...]:
        """Every rule a move breaks now; empty if it is legal, or if nobody is to move."""
        player, text = self.to_move if seat is None else seat, str(move)
        return () if player is None else self._once(("explain", player, text), lambda: self.match.state.explain(text, player=player))

    def play(self, move: object, seat: int | None = None) -> None:
        """A person makes a move. Raises `IllegalMove`, `NotNow`."""
        self._pass_time()
        self._need("moving", CardPhase.PERSON, CardPhase.PASSING)
        player = self._acting("moving", seat)
        if player not in self.persons or (self.match.simultaneous and player != self.view_seat):
            raise NotNow(f"moving for {self.names[player]}", self._phase)
        act = self.match.play(str(move), player=player, seconds=self._now)
        if self.match.simultaneous:
            self._view_seat = None  # with several persons all must be able to look at the screen again
        self._follow(act)

    def slap(self, seat: int) -> bool:
        """A person slaps, right or wrong; what counts is when this is called. False if a slap has no meaning now and is ignored."""
        self._pass_time()
        if not self._reflexes or seat not in self.persons or self._phase in (CardPhase.ROUND_OVER, CardPhase.OVER):
            return False
        if self._now < self._reflexes.hold_until or self.match.state.explain("slap", player=seat):
            return False
        self._follow(self.match.play("slap", player=seat, seconds=self._now))
        return True

    def show_hand(self) -> None:
        """The person for whom the curtain opens sits at the screen. Raises `NotNow`."""
        self._pass_time()
        self._need("showing a hand", CardPhase.CURTAIN)
        self._view_seat = self._next
        self._alone = len(self.persons) == 1
        self._stand()

    def go_on(self) -> None:
        """Leave the end of a round, and play on."""
        self._pass_time()
        if self._phase is CardPhase.ROUND_OVER:
            self._view_seat = self._ended = None
            self._stand()

    def leave(self, seat: int) -> None:
        """A person leaves; a bot plays on there. Raises `NotNow` when the game is over, `StakdError` if no person sits there."""
        self._pass_time()
        if self._phase is CardPhase.OVER:
            raise NotNow("leaving", self._phase)
        act = self.match.leave(seat, seconds=self._now)
        if self._view_seat == seat:
            self._view_seat = None
        self._alone = len(self.persons) == 1 and self._view_seat == self.persons[0]
        self._follow(act)

    @property
    def undo_refusal(self) -> str | None:
        """Why nothing can be taken back now, in words; None if `undo` can take back the last move of a person and what bots did since."""
        return undo_refusal(self.match)

    def undo(self) -> None:
        """Take back the last move of a person. Raises `CannotTakeBack` with the reason where that would use what has been shown."""
        self._pass_time()
        if refusal := self.undo_refusal:
            raise CannotTakeBack(refusal)
        self._ended = None
        for _ in range(undo_depth(self.match)):
            self.match.undo()
        if self._reflexes:
            self._reflexes = Reflexes(self.match)
        self._save()
        self._stand()

    def update(self) -> bool:
        """Hear those who think, and let bots act; True if anything is to be drawn anew, be it by what was due before a pause."""
        before = self._tale
        self._pass_time()
        if self._autosave:
            self.messages += self._autosave.problems()
        if (chosen := self._thinks.poll()) is not None and chosen.job == self._job:
            self._hear(chosen)
        if self._phase is CardPhase.THINKING and not self.paused and not self.stopped:
            self._go()
        untold, self._untold = self._untold, False
        return untold or before != self._tale

    @property
    def _tale(self) -> tuple[int, CardPhase, int]:
        return len(self.match.acts), self._phase, len(self.messages)

    def _once(self, what: object, find: Callable[[], T]) -> T:
        """What stays so until something is done; found when it is asked for first, as pages ask every frame."""
        if what not in self._known:
            self._known[what] = find()
        found: T = self._known[what]
        return found

    @property
    def _pause_over(self) -> float:
        return round(self._since + self.pause_s, _DIGITS)

    @property
    def _running(self) -> bool:
        """Whether the match's clock goes. With several persons it waits until each has seen his hand: nobody acts before all could."""
        if self.paused or self._phase in (CardPhase.ROUND_OVER, CardPhase.OVER):
            return False
        if self._reflexes is None:
            return self._phase is not CardPhase.CURTAIN
        return self._reflexes.called or self._now < self._reflexes.hold_until or len(self.persons) < 2 or self._looked.issuperset(self.persons)

    def _pass_time(self) -> None:
        """Let the clock go on to now, and in Sakapuss do what was due on the way, in order."""
        real = self._clock()
        passed, self._real = real - self._real, real
        if not self._running:
            return
        self._now = round(self._now + passed, _DIGITS)
        if self._reflexes is None:
            return
        while self._running and (due := self._reflexes.next) is not None and due.seconds <= self._now:
            self._follow(self.match.play(str(due.move), player=due.seat, seconds=due.seconds))
        if self._phase is CardPhase.WATCHING:
            self._stand()

    def _go(self) -> None:
        if self._choice is None and self._job is None:
            player = self.match.state.to_move
            assert player is not None, "bots think only where turns are taken"
            bot = self.match.seats[player]
            thinking = Thinking(
                self.match.setup.game, bot.bot or "", self.match.state.to_json(), self.match.chance(THINK), bot.milliseconds, bot.iterations
            )
            self._job = self._thinks.think(thinking)
        elif self._choice is not None and self._now >= self._pause_over:
            player = self.match.state.to_move
            assert player is not None, "bots think only where turns are taken"
            self._follow(self.match.play(self._choice, player=player, seconds=self._now))

    def _hear(self, chosen: Chosen) -> None:
        self._job = None
        if chosen.failure is None:
            self._choice, self._failures = chosen.move, 0
            return
        self.messages.append(f"The bot could not think: {chosen.failure}.")
        self._failures += 1
        if self.stopped:
            self.messages.append("Bots are stopped, as this has failed several times; let them go on to try again.")

    def _follow(self, act: CardAct) -> None:
        """Save, and go to the phase after an act."""
        if self._reflexes:
            self._reflexes.hear(act)
            if self.match.must_redeal:
                act = self.match.redeal(seconds=act.seconds)
                self._reflexes.hear(act)
        types = {event["type"] for event in act.events}
        if types & {"passed", "dealt"}:
            self._looked.clear()
        if "round_over" in types and not self.match.over:
            self._ended = act
        self._save()
        self._stand()

    def _stand(self) -> None:
        """Whose turn it is, and whether he may see his hand."""
        if self.match.over or self._ended:
            self._rest(CardPhase.OVER if self.match.over else CardPhase.ROUND_OVER)
            return
        seat = self._reflexes.chooser(self.persons, self._now) if self._reflexes else self.match.state.to_move
        if seat is None:
            self._rest(CardPhase.WATCHING)
        elif seat not in self.persons:
            self._rest(CardPhase.THINKING)
        elif seat == self.view_seat:
            self._looked.add(seat)
            self._rest(CardPhase.PASSING if self._reflexes else CardPhase.PERSON)
        else:
            self._view_seat, self._next = None, seat
            self._rest(CardPhase.CURTAIN)

    def _rest(self, phase: CardPhase) -> None:
        self._phase = phase
        self._since = self._now
        self._known.clear()
        self._job = self._choice = None

    def _acting(self, deed: str, seat: int | None) -> int:
        found = self.to_move if seat is None else seat
        if found is None:
            raise NotNow(deed, self._phase)
        return found

    def _need(self, deed: str, *phases: CardPhase) -> None:
        if self._phase not in phases:
            raise NotNow(deed, self._phase)

    def _save(self) -> None:
        if self._autosave:
            self._autosave.save(self.match.acts)
