"""Sends requests, and sends them again where that is safe."""

from __future__ import annotations

import calendar
import http.client
import json
import random
import ssl
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator, Mapping
from datetime import datetime
from email.message import Message
from email.utils import parsedate
from typing import Any
from urllib.parse import parse_qs, quote, urlencode, urlsplit

Answer = http.client.HTTPResponse


def new_key() -> str:
    return str(uuid.uuid4())


def part(value: object) -> str:
    """A value as one part of a path."""
    return quote(str(value), safe="@")


class KohortError(Exception):
    """A request that the service has refused. `code` says why, and `attr` names the field that is at fault."""

    def __init__(self, problem: Mapping[str, Any], retry_after: float | None = None) -> None:
        super().__init__(problem["detail"])
        self.problem = problem
        self.status: int = problem["status"]
        self.code: str = problem["code"]
        self.attr: str | None = problem.get("attr")
        #: The id of the request, as the log of the service has it.
        self.request_id: str = problem.get("request_id", "")
        #: The seconds after which the request may be sent again, if the service says so.
        self.retry_after = retry_after


def _retry_after(headers: Message) -> float | None:
    text = headers.get("Retry-After")
    if text is None:
        return None
    if text.strip().isdigit():
        return float(text)
    at: Any = parsedate(text)
    return None if at is None else max(0.0, calendar.timegm(at) - time.time())


def _error_of(answer: urllib.error.HTTPError) -> KohortError:
    """The error of an answer, also of one that a proxy gave in the place of the service."""
    try:
        problem = json.loads(answer.read())
    except (OSError, ValueError, http.client.HTTPException):
        problem = None
    if not isinstance(problem, dict) or not {"code", "detail", "status"} <= problem.keys():
        detail = f"The answer has status {answer.code} and no problem"
        request_id = answer.headers.get("X-Request-Id", "")
        problem = {"code": "error", "detail": detail, "attr": None, "status": answer.code, "request_id": request_id}
    return KohortError(problem, _retry_after(answer.headers))


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The service never redirects, and the key must not reach another host."""

    def redirect_request(self, *_: Any) -> None:
        return None


def is_broken(error: BaseException) -> bool:
    """True if a connection broke, so that it is not known what the service has done."""
    reason = getattr(error, "reason", error)
    is_refused = isinstance(reason, (ssl.SSLCertVerificationError, urllib.error.HTTPError))
    return isinstance(error, (OSError, http.client.HTTPException)) and not is_refused


def _text(value: object) -> str:
    if isinstance(value, (list, dict)):
        return json.dumps(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, datetime) else str(value)


class Transport:
    #: The parameters that are repeated for each value of a list. Other lists are sent as JSON.
    repeated: frozenset[str] = frozenset()

    def __init__(
        self,
        base_url: str,
        key: str,
        project: int | None = None,
        *,
        retries: int = 3,
        pause: float = 0.5,
        max_pause: float = 60.0,
        timeout: float = 60.0,
    ) -> None:
        """
        `key` is a personal API key, `phx_…`; `project` the id of a project, or None for the only one that the key opens.
        A request is sent again up to `retries` times. The first pause takes about `pause` seconds, each further one about
        twice as long as the one before, and none more than `max_pause`; when the service names a longer one, the request
        is not sent again. `timeout` is how many seconds the service may be silent.
        """
        self.base_url = base_url.rstrip("/")
        self.project = "@current" if project is None else str(project)
        self.retries = retries
        self.pause = pause
        self.max_pause = max_pause
        self.timeout = timeout
        self._authorization = f"Bearer {key}"
        self._opener = urllib.request.build_opener(_NoRedirects)

    def open(self, method: str, path: str, **request: Any) -> Answer:
        """
        Sends a request and returns the open answer, to be read in pieces: files, lines, events of a server. Takes `query`,
        `body`, `content_type`, `headers` and `idempotency_key`.
        """
        return self._send(method, path, lambda answer: answer, **request)

    def json(self, method: str, path: str, **request: Any) -> Any:
        """Sends a request and returns its answer; None for one without content."""

        def read(answer: Answer) -> Any:
            with answer:
                content = answer.read()
            return json.loads(content) if content else None

        return self._send(method, path, read, **request)

    def walk(self, method: str, path: str, *, query: Mapping[str, Any] | None = None) -> Iterator[Any]:
        """All records of a list, page by page, as they are needed."""
        place: dict[str, Any] = {}
        while True:
            page = self.json(method, path, query={**(query or {}), **place})
            yield from page["results"]
            if page["next"] is None:
                return
            # The address may name another host, where the service is behind a proxy. It names the position by an offset, also
            # in lists that count pages.
            found = parse_qs(urlsplit(page["next"]).query)
            place = {"page": None} | {name: found[name][0] for name in ("limit", "offset", "cursor") if name in found}

    def back_off(self, attempt: int) -> float:
        """A pause of random length, so that clients which failed together do not come back together."""
        return min(self.max_pause, self.pause * 2.0**attempt) * random.uniform(0.5, 1)

    def _request(
        self,
        method: str,
        path: str,
        query: Mapping[str, Any],
        body: object,
        content_type: str,
        headers: Mapping[str, str],
    ) -> urllib.request.Request:
        pairs = [
            (name, _text(each))
            for name, value in query.items()
            if value is not None
            for each in (value if name in self.repeated and isinstance(value, list) else [value])
        ]
        url = self.base_url + path + ("?" + urlencode(pairs) if pairs else "")
        data = None if body is None else body if isinstance(body, bytes) else json.dumps(body, default=_text).encode()
        request = urllib.request.Request(url, data, {"Accept": "*/*", **headers}, method=method)
        if data is not None:
            request.add_header("Content-Type", content_type)
        return request

    def _send(
        self,
        method: str,
        path: str,
        read: Any,
        *,
        query: Mapping[str, Any] | None = None,
        body: object = None,
        content_type: str = "application/json",
        headers: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
        is_repeatable: bool = False,
    ) -> Any:
        query = query or {}
        is_safe = is_repeatable or method == "GET" or idempotency_key is not None
        own = {"Authorization": self._authorization} if headers is None else dict(headers)
        if idempotency_key is not None:
            own["Idempotency-Key"] = idempotency_key
        timeout = self.timeout + float(query.get("wait") or 0)
        attempt = 0
        while True:
            try:
                request = self._request(method, path, query, body, content_type, own)
                return read(self._opener.open(request, timeout=timeout))
            except urllib.error.HTTPError as answer:
                error = _error_of(answer)
                pause = self.back_off(attempt) if error.retry_after is None else error.retry_after
                if attempt >= self.retries or not _may_be_sent_again(error, is_safe) or pause > self.max_pause:
                    raise error from None
            except (OSError, http.client.HTTPException) as error:
                if attempt >= self.retries or not is_safe or not is_broken(error):
                    raise
                pause = self.back_off(attempt)
            time.sleep(pause)
            attempt += 1


def _may_be_sent_again(error: KohortError, is_safe: bool) -> bool:
    # These were refused before they did anything. A 409 has Retry-After while the first request still runs.
    if error.status in (408, 429, 503) or (error.status == 409 and error.retry_after is not None):
        return True
    # A proxy does not know what the service has done.
    return is_safe and error.status in (502, 504)
