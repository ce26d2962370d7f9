"""JSON-RPC 2.0 over lines, whatever the methods: what is answered, with which code, and what is not answered at all."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from games.jsonrpc import RpcError, answer_line, serve_lines


def _refuse(params: dict[str, Any]) -> object:
    raise RpcError(1, "not now", ["why"])


def _break(params: dict[str, Any]) -> object:
    raise ZeroDivisionError


METHODS = {"echo": lambda params: params, "nothing": lambda params: None, "refuse": _refuse, "break": _break}


def _answer(line: str | bytes) -> dict[str, Any]:
    answer = answer_line(line.encode() if isinstance(line, str) else line, METHODS)
    assert answer is not None
    assert answer.endswith(b"\n")
    assert answer.count(b"\n") == 1
    decoded: dict[str, Any] = json.loads(answer)
    assert decoded.pop("jsonrpc") == "2.0"
    return decoded


@pytest.mark.parametrize("request_id", ["1", "-7", '"a b"', '"é\\ud800"', "null", "1.5", str(2**70), '""'])
def test_ids_come_back(request_id: str) -> None:
    """A string, number, fraction, huge number or null as id is answered with that very id."""
    answer = _answer(f'{{"jsonrpc":"2.0","id":{request_id},"method":"echo","params":{{"a":1}}}}')
    assert answer == {"id": json.loads(request_id), "result": {"a": 1}}


@pytest.mark.parametrize("request_id", ["true", "[1]", "{}"])
def test_ids_of_other_kinds_are_refused(request_id: str) -> None:
    """An id that is no string, number or null makes the request invalid, answered with id null."""
    answer = _answer(f'{{"jsonrpc":"2.0","id":{request_id},"method":"echo"}}')
    assert (answer["id"], answer["error"]["code"]) == (None, -32600)


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"not json",
        b'{"jsonrpc":"2.0","id":1,"method":"echo","params":{"a":NaN}}',
        b'{"jsonrpc":"2.0","id":1,"method":"echo","params":{"a":-Infinity}}',
        b'{"jsonrpc":"2.0","id":1e999,"method":"echo"}',
        b'{"jsonrpc":"2.0","id":1,"method":"\xff"}',
        b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"echo"}',
        b'{"jsonrpc":"2.0","id":1,"method":"echo"} {}',
        b"[" * 100_000,
        b'{"jsonrpc":"2.0","id":' + b"9" * 10_000 + b',"method":"echo"}',
        b"\x00",
    ],
)
def test_what_is_not_json(line: bytes) -> None:
    """Broken JSON, NaN and Infinity, numbers out of range, invalid UTF-8 and bottomless nesting are parse errors with id null."""
    answer = _answer(line)
    assert (answer["id"], answer["error"]["code"]) == (None, -32700)


@pytest.mark.parametrize(
    ("line", "request_id"),
    [
        ("[]", None),
        ('[{"jsonrpc":"2.0","id":1,"method":"echo"}]', None),
        ("3", None),
        ('"echo"', None),
        ("null", None),
        ("true", None),
        ("{}", None),
        ('{"jsonrpc":"2.0"}', None),
        ('{"jsonrpc":"1.0","id":1,"method":"echo"}', 1),
        ('{"jsonrpc":2.0,"id":1,"method":"echo"}', 1),
        ('{"id":1,"method":"echo"}', 1),
        ('{"jsonrpc":"2.0","id":1}', 1),
        ('{"jsonrpc":"2.0","id":1,"method":5}', 1),
        ('{"jsonrpc":"2.0","id":1,"method":null}', 1),
        ('{"jsonrpc":"2.0","id":1,"method":"echo","params":"a"}', 1),
        ('{"jsonrpc":"2.0","id":1,"method":"echo","params":null}', 1),
        ('{"jsonrpc":"2.0","method":"echo","params":3}', None),
        ('{"jsonrpc":"2.0","id":1,"id":2,"method":"echo"}', None),
    ],
)
def test_what_is_no_request(line: str, request_id: object) -> None:
    """Batches, other values and objects that are no requests get -32600, with the id where it could be read."""
    answer = _answer(line)
    assert (answer["id"], answer["error"]["code"]) == (request_id, -32600)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ('{"jsonrpc":"2.0","id":1,"method":"fly"}', -32601),
        ('{"jsonrpc":"2.0","id":1,"method":"fly","params":[1]}', -32601),
        ('{"jsonrpc":"2.0","id":1,"method":"echo","params":[1]}', -32602),
        ('{"jsonrpc":"2.0","id":1,"method":"echo","params":{"a":1,"a":1}}', -32602),
        ('{"jsonrpc":"2.0","id":1,"method":"echo","params":{"a":[{"b":1,"b":2}]}}', -32602),
        ('{"jsonrpc":"2.0","id":1,"method":"refuse"}', 1),
    ],
)
def test_calls_that_fail(line: str, code: int) -> None:
    """Unknown methods, params by position, params given twice and a method's own refusal have their codes."""
    assert _answer(line)["error"]["code"] == code


def test_no_params_at_all() -> None:
    """Params may be left out, or be an empty list."""
    assert _answer('{"jsonrpc":"2.0","id":1,"method":"echo"}')["result"] == {}
    assert _answer('{"jsonrpc":"2.0","id":1,"method":"echo","params":[]}')["result"] == {}


def test_a_null_result_is_a_result() -> None:
    """A method that gives nothing is answered with result null."""
    assert _answer('{"jsonrpc":"2.0","id":1,"method":"nothing"}') == {"id": 1, "result": None}


def test_a_refusal_carries_its_data() -> None:
    """Code, message and data of an error come through."""
    assert _answer('{"jsonrpc":"2.0","id":1,"method":"refuse"}')["error"] == {"code": 1, "message": "not now", "data": ["why"]}


def test_a_fault_of_ours_is_told_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    """A method that breaks down is answered with -32603 and logged in full; the session goes on."""
    assert _answer('{"jsonrpc":"2.0","id":1,"method":"break"}')["error"]["code"] == -32603
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize("method", ["echo", "refuse", "fly", "break"])
def test_notifications_are_not_answered(method: str) -> None:
    """A request without id is carried out and not answered, whatever comes of it."""
    assert answer_line(f'{{"jsonrpc":"2.0","method":"{method}"}}'.encode(), METHODS) is None
    assert answer_line(b'{"jsonrpc":"2.0","method":"echo","params":[1]}', METHODS) is None


def test_lines_until_the_end() -> None:
    """Blank lines are passed over, either line end will do, the last line needs none, and input's end ends the session."""
    request = b'{"jsonrpc":"2.0","id":%d,"method":"nothing"}'
    lines = b"\n  \t\r\n" + request % 1 + b"\r\n" + request % 2 + b"\n\n" + request % 3
    out = io.BytesIO()
    serve_lines(io.BytesIO(lines), out, METHODS)
    assert [json.loads(line)["id"] for line in out.getvalue().splitlines()] == [1, 2, 3]


def test_reader_gone() -> None:
    """When nobody reads the answers any more the session ends quietly."""

    class Gone(io.BytesIO):
        def write(self, _: Any, /) -> int:
            raise BrokenPipeError

    serve_lines(io.BytesIO(b'{"jsonrpc":"2.0","id":1,"method":"nothing"}\n' * 2), Gone(), METHODS)
