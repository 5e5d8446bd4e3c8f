"""The reference reviewer of contracts: rules, laws and, where one is configured, a model.

Offline it is a rule engine: it quotes the sentence that fired a rule, cites the rule's laws
with the text of their articles, and suggests what the rule suggests. With a model the rules
that fired and the articles become part of the prompt, and the model writes the review.
"""

import time
from collections.abc import Mapping, Sequence
from functools import reduce
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from assay.config import ReviewerConfig, nearest
from assay.data.contract import Rule, RuleBook, read_rules
from assay.errors import SystemLoadError, UseError
from assay.records import Answer, Question, Stage, digest
from assay.scorers.risk.reply import Risk, join_lines
from assay.systems.context import SystemContext, model_client
from assay.systems.protocol import Setting
from assay.systems.reviewer.law import Article, LawBook, read_law_book, with_text
from assay.systems.reviewer.lexicon import lexicon
from assay.systems.reviewer.prompt import PromptedReviewer, reply_text
from assay.systems.reviewer.rule import Trigger, distinct_rules, negated, triggers
from assay.systems.reviewer.text import Style, analysis_of, written_review
from assay.text import Language, language

SAMPLE: Final = Path(__file__).parents[2] / "data" / "samples" / "review"
"""Rules and laws that come with assay."""

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
    """A complete choice of the reviewer's settings."""

    prompt_style: Style = "guided"
    rules_enabled: bool = True
    law_lookup_enabled: bool = True
    reflection_enabled: bool = True


class Reviewer:
    """Reviews clauses. ``Answer.extra["rules"]`` are the ids of the rules that fired."""

    def __init__(
        self, rules: RuleBook, laws: LawBook, *, prompted: PromptedReviewer | None = None
    ) -> None:
        self._rules = rules
        self._laws = laws
        self._prompted = prompted

    @property
    def identity(self) -> str:
        """The rules, the laws, and what writes the review."""
        writer = self._prompted.identity if self._prompted else "extractive"
        return f"reviewer:{self._rules.sha256[:12]}:{self._laws.sha256[:12]}:{writer}"

    @property
    def settings(self) -> Mapping[str, Setting] | None:
        """The four switches."""
        return SETTINGS

    @property
    def max_concurrency(self) -> int | None:
        """As many as the model's configuration allows; without a model it does not matter."""
        return self._prompted.client.config.concurrency if self._prompted else None

    def calls(self, settings: Mapping[str, Any]) -> tuple[str, ...]:
        """The review itself, and the second look at it."""
        if self._prompted is None:
            return ()
        chosen = msgspec.to_builtins(_read(settings))
        reflects = chosen.pop("reflection_enabled")
        review = f"review-{digest(chosen)}"
        return (review, f"reflect-{digest(chosen)}") if reflects else (review,)

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """Review one clause, in its language."""
        chosen = _read(settings)
        clause, spoken = question.text, language(question.text)
        stages: list[Stage] = []
        found = self._fired(clause, spoken, chosen, stages)
        articles = self._looked_up(found, spoken, chosen, stages)
        fired = distinct_rules(found) if chosen.rules_enabled else []
        finish: str | None = None
        extra: dict[str, Any] = {"rules": [rule.risk_id for rule in fired]}
        if self._prompted is None:
            risks = _risks(found, articles, spoken, chosen)
            text = written_review(risks, chosen.prompt_style, spoken)
        else:
            reply = await self._prompted.review(
                clause,
                spoken,
                chosen.prompt_style,
                rules=fired,
                articles=list(_distinct(articles).values()),
                reflect=chosen.reflection_enabled,
            )
            text, finish = reply_text(reply), reply.finish_reason
            if reply.truncated:
                extra["truncated"] = True
        return Answer(
            text=text,
            passages=tuple(one.passage for one in _distinct(articles).values()),
            stages=tuple(stages),
            finish_reason=finish,
            extra=extra,
        )

    async def close(self) -> None:
        """Release the model's connections."""
        if self._prompted is not None:
            await self._prompted.close()

    def _fired(
        self, clause: str, spoken: Language, chosen: ReviewSettings, stages: list[Stage]
    ) -> list[Trigger]:
        """What fired; with reflection and no model, without what is negated."""
        began = time.perf_counter()
        rules = self._rules.rules if chosen.rules_enabled else lexicon()
        found = triggers(rules, clause, spoken)
        ids = [rule.risk_id for rule in distinct_rules(found)]
        stages.append(_stage("rules", began, fired=ids, lexicon=not chosen.rules_enabled))
        began = time.perf_counter()
        if not chosen.reflection_enabled:
            stages.append(Stage(name="reflection", skipped="reflection_enabled is off"))
        elif self._prompted is not None:
            stages.append(Stage(name="reflection", skipped="the model takes the second look"))
        else:
            kept = [one for one in found if not negated(one, clause, spoken)]
            remaining = {rule.risk_id for rule in distinct_rules(kept)}
            dropped = [name for name in ids if name not in remaining]
            stages.append(_stage("reflection", began, dropped=dropped))
            found = kept
        return found

    def _looked_up(
        self,
        found: Sequence[Trigger],
        spoken: Language,
        chosen: ReviewSettings,
        stages: list[Stage],
    ) -> dict[str, list[Article]]:
        """By rule, the articles it cites that the law book has."""
        began = time.perf_counter()
        if not chosen.law_lookup_enabled:
            stages.append(Stage(name="law_lookup", skipped="law_lookup_enabled is off"))
            return {}
        known: dict[str, list[Article]] = {
            rule.risk_id: [
                article
                for citation in rule.laws[spoken]
                for article in self._laws.articles(citation)
            ]
            for rule in distinct_rules(found)
        }
        stages.append(_stage("law_lookup", began, cited=list(_distinct(known))))
        return known


def load_reviewer(config: ReviewerConfig, around: SystemContext) -> Reviewer:
    """The reviewer that a configuration describes; without paths, with the sample's rules."""
    rules = SAMPLE / "rules.yaml" if config.rules is None else around.path(config.rules, "rules")
    if config.laws is not None:
        laws = read_law_book(around.path(config.laws, "laws"))
    else:
        # the sample's laws are those that its rules cite; other rules cite others
        laws = read_law_book(SAMPLE / "laws.jsonl") if config.rules is None else LawBook()
    return Reviewer(read_rules(rules), laws, prompted=_prompted(config.generator, around))


def _prompted(spec: str, around: SystemContext) -> PromptedReviewer | None:
    kind, _, rest = spec.partition(":")
    match kind:
        case "extractive":
            return None
        case "openai":
            return PromptedReviewer(model_client(rest, around))
        case _:
            known = ("extractive", "openai:MODEL")
            raise SystemLoadError(f"there is no generator {spec!r}{nearest(spec, known)}")


def _read(settings: Mapping[str, Any]) -> ReviewSettings:
    try:
        return msgspec.convert(dict(settings), ReviewSettings)
    except msgspec.ValidationError as error:
        raise UseError(f"settings of the reviewer: {error}") from None


def _risks(
    found: Sequence[Trigger],
    articles: Mapping[str, Sequence[Article]],
    spoken: Language,
    chosen: ReviewSettings,
) -> list[Risk]:
    """A risk for each rule that fired, the gravest first."""
    return [
        _risk(
            rule,
            [trigger for trigger in found if trigger.rule is rule],
            articles.get(rule.risk_id, ()),
            spoken,
            chosen,
        )
        for rule in distinct_rules(found)
    ]


def _risk(
    rule: Rule,
    fired: Sequence[Trigger],
    articles: Sequence[Article],
    spoken: Language,
    chosen: ReviewSettings,
) -> Risk:
    if chosen.law_lookup_enabled:
        laws = [with_text(article, spoken) for article in articles]
    else:
        laws = list(rule.laws[spoken])
    # a clause may be wrapped anywhere; a quotation is one line
    quoted = dict.fromkeys(reduce(join_lines, trigger.sentence.split("\n")) for trigger in fired)
    return Risk(
        title=rule.name[spoken],
        level=rule.level,
        risk_ids=(rule.risk_id,) if chosen.rules_enabled else (),
        evidence=tuple(quoted),
        analysis=analysis_of(fired[0].words, spoken),
        laws=tuple(laws),
        suggestion=rule.suggestion[spoken],
    )


def _distinct(articles: Mapping[str, Sequence[Article]]) -> dict[str, Article]:
    return {article.name: article for some in articles.values() for article in some}


def _stage(name: str, began: float, **detail: Any) -> Stage:
    return Stage(name=name, elapsed_s=time.perf_counter() - began, detail=detail)
