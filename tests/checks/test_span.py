"""Gold spans: how much of them passages cover, their ranks, and the metrics of both kinds of gold."""

import pytest

from assay.checks.retrieval import gold_metrics, span_match
from assay.records import GoldSpan, Passage

TEXT = (
    "The ferry leaves the northern pier at seven. Tickets are sold on board until the whistle. "
    "Dogs travel free of charge in the lower cabin. Bicycles need a ticket of their own."
)


def at(name: str, start: int, end: int, source: str = "a.txt", **more: int) -> Passage:
    """A passage at offsets of the document."""
    return Passage(id=name, text=TEXT[start:end], source=source, start=start, end=end, **more)


def test_the_union_of_passages_counts_once():
    """Passages that overlap cover the shared characters once."""
    gold = GoldSpan(source="a.txt", start=0, end=100)
    match = span_match(gold, [at("1", 0, 30), at("2", 20, 40), at("3", 90, 120)])
    assert match is not None
    assert match.share == 0.5
    assert match.passages == ("1", "2", "3")


@pytest.mark.parametrize(
    ("passage", "share"),
    [
        (at("1", 0, 100, source="b.txt"), 0.0),
        (at("1", 100, 160), 0.0),
        (at("1", 40, 60), 0.2),
    ],
)
def test_offsets_are_compared_in_the_same_document(passage: Passage, share: float):
    """Another document or another place covers nothing."""
    match = span_match(GoldSpan(source="a.txt", start=0, end=100), [passage])
    assert match is not None
    assert match.share == share


@pytest.mark.parametrize("shift", [10, 30, 60, 90])
def test_texts_give_the_shares_that_offsets_give(shift: int):
    """If passages have no offsets, their texts lead to about the same share."""
    whole = GoldSpan(source="a.txt", text=TEXT[40:140], start=40, end=140)
    passage = at("1", shift, shift + 60)
    by_offset = span_match(whole, [passage])
    bare = Passage(id="1", text=TEXT[shift : shift + 60].replace(" ", "\n "))
    by_text = span_match(whole, [bare])
    assert by_offset is not None
    assert by_text is not None
    assert by_text.share == pytest.approx(by_offset.share, abs=0.06)


def test_a_short_span_is_found_as_a_whole_only():
    """A number inside another number is not the span."""
    gold = GoldSpan(source="a.txt", text="235")
    inside, alone = Passage(id="1", text="It is 1235."), Passage(id="2", text="It is 235.0 km.")
    assert span_match(gold, [inside]).share == 0.0  # type: ignore[union-attr]
    assert span_match(gold, [alone]).share == 1.0  # type: ignore[union-attr]


def test_what_cannot_be_known_is_undefined():
    """A span with offsets only says nothing about a passage without offsets."""
    gold = GoldSpan(source="a.txt", start=0, end=10)
    assert span_match(gold, [Passage(id="1", text="x")]) is None
    metrics = gold_metrics([], [Passage(id="1", text="x")], spans=[gold])
    assert set(metrics.values()) == {None}


def test_the_rank_is_that_of_the_first_passage_that_adds():
    """The best passage covers nothing, the second a little, the third makes it a hit."""
    gold = GoldSpan(source="a.txt", start=0, end=100)
    passages = [at("x", 120, 160), at("1", 0, 10), at("2", 10, 60)]
    metrics = gold_metrics([], passages, spans=[gold])
    assert metrics["gold_hit_any"] is True
    assert metrics["gold_mrr"] == 0.5
    assert metrics["gold_precision"] == pytest.approx(2 / 3)
    cut = gold_metrics([], passages, spans=[gold], top_k=2)
    assert (cut["gold_hit_any"], cut["gold_coverage"], cut["gold_mrr"]) == (False, 0.0, 0.5)


def test_the_share_can_be_set():
    """With a share of 0.7, 60 of 100 characters are no hit."""
    gold = GoldSpan(source="a.txt", start=0, end=100)
    assert gold_metrics([], [at("1", 0, 60)], spans=[gold])["gold_coverage"] == 1.0
    assert gold_metrics([], [at("1", 0, 60)], spans=[gold], span_share=0.7)["gold_coverage"] == 0.0


def test_chunks_and_spans_count_alike():
    """Recall counts a gold chunk and a gold span as one each; nDCG never passes 1."""
    spans = [GoldSpan(source="a.txt", start=0, end=20), GoldSpan(source="a.txt", start=30, end=50)]
    metrics = gold_metrics(["c"], [at("1", 0, 60)], spans=spans)
    assert metrics["gold_coverage"] == pytest.approx(2 / 3)
    assert metrics["gold_hit_all"] is False
    assert gold_metrics([], [at("1", 0, 60)], spans=spans)["gold_ndcg"] == 1.0


def test_nothing_retrieved_is_a_miss():
    """An empty list of passages is not unknown."""
    metrics = gold_metrics([], [], spans=[GoldSpan(source="a.txt", start=0, end=20)])
    assert (metrics["gold_hit_any"], metrics["gold_mrr"], metrics["gold_precision"]) == (
        False,
        0.0,
        0.0,
    )
