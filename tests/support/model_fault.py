"""What a model server says, and every way it can be made to go wrong. No socket in here.

A ``Fault`` names one way; ``RandomFaults`` and ``rough_weather`` deal them out; ``chat_body``
and ``embedding_body`` make good responses, ``spoiled`` and ``refusal`` the bad ones.
"""

import hashlib
import json
import math
import random
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any, Literal, TypeAlias, get_args

from aiohttp import web

Body: TypeAlias = dict[str, Any]
RefusalKind: TypeAlias = Literal[
    "rate_limit", "rate_limit_date", "rate_limit_bare", "quota", "no_credit",
    "error_500", "error_502", "error_503", "error_529",
    "invalid_key", "invalid_key_echoed", "forbidden", "no_model", "context_too_long",
    "html_200", "html_502", "error_in_200",
]  # fmt: skip
WireKind: TypeAlias = Literal[
    "reset", "hang_up", "reset_midway", "reset_midway_chunked", "stall", "stall_midway", "slow",
    "truncated_json",
]  # fmt: skip
UsageKind: TypeAlias = Literal["no_usage", "usage_total_only", "usage_prompt_only"]
ChatKind: TypeAlias = Literal[
    "empty_choices", "null_content", "list_content", "reasoning", "finish_length"
]
EmbeddingKind: TypeAlias = Literal["shuffled", "wrong_dimension", "missing_one", "one_too_many"]
Kind: TypeAlias = RefusalKind | WireKind | UsageKind | ChatKind | EmbeddingKind

CHAT_ONLY: frozenset[str] = frozenset(get_args(ChatKind))
EMBEDDING_ONLY: frozenset[str] = frozenset(get_args(EmbeddingKind))
UNSTATED: frozenset[str] = frozenset(get_args(UsageKind))
REFUSALS: frozenset[str] = frozenset(get_args(RefusalKind))
KINDS: tuple[str, ...] = tuple(
    kind
    for group in (RefusalKind, WireKind, UsageKind, ChatKind, EmbeddingKind)
    for kind in get_args(group)
)
"""Every fault there is."""

_ERRORS: dict[str, tuple[int, str, str]] = {
    "rate_limit": (429, "rate_limit_exceeded", "Too many requests, slow down."),
    "rate_limit_date": (429, "rate_limit_exceeded", "Too many requests, slow down."),
    "rate_limit_bare": (429, "rate_limit_exceeded", "Too many requests, slow down."),
    "quota": (429, "insufficient_quota", "The quota of this account is used up."),
    "no_credit": (402, "insufficient_quota", "This account has no credit left."),
    "error_500": (500, "server_error", "Something broke in here."),
    "error_502": (502, "bad_gateway", "The model behind this gateway is gone."),
    "error_503": (503, "unavailable", "Closed for the moment."),
    "error_529": (529, "overloaded", "Too much to do."),
    "invalid_key": (401, "invalid_api_key", "This key is not known here."),
    "invalid_key_echoed": (401, "invalid_api_key", "This key is not known here: {key}"),
    "forbidden": (403, "forbidden", "This key may not use the model."),
    "no_model": (404, "model_not_found", "There is no model {model!r}."),
    "context_too_long": (400, "context_length_exceeded", "The context holds 8192 tokens only."),
    "error_in_200": (200, "server_error", "The model failed after the headers were out."),
}


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One way to go wrong. ``retry_after_s`` serves ``rate_limit…``, ``delay_s`` serves ``slow``."""

    kind: Kind
    retry_after_s: float = 1.0
    delay_s: float = 0.2

    def fits(self, body: Body) -> bool:
        """Whether the fault can befall this request: some are of chat or embeddings alone."""
        return self.kind not in (CHAT_ONLY if "input" in body else EMBEDDING_ONLY)


FaultSource: TypeAlias = Callable[[int, Body], Fault | None]
"""From a request's number, counted from 1, and its body to what goes wrong with it."""


class RandomFaults:
    """Faults drawn from ``(fault, probability)`` pairs, the same for a seed on every run.

    What befalls a request depends on the seed, its body and how often that body has come,
    never on the order in which concurrent requests arrive. ``at_most`` bounds the faults
    one body meets, so that a client with more tries than that must succeed.
    """

    def __init__(
        self, rates: Sequence[tuple[Fault, float]], *, seed: int = 0, at_most: int | None = None
    ) -> None:
        if not 0 <= sum(rate for _, rate in rates) <= 1 or any(rate < 0 for _, rate in rates):
            raise ValueError("the probabilities must lie between 0 and 1 and sum to at most 1")
        self._rates = tuple(rates)
        self._seed = seed
        self._at_most = math.inf if at_most is None else at_most
        self._asked: Counter[str] = Counter()
        self._met: Counter[str] = Counter()

    def __call__(self, number: int, body: Body) -> Fault | None:
        """What befalls this request; the number is not looked at."""
        key = body_key(body)
        self._asked[key] += 1
        draw = random.Random(f"{self._seed} {key} {self._asked[key]}").random()
        if self._met[key] >= self._at_most:
            return None
        for fault, rate in self._rates:
            if draw < rate:
                if not fault.fits(body):
                    return None
                self._met[key] += 1
                return fault
            draw -= rate
        return None


def rough_weather(
    seed: int = 0, *, retry_after_s: float = 1.0, at_most: int | None = None
) -> RandomFaults:
    """The standing mix: 5% 429 with Retry-After, 2% 500, 1% reset mid-body, 1% stalls."""
    rates = (
        (Fault(kind="rate_limit", retry_after_s=retry_after_s), 0.05),
        (Fault(kind="error_500"), 0.02),
        (Fault(kind="reset_midway"), 0.01),
        (Fault(kind="stall"), 0.01),
    )
    return RandomFaults(rates, seed=seed, at_most=at_most)


def body_key(body: Body) -> str:
    """Sixteen hex digits that stand for a request body, whatever the order of its keys."""
    canonical = json.dumps(body, sort_keys=True, ensure_ascii=False)
    return hashlib.blake2b(canonical.encode(), digest_size=8).hexdigest()


def token_count(text: str) -> int:
    """Tokens of a text as this server counts them: one for every four characters begun."""
    return -(-len(text) // 4)


def message_text(message: Body) -> str:
    """The text of a message whose content is a string, a list of parts, or null."""
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)


def unit_vector(text: str, dimensions: int) -> list[float]:
    """A vector of length 1 that depends on the text alone; fewer dimensions are its head."""
    draw = random.Random(f"vector {text}")
    head = [draw.gauss(0.0, 1.0) for _ in range(dimensions)]
    norm = math.sqrt(math.fsum(value * value for value in head))
    return [value / norm for value in head]


def plain_answer(body: Body) -> str:
    """The answer given where a test gives none: it names the messages' hash."""
    return f"Answer {body_key({'messages': body.get('messages')})}."


def chat_body(body: Body, given: str | Body) -> Body:
    """A chat completion holding a text, or the usual one overlaid with the keys given."""
    text = given if isinstance(given, str) else plain_answer(body)
    prompt = sum(token_count(message_text(message)) for message in body["messages"])
    completion = token_count(text)
    message = {"role": "assistant", "content": text}
    whole = {
        "id": f"chatcmpl-{body_key(body)}",
        "object": "chat.completion",
        "created": 0,
        "model": body.get("model", ""),
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "total_tokens": prompt + completion,
        },
    }
    return whole if isinstance(given, str) else {**whole, **given}


def embedding_body(body: Body, dimensions: int) -> Body:
    """An embedding response for one text or a list of them."""
    given = body["input"]
    texts = [given] if isinstance(given, str) else given
    size = body.get("dimensions", dimensions)
    tokens = sum(token_count(text) for text in texts)
    return {
        "object": "list",
        "model": body.get("model", ""),
        "data": [
            {"object": "embedding", "index": index, "embedding": unit_vector(text, size)}
            for index, text in enumerate(texts)
        ],
        "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
    }


def spoiled(kind: str, whole: Body) -> Body:
    """A good response body made into the bad one a fault asks for; others are left alone."""
    usage = whole.get("usage", {})
    match kind:
        case "no_usage":
            return {key: value for key, value in whole.items() if key != "usage"}
        case "usage_total_only":
            return {**whole, "usage": {"total_tokens": usage["total_tokens"]}}
        case "usage_prompt_only":
            return {**whole, "usage": {"prompt_tokens": usage["prompt_tokens"]}}
    if kind in CHAT_ONLY:
        return {**whole, "choices": _spoiled_choices(kind, whole["choices"])}
    if kind in EMBEDDING_ONLY:
        return {**whole, "data": _spoiled_data(kind, whole["data"])}
    return whole


def _spoiled_choices(kind: str, choices: list[Body]) -> list[Body]:
    choice = choices[0]
    text = message_text(choice["message"])
    changed: dict[str, Body] = {
        "null_content": {"content": None},
        "list_content": {"content": [{"type": "text", "text": text}]},
        "reasoning": {"reasoning_content": "Thinking it over first."},
    }
    if kind == "empty_choices":
        return []
    if kind == "finish_length":
        return [{**choice, "finish_reason": "length"}]
    return [{**choice, "message": {**choice["message"], **changed[kind]}}]


def _spoiled_data(kind: str, data: list[Body]) -> list[Body]:
    *head, last = data
    match kind:
        case "shuffled":
            return data[::-1]
        case "missing_one":
            return data[1:]
        case "one_too_many":
            return [*data, {**last, "index": len(data)}]
    return [*head, {**last, "embedding": last["embedding"][:-1]}]


def refusal(fault: Fault, body: Body, authorization: str | None) -> web.Response:
    """The error response a refusing fault sends."""
    if fault.kind in {"html_200", "html_502"}:
        page = "<!DOCTYPE html><html><body><h1>Sorry</h1><p>Back soon.</p></body></html>"
        return web.Response(text=page, status=int(fault.kind[5:]), content_type="text/html")
    status, code, message = _ERRORS[fault.kind]
    key = (authorization or "").removeprefix("Bearer ")
    text = message.format(key=key, model=body.get("model", ""))
    headers = {}
    if fault.kind == "rate_limit":
        headers["Retry-After"] = f"{fault.retry_after_s:g}"
    elif fault.kind == "rate_limit_date":
        # Such a date has whole seconds: rounding up never shortens the wait asked for.
        due = datetime.now(UTC) + timedelta(seconds=math.ceil(fault.retry_after_s) + 1)
        headers["Retry-After"] = format_datetime(due.replace(microsecond=0), usegmt=True)
    return error_response(status, code, text, headers=headers)


def error_response(
    status: int, code: str, message: str, *, headers: Mapping[str, str] | None = None
) -> web.Response:
    """An error object in the shape all these servers use."""
    error = {"message": message, "type": code, "param": None, "code": code}
    return web.json_response({"error": error}, status=status, headers=headers)


def kind_of(fault: Fault | None) -> str:
    """The fault's kind, empty where there is none."""
    return "" if fault is None else fault.kind


def in_order(faults: Iterable[Fault | None]) -> FaultSource:
    """Faults used up as requests arrive; then nothing goes wrong."""
    queue = deque(faults)
    return lambda _number, _body: queue.popleft() if queue else None
