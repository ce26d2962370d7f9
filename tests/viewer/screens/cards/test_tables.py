"""The tables of the card games, played by clicks and keys on a program without a window."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from games.card_match import CardMatch, CardSeat, CardSetup
from games.card_phases import CardPhase
from games.card_play import CardPlay
from games.card_record import load_card_record, save_card_record
from games.card_thinker import AtOnce, Chosen, Thinking
from games.phases import NotNow
from tests.viewer.driver import HeadlessDriver
from viewer.program import Program
from viewer.screens.cards.replay import CardReplay
from viewer.screens.cards.sakana import SakanaTable
from viewer.screens.cards.sakapuss import SakapussTable
from viewer.screens.cards.setup import TABLES, CardSetupPage
from viewer.screens.cards.table import CardTable
from viewer.screens.home import Home
from viewer.screens.matches import continue_match

SIZE, RATIO = (320, 180), 0.25
"""A quarter of 1280×720: frames cost little."""


class Clock:
    """A clock that only moves when told."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Seconds."""
        return self.now


def sit_down(program: Program, game: str, *, persons: int = 1, bots: int = 1, seed: int = 5, path: Path | None = None) -> tuple[CardTable, Clock]:
    """A table shown by the program; bots are greedy and think at once."""
    program.settings = type(program.settings)(reduced_motion=True)
    seats = [CardSeat(name) for name in ("Ann", "Ben", "Cleo")[:persons]] + [CardSeat(f"Bot {k}", "greedy") for k in range(bots)]
    clock = Clock()
    play = CardPlay(CardMatch(CardSetup(game, tuple(seats), seed)), AtOnce(), path=path, clock=clock)
    table = TABLES[game](program, play)
    program.open(table)
    return table, clock


def shown(program: Program) -> HeadlessDriver:
    """A hand on the program."""
    return HeadlessDriver(program, SIZE, ratio=RATIO)


def play_on(driver: HeadlessDriver, table: CardTable, clock: Clock, turn: Callable[[], None], *, until: CardPhase) -> None:
    """Let bots move and time pass; `turn` makes a person's move."""
    for _ in range(2000):
        if table.play.phase is until:
            return
        if table.play.phase in (CardPhase.PERSON, CardPhase.PASSING):
            turn()
        clock.now += 0.1
        driver.frame(1)
    raise AssertionError(f"still {table.play.phase} after {len(table.play.match.acts)} acts")


def test_round_of_sakana(program: Program) -> None:
    """A whole round against a bot by clicks: stacks built card by card from hand and Catch, passes; then the next round by Enter (K1–K25)."""
    table, clock = sit_down(program, "sakana")
    driver = shown(program)
    laid = []

    def turn() -> None:
        move = str(table.play.legal()[-1])
        if move == "pass":
            driver.click("sakana/pass")
            return
        done = len(table.play.match.acts)
        for card in move.split()[1:]:
            view = table.play.view()
            driver.click("catch" if view["draw"][0] == card else f"hand/{view['hands'][0].index(card)}", at=(0.15, 0.1))
        driver.click("sakana/play")
        assert table.play.match.acts[done].move == move
        laid.append(move)

    play_on(driver, table, clock, turn, until=CardPhase.ROUND_OVER)
    assert laid
    driver.key("enter")
    assert table.play.match.round == 2 and table.play.phase is not CardPhase.ROUND_OVER


def test_illegal_cards_are_explained(program: Program, told: list[str]) -> None:
    """A card that can't be laid says why, citing the row, and nothing changes."""
    table, clock = sit_down(program, "sakana", seed=8)
    driver = shown(program)
    for _ in range(400):
        hand = table.play.view()["hands"][0]
        begins = {str(move).split()[1] for move in table.play.legal() if str(move) != "pass"}
        bad = [k for k, card in enumerate(hand) if card not in begins]
        if table.play.phase is CardPhase.PERSON and bad and table.play.view()["stacks"]:
            break
        if table.play.phase is CardPhase.PERSON:
            driver.click("sakana/pass")
        clock.now += 0.1
        driver.frame(1)
    acts = len(table.play.match.acts)
    driver.click(f"hand/{bad[0]}", at=(0.15, 0.1))
    assert any("[K" in line for line in told) and len(table.play.match.acts) == acts
    assert not driver.enabled("sakana/play")


def test_game_of_sardines(program: Program) -> None:
    """A whole game by clicks: gathering from the market, filling orders, discarding; the result is told at the end (D1–D20)."""
    table, clock = sit_down(program, "sardines", bots=1)
    driver = shown(program)
    done = set()

    def turn() -> None:
        view = table.play.view()
        moves = [str(move) for move in table.play.legal()]
        move = next((move for move in moves if move.startswith("fill")), moves[0])
        kind, *rest = move.split()
        if kind == "gather":
            taken: list[int] = []
            for card in rest:
                taken.append(next(k for k, there in enumerate(view["market"]) if there == card and k not in taken))
                driver.click(f"market/{taken[-1]}")
        elif kind == "fill":
            driver.click(f"order/{rest[0]}")
        else:
            taken = []
            for card in rest:
                taken.append(next(k for k, there in enumerate(view["hands"][0]) if there == card and k not in taken))
                driver.click(f"hand/{taken[-1]}", at=(0.12, 0.1))
        before = len(table.play.match.acts)
        driver.click("sardines/do")
        assert len(table.play.match.acts) > before
        done.add(kind)

    play_on(driver, table, clock, turn, until=CardPhase.OVER)
    assert {"gather", "fill"} <= done
    assert "summary/on" in driver.names and table.play.result


def test_rounds_of_sakapuss(program: Program) -> None:
    """Cats are passed on by clicks and all slap; the last takes a card (P4, P9)."""
    table, clock = sit_down(program, "sakapuss", bots=2)
    driver = shown(program)

    def turn() -> None:
        hand = table.play.view()["hands"][0]
        if len(set(hand)) == 1 or table.play.view()["slapped"]:
            driver.key("space")
        else:
            driver.click(f"hand/{min(range(4), key=lambda k: hand.count(hand[k]))}", at=(0.12, 0.1))

    for _ in range(3):
        play_on(driver, table, clock, turn, until=CardPhase.ROUND_OVER)
        driver.key("enter")
    assert {event["type"] for act in table.play.match.acts for event in act.events} >= {"called", "last", "drew"}


def test_cards_are_dragged_onto_the_table(program: Program) -> None:
    """A card dragged out of the hand is laid (Sakana), passed on (Sakapuss), or pays for the order that it is dropped on (Sardines)."""

    def offered(table: CardTable, clock: Clock, pattern: str) -> str:
        """Play on until a move like this may be made."""
        while True:
            driver.frame(1)
            moves = [str(move) for move in table.play.legal()] if table.play.phase is CardPhase.PERSON else []
            wanted = [move for move in moves if re.fullmatch(pattern, move)]
            if wanted:
                return wanted[0]
            if moves:
                table.attempt(moves[-1])
            clock.now += 0.1

    def hand(table: CardTable) -> list[str]:
        return list(table.play.view()["hands"][0])

    table, clock = sit_down(program, "sakana")
    driver = shown(program)
    move = offered(table, clock, r"play \w+")
    while (card := move.split()[1]) not in hand(table):
        table.attempt("pass")
        move = offered(table, clock, r"play \w+")
    before = len(table.play.match.acts)
    driver.drag(driver.box(f"hand/{hand(table).index(card)}").middle, (500.0, 250.0))
    assert table.play.match.acts[before].move == move

    table, clock = sit_down(program, "sardines")
    move = offered(table, clock, "fill .*")
    before, used = len(table.play.match.acts), list[int]()
    for code in move.split()[2:]:
        used.append(next(k for k, held in enumerate(hand(table)) if held == code and k not in used))
        driver.drag(driver.box(f"hand/{used[-1]}").middle, driver.box(f"order/{move.split()[1]}").middle)
    driver.click("sardines/do")
    assert table.play.match.acts[before].move == move

    table, clock = sit_down(program, "sakapuss", bots=2)
    play_on(driver, table, clock, lambda: None, until=CardPhase.PASSING)
    driver.drag(driver.box("hand/1").middle, (500.0, 250.0))
    assert table.play.view()["chosen"][0] == hand(table)[1]


def test_wrong_slap(program: Program) -> None:
    """Slapping without four cats alike costs two cards (P10)."""
    table, clock = sit_down(program, "sakapuss", bots=2, seed=3)
    driver = shown(program)
    while table.play.phase is not CardPhase.PASSING:
        clock.now += 0.1
        driver.frame(1)
    assert len(set(table.play.view()["hands"][0])) > 1
    driver.click("slap/0")
    events = [event for act in table.play.match.acts for event in act.events]
    assert [event["type"] for event in events if event.get("player") == 0].count("drew") == 2


def test_curtain_hides_hands(program: Program) -> None:
    """Between two persons the curtain shows nobody's cards until it is opened, by click or key."""
    table, clock = sit_down(program, "sakana", persons=2, bots=0)
    driver = shown(program)
    for key in ("enter", None):
        play_on(driver, table, clock, lambda: driver.click("sakana/pass"), until=CardPhase.CURTAIN)
        driver.frame()
        assert driver.names == {"curtain"}
        assert all(isinstance(hand, int) for hand in table.play.view()["hands"])
        if key:
            driver.key(key)
        else:
            driver.click("curtain")
        assert "hand/0" in driver.names


def test_last_pass_of_a_match(program: Program) -> None:
    """The click that ends a match by passing is carried out when its frame is drawn, and the result is told."""
    bots = (CardSeat("Ann", "greedy"), CardSeat("Ben", "greedy"))
    for seed in range(50):
        played, clock = CardPlay(CardMatch(CardSetup("sakana", bots, seed)), AtOnce()), Clock()
        while played.phase is not CardPhase.OVER:
            played.update()
            played.go_on()
        acts = played.match.acts
        if (acts[-1].player, acts[-1].move) == (0, "pass"):
            break
    match = CardMatch(CardSetup("sakana", (CardSeat("Ann"), bots[1]), seed))
    for act in acts[:-1]:
        match.play(str(act.move), player=act.player or 0)
    program.settings = type(program.settings)(reduced_motion=True)
    table = TABLES["sakana"](program, CardPlay(match, AtOnce(), clock=clock))
    program.open(table)
    driver = shown(program)
    driver.click("sakana/pass")
    driver.frame()
    assert table.play.phase is CardPhase.OVER and "summary/on" in driver.names


def test_moving_when_it_is_too_late_is_told(program: Program, told: list[str]) -> None:
    """A move that comes when nobody is to move, as a slap came first, is refused with words."""
    table, _ = sit_down(program, "sakapuss", bots=2)
    shown(program)
    assert table.play.phase is CardPhase.WATCHING
    table.attempt("pass B")
    assert told and "not possible now" in told[-1] and "[" not in told[-1]


def test_space_slaps_behind_the_curtain(program: Program) -> None:
    """In Sakapuss Space opens no curtain and ends no round: it is somebody's slap. Enter opens it."""
    table, clock = sit_down(program, "sakapuss", persons=3, bots=0)
    driver = shown(program)
    play_on(driver, table, clock, lambda: None, until=CardPhase.CURTAIN)
    driver.key("space")
    act = table.play.match.acts[-1]
    assert act.player == 1 and {"wrong_slap", "called"} & {event["type"] for event in act.events}
    play_on(driver, table, clock, lambda: None, until=CardPhase.CURTAIN)
    driver.key("enter")
    assert table.play.phase is CardPhase.PASSING


@pytest.mark.parametrize("phase", [CardPhase.PASSING, CardPhase.WATCHING])
def test_leaving_sakapuss(program: Program, phase: CardPhase) -> None:
    """A person can leave while cats are chosen and while all watch them go round; a bot plays on."""
    table, clock = sit_down(program, "sakapuss", bots=2)
    driver = shown(program)
    play_on(driver, table, clock, lambda: None, until=phase)
    driver.key("escape")
    driver.click("menu/leave")
    driver.click("question/yes")
    assert table.play.persons == () and table.play.match.seats[0].bot


class Stuck:
    """Thinks, and fails until `well`."""

    well = False
    asked = 0

    def think(self, thinking: Thinking) -> int:
        """Begin."""
        self.asked += 1
        return self.asked

    def poll(self) -> Chosen | None:
        """Failure, or a pass."""
        return Chosen(self.asked, "pass", None if self.well else "no idea") if self.asked else None


def test_bots_that_are_stopped_can_go_on(program: Program) -> None:
    """When bots have failed too often, a button lets them go on; meanwhile the page rests."""
    program.settings = type(program.settings)(reduced_motion=True)
    stuck = Stuck()
    play = CardPlay(CardMatch(CardSetup("sakana", (CardSeat("Ann"), CardSeat("Bot", "greedy")), 5)), stuck)
    table = TABLES["sakana"](program, play)
    program.open(table)
    driver = shown(program)
    if play.phase is CardPhase.PERSON:
        table.attempt("pass")
    driver.frame(20)
    assert (stuck.asked, table.busy) == (3, False)
    stuck.well, acts = True, len(play.match.acts)
    driver.click("table/again")
    driver.frame(5)
    assert len(play.match.acts) > acts and "table/again" not in driver.names


def test_saved_match_goes_on(program: Program, home: Path) -> None:
    """A match left in the middle opens again at its own table, with all that was done."""
    path = home / "cards.stakd"
    table, clock = sit_down(program, "sardines", path=path)
    driver = shown(program)
    for _ in range(40):
        clock.now += 0.1
        driver.frame(1)
        if table.play.phase is CardPhase.PERSON:
            table.attempt(str(table.play.legal()[0]))
        if len(table.play.match.acts) >= 6:
            break
    acts = len(table.play.match.acts)
    program.back()
    continue_match(program, path)
    driver.frame()
    assert isinstance(program.screen, CardTable) and program.screen.GAME == "sardines"
    assert len(program.screen.play.match.acts) >= acts >= 6


def test_replay_with_one_players_eyes(program: Program, home: Path) -> None:
    """A replay opens every hand, or only what one player could see then; it steps by keys and by the bar."""
    match = CardMatch(CardSetup("sakana", (CardSeat("Ann"), CardSeat("Ben")), 4))
    for _ in range(6):
        seat = match.state.to_move
        assert seat is not None
        match.play(str(match.state.legal_moves()[0]), player=seat)
    save_card_record(match, home / "a.stakd")
    page = CardReplay(program, home / "a.stakd")
    program.open(page)
    driver = shown(program)
    driver.key("period")
    driver.key("period")
    assert page.play.at == 2
    assert all(isinstance(hand, list) for hand in page.play.view()["hands"])
    driver.click("replay/eyes/1")
    hands = page.play.view()["hands"]
    assert isinstance(hands[0], list) and isinstance(hands[1], int)
    driver.key("end")
    assert page.play.at == 6 == len(load_card_record(home / "a.stakd").acts)
    with pytest.raises(NotNow):
        page.play.play("pass")


@pytest.mark.parametrize("game", sorted(TABLES))
def test_everything_open(program: Program, home: Path, game: str) -> None:
    """A replay of each game can be seen openly, hidden piles too, from beginning to end."""
    match = CardMatch(CardSetup(game, (CardSeat("Ann"), CardSeat("Ben"), CardSeat("Cleo")), 4))
    seat = match.state.to_move or 0
    match.play(str(match.state.legal_moves(seat)[0]), player=seat)
    save_card_record(match, home / "a.stakd")
    program.open(CardReplay(program, home / "a.stakd"))
    driver = shown(program)
    driver.key("end")
    assert "replay/eyes/0" in driver.names


def test_cards_in_flight_arrive_at_a_jump(program: Program, home: Path) -> None:
    """In a replay cards fly on the way to the next act; a jump elsewhere ends that."""
    match = CardMatch(CardSetup("sakana", (CardSeat("Ann"), CardSeat("Ben")), 4))
    match.play(next(str(move) for move in match.state.legal_moves() if str(move) != "pass"), player=match.state.to_move or 0)
    save_card_record(match, home / "a.stakd")
    page = CardReplay(program, home / "a.stakd")
    program.open(page)
    page.go(1)
    assert page.busy
    page.go(0)
    assert not page.busy


@pytest.mark.parametrize("game", sorted(TABLES))
def test_set_up(program: Program, game: str) -> None:
    """Each game is set up by clicks, with names that are mended, and begins at its own table."""
    program.open(Home(program))
    page = CardSetupPage(program, game)
    program.open(page)
    driver = shown(program)
    driver.click("cards/players/1")
    driver.write("cards/name1", "Ann")
    driver.write("cards/name0", "Ann")
    driver.click("cards/level2/1")
    setup = page.setup()
    fewest = {"sakana": 2, "sardines": 2, "sakapuss": 3}[game]
    assert setup.game == game and len(setup.seats) == fewest + 1
    assert len({seat.name for seat in setup.seats}) == fewest + 1
    assert setup.seats[0].bot is None and setup.seats[2].bot == "random"
    driver.click("cards/start")
    assert isinstance(program.screen, TABLES[game])


@pytest.mark.parametrize("size", [(960, 600), (1280, 720), (1920, 1080)])
@pytest.mark.parametrize("table_type", [SakanaTable, SakapussTable])
def test_nothing_leaves_the_window(program: Program, table_type: type[CardTable], size: tuple[int, int]) -> None:
    """At every size all buttons lie within the window."""
    sit_down(program, table_type.GAME, bots=4, persons=1)
    driver = HeadlessDriver(program, size)
    driver.frame(2)
    wide, high = program.gui.size
    for name, item in program.gui.items.items():
        if not name.startswith(("hand/", "log/")):
            assert item.box.x >= 0 and item.box.y >= 0 and item.box.right <= wide + 0.5 and item.box.bottom <= high + 0.5, name
