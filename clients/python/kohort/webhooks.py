"""Checks that a message to a webhook comes from the service."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import Any, Literal, TypedDict, cast

from .schema import CohortChangeDto


class ChangedCohort(TypedDict):
    id: int
    name: str


class CohortChangedData(TypedDict):
    project_id: int
    cohort: ChangedCohort
    changes: list[CohortChangeDto]
    #: The feed of the cohort continues after these changes with this cursor.
    cursor: str


class CohortChanged(TypedDict):
    #: A message that is sent again has the same id: skip one that you have processed.
    id: str
    type: Literal["cohort.changed"]
    timestamp: str
    data: CohortChangedData


class WebhookTestedData(TypedDict):
    project_id: int
    webhook_id: int


class WebhookTested(TypedDict):
    id: str
    type: Literal["webhook.test"]
    timestamp: str
    data: WebhookTestedData


class WebhookError(Exception):
    """A message that the service did not sign, or that is too old. Answer it with status 401."""


def verify_webhook(
    secret: str, headers: Mapping[str, str], body: bytes | str, *, tolerance: float = 300
) -> CohortChanged | WebhookTested:
    """
    Checks the signature of a message, as Standard Webhooks defines it, and returns the message. `body` is the request as
    it came, before any parser. A message is refused when it was signed more than `tolerance` seconds ago.
    """
    given = {name.lower(): value for name, value in headers.items()}
    try:
        message_id, timestamp = given["webhook-id"], given["webhook-timestamp"]
        signatures = given["webhook-signature"].split(" ")
        age = abs(time.time() - float(timestamp))
    except (KeyError, ValueError):
        raise WebhookError("a header is missing or damaged") from None
    # Written so that "nan" is refused, too.
    if not age <= tolerance:
        raise WebhookError("the message was signed too long ago, or by another clock")
    content = body.encode() if isinstance(body, str) else body
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.new(key, f"{message_id}.{timestamp}.".encode() + content, hashlib.sha256).digest()
    if not any(hmac.compare_digest(digest, _bytes(each)) for each in signatures):
        raise WebhookError("the signature does not belong to the message")
    message: dict[str, Any] = json.loads(content)
    return cast("CohortChanged | WebhookTested", {**message, "id": message_id})


def _bytes(signature: str) -> bytes:
    version, _, text = signature.partition(",")
    try:
        return base64.b64decode(text) if version == "v1" else b""
    except (binascii.Error, ValueError):
        return b""
