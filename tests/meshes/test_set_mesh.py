"""Sets whose pieces bring mesh files: read, fitted to their cells, kept whole; or refused with the figures."""

from __future__ import annotations

import json
import math
import pickle
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import trimesh

from meshes.errors import BadMesh, BadPieceSet
from meshes.export import export_piece
from meshes.mesh_file import read_mesh_file
from meshes.mesh_units import Unit
from meshes.outline import outline
from meshes.piece_mesh import MARK, PieceMesh
from meshes.piece_set import PieceSet, build_piece_set, load_piece_set
from meshes.set_writer import set_text, write_piece_set
from meshes.solid import build_solid

CLASSIC = load_piece_set("classic")


def own_set(folder: Path, meshes: dict[str, str], **more: str) -> Path:
    """The classic set's file with pieces that name mesh files."""
    pieces = {name: {**table, **({"mesh": meshes[name], **more} if name in meshes else {})} for name, table in CLASSIC.source["pieces"].items()}
    path = folder / "mine.toml"
    path.write_text(set_text({**CLASSIC.source, "pieces": pieces}), "utf8")
    return path


def turned_file(folder: Path, piece: str, *, turn_deg: float = 33.0, shift: tuple[float, float] = (70.0, -40.0), inverted: bool = False) -> str:
    """A piece of the classic set as an STL, turned, shifted and perhaps inside out."""
    mesh = build_solid(CLASSIC, CLASSIC.by_name[piece]).mesh.copy()
    mesh.apply_transform(trimesh.transformations.rotation_matrix(math.radians(turn_deg), [0, 0, 1]))
    mesh.apply_translation([*shift, 5.0])
    if inverted:
        mesh.invert()
    name = f"{piece.lower()}.stl"
    (folder / name).write_bytes(trimesh.exchange.stl.export_stl(mesh))
    return name


@pytest.mark.parametrize("name", ["UNI", "TRIO", "BASE"])
def test_a_mesh_is_turned_onto_its_cells(name: str, tmp_path: Path) -> None:
    """A piece's own mesh, exported, turned, shifted and inside out, becomes the piece it was: mass, balance, inertia, outline."""
    read = load_piece_set(own_set(tmp_path, {name: turned_file(tmp_path, name, inverted=True)}))
    own, plain = (build_solid(piece_set, piece_set.by_name[name]) for piece_set in (read, CLASSIC))
    assert own.mass_g == pytest.approx(plain.mass_g, rel=1e-3)
    nodes = np.array([CLASSIC.lattice.position(cell, 30.0) for cell in CLASSIC.by_name[name].cells])
    assert np.linalg.norm(own.centre_mm[:2] - nodes.mean(axis=0)) == pytest.approx(np.linalg.norm(plain.centre_mm[:2] - nodes.mean(axis=0)), abs=0.1)
    assert np.linalg.eigvalsh(own.inertia_g_mm2) == pytest.approx(np.linalg.eigvalsh(plain.inertia_g_mm2), rel=3e-3)
    shared = outline(read, read.by_name[name]).intersection(outline(CLASSIC, CLASSIC.by_name[name])).area
    assert shared == pytest.approx(outline(CLASSIC, CLASSIC.by_name[name]).area, rel=3e-3)


def test_a_set_holds_its_meshes_whole(tmp_path: Path) -> None:
    """The set's data, as JSON, makes an equal set without any file; so do pickling and writing; a set of another mesh is another set."""
    path = own_set(tmp_path, {"UNI": turned_file(tmp_path, "UNI")})
    read = load_piece_set(path)
    (tmp_path / "uni.stl").unlink()
    kept = json.loads(json.dumps(dict(read.source)))
    assert kept["pieces"]["UNI"]["mesh"].startswith(MARK)
    again = build_piece_set("mine", kept)
    assert again == read
    assert again.source == read.source
    assert pickle.loads(pickle.dumps(read)) == read  # noqa: S301 – our own
    write_piece_set(read, path)
    assert load_piece_set(path) == read
    assert read != load_piece_set(own_set(tmp_path, {"UNI": turned_file(tmp_path, "UNI", turn_deg=10.0)}))
    assert read != CLASSIC


def test_what_was_inferred_is_told(tmp_path: Path) -> None:
    """The set's notes tell the unit and the up axis that were guessed; given ones are not mentioned."""
    name = turned_file(tmp_path, "UNI")
    notes = load_piece_set(own_set(tmp_path, {"UNI": name})).notes
    assert any("UNI" in note and "mm" in note for note in notes)
    assert not any("read in" in note for note in load_piece_set(own_set(tmp_path, {"UNI": name}, unit="mm", up="+z")).notes)


def codes(make: Callable[[], object]) -> list[str]:
    """Codes of the defects a set is refused for."""
    with pytest.raises(BadPieceSet) as caught:
        make()
    return [defect.code for defect in caught.value.defects]


def test_files_elsewhere_are_not_opened(tmp_path: Path) -> None:
    """A mesh above the set's folder, by an absolute path or by a link out of it is refused, and a record names no files at all."""
    home = tmp_path / "home"
    home.mkdir()
    turned_file(tmp_path, "UNI")
    (home / "link.stl").symlink_to(tmp_path / "uni.stl")
    for name in ("../uni.stl", str(tmp_path / "uni.stl"), "link.stl"):
        assert codes(partial(load_piece_set, own_set(home, {"UNI": name}))) == ["mesh-elsewhere"]
    pieces = {**CLASSIC.source["pieces"], "UNI": {**CLASSIC.source["pieces"]["UNI"], "mesh": "uni.stl"}}
    assert codes(lambda: build_piece_set("record", {**CLASSIC.source, "pieces": pieces})) == ["mesh-no-file"]


def test_a_mistaken_claim_is_refused_with_figures(tmp_path: Path) -> None:
    """A DUO's mesh can't be a TRIO, and one 10 mm thick is no piece of a set 12 mm thick: the message says both."""
    with pytest.raises(BadPieceSet, match="TRIO"):
        load_piece_set(own_set(tmp_path, {"TRIO": turned_file(tmp_path, "DUO")}))
    read = load_piece_set(own_set(tmp_path, {"UNI": turned_file(tmp_path, "UNI")}))
    with pytest.raises(BadPieceSet, match=r"10(\.0+)? mm.*12"):
        build_piece_set("thicker", {**read.source, "geometry": {**read.source["geometry"], "thickness_mm": 12.0}})


def test_missing_and_broken_files_are_named(tmp_path: Path) -> None:
    """A file that is not there and one that is no mesh are told with the piece they belong to, both at once."""
    (tmp_path / "duo.stl").write_bytes(b"nothing of the kind")
    path = own_set(tmp_path, {"UNI": "uni.stl", "DUO": "duo.stl"})
    with pytest.raises(BadPieceSet) as caught:
        load_piece_set(path)
    assert {defect.where.split(".mesh")[0] for defect in caught.value.defects} == {"pieces.UNI", "pieces.DUO"}


def test_damaged_texts_are_refused() -> None:
    """A mesh's text cut off, of another length than it says, or with a corner that is not there is refused, not half read."""
    text = PieceMesh.of(build_solid(CLASSIC, CLASSIC.by_name["UNI"]).mesh).to_json()
    for broken in (text[:-8], text[:40] + text[44:], MARK, MARK + "AAAA", text + "AAAA"):
        with pytest.raises(BadMesh):
            PieceMesh.from_json(broken)
    assert PieceMesh.from_json(text).to_json() == text


def test_a_set_with_meshes_exports_them(tmp_path: Path) -> None:
    """Exporting a piece with a mesh writes that mesh: read back it has the same volume."""
    piece_set: PieceSet = load_piece_set(own_set(tmp_path, {"UNI": turned_file(tmp_path, "UNI")}))
    written = export_piece(piece_set, piece_set.by_name["UNI"], tmp_path / "out.stl")
    assert read_mesh_file(written.path, unit=Unit.MM).part(None).mesh.volume == pytest.approx(
        build_solid(piece_set, piece_set.by_name["UNI"]).mesh.volume, rel=1e-5
    )
