"""Piece sets: what ships, and that every defect of a set's file is found, named and explained."""

from __future__ import annotations

import copy
import json
import math
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meshes.errors import BadPieceSet, Defect
from meshes.lattice import Lattice
from meshes.piece_set import build_piece_set, load_piece_set, read_piece_set, shipped_sets

KINDS = ("BASE", "UNI", "DUO", "TRIO", "QUAD")


def changed(*changes: tuple[str, Any], without: str = "") -> dict[str, Any]:
    """The classic set's data with values put at dotted paths, or one taken out."""
    data = copy.deepcopy(dict(load_piece_set("classic").source))
    for path, value in changes:
        table, key = _table_of(data, path)
        table[key] = value
    if without:
        table, key = _table_of(data, without)
        del table[key]
    return data


def _table_of(data: dict[str, Any], path: str) -> tuple[dict[str, Any], str]:
    *tables, key = path.split(".")
    for name in tables:
        data = data[name]
    return data, key


def defects(action: Callable[[], object]) -> tuple[Defect, ...]:
    """The defects `action` is refused for."""
    with pytest.raises(BadPieceSet) as caught:
        action()
    assert all(str(defect) in str(caught.value) for defect in caught.value.defects)
    return caught.value.defects


def found(data: Any) -> list[tuple[str, str]]:
    """Code and place of each defect of a set's data."""
    return [(defect.code, defect.where) for defect in defects(lambda: build_piece_set("mine", data))]


def test_two_sets_ship() -> None:
    """`classic` and the square rival come with the program, by name."""
    assert shipped_sets() == ["classic", "square"]
    assert [load_piece_set(name).lattice for name in shipped_sets()] == [Lattice.HEX, Lattice.SQUARE]


@pytest.mark.parametrize("name", shipped_sets())
def test_box_holds_the_rulebooks_66_pieces(name: str) -> None:
    """6 BASE, 24 UNI, 18 DUO, 12 TRIO, 6 QUAD: 66 pieces with 5, 1, 2, 3, 4 nodes (RULES 1.2)."""
    piece_set = load_piece_set(name)
    assert tuple(piece_set.by_name) == KINDS
    assert [piece.count for piece in piece_set.pieces] == [6, 24, 18, 12, 6]
    assert sum(piece.count for piece in piece_set.pieces) == 66
    assert [len(piece.cells) for piece in piece_set.pieces] == [5, 1, 2, 3, 4]
    assert [piece.name for piece in piece_set.pieces if piece.is_uni] == ["UNI"]
    assert piece_set.base is piece_set.by_name["BASE"]


@pytest.mark.parametrize("name", shipped_sets())
@pytest.mark.parametrize(
    ("players", "each", "nodes_in_bases", "nodes_to_stack"),
    [
        (1, (2, 16, 10, 6, 4), 10, 70),
        (2, (2, 12, 8, 4, 2), 20, 96),
        (3, (1, 6, 4, 2, 1), 15, 72),
        (4, (1, 6, 4, 2, 1), 20, 96),
        (5, (1, 4, 3, 2, 1), 25, 100),
    ],
)
def test_hands_are_the_rulebooks(name: str, players: int, each: tuple[int, ...], nodes_in_bases: int, nodes_to_stack: int) -> None:
    """Each player's pieces for 1–5 players, with the rulebook table's node sums (RULES 1.2, S2)."""
    piece_set = load_piece_set(name)
    hand = piece_set.hand(players)
    assert hand == dict(zip(KINDS, each, strict=True))
    assert players * hand["BASE"] * 5 == nodes_in_bases
    assert players * sum(n * len(piece_set.by_name[kind].cells) for kind, n in hand.items() if kind != "BASE") == nodes_to_stack


@pytest.mark.parametrize("players", [0, 6, -1])
def test_no_hand_beyond_the_sets_players(players: int) -> None:
    """A number of players without a row gets no hand, not a neighbour's."""
    piece_set = load_piece_set("classic")
    assert piece_set.max_players == 5
    with pytest.raises(KeyError):
        piece_set.hand(players)


def test_classic_base_is_dark_grey_and_largest() -> None:
    """The only colour and size the rulebook states (RULES 1.2)."""
    piece_set = load_piece_set("classic")
    assert max(piece_set.base.colour) < 90
    assert max(piece_set.base.colour) - min(piece_set.base.colour) < 15
    assert max(piece_set.pieces, key=lambda piece: len(piece.cells)) is piece_set.base


@pytest.mark.parametrize("name", shipped_sets())
def test_set_survives_being_kept_in_a_record(name: str) -> None:
    """A set rebuilt from its own data after a trip through JSON equals the first one, and hashes alike."""
    first = load_piece_set(name)
    again = build_piece_set(name, json.loads(json.dumps(first.source)))
    assert again == first
    assert hash(again) == hash(first)
    assert load_piece_set(name) == first


def test_set_is_the_same_in_another_process() -> None:
    """A set sent to a process that hashes text otherwise equals the one loaded there, and is found under it."""
    first = load_piece_set("classic")
    hash(first)
    look = "import pickle, sys; from meshes.piece_set import load_piece_set; print({load_piece_set('classic'): 1}[pickle.load(sys.stdin.buffer)])"
    environment = {**os.environ, "PYTHONHASHSEED": "4242"}
    assert subprocess.run(
        [sys.executable, "-c", look], input=pickle.dumps(first), env=environment, capture_output=True, check=True
    ).stdout.split() == [b"1"]


def test_source_is_a_copy() -> None:
    """Changing the data a set was built from changes neither the set nor what a record will keep."""
    data = changed()
    piece_set = build_piece_set("mine", data)
    data["pieces"]["UNI"]["cells"].append([5, 5])
    assert piece_set.source == load_piece_set("classic").source


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (changed(("author", "me")), [("unknown-key", "author")]),
        (changed(("geometry.radius", 12.0)), [("unknown-key", "geometry.radius")]),
        (changed(("material.mass", 1)), [("unknown-key", "material.mass")]),
        (changed(("pieces.UNI.number", 3)), [("unknown-key", "pieces.UNI.number")]),
        (changed(without="title"), [("missing-key", "title")]),
        (changed(without="lattice"), [("missing-key", "lattice")]),
        (changed(without="base"), [("missing-key", "base")]),
        (changed(without="geometry"), [("missing-key", "geometry")]),
        (changed(without="material"), [("missing-key", "material")]),
        (changed(without="pieces"), [("missing-key", "pieces")]),
        (changed(without="hands"), [("missing-key", "hands")]),
        (changed(without="geometry.bevel_mm"), [("missing-key", "geometry.bevel_mm")]),
        (changed(without="pieces.UNI.cells"), [("missing-key", "pieces.UNI.cells")]),
        (changed(("pieces.DUO.cells", [[0, 0], [0, 0], [1, 0]])), [("overlapping-cells", "pieces.DUO.cells")]),
        (changed(("pieces.DUO.cells", [[0, 0], [2, 0]])), [("unconnected-cells", "pieces.DUO.cells")]),
        (changed(("pieces.DUO.cells", [[0, 0], [1, 1]])), [("unconnected-cells", "pieces.DUO.cells")]),
        (changed(("pieces.DUO.letter", "U")), [("repeated-letter", "pieces.UNI.letter"), ("repeated-letter", "pieces.DUO.letter")]),
        (changed(("pieces.DUO.cells", [[4, 4]])), [("repeated-shape", "pieces.DUO.cells")]),
        (changed(("pieces.TRIO.cells", [[3, 0], [3, 1], [2, 1]])), []),
        (changed(("pieces.QUAD.cells", [[3, 0], [3, 1], [2, 1]])), [("repeated-shape", "pieces.QUAD.cells")]),
        (changed(("pieces.uni", changed()["pieces"]["UNI"] | {"letter": "V", "cells": [[0, 0], [1, 0], [2, 0]]})), [("bad-name", "pieces.uni")]),
        (changed(("base", "BASIS")), [("unknown-piece", "base")]),
        (changed(("hands.2.SEXTET", 1)), [("unknown-piece", "hands.2.SEXTET")]),
        (changed(("hands.5.UNI", 5)), [("hand-exceeds-box", "hands.5.UNI")]),
        (changed(("pieces.DUO.count", 15)), [("hand-exceeds-box", "hands.2.DUO"), ("hand-exceeds-box", "hands.4.DUO")]),
        (changed(("hands.3", {"UNI": 3})), [("no-base-in-hand", "hands.3")]),
        (changed(("hands.3", {})), [("no-base-in-hand", "hands.3")]),
        (changed(("hands.3", {"BASE": 2, "UNI": 0})), [("nothing-to-stack", "hands.3")]),
        (changed(without="hands.3"), [("hand-rows", "hands")]),
        (changed(("hands.two", {"BASE": 1, "UNI": 1})), [("hand-rows", "hands")]),
        (changed(("hands.01", {"BASE": 1, "UNI": 1})), [("hand-rows", "hands")]),
        (changed(("geometry.radius_mm", 12.9)), [("outlines-overlap", "geometry.radius_mm")]),
        (changed(("geometry.radius_mm", 13.0)), [("outlines-overlap", "geometry.radius_mm")]),
        (changed(("lattice", "square")), []),
        (changed(("geometry.bevel_mm", 5)), [("bevel-too-large", "geometry.bevel_mm")]),
        (changed(("geometry.radius_mm", 2), ("geometry.bevel_mm", 2)), [("bevel-too-large", "geometry.bevel_mm")]),
    ],
)
def test_each_defect_is_named(data: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    """Each fault of keys, cells, counts, hands or sizes has its own code and the place it stands in; sound variants pass."""
    if expected:
        assert found(data) == expected
    else:
        assert build_piece_set("mine", data).source == data


@pytest.mark.parametrize("value", ["30", True, None, math.nan, math.inf, -math.inf, -1, 0, 1e300, 10**400, [30], {"mm": 30}])
@pytest.mark.parametrize("path", ["geometry.pitch_mm", "geometry.radius_mm", "geometry.thickness_mm", "material.density_g_cm3"])
def test_lengths_must_be_sane_numbers(path: str, value: object) -> None:
    """Text, yes/no, NaN, infinities, zero and huge numbers are refused for every size, with the range that is allowed."""
    (defect,) = defects(lambda: build_piece_set("mine", changed((path, value))))
    assert (defect.code, defect.where) == ("bad-value", path)
    assert "must be a number from" in defect.message


@pytest.mark.parametrize("value", ["24", True, 2.0, 0, -3, 1001, pytest.param(10**5000, id="5001 digits"), None])
def test_counts_must_be_whole_numbers(value: object) -> None:
    """A count is a whole number from 1 to 1000 and nothing that merely looks like one."""
    (defect,) = defects(lambda: build_piece_set("mine", changed(("pieces.UNI.count", value))))
    assert (defect.code, defect.where) == ("bad-value", "pieces.UNI.count")
    assert "must be a whole number from 1 to 1000; found" in defect.message
    assert len(defect.message) < 120


@pytest.mark.parametrize("cell", [[0], [0, 0, 0], [0, 0.0], ["0", 0], [True, 0], [0, 21], [0, -(10**30)], 7, None, {}])
def test_cells_must_be_pairs(cell: object) -> None:
    """A bad cell is named by its number in the list."""
    (defect,) = defects(lambda: build_piece_set("mine", changed(("pieces.UNI.cells", [[0, 0], cell]))))
    assert (defect.code, defect.where) == ("bad-value", "pieces.UNI.cells[1]")
    assert "must be a pair [q, r] of whole numbers from -20 to 20" in defect.message


@pytest.mark.parametrize(
    ("path", "value", "advice"),
    [
        ("pieces.UNI.cells", [], "a list of 1 to 30 pairs [q, r]; found []"),
        ("pieces.UNI.cells", [[0, r] for r in range(31)], "a list of 1 to 30 pairs [q, r]; found 31 entries"),
        ("pieces.UNI.cells", "0,0", 'a list of 1 to 30 pairs [q, r]; found "0,0"'),
        ("pieces.UNI.colour", "red", "six hexadecimal digits"),
        ("pieces.UNI.colour", "#12345", "six hexadecimal digits"),
        ("pieces.UNI.colour", "#1234567", "six hexadecimal digits"),
        ("pieces.UNI.colour", 0x123456, "six hexadecimal digits"),
        ("pieces.UNI.letter", "u", 'one capital letter from A to Z; found "u"'),
        ("pieces.UNI.letter", "UN", "one capital letter from A to Z"),
        ("pieces.UNI.letter", "U\n", "one capital letter from A to Z"),
        ("pieces.UNI.letter", "Ü", "one capital letter from A to Z"),
        ("pieces.UNI", 1, "a table of keys and values; found 1"),
        ("pieces", {}, "2 to 26 tables [pieces.NAME]"),
        ("pieces", [], "2 to 26 tables [pieces.NAME]"),
        ("lattice", "triangle", '"hex" or "square"; found "triangle"'),
        ("lattice", 6, '"hex" or "square"'),
        ("title", "", "1 to 80 printable characters"),
        ("title", "x" * 81, "1 to 80 printable characters"),
        ("title", "\x1b[2Jgone", "1 to 80 printable characters"),
        ("title", 5, "1 to 80 printable characters; found 5"),
        ("base", "", "the name of a piece"),
        ("hands", {}, "1 to 10 rows"),
        ("hands", {str(n): {"BASE": 1} for n in range(11)}, "1 to 10 rows"),
        ("hands.1", 5, "a table of keys and values"),
        ("hands.1.UNI", -1, "a whole number from 0 to 1000"),
        ("hands.1.UNI", "many", 'a whole number from 0 to 1000; found "many"'),
        ("geometry", 30, "a table of keys and values; found 30"),
        ("material", None, "a table of keys and values"),
    ],
)
def test_bad_values_are_explained(path: str, value: object, advice: str) -> None:
    """Wrong types and forms say in plain words what must stand there and what was found."""
    (defect,) = defects(lambda: build_piece_set("mine", changed((path, value))))
    assert (defect.code, defect.where) == ("bad-value", path)
    assert defect.message.startswith(f"must be {advice}") or advice in defect.message


@pytest.mark.parametrize("data", [[], None, 5, "text"])
def test_data_that_is_no_table_is_refused(data: object) -> None:
    """What a damaged record holds in a set's place is refused like any bad set."""
    assert found(data) == [("bad-value", "")]


def test_all_defects_are_listed_at_once() -> None:
    """A file with many faults, of form and of meaning, is refused once with all of them, so that one round of mending is enough."""
    data = changed(
        ("author", "me"),
        ("material.friction", "high"),
        ("geometry.radius_mm", 20),
        ("geometry.bevel_mm", 7),
        ("pieces.DUO.cells", [[0, 0], [3, 0]]),
        ("pieces.UNI.letter", "D"),
        ("hands.2.UNI", 13),
        ("hands.3.OCTO", 1),
        ("base", "FLOOR"),
    )
    assert sorted(found(data)) == sorted(
        [
            ("unknown-key", "author"),
            ("bad-value", "material.friction"),
            ("outlines-overlap", "geometry.radius_mm"),
            ("bevel-too-large", "geometry.bevel_mm"),
            ("unconnected-cells", "pieces.DUO.cells"),
            ("repeated-letter", "pieces.UNI.letter"),
            ("repeated-letter", "pieces.DUO.letter"),
            ("hand-exceeds-box", "hands.2.UNI"),
            ("unknown-piece", "hands.3.OCTO"),
            ("unknown-piece", "base"),
        ]
    )


def test_messages_say_what_to_do() -> None:
    """A defect tells the number that would be right, the names there are, or the sum that does not fit."""
    data = changed(("geometry.radius_mm", 13), ("hands.5.UNI", 5), ("base", "FLOOR"), ("geometry.height", 3))
    del data["geometry"]["height"]
    text = "\n".join(str(defect) for defect in defects(lambda: build_piece_set("mine", data)))
    assert "geometry.radius_mm: neighbouring outlines overlap (gap -0.02 mm, needed 0.3); at this pitch at most 12.84 mm" in text
    assert "hands.5.UNI: 5 × 5 = 25 pieces are needed, the box holds 24" in text
    assert "base: there is no piece FLOOR; name one of BASE, UNI, DUO, TRIO, QUAD" in text
    (unknown,) = defects(lambda: build_piece_set("mine", changed(("geometry.radius", 3))))
    assert "known here: pitch_mm, radius_mm, thickness_mm, bevel_mm" in unknown.message


def test_advised_radius_is_accepted() -> None:
    """The largest radius the message names really is allowed."""
    assert build_piece_set("mine", changed(("geometry.radius_mm", 12.84))).radius_mm == 12.84


def test_terminal_codes_in_keys_are_shown_not_obeyed() -> None:
    """A key holding control characters can't play with the reader's terminal."""
    (defect,) = defects(lambda: build_piece_set("mine", changed(("geometry.\x1b[2J", 1))))
    assert "\x1b" not in str(defect)


@pytest.mark.parametrize(
    ("content", "code", "advice"),
    [
        (b"title = \n", "not-toml", "line 1"),
        (b"title = 'a'\ntitle = 'b'\n", "not-toml", "line 2"),
        (b"a = " + b"[" * 20_000, "not-toml", "not a TOML file"),
        (b"a = " + b"9" * 5_000, "not-toml", "thousands of digits"),
        (b"\x89PNG\r\n\x1a\n\x00\xff", "unreadable", "save it as UTF-8"),
        ("title = 'é'".encode("latin-1"), "unreadable", "save it as UTF-8"),
        ("title = 'a'".encode("utf-16"), "unreadable", "save it as UTF-8"),
        (b"#" * 1_000_001, "too-large", "1000000 bytes"),
        (b"", "missing-key", "must be given"),
    ],
)
def test_files_that_are_no_set_are_refused(tmp_path: Path, content: bytes, code: str, advice: str) -> None:
    """Broken TOML, binary files, other encodings, huge and empty files: refused with the reason, never a traceback."""
    path = tmp_path / "mine.toml"
    path.write_bytes(content)
    all_defects = defects(lambda: load_piece_set(path))
    assert {defect.code for defect in all_defects} == {code}
    assert advice in all_defects[0].message


def test_missing_file_folder_and_odd_names_are_refused(tmp_path: Path) -> None:
    """A file that is not there, a folder, and a name that can't be a file's."""
    (tmp_path / "folder.toml").mkdir()
    assert [d.code for d in defects(lambda: load_piece_set(tmp_path / "absent.toml"))] == ["missing-file"]
    assert [d.code for d in defects(lambda: load_piece_set(tmp_path / "folder.toml"))] == ["unreadable"]
    assert [d.code for d in defects(lambda: load_piece_set("a\0b.toml"))] == ["unreadable"]
    assert [d.code for d in defects(lambda: load_piece_set("x" * 5000 + ".toml"))] == ["unreadable"]


def test_unknown_set_lists_the_known_ones() -> None:
    """A misspelt name is met with the names there are and the likeliest one."""
    (defect,) = defects(lambda: load_piece_set("clasic"))
    assert defect.code == "unknown-set"
    assert "shipped are classic, square" in defect.message
    assert "did you mean classic?" in defect.message


@pytest.mark.parametrize("prefix", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("name", ["mine.toml", "Größe ü.TOML"])
def test_own_file_is_read(tmp_path: Path, prefix: bytes, line_end: str, name: str) -> None:
    """A set of one's own loads by path, also from a Windows editor (byte order mark, CR LF) and with accents in its name."""
    text = (Path(__file__).parents[2] / "meshes" / "sets" / "square.toml").read_text("utf8")
    path = tmp_path / name
    path.write_bytes(prefix + text.replace("\n", line_end).encode())
    piece_set = load_piece_set(str(path))
    assert piece_set.name == path.stem
    assert piece_set.pieces == load_piece_set("square").pieces
    assert read_piece_set("square", text) == load_piece_set("square")


def test_cells_are_sorted_whatever_their_order_in_the_file() -> None:
    """The order in which a file lists a piece's cells makes no difference."""
    shuffled = changed(("pieces.QUAD.cells", [[1, 1], [0, 1], [1, 0], [0, 0]]))
    assert build_piece_set("classic", shuffled) == load_piece_set("classic")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=150)
@given(st.data())
def test_whatever_stands_in_a_file_is_read_or_refused(data: st.DataObject) -> None:
    """Any value in place of any part of a sound set gives a set or a list of defects, never a traceback."""
    content: Any = changed()
    table = content
    while isinstance(table, dict) and data.draw(st.booleans(), "deeper"):
        parent, key = table, data.draw(st.sampled_from(sorted(table)), "key")
        table = parent[key]
    if table is content:
        content = data.draw(JSON, "whole")
    else:
        parent[key] = data.draw(JSON, "value")
    try:
        assert build_piece_set("mine", content).title
    except BadPieceSet as error:
        assert error.defects
        assert all(defect.message for defect in error.defects)


@given(st.text(alphabet=st.sampled_from(list("a='\"[]{}.#\n 1-_:\\x00é")), max_size=40))
def test_whatever_text_is_read_or_refused(text: str) -> None:
    """Any text as a file is refused with a reason."""
    with pytest.raises(BadPieceSet):
        read_piece_set("mine", text)
