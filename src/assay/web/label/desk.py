"""Labelling a run: what is shown, what is next, and what is written.

A desk belongs to one opened run. It reads the file of labels again for each request: other people
write to it too.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
from aiohttp import web

from assay.errors import UseError
from assay.judge.draw import drawn_order
from assay.judge.label import Label, Preference, current
from assay.judge.label_store import append, labels_path, pairs_path, read_labels, read_preferences
from assay.judge.people_agreement import agreement, disagreements
from assay.mask import mask_identifier
from assay.results.results import CasePlace
from assay.runs.redaction import follow_run
from assay.stats.interval import wilson
from assay.stats.scores import ANSWERED, SCORED
from assay.study.labelled import answer_hashes, labelled_cases
from assay.web.api import in_thread, json_reply, read_body, whole
from assay.web.compare_view import interval_view
from assay.web.item import answer_text, item_view, row_fields
from assay.web.label.api import (
    Disagreement,
    LabelBoard,
    LabelledAnswer,
    LabelPair,
    LabelPerson,
    LabelPlace,
    LabelSaved,
    LabelTask,
    NewLabel,
    NewPreference,
    OwnLabel,
    PairCount,
)
from assay.web.library import Library
from assay.web.query import unsure_cases
from assay.web.run_index import RunIndex
from assay.words.message import message

UNDECIDED = ("equal", "unclear")


class Desk:
    """The labels of one run, for reading and writing; ``pair`` restricts it to two variants."""

    def __init__(self, index: RunIndex, run_id: str, pair: Sequence[str] = ()) -> None:
        self.index = index
        self.run_id = run_id
        self.path: Path = labels_path(index.path)
        self._scores = index.findings.results.scores
        self._pair = tuple(sorted(pair))
        unknown = [name for name in pair if name not in self._scores.variants]
        if unknown or len(pair) not in {0, 2} or len(set(pair)) < len(pair):
            raise UseError("a preference is between two different variants of the run")

    def task(self, item: int, labeller: str, *, is_blind: bool) -> LabelTask:
        """One question with the answers to be labelled."""
        labeller = mask_identifier(labeller)
        view = item_view(self.index, item)
        passages = {answer.variant: answer for answer in view.answers}
        own = self._own(labeller, view.id)
        answers = [
            LabelledAnswer(
                hash=known,
                text=passages[names[0]].answer or "",
                is_cut=passages[names[0]].is_cut,
                variants=() if is_blind else tuple(names),
                passages=passages[names[0]].passages,
                label=next((own[name, known] for name in names if (name, known) in own), None),
            )
            for known, names in self._answers(item).items()
        ]
        if is_blind:
            answers.sort(key=lambda each: _shuffled(labeller, self.run_id, view.id, each.hash))
        return LabelTask(
            item=item,
            id=view.id,
            question=view.question,
            source=view.source,
            expected=view.expected,
            answers=tuple(answers),
            is_blind=is_blind,
            chosen=self._chosen(item, labeller),
        )

    def place(self, labeller: str, after: int) -> LabelPlace:
        """The next question after ``after`` with an answer that the person has not labelled."""
        labeller = mask_identifier(labeller)  # as it is written
        has_answer = np.isin(self._scores.status, (SCORED, ANSWERED))
        if self._pair:
            done, different = self._preferred(labeller), self._different()
            waiting = np.zeros(has_answer.shape[1], np.bool_)
            waiting[[item for item in different if item not in done]] = True
            finished, everything = len(done.intersection(different)), len(different)
        else:
            labelled = self._labelled(labeller)
            open_cases = has_answer.copy()
            for item, variant in labelled:
                open_cases[variant, item] = False
            waiting = np.logical_or.reduce(open_cases, axis=0)
            finished, everything = len(labelled), int(np.count_nonzero(has_answer))
        return LabelPlace(item=self._next(waiting, after), done=finished, total=everything)

    def save(self, new: NewLabel) -> LabelSaved:
        """Write a label for every variant with this answer."""
        names = self._answers(new.item).get(new.answer_hash)
        if not names:
            raise UseError("the answer has changed since it was shown; load the question again")
        text = self._text(new.item, names[0])
        if new.span is not None and not 0 <= new.span[0] < new.span[1] <= len(text):
            raise UseError("the span is not a part of the answer")
        fields = {
            "run": self.run_id,
            "case_id": self._scores.items[new.item],
            "answer_hash": new.answer_hash,
            "labeller": new.labeller.strip(),
            "time": "",
            "verdict": new.verdict,
            "span": new.span,
            "comment": new.comment or None,
            "corrected_answer": new.corrected_answer or None,
            "blind": new.is_blind,
        }
        rows = [_checked(fields | {"variant": name}, Label) for name in names]
        return _saved(append(self.path, row)[1] for row in rows)

    def prefer(self, new: NewPreference) -> LabelSaved:
        """Write a preference."""
        hashes = {name: known for known, names in self._answers(new.item).items() for name in names}
        first, second = (hashes.get(name) for name in self._pair)
        sides = {first: "first", second: "second"}
        if first is None or second is None or new.chosen not in {*sides, *UNDECIDED}:
            raise UseError(
                "the answers have changed since they were shown; load the question again"
            )
        fields = {
            "run": self.run_id,
            "case_id": self._scores.items[new.item],
            "variant": self._pair[0],
            "other_variant": self._pair[1],
            "answer_hash": first,
            "other_answer_hash": second,
            "labeller": new.labeller.strip(),
            "time": "",
            "choice": "equal" if first == second else sides.get(new.chosen, new.chosen),
            "comment": new.comment or None,
            "blind": new.is_blind,
        }
        return _saved([append(pairs_path(self.path), _checked(fields, Preference))[1]])

    def valid(self, labels: Iterable[Label]) -> dict[CasePlace, list[Label]]:
        """The labels of present answers, by case."""
        cases = labelled_cases(self.index.findings.results, labels)
        hashes = self.hashes(cases)
        valid = {
            case: [label for label in said if label.answer_hash == hashes.get(case)]
            for case, said in cases.items()
        }
        return {case: said for case, said in valid.items() if said}

    def hashes(self, cases: Iterable[CasePlace]) -> dict[CasePlace, str]:
        """The hashes of these answers; they are remembered as long as the run is open."""
        known = self.index.hashes
        wanted = list(cases)
        missing = [case for case in wanted if case not in known]
        if missing:
            read = answer_hashes(self.index.findings.results, missing)
            known.update({case: read.get(case, "") for case in missing})
        return {case: known[case] for case in wanted if known[case]}

    def valid_preferences(self) -> list[Preference]:
        """The preferences between present answers."""
        items = {name: number for number, name in enumerate(self._scores.items)}
        numbers = {name: number for number, name in enumerate(self._scores.variants)}
        placed = [
            (
                row,
                (items[row.case_id], numbers[row.variant]),
                (items[row.case_id], numbers[row.other_variant]),
            )
            for row in current(read_preferences(pairs_path(self.path)))
            if row.case_id in items and row.variant in numbers and row.other_variant in numbers
        ]
        hashes = self.hashes([case for _, *cases in placed for case in cases])
        return [
            row
            for row, first, second in placed
            if row.answer_hash == hashes.get(first) and row.other_answer_hash == hashes.get(second)
        ]

    def _answers(self, item: int) -> dict[str, list[str]]:
        """The hashes of the answers of an item, each with the variants that gave it."""
        if not 0 <= item < len(self._scores.items):
            raise UseError(
                message("no question {name}: the run has {n}", name=item, n=len(self._scores.items))
            )
        chosen = self._pair or self._scores.variants
        cases = [(item, self._scores.variants.index(name)) for name in chosen]
        answers: dict[str, list[str]] = {}
        for (_, variant), known in self.hashes(cases).items():
            answers.setdefault(known, []).append(self._scores.variants[variant])
        return answers

    def _text(self, item: int, variant: str) -> str:
        line = self.index.row(item, self._scores.variants.index(variant))
        return answer_text(row_fields(line)) or ""

    def _own(self, labeller: str, case: str) -> dict[tuple[str, str], OwnLabel]:
        """The person's labels of a question, by variant and hash."""
        return {
            (label.variant, label.answer_hash): OwnLabel(
                verdict=label.verdict,
                span=label.span,
                comment=label.comment,
                corrected_answer=label.corrected_answer,
                time=label.time,
            )
            for label in current(read_labels(self.path))
            if label.labeller == labeller and label.case_id == case
        }

    def _labelled(self, labeller: str) -> set[CasePlace]:
        own = [label for label in read_labels(self.path) if label.labeller == labeller]
        return set(self.valid(own))

    def _preferred(self, labeller: str) -> set[int]:
        items = {name: number for number, name in enumerate(self._scores.items)}
        return {
            items[row.case_id]
            for row in self.valid_preferences()
            if row.labeller == labeller and (row.variant, row.other_variant) == self._pair
        }

    def _different(self) -> list[int]:
        """The items with two different answers of the pair: only these can be compared."""
        numbers = [self._scores.variants.index(name) for name in self._pair]
        items = range(len(self._scores.items))
        hashes = self.hashes([(item, number) for item in items for number in numbers])
        pairs = [tuple(hashes.get((item, number)) for number in numbers) for item in items]
        return [item for item, (a, b) in enumerate(pairs) if a and b and a != b]

    def _chosen(self, item: int, labeller: str) -> str:
        if not self._pair:
            return ""
        for row in self.valid_preferences():
            is_pair = (row.variant, row.other_variant) == self._pair
            if is_pair and row.labeller == labeller and row.case_id == self._scores.items[item]:
                sides = {"first": row.answer_hash, "second": row.other_answer_hash}
                return sides.get(row.choice, row.choice)
        return ""

    def _queue(self) -> list[int]:
        """The questions in the order of labelling.

        Drawn answers come first, in the order of their draw: they correct rates as far as they are
        labelled without a gap. Then come questions with an answer that a check is unsure of.
        """
        order: list[int] = self.index.order.tolist()
        if self._pair:
            return order
        names = {name: number for number, name in enumerate(self._scores.items)}
        drawn = [names[name] for name, *_ in drawn_order(self.index.path) if name in names]
        unsure = np.logical_or.reduce(unsure_cases(self.index), axis=0)
        return list(dict.fromkeys([*drawn, *sorted(order, key=lambda item: not unsure[item])]))

    def _next(self, waiting: Any, after: int) -> int | None:
        """The first waiting item after an item in the order of labelling; then from the start."""
        order = self._queue()
        start = order.index(after) + 1 if after in order else 0
        turned = [*order[start:], *order[:start]]
        return next((int(item) for item in turned if waiting[item]), None)


def _shuffled(*words: str) -> bytes:
    return hashlib.sha256("\x1f".join(words).encode()).digest()


def _checked(fields: dict[str, Any], kind: type[Any]) -> Any:
    try:
        return msgspec.convert(fields, kind)
    except msgspec.ValidationError as error:
        if "labeller" in str(error):
            raise UseError("say who labels: a name of at most 80 characters on one line") from None
        raise UseError(f"not a label: {error}") from None


def _saved(written: Iterable[bool]) -> LabelSaved:
    flags = list(written)
    return LabelSaved(rows=len(flags), written=sum(flags))


# The labels of a run as the page shows them: people, agreement, disagreements, preferences.

MOST_SHOWN: Final = 200
"""How many disagreements are listed."""


def label_board(desk: Desk) -> LabelBoard:
    """Everything about the labels of a run."""
    every = current(read_labels(desk.path))
    valid = desk.valid(every)
    labels = [label for said in valid.values() for label in said]
    found, differing = agreement(labels), disagreements(labels)
    status = desk.index.findings.results.scores.status
    return LabelBoard(
        file=f"labels/{desk.path.name}",
        answers=int(np.count_nonzero(np.isin(status, (SCORED, ANSWERED)))),
        labelled=len(valid),
        distinct=found.answers,
        outdated=len(every) - len(labels),
        people=tuple(
            LabelPerson(name=name, verdicts=verdicts)
            for name, verdicts in zip(found.people, found.verdicts, strict=True)
        ),
        shared=found.n,
        alpha=found.alpha,
        interval=interval_view(found.interval),
        pairs=tuple(
            LabelPair(
                first=pair.first,
                second=pair.second,
                n=pair.n,
                same=pair.same,
                kappa=pair.kappa,
                interval=interval_view(pair.interval),
            )
            for pair in found.pairs
        ),
        disagreements=_disagreements(desk, valid, differing[:MOST_SHOWN]),
        disagreement_count=len(differing),
        preferences=_preferences(desk.valid_preferences()),
    )


def _disagreements(
    desk: Desk, valid: Mapping[CasePlace, Sequence[Label]], differing: Sequence[Sequence[Label]]
) -> tuple[Disagreement, ...]:
    items = {
        (label.case_id, label.variant): item for (item, _), said in valid.items() for label in said
    }
    return tuple(
        Disagreement(
            item=items[said[0].case_id, said[0].variant],
            id=said[0].case_id,
            question=desk.index.listed.questions[items[said[0].case_id, said[0].variant]],
            variants=tuple(dict.fromkeys(label.variant for label in said)),
            said=tuple(
                dict.fromkeys(
                    (label.labeller, label.verdict, label.comment or "") for label in said
                )
            ),
        )
        for said in differing
    )


def _preferences(rows: Sequence[Preference]) -> tuple[PairCount, ...]:
    """How often which variant won; one person's preference on one question is one vote."""
    votes = Counter((row.variant, row.other_variant, row.choice) for row in rows)
    pairs = sorted({(row.variant, row.other_variant) for row in rows})
    return tuple(
        PairCount(
            first=first,
            second=second,
            first_wins=(wins := votes[first, second, "first"]),
            second_wins=(losses := votes[first, second, "second"]),
            equal=votes[first, second, "equal"],
            unclear=votes[first, second, "unclear"],
            interval=interval_view(wilson(wins, wins + losses)),
        )
        for first, second in pairs
    )


# The calls of labelling.


def add_label_calls(app: web.Application, api: str, library: Library) -> None:
    """Add the calls of labelling to the server."""
    calls = LabelCalls(library)
    app.router.add_get(f"{api}/runs/{{run}}/labels", calls.board)
    app.router.add_get(f"{api}/runs/{{run}}/labels/next", calls.next)
    app.router.add_get(f"{api}/runs/{{run}}/labels/items/{{item}}", calls.task)
    app.router.add_post(f"{api}/runs/{{run}}/labels", calls.label)
    app.router.add_post(f"{api}/runs/{{run}}/preferences", calls.prefer)


class LabelCalls:
    """The calls of labelling. A run is not analysed again because of a new label here."""

    def __init__(self, library: Library) -> None:
        self._library = library

    async def board(self, request: web.Request) -> web.Response:
        """People, agreement, disagreements."""
        return await self._reply(request, label_board)

    async def next(self, request: web.Request) -> web.Response:
        """The next question to label."""
        labeller, after = _labeller(request), request.query.get("after", "")
        place = whole(after) if after else -1
        return await self._reply(request, lambda desk: desk.place(labeller, place))

    async def task(self, request: web.Request) -> web.Response:
        """One question to label."""
        item, labeller = whole(request.match_info["item"]), _labeller(request)
        is_blind = request.query.get("blind") == "true"
        return await self._reply(request, lambda desk: desk.task(item, labeller, is_blind=is_blind))

    async def label(self, request: web.Request) -> web.Response:
        """Write a label."""
        new = await read_body(request, NewLabel)
        return await self._reply(request, lambda desk: desk.save(new), is_change=True)

    async def prefer(self, request: web.Request) -> web.Response:
        """Write a preference."""
        new = await read_body(request, NewPreference)
        return await self._reply(request, lambda desk: desk.prefer(new), new.pair, is_change=True)

    async def _reply(
        self,
        request: web.Request,
        work: Callable[[Desk], Any],
        pair: tuple[str, ...] | None = None,
        *,
        is_change: bool = False,
    ) -> web.Response:
        run_id = request.match_info["run"]
        names = tuple(request.query.getall("pair", [])) if pair is None else pair

        def make(_: Callable[[], bool]) -> Any:
            index = self._library.open(run_id, with_labels=False)
            if is_change:
                follow_run(index.path, is_needed=True)
            return work(Desk(index, run_id, names))

        return json_reply(await in_thread(make))


def _labeller(request: web.Request) -> str:
    return request.query.get("labeller", "").strip()
