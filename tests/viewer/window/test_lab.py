"""The piece lab in the real window."""

from __future__ import annotations

from pathlib import Path

from meshes.export import export_piece
from meshes.piece_set import load_piece_set
from tests.viewer.window.drag import Dragger
from tests.viewer.window.hand import program_window
from tests.viewer.xserver import XServer

CLASSIC = load_piece_set("classic")


def test_files_dropped_on_the_window_are_read(server: XServer, home: Path, tmp_path: Path) -> None:
    """An STL dropped from a file manager, whether that offers one kind of data or more than three, is checked and told sound; its name may have
    spaces."""
    with program_window(server, home, "tests.viewer.window.pages:lab") as hand:
        hand.until("'lab/tab/1' in gui.items")
        for kinds, name in ((1, "my duo.stl"), (4, "uni.stl")):
            export_piece(CLASSIC, CLASSIC.by_name["DUO" if kinds == 1 else "UNI"], tmp_path / name)
            with Dragger(server.name, kinds) as dragger:
                dragger.drop(hand.ask("window._window"), 400, 300, [tmp_path / name])
                hand.until(f"page.piece.seen is not None and page.piece.recent[0].name == {name!r}")
            assert hand.ask("page.piece.seen.check.sound")
