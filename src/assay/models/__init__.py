"""Calls to models: the client, its call cache, limits and retries, prices and API keys."""

from assay.models.cache import CallCache, cache_info, prune_cache
from assay.models.client import ModelClient, OpensConnections
from assay.models.foreign_error import classify, describe
from assay.models.limit import (
    AdaptiveLimit,
    Backoff,
    CircuitBreaker,
    Deadline,
    current_deadline,
    is_hopeless,
    waiting_in_line,
)
from assay.models.meter import Meter, metering, metering_part
from assay.models.price import cost
from assay.models.reply import Reply
from assay.models.secret import Environment, Secret, scrub_secrets
from assay.models.stopwatch import Stopwatch, not_working, stopwatch, work_ends, work_starts
from assay.models.wire import Wire

__all__ = [
    "AdaptiveLimit",
    "Backoff",
    "CallCache",
    "CircuitBreaker",
    "Deadline",
    "Environment",
    "Meter",
    "ModelClient",
    "OpensConnections",
    "Reply",
    "Secret",
    "Stopwatch",
    "Wire",
    "cache_info",
    "classify",
    "cost",
    "current_deadline",
    "describe",
    "is_hopeless",
    "metering",
    "metering_part",
    "not_working",
    "prune_cache",
    "scrub_secrets",
    "stopwatch",
    "waiting_in_line",
    "work_ends",
    "work_starts",
]
