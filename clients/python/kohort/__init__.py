"""A client of Kohort on the standard library."""

from .client import Kohort, NewEvent
from .transport import Answer, KohortError
from .webhooks import CohortChanged, WebhookError, WebhookTested, verify_webhook

__all__ = [
    "Answer",
    "CohortChanged",
    "Kohort",
    "KohortError",
    "NewEvent",
    "WebhookError",
    "WebhookTested",
    "verify_webhook",
]
