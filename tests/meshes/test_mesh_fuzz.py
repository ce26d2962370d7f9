"""Damaged mesh files: whatever is flipped, cut or stirred in, a result or one clear error comes out, never anything else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from meshes.errors import BadMesh
from meshes.mesh_file import MeshFile, read_mesh_file
from tests.meshes.mesh_twins import box, disc, glb, gltf_tree, good_files, mesh_xml, model_xml, three_mf

FILES = good_files(np.concatenate([box(), disc(at=(60.0, 0.0, 0.0), sides=12)]))
CASES = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
NASTY = [
    b"nan",
    b"1e400",
    b"-1",
    b"0",
    b"999999999",
    b"\xff\xff\xff\xff",
    b"\x00\x00\x80\x7f",
    b"\x00",
    b"\n",
    b'"',
    b"[",
    b"{}",
    b"null",
    b"<",
    b"1e5",
    b"true",
]


def _read(path: Path, data: bytes) -> MeshFile | BadMesh:
    """What reading gives; anything but a file with finite parts or `BadMesh` fails the test."""
    path.write_bytes(data)
    try:
        file = read_mesh_file(path)
    except BadMesh as error:
        assert error.defects, error
        assert all(defect.code and defect.message for defect in error.defects)
        return error
    assert file.parts
    for part in file.parts:
        assert np.isfinite(part.mesh.vertices).all()
        assert part.defects or part.mesh.volume > 0
    return file


@pytest.mark.parametrize("name", FILES)
@CASES
@given(data=st.data())
def test_flipped_bytes(name: str, data: st.DataObject, tmp_path: Path) -> None:
    """A file with some bytes changed is read or refused."""
    content = bytearray(FILES[name])
    for _ in range(data.draw(st.integers(1, 6), "changes")):
        content[data.draw(st.integers(0, len(content) - 1), "where")] = data.draw(st.integers(0, 255), "byte")
    _read(tmp_path / name, bytes(content))


@pytest.mark.parametrize("name", FILES)
@CASES
@given(data=st.data())
def test_cut_and_stirred(name: str, data: st.DataObject, tmp_path: Path) -> None:
    """A file with a stretch taken out, or something else in its place, is read or refused."""
    content = FILES[name]
    start = data.draw(st.integers(0, len(content)), "start")
    end = data.draw(st.integers(start, min(len(content), start + 40)) | st.just(len(content)), "end")
    _read(tmp_path / name, content[:start] + data.draw(st.sampled_from([b"", *NASTY]), "instead") + content[end:])


@pytest.mark.parametrize("name", FILES)
@settings(CASES, max_examples=15)
@given(content=st.binary(max_size=300))
def test_any_bytes(name: str, content: bytes, tmp_path: Path) -> None:
    """A file of the right ending and any bytes is refused or read."""
    _read(tmp_path / name, content)


@pytest.mark.parametrize("name", FILES)
def test_another_ending(name: str, tmp_path: Path) -> None:
    """A good file under the ending of another format is refused, or read where the content tells what it is."""
    for other in FILES:
        ending = Path(other).suffix
        if ending != Path(name).suffix:
            assert isinstance(_read(tmp_path / f"it{ending}", FILES[name]), BadMesh), other


def _spots(value: Any, spot: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where in a JSON value something stands."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*spot, key)
        yield from _spots(inner, (*spot, key))


def _put(value: Any, spot: tuple[Any, ...], new: Any) -> Any:
    """A copy of a JSON value with something else at a spot."""
    if not spot:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[spot[0]] = _put(value[spot[0]], spot[1:], new)
    return copy


@CASES
@given(data=st.data())
def test_strange_values_in_gltf(data: st.DataObject, tmp_path: Path) -> None:
    """A GLB whose JSON says strange things is read or refused."""
    nodes = [{"mesh": 0, "children": [1], "scale": [1, 1, 1], "rotation": [0, 0, 0, 1]}, {"mesh": 1, "translation": [0, 0, 0], "name": "a"}]
    tree, content = gltf_tree({"one": box(), "two": disc(sides=6)}, nodes)
    for _ in range(data.draw(st.integers(1, 3), "changes")):
        spot = data.draw(st.sampled_from(list(_spots(tree))), "spot")
        tree = _put(
            tree,
            spot,
            data.draw(st.sampled_from([None, True, -1, 0, 1, 7, 2**31, 10**30, 0.5, 1e308, "", "x", [], [0], [[]], {}, {"x": 1}]), "value"),
        )
    _read(tmp_path / "it.glb", glb(tree, content))


@CASES
@given(data=st.data())
def test_stirred_3mf_model(data: st.DataObject, tmp_path: Path) -> None:
    """A 3MF whose archive is whole but whose model is stirred is read or refused."""
    objects = (
        f'<object id="1" name="one">{mesh_xml(box())}</object><object id="2" name="two"><components><component objectid="1"/></components></object>'
    )
    model = model_xml(objects, '<item objectid="2" transform="1 0 0 0 1 0 0 0 1 40 0 0"/><item objectid="1"/>')
    start = data.draw(st.integers(0, len(model)), "start")
    end = data.draw(st.integers(start, min(len(model), start + 30)), "end")
    instead = data.draw(
        st.sampled_from(["", "nan", "1e400", "-1", "2", "1", '"', "<", "/>", "0 ", "<object id='3'>", "</components>", "999999999999"]), "instead"
    )
    _read(tmp_path / "it.3mf", three_mf(model[:start] + instead + model[end:]))
