"""JSON-RPC 2.0 over lines: one request a line, one answer a line, whatever the methods are."""

from __future__ import annotations

import json
import logging
import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603

RequestId = str | int | float | None
Methods = Mapping[str, Callable[[dict[str, Any]], object]]
"""What can be called, by name; each takes its named params."""

_log = logging.getLogger(__name__)
_BLANK = b" \t\r\n"


class RpcError(Exception):
    """An answer that is an error: a JSON-RPC or protocol `code`, a message, and data that programs can read."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        self.code, self.message, self.data = code, message, data
        super().__init__(message)

    def to_json(self) -> dict[str, Any]:
        """The error object."""
        error = {"code": self.code, "message": self.message}
        return error if self.data is None else {**error, "data": self.data}


def serve_lines(stdin: BinaryIO, stdout: BinaryIO, methods: Methods) -> None:
    """Answer requests line by line until the input ends or nobody reads the answers any more. Blank lines are passed over."""
    for line in stdin:
        answer = answer_line(line, methods) if line.strip(_BLANK) else None
        if answer is not None:
            try:
                stdout.write(answer)
                stdout.flush()
            except BrokenPipeError:
                return


def answer_line(line: bytes, methods: Methods) -> bytes | None:
    """The answer to one line, with its line end, or None if it is a notification (a valid request without `id`)."""
    try:
        request = _Request.read(line)
    except _Refused as refused:
        return _line(refused.id, error=refused.error)
    try:
        result = _call(request, methods)
    except RpcError as error:
        return _line(request.id, error=error) if request.wants_answer else None
    return _line(request.id, result=result) if request.wants_answer else None


def _call(request: _Request, methods: Methods) -> object:
    method = methods.get(request.method)
    if method is None:
        raise RpcError(METHOD_NOT_FOUND, f"there is no method {request.method[:80]!r}; there are {', '.join(methods)}")
    if request.fault:
        raise RpcError(INVALID_PARAMS, request.fault)
    try:
        return method(request.params)
    except RpcError:
        raise
    except Exception as error:
        _log.exception("method %s failed", request.method)
        raise RpcError(INTERNAL_ERROR, f"a fault in the engine ({type(error).__name__}); the log on standard error has the details") from error


class _Refused(Exception):
    """A line that is no request; `id` is its id if that much could be read, else None."""

    def __init__(self, code: int, message: str, request_id: RequestId = None) -> None:
        self.error, self.id = RpcError(code, message), request_id
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class _Request:
    """A well-formed request; `fault` says what is wrong with its params before any method has seen them."""

    method: str
    params: dict[str, Any]
    wants_answer: bool
    id: RequestId
    fault: str | None

    @classmethod
    def read(cls, line: bytes) -> _Request:
        content, repeated, repeated_inside = _read_json(line)
        if isinstance(content, list):
            raise _Refused(INVALID_REQUEST, "batches are not served; send one request a line")
        if not isinstance(content, dict):
            raise _Refused(INVALID_REQUEST, "a request is an object")
        if repeated:
            raise _Refused(INVALID_REQUEST, f"given twice: {', '.join(repeated)}")
        request_id = content.get("id")
        if isinstance(request_id, bool | list | dict):
            raise _Refused(INVALID_REQUEST, "id must be a string, a number or null")
        params = content.get("params", {})
        if content.get("jsonrpc") != "2.0":
            raise _Refused(INVALID_REQUEST, 'a request has "jsonrpc": "2.0"', request_id)
        if not isinstance(content.get("method"), str):
            raise _Refused(INVALID_REQUEST, "a request names its method with a string", request_id)
        if not isinstance(params, dict | list):
            raise _Refused(INVALID_REQUEST, "params must be an object", request_id)
        fault = f"given twice: {', '.join(repeated_inside)}" if repeated_inside else None
        if isinstance(params, list):
            params, fault = {}, "params must be given by name, as an object" if params else fault
        return cls(content["method"], params, "id" in content, request_id, fault)


def _read_json(line: bytes) -> tuple[Any, list[str], list[str]]:
    """The content of a line, the keys its outermost object repeats, and the keys that objects inside repeat."""
    outer: list[str] = []
    inner: list[str] = []

    def keep(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        # objects come innermost first, so whatever was noted before this one lies inside
        inner.extend(outer)
        outer[:] = [key for key, times in Counter(key for key, _ in pairs).items() if times > 1]
        return dict(pairs)

    try:
        content = json.loads(line.decode("utf-8"), object_pairs_hook=keep, parse_constant=_no_constant, parse_float=_finite)
    except RecursionError as error:
        raise _Refused(PARSE_ERROR, "not JSON we can read: nested too deeply") from error
    except ValueError as error:
        raise _Refused(PARSE_ERROR, f"not a line of JSON in UTF-8: {error}") from error
    return content, outer, inner


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text[:40]} is too large a number")
    return number


def _line(request_id: RequestId, *, result: object = None, error: RpcError | None = None) -> bytes:
    answer: dict[str, Any] = {"jsonrpc": "2.0", "id": request_id}
    if error is None:
        answer["result"] = result
    else:
        answer["error"] = error.to_json()
    return json.dumps(answer, separators=(",", ":"), allow_nan=False).encode("ascii") + b"\n"
