"""What is heard, and that nothing happens where nothing can be heard."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import wave
from io import BytesIO

import numpy as np
import pytest

from viewer.impacts import Impact
from viewer.sound import CLACK_WINDOW_S, MOST_CLACKS, VARIANTS, Cue, NoDevice, Sounds, wave_file
from viewer.sound_synth import RATE_HZ, Sound


class Recorder:
    """A device that keeps what it plays, and goes away after `lasts` sounds."""

    def __init__(self, lasts: int = 1000) -> None:
        self.played: list[tuple[Sound, float]] = []
        self.closed = False
        self._lasts = lasts

    def play(self, sound: Sound, loudness: float) -> None:
        """Keep it."""
        if len(self.played) == self._lasts:
            raise OSError("device unplugged")
        self.played.append((sound, loudness))

    def close(self) -> None:
        """Fail, as drivers may."""
        self.closed = True
        raise OSError("already gone")


class Clock:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self) -> float:
        """The time."""
        return self.now


def test_cues_are_heard_by_name() -> None:
    """Every cue plays a sound of its own, by member or by name; a name there is none of is a mistake in the program."""
    device = Recorder()
    sounds = Sounds(open_device=lambda: device)
    for cue in Cue:
        sounds.play(cue)
        sounds.play(cue.value)
    assert len({id(sound) for sound, _ in device.played}) == len(Cue)
    with pytest.raises(ValueError, match="gong"):
        sounds.play("gong")


def test_volume_and_mute() -> None:
    """Muted or at volume 0 no device is even looked for; the volume counts from the next sound on, and half of it is a quarter of the power."""
    device, opened = Recorder(), []
    sounds = Sounds(volume=1.0, muted=True, open_device=lambda: opened.append(1) or device)  # type: ignore[func-returns-value]
    sounds.play("win")
    sounds.muted, sounds.volume = False, 0.0
    sounds.clack(3, 500)
    assert not opened
    for volume in (1.0, 0.5):
        sounds.volume = volume
        sounds.play("win")
    assert [loudness for _, loudness in device.played] == [1.0, 0.25]
    assert len(opened) == 1


def test_harder_landings_are_louder_and_no_two_in_a_row_alike() -> None:
    """Loudness grows with speed up to its limit, and repeated landings vary."""
    device, clock = Recorder(), Clock()
    sounds = Sounds(1.0, open_device=lambda: device, clock=clock)
    for speed in (0, 20, 100, 300, 800, 1500, 9000):
        clock.now += 1
        sounds.clack(2, speed)
    loudness = [loudness for _, loudness in device.played]
    assert loudness == sorted(loudness)
    assert 0 < loudness[0] < loudness[-1] == 1.0
    device.played.clear()
    for _ in range(VARIANTS):
        clock.now += 1
        sounds.clack(2, 300)
    assert len({id(sound) for sound, _ in device.played}) == VARIANTS


def test_a_falling_tower_does_not_crackle() -> None:
    """Of many landings at once only a few are heard, the hardest of a frame; a moment later there is room again."""
    device, clock = Recorder(), Clock()
    sounds = Sounds(1.0, open_device=lambda: device, clock=clock)
    sounds.land([Impact(1 + i % 5, 100.0 + i) for i in range(60)])
    sounds.land([Impact(1, 2000.0)])
    hardest = max(loudness for _, loudness in device.played)
    assert len(device.played) == MOST_CLACKS
    assert hardest == pytest.approx((159 / 1500) ** 0.7)
    for frame in range(1, 121):
        clock.now = frame / 60
        sounds.land([Impact(2, 500.0)] * 3)
    assert len(device.played) <= MOST_CLACKS * (1 + 2 / CLACK_WINDOW_S)
    assert len(device.played) > 2 / CLACK_WINDOW_S


def test_no_device_is_one_line_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """Without a device everything goes on silently; it is looked for once and one line is logged."""
    tries = []

    def open_nothing() -> Recorder:
        tries.append(1)
        raise NoDevice("no device found")

    sounds = Sounds(open_device=open_nothing)
    with caplog.at_level(logging.DEBUG):
        sounds.warm_up()
        for cue in Cue:
            sounds.play(cue)
        sounds.clack(3, 500)
        sounds.land([Impact(3, 500)])
        sounds.close()
    assert sounds.silent
    assert len(tries) == 1
    assert [record.getMessage() for record in caplog.records] == ["no sound: no device found"]


def test_unplugged_device_is_one_line_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """A device that goes away during play silences the program, once and for all, with one line."""
    device = Recorder(lasts=2)
    sounds = Sounds(open_device=lambda: device)
    with caplog.at_level(logging.INFO):
        for _ in range(5):
            sounds.play("tick")
            sounds.clack(1, 900)
    assert (len(device.played), sounds.silent) == (2, True)
    assert [record.getMessage() for record in caplog.records] == ["no sound: device unplugged"]


def test_closing_twice_or_badly_is_quiet() -> None:
    """Closing stops the device, survives its complaints, and leaves silence."""
    device = Recorder()
    sounds = Sounds(open_device=lambda: device)
    sounds.play("tick")
    sounds.close()
    sounds.close()
    sounds.play("tick")
    assert device.closed
    assert len(device.played) == 1


def test_wave_file_reads_back() -> None:
    """The WAV form is mono, 16 bits, of the stated rate, and holds the samples."""
    sound = np.array([0.0, 1.0, -1.0, 0.5])
    with wave.open(BytesIO(wave_file(sound))) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE_HZ)
        assert np.frombuffer(file.readframes(9), "<i2").tolist() == [0, 32767, -32767, 16384]


def python(code: str) -> subprocess.CompletedProcess[str]:
    """Run Python without a display."""
    kept = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return subprocess.run([sys.executable, "-c", code], env=kept, capture_output=True, text=True, check=False)


def test_sounds_import_no_device() -> None:
    """Importing the module loads nothing of pyglet, so it costs no time and needs no display."""
    ran = python("import sys, viewer.sound; assert not any(name.startswith('pyglet') for name in sys.modules)")
    assert (ran.returncode, ran.stderr) == (0, "")


def test_really_no_device_is_silent() -> None:
    """With the true pyglet and no device, playing and leaving gives one line and status 0, with a screen and without."""
    play = "from viewer.sound import Sounds; s = Sounds(); s.warm_up(); s.play('win'); s.clack(3, 900); assert s.silent; s.close()"
    for headless in (False, True):
        ran = python(f"import pyglet; pyglet.options['headless'] = {headless}; pyglet.options['audio'] = ('silent',); {play}")
        assert ran.returncode == 0
        assert ran.stderr.count("no sound") == len(ran.stderr.splitlines()) == 1


def test_pyglet_plays_and_forgets() -> None:
    """Played through the true pyglet (its driver without a device taken for one), sounds end by themselves and never pile up."""
    ran = python(_PLAY_MANY)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split() == ["24", "0"]


_PLAY_MANY = """
import time, pyglet
pyglet.options["headless"] = True
pyglet.options["audio"] = ("silent",)
import pyglet.window, pyglet.media
from pyglet.media import drivers
from pyglet.media.drivers.silent import adaptation
adaptation.SilentDriver = type("Other", (), {})
from viewer.sound import Sounds
sounds = Sounds()
pyglet.app.platform_event_loop.start()
for _ in range(60):
    sounds.play("tick")
assert not sounds.silent
worker = drivers.get_audio_driver().worker
print(len(worker.players))
until = time.monotonic() + 20
while worker.players and time.monotonic() < until:
    pyglet.app.platform_event_loop.step(0.05)
print(len(worker.players))
sounds.close()
"""
