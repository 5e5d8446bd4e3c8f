"""What a run would take: counted where it can be, and otherwise said to be an estimate."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from assay.config.system import Averages, Price
from assay.data.corpus.chunk import Chunk, corpus_of
from assay.jobs.estimate import Estimate, Pace, estimate, estimate_lines, model_facts, past_pace
from assay.rag.embed.hashed import HashedEmbedder
from assay.rag.generate.prompted import PromptedGenerator
from assay.records import Answer, Question, RunHeader, Usage, Variant
from assay.runs.handler import SystemHandler
from assay.runs.plan import Plan, product_plan, top_k_placement
from assay.runs.run import run_plan
from assay.runs.summary import Summary, write_summary
from assay.systems.http import OpenAISystem
from assay.systems.reference import ReferenceSystem
from assay.systems.scripted import ScriptedSystem
from tests.support.model_client import KEY, VARIABLE, make_client, model_config
from tests.support.model_server import ModelServer


class TwoCalls(ScriptedSystem):
    """Says that a question takes a call all variants share and one of the variant's own."""

    def calls(self, settings: Mapping[str, Any]) -> tuple[str, ...]:
        """The early call and the late one."""
        return ("early", f"late-{settings.get('late')}")


def make_plan(count: int = 10, variants: int = 3) -> Plan:
    """Questions times variants."""
    return product_plan(
        questions=[Question(id=f"q{n}", text="?") for n in range(count)],
        variants=[Variant(name=f"v{n}", settings={"late": n}) for n in range(variants)],
        placements=[top_k_placement(10)],
        system="s",
    )


def recorded(journal: Path, plan: Plan, usage: Usage | None) -> None:
    """Run a plan with a system whose answers have this usage."""
    system = ScriptedSystem(lambda *_: Answer(text="a", usage=usage, latency_s=2.0))
    header = RunHeader(job="j", name="a", system="s", variants=plan.variants, total=plan.total)
    run_plan(plan, SystemHandler(system), header, journal)


def test_calls_are_counted_after_sharing(tmp_path: Path):
    """What variants share is counted once; without sharing it would be more."""
    made = estimate(make_plan(), TwoCalls({}), tmp_path / "a.jsonl", concurrency=4)
    assert (made.cases, made.recorded) == (30, 0)
    assert (made.calls, made.calls_without_sharing) == (10 + 30, 60)
    assert (made.prompt_tokens, made.cost, made.seconds) == (None, None, None)


def test_a_system_that_makes_its_own_calls_says_nothing_of_them(tmp_path: Path):
    """Not known is not zero."""
    made = estimate(make_plan(), ScriptedSystem({}), tmp_path / "a.jsonl", concurrency=4)
    assert (made.calls, made.calls_without_sharing) == (None, None)
    assert "calls   not known: the system makes its own" in estimate_lines(made)


def test_a_system_of_the_user_costs_what_its_answers_cost(tmp_path: Path):
    """Of 30 cases 3 are recorded: the other 27 are taken to cost as much each."""
    used = Usage(calls=2, prompt_tokens=100, completion_tokens=10, cost=0.5, paid=0.5)
    recorded(tmp_path / "a.jsonl", make_plan(1), used)
    made = estimate(make_plan(), ScriptedSystem({}), tmp_path / "a.jsonl", concurrency=4)
    assert (made.calls, made.cost, made.prompt_tokens) == (None, 13.5, 2700)
    assert "cost    about 13.5000 (estimate from 3 recorded rows)" in estimate_lines(made)


def test_a_system_of_the_user_without_a_recorded_cost_is_said_to_have_none(tmp_path: Path):
    """Not known is not free, and the line says what is missing."""
    recorded(tmp_path / "a.jsonl", make_plan(1), None)
    made = estimate(make_plan(), ScriptedSystem({}), tmp_path / "a.jsonl", concurrency=4)
    assert made.cost is None
    assert "cost    not known: no answer of this system has a recorded cost" in estimate_lines(made)


def test_the_users_averages_give_tokens_and_cost(tmp_path: Path):
    """Calls times averages, at the price configured, and said to be from there."""
    made = estimate(
        make_plan(),
        TwoCalls({}),
        tmp_path / "a.jsonl",
        concurrency=4,
        price=Price(prompt=2.0, completion=8.0),
        averages=Averages(prompt_tokens=1000, completion_tokens=100),
    )
    assert (made.prompt_tokens, made.completion_tokens) == (40_000, 4_000)
    assert made.cost == pytest.approx((40_000 * 2 + 4_000 * 8) / 1e6)
    assert made.seconds is None
    lines = estimate_lines(made)
    assert lines[0] == "dry run: nothing is asked"
    assert lines[1] == "cases   30 (0 recorded, 30 to ask)"
    assert lines[2] == "calls   40 distinct model calls at most (60 without sharing)"
    assert lines[3] == (
        "tokens  about 40,000 in, 4,000 out (rough estimate from the averages in the configuration)"
    )
    assert (
        lines[4] == "cost    about 0.1120 (rough estimate from the averages in the configuration)"
    )
    assert len(lines) == 5


def test_recorded_rows_are_better_than_averages(tmp_path: Path):
    """Tokens, cost and time come from what was measured, for what is still to ask."""
    journal = tmp_path / "a.jsonl"
    usage = Usage(calls=2, prompt_tokens=200, completion_tokens=20, cost=0.5, paid=0.25)
    recorded(journal, make_plan(4), usage)
    made = estimate(
        make_plan(10),
        TwoCalls({}),
        journal,
        concurrency=4,
        price=Price(prompt=2.0, completion=8.0),
        averages=Averages(prompt_tokens=1, completion_tokens=1),
    )
    assert (made.cases, made.recorded) == (30, 12)
    assert made.calls == 6 + 18
    assert made.prompt_tokens == pytest.approx(24 * 100)
    assert made.completion_tokens == pytest.approx(24 * 10)
    assert made.cost == pytest.approx(24 * 0.25)
    assert made.seconds == pytest.approx(18 * 2.0 / 4)
    assert all("12 recorded rows" in line for line in estimate_lines(made)[3:])
    assert "time    about 9 s (estimate from 12 recorded rows)" in estimate_lines(made)


def test_rows_whose_tokens_were_not_told_do_not_count_as_free(tmp_path: Path):
    """A provider that withholds usage leaves the user's averages in force."""
    journal = tmp_path / "a.jsonl"
    recorded(journal, make_plan(4), Usage(calls=2, unmetered_calls=2))
    made = estimate(
        make_plan(10),
        TwoCalls({}),
        journal,
        concurrency=4,
        price=Price(prompt=2.0),
        averages=Averages(prompt_tokens=1000, completion_tokens=100),
    )
    assert made.prompt_tokens == pytest.approx(24 * 1000)
    assert made.cost == pytest.approx(24 * 1000 * 2 / 1e6)


def test_only_part_of_the_calls_metered_gives_the_average_of_that_part(tmp_path: Path):
    """An unmetered call does not pull the average down."""
    journal = tmp_path / "a.jsonl"
    usage = Usage(calls=2, unmetered_calls=1, prompt_tokens=100, completion_tokens=10)
    recorded(journal, make_plan(4), usage)
    made = estimate(make_plan(10), TwoCalls({}), journal, concurrency=4)
    assert made.prompt_tokens == pytest.approx(24 * 100)


def test_time_knows_how_many_the_system_takes_at_once(tmp_path: Path):
    """A system that answers one question at a time is not four times as fast."""
    journal = tmp_path / "a.jsonl"
    recorded(journal, make_plan(4), None)
    system = TwoCalls({}, max_concurrency=1)
    made = estimate(make_plan(10), system, journal, concurrency=4)
    assert made.seconds == pytest.approx(18 * 2.0)


def test_a_finished_run_takes_nothing(tmp_path: Path):
    """Nothing is left to ask."""
    journal = tmp_path / "a.jsonl"
    recorded(journal, make_plan(), Usage(calls=2, prompt_tokens=10, cost=0.5))
    made = estimate(make_plan(), TwoCalls({}), journal, concurrency=4)
    assert (made.cases, made.recorded, made.calls) == (30, 30, 0)
    assert made.cost == 0.0
    assert made.seconds == 0.0


def past_run(folder: Path, name: str, latencies: Mapping[str, float], **header: Any) -> None:
    """The summary of an earlier run of ``make_plan`` variants, ten answers each."""
    write_summary(
        folder / f"{name}.json",
        Summary(
            job=header.get("job", "ablation"),
            name=name,
            system=header.get("system", "s"),
            total=10 * len(latencies),
            variants=tuple(v for v in make_plan(variants=9).variants if v.name in latencies),
            results={
                "variants": {
                    one: {"avg_latency_s": mean, "n": {"avg_latency_s": 10}}
                    for one, mean in latencies.items()
                }
            },
        ),
    )


def test_a_new_journal_goes_by_earlier_runs_of_the_same_system(tmp_path: Path):
    """With the same settings; other jobs, systems and settings say nothing about the time."""
    assert past_pace(tmp_path, "ablation", make_plan()) is None
    past_run(tmp_path, "one", {"v0": 1.0, "v7": 4.0})
    past_run(tmp_path, "two", {"v0": 3.0})
    past_run(tmp_path, "other-job", {"v0": 99.0}, job="depth")
    past_run(tmp_path, "other-system", {"v0": 99.0}, system="t")
    (tmp_path / "mine.json").write_text('{"a": 1}')
    assert past_pace(tmp_path, "ablation", make_plan(variants=2)) is None
    past_run(tmp_path, "three", {"v1": 6.0})
    pace = past_pace(tmp_path, "ablation", make_plan(variants=2))
    assert pace == Pace(elapsed_s=pytest.approx((2.0 + 6.0) / 2), runs=3)
    assert past_pace(tmp_path / "absent", "ablation", make_plan()) is None
    made = estimate(
        make_plan(variants=2), TwoCalls({}), tmp_path / "new.jsonl", concurrency=4, pace=pace
    )
    assert made.seconds == pytest.approx(20 * 4.0 / 4)
    assert made.is_time_of_earlier_runs
    assert estimate_lines(made)[-2:] == [
        "time    about 20 s (estimate from 3 earlier runs)",
        (
            "tokens and cost: nothing recorded yet to estimate them from; "
            "set `averages` of the model for a rough estimate"
        ),
    ]


def test_times_of_its_own_are_better_than_those_of_earlier_runs(tmp_path: Path):
    """What this journal measured counts, and is named."""
    journal = tmp_path / "a.jsonl"
    recorded(journal, make_plan(4), None)
    pace = Pace(elapsed_s=50.0, runs=1)
    made = estimate(make_plan(10), TwoCalls({}), journal, concurrency=1, pace=pace)
    assert made.seconds == pytest.approx(18 * 2.0)
    assert made.time_basis == "12 recorded rows"
    assert not made.is_time_of_earlier_runs


def test_a_fresh_run_asks_what_is_recorded_too(tmp_path: Path):
    """The old rows are experience, and none of them is counted as done."""
    journal = tmp_path / "a.jsonl"
    recorded(journal, make_plan(), None)
    made = estimate(make_plan(), TwoCalls({}), journal, concurrency=1, fresh=True)
    assert (made.cases, made.recorded, made.calls) == (30, 0, 40)
    assert made.seconds == pytest.approx(30 * 2.0)


def test_with_nothing_to_go_by_it_says_so():
    """No number is made up."""
    lines = estimate_lines(Estimate(cases=3, recorded=0, calls=3, calls_without_sharing=3))
    assert lines[-1] == (
        "tokens, cost and time: nothing recorded yet to estimate them from; "
        "set `averages` of the model for a rough estimate"
    )
    assert not any("about" in line for line in lines)


def test_an_estimate_asks_nothing_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Neither the server nor the folder sees anything of it."""
    monkeypatch.setenv(VARIABLE, KEY)
    with ModelServer() as server:
        averages = Averages(prompt_tokens=10, completion_tokens=5)
        client = make_client(model_config(server, averages=averages))
        system = OpenAISystem(client)
        price, known = model_facts(system)
        made = estimate(
            make_plan(), system, tmp_path / "a.jsonl", concurrency=4, price=price, averages=known
        )
        asyncio.run(system.close())
    assert made.calls == 30
    assert made.cost == pytest.approx(30 * (10 * 2 + 5 * 8) / 1e6)
    assert server.calls == []
    assert list(tmp_path.iterdir()) == []


def test_the_reference_pipeline_with_prompted_roles_has_a_rough_estimate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Cases times calls of the roles times averages, before anything is recorded."""
    monkeypatch.setenv(VARIABLE, KEY)
    with ModelServer() as server:
        averages = Averages(prompt_tokens=10, completion_tokens=5)
        client = make_client(model_config(server, averages=averages))
        corpus = corpus_of([Chunk(id="c1", text="One.", source="a")])
        system = ReferenceSystem(corpus, HashedEmbedder(), PromptedGenerator(client))
        price, known = model_facts(system)
        plan = product_plan(
            questions=[Question(id="q", text="?")],
            variants=[Variant(name="fast", settings={"fast_mode": True})],
            placements=[top_k_placement(10)],
            system="s",
        )
        made = estimate(
            plan, system, tmp_path / "a.jsonl", concurrency=4, price=price, averages=known
        )
        asyncio.run(system.close())
    assert made.calls == 1
    assert made.cost == pytest.approx((10 * 2 + 5 * 8) / 1e6)
    assert made.is_rough
    assert server.calls == []


def test_a_system_without_a_model_has_no_price():
    """And none is made up."""
    assert model_facts(ScriptedSystem({})) == (None, None)


def test_answers_that_the_run_would_refuse_are_counted(tmp_path: Path):
    """A dry run must not promise what the run refuses."""
    recorded(tmp_path / "a.jsonl", make_plan(4), None)
    edited = product_plan(
        questions=[Question(id=f"q{n}", text="what?") for n in range(4)],
        variants=make_plan().variants,
        placements=[top_k_placement(10)],
        system="s",
    )
    made = estimate(edited, ScriptedSystem({}), tmp_path / "a.jsonl", concurrency=4)
    assert made.stale == 12
    assert any("12 recorded answers belong to an earlier" in line for line in estimate_lines(made))
