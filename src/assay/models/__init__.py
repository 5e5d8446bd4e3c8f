"""Calls to models: the client, its call cache, limits and retries, prices and API keys."""

from assay.models.address import (
    hashed,
    is_credential,
    masking_redactor,
    shown_url,
    url_secrets,
)
from assay.models.bill import amount_of, checked_usage, count_of, is_finite
from assay.models.cache import (
    CacheInfo,
    CallCache,
    cache_info,
    prune_cache,
    seal_cache,
    sealed_path,
)
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
from assay.models.meter import Meter, count_by, metering, metering_part
from assay.models.price import cost
from assay.models.refusal import chat_fault, error_inside
from assay.models.reply import Reply, decode_json
from assay.models.secret import Environment, Secret, scrub_secrets, variables_in
from assay.models.stopwatch import (
    Stopwatch,
    measure_by,
    not_working,
    stopwatch,
    take_out,
    work_ends,
    work_starts,
)
from assay.models.wire import Wire

__all__ = [
    "AdaptiveLimit",
    "Backoff",
    "CacheInfo",
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
    "amount_of",
    "cache_info",
    "chat_fault",
    "checked_usage",
    "classify",
    "cost",
    "count_by",
    "count_of",
    "current_deadline",
    "decode_json",
    "describe",
    "error_inside",
    "hashed",
    "is_credential",
    "is_finite",
    "is_hopeless",
    "masking_redactor",
    "measure_by",
    "metering",
    "metering_part",
    "not_working",
    "prune_cache",
    "scrub_secrets",
    "seal_cache",
    "sealed_path",
    "shown_url",
    "stopwatch",
    "take_out",
    "url_secrets",
    "variables_in",
    "waiting_in_line",
    "work_ends",
    "work_starts",
]
