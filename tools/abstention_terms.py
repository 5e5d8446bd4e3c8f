"""The weights of the terms of an answer and of its sentences; see ``learn_abstention.py``."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from msgspec.structs import astuple
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from assay.scorers.abstention import opinion
from assay.scorers.abstention.opinion import Balance, Marked, Weights
from assay.scorers.abstention.setting import Setting
from assay.text import Span

PASSAGES: Final = "passages of the sample documents"
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
CLASSES_SHARE: Final = 0.5
"""How much the class of a sentence counts, beside the label of its answer."""
OVERLAP: Final = 3
"""A sentence has the class of a stretch with which it shares so many characters."""

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
