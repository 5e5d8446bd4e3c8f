"""Asking a model for drafts. Every reply is stored as soon as it exists and is never asked for twice.

If fewer drafts hold than are wanted, further passages are asked about, at most as many again.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from assay.config import RunSettings
from assay.data.corpus import Chunk
from assay.errors import RunStopped
from assay.jobs.draft.draft import Draft
from assay.jobs.draft.kind import Wanted
from assay.jobs.draft.pool import DraftPool
from assay.jobs.draft.prompted.reply import Dropped, read_draft
from assay.jobs.draft.prompted.request import Request, prompt_digest, requests
from assay.jobs.draft.selection import Selection, select
from assay.journal import VerdictStore, locked_journal
from assay.models import AdaptiveLimit, Backoff, ModelClient, cost
from assay.records import Answer, Case, Question, Variant
from assay.runner import (
    AsyncioExecutor,
    Budget,
    Judgement,
    Stop,
    VerdictAsker,
    interruptible,
    run_in_loop,
)
from assay.text.tokenizer import load_tokenizer

USUAL_REPLY_TOKENS: Final = 120
"""The length of a reply, for the estimate, if the configuration does not say."""
_ROUNDS: Final = 2


class PromptedDrafts(Struct, kw_only=True):
    """How drafting with a model went.

    ``dropped`` counts the replies that are no drafts by the reason, ``failed`` the requests
    without a reply, of which ``problem`` is the first. ``paid`` is what all requests have cost, failed
    ones and those of earlier commands too.
    """

    selection: Selection = Selection(drafts=(), left_out={})
    asked: int = 0
    stored: int = 0
    failed: int = 0
    problem: str = ""
    dropped: dict[str, int] = msgspec.field(default_factory=dict)
    paid: float | None = None
    stopped: RunStopped | None = None


class DraftEstimate(Struct, frozen=True, kw_only=True):
    """Calls, tokens and cost of a first round; ``cost`` is None if no price is known."""

    calls: int
    stored: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None


def estimate_drafts(
    store: Path,
    chunks: Sequence[Chunk],
    client: ModelClient,
    wanted: Wanted,
) -> DraftEstimate:
    """What a first round would take; nothing is asked."""
    first = list(islice(requests(chunks, wanted.kinds, wanted.seed), wanted.count))
    with VerdictStore(store) as replies:
        pending = [each for each in first if not replies.find(each.key, _ANSWER, _identity(client))]
    tokenizer = load_tokenizer("o200k_base")
    prompt = sum(
        tokenizer.count(message["content"]) for each in pending for message in each.messages
    )
    averages = client.config.averages
    reply = (averages.completion_tokens if averages else 0) or USUAL_REPLY_TOKENS
    completion = round(reply * len(pending))
    return DraftEstimate(
        calls=len(pending),
        stored=len(first) - len(pending),
        prompt_tokens=prompt,
        completion_tokens=completion,
        cost=cost(client.config.price, prompt, completion),
    )


def draft_by_model(
    store: Path,
    chunks: Sequence[Chunk],
    client: ModelClient,
    wanted: Wanted,
    *,
    settings: RunSettings,
    backoff: Backoff | None = None,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> PromptedDrafts:
    """Draft questions with a model. Replies are kept in ``NAME.verdicts.jsonl`` beside ``store``."""
    store.parent.mkdir(parents=True, exist_ok=True)
    with locked_journal(store), VerdictStore(store) as replies:
        work = _Work(client, replies, settings, backoff or Backoff(), wanted.count, progress)
        run_in_loop(work.go(requests(chunks, wanted.kinds, wanted.seed)))
    pool = DraftPool(wanted.count, wanted.seed)
    pool.add(work.drafts)
    result = work.result
    result.dropped = dict(work.dropped)
    result.selection = select(pool, wanted.count, wanted.kinds, one_of_a_sentence=False)
    return result


_ANSWER: Final = Answer(text="")
"""A reply is kept by its request; there is no answer that it is about."""


def _identity(client: ModelClient) -> str:
    return f"draft {prompt_digest()} {client.identity}"


class _Writer:
    """The model as the runner asks it: by case."""

    def __init__(self, client: ModelClient, pending: dict[str, Request]) -> None:
        self._client = client
        self._pending = pending

    @property
    def judge_identity(self) -> str | None:
        return _identity(self._client)

    async def judge(self, case: Case, answer: Answer) -> Any:
        reply = await self._client.chat(self._pending[case.key].messages)
        return {"reply": reply.text}


class _Work:
    """The asking itself, on an event loop, in rounds."""

    def __init__(
        self,
        client: ModelClient,
        replies: VerdictStore,
        settings: RunSettings,
        backoff: Backoff,
        count: int,
        progress: Callable[[int, int], None],
    ) -> None:
        self.result = PromptedDrafts(paid=replies.paid(_identity(client)))
        self._budget = Budget(
            settings.max_cost,
            "the drafts have",
            paid=self.result.paid,
            included="earlier replies",
        )
        self.drafts: list[Draft] = []
        self.dropped: Counter[str] = Counter()
        self._client = client
        self._replies = replies
        self._settings = settings
        self._backoff = backoff
        self._count = count
        self._progress = progress
        self._pending: dict[str, Request] = {}

    async def go(self, planned: Iterator[Request]) -> None:
        """Ask until there are enough drafts, or until a stop, or twice as often as is wanted."""
        stop = Stop()
        limit = AdaptiveLimit(self._settings.concurrency)
        writer = _Writer(self._client, self._pending)
        asker = VerdictAsker(
            writer,
            self._replies,
            self._settings,
            self._backoff,
            stop,
            limit,
            keeps_failures=True,
        )
        try:
            with interruptible(stop.request):
                for _ in range(_ROUNDS):
                    missing = self._count - len(self.drafts)
                    round_of = list(islice(planned, missing)) if missing > 0 else []
                    if not round_of or stop.requested():
                        break
                    await self._round(round_of, asker, limit, stop)
        finally:
            await self._client.close()
        self._budget.settle()
        self.result.paid = self._budget.paid
        self.result.stopped = stop.reason

    async def _round(
        self, asked: list[Request], asker: VerdictAsker, limit: AdaptiveLimit, stop: Stop
    ) -> None:
        fresh = {each.key: each for each in asked}
        self._pending.update(fresh)
        replies: dict[str, str] = {}

        async def perform(case: Case) -> None:
            known = self._replies.find(case.key, _ANSWER, _identity(self._client)) is not None
            judgement = await (
                asker.verdict(case, _ANSWER, ()) if known else self._buy(case, asker, stop)
            )
            if judgement is None:
                return
            if judgement.problem is not None:
                self.result.failed += 1
                self.result.problem = self.result.problem or judgement.problem
                return
            self.result.stored += known
            self.result.asked += not known
            said = judgement.verdict
            replies[case.key] = str(said.get("reply", "")) if isinstance(said, dict) else ""
            self._progress(self.result.stored + self.result.asked, self._count)

        self._budget.check(stop)
        cases = (_case(key, each) for key, each in fresh.items())
        await AsyncioExecutor(limit).execute(cases, perform, stop)
        for key, request in fresh.items():  # in the order of the plan, whoever replied first
            if key in replies:
                self._read(replies[key], request)

    async def _buy(self, case: Case, asker: VerdictAsker, stop: Stop) -> Judgement | None:
        """A new reply; ``None`` if the limit does not allow for it."""
        if not await self._budget.begin(stop):
            return None
        try:
            judgement = await asker.verdict(case, _ANSWER, ())
            self._budget.charge(judgement.bill, stop)
        finally:
            self._budget.end()
        return judgement

    def _read(self, reply: str, request: Request) -> None:
        try:
            self.drafts.append(read_draft(reply, request, self._client.config.model))
        except Dropped as reason:
            self.dropped[str(reason)] += 1


def _case(key: str, request: Request) -> Case:
    return Case(
        key=key,
        question=Question(id=key, text=request.kind),
        variant=Variant(name=request.kind),
        fingerprint="",
    )
