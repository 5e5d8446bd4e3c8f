"""The reference system: one index for all variants, the same answer every time."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from assay.config.experiment import RunSettings
from assay.config.system import ModelConfig, Price
from assay.data.corpus.chunk import Chunk, corpus_of
from assay.errors import DatasetError, SystemLoadError, UseError
from assay.models.cache import CallCache
from assay.models.client import ModelClient
from assay.rag.embed.hashed import HashedEmbedder
from assay.rag.embed.store import VectorStore
from assay.rag.generate.extractive import ExtractiveGenerator
from assay.rag.generate.prompted import PromptedGenerator
from assay.records import Question, RunHeader, Variant
from assay.runs.handler import SystemHandler
from assay.runs.plan import product_plan, top_k_placement
from assay.runs.read import read_fields
from assay.runs.run import run_plan
from assay.systems.load import SystemContext, load_system
from assay.systems.protocol import check_settings
from assay.systems.reference import ReferenceSystem, declared_settings
from assay.text.citation import NO_MENTION, extract_citation_numbers
from tests.support.model_server import ModelServer
from tests.support.path import ROOT

CHUNKS = [
    Chunk(id="rent", text="Rent is due on the fifth day of every month.", source="lease", page=1),
    Chunk(id="deposit", text="The deposit is 4,800 crowns.", source="lease", page=1),
    Chunk(id="notice", text="Either party may give notice of 60 days.", source="lease", page=2),
    Chunk(id="pets", text="Pets need the written consent of the landlord.", source="lease", page=2),
]
ANSWERS = """
import asyncio
from assay.systems.reference import ReferenceSystem
from assay.rag.embed.hashed import HashedEmbedder
from assay.rag.generate.extractive import ExtractiveGenerator
from assay.data.corpus.chunk import corpus_of
from assay.records import Question
from tests.systems.test_system import CHUNKS
system = ReferenceSystem(corpus_of(CHUNKS), HashedEmbedder(), ExtractiveGenerator())
for text in ("How much is the deposit?", "When is rent due?", "押金多少？", "Может ли жить кот?"):
    for settings in ({}, {"fast_mode": True, "search_dim": 128}):
        answer = asyncio.run(system.ask(Question(id="q", text=text), settings, 3))
        print(answer.text, [(p.id, p.score) for p in answer.passages])
"""


def reference(**parts: Any) -> ReferenceSystem:
    """The system with the lease as its corpus."""
    return ReferenceSystem(
        corpus_of(CHUNKS), HashedEmbedder(), parts.pop("generator", ExtractiveGenerator()), **parts
    )


def ask(system: ReferenceSystem, text: str, **settings: Any) -> Any:
    """Ask one question and return the answer."""
    return asyncio.run(system.ask(Question(id="q", text=text), settings, 3))


def test_an_answer_quotes_its_passage_and_reports_every_stage():
    """The offline system finds the sentence, cites it, and reports what each stage did."""
    answer = ask(reference(), "How much is the deposit?")
    assert "4,800" in answer.text
    cited = extract_citation_numbers(answer.text)
    assert [answer.passages[number - 1].id for number in cited] == ["deposit"]
    names = [stage.name for stage in answer.stages]
    assert sorted(names) == sorted(
        [
            "expand",
            "hyde",
            "embed",
            "drift_filter",
            "search",
            "fusion",
            "rerank",
            "repack",
            "generate",
            "guardrail",
        ]
    )
    assert all(stage.elapsed_s >= 0 for stage in answer.stages)


def test_pages_are_cited_where_the_style_asks():
    """With ``citation_style`` "page" the page is cited, in the question's language."""
    assert "(p. 1)" in ask(reference(), "How much is the deposit?", citation_style="page").text


@pytest.mark.parametrize("text", ["???", "", "   "])
def test_a_question_without_terms_gets_the_strict_answer(text: str):
    """A question without search terms gets the answer "not mentioned", not an error."""
    assert ask(reference(), text).text == NO_MENTION["en"]


def test_answers_are_the_same_under_any_hash_seed():
    """Rankings, scores and answers are identical in processes with other hash seeds."""
    outputs = {
        subprocess.run(
            [sys.executable, "-c", ANSWERS],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert "4,800" in outputs.pop()


def test_the_index_is_built_once_for_all_variants(tmp_path: Path):
    """Simultaneous questions with different settings embed the corpus once."""
    embedded: list[int] = []

    class Counting(HashedEmbedder):
        async def embed(self, texts: Any) -> Any:
            embedded.append(len(texts))
            return await super().embed(texts)

    async def ask_all() -> None:
        system = ReferenceSystem(
            corpus_of(CHUNKS), Counting(), ExtractiveGenerator(), store=VectorStore(tmp_path)
        )
        questions = [Question(id=str(n), text=f"notice {n}?") for n in range(8)]
        await asyncio.gather(
            *(
                system.ask(question, {"fast_mode": bool(n % 2)}, 2)
                for n, question in enumerate(questions)
            )
        )

    asyncio.run(ask_all())
    asyncio.run(ask_all())
    assert embedded == [4]


def test_another_corpus_has_another_identity():
    """Another text in the corpus changes the identity, so that old answers are not reused."""
    other = corpus_of([*CHUNKS[:-1], Chunk(id="pets", text="No pets.", source="lease")])
    changed = ReferenceSystem(other, HashedEmbedder(), ExtractiveGenerator())
    assert changed.identity != reference().identity
    assert reference().identity == reference().identity


def test_an_empty_corpus_is_refused():
    """An empty corpus is reported before any question."""
    with pytest.raises(DatasetError, match="empty"):
        ReferenceSystem(corpus_of([]), HashedEmbedder(), ExtractiveGenerator())


def test_settings_are_declared_with_choices_and_conditions():
    """A wrong name or value is refused before the first call, with a suggestion."""
    system = reference()
    check_settings(system, {"search_dim": 128, "dense_weight": 1, "hyde_enabled": False}, "v")
    with pytest.raises(UseError, match="did you mean 'hyde_enabled'"):
        check_settings(system, {"hyde_enable": True}, "v")
    with pytest.raises(UseError, match="search_dim is 100"):
        check_settings(system, {"search_dim": 100}, "v")
    declared = declared_settings(384)
    assert declared["search_dim"].choices == (None, 128, 256)
    assert declared["drift_filter_enabled"].only_when == {"fast_mode": False}


def test_a_workspace_gives_the_reference_system(tmp_path: Path):
    """Without a corpus the message says how to create one."""
    with pytest.raises(DatasetError, match="assay ingest"):
        load_system("reference", SystemContext(tmp_path))


@pytest.mark.parametrize(
    ("part", "message"),
    [("embedder", "no embedder 'hash'"), ("generator", "no generator 'extract'")],
)
def test_an_unknown_part_is_refused_with_a_suggestion(tmp_path: Path, part: str, message: str):
    """A misspelt embedder or generator is reported with its name."""
    from assay.config.system import ReferenceConfig  # noqa: PLC0415 - only here
    from assay.data.corpus.corpus_files import write_corpus  # noqa: PLC0415

    write_corpus(tmp_path / "chunks", CHUNKS, settings={})
    misspelt: Any = {part: "hash" if part == "embedder" else "extract"}
    context = SystemContext(tmp_path, systems={"mine": ReferenceConfig(**misspelt)})
    with pytest.raises(SystemLoadError, match=message):
        load_system("mine", context)


def _respond(request: dict[str, Any]) -> str:
    """A model that gives the kind of reply that the prompt asks for."""
    text = str(request["messages"])
    if "JSON" in text and "[1]" not in text and "score" not in text.lower():
        return '["deposit amount", "sum of the deposit"]'
    return "The deposit is 4,800 crowns [1]."


def test_variants_of_a_late_stage_share_the_early_calls(tmp_path: Path):
    """Six variants that differ in late stages share the expansion and the hypothetical answer."""
    with ModelServer(respond=_respond) as server:
        config = ModelConfig(
            model="m",
            base_url=server.base_url,
            api_key_env=None,
            price=Price(prompt=1, completion=1),
        )
        cache = CallCache(tmp_path / "calls.sqlite")
        generator = PromptedGenerator(ModelClient(config, cache=cache))
        system = reference(generator=generator)
        variants = [
            Variant(
                name=f"{strategy}-{k}",
                settings={"repack_strategy": strategy, "top_k": k, "llm_rerank_enabled": False},
            )
            for strategy in ("reverse", "forward", "none")
            for k in (2, 3)
        ]
        questions = [Question(id=f"q{n}", text=f"How much is deposit {n}?") for n in range(3)]
        plan = product_plan(
            questions=questions,
            variants=variants,
            placements=[top_k_placement(3)],
            system=system.identity,
        )
        header = RunHeader(
            job="t", name="t", system=system.identity, variants=plan.variants, total=plan.total
        )
        journal = tmp_path / "t.jsonl"
        result = run_plan(
            plan, SystemHandler(system), header, journal, settings=RunSettings(concurrency=6)
        )
        cache.close()
        assert result.tally.scored == 18
        rows = [row for block in read_fields(journal) for row in block]
        assert {row["usage"]["calls"] for row in rows} == {3}
        keys = [call.key for call in server.calls]
        assert len(keys) == len(set(keys))
        signatures = {call for variant in variants for call in system.calls(variant.settings)}
        assert len(signatures) == 1 + 1 + 6
        assert len(keys) <= len(questions) * len(signatures)
        assert sum(row["paid"] for row in rows) == pytest.approx(server.billed({"m": (1, 1)}))


def test_a_corpus_outside_the_workspace_needs_permission(tmp_path: Path):
    """A configured path outside the workspace is refused unless the user allows it."""
    from assay.config.experiment import Defaults  # noqa: PLC0415 - only here
    from assay.config.workspace import Workspace  # noqa: PLC0415 - only here
    from assay.data.corpus.corpus_files import write_corpus  # noqa: PLC0415

    write_corpus(tmp_path / "elsewhere", CHUNKS, settings={})
    (tmp_path / "work").mkdir()
    for allowed in (False, True):
        workspace = Workspace.find(tmp_path / "work", allow_outside_root=allowed)
        context = SystemContext(
            workspace.root,
            defaults=Defaults(chunks_manifest="../elsewhere/manifest.json"),
            locate=workspace.resolve,
        )
        if allowed:
            assert load_system("reference", context).identity
        else:
            with pytest.raises(UseError, match="--allow-outside-root"):
                load_system("reference", context)
