"""The built-in generator on the sample questions: does it quote the right passage, or abstain?

The ten passages are those that the built-in default retrieves in fast mode. Every share is a share
of misses, so lower is better. If ``XQUAD`` names a folder with ``xquad.LANG.json`` files, the same
is measured for XQuAD. Run directly, this module prints the results of each threshold of support.
The figures are in docs/evidence/retrieval.md.

``gold removed`` means: the questions whose gold was retrieved are asked with only the other
passages. Nothing in these passages answers them, but the wording is that of answerable questions.
"""

import asyncio
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from measure import Measure, compared
from msgspec import Struct
from xquad import load

from assay.data.samples.sample import LANGUAGES, gold_chunks, sample_chunks, written_questions
from assay.rag.embed.hashed import HashedEmbedder
from assay.rag.generate.extractive import THRESHOLD, ExtractiveGenerator
from assay.rag.search import SearchIndex
from assay.records import Passage
from assay.systems.reference import index_text
from assay.text.citation import extract_citation_numbers, is_no_mention

TOP_K = 10
STEPS = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4)
TARGET_MS = 5.0
XQUAD_STEP = 5


class Case(Struct, frozen=True, kw_only=True):
    """A question, the ids of the passages that answer it, and the retrieved passages.

    ``gold`` is empty if no passage answers the question.
    """

    question: str
    gold: frozenset[str]
    passages: tuple[Passage, ...]

    @property
    def within_reach(self) -> bool:
        """Whether a passage that answers the question was retrieved."""
        return any(passage.id in self.gold for passage in self.passages)


class Shares(Struct, frozen=True, kw_only=True):
    """Results for a set of questions; a share is ``None`` if it is over no question."""

    answerable: int
    first_is_gold: float | None
    quoted_gold: float | None
    wrongly_abstained: float | None
    unanswerable: int
    abstained: float | None
    abstained_without_gold: float | None
    precision: float | None
    ms: float


class CaseSet(Struct, frozen=True, kw_only=True):
    """Named cases that share a corpus."""

    name: str
    cases: Sequence[Case]


def measures() -> Iterator[Measure]:
    """Measure wrong quotations, wrong and missing abstentions, and time, for each language."""
    for case_set in case_sets():
        shares = shares_of(case_set, THRESHOLD)
        rows = {
            f"gold not quoted (of {shares.answerable})": shares.quoted_gold,
            "gold not first, as retrieved": shares.first_is_gold,
            "answered without gold": shares.abstained_without_gold,
            f"unanswerable answered (of {shares.unanswerable})": shares.abstained,
        }
        for title, hits in rows.items():
            if hits is not None:
                yield _value(f"{case_set.name} {title}", 1 - hits, "")
        if shares.wrongly_abstained is not None:
            yield _value(f"{case_set.name} wrongly abstained", shares.wrongly_abstained, "")
        yield _value(f"{case_set.name} time per question, new passages", shares.ms, "ms", TARGET_MS)


def case_sets() -> Iterator[CaseSet]:
    """The samples of each language and, if ``XQUAD`` names its folder, XQuAD."""
    chunks = sample_chunks()
    texts = [index_text(chunk.heading, chunk.text) for chunk in chunks]
    index = asyncio.run(_index(texts))
    bodies = [Passage(id=chunk.id, text=chunk.text, page=chunk.page) for chunk in chunks]
    for language in LANGUAGES:
        questions = [
            (
                written.question,
                {c.id for g in written.gold for c in gold_chunks(g, language, chunks)},
            )
            for written in written_questions(language)
        ]
        yield CaseSet(name=language, cases=asyncio.run(_cases(questions, bodies, index)))
    folder = os.environ.get("XQUAD")
    for language in LANGUAGES if folder else ():
        passages, numbered = load(Path(folder or "") / f"xquad.{language}.json")
        bodies = [Passage(id=str(n), text=text) for n, text in enumerate(passages)]
        cases = asyncio.run(
            _cases(
                [(question, {str(gold)}) for question, gold in numbered[::XQUAD_STEP]],
                bodies,
                asyncio.run(_index(passages)),
            )
        )
        yield CaseSet(name=f"XQuAD {language}", cases=cases)


async def _index(texts: Sequence[str]) -> SearchIndex:
    embedder = HashedEmbedder()
    return SearchIndex(texts, embedder.space(texts, await embedder.embed(texts)))


async def _cases(
    questions: Sequence[tuple[str, set[str]]], bodies: Sequence[Passage], index: SearchIndex
) -> list[Case]:
    cases = []
    for question, gold in questions:
        vector = await index.space.query(question)
        hits = index.hybrid(
            question, vector, dim=None, dense_weight=0.8, lexical_weight=0.2, limit=TOP_K
        )
        passages = _ranked([bodies[hit.number] for hit in hits])
        cases.append(Case(question=question, gold=frozenset(gold), passages=passages))
    return cases


def _ranked(passages: Sequence[Passage]) -> tuple[Passage, ...]:
    return tuple(
        Passage(id=passage.id, text=passage.text, page=passage.page, rank=rank)
        for rank, passage in enumerate(passages, 1)
    )


def shares_of(case_set: CaseSet, threshold: float) -> Shares:
    """The results of the generator with this threshold."""
    generator = ExtractiveGenerator(threshold=threshold)
    answerable = [case for case in case_set.cases if case.within_reach]
    unanswerable = [case for case in case_set.cases if not case.gold]
    began = time.process_time()
    cited_ids = asyncio.run(_cited(generator, case_set.cases))
    ms = 1000 * (time.process_time() - began) / len(case_set.cases)
    cited = {case.question: ids for case, ids in zip(case_set.cases, cited_ids, strict=True)}
    without_gold = asyncio.run(_cited(generator, list(map(_without_gold, answerable))))
    abstained_without_gold = [ids is None for ids in without_gold]
    wrongly_abstained = [cited[case.question] is None for case in answerable]
    abstained = [cited[case.question] is None for case in unanswerable]
    wrong, right = sum(wrongly_abstained), sum(abstained) + sum(abstained_without_gold)
    return Shares(
        answerable=len(answerable),
        first_is_gold=_share([case.passages[0].id in case.gold for case in answerable]),
        quoted_gold=_share([bool((cited[c.question] or frozenset()) & c.gold) for c in answerable]),
        wrongly_abstained=_share(wrongly_abstained),
        unanswerable=len(unanswerable),
        abstained=_share(abstained),
        abstained_without_gold=_share(abstained_without_gold),
        precision=right / (right + wrong) if right + wrong else None,
        ms=ms,
    )


async def _cited(
    generator: ExtractiveGenerator, cases: Sequence[Case]
) -> list[frozenset[str] | None]:
    """The ids of the passages quoted for each case; ``None`` for an abstention."""
    cited: list[frozenset[str] | None] = []
    for case in cases:
        text = await generator.answer(case.question, case.passages, "index")
        numbers = extract_citation_numbers(text)
        ids = frozenset(case.passages[number - 1].id for number in numbers)
        cited.append(None if is_no_mention(text) else ids)
    return cited


def _without_gold(case: Case) -> Case:
    others = [passage for passage in case.passages if passage.id not in case.gold]
    return Case(question=case.question, gold=frozenset(), passages=_ranked(others))


def _share(flags: Sequence[bool]) -> float | None:
    return sum(flags) / len(flags) if flags else None


def _value(name: str, value: float, unit: str, target: float | None = None) -> Measure:
    return compared(name, [value], "all", [1.0], unit=unit, target=target, bounded="value")


def _share_text(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def main() -> None:
    """Print the shares at each threshold as a Markdown table."""
    print(
        "| set | threshold | first passage is gold | quoted gold | wrongly abstained | abstained: unanswerable"
        " | abstained: gold removed | precision of abstaining |\n|---|---|---|---|---|---|---|---|"
    )
    for case_set in case_sets():
        for threshold in STEPS:
            shares = shares_of(case_set, threshold)
            row = (
                shares.first_is_gold,
                shares.quoted_gold,
                shares.wrongly_abstained,
                shares.abstained,
                shares.abstained_without_gold,
                shares.precision,
            )
            cells = [case_set.name, f"{threshold:g}", *map(_share_text, row)]
            print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
