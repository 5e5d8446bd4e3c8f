"""The reference contract reviewer: rules, laws and, if one is configured, a model.

Offline it is a rule engine: it quotes the sentence that matched a rule, cites the rule's laws
with the text of their articles, and gives the rule's suggestion. With a model, the rules that
matched and the articles become part of the prompt, and the model writes the review. Without rules
it looks for a few words that often stand near a risk: the rules and laws of the sample are used
only if they are named.
"""

import re
import time
from collections.abc import Mapping, Sequence
from functools import cache, reduce
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from assay.config.system import ReviewerConfig
from assay.errors import SystemLoadError, UseError
from assay.jobs.contract.law import LawArticle, LawBook, read_law_book, with_text
from assay.jobs.contract.level import Level, heading, level_word
from assay.jobs.contract.risk import Risk, join_lines, review_markdown
from assay.jobs.contract.rule import (
    Rule,
    RuleBook,
    Trigger,
    distinct_rules,
    folded_text,
    negated,
    read_rules,
    triggers,
)
from assay.mask import keyed_digest
from assay.models.client import ModelClient
from assay.models.reply import ChatReply
from assay.records import Answer, Question, Stage, digest
from assay.registry import nearest
from assay.systems.load import SystemContext, model_client
from assay.systems.protocol import Setting
from assay.text.language import Language
from assay.text.language import language as detect_language
from assay.text.lexicon import expressions
from assay.text.thought import without_thoughts
from assay.words.message import Message, message_n

# What the reviewer uses if rules are switched off: a few words that often indicate a risk.

_LANGUAGES: Final[tuple[Language, ...]] = ("zh", "ru", "en")
NAME: Final[Mapping[Language, str]] = {
    "zh": "可疑表述",
    "ru": "Подозрительная формулировка",
    "en": "Suspicious wording",
}
SUGGESTION: Final[Mapping[Language, str]] = {
    "zh": "请人工复核该表述，必要时与对方协商修改。",
    "ru": "Проверить формулировку и при необходимости согласовать правку.",
    "en": "Have the wording checked and negotiate a change where needed.",
}


@cache
def lexicon() -> tuple[Rule, ...]:
    """The words as two rules, one for high and one for medium risk."""
    return tuple(
        Rule(
            risk_id=f"words-{level}",
            level=level,
            name=NAME,
            patterns={
                language: tuple(
                    re.compile(folded_text(word), re.IGNORECASE)
                    for word in expressions(f"review.suspicious.{level}", language)
                )
                for language in _LANGUAGES
            },
            laws=dict.fromkeys(_LANGUAGES, ()),
            suggestion=SUGGESTION,
        )
        for level in ("high", "medium")
    )


# The replies of the offline reviewer, in each language and each style.

Style: TypeAlias = Literal["raw", "basic", "guided"]

_ANALYSIS: Final[Mapping[Language, str]] = {
    "zh": "条款中出现“{words}”，可能对一方不利。",
    "ru": "В условии сказано «{words}», что может быть невыгодно одной из сторон.",
    "en": "The clause says “{words}”, which may burden one of the parties.",
}
_NO_RISK: Final[Mapping[Language, Risk]] = {
    "zh": Risk(
        title="未见风险", level="low", analysis="没有发现不利的约定。", suggestion="无需修改。"
    ),
    "ru": Risk(
        title="Риск не обнаружен",
        level="low",
        analysis="Невыгодных условий не найдено.",
        suggestion="Изменения не нужны.",
    ),
    "en": Risk(
        title="No risk seen",
        level="low",
        analysis="Nothing one-sided was found.",
        suggestion="No change is needed.",
    ),
}
_PROSE: Final[Mapping[Language, tuple[str, str]]] = {
    "zh": ("{title}：{analysis}", "看来没有什么问题，条款可以照用。"),
    "ru": ("{title}. {analysis}", "Замечаний нет, условие можно оставить."),
    "en": ("{title}. {analysis}", "This looks fine to me; the clause can stay as it is."),
}


def analysis_of(words: str, language: Language) -> str:
    """A sentence that says why a clause with these words is a risk."""
    return _ANALYSIS[language].format(words=words)


def written_review(risks: Sequence[Risk], style: Style, language: Language) -> str:
    """The reply for these risks, which are ordered from the most serious, in the given style.

    ``guided``: one block for each risk. ``basic``: one block for the most serious risk. ``raw``:
    a sentence of prose and a level if there is a risk; only prose, without a level, if there is
    none, as a reviewer without instructions would write.
    """
    if style == "raw":
        return _raw(risks, language)
    blocks = list(risks) or [_NO_RISK[language]]
    return review_markdown(blocks if style == "guided" else blocks[:1], language)


def _raw(risks: Sequence[Risk], language: Language) -> str:
    with_risk, without_risk = _PROSE[language]
    if not risks:
        return without_risk
    most_serious = risks[0]
    prose = with_risk.format(title=most_serious.title, analysis=most_serious.analysis)
    if most_serious.level is None:
        return prose
    level = level_word(most_serious.level, language)
    colon = "：" if language == "zh" else ": "
    return f"{prose}\n{heading('level', language)}{colon}{level}"


# The reviewer that asks a chat model. Its prompts are in files beside this module.
#
# In ``prompts/{zh,ru,en}/{raw,basic,guided,reflect}.md`` the text above the line ``---`` is the
# system message, and the text below it is the user message. The clause is enclosed in a mark that
# is computed from its content, and the prompt says that the enclosed text is data, not an
# instruction.

ROLES: Final = ("raw", "basic", "guided", "reflect", "rules", "laws")

_SLOT: Final = re.compile(r"\{\{(\w+)\}\}")


class PromptedReviewer:
    """Asks a chat model for a review and, on request, to check that review."""

    def __init__(self, client: ModelClient) -> None:
        self.client = client

    @property
    def identity(self) -> str:
        """The model's identity and a hash of all prompts."""
        return f"prompted {self.client.identity} prompts={prompts_hash()}"

    async def review(
        self,
        clause: str,
        language: Language,
        style: Style,
        *,
        rules: Sequence[Rule] = (),
        articles: Sequence[LawArticle] = (),
        reflect: bool = False,
    ) -> ChatReply:
        """Ask for a review; with ``reflect``, ask the model to check it and return the result."""
        hints = {
            "rules": _hint("rules", language, [_rule_line(rule, language) for rule in rules]),
            "laws": _hint(
                "laws", language, [f"{article.citation}: {article.text}" for article in articles]
            ),
        }
        draft = await self._ask(style, language, clause, hints)
        if not reflect:
            return draft
        return await self._ask("reflect", language, clause, {**hints, "draft": reply_text(draft)})

    async def _ask(
        self, role: str, language: Language, clause: str, slots: Mapping[str, str]
    ) -> ChatReply:
        content = "\0".join((clause, *slots.values()))
        mark = keyed_digest(content.encode())
        values = {**slots, "clause": clause, "fence": f"data-{mark}"}
        system, user = (_fill(part, values) for part in prompt(role, language))
        return await self.client.chat(
            [{"role": "system", "content": system}, {"role": "user", "content": user}]
        )

    async def open_connections(self, count: int) -> None:
        """Open up to ``count`` of the client's connections; nothing is sent."""
        await self.client.open_connections(count)

    async def close(self) -> None:
        """Close the client's connections."""
        await self.client.close()


def reply_text(reply: ChatReply) -> str:
    """The text of a model's reply without its thoughts."""
    return without_thoughts(reply.text).strip()


@cache
def prompt(role: str, language: Language) -> tuple[str, str]:
    """The system message and the user message of a prompt, with slots such as ``{{clause}}``.

    A file without the line ``---`` is a part of another prompt, and its user message is empty.
    """
    path = files("assay.jobs.contract") / "prompts" / language / f"{role}.md"
    system, _, user = path.read_text(encoding="utf-8").partition("\n---\n")
    return system.strip(), user.strip()


@cache
def prompts_hash() -> str:
    """A hash of all prompts together."""
    return digest([prompt(role, language) for language in get_args(Language) for role in ROLES])


def _hint(role: str, language: Language, lines: Sequence[str]) -> str:
    if not lines:
        return ""
    piece, _ = prompt(role, language)
    return _fill(piece, {"items": "\n".join(f"- {line}" for line in lines)}) + "\n\n"


def _rule_line(rule: Rule, language: Language) -> str:
    level = f" ({level_word(rule.level, language)})" if rule.level else ""
    laws = "; ".join(rule.laws[language])
    return f"{rule.risk_id} {rule.name[language]}{level}" + (f" — {laws}" if laws else "")


def _fill(part: str, slots: Mapping[str, str]) -> str:
    # in one pass, so that a slot inside a clause is not replaced
    return _SLOT.sub(lambda match: slots[match[1]], part)


SAMPLE: Final = Path(__file__).parents[2] / "data" / "samples" / "review"
"""The folder with the sample rules and laws that come with assay."""

SETTINGS: Final[Mapping[str, Setting]] = {
    "prompt_style": Setting(
        choices=("raw", "basic", "guided"),
        default="guided",
        description="how strictly the form of the reply is laid down",
    ),
    "rules_enabled": Setting(
        kind=bool,
        default=True,
        aliases=("rules",),
        description="rules, or a few words that often stand near a risk",
    ),
    "law_lookup_enabled": Setting(
        kind=bool,
        default=True,
        aliases=("law_lookup",),
        only_when={"rules_enabled": True},
        description="articles are looked up, or cited as the rules have them",
    ),
    "reflection_enabled": Setting(
        kind=bool,
        default=True,
        aliases=("reflection",),
        description="a second look: what a negation turned round is dropped",
    ),
}


class ReviewSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The values of all settings of the reviewer."""

    prompt_style: Style = "guided"
    rules_enabled: bool = True
    law_lookup_enabled: bool = True
    reflection_enabled: bool = True


class Reviewer:
    """Reviews clauses. ``Answer.extra["rules"]`` lists the ids of the rules that matched."""

    def __init__(
        self, rules: RuleBook, laws: LawBook, *, prompted: PromptedReviewer | None = None
    ) -> None:
        self._rules = rules
        self._laws = laws
        self._prompted = prompted

    @property
    def notes(self) -> tuple[Message | str, ...]:
        """What the user should know about the rules."""
        without = sum(rule.level is None for rule in self._rules.rules)
        level_note = (
            message_n(
                "{n} rule has no level; a clause in which only it is found gets none and counts as unparsed",
                "{n} rules have no level; a clause in which only they are found gets none and counts as unparsed",
                without,
            )
            if without
            else ""
        )
        return tuple(filter(None, (*self._rules.notes, level_note)))

    def with_levels(self, levels: Mapping[str, Level]) -> "Reviewer":
        """The reviewer whose rules without a level have the one in ``levels``, by risk id."""
        return Reviewer(self._rules.with_levels(levels), self._laws, prompted=self._prompted)

    @property
    def identity(self) -> str:
        """The hashes of the rules and the laws, and what writes the review."""
        writer = self._prompted.identity if self._prompted else "extractive"
        rules = self._rules.sha256[:12] or "no rules"
        return f"reviewer:{rules}:{self._laws.sha256[:12]}:{writer}"

    @property
    def has_rules(self) -> bool:
        """Whether there are rules; the settings of rules and laws have no effect without them."""
        return bool(self._rules.rules)

    @property
    def settings(self) -> Mapping[str, Setting] | None:
        """The declarations of the four settings."""
        return SETTINGS

    @property
    def max_concurrency(self) -> int | None:
        """The concurrency that the model's configuration allows; None without a model."""
        return self._prompted.client.config.concurrency if self._prompted else None

    def check(self, settings: Mapping[str, Any]) -> None:
        """Refuse to switch off rules, or laws that rules cite, if there are none."""
        chosen = _read_settings(settings)
        if not self.has_rules and not (chosen.rules_enabled and chosen.law_lookup_enabled):
            name = "law_lookup_enabled" if chosen.rules_enabled else "rules_enabled"
            raise UseError(
                f"{name} has no effect: the reviewer has no rules; name a file with --rules"
            )

    def calls(self, settings: Mapping[str, Any]) -> tuple[str, ...]:
        """The calls for the review and, with reflection, for the check of it."""
        if self._prompted is None:
            return ()
        chosen = msgspec.to_builtins(_read_settings(settings))
        reflects = chosen.pop("reflection_enabled")
        review = f"review-{digest(chosen)}"
        return (review, f"reflect-{digest(chosen)}") if reflects else (review,)

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """Review one clause; the reply is in the clause's language."""
        chosen = _read_settings(settings)
        if not self.has_rules:
            chosen = replace(chosen, rules_enabled=False)
        clause, language = question.text, detect_language(question.text)
        stages: list[Stage] = []
        matches = self._match_rules(clause, language, chosen, stages)
        articles = self._look_up_laws(matches, language, chosen, stages)
        rules = distinct_rules(matches) if chosen.rules_enabled else []
        finish: str | None = None
        extra: dict[str, Any] = {"rules": [rule.risk_id for rule in rules]}
        if self._prompted is None:
            risks = _risks(matches, articles, language, chosen)
            text = written_review(risks, chosen.prompt_style, language)
        else:
            reply = await self._prompted.review(
                clause,
                language,
                chosen.prompt_style,
                rules=rules,
                articles=list(_distinct(articles).values()),
                reflect=chosen.reflection_enabled,
            )
            text, finish = reply_text(reply), reply.finish_reason
            if reply.truncated:
                extra["truncated"] = True
        return Answer(
            text=text,
            passages=tuple(article.passage for article in _distinct(articles).values()),
            stages=tuple(stages),
            finish_reason=finish,
            extra=extra,
        )

    async def warm_up(self, settings: Sequence[Mapping[str, Any]], concurrency: int) -> None:
        """Open the model's connections."""
        if self._prompted is not None:
            await self._prompted.open_connections(concurrency)

    async def close(self) -> None:
        """Release the model's connections."""
        if self._prompted is not None:
            await self._prompted.close()

    def _match_rules(
        self, clause: str, language: Language, chosen: ReviewSettings, stages: list[Stage]
    ) -> list[Trigger]:
        """The matches of the rules; with reflection and without a model, only those not negated.

        Appends the stages ``rules`` and ``reflection`` to ``stages``.
        """
        began = time.perf_counter()
        rules = self._rules.rules if chosen.rules_enabled else lexicon()
        matches = triggers(rules, clause, language)
        ids = [rule.risk_id for rule in distinct_rules(matches)]
        stages.append(_stage("rules", began, fired=ids, lexicon=not chosen.rules_enabled))
        began = time.perf_counter()
        if not chosen.reflection_enabled:
            stages.append(Stage(name="reflection", skipped="reflection_enabled is off"))
        elif self._prompted is not None:
            stages.append(Stage(name="reflection", skipped="the model takes the second look"))
        else:
            kept = [trigger for trigger in matches if not negated(trigger, clause, language)]
            remaining = {rule.risk_id for rule in distinct_rules(kept)}
            dropped = [name for name in ids if name not in remaining]
            stages.append(_stage("reflection", began, dropped=dropped))
            matches = kept
        return matches

    def _look_up_laws(
        self,
        matches: Sequence[Trigger],
        language: Language,
        chosen: ReviewSettings,
        stages: list[Stage],
    ) -> dict[str, list[LawArticle]]:
        """For each rule's id, the articles that the rule cites and the law book has.

        Appends the stage ``law_lookup`` to ``stages``.
        """
        began = time.perf_counter()
        if not chosen.law_lookup_enabled:
            stages.append(Stage(name="law_lookup", skipped="law_lookup_enabled is off"))
            return {}
        known: dict[str, list[LawArticle]] = {
            rule.risk_id: [
                article
                for citation in rule.laws[language]
                for article in self._laws.articles(citation)
            ]
            for rule in distinct_rules(matches)
        }
        stages.append(_stage("law_lookup", began, cited=list(_distinct(known))))
        return known


def load_reviewer(config: ReviewerConfig, context: SystemContext) -> Reviewer:
    """Load the reviewer that a configuration describes, with the rules and laws that it names."""
    rules, laws = RuleBook(rules=(), sha256=""), LawBook()
    if config.rules is not None:
        rules = read_rules(context.path(config.rules, "rules"))
    if config.laws is not None:
        laws = read_law_book(context.path(config.laws, "laws"))
    return Reviewer(rules, laws, prompted=_load_prompted(config.generator, context))


def _load_prompted(spec: str, context: SystemContext) -> PromptedReviewer | None:
    kind, _, rest = spec.partition(":")
    match kind:
        case "extractive":
            return None
        case "openai":
            return PromptedReviewer(model_client(rest, context))
        case _:
            known = ("extractive", "openai:MODEL")
            raise SystemLoadError(f"there is no generator {spec!r}{nearest(spec, known)}")


def _read_settings(settings: Mapping[str, Any]) -> ReviewSettings:
    try:
        return msgspec.convert(dict(settings), ReviewSettings)
    except msgspec.ValidationError as error:
        raise UseError(f"settings of the reviewer: {error}") from None


def _risks(
    matches: Sequence[Trigger],
    articles: Mapping[str, Sequence[LawArticle]],
    language: Language,
    chosen: ReviewSettings,
) -> list[Risk]:
    """One risk for each rule that matched, the most serious first."""
    return [
        _risk(
            rule,
            [trigger for trigger in matches if trigger.rule is rule],
            articles.get(rule.risk_id, ()),
            language,
            chosen,
        )
        for rule in distinct_rules(matches)
    ]


def _risk(
    rule: Rule,
    matches: Sequence[Trigger],
    articles: Sequence[LawArticle],
    language: Language,
    chosen: ReviewSettings,
) -> Risk:
    if chosen.law_lookup_enabled:
        laws = [with_text(article, language) for article in articles]
    else:
        laws = list(rule.laws[language])
    # the lines of a clause may break anywhere, but a quotation must be on one line
    quotations = dict.fromkeys(
        reduce(join_lines, trigger.sentence.split("\n")) for trigger in matches
    )
    return Risk(
        title=rule.name[language],
        level=rule.level,
        risk_ids=(rule.risk_id,) if chosen.rules_enabled else (),
        evidence=tuple(quotations),
        analysis=analysis_of(matches[0].words, language),
        laws=tuple(laws),
        suggestion=rule.suggestion[language],
    )


def _distinct(articles: Mapping[str, Sequence[LawArticle]]) -> dict[str, LawArticle]:
    return {article.name: article for group in articles.values() for article in group}


def _stage(name: str, began: float, **detail: Any) -> Stage:
    return Stage(name=name, elapsed_s=time.perf_counter() - began, detail=detail)
