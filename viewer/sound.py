"""What is heard. Sounds are made when first wanted and played by pyglet; without a device, or when it goes away, the program is silent."""

from __future__ import annotations

import logging
import time
import wave
from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from viewer.sound_synth import MOST_NODES, RATE_HZ, Cue, Sound, make_clack, make_cue

if TYPE_CHECKING:
    from viewer.impacts import Impact

__all__ = ["Cue", "Device", "NoDevice", "Sounds", "wave_file"]

MOST_CLACKS, CLACK_WINDOW_S = 4, 0.05
"""Pieces that land within such a time are heard up to this many; more would only be noise."""
MOST_VOICES = 24
"""Sounds at once; the oldest gives way."""
VARIANTS = 3
"""Clacks of each kind, so that no two in a row are the same."""
LOUD_MM_S = 1500.0
"""A piece that lands at this speed is as loud as any: a fall from 11 cm."""

_HARD_MM_S = (250.0, 700.0)
_HARDNESS = (0.15, 0.5, 0.9)
_TINT = 20_31
"""Seed of the small chances in the sounds: every start sounds alike."""
_log = logging.getLogger(__name__)


class NoDevice(Exception):
    """Nothing here can play sound."""


class Device(Protocol):
    """Something that plays sounds; whatever it raises means that it has gone."""

    def play(self, sound: Sound, loudness: float) -> None:
        """Begin to play; `loudness` is a factor from 0 to 1."""

    def close(self) -> None:
        """Stop everything."""


class Sounds:
    """All sounds of the program. Nothing here ever raises for want of a device: it is looked for at the first sound, and one line is logged.

    `volume` from 0 to 1, as heard; `muted` keeps it.
    """

    def __init__(
        self,
        volume: float = 0.7,
        muted: bool = False,
        *,
        open_device: Callable[[], Device] | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.volume, self.muted = volume, muted
        self._open, self._clock = open_device or PygletDevice, clock
        self._device: Device | None = None
        self._gone = False
        self._made: dict[tuple[Any, ...], Sound] = {}
        self._clacks: deque[float] = deque(maxlen=MOST_CLACKS)
        self._turn = 0

    @property
    def silent(self) -> bool:
        """Whether there turned out to be no device, or it went away."""
        return self._gone

    def warm_up(self) -> None:
        """Find the device and make every sound, some 50 ms of work, so that none comes late."""
        if self._ready():
            for cue in Cue:
                self._cue(cue)
            for nodes in range(1, MOST_NODES + 1):
                for level in range(len(_HARDNESS)):
                    for variant in range(VARIANTS):
                        self._clack(nodes, level, variant)

    def play(self, cue: Cue | str, *, loudness: float = 1.0) -> None:
        """Play a cue, by its value too; raises `ValueError` for a name there is none of."""
        wanted = Cue(cue)
        if self._ready():
            self._play(self._cue(wanted), loudness)

    def clack(self, nodes: int, speed_mm_s: float) -> None:
        """A piece of so many nodes lands on wood at this speed. Beyond `MOST_CLACKS` in `CLACK_WINDOW_S` nothing is added."""
        now = self._clock()
        if (len(self._clacks) == MOST_CLACKS and now - self._clacks[0] < CLACK_WINDOW_S) or not self._ready():
            return
        self._clacks.append(now)
        self._turn += 1
        level = sum(speed_mm_s >= least for least in _HARD_MM_S)
        loudness = min(1.0, max(0.05, (speed_mm_s / LOUD_MM_S) ** 0.7))
        self._play(self._clack(min(max(nodes, 1), MOST_NODES), level, self._turn % VARIANTS), loudness)

    def land(self, impacts: Iterable[Impact]) -> None:
        """Pieces land: the hardest are heard."""
        for impact in sorted(impacts, key=lambda impact: -impact.speed_mm_s)[:MOST_CLACKS]:
            self.clack(impact.nodes, impact.speed_mm_s)

    def close(self) -> None:
        """Stop all sounds; there are none after this."""
        device, self._device, self._gone = self._device, None, True
        if device is not None:
            try:
                device.close()
            except Exception as error:  # noqa: BLE001 - drivers raise what they like, and it is over anyway
                _log.debug("closing the sound device: %s", error)

    def _cue(self, cue: Cue) -> Sound:
        return self._kept((cue,), partial(make_cue, cue), [_TINT, list(Cue).index(cue)])

    def _clack(self, nodes: int, level: int, variant: int) -> Sound:
        return self._kept((nodes, level, variant), partial(make_clack, nodes, _HARDNESS[level]), [_TINT, 100, nodes, level, variant])

    def _kept(self, key: tuple[Any, ...], make: Callable[[np.random.Generator], Sound], seed: list[int]) -> Sound:
        if key not in self._made:
            self._made[key] = make(np.random.default_rng(seed))
        return self._made[key]

    def _ready(self) -> bool:
        """Whether anything can be heard; looks for the device the first time."""
        if self.muted or self.volume <= 0 or self._gone:
            return False
        if self._device is None:
            try:
                self._device = self._open()
            except Exception as error:  # noqa: BLE001 - whatever a driver raises means no sound
                self._lose(error)
        return not self._gone

    def _play(self, sound: Sound, loudness: float) -> None:
        if self._device is not None:
            try:
                # ears hear in ratios: the square makes half the slider half as loud
                self._device.play(sound, min(1.0, loudness) * self.volume**2)
            except Exception as error:  # noqa: BLE001 - a device that was unplugged raises what its driver likes
                self._lose(error)

    def _lose(self, error: Exception) -> None:
        self._device, self._gone = None, True
        _log.warning("no sound: %s", str(error) or type(error).__name__)


class PygletDevice:
    """The device pyglet finds. Raises `NoDevice`, or whatever its drivers raise; there must be a display."""

    def __init__(self) -> None:
        # not before the first sound: this looks for devices. The window first: without one pyglet.media fails halfway, and again at exit
        import pyglet.window  # noqa: I001
        import pyglet.media
        from pyglet.media.drivers import get_audio_driver
        from pyglet.media.drivers.silent.adaptation import SilentDriver

        if isinstance(get_audio_driver(), SilentDriver | None):  # type: ignore[no-untyped-call]
            raise NoDevice("no device found")
        self._media = pyglet.media
        self._sources: dict[int, tuple[Sound, Any]] = {}
        self._voices: deque[tuple[float, Any]] = deque()

    def play(self, sound: Sound, loudness: float) -> None:
        """Begin to play."""
        now = time.perf_counter()
        while self._voices and (self._voices[0][0] < now or len(self._voices) >= MOST_VOICES):
            self._voices.popleft()[1].delete()
        player = self._media.Player()
        player.volume = loudness
        player.queue(self._source(sound))
        player.play()
        self._voices.append((now + len(sound) / RATE_HZ + 0.5, player))

    def close(self) -> None:
        """Stop everything."""
        while self._voices:
            self._voices.popleft()[1].delete()

    def _source(self, sound: Sound) -> Any:
        """The sound in pyglet's form; kept with the sound, so that its id stays its own."""
        if id(sound) not in self._sources:
            from pyglet.media.codecs.wave import WaveDecoder

            source = self._media.load("sound.wav", file=BytesIO(wave_file(sound)), streaming=False, decoder=WaveDecoder())
            self._sources[id(sound)] = sound, source
        return self._sources[id(sound)][1]


def wave_file(sound: Sound) -> bytes:
    """The sound as a WAV file of 16 bits."""
    data = BytesIO()
    with wave.open(data, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE_HZ)
        file.writeframes(np.round(sound * 32767).astype("<i2").tobytes())
    return data.getvalue()
