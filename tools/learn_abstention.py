"""Write ``scorers/abstention/opinion.json``: what each term says about an answer that has it.

Learns from the labelled answers in ``bench/detectors/data``. To teach the detector a new way of
refusing, or of answering with a "not", add labelled answers there and run

    python tools/learn_abstention.py

It takes some minutes. Then ``python bench/detect.py abstention`` shows how well all of them are told
apart now; only answers of somebody who has not seen them say how well new ones will be.

    python tools/learn_abstention.py --without "nineteenth author"

learns from all others, judges the answers of this author, and writes nothing.

Three things are learned. *Whole* weights: a logistic regression over the terms of an answer.
*Sentence* weights: an answer abstains by the soft maximum of how much its sentences refuse, less the
soft maximum of how much they answer; where the author said which sentences refuse and which answer
(``classes``), each is learned from by itself, too. The *balance* between these two and the rules: a logistic regression
over what they say of authors that neither the weights nor the rules were made on.
"""

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
from msgspec.structs import astuple
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from assay.scorers.abstention import opinion, verdict
from assay.scorers.abstention.opinion import Balance, Marked, Weights
from assay.scorers.abstention.setting import Setting
from assay.text import Span

ROOT: Final = Path(__file__).parent.parent
DATA: Final = ROOT / "bench" / "detectors" / "data"
WEIGHTS: Final = ROOT / "src" / "assay" / "scorers" / "abstention" / "opinion.json"
SAMPLES: Final = ROOT / "src" / "assay" / "data" / "samples"
PASSAGES: Final = "passages of the sample documents"
SHORTEST_PASSAGE: Final = 60
LEAST_ANSWERS: Final = 16
"""A term that fewer answers have, each once as it is and once framed, is not learned."""
LEAST_WEIGHT: Final = 0.3
"""A weight that is smaller is written as zero; weights go up to about 10."""
EXAMPLES: Final = "examples of the tests"
LESSER_WEIGHT: Final = 0.6
"""The examples of the tests are many variants of few sentences, and passages are no answers, so each counts
less than an answer."""
FRAMED_WEIGHT: Final = 0.3
"""Each answer is also learned in one of the frames of ``frame.json``, which say nothing either way."""
WHOLE_STRENGTH: Final = 20.0
SENTENCE_PENALTY: Final = 0.05
"""How far weights may grow; chosen by leaving out authors."""
FOLDS: Final = 5
MOST_EVENED: Final = 4.0
"""No answer weighs more than so many where refusals and answers of a kind of question are evened out."""
CLASSES_SHARE: Final = 0.5
"""How much the class of a sentence counts, beside the label of its answer."""
OVERLAP: Final = 3
"""A sentence has the class of a stretch with which it shares so many characters."""
UNSEEN: Final = re.compile(r"(?:twenty-(?!first)|(?:thir|for|fif|six|seven|eigh)t(?:ieth|y-))\S* author")
"""The names of the authors on whose answers no rule was written: the twenty-second and later ones."""
CAUTION: Final = 1.0
"""By so much the log odds must exceed zero. A wrong "it abstains" is worse than one that was missed:
it takes an answer for none."""
CAUTION_IN_BRIEF: Final = 0.3
"""By so much more where the rules find no refusal in a brief answer."""
TRUST: Final = 0.8
"""By so much less if the rules find a refusal and no claim."""
DOUBT: Final = 0.7
"""By so much more if they find no refusal: the authors wrote as many refusals as answers, users get fewer. All
four were chosen on unseen authors of ordinary answers and on public answers and passages, for a precision of .97."""

Answer = dict[str, Any]
Floats = NDArray[np.float64]


class Table(NamedTuple):
    """The answers as numbers: a row for each answer or sentence, a column for each term."""

    whole: csr_matrix
    sentences: csr_matrix
    owner: NDArray[np.int64]
    settings: Floats
    labels: Floats
    importance: Floats
    classes: NDArray[np.float64]
    """For each sentence whether it refuses and whether it answers; NaN if its author did not say."""


def main() -> None:
    """Learn the weights, and write them or judge the answers of one author."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--without", metavar="AUTHOR", help="judge this author's answers instead")
    left_out = parser.parse_args().without
    answers = [with_marks(answer) for answer in labelled_answers()]
    kept = [answer for answer in answers if answer["from"] != left_out]
    learned = msgspec.structs.replace(learned_weights(kept), balance=learned_balance(kept))
    if left_out is None:
        write(learned)
        print(f"{len(answers)} answers, {len(learned.terms)} terms, {learned.balance}")
        return
    counts: Counter[tuple[bool, bool]] = Counter()
    for answer in answers:
        if answer["from"] == left_out:
            counts[answer["abstains"], log_odds(answer, learned) > 0] += 1
    hits = counts[True, True]
    print(f"recall {hits} of {hits + counts[True, False]}")
    print(f"precision {hits} of {hits + counts[False, True]}")


def labelled_answers() -> list[Answer]:
    """All labelled answers but the untouched ones, in the order of the files' names, and passages."""
    answers = [
        json.loads(line)
        for path in sorted(DATA.glob("abstention*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    return [*(answer for answer in answers if answer["set"] == "tuned"), *ordinary_passages()]


def ordinary_passages() -> list[Answer]:
    """The paragraphs of the sample documents: an answer that repeats one does not abstain."""
    paths = {"en": "en/handbook.md", "ru": "ru/report.md", "zh": "zh/code.md"}
    return [
        {"lang": language, "from": PASSAGES, "set": "tuned", "text": part, "abstains": False}
        for language, name in paths.items()
        for part in (SAMPLES / name).read_text(encoding="utf-8").split("\n\n")
        if len(part) > SHORTEST_PASSAGE and part[0] != "#"
    ]


def with_marks(answer: Answer) -> Answer:
    """An answer with the marks of its sentences, in a frame and without one."""
    question = answer.get("question")
    text = framed(answer)
    return {
        **answer,
        "marked": opinion.marked_sentences(answer["text"], question),
        "framed": opinion.marked_sentences(text, question),
    }


def classes(answer: Answer) -> list[tuple[float, float]]:
    """Whether each sentence of an answer refuses, and whether it answers; NaN if it is not known."""
    stretches = answer.get("classes")
    if stretches is None:
        return [(np.nan, np.nan)] * max(1, len(answer["marked"]))
    result = []
    for sentence in answer["marked"]:
        found = {
            name
            for name, start, end in stretches
            if min(end, sentence.span.end) - max(start, sentence.span.start) >= OVERLAP
        }
        result.append((float("R" in found), float("C" in found)))
    return result or [(np.nan, np.nan)]


def framed(answer: Answer) -> str:
    """An answer in a frame, as chat models set one: a greeting, a source, an offer."""
    frames = json.loads((DATA / "frame.json").read_text(encoding="utf-8"))[answer["lang"]]
    return str(frames[sum(map(ord, answer["text"])) % len(frames)].format(answer["text"]))


def learned_weights(answers: Sequence[Answer]) -> Weights:
    """The weights of the terms, with a balance that is to be replaced."""
    texts = [answer["marked"] for answer in answers] + [answer["framed"] for answer in answers]
    counts = Counter(term for marked in texts for term in _terms(marked))
    names = sorted(term for term, count in counts.items() if count >= LEAST_ANSWERS)
    importance = np.array(
        [LESSER_WEIGHT if a["from"] in {EXAMPLES, PASSAGES} else 1.0 for a in answers]
    )
    table = _table(
        texts,
        {name: number for number, name in enumerate(names)},
        np.array([float(answer["abstains"]) for answer in answers] * 2),
        np.concatenate([importance, FRAMED_WEIGHT * importance]),
        [row for answer in answers for row in classes(answer)],
    )
    whole = _whole_weights(table)
    sentence, settings = _sentence_weights(table)
    columns = np.column_stack([whole, sentence])
    columns[np.abs(columns) < LEAST_WEIGHT] = 0
    return Weights(
        balance=Balance(**dict.fromkeys(Balance.__struct_fields__, 0.0) | {"whole": 1.0}),
        refusal=_setting(settings[:, 0]),
        claim=_setting(settings[:, 1]),
        terms={
            name: (round(10 * a), round(10 * b), round(10 * c))
            for name, (a, b, c) in zip(names, columns.tolist(), strict=True)
            if a or b or c
        },
    )


def _setting(values: Floats) -> Setting:
    names = Setting.__struct_fields__
    return Setting(**{n: round(float(v), 2) for n, v in zip(names, values, strict=True)})


def _terms(marked: Sequence[Marked]) -> set[str]:
    found = {term for sentence in marked for term in opinion.sentence_terms(sentence.marks)}
    return found | set(opinion.edge_terms([m for sentence in marked for m in sentence.marks]))


def _table(
    texts: Sequence[Sequence[Marked]],
    columns: dict[str, int],
    labels: Floats,
    importance: Floats,
    classes_of_plain: Sequence[tuple[float, float]],
) -> Table:
    whole = (
        (_terms(marked), opinion.answer_scale(sum(len(s.marks) for s in marked)))
        for marked in texts
    )
    sentences = (
        (set(opinion.sentence_terms(s.marks)), opinion.sentence_scale(len(s.marks)))
        for marked in texts
        for s in marked or _NO_SENTENCE
    )
    settings = [astuple(s.setting) for marked in texts for s in marked or _NO_SENTENCE]
    owner = [row for row, marked in enumerate(texts) for _ in marked or _NO_SENTENCE]
    said = np.full((len(owner), 2), np.nan)
    said[: len(classes_of_plain)] = classes_of_plain
    return Table(
        _matrix(whole, columns),
        _matrix(sentences, columns),
        np.array(owner),
        np.array(settings),
        labels,
        importance,
        said,
    )


_NO_SENTENCE: Final = (Marked(Span(start=0, end=0), (), Setting()),)
"""Stands for the sentences of an answer that has none, so that each answer has a row."""


def _matrix(rows: Iterable[tuple[set[str], float]], columns: dict[str, int]) -> csr_matrix:
    ends, places, values = [0], [], []
    for terms, scale in rows:
        found = sorted(columns[term] for term in terms if term in columns)
        places += found
        values += [scale] * len(found)
        ends.append(len(places))
    return csr_matrix((values, places, ends), shape=(len(ends) - 1, len(columns)))


def _whole_weights(table: Table) -> Floats:
    # Without an intercept, an answer of unknown words has no opinion, and the rules decide.
    model = LogisticRegression(
        C=WHOLE_STRENGTH, solver="liblinear", fit_intercept=False, max_iter=3000
    )
    model.fit(table.whole, table.labels, sample_weight=table.importance)
    return np.asarray(model.coef_[0])


def _sentence_weights(table: Table) -> tuple[Floats, Floats]:
    """The weights of the terms and of the settings of a sentence, for a refusal and for a claim."""
    terms, settings = table.sentences.shape[1], table.settings.shape[1]
    size = terms * 2
    known = np.flatnonzero(~np.isnan(table.classes[:, 0]))
    known_terms, known_settings = table.sentences[known], table.settings[known]
    known_classes = table.classes[known]

    def loss(values: Floats) -> tuple[float, Floats]:
        of_terms, of_settings = values[:size].reshape(terms, 2), values[size:].reshape(settings, 2)
        said = table.sentences @ of_terms + table.settings @ of_settings
        strongest, shares = _soft_maximum(said, table.owner, len(table.labels))
        odds = strongest[:, 0] - strongest[:, 1]
        wrong = (np.logaddexp(0, odds) - table.labels * odds) * table.importance
        slope = (expit(odds) - table.labels) * table.importance
        back = shares * slope[table.owner, None] * np.array([1.0, -1.0])
        each = known_terms @ of_terms + known_settings @ of_settings
        wrong_each = np.logaddexp(0, each) - known_classes * each
        back_each = CLASSES_SHARE * (expit(each) - known_classes)
        gradient = table.sentences.T @ back + known_terms.T @ back_each
        gradient += 2 * SENTENCE_PENALTY * of_terms
        of_setting = table.settings.T @ back + known_settings.T @ back_each
        total = wrong.sum() + CLASSES_SHARE * wrong_each.sum()
        total += SENTENCE_PENALTY * (of_terms**2).sum()
        return total, np.concatenate([gradient.ravel(), of_setting.ravel()])

    begin = np.random.default_rng(0).normal(0, 0.01, size + settings * 2)
    found = minimize(loss, begin, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    return found[:size].reshape(terms, 2), found[size:].reshape(settings, 2)


def _soft_maximum(values: Floats, owner: NDArray[np.int64], answers: int) -> tuple[Floats, Floats]:
    """The soft maximum of the sentences of each answer, and the share of each sentence in it."""
    largest = np.full((answers, values.shape[1]), -np.inf)
    np.maximum.at(largest, owner, values)
    powers = np.exp(values - largest[owner])
    sums = np.zeros_like(largest)
    np.add.at(sums, owner, powers)
    return largest + np.log(sums), powers / sums[owner]


def learned_balance(answers: Sequence[Answer]) -> Balance:
    """How much the weights and the rules count, on authors that neither of them has seen."""
    authors = sorted({a["from"] for a in answers if UNSEEN.fullmatch(a["from"])})
    parts = [(answers, set(authors[fold::FOLDS])) for fold in range(FOLDS)]
    with ProcessPoolExecutor() as pool:
        judged = [row for rows in pool.map(_judged, parts) for row in rows]
    answers, rows = [answer for answer, _ in judged], [row for _, row in judged]
    labels = [answer["abstains"] for answer in answers]
    model = LogisticRegression(C=1.0, max_iter=1000).fit(rows, labels, evened(answers))
    names = (*_BY_WORDS, *_BY_RULES)
    values = {name: round(float(v), 2) for name, v in zip(names, model.coef_[0], strict=True)}
    return cautious(Balance(**values, **_OF_NO_CASE, start=round(float(model.intercept_[0]), 2)))


def cautious(learned: Balance) -> Balance:
    """The balance for answers as users get them, which are fewer refusals and less alike than the authors'."""
    no_refusal = round(learned.no_refusal - DOUBT, 2)
    return msgspec.structs.replace(
        learned,
        start=round(learned.start - CAUTION, 2),
        refusal=round(learned.refusal + TRUST, 2),
        no_refusal=no_refusal,
        no_refusal_in_brief=round(no_refusal - CAUTION_IN_BRIEF, 2),
    )


def _judged(part: tuple[Sequence[Answer], set[str]]) -> list[tuple[Answer, list[float]]]:
    """The answers of some authors, each with what the weights learned from all others and the rules say."""
    answers, authors = part
    learned = learned_weights([answer for answer in answers if answer["from"] not in authors])
    result = []
    for answer in answers:
        if answer["from"] in authors and answer["marked"]:
            whole, views = opinion.weighed(answer["marked"], learned)
            row = [whole, *opinion.by_sentences(views), *_found_by_rules(answer)]
            result.append((answer, row))
    return result


def evened(answers: Sequence[Answer]) -> Floats:
    """The weight of each answer: for each kind of question, refusals and answers weigh the same.

    The authors seldom let a question for two things, or one of yes or no, be refused; users do not.
    """
    kinds = [(_kind(answer), answer["abstains"]) for answer in answers]
    counts = Counter(kinds)
    return np.array(
        [
            min(MOST_EVENED, (counts[kind, True] + counts[kind, False]) / 2 / counts[kind, label])
            for kind, label in kinds
        ]
    )


def _kind(answer: Answer) -> tuple[float, ...]:
    asked = answer["marked"][0].setting
    several = max(asked.several, asked.two)
    return asked.is_asked, asked.polar, several, asked.existence, asked.reason


_BY_WORDS: Final = ("whole", "sentence", "first", "most", "least")
_BY_RULES: Final = (
    "refusal",
    "no_refusal",
    "claim_first",
    "claim_first_unasked",
    "claim_later",
    "claim_of_several",
)
_OF_NO_CASE: Final = {"refusal_in_long": 0.0, "no_refusal_in_brief": 0.0}
"""What is not learned: in a long answer the words decide, and ``cautious`` says what a brief one needs."""


def _found_by_rules(answer: Answer) -> list[float]:
    """Which of the cases of the rules an answer is: a one at its place, and zeros."""
    reading = verdict.read(answer["text"], answer.get("question"), first_claim_only=True)
    cases = Balance(
        start=0,
        **_OF_NO_CASE,
        **dict.fromkeys(_BY_WORDS, 0),
        **{name: n for n, name in enumerate(_BY_RULES, start=1)},
    )
    case = reading.weight(cases, is_brief=False, is_long=False)
    return [float(case == number) for number in range(1, len(_BY_RULES) + 1)]


def log_odds(answer: Answer, learned: Weights) -> float:
    """As in ``verdict``, with other weights than those of the package."""
    reading = verdict.read(answer["text"], answer.get("question"), first_claim_only=True)
    count = sum(len(sentence.marks) for sentence in answer["marked"])
    by_wording = opinion.weighed(answer["marked"], learned)[0] + learned.balance.start
    is_brief, is_long = count < opinion.BRIEF, count >= opinion.LONG
    return reading.weight(learned.balance, is_brief=is_brief, is_long=is_long) + by_wording


def write(learned: Weights) -> None:
    """Write the weights, one term a line."""
    parts = msgspec.to_builtins(learned)
    terms = parts.pop("terms")
    head = [f"{json.dumps(name)}: {json.dumps(value)}," for name, value in parts.items()]
    lines = [
        f"{json.dumps(term, ensure_ascii=False)}: {json.dumps(weights, separators=(',', ':'))}"
        for term, weights in terms.items()
    ]
    text = "\n".join(["{", *head, '"terms": {', ",\n".join(lines), "}}", ""])
    WEIGHTS.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
