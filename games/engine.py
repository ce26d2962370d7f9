"""The engine: every game driven by other programs, in JSON-RPC 2.0 over standard input and output.

`python -m games.engine` serves the rules alone; `stakd engine` adds the physical judge.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, BinaryIO, NoReturn, Protocol, TypeVar

import numpy as np
from pydantic import ValidationError

from games import requests
from games.bots import bot_names, choose_move, make_bot
from games.errors import BadState, IllegalMove, NoSuchSeat, NothingToUndo
from games.interface import Game, State
from games.jsonrpc import INVALID_PARAMS, Methods, RpcError, serve_lines
from games.registry import all_games
from games.stakd.perft import perft
from games.stakd.state import State as StakdState
from meshes.errors import Defect, DefectiveInput, StakdError
from meshes.forms import form_defects
from meshes.piece_set import PieceSet

NOT_LEGAL = 1
BAD_STATE = 2
NO_GAME = 3

P = TypeVar("P", bound=requests.Params)


class Judge(Protocol):
    """The physical verdict on a free pose, given by whoever starts the engine: the rules know no physics."""

    def __call__(self, state: StakdState, piece: str, *, x_mm: float, y_mm: float, yaw_deg: float, layer: int | None) -> dict[str, Any]:
        """The verdict in protocol form. `piece` names a piece of the set; raises `StakdError` for a pose that can't be judged."""
        ...


def serve(stdin: BinaryIO, stdout: BinaryIO, *, piece_set: PieceSet | None = None, judge: Judge | None = None) -> None:
    """Answer requests until the input ends. `piece_set` is STAKD's; without `judge` the method of that name is not there."""
    serve_lines(stdin, stdout, Engine(all_games(piece_set), judge=judge).methods())


def claim_stdout() -> BinaryIO:
    """Standard output for the protocol alone: whatever else this process prints, C libraries too, goes to standard error."""
    sys.stdout.flush()
    protocol = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return protocol


class Engine:
    """One game at a time and the methods that drive it. A method that fails leaves all as it was."""

    def __init__(self, games: Mapping[str, Game], *, judge: Judge | None = None) -> None:
        self._games, self._judge = games, judge
        self._name = ""
        self._state: State | None = None
        self._rng = np.random.default_rng(0)
        self._rng_past: list[Mapping[str, Any]] = []

    def methods(self) -> Methods:
        """Everything that can be called, by name."""
        kinds: dict[str, tuple[type[requests.Params], Callable[[Any], object]]] = {
            "games": (requests.Params, self._list_games),
            "new": (requests.NewParams, self._new),
            "load": (requests.LoadParams, self._load),
            "state": (requests.Params, lambda _: self._playing().to_json()),
            "view": (requests.SeatParams, lambda params: self._seated(params.player).view(params.player).to_json()),
            "moves": (requests.OptionalSeatParams, self._moves),
            "explain": (requests.MoveParams, self._explain),
            "play": (requests.MoveParams, self._play),
            "undo": (requests.Params, self._undo),
            "outcome": (requests.Params, self._outcome),
            "bot": (requests.BotParams, self._bot),
            "perft": (requests.PerftParams, lambda params: perft(self._stakd(), params.depth)),
            "knock_over": (requests.SeatParams, self._knock_over),
        }
        if self._judge is not None:
            kinds["judge"] = (requests.JudgeParams, partial(self._give_verdict, self._judge))
        return {name: partial(_checked, kind, method) for name, (kind, method) in kinds.items()}

    def _list_games(self, _: requests.Params) -> list[dict[str, Any]]:
        return [
            {"name": name, "players": list(game.players), "options": dict(game.options), "bots": list(bot_names(name))}
            for name, game in self._games.items()
        ]

    def _new(self, params: requests.NewParams) -> dict[str, Any]:
        game = self._games.get(params.game)
        if game is None:
            raise RpcError(INVALID_PARAMS, f"there is no such game; there are {', '.join(self._games)}")
        rng = np.random.default_rng(params.seed)
        return self._begin(game, game.new(params.players, options=params.options, rng=rng), rng)

    def _load(self, params: requests.LoadParams) -> dict[str, Any]:
        name = params.state.get("game")
        game = self._games.get(name) if isinstance(name, str) else None
        if game is None:
            raise BadState("given", [Defect("unknown-game", "game", f"must name one of {', '.join(self._games)}")])
        return self._begin(game, game.load(params.state), np.random.default_rng(params.seed))

    def _begin(self, game: Game, state: State, rng: np.random.Generator) -> dict[str, Any]:
        self._name, self._state, self._rng = game.name, state, rng
        self._rng_past = []
        return state.to_json()

    def _moves(self, params: requests.OptionalSeatParams) -> list[str]:
        return sorted(map(str, self._seated(params.player).legal_moves(params.player)))

    def _explain(self, params: requests.MoveParams) -> list[dict[str, str]]:
        return [broken.to_json() for broken in self._seated(params.player).explain(params.move, player=params.player)]

    def _play(self, params: requests.MoveParams) -> dict[str, Any]:
        state = self._seated(params.player)
        return self._acted(state, partial(state.play, params.move, player=params.player, rng=self._rng))

    def _knock_over(self, params: requests.SeatParams) -> dict[str, Any]:
        self._seated(params.player)
        state = self._stakd()
        return self._acted(state, partial(state.knock_over, params.player))

    def _acted(self, state: State, act: Callable[[], list[dict[str, Any]]]) -> dict[str, Any]:
        """Act, and remember where the generator stood before."""
        before = self._rng.bit_generator.state
        events = act()
        self._rng_past.append(before)
        return {"events": events, "state": state.to_json()}

    def _undo(self, _: requests.Params) -> dict[str, Any]:
        state = self._playing()
        state.undo()
        self._rng.bit_generator.state = self._rng_past.pop()
        return state.to_json()

    def _outcome(self, _: requests.Params) -> dict[str, Any] | None:
        outcome = self._playing().outcome()
        return None if outcome is None else outcome.to_json()

    def _bot(self, params: requests.BotParams) -> dict[str, str]:
        state = self._seated(params.player)
        make_bot(self._name, params.name)
        seat = state.to_move if params.player is None else params.player
        if not state.legal_moves(seat):
            # a move that another may make, or could have made, shows why this player may not
            others = (other for player in range(state.players) for other in state.legal_moves(player))
            raise IllegalMove(f"a move by the bot {params.name}", state.explain(next(map(str, others), ""), player=seat))
        limits = {"milliseconds": params.milliseconds, "iterations": params.iterations}
        chosen = choose_move(self._name, params.name, state.copy(), np.random.default_rng(params.seed), player=seat, **limits)
        return {"move": str(chosen)}

    def _give_verdict(self, judge: Judge, params: requests.JudgeParams) -> dict[str, Any]:
        state = self._stakd()
        if params.piece not in state.rules.names:
            raise RpcError(INVALID_PARAMS, f"there is no such piece; there are {', '.join(state.rules.names)}")
        return judge(state, params.piece, x_mm=params.x_mm, y_mm=params.y_mm, yaw_deg=params.yaw_deg, layer=params.layer)

    def _playing(self) -> State:
        if self._state is None:
            raise RpcError(NO_GAME, "no game yet; call new or load first")
        return self._state

    def _seated(self, player: int | None) -> State:
        state = self._playing()
        if player is None and state.to_move is None:
            raise RpcError(INVALID_PARAMS, "player must be given, as several may move at once")
        if player is not None and player >= state.players:
            raise NoSuchSeat(player, state.players)
        return state

    def _stakd(self) -> StakdState:
        state = self._playing()
        if not isinstance(state, StakdState):
            raise RpcError(INVALID_PARAMS, f"only STAKD has this method, and this is {self._name}")
        return state


def _checked(kind: type[P], method: Callable[[P], object], params: dict[str, Any]) -> object:
    """Call a method with checked params; errors of the games become answers with the protocol's codes."""
    try:
        return method(kind.model_validate(params))
    except ValidationError as error:
        defects = list(form_defects(error))
        raise RpcError(INVALID_PARAMS, f"params: {defects[0]}", _told(defects)) from error
    except IllegalMove as error:
        raise RpcError(NOT_LEGAL, str(error), [broken.to_json() for broken in error.violations]) from error
    except NothingToUndo as error:
        raise RpcError(NOT_LEGAL, str(error), []) from error
    except DefectiveInput as error:
        code = BAD_STATE if isinstance(error, BadState) else INVALID_PARAMS
        raise RpcError(code, str(error), _told(error.defects)) from error
    except StakdError as error:
        raise RpcError(INVALID_PARAMS, str(error)) from error


def _told(defects: Iterable[Defect]) -> list[dict[str, str]]:
    return [defect.to_json() for defect in defects]


def main() -> NoReturn:
    """Serve the rules alone on standard input and output."""
    serve(sys.stdin.buffer, claim_stdout())
    sys.exit(0)


if __name__ == "__main__":
    main()
