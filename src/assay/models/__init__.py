"""Calls to models: pacing and retries now; the client, its cache and prices beside them."""

from assay.models.limit import AdaptiveLimit
from assay.models.limit import Backoff
from assay.models.cache import CallCache
from assay.models.limit import CircuitBreaker
from assay.models.limit import Deadline
from assay.models.secret import Environment
from assay.models.meter import Meter
from assay.models.client import ModelClient
from assay.models.reply import Reply
from assay.models.secret import Secret
from assay.models.wire import Wire
from assay.models.cache import cache_info
from assay.models.price import cost
from assay.models.limit import current_deadline
from assay.models.limit import is_hopeless
from assay.models.meter import metering
from assay.models.meter import metering_part
from assay.models.cache import prune_cache
from assay.models.secret import scrub_secrets
from assay.models.limit import waiting_in_line

__all__ = [
    "AdaptiveLimit",
    "Backoff",
    "CallCache",
    "CircuitBreaker",
    "Deadline",
    "Environment",
    "Meter",
    "ModelClient",
    "Reply",
    "Secret",
    "Wire",
    "cache_info",
    "cost",
    "current_deadline",
    "is_hopeless",
    "metering",
    "metering_part",
    "prune_cache",
    "scrub_secrets",
    "waiting_in_line",
]
