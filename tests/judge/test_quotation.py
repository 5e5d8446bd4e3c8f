"""Checking evidence against a clause: the two stages, and the labelled benchmark."""

import asyncio
import json
from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest

from assay.checks.quotation import THRESHOLD, Verification
from assay.judge.verifier import AligningReranker, Reranked, verify_quotation_with
from assay.rag.embed.protocol import Space, Vectors
from tests.support.path import JUDGED

DATA = JUDGED / "verifier"
CLAUSE = (
    "The ferry leaves at dawn. The Pilot rings a bell 3 times before departure. Passengers may not"
    " carry lanterns. The fare is 12 crowns, payable on board. Dogs travel free."
)


class LengthReranker:
    """Scores each candidate by its length / 1000, and records the calls."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, list[str], str]] = []

    @property
    def identity(self) -> str:
        """Required by the protocol."""
        return "length"

    async def rerank(
        self, evidence: str, candidates: Sequence[str], *, clause: str
    ) -> list[Reranked]:
        """Score each candidate by its length."""
        self.calls.append((evidence, list(candidates), clause))
        return [
            Reranked(score=len(candidate) / 1000, reasons=(candidate[:3],))
            for candidate in candidates
        ]


class LetterEmbedder:
    """Embeds texts as counts of letters, and records the calls."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    @property
    def identity(self) -> str:
        """Required by the protocol."""
        return "letters"

    @property
    def size(self) -> int:
        """Required by the protocol."""
        return 26

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Count the letters of each text."""
        self.calls.append(list(texts))
        letters = "abcdefghijklmnopqrstuvwxyz"
        rows = [[float(text.lower().count(letter)) for letter in letters] for text in texts]
        return np.array(rows, dtype=np.float32)

    def space(self, texts: Sequence[str], vectors: Vectors) -> Space:
        """Fail, because verification must compare the vectors directly."""
        raise AssertionError("verification must not build a search space")

    async def close(self) -> None:
        """Do nothing."""


def check(evidence: str, clause: str = CLAUSE) -> Verification:
    """The result with the default embedder and reranker."""
    return asyncio.run(verify_quotation_with(evidence, clause))


def test_a_valid_quotation_has_its_sentence_and_both_scores():
    """The candidate is the sentence, its span points into the clause, and scores are in 0..1."""
    result = check("the fare is 12 crowns")
    assert result.valid
    assert result.candidate is not None
    assert result.candidate.text == "The fare is 12 crowns, payable on board."
    assert result.candidate.span.of(CLAUSE) == result.candidate.text
    assert result.score == result.candidate.score == 1.0
    assert result.embedding_score is not None
    assert 0.5 < result.embedding_score <= 1.0
    assert result.threshold == THRESHOLD
    assert result.reasons == ()


def test_the_reasons_name_the_change():
    """An altered quotation is not valid, and its reasons name the change."""
    result = check("The Pilot rings a bell 5 times before departure")
    assert not result.valid
    assert result.reasons == ("number changed: 3 -> 5",)
    assert result.candidate is not None
    assert result.candidate.text.startswith("The Pilot")


def test_a_quotation_may_span_sentences():
    """The candidate of a quotation from two sentences contains both sentences."""
    result = check("Passengers may not carry lanterns. The fare is 12 crowns")
    assert result.valid
    assert result.candidate is not None
    assert result.candidate.text.startswith("Passengers")
    assert "12 crowns" in result.candidate.text


def test_the_reranker_gets_only_the_top_candidates():
    """Stage 2 gets ``top`` candidates, and the best of its scores decides."""
    reranker = LengthReranker()
    result = asyncio.run(
        verify_quotation_with("the fare of 12", CLAUSE, reranker=reranker, top=2, threshold=0.05)
    )
    ((evidence, candidates, clause),) = reranker.calls
    assert (evidence, clause) == ("the fare of 12", CLAUSE)
    assert len(candidates) == 2
    assert [candidate.score for candidate in result.candidates] == sorted(
        (len(candidate) / 1000 for candidate in candidates), reverse=True
    )
    assert result.valid == (result.candidates[0].score >= 0.05)
    assert result.reasons == result.candidates[0].reasons


def test_the_threshold_is_inclusive():
    """A score that equals the threshold is valid, a lower one is not."""
    score = check("The Pilot rings a bell 5 times before departure").score
    assert score is not None
    for threshold, valid in ((score, True), (score + 1e-9, False)):
        result = asyncio.run(
            verify_quotation_with(
                "The Pilot rings a bell 5 times before departure", CLAUSE, threshold=threshold
            )
        )
        assert result.valid is valid


def test_another_embedder_is_called_once():
    """Any embedder can be used; it gets the evidence and all sentences in one call."""
    embedder = LetterEmbedder()
    result = asyncio.run(verify_quotation_with("Dogs travel free", CLAUSE, embedder=embedder))
    assert result.valid
    (texts,) = embedder.calls
    assert texts[0] == "Dogs travel free"
    assert len(texts) == 6


@pytest.mark.parametrize(("evidence", "clause"), [("", CLAUSE), ("  \n", CLAUSE), ("fare", " ")])
def test_nothing_to_compare_has_no_score(evidence: str, clause: str):
    """Without text in the evidence or the clause there is no score, and it is not valid."""
    result = check(evidence, clause)
    assert result == Verification(valid=False, threshold=THRESHOLD)
    assert result.score is None


@pytest.mark.parametrize("evidence", ["—", "the of", "☃"])
def test_evidence_without_words_is_not_valid(evidence: str):
    """Evidence of symbols or stop words is not valid if the clause does not contain it."""
    assert not check(evidence).valid


def test_the_aligner_has_an_identity():
    """The identity is stored with the scores and must change when the algorithm changes."""
    assert AligningReranker().identity == "aligner-8"


@cache
def _verdicts(part: str) -> tuple[tuple[str, bool, bool], ...]:
    """Kind, label and verdict of every pair, without the texts, so that no failure shows them."""
    lines = (DATA / f"{part}.jsonl").read_text(encoding="utf-8").splitlines()

    async def verify_pairs() -> list[tuple[str, bool, bool]]:
        return [
            (
                pair["kind"],
                pair["label"] == "valid",
                (await verify_quotation_with(pair["evidence"], pair["clause"])).valid,
            )
            for pair in map(json.loads, lines)
        ]

    return tuple(asyncio.run(verify_pairs()))


@pytest.mark.parametrize("part", ["dev", "held_back"])
def test_altered_and_invented_quotations_are_refused(part: str):
    """Of changed numbers, turned negations, other parties and inventions, at most one is accepted."""
    refused = [not verdict for _, label, verdict in _verdicts(part) if not label]
    assert refused.count(False) <= 1


@pytest.mark.parametrize("part", ["dev", "held_back"])
def test_literal_quotations_are_never_refused(part: str):
    """Verbatim quotations and changes of punctuation or width are all valid."""
    literal = [
        verdict for kind, _, verdict in _verdicts(part) if kind in {"verbatim", "punctuation_width"}
    ]
    assert literal
    assert all(literal)


def test_the_benchmark_is_large_enough():
    """The benchmark has at least 300 pairs, and its two parts have no clause in common."""
    clauses = []
    for part in ("dev", "held_back"):
        lines = (DATA / f"{part}.jsonl").read_text(encoding="utf-8").splitlines()
        clauses.append({json.loads(line)["clause"] for line in lines})
    assert len(_verdicts("dev")) + len(_verdicts("held_back")) >= 300
    assert not clauses[0] & clauses[1]
