"""Acts in words: a person can follow a match by its log alone."""

from __future__ import annotations

from games.match import Match, bot_setup
from games.words import act_summary, tell
from meshes.piece_set import load_piece_set
from tests.games.test_match import play, slipped, toppled

CLASSIC = load_piece_set("classic")


def told(match: Match) -> str:
    """The last act in words."""
    return "\n".join(tell(match.acts[-1], ["Ada", "Bo"]))


def test_every_kind_of_act_is_told() -> None:
    """Laying, slipping, knocking over and leaving name the player and the piece; a fall says what failed first and the score."""
    match = Match(bot_setup(CLASSIC, ["random"], players=2, seed=8, hand="board"))
    play(match, 1)
    assert told(match).startswith("Ada adds a BASE on the table (0,0 0,1 1,0 1,1 2,0)")
    play(match, 12)
    move = match.think()
    match.settle_act(move, slipped(match, move), hand="shaky")
    assert f"lets slip and takes back a {move.piece}" in told(match)
    match.settle_act(move, toppled(match), hand="shaky")
    assert "knocks the tower over" in told(match)
    assert "The tower falls:" in told(match)
    assert "-1" in told(match)
    match.resign(0)
    assert "Ada leaves the match" in told(match)


def test_elimination_names_the_rule() -> None:
    """Who is out is told why, with the row of the rules (S31 above all)."""
    match = Match(bot_setup(CLASSIC, ["random"], players=3, seed=2, hand="board"))
    while match.state.round == 1:
        match.place(match.think())
    log = "\n".join(line for act in match.acts for line in tell(act, ["Ada", "Bo", "Cy"]))
    assert " is out: " in log
    assert "(S" in log
    assert "wins it" in log


def test_summaries_are_plain_data() -> None:
    """An act for programs holds the move as the engine protocol has it and no pose track."""
    match = play(Match(bot_setup(CLASSIC, ["random"], players=2, seed=8, hand="board")), 5)
    summary = act_summary(match.acts[-1])
    assert summary["move"] == str(match.acts[-1].placement)
    assert "track" not in summary
