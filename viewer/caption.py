"""A line of text on a rounded plate at the foot of a picture."""

from __future__ import annotations

from PIL import Image, ImageDraw

from viewer.glyphs import font

_PLATE = (28, 23, 20)
_TEXT = (250, 243, 230)
_OVERSAMPLING = 3


def add_caption(image: Image.Image, text: str, *, opacity: float = 1.0) -> Image.Image:
    """The RGB picture with `text` at its foot, in letters a twentieth of its height, smaller if the line would not fit.

    `opacity` 0–1 fades plate and text alike. An empty text changes nothing.
    """
    if not text or opacity <= 0:
        return image
    layer = _plate(text, image.size)
    mask = layer.getchannel("A").point([round(value * opacity) for value in range(256)])
    captioned = image.copy()
    captioned.paste(layer.convert("RGB"), ((image.width - layer.width) // 2, image.height - layer.height - image.height // 22), mask)
    return captioned


def _plate(text: str, size: tuple[int, int]) -> Image.Image:
    """RGBA, drawn large and scaled down so that the round ends are smooth."""
    letters = size[1] / 20 * _OVERSAMPLING
    room = size[0] * 0.94 * _OVERSAMPLING
    width = font("Nunito-SemiBold", letters).getlength(text)
    letters *= min(1.0, (room - 1.6 * letters) / width)
    face = font("Nunito-SemiBold", letters)
    plate = Image.new("RGBA", (round(face.getlength(text) + 1.6 * letters), round(1.9 * letters)), (*_PLATE, 0))
    draw = ImageDraw.Draw(plate)
    draw.rounded_rectangle((0, 0, plate.width - 1, plate.height - 1), plate.height / 2, fill=(*_PLATE, 205))
    draw.text((plate.width / 2, plate.height / 2), text, fill=(*_TEXT, 255), font=face, anchor="mm")
    return plate.resize((max(1, plate.width // _OVERSAMPLING), max(1, plate.height // _OVERSAMPLING)), Image.Resampling.BOX)
