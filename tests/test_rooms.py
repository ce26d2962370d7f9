"""The house: imports run one way, so that each room can be understood, tested and used without the rooms above it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[1]
ROOMS = ("meshes", "physics", "games", "viewer")
OURS = {*ROOMS, "stakd", "bench", "tests"}
MEETING = {
    "games.acts",
    "games.background",
    "games.jobs",
    "games.match",
    "games.moving_table",
    "games.play",
    "games.play_log",
    "games.record",
    "games.record_lines",
    "games.record_rest",
    "games.retelling",
    "games.study.cluster",
    "games.study.game",
    "games.study.journal",
    "games.study.result",
    "games.study.run",
    "games.study.setup",
    "games.study.summary",
    "games.study.tables",
    "games.study.words",
    "games.study.workers",
    "games.words",
    "games.tower_file",
    "games.judgement",
    "games.taking_back",
    "games.verdicts",
    "games.worker",
}
"""The modules of `games` in which rules and physics meet; all others are rules, bots and forms, which know cells and sets only."""

ALLOWED = {
    "meshes": {"meshes"},
    "physics": {"physics", "meshes"},
    "games": {"games", "meshes", "physics"},
    "viewer": {"viewer", "games", "physics", "meshes"},
    "stakd": {"viewer", "games", "physics", "meshes"},
}
"""What each room may know."""


def module_name(path: Path) -> str:
    """The dotted name of a source file."""
    parts = path.relative_to(HOUSE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for room in ROOMS for path in sorted((HOUSE / room).rglob("*.py"))} | {"stakd": HOUSE / "stakd.py"}
RULES_SIDE = sorted(name for name in MODULES if name.split(".")[0] == "games" and name not in MEETING)


def imports(name: str) -> Iterator[str]:
    """Dotted names a module imports anywhere in its text: at the top, inside functions, for types only, relatively, or by name."""
    path = MODULES[name]
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text("utf8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            source = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{source}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("importlib.import_module", "import_module", "__import__"):
            yield from (argument.value for argument in node.args if isinstance(argument, ast.Constant) and isinstance(argument.value, str))


def ours(name: str) -> set[str]:
    """The imports of a module that name something of this house."""
    return {target for target in imports(name) if target.split(".")[0] in OURS}


@pytest.mark.parametrize("name", sorted(MODULES))
def test_module_knows_only_the_rooms_below(name: str) -> None:
    """meshes ← physics ← games ← viewer ← stakd; nobody knows the front door, the benchmarks or the tests."""
    allowed = ALLOWED[name.split(".")[0]]
    assert {target for target in ours(name) if target.split(".")[0] not in allowed} == set()


@pytest.mark.parametrize("name", RULES_SIDE)
def test_rules_know_no_physics(name: str) -> None:
    """Rules, bots, forms and protocol of the games import neither physics nor a module of `games` that does."""
    reached = {target for target in ours(name) if target.split(".")[0] == "physics" or any(f"{target}.".startswith(f"{meet}.") for meet in MEETING)}
    assert reached == set()


def test_meeting_modules_are_there_for_a_reason() -> None:
    """The list of modules where rules and physics meet names no module that needs no physics, so it can't grow unseen."""
    present = MEETING & MODULES.keys()
    below = ("physics", *MEETING)
    needless = {name for name in present if not any(f"{target}.".startswith(f"{reason}.") for target in ours(name) for reason in below)}
    assert needless == set()


def test_every_room_is_read() -> None:
    """The check sees all four rooms and the front door (an empty list would pass everything)."""
    assert {name.split(".")[0] for name in MODULES} == {*ROOMS, "stakd"}
    assert "meshes.lattice" in MODULES
    assert "meshes.lattice.Lattice" in ours("meshes.outline")
