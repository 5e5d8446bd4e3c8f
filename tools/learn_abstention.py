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
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final

import msgspec
import numpy as np
from abstention_terms import PASSAGES, Answer, Floats, learned_weights
from sklearn.linear_model import LogisticRegression

from assay.scorers.abstention import opinion, verdict
from assay.scorers.abstention.opinion import Balance, Weights

ROOT: Final = Path(__file__).parent.parent
DATA: Final = ROOT / "bench" / "detectors" / "data"
WEIGHTS: Final = ROOT / "src" / "assay" / "scorers" / "abstention" / "opinion.json"
SAMPLES: Final = ROOT / "src" / "assay" / "data" / "samples"
SHORTEST_PASSAGE: Final = 60
FOLDS: Final = 5
MOST_EVENED: Final = 4.0
"""No answer weighs more than so many where refusals and answers of a kind of question are evened out."""
UNSEEN: Final = re.compile(
    r"(?:twenty-(?!first)|(?:thir|for|fif|six|seven|eigh)t(?:ieth|y-))\S* author"
)
"""The names of the authors on whose answers no rule was written: the twenty-second and later ones."""
CAUTION: Final = 1.2
"""By so much the log odds must exceed zero. A wrong "it abstains" is worse than one that was missed:
it takes an answer for none."""
CAUTION_IN_BRIEF: Final = 0.3
"""By so much more where the rules find no refusal in a brief answer."""
TRUST: Final = 0.8
"""By so much less if the rules find a refusal and no claim."""
DOUBT: Final = 0.7
"""By so much more if they find no refusal: the authors wrote as many refusals as answers, users get fewer. All
four were chosen on unseen authors of ordinary answers and on public answers and passages, for a precision of .97."""


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


def framed(answer: Answer) -> str:
    """An answer in a frame, as chat models set one: a greeting, a source, an offer."""
    frames = json.loads((DATA / "frame.json").read_text(encoding="utf-8"))[answer["lang"]]
    return str(frames[sum(map(ord, answer["text"])) % len(frames)].format(answer["text"]))


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
    "claim_first_in_brief",
    "claim_first_unasked",
    "claim_later",
    "claim_of_several",
)
_OF_NO_CASE: Final = {"refusal_in_long": 0.0, "no_refusal_in_brief": 0.0}
"""What is not learned: in a long answer the words decide, and ``cautious`` says what a brief one needs."""


def _found_by_rules(answer: Answer) -> list[float]:
    """Which of the cases of the rules an answer is: a one at its place, and zeros."""
    reading = verdict.read(answer["text"], answer.get("question"), first_claim_only=True)
    numbers = {name: float(n) for n, name in enumerate(_BY_RULES, start=1)}
    cases = Balance(
        start=0.0,
        refusal_in_long=numbers["refusal"],
        no_refusal_in_brief=numbers["no_refusal"],
        **dict.fromkeys(_BY_WORDS, 0.0),
        **numbers,
    )
    view = opinion.Opinion(log_odds=0.0, is_brief=_count(answer) < opinion.BRIEF)
    case = reading.weight(cases, view)
    return [float(case == number) for number in numbers.values()]


def _count(answer: Answer) -> int:
    return sum(len(sentence.marks) for sentence in answer["marked"])


def log_odds(answer: Answer, learned: Weights) -> float:
    """As in ``verdict``, with other weights than those of the package."""
    reading = verdict.read(answer["text"], answer.get("question"), first_claim_only=True)
    count = _count(answer)
    by_words, views = opinion.weighed(answer["marked"], learned)
    view = opinion.Opinion(
        log_odds=by_words + learned.balance.start,
        is_brief=count < opinion.BRIEF,
        is_long=count >= opinion.LONG,
        views=views,
    )
    return reading.weight(learned.balance, view) + view.log_odds


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
