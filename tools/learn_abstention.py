"""Write ``scorers/abstention/opinion.json``: what each term adds to the odds that an answer abstains.

Learns a logistic regression from the labelled answers in ``bench/detectors/data``. To teach the
detector a new way of refusing, or of answering with a "not", add labelled answers there and run

    python tools/learn_abstention.py

Then ``python bench/detect.py abstention`` shows how well all of them are told apart now; only answers of
somebody who has not seen them say how well new ones will be.

    python tools/learn_abstention.py --without "nineteenth author"

learns from all others, judges the answers of this author, and writes nothing.
"""

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from assay.scorers.abstention.opinion import term_scale, terms

ROOT: Final = Path(__file__).parent.parent
DATA: Final = ROOT / "bench" / "detectors" / "data"
WEIGHTS: Final = ROOT / "src" / "assay" / "scorers" / "abstention" / "opinion.json"
LEAST_ANSWERS: Final = 14
"""A term that fewer answers have, each once as it is and once framed, is not learned."""
LEAST_WEIGHT: Final = 0.3
"""A term that weighs less is left out; terms weigh up to about 20."""
EXAMPLES: Final = "examples of the tests"
EXAMPLE_WEIGHT: Final = 0.4
"""The examples of the tests are many variants of few sentences, so each counts less than an answer."""
FRAMED_WEIGHT: Final = 0.3
"""Each answer is also learned in one of the frames of ``frame.json``, which say nothing either way."""
STRENGTH: Final = 100.0
"""How far weights may grow; chosen by leaving out one author after the other."""


def main() -> None:
    """Learn the weights, and write them or judge the answers of one author."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--without", metavar="AUTHOR", help="judge this author's answers instead")
    left_out = parser.parse_args().without
    answers = labelled_answers()
    if left_out is None:
        weights = learned(answers)
        WEIGHTS.write_text(
            json.dumps(weights, ensure_ascii=False, indent=0) + "\n", encoding="utf-8"
        )
        print(f"{len(answers)} answers, {len(weights)} terms")
        return
    weights = learned([answer for answer in answers if answer["from"] != left_out])
    counts: Counter[tuple[bool, bool]] = Counter()
    for answer in answers:
        if answer["from"] == left_out:
            found = terms(answer["text"], answer.get("question"))
            counts[answer["abstains"], sum(weights.get(term, 0) for term in found) > 0] += 1
    hits = counts[True, True]
    print(f"recall {hits} of {hits + counts[True, False]}, the opinion alone")
    print(f"precision {hits} of {hits + counts[False, True]}, the opinion alone")


def labelled_answers() -> list[dict[str, Any]]:
    """All labelled answers, in the order of the files' names."""
    return [
        json.loads(line)
        for path in sorted(DATA.glob("abstention*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]


def framed(answers: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each answer once more in a frame, as chat models set one: a greeting, a source, an offer."""
    frames = json.loads((DATA / "frame.json").read_text(encoding="utf-8"))
    return [
        {
            **answer,
            "text": frames[answer["lang"]][number % len(frames[answer["lang"]])].format(
                answer["text"]
            ),
        }
        for number, answer in enumerate(answers)
    ]


def learned(labelled: Sequence[dict[str, Any]]) -> dict[str, float]:
    """The weights of the terms, in the order of the terms."""
    answers = [*labelled, *framed(labelled)]
    found = [terms(answer["text"], answer.get("question")) for answer in answers]
    counts = Counter(term for each in found for term in each)
    names = sorted(term for term, count in counts.items() if count >= LEAST_ANSWERS)
    column = {name: number for number, name in enumerate(names)}
    places = [
        (row, column[term], term_scale(len(each)))
        for row, each in enumerate(found)
        for term in each
        if term in column
    ]
    rows, columns, values = zip(*places, strict=True)
    table = csr_matrix((values, (rows, columns)), shape=(len(answers), len(names)))
    labels = np.array([answer["abstains"] for answer in answers])
    # Without an intercept, an answer of unknown words has no opinion, and the rules decide.
    model = LogisticRegression(C=STRENGTH, solver="liblinear", fit_intercept=False, max_iter=3000)
    counts_as = [EXAMPLE_WEIGHT if answer["from"] == EXAMPLES else 1.0 for answer in labelled]
    counts_as += [FRAMED_WEIGHT * weight for weight in counts_as]
    model.fit(table, labels, sample_weight=counts_as)
    return {
        name: round(float(weight), 1)
        for name, weight in zip(names, model.coef_[0], strict=True)
        if abs(weight) >= LEAST_WEIGHT
    }


if __name__ == "__main__":
    main()
