"""How each case of the depth job is asked, scored and recorded.

A context is built when its case is asked, and it is not stored: contexts are large. The latency
of a case does not include the time for building its context.
"""

import asyncio
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib.resources import files
from typing import Any, Final, get_args

from msgspec import UNSET, Struct
from msgspec.structs import replace

from assay.errors import CaseSkipped
from assay.jobs.depth.context import build_context, forbidden_phrases
from assay.jobs.depth.novel import TokenizedNovel
from assay.jobs.depth.plan import DepthLayout, Slot, depth_label, evidence_span, nearest_depth
from assay.jobs.depth.question import NovelQuestion
from assay.jobs.depth.question_row import QuestionType
from assay.jobs.depth.score import score_answer
from assay.jobs.depth.spec import DepthTestRow
from assay.mask import keyed_digest
from assay.records import (
    Answer,
    Answered,
    Case,
    Failed,
    Outcome,
    Prompt,
    Question,
    Score,
    Scored,
    Variant,
    digest,
    was_cut,
)
from assay.runs.handler import SystemHandler
from assay.runs.row import Row
from assay.systems.protocol import System
from assay.text.language import Language
from assay.text.language import language as detect_language
from assay.words.message import message

# The prompt for a model: the context and the question, in the question's language.
#
# The wording is in files beside this module: ``text`` (with a context) and ``closed`` (without a
# context) are the frames, and ``single_choice``, ``multiple_choice`` and ``open`` say what form the
# answer must have. The context is enclosed in a mark that is computed from its content, so that no
# text of a novel can end it. Prompts about the same context begin with the same text, so that
# providers that cache prompts charge less for it.

_FRAMES: Final = ("text", "closed")
_SLOT: Final = re.compile(r"\{\{(\w+)\}\}")


def prompt_text(question: NovelQuestion, context: str | None) -> str:
    """The prompt for a question about ``context``; None asks the model to answer from memory."""
    language = detect_language(question.text)
    slots = {
        "question": question.text.strip(),
        "choices": "".join(f"{letter}. {text}\n" for letter, text in question.choices.items()),
        "task": _read_wording(question.question_type, language),
    }
    if context is not None:
        mark = keyed_digest(context.encode(errors="replace"))
        slots |= {"context": context, "fence": f"text-{mark}"}
    frame = _read_wording("text" if context is not None else "closed", language)
    # in one pass, so that a slot inside the novel is not replaced
    return _SLOT.sub(lambda match: slots[match[1]], frame)


@cache
def prompts_hash() -> str:
    """A hash of all wordings together."""
    names = (*_FRAMES, *get_args(QuestionType))
    return digest(
        [_read_wording(name, language) for language in get_args(Language) for name in names]
    )


@cache
def _read_wording(name: str, language: Language) -> str:
    path = files("assay.jobs.depth") / "prompts" / language / f"{name}.txt"
    return path.read_text(encoding="utf-8").strip()


JOB: Final = "depth"

CUT_BELOW: Final = 0.7
"""A prompt was cut if the provider counts less than this share of its tokens."""
CUT_BELOW_SAME: Final = 0.95
"""The same share if the provider uses the tokenizer of the run."""

_O200K: Final = re.compile(
    r"(?:\A|/)(?:gpt-4o|gpt-4\.1|gpt-4\.5|gpt-5|gpt-oss|chatgpt-4o|o[1-9])\b"
)


class BuiltContext(Struct, frozen=True, kw_only=True):
    """A prompt, the number of its tokens, and the fields of its row about the context."""

    prompt: str
    tokens: int
    facts: Mapping[str, Any]


class DepthHandler(SystemHandler):
    """Builds the context, asks the system, and scores the reply.

    ``known`` says for each question id whether the system answered it correctly without the
    novel. ``positions`` is the novel in the tokens of positions, if they are not those of the run.
    The prompt of ``first`` is built once before any question is asked, so that no case
    has to wait for the data that all prompts need.
    """

    job = JOB

    def __init__(
        self,
        system: System,
        novel: TokenizedNovel,
        layout: DepthLayout,
        known: Mapping[str, bool] | None = None,
        *,
        first: Slot | None = None,
        positions: TokenizedNovel | None = None,
    ) -> None:
        super().__init__(system)
        self._positions = positions or novel
        self._first = first
        self._novel = novel
        self._layout = layout
        self._known = known or {}
        self._cut_below = cut_below(system, novel.tokenizer.name)

    async def prepare(self) -> None:
        """Prepare the system, and index the novel for building contexts, which takes seconds."""
        await super().prepare()
        if self._first is not None:
            # in a thread, so that Ctrl+C works meanwhile
            await asyncio.to_thread(self._index_novel, self._first)

    async def warm_up(self, variants: Sequence[Variant], concurrency: int) -> None:
        """Warm the system up; the settings of the variants are those of the context."""
        await super().warm_up([Variant(name="depth")], concurrency)

    def _index_novel(self, slot: Slot) -> None:
        with suppress(CaseSkipped):
            self.build_prompt(slot)

    def compose(self, case: Case) -> Prompt:
        """Build the prompt."""
        built = self.build_prompt(case.placement["slot"])
        question = Question(id=case.question.id, text=built.prompt, source=case.question.source)
        facts = {**built.facts, "prompt_tokens_expected": built.tokens}
        return Prompt(question=question, facts=facts)

    async def ask(self, case: Case, prompt: Prompt) -> Answer:
        """Ask the system; the settings of the variant are those of the context."""
        return await self.system.ask(prompt.question, {}, case.top_k)

    def build_prompt(self, slot: Slot) -> BuiltContext:
        """Build the prompt of a slot.

        Raises:
            CaseSkipped: The question cannot be asked at this length and depth.
        """
        if slot.reason is not None:
            raise CaseSkipped(slot.reason)
        text, tokens, facts = self._build_context(slot)
        prompt = prompt_text(slot.question, text)
        frame_tokens = self._novel.tokenizer.count(
            prompt_text(slot.question, None if text is None else "")
        )
        return BuiltContext(prompt=prompt, tokens=tokens + frame_tokens, facts=facts)

    def _build_context(self, slot: Slot) -> tuple[str | None, int, dict[str, Any]]:
        """The text, its tokens and the fields of the row; the text is ``None`` without a novel."""
        if not slot.length:
            return None, 0, {}
        novel, question = self._novel, slot.question
        span = evidence_span(question, novel, self._layout)
        if span is None or slot.depth is None:
            raise CaseSkipped(question.note or message("its evidence is not in the novel"))
        if self._layout.mode == "legacy":
            return novel.head(slot.length), slot.length, {"context_tokens": slot.length}
        context = build_context(
            novel,
            span,
            target_tokens=slot.length,
            depth=slot.depth,
            forbidden=forbidden_phrases(question, novel),
        )
        facts = {
            "depth": round(context.actual_depth, 6),
            "context_tokens": context.tokens,
            "evidence_start_token": context.evidence_start_token,
            "evidence_tokens": context.evidence_tokens,
            "in_place": context.in_place,
        }
        return context.text, context.tokens, facts

    def score(self, case: Case, answer: Answer, verdict: object) -> Mapping[str, Score]:
        """The scores of ``assay.jobs.depth``, and whether prompt or reply were cut."""
        question = _novel_question(case)
        return {
            **score_answer(question.question_type, question.choices, question.answers, answer.text),
            "truncated": self._is_truncated(answer),
        }

    def _is_truncated(self, answer: Answer) -> bool | None:
        """Whether the answer or the prompt was cut; ``None`` if the system does not say."""
        if was_cut(answer.finish_reason):
            return True
        usage = answer.usage
        is_counted = usage is not None and usage.calls == 1 and not usage.unmetered_calls
        if usage is not None and is_counted and usage.prompt_tokens:
            expected: int = answer.facts["prompt_tokens_expected"]
            return usage.prompt_tokens < self._cut_below * expected
        return None if answer.finish_reason is None else False

    def judge_row(self, case: Case, row: Mapping[str, Any], verdict: object) -> Mapping[str, Any]:
        """The scores by the correct answers of today.

        They include whether the question was answered without the novel, which may be known only
        now.
        """
        question = _novel_question(case)
        current: dict[str, Any] = {"correct_answer": list(question.answers)}
        if question.question_type == "open":
            current["expected_answer"] = list(question.answers)
        known = self._known.get(case.question.id)
        if known is not None:
            current["closed_book_correct"] = known
        return {**current, **rescore_row({**row, **current})}

    def row(self, case: Case, outcome: Outcome) -> DepthTestRow:
        """The fields of the published format, and the fields about the context."""
        question, slot = _novel_question(case), case.placement["slot"]
        is_closed = not slot.length
        row = DepthTestRow(
            question_id=question.id,
            source=question.source,
            config=case.variant.name,
            question=question.text,
            question_type=question.question_type,
            choice=question.choices,
            correct_answer=question.answers,
            expected_answer=question.answers if question.question_type == "open" else UNSET,
            position=self._position(question),
            depth=slot.depth,
            depth_bin=self._depth_bin(slot),
            test_context_length=slot.length,
            context_length=slot.length,
            closed_book=True if is_closed else UNSET,
            closed_book_correct=UNSET if is_closed else self._known.get(question.id, UNSET),
            note=question.note or UNSET,
        )
        if isinstance(outcome, Failed):
            return replace(row, **outcome.facts)
        if isinstance(outcome, Scored | Answered):
            row = replace(row, **outcome.answer.facts)
        if isinstance(outcome, Scored):
            scores: dict[str, Any] = {**outcome.scores}
            row = replace(row, answer=outcome.answer.text, **scores)
        return row

    def _depth_bin(self, slot: Slot) -> str | None:
        if slot.depth is None:
            return None
        # in legacy mode the depth is measured, not chosen, so it is between two bins
        is_measured = self._layout.mode == "legacy"
        return depth_label(nearest_depth(slot.depth) if is_measured else slot.depth)

    def _position(self, question: NovelQuestion) -> dict[str, int] | None:
        """The position of the evidence in tokens of the novel; ``None`` if it is not known.

        It is the position in the question file or, if the evidence was located in another way,
        that of the located evidence, counted by the tokenizer of the positions.
        """
        stated = question.position
        if stated is not None and (question.located == "position" or question.evidence is None):
            return {"start_pos": stated.start_pos, "end_pos": stated.end_pos}
        span, novel = question.evidence, self._positions
        if span is None:
            return None
        return {
            "start_pos": novel.tokens_before(span.start),
            "end_pos": novel.tokens_before(span.end),
        }

    def where(self, row: Row) -> str:
        """The length and the depth of the context."""
        assert isinstance(row, DepthTestRow)
        return f"length={row.test_context_length} depth={row.depth_bin or '–'}"

    def result(self, row: Row) -> str:
        """The score, how the reply was read, whether it was cut, and the latency."""
        assert isinstance(row, DepthTestRow)
        cut = " truncated" if row.truncated else ""
        return f"score={row.score:.3g} parsing={row.parsing_status}{cut} {row.elapsed_text}"


def cut_below(system: System, tokenizer: str) -> float:
    """The share of a prompt's tokens: if the provider counts fewer, the prompt was cut.

    Two tokenizers may differ by a quarter on the same text, so the share is low. It is high if
    provider and run use the same tokenizer: the user's ``tokenizer.json``, or ``o200k`` with a
    model that is known to use it.
    """
    system_tokenizer = getattr(system, "tokenizer_name", None)
    config = getattr(system, "model_config", None)
    if system_tokenizer is None and config is not None and _O200K.search(config.model):
        system_tokenizer = "o200k"
    if system_tokenizer is None:
        is_same = tokenizer.startswith("hf:")
    else:
        is_same = system_tokenizer == tokenizer
    return CUT_BELOW_SAME if is_same else CUT_BELOW


def _novel_question(case: Case) -> NovelQuestion:
    assert isinstance(case.question, NovelQuestion)
    return case.question


def rescore_row(row: Mapping[str, Any]) -> Mapping[str, Score]:
    """The scores of a recorded answer by the current rules; ``truncated`` is not changed."""
    question_type, correct, answer = row["question_type"], row["correct_answer"], row["answer"]
    for value, kind in ((question_type, str), (answer, str), (correct, str | list)):
        if not isinstance(value, kind):  # scored, it would only be another wrong answer
            raise TypeError(f"{type(value).__name__} in place of text")
    return score_answer(question_type, row.get("choice") or {}, correct, answer)
