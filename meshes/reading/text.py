"""Text files of every age: encodings, line ends and decimal commas."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Sequence
from io import BytesIO

import numpy as np
from numpy.typing import NDArray

from meshes.reading.limits import MOST_LINES
from meshes.reading.scene import Unreadable

_MOST_NAME = 80


def plain_text(data: bytes) -> bytes:
    """The same text in UTF-8 or ASCII, without byte order mark, lines ended by one newline; raises `Unreadable` if it is no text."""
    for mark, encoding in ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if data.startswith(mark):
            data = data[len(mark) :]
            return _newlines(data if encoding == "utf-8" else _recoded(data, encoding))
    zeros = data[:1000].count(0)
    if zeros:
        if zeros < len(data[:1000]) // 3:
            raise Unreadable("no-text", "it is no text, though files of this kind are; export it again")
        data = _recoded(data, "utf-16-be" if data[0] == 0 else "utf-16-le")
    return _newlines(data)


def lines_of(text: bytes) -> Iterator[bytes]:
    """Its lines that say something, stripped, one by one: a list of all would take many times the file. Raises `Unreadable` if they are too many."""
    for number, line in enumerate(BytesIO(text)):
        if number >= MOST_LINES:
            raise Unreadable("too-many-lines", f"it has more than {MOST_LINES:,} lines, the most that may be; make the mesh coarser")
        stripped = line.strip()
        if stripped:
            yield stripped


def without_decimal_commas(numbers: bytes) -> tuple[bytes, bool]:
    """The same numbers with decimal points, and whether there were commas."""
    return (re.sub(rb"(?<=\d),(?=\d)", b".", numbers), True) if b"," in numbers else (numbers, False)


def number_rows(rows: Sequence[bytes], columns: int, what: str) -> NDArray[np.float64]:
    """The first `columns` words of each row as numbers (n, columns); raises `Unreadable` naming the first row that has too few or others."""
    words = [word for row in rows for word in row.split(None, columns)[:columns]]
    try:
        values = np.array(words, dtype=np.float64) if words else np.zeros(0)
    except ValueError:
        values = None
    if values is None or len(values) != columns * len(rows):
        wrong = next((row for row in rows if not _are_numbers(row.split()[:columns], columns)), b"")
        raise Unreadable("bad-number", f"{what} must be {columns} numbers, one is “{shown(wrong)}”; export it again")
    return values.reshape(len(rows), columns)


def clean_name(raw: bytes | str) -> str:
    """A name to show: one line, no control characters, not too long."""
    text = raw.decode("utf-8", "replace") if isinstance(raw, bytes) else raw
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())[:_MOST_NAME]


def shown(raw: bytes, most: int = 30) -> str:
    """Some bytes of a file to show in a message."""
    return clean_name(raw[:most])


def _are_numbers(words: Sequence[bytes], columns: int) -> bool:
    try:
        return len([float(word) for word in words]) == columns
    except ValueError:
        return False


def _recoded(data: bytes, encoding: str) -> bytes:
    try:
        return data.decode(encoding).encode("utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable("no-text", f"it looks like {encoding.upper()} text, but is not; save it as UTF-8") from error


def _newlines(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data
