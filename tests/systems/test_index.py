"""The reference system with either index, which is built before questions are timed."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from assay.config.system import ReferenceConfig
from assay.data.corpus.chunk import Chunk
from assay.data.corpus.corpus_files import write_corpus
from assay.errors import UseError
from assay.records import Answer, Question
from assay.systems.load import SystemContext, load_system
from assay.systems.reference import ReferenceSystem

CHUNKS = [
    Chunk(
        id=f"c{number}",
        text=f"Rule {number}: berth {number} costs {7 * number} crowns.",
        source="s",
    )
    for number in range(1, 60)
]
QUESTION = Question(id="q", text="What does berth 17 cost?")


def system(root: Path, **config: Any) -> ReferenceSystem:
    """The system with the corpus of berths, loaded as in a workspace."""
    write_corpus(root / "chunks", CHUNKS, settings={})
    loaded = load_system("mine", SystemContext(root, systems={"mine": ReferenceConfig(**config)}))
    assert isinstance(loaded, ReferenceSystem)
    return loaded


def stored_dimensions(root: Path) -> list[str]:
    """The dimensions of the graphs on disk."""
    return sorted(path.name.split("-")[2] for path in (root / "embeddings").glob("dense-*.usearch"))


def test_usearch_answers_as_the_exact_index_does(tmp_path: Path):
    """On a small corpus both indexes give the same answers; their identities differ."""
    answers: list[Answer] = []
    systems = [system(tmp_path, index="exact"), system(tmp_path, index="usearch")]
    for loaded in systems:
        answers += [
            asyncio.run(loaded.ask(QUESTION, settings, 5))
            for settings in ({}, {"fast_mode": True, "search_dim": 128})
        ]
    assert [answer.text for answer in answers[:2]] == [answer.text for answer in answers[2:]]
    for exact, approximate in zip(answers[:2], answers[2:], strict=True):
        assert [hit.id for hit in exact.passages] == [hit.id for hit in approximate.passages]
        assert [hit.score for hit in exact.passages] == pytest.approx(
            [hit.score for hit in approximate.passages], abs=2e-6
        )
    assert systems[1].identity == f"{systems[0].identity}:usearch"


def test_dimensions_of_checked_variants_are_ready_before_the_first_question(tmp_path: Path):
    """``prepare`` builds the checked dimensions; another one is built when it is first used."""
    loaded = system(tmp_path, index="usearch")
    for settings in ({"search_dim": 128}, {}, {"search_dim": 128, "fast_mode": True}):
        loaded.check(settings)
    asyncio.run(loaded.prepare())
    assert stored_dimensions(tmp_path) == ["128", "2048"]
    assert asyncio.run(loaded.ask(QUESTION, {"search_dim": 128}, 3)).latency_s is None
    assert asyncio.run(loaded.ask(QUESTION, {"search_dim": 256}, 3)).latency_s is not None
    assert stored_dimensions(tmp_path) == ["128", "2048", "256"]


def test_a_missing_library_is_reported_when_the_system_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """A missing library is reported before anything is embedded; the exact index works."""
    monkeypatch.setitem(sys.modules, "usearch.index", None)
    with pytest.raises(
        UseError, match=r"index: usearch needs .*: pip install 'assay-eval\[usearch\]'$"
    ):
        system(tmp_path, index="usearch")
    assert not (tmp_path / "embeddings").exists()
    assert asyncio.run(system(tmp_path).ask(QUESTION, {}, 3)).passages


def test_an_index_that_does_not_exist_is_refused():
    """The configuration accepts the two existing indexes only."""
    with pytest.raises(msgspec.ValidationError, match="Invalid enum value 'faiss'"):
        msgspec.convert({"kind": "reference", "index": "faiss"}, ReferenceConfig)
