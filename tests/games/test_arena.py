"""The arena: fair seats, honest intervals, the same result however many processes play."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence

import pytest

from games import arena
from games.arena import Pairing, play_arena, play_round
from meshes.errors import StakdError


def _first_seat_wins(pairing: Pairing) -> tuple[int, ...]:
    return (0,)


def test_seats_rotate(monkeypatch: pytest.MonkeyPatch) -> None:
    """If only going first mattered, all bots would win alike: nobody has the better seat more often."""
    monkeypatch.setattr(arena, "play_round", _first_seat_wins)
    result = play_arena(["random", "greedy", "mcts"], 12, processes=1)
    assert [standing.wins for standing in result.standings] == [4, 4, 4]
    assert result.seat_rates == (1.0, 0.0, 0.0)


def test_rounds_that_differ_by_seats_share_a_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each seed is played from every seat, so luck evens out between bots."""
    played: list[tuple[int, tuple[int, ...]]] = []

    def note(pairing: Pairing) -> tuple[int, ...]:
        played.append((pairing.seed, pairing.seats))
        return (0,)

    monkeypatch.setattr(arena, "play_round", note)
    play_arena(["random", "greedy"], 4, seed=7, processes=1)
    assert played == [(7, (0, 1)), (7, (1, 0)), (8, (0, 1)), (8, (1, 0))]


def test_intervals_are_wilsons(monkeypatch: pytest.MonkeyPatch) -> None:
    """The 95 % interval of 5 wins in 10 rounds is the closed form of Wilson's score interval (Wilson 1927)."""
    monkeypatch.setattr(arena, "play_round", _first_seat_wins)
    standing = play_arena(["random", "greedy"], 10, processes=1).standings[0]
    p, n, z = 0.5, 10, 1.959963984540054
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    assert (standing.wins, standing.rounds) == (5, 10)
    assert (standing.low, standing.high) == pytest.approx((middle - half, middle + half), abs=1e-9)


def test_one_or_two_processes_give_the_same_result() -> None:
    """With thinking limited by iterations, results depend on the seed alone."""
    one, two = (play_arena(["mcts", "greedy"], 4, seed=3, iterations=5, processes=processes) for processes in (1, 2))
    assert one == two


def test_greedy_beats_random() -> None:
    """Looking one move ahead wins most rounds: the lower end of the interval is beyond luck."""
    result = play_arena(["greedy", "random"], 40, seed=1, processes=1)
    assert result.standings[0].low > 0.6


@pytest.mark.parametrize(("set_name", "players"), [("classic", 3), ("square", 2)])
def test_rounds_end_with_a_winner(set_name: str, players: int) -> None:
    """Every round of several players is won by one of the seats (S37), with every set."""
    for seed in range(5):
        (winner,) = play_round(Pairing(("random",) * players, tuple(range(players)), seed, set_name, None, None))
        assert 0 <= winner < players


def test_one_bot_twice_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that meets itself has two lines in the standings."""
    monkeypatch.setattr(arena, "play_round", _first_seat_wins)
    result = play_arena(["greedy", "greedy"], 2, processes=1)
    assert [standing.name for standing in result.standings] == ["greedy (1)", "greedy (2)"]


def test_an_unknown_bot_is_refused_before_play() -> None:
    """A mistyped name ends at once, with the names there are."""
    with pytest.raises(StakdError, match="no bot clever; it has random, greedy, mcts"):
        play_arena(["greedy", "clever"], 2)


@pytest.mark.parametrize("bots", [1, 6])
def test_too_few_or_too_many_bots_are_refused(bots: int) -> None:
    """A round needs two, and the classic set seats five (RULES 1.2)."""
    with pytest.raises(StakdError, match="seats 2 to 5"):
        play_arena(["random"] * bots, 2)


def test_spaces_around_names_do_not_matter() -> None:
    """Names from a list with spaces after its commas are the same names."""
    result = play_arena(["greedy", " random"], 2, processes=1)
    assert [standing.name for standing in result.standings] == ["greedy", "random"]


def test_processes_are_those_this_one_may_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """By default there is one process for each processor that may be used, not for each there is."""
    used: list[int] = []

    def note(pairings: Sequence[Pairing], processes: int) -> Iterable[tuple[int, ...]]:
        used.append(processes)
        return [(0,)] * len(pairings)

    monkeypatch.setattr(arena, "_winners", note)
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 3, 5}, raising=False)
    play_arena(["random", "greedy"], 4)
    assert used == [3]


def test_a_shared_victory_is_won_by_all_who_share_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Card games can end in a tie (RULES K26, D19, P24): it counts for each of its winners, and is told apart."""
    monkeypatch.setattr(arena, "play_round", lambda pairing: (0, 2) if pairing.seed == 0 else (1,))
    result = play_arena(["random", "greedy", "random"], 4, game="sakapuss", processes=1)
    # three games of seed 0 with seats rotated, then one of seed 1 in the order given
    assert [(standing.wins, standing.shared) for standing in result.standings] == [(2, 2), (3, 2), (2, 2)]


@pytest.mark.parametrize(("game", "bots"), [("sakana", 2), ("sakapuss", 3), ("sardines", 2)])
def test_card_games_are_played_whole(game: str, bots: int) -> None:
    """The same game of the same seed ends alike, won by seats at the table."""
    pairing = Pairing(("greedy",) * bots, tuple(range(bots)), 5, "classic", None, None, game)
    winners = play_round(pairing)
    assert winners == play_round(pairing)
    assert winners
    assert set(winners) <= set(range(bots))


def test_slaps_come_in_the_same_order_in_any_process() -> None:
    """Sakapuss has a clock of its own, so the order of slaps hangs on the seed and not on the machine."""
    one, two = (play_arena(["greedy", "random", "greedy"], 4, game="sakapuss", seed=3, processes=processes) for processes in (1, 2))
    assert one == two


def test_a_game_that_seats_more_refuses_two() -> None:
    """Sakapuss is for three to five players (RULES P1)."""
    with pytest.raises(StakdError, match="sakapuss seats 3 to 5"):
        play_arena(["random"] * 2, 2, game="sakapuss")
