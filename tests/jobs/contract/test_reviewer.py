"""The reference reviewer: rules offline, and a model whose prompt contains the rules."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import pytest

from assay.config.system import ReviewerConfig
from assay.errors import DatasetError, SystemLoadError, UseError
from assay.jobs.contract.clause import read_clauses
from assay.jobs.contract.law import LawBook, read_law_book
from assay.jobs.contract.level import highest_level
from assay.jobs.contract.reply import parse_review
from assay.jobs.contract.reviewer import (
    ROLES,
    SAMPLE,
    PromptedReviewer,
    Reviewer,
    load_reviewer,
    prompt,
)
from assay.jobs.contract.rule import negated, read_rules, triggers
from assay.records import Answer, Question, Stage
from assay.systems.load import SystemContext, load_system
from assay.systems.protocol import CountsCalls, System, check_settings
from assay.text.language import Language
from assay.text.language import language as detect_language
from tests.support.model_client import KEY, VARIABLE, make_client, model_config
from tests.support.model_server import ModelServer

LANGUAGES: tuple[Language, ...] = get_args(Language)
ENGLISH = (
    "The Loan of $3,000 carries interest at 5% per month. On default the Borrower also pays a "
    "penalty of 40% of the balance within two days."
)
RENEWAL: dict[Language, str] = {
    "zh": "期满自动续约一年。",
    "ru": "Договор автоматически продлевается на год.",
    "en": "The plan renews automatically for a year.",
}
NO_RENEWAL: dict[Language, str] = {
    "zh": "期满即告终止，不自动续约。",
    "ru": "Автоматическое продление не допускается.",
    "en": "The plan does not renew automatically.",
}


@pytest.fixture(scope="module")
def reviewer() -> Reviewer:
    """The reviewer with the sample rules and laws."""
    return Reviewer(read_rules(SAMPLE / "rules.yaml"), read_law_book(SAMPLE / "laws.jsonl"))


def ask(system: System, clause: str, settings: Mapping[str, Any] | None = None) -> Answer:
    """Review one clause."""
    return asyncio.run(system.ask(Question(id="c", text=clause), settings or {}, 10))


def stage(answer: Answer, name: str) -> Stage:
    """The stage with this name."""
    return next(stage for stage in answer.stages if stage.name == name)


def test_every_rule_that_fires_is_a_risk_with_its_sentence(reviewer: Reviewer):
    """A guided reply has level, id, the matched sentence, the article's text and a suggestion."""
    answer = ask(reviewer, ENGLISH)
    review = parse_review(answer.text)
    assert review.unread == ()
    assert review.risk_level == "high"
    assert review.risk_ids == answer.extra["rules"] == ["R01", "R14"]
    assert review.evidence == [
        "On default the Borrower also pays a penalty of 40% of the balance within two days.",
        "The Loan of $3,000 carries interest at 5% per month.",
    ]
    assert review.laws[0].startswith("Harbour Contracts Act, section 22: “A court may reduce")
    assert [passage.id for passage in answer.passages] == [
        "Harbour Contracts Act#22",
        "Harbour Contracts Act#31",
    ]
    assert all(risk.suggestion for risk in review.risks)


def test_every_reply_to_the_sample_is_read_back_whole(reviewer: Reviewer):
    """In the basic and guided styles everything is parsed, and every quotation is in the clause."""
    clauses = read_clauses(SAMPLE / "clauses.jsonl")
    for style in ("basic", "guided"):
        for clause in clauses:
            review = parse_review(ask(reviewer, clause.text, {"prompt_style": style}).text)
            assert review.parsed
            assert review.unread == ()
            assert all(quoted in clause.text for quoted in review.evidence)


def test_a_clause_is_as_risky_as_its_most_serious_rule(reviewer: Reviewer):
    """The verdict is the highest level of the matched rules, and low if none matched."""
    rules = {rule.risk_id: rule.level for rule in read_rules(SAMPLE / "rules.yaml").rules}
    for clause in read_clauses(SAMPLE / "clauses.jsonl"):
        answer = ask(reviewer, clause.text)
        levels = [rules[name] for name in answer.extra["rules"]]
        assert parse_review(answer.text).risk_level == (highest_level(levels) or "low")


def test_the_style_decides_how_much_form_there_is(reviewer: Reviewer):
    """Basic names the most serious risk only; raw is prose that gives a level only for a risk."""
    basic = parse_review(ask(reviewer, ENGLISH, {"prompt_style": "basic"}).text)
    assert [risk.risk_ids for risk in basic.risks] == [("R01",)]
    raw = parse_review(ask(reviewer, ENGLISH, {"prompt_style": "raw"}).text)
    assert (raw.risk_level, raw.evidence, raw.suggestion) == ("high", [], "")
    fine = parse_review(
        ask(reviewer, "The parties meet once a year.", {"prompt_style": "raw"}).text
    )
    assert fine.risk_level is None


def test_without_rules_a_few_words_take_their_place(reviewer: Reviewer):
    """The lexicon finds the penalty, but names no rule and finds less."""
    answer = ask(reviewer, ENGLISH, {"rules_enabled": False})
    review = parse_review(answer.text)
    assert (review.risk_level, review.risk_ids, answer.extra["rules"]) == ("medium", [], [])
    assert stage(answer, "rules").detail["lexicon"] is True


def test_without_lookup_laws_are_cited_as_the_rules_have_them(reviewer: Reviewer):
    """Without lookup no article's text is quoted."""
    answer = ask(reviewer, ENGLISH, {"law_lookup_enabled": False})
    assert parse_review(answer.text).laws[0] == "Harbour Contracts Act, section 22"
    assert answer.passages == ()
    assert stage(answer, "law_lookup").skipped


def test_a_law_that_the_store_has_not_is_not_cited():
    """With lookup the reviewer cites only articles that it can quote."""
    bare = Reviewer(read_rules(SAMPLE / "rules.yaml"), LawBook())
    assert parse_review(ask(bare, ENGLISH).text).laws == []
    assert parse_review(ask(bare, ENGLISH, {"law_lookup_enabled": False}).text).laws


@pytest.mark.parametrize("language", LANGUAGES)
def test_reflection_drops_what_is_negated(reviewer: Reviewer, language: Language):
    """A clause that forbids renewal is not a risk; without reflection it is taken for one."""
    for reflects in (True, False):
        settings = {"reflection_enabled": reflects}
        assert ask(reviewer, RENEWAL[language], settings).extra["rules"] == ["R06"]
    answer = ask(reviewer, NO_RENEWAL[language])
    assert answer.extra["rules"] == []
    assert stage(answer, "reflection").detail["dropped"] == ["R06"]
    assert ask(reviewer, NO_RENEWAL[language], {"reflection_enabled": False}).extra["rules"] == [
        "R06"
    ]


@pytest.mark.parametrize(
    ("clause", "is_negated"),
    [
        ("任何一方均不得随时解除合同。", True),
        ("甲方不满意的，可以随时解除合同。", False),
        ("Ни одна из сторон не вправе передать договор без согласия.", True),
        ("Если товар не принят, право толкования принадлежит Продавцу.", False),
        ("Neither party may assign this agreement without consent.", True),
        ("A Buyer who does not do so waives any claim.", False),
        ("The Shop is not a bank, and automatic renewal follows.", False),
    ],
)
def test_only_a_negation_of_the_trigger_counts(clause: str, is_negated: bool):
    """A negation elsewhere in the sentence has no effect."""
    language = detect_language(clause)
    matches = triggers(read_rules(SAMPLE / "rules.yaml").rules, clause, language)
    assert matches
    assert all(negated(trigger, clause, language) is is_negated for trigger in matches)


def test_a_wrapped_clause_is_quoted_on_one_line(reviewer: Reviewer):
    """A line break inside a sentence does not break the layout of the reply."""
    review = parse_review(ask(reviewer, "The plan lasts a year\nand renews automatically.").text)
    assert review.evidence == ["The plan lasts a year and renews automatically."]


def test_settings_are_declared_and_checked(reviewer: Reviewer):
    """Unknown names and values are refused; the nearest name is suggested."""
    check_settings(reviewer, {"prompt_style": "raw", "rules_enabled": False}, "v")
    with pytest.raises(UseError, match="did you mean 'rules_enabled'"):
        check_settings(reviewer, {"rule_enabled": True}, "v")
    with pytest.raises(UseError, match="takes one of 'raw', 'basic', 'guided'"):
        check_settings(reviewer, {"prompt_style": "strict"}, "v")
    with pytest.raises(UseError, match="takes bool"):
        check_settings(reviewer, {"reflection_enabled": 1}, "v")
    with pytest.raises(UseError, match="settings of the reviewer"):
        ask(reviewer, ENGLISH, {"prompt_style": "strict"})


def test_the_identity_tells_rules_and_laws(tmp_path: Path):
    """Another rule file or law file changes the identity."""
    rules, laws = tmp_path / "rules.yaml", tmp_path / "laws.jsonl"
    rules.write_bytes((SAMPLE / "rules.yaml").read_bytes())
    laws.write_bytes((SAMPLE / "laws.jsonl").read_bytes())
    context = SystemContext(tmp_path)

    def identity() -> str:
        return load_reviewer(
            ReviewerConfig(rules="rules.yaml", laws="laws.jsonl"), context
        ).identity

    first = identity()
    without = load_reviewer(ReviewerConfig(), context)
    assert without.identity == load_system("reviewer").identity == "reviewer:no rules::extractive"
    assert not without.has_rules
    laws.write_bytes(laws.read_bytes() + b"\n")
    second = identity()
    rules.write_bytes(rules.read_bytes() + b"\n")
    assert len({first, second, identity()}) == 3


def test_what_cannot_be_loaded_is_reported(tmp_path: Path):
    """A missing file and an unknown generator are reported in one line each."""
    with pytest.raises(DatasetError, match=r"none\.yaml"):
        load_reviewer(ReviewerConfig(rules="none.yaml"), SystemContext(tmp_path))
    with pytest.raises(SystemLoadError, match="there is no generator 'opnai:m'"):
        load_reviewer(ReviewerConfig(generator="opnai:m"), SystemContext(tmp_path))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("role", ROLES)
def test_every_prompt_has_its_slots(role: str, language: Language):
    """Prompts contain the clause, the fence and the hints; partial prompts contain their items."""
    system, user = prompt(role, language)
    if role in {"rules", "laws"}:
        assert "{{items}}" in system
        assert not user
        return
    assert "{{fence}}" in system
    assert "{{rules}}{{laws}}" in user
    assert "{{clause}}" in user
    assert ("{{draft}}" in user) is (role == "reflect")
    assert detect_language(system) == language


class ScriptedModel:
    """A reviewer whose model is a server that gives prepared replies."""

    def __init__(self, *replies: str) -> None:
        self.replies = list(replies)
        self.sent: list[list[dict[str, str]]] = []

    def ask(self, clause: str, settings: Mapping[str, Any] | None = None) -> Answer:
        """Let the model review a clause."""

        def respond(body: dict[str, Any]) -> str:
            self.sent.append(body["messages"])
            return self.replies[len(self.sent) - 1]

        async def scenario() -> Answer:
            system = Reviewer(
                read_rules(SAMPLE / "rules.yaml"),
                read_law_book(SAMPLE / "laws.jsonl"),
                prompted=PromptedReviewer(make_client(model_config(server))),
            )
            try:
                return await system.ask(Question(id="c", text=clause), settings or {}, 10)
            finally:
                await system.close()

        with ModelServer(respond=respond) as server:
            return asyncio.run(scenario())


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the key that the client needs."""
    monkeypatch.setenv(VARIABLE, KEY)


@pytest.mark.usefixtures("key")
def test_a_model_is_given_clause_rules_and_articles():
    """The prompt is in the clause's language, the clause is fenced, and the reply is the answer."""
    model = ScriptedModel("<think>hm</think>\nLevel: high")
    answer = model.ask(ENGLISH, {"reflection_enabled": False})
    assert answer.text == "Level: high"
    assert answer.extra["rules"] == ["R01", "R14"]
    ((system, user),) = model.sent
    assert system["content"].startswith("You are a careful reviewer")
    assert "- R01 Excessive penalty (High) — Harbour Contracts Act, section 22" in user["content"]
    assert "A court may reduce a penalty" in user["content"]
    fence = user["content"].rpartition("</")[2].rstrip(">")
    assert f"<{fence} clause>\n{ENGLISH}\n</{fence}>" in user["content"]
    assert fence in system["content"]


@pytest.mark.usefixtures("key")
def test_switches_change_what_a_model_is_given():
    """Without rules the prompt has the clause only; the style selects the prompt."""
    model = ScriptedModel("Level: high")
    settings = {"prompt_style": "raw", "rules_enabled": False, "reflection_enabled": False}
    answer = model.ask(RENEWAL["zh"], settings)
    ((system, user),) = model.sent
    assert system["content"].startswith("你审查合同条款")
    assert user["content"].startswith("<data-")
    assert answer.extra["rules"] == []


@pytest.mark.usefixtures("key")
def test_reflection_asks_a_second_time_about_the_draft():
    """The second call contains the draft, and its reply is the answer."""
    model = ScriptedModel("Level: medium {{clause}}", "Уровень: низкий")
    answer = model.ask(NO_RENEWAL["ru"])
    assert answer.text == "Уровень: низкий"
    assert len(model.sent) == 2
    assert "Level: medium {{clause}}" in model.sent[1][1]["content"]
    assert stage(answer, "reflection").skipped


@pytest.mark.usefixtures("key")
def test_calls_are_counted_before_they_are_made():
    """The review call is shared by variants that differ only in reflection."""
    with ModelServer() as server:
        client = make_client(model_config(server))
        system = Reviewer(
            read_rules(SAMPLE / "rules.yaml"), LawBook(), prompted=PromptedReviewer(client)
        )
        both = system.calls({})
        assert isinstance(system, CountsCalls)
        assert len(both) == 2
        assert system.calls({"reflection_enabled": False}) == both[:1]
        assert system.calls({"prompt_style": "raw"})[0] != both[0]
        assert "prompts=" in system.identity
        asyncio.run(system.close())
    assert Reviewer(read_rules(SAMPLE / "rules.yaml"), LawBook()).calls({}) == ()


@pytest.mark.usefixtures("key")
def test_a_configured_reviewer_uses_the_model_of_its_name(tmp_path: Path):
    """``generator: openai:MODEL`` selects the configured model of that name."""
    with ModelServer(respond=lambda _: "Level: low") as server:
        context = SystemContext(
            tmp_path,
            models={"house": model_config(server)},
            systems={"r": ReviewerConfig(generator="openai:house")},
        )
        system = load_system("r", context)

        async def scenario() -> Answer:
            try:
                return await system.ask(Question(id="c", text="x"), {}, 10)
            finally:
                await system.close()

        assert asyncio.run(scenario()).text == "Level: low"


def test_traditional_characters_fire_the_same_rules(reviewer: Reviewer):
    """A clause in traditional characters gets the same verdict as in simplified ones."""
    # Only single characters are converted, not phrases: 约 corresponds to 約 only.
    for simplified, traditional in (
        ("本合同到期后自动续约。", "本合同到期後自動續約。"),
        ("本合同不自动续约。", "本合同不自動續約。"),
    ):
        first, second = ask(reviewer, simplified), ask(reviewer, traditional)
        assert first.extra["rules"] == second.extra["rules"]
        assert parse_review(first.text).risk_level == parse_review(second.text).risk_level
    answer = ask(reviewer, "本合同到期後自動續約。")
    assert answer.extra["rules"]
    assert parse_review(answer.text).evidence == ["本合同到期後自動續約。"]
