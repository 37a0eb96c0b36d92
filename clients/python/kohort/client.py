"""The client: all operations, and what a document cannot say."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, NotRequired, TypedDict, cast

from .operations import Operations
from .schema import CaptureReplyDto, CohortChangeDto
from .transport import KohortError, is_broken


class NewEvent(TypedDict):
    """An event to be sent. One without a uuid gets one, so that it is stored once however often it is sent."""

    event: str
    distinct_id: str
    properties: NotRequired[Mapping[str, Any]]
    timestamp: NotRequired[str | datetime]
    uuid: NotRequired[str]


class Kohort(Operations):
    def capture(self, token: str, events: Sequence[NewEvent]) -> CaptureReplyDto:
        """Sends events with the token of the project, `phc_…`. Look at `rejected` and `warnings` of the answer."""
        batch: list[dict[str, object]] = [{"uuid": str(uuid.uuid4()), **event} for event in events]
        body = {"api_key": token, "batch": batch}
        # Without headers: the key of the client opens the private API only.
        answer = self.json("POST", "/batch", body=body, headers={}, is_repeatable=True)
        return cast(CaptureReplyDto, answer)

    def changes(
        self,
        cohort_id: int,
        *,
        after: str | None = None,
        change: Literal["entered", "left"] | None = None,
        wait: int = 30,
    ) -> Iterator[CohortChangeDto]:
        """
        Who enters and leaves a cohort, as it happens, without end. Without `after` the members of now come first; `latest`
        starts after the last change. Once it has started, the feed outlives broken connections and restarts of the service.
        Store the `cursor` of each change with what you have made of it, and pass it as `after` to continue there.
        """
        path = f"/api/projects/{self.project}/cohorts/{cohort_id}/changes"
        is_started = False
        failures = 0
        while True:
            try:
                page = self.json("GET", path, query={"after": after, "change": change, "wait": wait})
            except Exception as error:
                if not is_started or not _is_passing(error):
                    raise
                failures += 1
                named = getattr(error, "retry_after", None)
                time.sleep(self.back_off(min(failures, 20)) if named is None else named)
                continue
            yield from page["results"]
            after, is_started, failures = page["cursor"], True, 0


def _is_passing(error: Exception) -> bool:
    """True for a broken connection, or an answer that says to come back."""
    if isinstance(error, KohortError):
        return error.status in (408, 429, 502, 503, 504)
    return is_broken(error)
