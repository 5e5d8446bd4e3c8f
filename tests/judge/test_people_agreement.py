import pytest

from assay.judge.label import Label
from assay.judge.people_agreement import agreement, disagreements


def said(case: str, variant: str = "a", answer: str = "h", **verdicts: str) -> list[Label]:
    """What people said about an answer; each letter is a verdict."""
    words = {"r": "right", "w": "wrong", "p": "partly", "u": "unclear"}
    return [
        Label(
            run="r",
            case_id=case,
            variant=variant,
            answer_hash=answer,
            labeller=person,
            time="2026-01-01T00:00:00.000000Z",
            verdict=words[letter],  # type: ignore[arg-type]
        )
        for person, letter in verdicts.items()
    ]


def test_agreement_is_counted_for_pairs_and_for_all():
    """Answers of one person only are listed and do not count."""
    labels = [
        *said("q1", ann="r", bo="r", cy="w"),
        *said("q2", ann="w", bo="w"),
        *said("q3", ann="r", bo="w"),
        *said("q4", ann="u"),
    ]
    found = agreement(labels)
    assert (found.people, found.answers, found.n) == (("ann", "bo", "cy"), 4, 3)
    assert found.verdicts[0] == (2, 0, 1, 1)
    first = found.pairs[0]
    assert (first.first, first.second, first.n, first.same) == ("ann", "bo", 3, 2)
    assert first.kappa == pytest.approx(0.4)
    assert first.interval is not None
    assert found.pairs[1].n == 1
    assert found.alpha is not None


def test_other_versions_of_an_answer_are_other_things():
    """Two people who saw different answers do not disagree."""
    labels = [*said("q1", answer="old", ann="r"), *said("q1", answer="new", bo="w")]
    assert agreement(labels).n == 0
    assert disagreements(labels) == []


def test_disagreements_are_the_answers_with_several_verdicts():
    """A label that was replaced does not count."""
    labels = [*said("q1", ann="r", bo="w"), *said("q2", ann="r", bo="r"), *said("q1", bo="r")]
    labels += said("q3", variant="b", ann="p", bo="u", cy="p")
    (only,) = disagreements(labels)
    assert {(label.labeller, label.verdict) for label in only} == {
        ("ann", "partly"), ("bo", "unclear"), ("cy", "partly"),
    }  # fmt: skip


def test_nobody_agrees_with_nobody():
    """Without labels nothing is defined and nothing fails."""
    found = agreement([])
    assert (found.people, found.n, found.alpha, found.interval, found.pairs) == (
        (),
        0,
        None,
        None,
        (),
    )
