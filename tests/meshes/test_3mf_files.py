"""3MF: components, transforms and units, and archives and XML that are not to be trusted."""

from __future__ import annotations

import io
import stat
import time
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest

from meshes.errors import BadMesh
from meshes.mesh_file import MeshFile, read_mesh_file
from meshes.mesh_units import Unit
from tests.meshes import mesh_twins as twins

_BOX = twins.box()
_OBJECT = f'<object id="1" type="model" name="UNI">{twins.mesh_xml(_BOX)}</object>'


def _read(folder: Path, data: bytes) -> MeshFile:
    (folder / "a.3mf").write_bytes(data)
    return read_mesh_file(folder / "a.3mf")


def _refusal(folder: Path, data: bytes) -> BadMesh:
    with pytest.raises(BadMesh) as caught:
        _read(folder, data)
    return caught.value


def _code(folder: Path, data: bytes) -> str:
    return _refusal(folder, data).defects[0].code


@pytest.mark.parametrize(
    ("unit", "factor", "mm"),
    [("micron", 1000, 1), ("millimeter", 1, 1), ("centimeter", 0.1, 1), ("inch", 1, 25.4), ("foot", 0.1, 30.48), ("meter", 0.001, 1)],
)
def test_unit_of_the_file_holds(tmp_path: Path, unit: str, factor: float, mm: float) -> None:
    """All six units of 3MF are read as they are stated, nothing is guessed."""
    file = _read(tmp_path, twins.simple_three_mf(twins.box((3.0 * factor, 2.0 * factor, 1.0 * factor)), unit=unit))
    assert not file.unit_inferred
    assert file.part(None).mesh.extents == pytest.approx(np.array((3.0, 2.0, 1.0)) * mm, rel=1e-3)


def test_unit_given_by_the_user_overrules(tmp_path: Path) -> None:
    """A unit given on the command line is taken instead of the file's."""
    (tmp_path / "a.3mf").write_bytes(twins.simple_three_mf(twins.box((3, 2, 1))))
    assert read_mesh_file(tmp_path / "a.3mf", unit=Unit.CM).part(None).mesh.extents == pytest.approx([30, 20, 10])


def test_components_are_placed_and_named(tmp_path: Path) -> None:
    """Components carry their own transform under that of the item: sizes and places follow both, names are kept."""
    discs = f'<object id="2" type="model" name="DISC">{twins.mesh_xml(twins.disc())}</object>'
    whole = (
        '<object id="3" type="model" name="ALL"><components><component objectid="1"/>'
        '<component objectid="2" transform="1 0 0 0 1 0 0 0 1 100 0 0"/></components></object>'
    )
    # the item is turned by 90° about z (x becomes y) and moved
    item = '<item objectid="3" transform="0 1 0 -1 0 0 0 0 1 5 6 7"/>'
    file = _read(tmp_path, twins.three_mf(twins.model_xml(_OBJECT + discs + whole, item)))
    assert [part.name for part in file.parts] == ["UNI", "DISC"]
    assert file.part("UNI").mesh.bounds == pytest.approx(np.array([[-15, 6, 0], [5, 36, 10]]), abs=1e-4)
    assert file.part("DISC").mesh.centroid[:2] == pytest.approx([5, 106], abs=1e-3)


def test_mirrored_item_is_a_solid(tmp_path: Path) -> None:
    """A mirroring transform keeps the faces outward."""
    part = _read(tmp_path, twins.three_mf(twins.model_xml(_OBJECT, '<item objectid="1" transform="-1 0 0 0 1 0 0 0 1 0 0 0"/>'))).part(None)
    assert part.mesh.volume == pytest.approx(6000, rel=1e-5)
    assert part.mesh.bounds[:, 0] == pytest.approx([-30, 0], abs=1e-4)
    assert not any("inside out" in note for note in part.notes)


def test_overlapping_components_are_one_piece(tmp_path: Path) -> None:
    """Two boxes of one object that overlap by a third weigh what the united box weighs."""
    whole = (
        '<object id="3" type="model" name="LONG"><components><component objectid="1"/>'
        '<component objectid="1" transform="1 0 0 0 1 0 0 0 1 20 0 0"/></components></object>'
    )
    part = _read(tmp_path, twins.three_mf(twins.model_xml(_OBJECT + whole, '<item objectid="3"/>'))).part(None)
    assert part.mesh.volume == pytest.approx(50 * 20 * 10, rel=1e-5)


def test_an_object_used_twice_is_two_parts(tmp_path: Path) -> None:
    """Two items of one object are two parts that can be told apart."""
    file = _read(tmp_path, twins.three_mf(twins.model_xml(_OBJECT, '<item objectid="1"/><item objectid="1" transform="1 0 0 0 1 0 0 0 1 99 0 0"/>')))
    assert [part.name for part in file.parts] == ["UNI", "UNI (2)"]


def test_objects_in_models_of_their_own(tmp_path: Path) -> None:
    """Slicers put each object in a model of its own in the archive, named by a path: it is read from there."""
    whole = '<object id="8" type="model"><components><component objectid="1" p:path="/3D/Objects/one.model"/></components></object>'
    root = twins.model_xml(whole, '<item objectid="8"/>', more='requiredextensions="p"')
    assert _read(tmp_path, twins.three_mf(root, **{"3D/Objects/one.model": twins.model_xml(_OBJECT, "")})).part(None).name == "UNI"


def test_supports_are_left_out_with_a_note(tmp_path: Path) -> None:
    """Objects that only support others in print are no parts."""
    support = f'<object id="2" type="support">{twins.mesh_xml(_BOX)}</object>'
    file = _read(tmp_path, twins.three_mf(twins.model_xml(_OBJECT + support, '<item objectid="1"/><item objectid="2"/>')))
    assert len(file.parts) == 1
    assert any("support" in note for note in file.notes)


@pytest.mark.parametrize(
    ("objects", "items", "code"),
    [
        (_OBJECT, "", "no-faces"),
        (_OBJECT, '<item objectid="9"/>', "no-object"),
        (_OBJECT + _OBJECT, '<item objectid="1"/>', "bad-model"),
        ('<object id="1"><components><component objectid="1"/></components></object>', '<item objectid="1"/>', "cycle"),
        (_OBJECT, '<item objectid="1" transform="1 0 0"/>', "bad-number"),
        (_OBJECT, '<item objectid="1" transform="1e400 0 0 0 1 0 0 0 1 0 0 0"/>', "not-finite"),
        (_OBJECT.replace('v1="0"', 'v1="4000"', 1), '<item objectid="1"/>', "bad-corner"),
        (_OBJECT.replace('v1="0"', 'v1="-1"', 1), '<item objectid="1"/>', "bad-corner"),
        (_OBJECT.replace('x="0.000000"', 'x="nan"', 1), '<item objectid="1"/>', "not-finite"),
        (_OBJECT.replace('x="0.000000"', 'x="wide"', 1), '<item objectid="1"/>', "bad-number"),
    ],
)
def test_malformed_model_is_refused(tmp_path: Path, objects: str, items: str, code: str) -> None:
    """Whatever is wrong in a model is told by one stable code and one line."""
    error = _refusal(tmp_path, twins.three_mf(twins.model_xml(objects, items)))
    assert [defect.code for defect in error.defects] == [code]
    assert "\n" not in error.defects[0].message


def test_components_that_multiply_are_refused(tmp_path: Path) -> None:
    """Twelve levels of ten components each would be 10¹² boxes: refused at once."""
    levels = _OBJECT
    for level in range(2, 14):
        levels += f'<object id="{level}"><components>{f"""<component objectid="{level - 1}"/>""" * 10}</components></object>'
    assert _code(tmp_path, twins.three_mf(twins.model_xml(levels, '<item objectid="13"/>'))) == "too-many-nodes"


def test_a_deep_chain_of_components_is_refused(tmp_path: Path) -> None:
    """4 000 objects each within the next end in an answer that names the limit, not in a crash."""
    chain = _OBJECT + "".join(f'<object id="{k}"><components><component objectid="{k - 1}"/></components></object>' for k in range(2, 4000))
    assert "100 deep" in str(_refusal(tmp_path, twins.three_mf(twins.model_xml(chain, '<item objectid="3999"/>'))))


def test_entities_are_refused(tmp_path: Path) -> None:
    """A model with a document type, by which a few bytes can unfold to gigabytes or name other files, is refused."""
    laughs = '<!DOCTYPE model [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/hostname">]>'
    assert _code(tmp_path, twins.three_mf(twins.model_xml(_OBJECT, '<item objectid="1"/>', before=laughs))) == "entities"
    relations = '<!DOCTYPE r [<!ENTITY a "ha">]><Relationships>&a;</Relationships>'
    assert _code(tmp_path, twins.zipped({"_rels/.rels": relations, "3D/3dmodel.model": "<model/>"})) == "entities"


def test_unknown_required_extension_is_named(tmp_path: Path) -> None:
    """What the file can't do without and we can't read is named."""
    more = 'xmlns:b="http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02" requiredextensions="b"'
    assert "beamlattice" in str(_refusal(tmp_path, twins.three_mf(twins.model_xml(_OBJECT, '<item objectid="1"/>', more=more))))


@pytest.mark.parametrize("name", ["../x.txt", "3D/../../x.txt", "/etc/x.txt", "C:/x.txt", "..\\x.txt"])
def test_members_outside_the_archive_are_refused(tmp_path: Path, name: str) -> None:
    """A member whose name leads out of the archive is refused, and nothing is written."""
    good = twins.model_xml(_OBJECT, '<item objectid="1"/>')
    assert _code(tmp_path, twins.three_mf(good, **{name: "x"})) == "outside"
    assert [path.name for path in tmp_path.iterdir()] == ["a.3mf"]


def test_links_in_the_archive_are_refused(tmp_path: Path) -> None:
    """A member that is a link to another file is refused."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        link = zipfile.ZipInfo("3D/3dmodel.model")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/hostname")
    assert _code(tmp_path, file.getvalue()) == "outside"


def _bomb(megabytes: int) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("3D/3dmodel.model", "w") as member:
        for _ in range(megabytes):
            member.write(b" " * 2**20)
    return file.getvalue()


def test_bombs_are_refused_at_once_and_in_little_memory(tmp_path: Path) -> None:
    """A small archive that unpacks to a thousand times its size is refused before it is unpacked; so is one packed in another."""
    bomb = _bomb(32)
    (tmp_path / "a.3mf").write_bytes(bomb)
    tracemalloc.start()
    start = time.process_time()
    with pytest.raises(BadMesh, match="unpacks") as caught:
        read_mesh_file(tmp_path / "a.3mf")
    spent, peak = time.process_time() - start, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert caught.value.defects[0].code == "bomb"
    assert spent < 1.0
    assert peak < 20 * 2**20
    assert _code(tmp_path, twins.zipped({"inner.zip": bomb})) == "no-model"
    assert _code(tmp_path, twins.zipped({"3D/3dmodel.model": bomb})) == "bad-xml"


def test_lying_sizes_unpack_no_more_than_they_say(tmp_path: Path) -> None:
    """A member that says it is small and unpacks to more is refused as damaged."""
    bomb = bytearray(_bomb(32))
    for mark, at in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        place = bomb.rfind(mark) + at
        bomb[place : place + 4] = (1000).to_bytes(4, "little")
    assert _code(tmp_path, bytes(bomb)) == "broken-archive"


def test_many_members_are_refused(tmp_path: Path) -> None:
    """An archive of 3 000 files is refused with the limit."""
    assert "2,000" in str(_refusal(tmp_path, twins.zipped({f"{k}.txt": "" for k in range(3000)})))


def test_encrypted_and_other_archives_are_refused(tmp_path: Path) -> None:
    """Encrypted members and zip archives without a model are refused in words."""
    locked = bytearray(twins.simple_three_mf(_BOX))
    start = 0
    while (start := locked.find(b"PK\x01\x02", start)) >= 0:
        locked[start + 8] |= 1
        start += 4
    assert _code(tmp_path, bytes(locked)) == "encrypted"
    assert _code(tmp_path, twins.zipped({"readme.txt": "hello"})) == "no-model"


@pytest.mark.parametrize("share", [0.01, 0.3, 0.7, 0.99])
def test_cut_archive_is_refused(tmp_path: Path, share: float) -> None:
    """A 3MF cut short is refused."""
    data = twins.simple_three_mf(_BOX)
    _refusal(tmp_path, data[: int(len(data) * share)])
