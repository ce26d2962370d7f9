"""The front door: the command line, one short function a command, nothing else."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from meshes.errors import StakdError
from viewer.options import ActNumber, FileSet, Hand, JsonFlag, Level, Players, SeedNumber, SetName, TableFormat, finite, member, refuse
from viewer.terminal import STDERR, STDOUT, print_json, report, run_quietly

if TYPE_CHECKING:
    from games.judgement import PieceJudgement, TowerJudgement

app = typer.Typer(
    name="stakd",
    invoke_without_command=True,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    epilog="Exit status: 0 fine, 1 the answer is no (illegal, unstable), 2 bad use or input.",
)

_DEMO_SEED = 7


@app.callback()
def window(context: typer.Context) -> None:
    """STAKD on the table: exact rules, real physics, towers that topple; and three card games. Without a command the window opens."""
    if context.invoked_subcommand is None:
        from viewer.launch import run_program

        run_program()


@app.command(epilog="Examples: `stakd play` · `stakd play --set my.toml` · `stakd play sakana` · `stakd play out/match.stakd`")
def play(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME|FILE]", help="stakd, sakana, sardines or sakapuss; or a record, to go on with where it ends: it is saved there again."
        ),
    ] = None,
    set_name: Annotated[str | None, typer.Option("--set", metavar="SET", help="Piece set of a match of STAKD (default: the last one).")] = None,
) -> None:
    """Open the window to play: to set up a match, or at the table of a saved one."""
    from viewer.launch import play_in_window

    refuse("with a card game or a file", what not in (None, "stakd"), {"--set": set_name})
    play_in_window(what, set_name=set_name)


@app.command(epilog="Examples: `stakd lab` · `stakd lab parts/knob.stl` · `stakd lab my.toml`")
def lab(
    what: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="A mesh file to look at, or the .toml file of a piece set.")] = None,
) -> None:
    """Open the window at the piece lab: is a mesh a sound piece, how does it stand, which sizes suit a set."""
    from viewer.launch import lab_in_window

    lab_in_window(what)


@app.command(
    epilog="Examples: `stakd demo --seed 7` · `stakd demo --players 3 --bots greedy,mcts,random --hand shaky --out fall` · `stakd demo --window` · "
    "`stakd demo sakana --players 4`"
)
def demo(
    game: Annotated[str, typer.Argument(help="stakd, sakana, sakapuss or sardines.")] = "stakd",
    in_window: Annotated[
        bool, typer.Option("--window", help="STAKD in the window, round after round until a key is pressed; nothing is kept.")
    ] = False,
    seed: Annotated[
        int | None, typer.Option(min=0, max=2**63 - 1, help="The same seed gives the same rounds (default: 7, with --window any).")
    ] = None,
    players: Annotated[
        int | None, typer.Option(min=1, max=10, help="How many play; 1 is solo (default: 2, with --window it changes; card games 3).")
    ] = None,
    set_name: Annotated[str | None, typer.Option("--set", metavar="SET", help="Piece set (default: classic, with --window it changes).")] = None,
    bots: Annotated[
        str | None, typer.Option(metavar="NAMES", help="Bots by seat, repeated as needed (default: mcts,greedy; card games greedy).")
    ] = None,
    hand: Annotated[Hand | None, typer.Option(help="How steady the bots' hands are (default: normal).")] = None,
    push: Annotated[bool, typer.Option("--push", help="Push a tower that stands to the end over, so that there is a fall to film.")] = False,
    out: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Where record, picture and film go (default: out).")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Bots play a round: every turn in words, then the record, a picture, and a film if the tower fell. With --window a show without end.

    Of a card game bots play a whole game in words, and the record is kept.
    """
    if game != "stakd":
        refuse("in card games", True, {"--window": in_window or None, "--set": set_name, "--hand": hand, "--push": push or None})
        _demo_cards(game, seed, players, bots, out, as_json)
        return
    if in_window:
        refuse("with --window", True, {"--out": out, "--push": push or None, "--json": as_json or None})
        _demo_in_window(seed, set_name, players, bots, hand)
        return
    from games.match import bot_setup
    from meshes.piece_set import load_piece_set
    from viewer.demo import play_demo

    names, begun = (bots or "mcts,greedy").split(","), _DEMO_SEED if seed is None else seed
    setup = bot_setup(load_piece_set(set_name or "classic"), names, players=players or 2, seed=begun, hand=(hand or Hand.normal).value)
    summary = play_demo(setup, out or Path("out"), push=push, say=STDERR.print if as_json else STDOUT.print, console=STDERR)
    if as_json:
        print_json(summary)


@app.command(epilog="Examples: `stakd judge out/match.stakd` · `stakd judge out/match.stakd --act 12 --piece DUO --x 15 --y 26 --yaw 60 --settle`")
def judge(
    file: Annotated[Path, typer.Argument(help="Tower file, position (state JSON) or record.")],
    piece: Annotated[str | None, typer.Option(help="Judge this piece at --x --y --yaw on the tower; without it, the tower as it stands.")] = None,
    x: Annotated[float | None, typer.Option(callback=finite, help="mm, of the piece's own cell 0,0 (default: 0).")] = None,
    y: Annotated[float | None, typer.Option(callback=finite, help="mm (default: 0).")] = None,
    yaw: Annotated[float | None, typer.Option(callback=finite, help="Degrees, counter-clockwise (default: 0).")] = None,
    layer: Annotated[int | None, typer.Option(min=0, max=1000, help="Layer it lies on (default: the highest surface below it).")] = None,
    act: ActNumber = None,
    set_name: FileSet = None,
    settle: Annotated[bool, typer.Option("--settle", help="Let Bullet watch it too (6 simulated seconds).")] = False,
    hand: Annotated[Level | None, typer.Option(help="How often do such hands knock the tower over that lay the piece there? (200 hands)")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Of those hands (default: 0).")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Judge a tower, or a piece laid on it: alignment, overhang, rules, stability. Exit status 1 if the answer is no."""
    from games.processes import other_cores

    refuse("without --piece", piece is None, {"--x": x, "--y": y, "--yaw": yaw, "--layer": layer, "--hand": hand})
    refuse("without --hand", hand is None, {"--seed": seed})
    with STDERR.status("judging"), other_cores("physics.chance", if_lost="judge again") if hand else nullcontext() as helpers:
        # only now, as helpers load what they need meanwhile
        from games.judgement import judge_piece, judge_tower, with_chance
        from games.tower_file import load_table

        table = load_table(file, set_name=set_name, act=act)
        if piece is None:
            judgement: PieceJudgement | TowerJudgement = judge_tower(table, settle=settle)
        else:
            judgement = judge_piece(table, piece, x or 0.0, y or 0.0, yaw or 0.0, layer=layer, settle=settle)
            judgement = with_chance(judgement, table, hand, seed or 0, helpers=helpers) if hand else judgement
    if table.note:
        STDERR.print(f"note: {table.note}")
    if as_json:
        print_json(judgement.to_json())
    else:
        for line in judgement.words():
            STDOUT.print(line)
    raise typer.Exit(0 if judgement.holds else 1)


@app.command(
    epilog="Examples: `stakd replay out/match.stakd` · `stakd replay out/match.stakd --act 12 --json` · `stakd replay out/match.stakd --window`"
)
def replay(
    record: Annotated[Path, typer.Argument(help="A record.")],
    act: ActNumber = None,
    in_window: Annotated[bool, typer.Option("--window", help="Watch it in the window.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Check a record against the rules and tell it act by act, or watch it; never simulates anything again."""
    if in_window:
        from viewer.launch import replay_in_window

        refuse("with --window", True, {"--act": act, "--json": as_json or None})
        replay_in_window(record)
        return
    from games.retelling import retold

    told = retold(record, act)
    if told.note:
        STDERR.print(told.note)
    if as_json:
        print_json(told.data)
        return
    for line in told.lines:
        STDOUT.print(line)


@app.command(epilog="Examples: `stakd render out/match.stakd -o out/end.png` · `stakd render out/match.stakd --whole --film out/all.gif --speed 4`")
def render(
    file: Annotated[Path, typer.Argument(help="Tower file, position (state JSON) or record.")],
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="PNG", help="The picture (default: beside FILE, .png).")] = None,
    film: Annotated[Path | None, typer.Option(metavar="GIF|MP4", help="A film instead: the topple of a record, or with --whole all of it.")] = None,
    whole: Annotated[bool, typer.Option("--whole", help="Film every act of the record.")] = False,
    speed: Annotated[float | None, typer.Option(callback=finite, min=0.05, max=8, help="Of the film: 0.25 is slow motion (default: 0.5).")] = None,
    act: ActNumber = None,
    set_name: FileSet = None,
    size: Annotated[str, typer.Option(metavar="WxH", help="Pixels, 64x64 to 7680x4320 (default: 1280x720, films 640x360).")] = "",
    azimuth: Annotated[float | None, typer.Option(callback=finite, min=-360, max=360, help="Degrees around the tower.")] = None,
    elevation: Annotated[float | None, typer.Option(callback=finite, min=3, max=90, help="Degrees above the table.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Draw a tower, position or record as a PNG, or film a record, without a screen."""
    from viewer.drawing import draw_film, draw_picture, parse_size

    refuse("with --film", film is not None, {"--output": output, "--azimuth": azimuth, "--elevation": elevation, "--set": set_name})
    refuse("without --film", film is None, {"--whole": whole or None, "--speed": speed})
    if film is None:
        pixels = parse_size(size or "1280x720")
        with STDERR.status("drawing"):
            written = draw_picture(file, output, pixels, set_name=set_name, act=act, azimuth=azimuth, elevation=elevation)
    else:
        written = draw_film(file, film, parse_size(size or "640x360"), whole=whole, speed=speed or 0.5, act=act, console=STDERR)
    report(written, as_json)


@app.command(
    epilog="Examples: `stakd export out/classic.3mf` (several plates: `classic-1.3mf` …) · `stakd export out/duo.stl --piece DUO` · "
    "`stakd export out/tower.glb --tower out/match.stakd`"
)
def export(
    output: Annotated[Path, typer.Argument(help="STL or 3MF (mm) or GLB (metres, Y up); the suffix decides.")],
    piece: Annotated[str | None, typer.Option(help="One piece by name.")] = None,
    tower: Annotated[Path | None, typer.Option(help="A tower file, position or record.")] = None,
    act: ActNumber = None,
    set_name: FileSet = None,
    one_of_each: Annotated[bool, typer.Option("--one-of-each", help="A plate with each piece once, not the whole box.")] = False,
    plate: Annotated[
        tuple[float, float] | None,
        typer.Option(callback=finite, metavar="WIDTH DEPTH", help="A print plate in mm (default: 250 210); several if needed."),
    ] = None,
    gap: Annotated[
        float | None, typer.Option(callback=finite, min=0, max=1000, help="Room around each piece on the plate in mm (default: 5).")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Write a piece, a whole set as a print plate, or a tower for printing or 3D programs."""
    from meshes.export import export_piece, export_plate, export_tower
    from meshes.piece_set import load_piece_set
    from meshes.plate import Plate

    refuse("with --tower", tower is not None, {"--piece": piece})
    refuse("with --piece or --tower", piece is not None or tower is not None, {"--one-of-each": one_of_each or None, "--plate": plate, "--gap": gap})
    refuse("without --tower", tower is None, {"--act": act})
    if tower is not None:
        from games.tower_file import load_table

        stands = load_table(tower, set_name=set_name, act=act).tower
        placed = [(stands.piece_type(i), laid.pose.transform) for i, laid in enumerate(stands.laid)]
        written = [export_tower(stands.piece_set, placed, output)]
    elif piece is not None:
        piece_set = load_piece_set(set_name or "classic")
        written = [export_piece(piece_set, piece_set.piece(piece), output)]
    else:
        room = Plate(*(plate or (250.0, 210.0)), 5.0 if gap is None else gap)
        written = [*export_plate(load_piece_set(set_name or "classic"), output, plate=room, one_of_each=one_of_each)]
    if as_json:
        print_json({"files": [file.to_json() for file in written]})
    else:
        STDOUT.print("\n".join(map(str, written)))


@app.command(epilog="Examples: `stakd pieces` · `stakd pieces --set square --json` · `stakd pieces --set my.toml` (checks your own set)")
def pieces(set_name: SetName = "classic", as_json: JsonFlag = False) -> None:
    """List the pieces of a set with their sizes and weights; checks a set of your own."""
    from meshes.piece_set import load_piece_set
    from meshes.report import set_report, set_table

    piece_set = load_piece_set(set_name)
    if as_json:
        print_json(set_report(piece_set))
    else:
        STDOUT.print(set_table(piece_set))


@app.command(
    epilog="Examples: `stakd arena` · `stakd arena --bots mcts,greedy --ms 1000` · `stakd arena --game sakapuss --bots greedy,random,random`"
)
def arena(
    bots: Annotated[str, typer.Option(metavar="NAMES", help="Bots that meet, comma separated; seats rotate.")] = "greedy,random",
    game: Annotated[str, typer.Option(metavar="NAME", help="Which game they play; --set is for stakd alone.")] = "stakd",
    games: Annotated[int, typer.Option(min=1, max=1_000_000, help="Rounds of STAKD, or whole games of another game, to play.")] = 100,
    milliseconds: Annotated[int | None, typer.Option("--ms", min=1, help="Thinking time a move.")] = None,
    iterations: Annotated[int | None, typer.Option(min=1, help="Thinking steps a move, instead of time; repeatable.")] = None,
    processes: Annotated[int | None, typer.Option(min=1, max=256, help="Default: one a core.")] = None,
    seed: SeedNumber = 0,
    set_name: SetName = "classic",
    as_json: JsonFlag = False,
) -> None:
    """Bots play each other in processes; win rates with 95 % confidence intervals."""
    from games.arena import play_arena

    names = bots.split(",")
    limits = {"milliseconds": milliseconds, "iterations": iterations}
    result = play_arena(names, games, game=game, seed=seed, set_name=set_name, processes=processes, console=STDERR, **limits)
    if as_json:
        print_json(result.to_json())
    else:
        STDOUT.print(result.table())


@app.command(
    epilog="Examples: `stakd study classic --games 100 --hand shaky` · `stakd study my.toml --vary radius,thickness=9:11,weight --games 500` · "
    "`stakd study classic --against square` · `stakd study classic --games 500 --resume` (goes on where it was stopped)"
)
def study(
    set_name: Annotated[str, typer.Argument(metavar="SET", help="Piece set: classic, square, or the path of your own .toml file.")],
    vary: Annotated[
        str | None,
        typer.Option(metavar="WHAT", help="What to vary: radius=12:13,thickness,pitch,bevel,weight,friction,bounce; a name alone: ±5 %."),
    ] = None,
    games: Annotated[int, typer.Option(min=1, max=1_000_000, help="Rounds to play with each set.")] = 100,
    hand: Annotated[Hand, typer.Option(help="How steady the bots' hands are.")] = Hand.normal,
    bots: Annotated[str, typer.Option(metavar="NAMES", help="Bots by seat, repeated as needed.")] = "greedy",
    players: Players = 2,
    iterations: Annotated[int | None, typer.Option(min=1, help="Thinking steps a move, for bots that search.")] = None,
    seed: SeedNumber = 0,
    processes: Annotated[int | None, typer.Option(min=1, max=256, help="Default: one a core.")] = None,
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where journal, tables and report go.")] = Path("out/study"),
    tables: Annotated[TableFormat, typer.Option(help="Form of the tables; parquet needs the extra `study`.")] = TableFormat.csv,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the study in FOLDER; more --games extend it.")] = False,
    against: Annotated[str | None, typer.Option(metavar="SET2", help="A second set, to be compared side by side.")] = None,
    cluster: Annotated[str | None, typer.Option(metavar="ADDRESS", help="Play on the Dask cluster of this scheduler (tcp://host:8786).")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Bots play many rounds with hands: how often towers fall, where, by whom, and which dimension matters. Ends in tables and a report."""
    from games.study.run import Place
    from games.study.setup import StudySetup
    from games.study.variation import parse_variations
    from meshes.piece_set import load_piece_set
    from viewer.studying import make_study

    refuse("with --cluster", cluster is not None, {"--processes": processes})
    refuse("with --against", against is not None, {"--vary": vary})
    piece_set = load_piece_set(set_name)
    setup = StudySetup(
        piece_set,
        games,
        parse_variations(vary, piece_set) if vary is not None else (),
        load_piece_set(against) if against else None,
        players=players,
        bots=tuple(bot.strip() for bot in bots.split(",")),
        hand=hand.value,
        seed=seed,
        iterations=iterations,
    )
    say = STDERR.print if as_json else STDOUT.print
    studied = make_study(setup, out, place=Place(processes, cluster), resume=resume, table_format=tables.value, say=say, console=STDERR)
    if as_json:
        print_json(studied.to_json())


@app.command(
    epilog="Examples: `stakd check uni.stl` · `stakd check *.stl --set my.toml` · `stakd check box.3mf --part DUO --json`. "
    "Exit status: 0 sound, 1 unsound, 2 unreadable."
)
def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="STL, OBJ, GLB, glTF, PLY, OFF or 3MF; all parts of each are checked.")],
    set_name: Annotated[str | None, typer.Option("--set", metavar="SET", help="Piece set to hold them against (default: none).")] = None,
    unit: Annotated[str | None, typer.Option(metavar="UNIT", help="mm, cm, m or inch (default: inferred).")] = None,
    up: Annotated[str | None, typer.Option(metavar="AXIS", help="+x, -x, +y, -y, +z or -z (default: inferred).")] = None,
    part: Annotated[str | None, typer.Option(metavar="NAME", help="The part to check of files that have several.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Say whether mesh files are sound pieces: closed, their weight, nodes and flats; do they fit the set, print, and lie still."""
    from meshes.mesh_units import Axis, Unit
    from meshes.piece_set import load_piece_set
    from physics.check_files import check_files, file_view, files_json, summary_view, worst

    piece_set = load_piece_set(set_name) if set_name else None
    chosen = {"unit": member(Unit, unit, "--unit"), "up": member(Axis, up, "--up")}
    checks = []
    for checked in check_files(files, piece_set=piece_set, part=part, **chosen):
        checks.append(checked)
        if not as_json:
            (STDERR if checked.error else STDOUT).print(file_view(checked))
    if as_json:
        print_json(files_json(checks))
    elif len(checks) > 1:
        STDOUT.print(summary_view(checks))
    raise typer.Exit(worst(checks))


@app.command(epilog="Examples: `stakd perft 4` · `stakd perft 6 --players 1` · `stakd perft 3 --divide`")
def perft(
    depth: Annotated[int, typer.Argument(min=0, max=12, help="Moves deep.")],
    players: Players = 2,
    set_name: SetName = "classic",
    divide: Annotated[bool, typer.Option("--divide", help="One line for each first move.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Count all sequences of moves of exactly DEPTH from the start: the outside truth for the rules."""
    from games.stakd.perft import divided, perft
    from games.stakd.state import State
    from meshes.piece_set import load_piece_set

    state = State.new(players, piece_set=load_piece_set(set_name))
    with STDERR.status(f"counting sequences of {depth} moves"):
        counts = {str(move): n for move, n in divided(state, depth).items()} if divide and depth else {}
        total = sum(counts.values()) if counts else perft(state, depth)
    if as_json:
        print_json({"depth": depth, "players": players, "set": set_name, "count": total, "divided": counts})
        return
    for move, count in counts.items():
        STDOUT.print(f"{move}: {count}")
    STDOUT.print(f"perft({depth}) = {total}")


@app.command(epilog="""Example: `echo '{"jsonrpc":"2.0","id":1,"method":"games"}' | stakd engine`""")
def engine(set_name: SetName = "classic") -> None:
    """Speak the engine protocol (JSON-RPC 2.0, one object a line) on standard input and output."""
    from games.engine import claim_stdout, serve

    if sys.stdin is None or sys.stdout is None:
        raise StakdError("the engine needs standard input and output; one of them is closed")
    stdout = claim_stdout()  # before the imports that print banners
    from games.judgement import engine_judge
    from meshes.piece_set import load_piece_set

    serve(sys.stdin.buffer, stdout, piece_set=load_piece_set(set_name), judge=engine_judge)


@app.command()
def doctor(as_json: JsonFlag = False) -> None:
    """Say which versions are here, whether OpenGL is found, what is missing and how to get it."""
    from viewer.doctor import examine

    health = examine()
    if as_json:
        print_json(health.to_json())
    else:
        STDOUT.print("\n".join(health.words()))
    raise typer.Exit(0 if health.well else 1)


def main() -> None:
    """Run the command line."""
    run_quietly(app)


def _demo_cards(game: str, seed: int | None, players: int | None, bots: str | None, out: Path | None, as_json: bool) -> None:
    from games.card_demo import play_card_demo
    from games.card_match import CardSetup, bot_seats

    setup = CardSetup(game, bot_seats(game, (bots or "greedy").split(","), players=players or 3), _DEMO_SEED if seed is None else seed)
    played = play_card_demo(setup, out or Path("out"), say=STDERR.print if as_json else STDOUT.print, console=STDERR)
    if as_json:
        print_json(played)


def _demo_in_window(seed: int | None, set_name: str | None, players: int | None, bots: str | None, hand: Hand | None) -> None:
    from viewer.casting import Casting
    from viewer.launch import show_in_window

    names, steadiness = bots.split(",") if bots else None, hand.value if hand else None
    show_in_window(Casting.of(seed, set_name=set_name, players=players, bots=names, hand=steadiness))


if __name__ == "__main__":
    main()
