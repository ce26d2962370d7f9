"""The searching bot of the card games."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from games import ismcts
from games.bots import bot_names, make_bot
from games.ismcts import IsmctsBot, Tree
from games.sakana.search import SakanaSearch
from games.sakana.state import State as Sakana
from games.sardines.search import SardinesSearch
from games.sardines.state import State as Sardines
from meshes.errors import StakdError

NEWS: dict[str, Callable[..., Any]] = {"sakana": Sakana.new, "sardines": Sardines.new}
SEARCHES: dict[str, Callable[[], Any]] = {"sakana": SakanaSearch, "sardines": SardinesSearch}
LOADS: dict[str, Callable[[Any], Any]] = {"sakana": Sakana.from_json, "sardines": Sardines.from_json}
TABLES = [(game, players) for game, most in (("sakana", 5), ("sardines", 4)) for players in range(2, most + 1)]


@dataclass(frozen=True)
class Guess:
    """`named` is what has been guessed; `hidden` is what is right."""

    hidden: int
    named: int | None = None


class Guessing:
    """A game of one guess: the hidden card is 0 in half of all deals, 1 and 2 in a quarter each. Notes all guesses tried."""

    def __init__(self) -> None:
        self.named: list[int] = []

    def determinize(self, view: Any, rng: np.random.Generator) -> Guess:
        """A deal."""
        return Guess((0, 0, 1, 2)[int(rng.integers(4))])

    def seat(self, position: Guess) -> int:
        """The only seat."""
        return 0

    def moves(self, position: Guess) -> Sequence[int]:
        """Said to promise the more the worse they are."""
        return [2, 1, 0]

    def after(self, position: Guess, move: int, rng: np.random.Generator) -> Guess:
        """The guess made."""
        self.named.append(move)
        return Guess(position.hidden, move)

    def play_out(self, position: Guess, chance: Iterator[float], rng: np.random.Generator) -> Guess:
        """Never due: one guess ends the game."""
        raise AssertionError

    def gains(self, position: Guess, view: Any) -> Sequence[float] | None:
        """All for the right guess."""
        return None if position.named is None else [float(position.named == position.hidden)]

    def move(self, position: Guess, move: int) -> str:
        """In words."""
        return f"guess {move}"


class Table:
    """A state that shows no more than whose turn it is."""

    def __init__(self, to_move: int | None) -> None:
        self.to_move = to_move

    def view(self, player: int) -> None:
        """Nothing to be seen."""


def middle(game: str, players: int, moves: int, seed: int = 5) -> Any:
    """A state after so many random moves."""
    rng = np.random.default_rng(seed)
    state = NEWS[game](players, rng=rng)
    bot = make_bot(game, "random")
    for _ in range(moves):
        state.play(bot.choose(state, rng), rng=rng)
    return state


def test_the_card_games_offer_it_as_their_strongest_bot() -> None:
    """People find it under its name, last in the list."""
    assert bot_names("sakana")[-1] == bot_names("sardines")[-1] == "ismcts"


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_it_plays_whole_games_by_the_rules(game: str, players: int) -> None:
    """Every choice is legal, for every number of players, to the end; the state it thinks about stays as it was."""
    rng = np.random.default_rng(players)
    state, bot = NEWS[game](players, rng=rng), make_bot(game, "ismcts")
    while state.outcome() is None:
        before = state.to_json()
        move = bot.choose(state, rng, iterations=3)
        assert state.to_json() == before
        assert not state.explain(move)
        state.play(move, rng=rng)


@pytest.mark.parametrize(("game", "players"), [("sakana", 2), ("sakana", 4), ("sardines", 2), ("sardines", 3)])
@pytest.mark.parametrize("moves", [1, 9, 17])
def test_hidden_cards_do_not_sway_it(game: str, players: int, moves: int) -> None:
    """R01: states that look the same to the player get the same choice, wherever the hidden cards are."""
    state = middle(game, players, moves)
    view = state.view(state.to_move)
    twins = [type(state).determinize(view, np.random.default_rng(seed)) for seed in range(4)]
    assert len({str(twin.to_json()) for twin in twins}) > 1
    assert {str(twin.view(twin.to_move).to_json()) for twin in twins} == {str(view.to_json())}
    choices = {str(make_bot(game, "ismcts").choose(each, np.random.default_rng(3), iterations=60)) for each in [state, *twins]}
    assert len(choices) == 1


@pytest.mark.parametrize("game", ["sakana", "sardines"])
def test_it_sees_nothing_but_the_view(game: str) -> None:
    """R01: a state that refuses everything but `to_move` and `view` is enough for it."""
    state = middle(game, 3, 8)

    class Curtain:
        to_move = state.to_move

        def view(self, player: int) -> Any:
            assert player == state.to_move
            return state.view(player)

    move = IsmctsBot(SEARCHES[game]()).choose(Curtain(), np.random.default_rng(0), iterations=40)
    assert not state.explain(move)


@pytest.mark.parametrize("game", ["sakana", "sardines"])
def test_the_same_generator_gives_the_same_move(game: str) -> None:
    """R04: with a limit by iterations a choice can be repeated exactly; a state read back from its file gets the same one."""
    state = middle(game, 3, 10)
    again = LOADS[game](state.to_json())
    bot = make_bot(game, "ismcts")
    assert bot.choose(state, np.random.default_rng(7), iterations=80) == bot.choose(again, np.random.default_rng(7), iterations=80)


def test_it_finds_the_guess_that_fits_most_deals() -> None:
    """It weighs a move over the deals that are possible, not in one of them."""
    assert IsmctsBot(Guessing()).choose(Table(0), np.random.default_rng(1), iterations=300) == "guess 0"


def test_it_begins_with_the_moves_of_most_promise() -> None:
    """A node looks at more moves only as it is visited more often."""
    guessing = Guessing()
    tree = Tree(guessing, None, np.random.default_rng(1))
    tree.grow()
    assert guessing.named == [2]
    for _ in range(2):
        tree.grow()
    assert set(guessing.named) == {2, 1}


def test_it_keeps_a_limit_by_iterations() -> None:
    """So much work is done and no more."""
    guessing = Guessing()
    IsmctsBot(guessing).choose(Table(0), np.random.default_rng(1), iterations=17)
    assert len(guessing.named) == 17


def test_it_keeps_a_limit_by_time() -> None:
    """On a clock that goes on by 10 ms at every look, 100 ms leave time for no more than ten playouts."""
    guessing, times = Guessing(), iter(range(1000))
    IsmctsBot(guessing, clock=lambda: next(times) / 100).choose(Table(0), np.random.default_rng(1), milliseconds=100)
    assert len(guessing.named) == 9


def test_a_full_tree_grows_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long it thinks it does not eat all memory, and still finds its move."""
    monkeypatch.setattr(ismcts, "MOST_NODES", 20)
    state = middle("sakana", 2, 6)
    move = make_bot("sakana", "ismcts").choose(state, np.random.default_rng(2), iterations=120)
    assert not state.explain(move)


def test_an_only_move_is_made_at_once() -> None:
    """There is nothing to think about where only one move is legal."""
    state = next(found for seed in range(200) for found in [middle("sakana", 2, 9, seed)] if len(found.legal_moves()) == 1)

    class Searched(SakanaSearch):
        def after(self, *arguments: Any) -> Any:
            raise AssertionError

    assert str(IsmctsBot(Searched()).choose(state, np.random.default_rng(0), iterations=5)) == str(state.legal_moves()[0])


@pytest.mark.parametrize(("game", "players"), [("sakana", 2), ("sakana", 4), ("sardines", 2), ("sardines", 3)])
def test_a_winner_gains_more_than_the_others(game: str, players: int) -> None:
    """At the end of a game gains lie between 0 and 1 and whoever won has the most."""
    rng = np.random.default_rng(2)
    state, bot = NEWS[game](players, rng=rng), make_bot(game, "random")
    while state.outcome() is None:
        view = state.view(state.to_move)
        state.play(bot.choose(state, rng), rng=rng)
    gains = SEARCHES[game]().gains(state.position, view)
    assert all(0 <= gain <= 1 for gain in gains)
    assert {seat for seat, gain in enumerate(gains) if gain == max(gains)} == set(state.outcome().winners)


def test_an_order_is_the_same_choice_wherever_it_lies() -> None:
    """Sardines: in another deal an order may have another place in the row; paying for it is still the same move."""
    search = SardinesSearch()
    position = next(found for seed in range(50) for found in [middle("sardines", 2, 12, seed).position] if found.ids()[-1] & 7 >= 4)
    turned = position._replace(orders=position.orders[::-1])
    assert set(search.moves(position)) == set(search.moves(turned))
    for move in search.moves(position):
        assert search.move(position, move).cards == search.move(turned, move).cards
        after, other = search.after(position, move, np.random.default_rng(0)), search.after(turned, move, np.random.default_rng(0))
        assert (after.hands, after.completed) == (other.hands, other.completed)


def test_only_the_inner_order_of_a_stack_is_left_out() -> None:
    """Sakana: of stacks with the same cards, bottom and top one is searched; no other choice is lost."""
    for seed in range(20):
        position = middle("sakana", 2, 9, seed).position
        kinds = [{(frozenset(move), move[:1], move[-1:]) for move in moves} for moves in (position.plays(), SakanaSearch().moves(position))]
        assert kinds[0] == kinds[1]
        assert set(SakanaSearch().moves(position)) <= set(position.plays())


@pytest.mark.parametrize("game", ["sakana", "sardines"])
def test_a_game_that_is_over_is_refused(game: str) -> None:
    """There is no move to choose any more, and the bot says so."""
    rng = np.random.default_rng(0)
    state, bot = NEWS[game](2, rng=rng), make_bot(game, "random")
    while state.outcome() is None:
        state.play(bot.choose(state, rng), rng=rng)
    with pytest.raises(StakdError, match="the game is over"):
        make_bot(game, "ismcts").choose(state, rng, iterations=5)


def test_games_without_turns_are_refused() -> None:
    """Where several may move at once it says that it can't search."""
    with pytest.raises(StakdError, match="several may move at once"):
        IsmctsBot(Guessing()).choose(Table(None), np.random.default_rng(0), iterations=5)
