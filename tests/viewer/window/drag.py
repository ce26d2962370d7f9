"""A file manager that drags files onto a window and drops them there: the source's side of the protocol XDND, version 5."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType

from Xlib import X, Xatom, display, protocol

_VERSION = 5
_URIS = "text/uri-list"
_OTHERS = ("text/plain", "text/html", "UTF8_STRING")


class Dragger:
    """A window of its own that has files to give. `kinds`: how many kinds of data it offers; beyond three they stand in a list of their own."""

    def __init__(self, server: str, kinds: int) -> None:
        self._display = display.Display(server)
        screen = self._display.screen()
        self._window = screen.root.create_window(0, 0, 1, 1, 0, screen.root_depth)
        self._kinds = [self._atom(name) for name in (_URIS, *_OTHERS)][:kinds]
        self._offered = b""

    def __enter__(self) -> Dragger:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._display.close()

    def drop(self, target: int, x: int, y: int, paths: Sequence[Path]) -> None:
        """Let the files go over a pixel of the screen, within window `target`; ends once they have been fetched."""
        self._offered = "".join(f"{path.as_uri()}\r\n" for path in paths).encode()
        self._window.set_selection_owner(self._atom("XdndSelection"), X.CurrentTime)
        self._window.change_property(self._atom("XdndTypeList"), Xatom.ATOM, 32, self._kinds)
        listed = len(self._kinds) > 3
        self._tell(target, "XdndEnter", (_VERSION << 24) | listed, *([0, 0, 0] if listed else [*self._kinds, 0, 0, 0][:3]))
        self._tell(target, "XdndPosition", 0, (x << 16) | y, X.CurrentTime, self._atom("XdndActionCopy"))
        self._wait(lambda event: event.type == X.ClientMessage and event.client_type == self._atom("XdndStatus"))
        self._tell(target, "XdndDrop", 0, X.CurrentTime, 0, 0)
        self._give(self._wait(lambda event: event.type == X.SelectionRequest))

    def _give(self, request: protocol.rq.Event) -> None:
        """Hand the names of the files over to whoever asked."""
        request.requestor.change_property(request.property, request.target, 8, self._offered)
        told = protocol.event.SelectionNotify(
            time=request.time, requestor=request.requestor, selection=request.selection, target=request.target, property=request.property
        )
        request.requestor.send_event(told)
        self._display.sync()

    def _tell(self, target: int, name: str, *words: int) -> None:
        window = self._display.create_resource_object("window", target)
        data = (32, [self._window.id, *words])
        window.send_event(protocol.event.ClientMessage(window=window, client_type=self._atom(name), data=data))
        self._display.sync()

    def _wait(self, met: Callable[[protocol.rq.Event], bool], seconds: float = 30.0) -> protocol.rq.Event:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            while self._display.pending_events():
                event = self._display.next_event()
                if met(event):
                    return event
            time.sleep(0.01)
        raise AssertionError("the window does not answer to what is dragged over it")

    def _atom(self, name: str) -> int:
        atom: int = self._display.intern_atom(name)
        return atom
