"""Judges on the page: verdicts of each answer, disagreements as filters, corrected rates."""

from pathlib import Path

import pytest

from assay.config.workspace import Workspace
from assay.judge.workbench import judge_verdicts
from assay.judge.workbench import open_run as open_recorded
from assay.web.api import Missing
from assay.web.embedded import run_page
from assay.web.item import item_view
from assay.web.item_api import ItemQuery
from assay.web.judge.read import run_judges
from assay.web.query import item_page
from assay.web.run_index import RunIndex, open_run
from assay.web.run_view import run_card, run_view
from tests.support.judged import (
    FIRST,
    SECOND,
    label_rows,
    write_labels,
    write_verdicts,
    write_workspace,
)
from tests.support.page import never


@pytest.fixture(name="journal")
def _journal(tmp_path: Path) -> Path:
    journal = write_workspace(tmp_path, "http://127.0.0.1:9/v1", questions=40)
    write_verdicts(journal, FIRST, {0, 7}, unreadable=9)
    write_verdicts(journal, SECOND, {0, 11})
    write_labels(tmp_path, label_rows(range(40)))
    return journal


def ids(index: RunIndex, **words: str) -> list[str]:
    """The questions that a query shows."""
    return [row.id for row in item_page(index, ItemQuery(**words), never).rows]


def test_an_answer_has_the_verdict_of_each_judge_and_who_contradicts_it(journal: Path):
    """With the reason, the identity of the judge, and what people said."""
    index = open_run(journal)
    item = list(index.findings.results.scores.items).index("q7")
    off, on = (answer.verdicts for answer in item_view(index, item).answers)
    assert [each.judge for each in off] == ["correct", "second"]
    first, second = on
    assert (first.label, first.score, first.reason) == ("wrong", 0.0, "case 7")
    assert first.identity == FIRST
    assert (first.people, first.against_people, first.against_judges) == (1.0, True, ("second",))
    assert (second.against_people, second.against_judges) == (False, ("correct",))


def test_disagreements_are_filters_of_the_list(journal: Path):
    """With people, between judges, and replies that could not be read; for any judge or one."""
    index = open_run(journal)
    assert ids(index, show="against_people") == ["q0", "q11", "q7"]
    assert ids(index, show="against_people", judge="second") == ["q0", "q11"]
    assert ids(index, show="against_judges") == ["q11", "q7"]
    assert ids(index, show="judge_unparsed") == ["q9"]
    with pytest.raises(Missing, match="no judge 'third'"):
        ids(index, show="against_people", judge="third")


def test_the_figures_are_those_of_the_command(journal: Path):
    """The rates, the matrix and kappa of ``assay judge check``."""
    index = open_run(journal)
    first, second = run_view(index, run_card("trial", journal)).judges
    recorded = open_recorded(Workspace.find(start=journal.parent), str(journal))
    assert len(judge_verdicts(recorded, "correct").findings) == 80
    assert first.answers == 78  # two replies could not be read, so their answers are not judged
    assert (first.unparsed, first.labelled, first.left_out) == (2, 78, {"unjudged": 2})
    assert sum(first.matrix) == 78
    assert first.matrix[1] + first.matrix[2] == first.against_people == 4
    on = next(rate for rate in first.rates if rate.variant == "on")
    assert on.corrected is not None
    assert on.interval is not None
    assert on.raw is not None
    assert on.interval.low <= on.corrected <= on.interval.high
    assert on.difference is not None
    assert on.missing == 0
    assert [group.name for group in first.groups] == ["all", "off", "on"]
    assert second.groups[0].kappa is not None
    assert second.groups[0].kappa > 0.8


def test_two_judges_with_one_rubric_are_compared(journal: Path):
    """How often both say yes, one, and neither."""
    (pair,) = run_view(open_run(journal), run_card("trial", journal)).judge_pairs
    assert (pair.first, pair.second, pair.n) == ("correct", "second", 78)
    assert pair.only_first + pair.only_second == 4


def test_new_labels_and_verdicts_are_read_and_old_ones_are_not_read_again(journal: Path):
    """A run that is open is not analysed again for its judges."""
    index = open_run(journal)
    assert run_judges(index) is run_judges(index)
    write_verdicts(journal, FIRST, set())
    assert ids(index, show="against_people", judge="correct") == []


def test_too_few_labels_give_no_corrected_rate_but_the_number_that_is_missing(tmp_path: Path):
    """As on the command line."""
    journal = write_workspace(tmp_path, "http://127.0.0.1:9/v1", questions=40)
    write_verdicts(journal, FIRST, {3})
    write_labels(tmp_path, label_rows(range(10)))
    (judge,) = run_view(open_run(journal), run_card("trial", journal)).judges
    assert [(rate.corrected, rate.missing) for rate in judge.rates] == [(None, 20), (None, 20)]


def test_a_run_without_verdicts_has_no_judges(tmp_path: Path):
    """And no question is contradicted."""
    journal = write_workspace(tmp_path, "http://127.0.0.1:9/v1", questions=3)
    index = open_run(journal)
    assert run_view(index, run_card("trial", journal)).judges == ()
    assert ids(index, show="against_people") == []


def test_a_saved_page_can_be_written(journal: Path):
    """Its verdicts are inside."""
    page = run_page("w", [(run_card("trial", journal), open_run(journal))])
    assert page.startswith(b"<!doctype html>")
