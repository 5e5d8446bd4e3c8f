"""Calls to models: the client, its call cache, limits and retries, prices and API keys."""

from typing import TYPE_CHECKING

from assay.registry import lazy_door

if TYPE_CHECKING:
    from assay.models.address import (
        hashed,
        hidden_parameters,
        is_credential,
        key_problem,
        masking_redactor,
        shown_url,
        url_secrets,
    )
    from assay.models.bill import amount_of, checked_usage, count_of, is_finite
    from assay.models.cache import CallCache
    from assay.models.cache_file import CacheInfo, cache_info, prune_cache, seal_cache, sealed_path
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
    from assay.models.query_secret import is_formed_secret, is_named_secret
    from assay.models.refusal import chat_fault, error_inside
    from assay.models.reply import Reply, decode_json
    from assay.models.secret import Environment, Secret, scrub_secrets, variables_in
    from assay.models.wire import Wire
    from assay.models.work_time import (
        Stopwatch,
        measure_by,
        not_working,
        stopwatch,
        take_out,
        work_ends,
        work_starts,
    )
else:
    __getattr__ = lazy_door(
        __name__,
        {
            "AdaptiveLimit": "limit",
            "Backoff": "limit",
            "CacheInfo": "cache_file",
            "CallCache": "cache",
            "CircuitBreaker": "limit",
            "Deadline": "limit",
            "Environment": "secret",
            "Meter": "meter",
            "ModelClient": "client",
            "OpensConnections": "client",
            "Reply": "reply",
            "Secret": "secret",
            "Stopwatch": "work_time",
            "Wire": "wire",
            "amount_of": "bill",
            "cache_info": "cache_file",
            "chat_fault": "refusal",
            "checked_usage": "bill",
            "classify": "foreign_error",
            "cost": "price",
            "count_by": "meter",
            "count_of": "bill",
            "current_deadline": "limit",
            "decode_json": "reply",
            "describe": "foreign_error",
            "error_inside": "refusal",
            "hashed": "address",
            "hidden_parameters": "address",
            "is_credential": "address",
            "key_problem": "address",
            "is_finite": "bill",
            "is_formed_secret": "query_secret",
            "is_hopeless": "limit",
            "is_named_secret": "query_secret",
            "masking_redactor": "address",
            "measure_by": "work_time",
            "metering": "meter",
            "metering_part": "meter",
            "not_working": "work_time",
            "prune_cache": "cache_file",
            "scrub_secrets": "secret",
            "seal_cache": "cache_file",
            "sealed_path": "cache_file",
            "shown_url": "address",
            "stopwatch": "work_time",
            "take_out": "work_time",
            "url_secrets": "address",
            "variables_in": "secret",
            "waiting_in_line": "limit",
            "work_ends": "work_time",
            "work_starts": "work_time",
        },
    )

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
    "hidden_parameters",
    "is_credential",
    "is_finite",
    "is_formed_secret",
    "is_hopeless",
    "is_named_secret",
    "key_problem",
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
