"""The embedded generator on the sample questions: does it quote the right passage, or abstain?

The ten passages are those that the embedded default retrieves in fast mode. Every share is
one of misses, so that fewer is better. With ``XQUAD`` naming a folder of ``xquad.LANG.json``
files, the same is measured there. Run by itself, this file prints what each threshold of
support would do instead; the figures stand in docs/extractive.md.

``gold taken away`` puts the questions whose answer was retrieved to the other passages alone:
nothing there answers them, and their wording is that of the answerable ones.
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
from assay.rag.generate.extractive.generator import THRESHOLD, ExtractiveGenerator
from assay.rag.search.index import SearchIndex
from assay.records import Passage
from assay.systems.reference.system import index_text
from assay.text.citation import extract_citation_numbers, is_no_mention

TOP_K = 10
STEPS = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4)
ENOUGH_MS = 5.0
XQUAD_STEP = 5


class Case(Struct, frozen=True, kw_only=True):
    """A question, the ids that answer it (none: nothing does), and what was retrieved."""

    question: str
    gold: frozenset[str]
    passages: tuple[Passage, ...]

    @property
    def within_reach(self) -> bool:
        """Whether a passage that answers was retrieved."""
        return any(passage.id in self.gold for passage in self.passages)


class Shares(Struct, frozen=True, kw_only=True):
    """What became of a set of questions; ``None`` where there was none of the kind."""

    answerable: int
    first_is_gold: float | None
    quoted_gold: float | None
    given_up: float | None
    unanswerable: int
    abstained: float | None
    abstained_without_gold: float | None
    precision: float | None
    ms: float


class Set(Struct, frozen=True, kw_only=True):
    """Cases over one corpus."""

    name: str
    cases: Sequence[Case]


def measures() -> Iterator[Measure]:
    """Wrong or no quotation, abstentions that were wrong or missing, and time, per language."""
    for one in sets():
        shares = shares_of(one, THRESHOLD)
        rows = {
            f"gold not quoted (of {shares.answerable})": shares.quoted_gold,
            "gold not first, as retrieved": shares.first_is_gold,
            "answered without gold": shares.abstained_without_gold,
            f"unanswerable answered (of {shares.unanswerable})": shares.abstained,
        }
        for title, good in rows.items():
            if good is not None:
                yield _value(f"{one.name} {title}", 1 - good, "")
        if shares.given_up is not None:
            yield _value(f"{one.name} wrongly given up", shares.given_up, "")
        yield _value(f"{one.name} time a question, passages new", shares.ms, "ms", ENOUGH_MS)


def sets() -> Iterator[Set]:
    """The samples by language and, where there is a folder of it, XQuAD."""
    chunks = sample_chunks()
    texts = [index_text(chunk.heading, chunk.text) for chunk in chunks]
    index = asyncio.run(_index(texts))
    bodies = [Passage(id=chunk.id, text=chunk.text, page=chunk.page) for chunk in chunks]
    for language in LANGUAGES:
        asked = [
            (one.question, {c.id for g in one.gold for c in gold_chunks(g, language, chunks)})
            for one in written_questions(language)
        ]
        yield Set(name=language, cases=asyncio.run(_cases(asked, bodies, index)))
    folder = os.environ.get("XQUAD")
    for language in LANGUAGES if folder else ():
        passages, questions = load(Path(folder or "") / f"xquad.{language}.json")
        bodies = [Passage(id=str(n), text=text) for n, text in enumerate(passages)]
        cases = asyncio.run(
            _cases(
                [(question, {str(gold)}) for question, gold in questions[::XQUAD_STEP]],
                bodies,
                asyncio.run(_index(passages)),
            )
        )
        yield Set(name=f"XQuAD {language}", cases=cases)


async def _index(texts: Sequence[str]) -> SearchIndex:
    embedder = HashedEmbedder()
    return SearchIndex(texts, embedder.space(texts, await embedder.embed(texts)))


async def _cases(
    asked: Sequence[tuple[str, set[str]]], bodies: Sequence[Passage], index: SearchIndex
) -> list[Case]:
    cases = []
    for question, gold in asked:
        vector = await index.space.query(question)
        hits = index.hybrid(
            question, vector, dim=None, dense_weight=0.8, lexical_weight=0.2, limit=TOP_K
        )
        passages = _ranked([bodies[hit.number] for hit in hits])
        cases.append(Case(question=question, gold=frozenset(gold), passages=passages))
    return cases


def _ranked(passages: Sequence[Passage]) -> tuple[Passage, ...]:
    return tuple(
        Passage(id=one.id, text=one.text, page=one.page, rank=rank)
        for rank, one in enumerate(passages, 1)
    )


def shares_of(one: Set, threshold: float) -> Shares:
    """What the generator makes of a set with this threshold."""
    generator = ExtractiveGenerator(threshold=threshold)
    reached = [case for case in one.cases if case.within_reach]
    silent = [case for case in one.cases if not case.gold]
    began = time.process_time()
    cited = asyncio.run(_cited(generator, one.cases))
    ms = 1000 * (time.process_time() - began) / len(one.cases)
    said = {case.question: ids for case, ids in zip(one.cases, cited, strict=True)}
    bare = [
        ids is None for ids in asyncio.run(_cited(generator, list(map(_without_gold, reached))))
    ]
    given_up = [said[case.question] is None for case in reached]
    abstained = [said[case.question] is None for case in silent]
    wrong, right = sum(given_up), sum(abstained) + sum(bare)
    return Shares(
        answerable=len(reached),
        first_is_gold=_share([case.passages[0].id in case.gold for case in reached]),
        quoted_gold=_share([bool((said[c.question] or frozenset()) & c.gold) for c in reached]),
        given_up=_share(given_up),
        unanswerable=len(silent),
        abstained=_share(abstained),
        abstained_without_gold=_share(bare),
        precision=right / (right + wrong) if right + wrong else None,
        ms=ms,
    )


async def _cited(
    generator: ExtractiveGenerator, cases: Sequence[Case]
) -> list[frozenset[str] | None]:
    """The ids of the passages quoted for each; ``None`` for an abstention."""
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


def _share(found: Sequence[bool]) -> float | None:
    return sum(found) / len(found) if found else None


def _value(name: str, value: float, unit: str, target: float | None = None) -> Measure:
    return compared(name, [value], "all", [1.0], unit=unit, target=target, bounded="value")


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def main() -> None:
    """Print the shares at every threshold, as rows of a Markdown table."""
    print(
        "| set | threshold | first passage is gold | quoted gold | wrongly given up | abstained: unanswerable"
        " | abstained: gold taken away | precision of abstaining |\n|---|---|---|---|---|---|---|---|"
    )
    for one in sets():
        for threshold in STEPS:
            got = shares_of(one, threshold)
            row = (
                got.first_is_gold,
                got.quoted_gold,
                got.given_up,
                got.abstained,
                got.abstained_without_gold,
            )
            cells = [one.name, f"{threshold:g}", *map(_shown, (*row, got.precision))]
            print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
