"""Filters, sorting, searching and paging, compared with plain Python."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from assay.errors import UseError
from assay.web.item_api import ItemQuery
from assay.web.query import item_count, item_page
from assay.web.run_index import RunIndex, open_run
from tests.support.journal import answered, failed, judged, skipped
from tests.support.page import never, write_study

VARIANTS = ("on", "off", "other")
TEXTS = (
    "the Buyer pays",
    "Покупатель платит 30 дней",
    "买方付款",
    "",
    "lot 17?\nnext line",
    "x" * 9,
)
VALUES = (None, 0.0, 0.5, 1.0)


@pytest.fixture(name="index")
def _index(tmp_path: Path) -> RunIndex:
    return open_run(write_study(tmp_path / "a.jsonl"))


def ids(index: RunIndex, **query: Any) -> list[str]:
    """The ids of the items of a query, after checking that the count agrees."""
    page = item_page(index, ItemQuery(**query), never)
    assert item_count(index, ItemQuery(**query), never).total == len(page.rows)
    return [row.id for row in page.rows]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"show": "worse"}, ["q2", "q5"]),
        ({"show": "different", "variant": "off"}, ["q2", "q5"]),
        ({"show": "better"}, []),
        ({"show": "failed"}, ["broken"]),
        ({"show": "failed", "variant": "off"}, []),
        ({"show": "skipped"}, ["broken"]),
        ({"show": "answered"}, ["waiting"]),
        ({"show": "abstained"}, ["q5"]),
        ({"show": "without_gold"}, ["without"]),
        ({"show": "unparsed"}, []),
        ({"low": 0.4, "high": 0.6}, ["q2", "q5"]),
        ({"low": 0.4, "high": 0.6, "variant": "on"}, []),
        ({"source": "document 1", "show": "worse"}, ["q5"]),
        ({"text": "SIGNED the lease"}, ["without"]),
        ({"text": "^off on q[12]", "regex": True}, ["q1", "q2"]),
        ({"text": "thirty days"}, ["waiting"]),
        ({"tag": "none"}, []),
    ],
)
def test_a_filter_keeps_the_items_that_it_names(
    index: RunIndex, query: dict[str, Any], expected: list[str]
):
    """States without a variant look at all of them, comparisons at those besides the baseline."""
    assert ids(index, **query) == expected


def test_answers_that_a_check_is_unsure_of_are_found(tmp_path: Path):
    """A score with bounds is unsure, whatever it leans to; a bound of what is no score does not count."""
    rows = [judged(f"q{number}", name, 1.0) for number in range(3) for name in ("on", "off")]
    rows[2]["at_least"], rows[2]["at_most"] = {"cite_ok": 0.0}, {"cite_ok": 1.0}
    rows[5]["at_least"] = {"other": 0.0}
    index = open_run(write_study(tmp_path / "b.jsonl", rows))
    assert ids(index, show="unsure") == ["q1"]
    assert ids(index, show="unsure", variant="off") == []
    (row,) = item_page(index, ItemQuery(show="unsure"), never).rows
    assert [cell.is_unsure for cell in row.cells] == [True, False]


def test_the_worst_difference_comes_first(index: RunIndex):
    """Items that cannot be compared are at the end, in both directions."""
    assert ids(index, sort="difference")[:2] == ["q2", "q5"]
    turned = ids(index, sort="difference", descending=True)
    assert turned[6:8] == ["q2", "q5"]
    assert sorted(turned[8:]) == ["broken", "waiting", "without"]


@pytest.mark.parametrize(
    "query", [{"show": "nope"}, {"variant": "nope", "show": "worse"}, {"metric": "nope"}]
)
def test_a_wrong_name_is_told(index: RunIndex, query: dict[str, str]):
    """With the names that there are."""
    with pytest.raises(UseError, match="nope"):
        item_page(index, ItemQuery(**query), never)


def test_pages_follow_each_other_without_a_gap(index: RunIndex):
    """The last page says that it is the last one."""
    seen: list[str] = []
    while True:
        page = item_page(index, ItemQuery(offset=len(seen), limit=4, text="q"), never)
        seen += [row.id for row in page.rows]
        if page.is_last:
            break
    assert seen == ids(index, text="q")


@st.composite
def run_rows(draw: DrawFn) -> list[dict[str, Any]]:
    """Rows of three variants with every kind of outcome; some cases have an older row too."""
    rows = []
    for number in range(draw(st.integers(1, 6))):
        name = f"q{number}"
        question = draw(st.sampled_from(TEXTS[:3]))
        for variant in VARIANTS:
            for _ in range(draw(st.sampled_from((0, 1, 1, 1, 2)))):
                fields = {"question": question, "source": draw(st.sampled_from((None, "a", "b")))}
                text = draw(st.sampled_from(TEXTS))
                kind = draw(st.sampled_from((judged, judged, judged, failed, skipped, answered)))
                if kind is judged:
                    value = draw(st.sampled_from(VALUES))
                    rows.append(judged(name, variant, value, **fields, answer=text))
                else:
                    rows.append(kind(name, variant, **fields))  # type: ignore[operator]
    return rows


@st.composite
def queries(draw: DrawFn) -> ItemQuery:
    """Queries of every kind."""
    regex = draw(st.booleans())
    patterns = (r"pay|плат", r"^$", r"\d+\?$", "x+", "[^a-z]", r"付款$", r"lot.\d\d")
    return ItemQuery(
        show=draw(
            st.sampled_from(
                ("all", "all", "different", "worse", "better", "failed", "answered", "skipped")
            )
        ),
        variant=draw(st.sampled_from(("", "on", "off"))),
        low=draw(st.sampled_from((None, 0.5))),
        source=draw(st.sampled_from(("", "a"))),
        text=draw(st.sampled_from(patterns if regex else ("", "PAYS", "дней", "款", "\n"))),
        regex=regex,
        sort=draw(st.sampled_from(("file", "id", "difference", "off"))),
        descending=draw(st.booleans()),
    )


def oracle(rows: list[dict[str, Any]], query: ItemQuery) -> set[str]:
    """The ids that a query shows, found in the plainest way."""
    last = {(row["question_id"], row["config"]): row for row in rows}
    # the question and the source of an item are those of its first row with a question
    firsts: dict[str, dict[str, Any]] = {}
    for row in rows:
        firsts.setdefault(row["question_id"], row)
    return {name for name, first in firsts.items() if _shows(name, first, last, query)}


def _shows(name: str, first: dict[str, Any], last: dict[Any, Any], query: ItemQuery) -> bool:
    cases = {variant: last.get((name, variant)) for variant in VARIANTS}
    values = {
        variant: case["scores"]["gold_coverage"]
        for variant, case in cases.items()
        if case is not None and case["status"] == "scored"
    }
    chosen = [query.variant] if query.variant else list(VARIANTS)
    others = [query.variant] if query.variant else list(VARIANTS[1:])
    gains = [
        values[other] - values["on"]
        for other in others
        if values.get(other) is not None and values.get("on") is not None
    ]
    statuses = {case["status"] for variant in chosen if (case := cases[variant]) is not None}
    is_shown = {
        "all": True,
        "different": any(gains),
        "worse": any(gain < 0 for gain in gains),
        "better": any(gain > 0 for gain in gains),
    }.get(query.show, query.show in statuses)
    shown_values = [value for each in chosen if (value := values.get(each)) is not None]
    is_high = query.low is None or any(value >= query.low for value in shown_values)
    texts = [
        first["question"],
        *(case["answer"] for case in cases.values() if case and "answer" in case),
    ]
    is_found = not query.text or any(_has(text, query) for text in texts)
    return is_shown and is_high and query.source in {"", first["source"]} and is_found


def _has(text: str, query: ItemQuery) -> bool:
    if query.regex:
        return re.search(query.text, text.casefold(), re.IGNORECASE) is not None
    return query.text.casefold() in text.casefold()


@given(rows=run_rows(), query=queries())
def test_a_query_shows_what_plain_python_finds(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]], query: ItemQuery
):
    """Whatever is filtered, searched and sorted; the count and all pages agree."""
    if not rows or {row["config"] for row in rows} != set(VARIANTS):
        return
    rows.sort(key=lambda row: VARIANTS.index(row["config"]))  # the first variant is the baseline
    index = open_run(write_study(tmp_path_factory.mktemp("run") / "a.jsonl", rows))
    expected = oracle(rows, query)
    page = item_page(index, query, never)
    assert {row.id for row in page.rows} == expected
    assert len(page.rows) == len(expected)
    assert item_count(index, query, never).total == len(expected)
    assert page.total in {None, len(expected)}
    index.close()
