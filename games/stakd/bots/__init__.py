"""Bots for STAKD, weakest first: `random`, `greedy` (one move ahead) and `mcts` (tree search, exact where the round is nearly over)."""

from games.stakd.bots.mcts import MctsBot
from games.stakd.bots.quick import GreedyBot, RandomBot

BOTS = {"random": RandomBot, "greedy": GreedyBot, "mcts": MctsBot}
