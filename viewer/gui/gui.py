"""The items people use: buttons, switches, sliders, fields, scrolled areas; with keyboard focus, and found by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import moderngl
from imgui_bundle import imgui

from viewer.gui.box import Box
from viewer.gui.painter import Painter
from viewer.gui.renderer import GuiRenderer
from viewer.gui.skin import KNOB, WHITE, Kind, State, choice_parts, draw_button, draw_hint, draw_option, draw_slider, draw_switch
from viewer.gui.theme import (
    CREAM,
    LINE,
    NIGHT,
    PAPER,
    ROUND,
    SAND,
    Face,
    colour,
    make_theme,
)

__all__ = ["Gui", "Item", "Kind"]

_WINDOW = (
    imgui.WindowFlags_.no_decoration
    | imgui.WindowFlags_.no_background
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_bring_to_front_on_focus
)


@dataclass(frozen=True, slots=True)
class Item:
    """Something that can be used, as drawn in the last frame."""

    box: Box
    enabled: bool


class Gui:
    """One frame after the other: `begin`, items and paint, `end`, `render`. Places are boxes in units.

    Of the last frame are `items`: what can be used, by name; `covered`: boxes of plates that keep the pointer from what is behind them; and
    `focused`: the item that is shown to have the keyboard, if any.
    """

    def __init__(self, context: moderngl.Context) -> None:
        self._imgui = imgui.create_context()
        imgui.set_current_context(self._imgui)
        io = imgui.get_io()
        io.set_ini_filename("")
        io.config_flags |= imgui.ConfigFlags_.nav_enable_keyboard
        io.config_input_text_cursor_blink = False
        self._renderer = GuiRenderer(context)
        self._theme = make_theme(context)
        self.paint = Painter(self._theme, self._renderer.use(self._theme.shadow))
        self.size = (1280.0, 720.0)
        self.items: dict[str, Item] = {}
        self.covered: list[Box] = []
        self.focused: str | None = None
        self.hint = ""
        """The hint that is shown, or nothing."""
        self._new_items: dict[str, Item] = {}
        self._new_covered: list[Box] = []
        self._new_focused: str | None = None
        self._hint: tuple[str, Box] | None = None
        self._used: str | None = None
        """The item used last, as long as it is pointed at: its hint is known and would only hide what it did."""
        self._blocked = 0
        self._focus: str | None = None

    # --- frames

    def begin(self, size: tuple[float, float], scale: float, seconds: float) -> None:
        """Begin a frame of `size` units, `scale` framebuffer pixels each, `seconds` after the last one."""
        imgui.set_current_context(self._imgui)
        self.size = size
        io = imgui.get_io()
        io.display_size, io.display_framebuffer_scale = imgui.ImVec2(*size), imgui.ImVec2(scale, scale)
        io.delta_time = max(1e-4, seconds)
        imgui.new_frame()
        imgui.set_next_window_pos(imgui.ImVec2(0, 0))
        imgui.set_next_window_size(io.display_size)
        imgui.begin("everything", None, _WINDOW)
        self._new_items, self._new_covered, self._hint, self._new_focused = {}, [], None, None

    def end(self) -> None:
        """Close the frame."""
        if self._hint:
            with self.on_top():
                draw_hint(self.paint, *self._hint, self.size)
        imgui.end()
        imgui.render()
        self.items, self.covered, self.focused = self._new_items, self._new_covered, self._new_focused
        self.hint = self._hint[0] if self._hint else ""

    def render(self, target: moderngl.Framebuffer) -> None:
        """Draw the closed frame over `target`."""
        imgui.set_current_context(self._imgui)
        self._renderer.render(target)

    def release(self) -> None:
        """Free everything."""
        imgui.set_current_context(self._imgui)
        self._renderer.forget(self._theme.shadow)
        self._theme.shadow.release()
        self._renderer.release()
        imgui.destroy_context(self._imgui)

    def use(self, texture: moderngl.Texture) -> imgui.ImTextureRef:
        """A texture of ours for `paint.picture`."""
        return self._renderer.use(texture)

    def forget(self, texture: moderngl.Texture) -> None:
        """Before a texture given to `use` is released."""
        self._renderer.forget(texture)

    @property
    def typing(self) -> bool:
        """Whether keys go into a text field."""
        return bool(imgui.get_io().want_text_input)

    @property
    def behind(self) -> bool:
        """Whether events wait for the next frame: a press and its release, or quick typing, are heard one frame after the other."""
        return len(self._imgui.input_events_queue) > 0

    @property
    def navigating(self) -> bool:
        """Whether the keyboard focus is shown, so that Enter and Space belong to the item that has it."""
        return bool(imgui.get_io().nav_visible)

    @property
    def pointer(self) -> tuple[float, float]:
        """Where the pointer is."""
        place = imgui.get_io().mouse_pos
        return place.x, place.y

    @property
    def holding(self) -> bool:
        """Whether the left button is held down on an item."""
        return bool(imgui.is_mouse_down(0))

    @property
    def seconds(self) -> float:
        """Time of the current frame."""
        return float(imgui.get_time())

    def covers(self, x: float, y: float) -> bool:
        """Whether a plate or item of the last frame lies at this place."""
        return any(box.has(x, y) for box in self.covered) or any(item.box.has(x, y) for item in self.items.values())

    def focus(self, name: str) -> None:
        """Give the keyboard focus to an item of this frame."""
        self._focus = name

    # --- plates

    def panel(self, box: Box, *, radius: float = 16.0) -> None:
        """A cream plate that keeps the pointer from what is behind."""
        self._new_covered.append(box)
        self.paint.plate(box, CREAM, SAND, radius=radius, border=WHITE, thickness=1.5, shadow=0.75)

    def dark_panel(self, box: Box, *, radius: float = ROUND) -> None:
        """A dark, see-through plate."""
        self._new_covered.append(box)
        self.paint.plate(box, NIGHT, radius=radius, border=colour("#fff3df", 0.12))

    def note(self, box: Box) -> None:
        """A paper-coloured plate within a panel."""
        self.paint.plate(box, PAPER, radius=10, border=LINE)

    @contextmanager
    def dialog(self, name: str, width: float, height: float) -> Iterator[Box]:
        """A panel in the middle over everything; what was drawn before can't be used. Gives the space within."""
        full = Box(0, 0, *self.size)
        self._new_covered.append(full)
        box = Box((full.w - width) / 2, max(8.0, (full.h - height) / 2), width, min(height, full.h - 16))
        self._new_items.clear()
        # a window of its own, as scrolled parts lie over all that is drawn beside them
        imgui.set_next_window_pos(imgui.ImVec2(0, 0))
        imgui.set_next_window_size(imgui.ImVec2(*self.size))
        imgui.begin(f"dialog/{name}", None, _WINDOW & ~imgui.WindowFlags_.no_bring_to_front_on_focus)
        self.paint.plate(full, colour("#1a120c", 0.45), radius=0, border=None)
        self.panel(box)
        yield box.inset(26, 24)
        imgui.end()

    @contextmanager
    def popover(self, name: str, box: Box, opener: Box) -> Iterator[bool]:
        """A panel over everything else, for a while. Gives whether something beside it and its `opener` was pressed: show it no more then."""
        self._new_covered.append(Box(0, 0, *self.size))
        imgui.set_next_window_pos(imgui.ImVec2(box.x - 24, box.y - 24))
        imgui.set_next_window_size(imgui.ImVec2(box.w + 48, box.h + 48))
        imgui.begin(f"popover/{name}", None, _WINDOW & ~imgui.WindowFlags_.no_bring_to_front_on_focus)
        self.panel(box)
        yield imgui.is_mouse_clicked(0) and not box.has(*self.pointer) and not opener.has(*self.pointer)
        imgui.end()

    @contextmanager
    def blocked(self, when: bool = True) -> Iterator[None]:
        """Items within are drawn as ever, but can't be used."""
        self._blocked += when
        yield
        self._blocked -= when

    @contextmanager
    def faded(self, alpha: float) -> Iterator[None]:
        """Paint within is see-through."""
        before, self.paint.fade = self.paint.fade, self.paint.fade * alpha
        yield
        self.paint.fade = before

    @contextmanager
    def on_top(self) -> Iterator[None]:
        """Paint within lies over everything, dialogs and scrolled parts too."""
        self.paint.on_top, before = True, self.paint.on_top
        yield
        self.paint.on_top = before

    @contextmanager
    def scrolled(self, name: str, box: Box, *, to_end: bool = False, reveal: tuple[float, float] | None = None) -> Iterator[Box]:
        """A part that scrolls. Gives a box as wide as the part, which begins where the scrolled content does; `grow` it with what you put in.

        `reveal`: scroll to where this part of the content, from a height to another, is seen."""
        self._new_covered.append(box)
        imgui.set_cursor_screen_pos(imgui.ImVec2(box.x, box.y))
        flags = imgui.ChildFlags_.nav_flattened  # Tab goes in and out
        imgui.begin_child(name, imgui.ImVec2(box.w, box.h), flags, imgui.WindowFlags_.no_background)
        if reveal is not None:
            imgui.set_scroll_y(max(0.0, min(reveal[0], max(imgui.get_scroll_y(), reveal[1] - box.h))))
        origin = imgui.get_cursor_screen_pos()
        yield Box(box.x, origin.y, box.w - 14, box.h)
        if to_end:
            imgui.set_scroll_here_y(1.0)
        imgui.end_child()

    def fill(self, bottom: float) -> None:
        """Tell a scrolled part how far down its content reaches."""
        here = imgui.get_window_pos()
        imgui.set_cursor_screen_pos(imgui.ImVec2(here.x, bottom - 1))
        imgui.dummy(imgui.ImVec2(1, 1))

    # --- items

    def button(
        self,
        name: str,
        box: Box,
        words: str,
        *,
        kind: Kind = Kind.PLAIN,
        enabled: bool = True,
        hint: str = "",
        size: float = 15.0,
        chosen: bool = False,
    ) -> bool:
        """A button; True when pressed by pointer or keyboard. `hint` is shown under the pointer until it is pressed."""
        state = self._item(name, box, enabled, hint)
        draw_button(self.paint, box, words, kind, state, size=size, enabled=enabled, chosen=chosen)
        return state.pressed

    def cover(self, box: Box) -> None:
        """Keep the pointer from what is behind a box that the caller paints."""
        self._new_covered.append(box)

    def area(self, name: str, box: Box, *, enabled: bool = True, hint: str = "", radius: float = 10.0, ring: bool = True) -> State:
        """Something usable that the caller paints; draws only the ring of the focus, and without `ring` not even that."""
        state = self._item(name, box, enabled, hint)
        if state.focused and ring:
            self.paint.frame(box, radius=radius)
        return state

    def switch(self, name: str, box: Box, words: str, value: bool, *, enabled: bool = True, hint: str = "") -> bool:
        """A switch with words beside it; gives its new value."""
        state = self._item(name, box, enabled, hint)
        value = value != state.pressed
        draw_switch(self.paint, box, words, value, state, enabled=enabled)
        return value

    def choice(self, name: str, box: Box, options: Sequence[str], chosen: int, *, enabled: bool = True, hints: Sequence[str] = ()) -> int:
        """One of a few, side by side; gives the index chosen. Each is an item `name/0`, `name/1` …"""
        parts, size = choice_parts(self.paint, box, options)
        for k, part in enumerate(parts):
            state = self._item(f"{name}/{k}", part, enabled, hints[k] if k < len(hints) else "")
            draw_option(self.paint, part, options[k], state, size=size, enabled=enabled, chosen=k == chosen)
            if state.pressed:
                chosen = k
        return chosen

    def slider(self, name: str, box: Box, value: float, low: float, high: float, *, step: float = 0.0, enabled: bool = True, hint: str = "") -> float:
        """A slider; gives the new value. With the keyboard: left and right by `step` or a twentieth."""
        state = self._item(name, box, enabled, hint)
        span = high - low
        if state.held and self.holding:
            value = low + span * min(1.0, max(0.0, (self.pointer[0] - box.x - KNOB) / (box.w - 2 * KNOB)))
            value = low + round((value - low) / step) * step if step else value
        if state.focused:
            for key in (imgui.Key.left_arrow, imgui.Key.right_arrow):  # they don't move the focus then
                imgui.internal.set_key_owner(key, imgui.get_item_id())
            keys = imgui.is_key_pressed(imgui.Key.right_arrow), imgui.is_key_pressed(imgui.Key.left_arrow)
            value = min(high, max(low, value + (keys[0] - keys[1]) * (step or span / 20)))
        draw_slider(self.paint, box, (value - low) / span if span else 0.0, state, enabled=enabled)
        return value

    def field(self, name: str, box: Box, words: str, *, hint: str = "", enabled: bool = True) -> str:
        """A line of text to type in; gives what stands there."""
        self._new_items[name] = Item(box, enabled and not self._blocked)
        imgui.set_cursor_screen_pos(imgui.ImVec2(box.x, box.y))
        imgui.push_font(self._theme.fonts[Face.BODY], 15 * Face.BODY.line_share)
        imgui.push_style_var(imgui.StyleVar_.frame_padding, imgui.ImVec2(12, (box.h - imgui.get_font_size()) / 2))
        imgui.set_next_item_width(box.w)
        imgui.begin_disabled(not enabled or self._blocked > 0)
        _, words = imgui.input_text_with_hint(f"##{name}", hint, words, imgui.InputTextFlags_.auto_select_all)
        imgui.end_disabled()
        imgui.pop_style_var()
        imgui.pop_font()
        if imgui.is_item_active() or (imgui.is_item_focused() and imgui.get_io().nav_visible):
            self.paint.frame(box, radius=9, away=1)
            self._new_focused = name
        return words

    def _item(self, name: str, box: Box, enabled: bool, hint: str) -> State:
        usable = enabled and not self._blocked
        self._new_items[name] = Item(box, usable)
        imgui.set_cursor_screen_pos(imgui.ImVec2(box.x, box.y))
        if self._focus == name:
            imgui.set_keyboard_focus_here()
            imgui.set_nav_cursor_visible(True)
            self._focus = None
        imgui.begin_disabled(not usable)
        pressed = imgui.invisible_button(name, imgui.ImVec2(max(1.0, box.w), max(1.0, box.h)), imgui.ButtonFlags_.enable_nav)
        imgui.end_disabled()
        hovered = imgui.is_item_hovered(imgui.HoveredFlags_.allow_when_disabled)
        focused = usable and imgui.is_item_focused() and imgui.get_io().nav_visible
        if focused:
            self._new_focused = name
        is_looked_at = focused or (hovered and not imgui.get_io().nav_visible)
        if pressed or imgui.is_item_active():
            self._used = name
        elif self._used == name and not is_looked_at:
            self._used = None
        if hint and is_looked_at and self._used != name:
            self._hint = hint, Box(box.x, box.y, 0, box.h + 8) if focused else Box(*self.pointer, 14, 20)
        return State(pressed and usable, hovered and usable, usable and imgui.is_item_active(), focused)
