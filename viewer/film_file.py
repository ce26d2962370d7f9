"""Saving films: GIF, which every page shows, or MP4, which is smaller and smoother."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from types import ModuleType

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from meshes.errors import MissingExtra, UnknownFormat
from meshes.files import write_atomically
from viewer.film import Film
from viewer.picture import BadPicture

Progress = Callable[[int, int], None]
"""Called with the frames done and all frames, after each frame."""

_PALETTE_FRAMES = 6
_COLOURS = 255
"""One less than GIF can do, so that the writer can leave out what did not change."""
_BAYER = np.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]], np.int16) // 2 - 4
"""Ordered dither, in steps of 256: spreads a colour between its two nearest in the palette."""


def check_film_file(path: str | Path, size: tuple[int, int]) -> None:
    """Find out before anything is drawn whether such a film can be written; raises as `write_film` does."""
    if _suffix(path) == ".mp4":
        _ffmpeg()
        if any(side % 2 for side in size):
            raise BadPicture(f"{size[0]}×{size[1]} pixels", "width and height of an MP4 film must be even numbers")


def write_film(film: Film, path: str | Path, *, progress: Progress | None = None) -> None:
    """Draw all frames and write them to a `.gif` or `.mp4` file, wholly or not at all.

    Raises `UnknownFormat` for another ending, `MissingExtra` for MP4 without the `video` extra, `BadPicture` if MP4 can't have the size,
    `UnwritableFile`.
    """
    check_film_file(path, film.size)
    encode = _mp4 if _suffix(path) == ".mp4" else _gif
    write_atomically(path, encode(film, progress or (lambda done, count: None)))


def _suffix(path: str | Path) -> str:
    suffix = Path(path).suffix.lower()
    if suffix not in (".gif", ".mp4"):
        raise UnknownFormat(Path(path), (".gif", ".mp4"))
    return suffix


def _ffmpeg() -> ModuleType:
    try:
        import imageio_ffmpeg
    except ImportError as error:
        raise MissingExtra("an MP4 film", "imageio-ffmpeg", "video") from error
    module: ModuleType = imageio_ffmpeg
    return module


def _frames(film: Film, progress: Progress) -> Iterator[Image.Image]:
    for number in range(len(film)):
        yield film.frame(number)
        progress(number + 1, len(film))


def _gif(film: Film, progress: Progress) -> bytes:
    """One palette for the whole film, and a dither that stands still: neither flickers, and what rests costs no bytes."""
    palette = _palette([film.frame(number) for number in np.unique(np.linspace(0, len(film) - 1, _PALETTE_FRAMES).round().astype(int))])
    nearest = _nearest(palette)
    frames = (_reduced(frame, palette, nearest) for frame in _frames(film, progress))
    first = next(frames)
    data = BytesIO()
    # GIF counts hundredths of a second, and browsers slow down what is faster than 2 of them.
    duration_ms = max(20, round(100 / film.fps) * 10)
    first.save(data, "GIF", save_all=True, append_images=frames, duration=duration_ms, loop=0, disposal=1)
    return data.getvalue()


def _palette(frames: Sequence[Image.Image]) -> Image.Image:
    strip = Image.new("RGB", (frames[0].width, frames[0].height * len(frames)))
    for number, frame in enumerate(frames):
        strip.paste(frame, (0, number * frame.height))
    return strip.quantize(_COLOURS, method=Image.Quantize.MEDIANCUT, kmeans=1)


def _nearest(palette: Image.Image) -> NDArray[np.uint8]:
    """(64, 64, 64) number of the palette's colour nearest to each coarse red, green, blue: a look-up, where asking anew is slow."""
    steps = np.arange(2, 256, 4, dtype=np.uint8)
    cube = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(512, 512, 3)
    return np.asarray(Image.fromarray(cube).quantize(palette=palette, dither=Image.Dither.NONE)).reshape(64, 64, 64)


def _reduced(frame: Image.Image, palette: Image.Image, nearest: NDArray[np.uint8]) -> Image.Image:
    pixels = np.asarray(frame, np.int16)
    height, width, _ = pixels.shape
    pattern = np.tile(_BAYER, (-(-height // 4), -(-width // 4)))[:height, :width, None]
    red, green, blue = np.moveaxis(np.clip(pixels + pattern, 0, 255) >> 2, -1, 0)
    reduced = Image.fromarray(nearest[red, green, blue], "P")
    reduced.putpalette(palette.getpalette() or [])
    return reduced


def _mp4(film: Film, progress: Progress) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "film.mp4"
        options = {"fps": film.fps, "codec": "libx264", "quality": 8, "macro_block_size": 2, "ffmpeg_log_level": "error"}
        writer = _ffmpeg().write_frames(str(file), film.size, **options)
        try:
            writer.send(None)
            for frame in _frames(film, progress):
                writer.send(frame.tobytes())
        except OSError as error:
            raise BadPicture("MP4 film", f"ffmpeg stopped early: {error}") from error
        finally:
            writer.close()
        return file.read_bytes()
