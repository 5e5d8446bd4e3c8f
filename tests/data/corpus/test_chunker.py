"""Chunks: no text is lost, results are deterministic, articles stay whole, ids are stable."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.data.corpus.chunker import chunk_document, estimated_tokens
from assay.data.document.document import Document, Page, read_document
from assay.errors import UseError
from assay.text.sentence import sentences

SENTENCES = st.sampled_from(
    [
        "The tenant pays on the fifth day.",
        "Арендатор платит до пятого числа.",
        "乙方应当在每月五日前付款。",
        "Short one.",
        "Оплата по ст. 330 ГК РФ в 2023 г. не взимается!",
        "甲方不得拒绝？",
    ]
)
HEADINGS = st.sampled_from(
    ["# Code", "## Part One", "第一章 总则", "Статья 3. Срок", "Article 9. Notice", "2.1 История"]
)
PARAGRAPHS = st.lists(SENTENCES, min_size=1, max_size=12).map(" ".join)
TEXTS = st.lists(st.one_of(PARAGRAPHS, HEADINGS), max_size=14).map("\n\n".join)


def document(*texts: str, name: str = "a.md", numbered: bool = False) -> Document:
    """A document with these pages."""
    pages = (
        Page(number=number if numbered else None, text=text) for number, text in enumerate(texts, 1)
    )
    return Document(name=name, pages=tuple(pages))


def flat(text: str) -> str:
    """The text without ``#`` and with single spaces."""
    return " ".join(text.replace("#", " ").split())


@given(st.lists(TEXTS, min_size=1, max_size=3), st.integers(20, 80), st.integers(0, 19))
def test_no_sentence_is_lost(texts: list[str], tokens: int, overlap: int):
    """Every sentence is complete in some chunk, or is part of a chunk's heading path."""
    chunks = chunk_document(document(*texts), tokens=tokens, overlap=overlap)
    chunk_text = "\n".join(flat(f"{chunk.text}\n{chunk.heading or ''}") for chunk in chunks)
    for text in texts:
        for span in sentences(text):
            assert flat(span.of(text)) in chunk_text


@given(TEXTS, st.integers(1, 60), st.integers(0, 30))
def test_chunks_keep_to_the_limit_and_are_linked(text: str, tokens: int, overlap: int):
    """No chunk exceeds the limit, ids are unique and linked, and a second call agrees."""
    if overlap >= tokens:
        overlap = tokens - 1
    chunks = chunk_document(document(text), tokens=tokens, overlap=overlap)
    assert chunks == chunk_document(document(text), tokens=tokens, overlap=overlap)
    assert all(estimated_tokens(chunk.text) <= max(tokens, 2) for chunk in chunks)
    ids = [chunk.id for chunk in chunks]
    assert len(set(ids)) == len(ids)
    assert [chunk.prev for chunk in chunks] == [None, *ids[:-1]][: len(ids)]
    assert [chunk.next for chunk in chunks] == [*ids[1:], None][-len(ids) :] * bool(ids)


@given(st.text(), st.integers(1, 9))
def test_any_text_is_cut(text: str, tokens: int):
    """Every letter and digit of an arbitrary text is in some chunk."""
    chunks = chunk_document(document(text), tokens=tokens, overlap=0)
    chunk_text = "".join(f"{chunk.text}{chunk.heading or ''}" for chunk in chunks)
    assert {character for character in text if character.isalnum()} <= set(chunk_text)


def test_each_article_is_a_chunk_with_its_path():
    """The title and the parties come first; each clause has its heading and its path."""
    text = (
        "# 房屋租赁合同\n\n出租人：顾砚秋\n\n## 第一章 总则\n\n第一条　房屋。甲方出租。\n\n"
        "（一）仅供居住；\n\n第二条　租期。二年。"
    )
    chunks = chunk_document(document(text))
    assert [(chunk.heading, chunk.text) for chunk in chunks] == [
        ("房屋租赁合同", "房屋租赁合同\n\n出租人：顾砚秋"),
        (
            "房屋租赁合同 › 第一章 总则 › 第一条",
            "第一条　房屋。甲方出租。\n\n（一）仅供居住；",
        ),
        ("房屋租赁合同 › 第一章 总则 › 第二条", "第二条　租期。二年。"),
    ]


def test_a_long_article_is_cut_between_sentences_with_overlap():
    """All parts have the same path, and each begins with the previous part's last sentence."""
    body = " ".join(f"Sentence number {n} says a little." for n in range(12))
    chunks = chunk_document(document(f"## Article 1. Long\n\n{body}"), tokens=40, overlap=10)
    assert len(chunks) > 2
    assert {chunk.heading for chunk in chunks} == {"Article 1. Long"}
    assert chunks[0].text.startswith("Article 1. Long\n\nSentence number 0")
    for before, after in pairwise(chunks):
        shared = [span.of(before.text) for span in sentences(before.text)][-1]
        assert after.text.startswith(shared)


def test_ids_depend_on_source_and_text_alone():
    """An edit elsewhere does not change an id; a repeated text gets a stable suffix."""
    first = chunk_document(document("# A\n\none.\n\n# B\n\ntwo.\n\n# B\n\ntwo."))
    edited = chunk_document(document("# A\n\nchanged.\n\n# B\n\ntwo.\n\n# B\n\ntwo."))
    assert [chunk.id for chunk in edited][1:] == [chunk.id for chunk in first][1:]
    assert edited[0].id != first[0].id
    assert first[2].id == f"{first[1].id}-2"
    other = chunk_document(document("# A\n\none.", name="b.md"))
    assert other[0].id != first[0].id
    assert other[0].text == first[0].text
    assert first[0].id == "77b723f3c7190e35"


def test_a_chunk_knows_the_page_it_begins_on():
    """A sentence across a page break stays whole; what follows it has the page of its own."""
    pages = document(
        "1.1 Alpha\n\nFirst sentence here. The second one goes",
        "on here. Last.\n\n1.2 Beta\n\nEnd.",
        numbered=True,
    )
    chunks = chunk_document(pages)
    assert [(chunk.page, chunk.heading) for chunk in chunks] == [
        (1, "1.1 Alpha"), (2, "1.1 Alpha"), (2, "1.2 Beta"),
    ]  # fmt: skip
    assert "The second one goes\non here." in chunks[0].text
    cut = chunk_document(pages, tokens=9, overlap=0)
    assert [chunk.page for chunk in cut if "Last." in chunk.text] == [2]


def test_a_heading_with_nothing_under_it_is_not_lost():
    """The last heading becomes a chunk; a heading above others is part of their paths."""
    chunks = chunk_document(document("# T\n\n## A\n\ntext\n\n## Reserved"))
    assert [(chunk.heading, chunk.text) for chunk in chunks] == [
        ("T › A", "A\n\ntext"),
        ("T › Reserved", "Reserved"),
    ]


def test_a_sentence_longer_than_the_limit_is_cut_between_words():
    """Text without punctuation is cut between words, and a string without spaces is cut too."""
    words = chunk_document(document("word " * 100), tokens=13, overlap=0)
    assert {chunk.text for chunk in words[:-1]} == {" ".join(["word"] * 10)}
    assert sum(len(chunk.text.split()) for chunk in words) == 100
    unspaced = chunk_document(document("x" * 1000), tokens=13, overlap=0)
    assert "".join(chunk.text for chunk in unspaced) == "x" * 1000


def test_sizes_that_make_no_sense_are_refused():
    """Zero tokens and an overlap as large as a chunk are refused."""
    with pytest.raises(UseError, match="at least 1 token"):
        chunk_document(document("x"), tokens=0)
    with pytest.raises(UseError, match="less than the 10 tokens"):
        chunk_document(document("x"), tokens=10, overlap=10)


def test_an_empty_document_has_no_chunks():
    """A document of white space gives no chunks and no error."""
    assert chunk_document(document("", " \n\n")) == []


def test_numbered_headings_are_below_their_own_chapter():
    """A section whose chapter has no heading is not placed under another chapter."""
    chunks = chunk_document(document("T\n\n1. A\n\n1.1 B\n\nx.\n\n2.1 C\n\ny.\n\n2.1.1 D\n\nz."))
    assert [chunk.heading for chunk in chunks] == [
        "T › 1. A › 1.1 B",
        "T › 2.1 C",
        "T › 2.1 C › 2.1.1 D",
    ]


def test_a_number_sign_in_a_pdf_is_no_heading():
    """``#`` marks a heading only in text without page numbers, which may be Markdown."""
    text = "Intro here.\n\n# make install\n\nDone."
    assert {chunk.heading for chunk in chunk_document(document(text, numbered=True))} == {None}
    assert chunk_document(document(text))[-1].heading == "make install"


def test_a_short_document_of_three_pages_is_not_one_chunk_of_page_1():
    """Text without headings is cut at page breaks, so that each chunk has its own page."""
    pages = tuple(Page(number=number, text=f"Page {number} says this.") for number in (1, 2, 3))
    chunks = chunk_document(Document(name="a.pdf", pages=pages))
    assert [chunk.page for chunk in chunks] == [1, 2, 3]
    titled = (Page(number=1, text="Chapter 1. Fares\n\nAdults pay."), *pages[1:])
    chunks = chunk_document(Document(name="a.pdf", pages=titled))
    assert [chunk.page for chunk in chunks] == [1, 2, 3]


@pytest.mark.parametrize(
    ("title", "first", "second"),
    [
        ("Annual report", "The revenue was 5 crowns.", "The director is Anna Berg."),
        ("Годовой отчёт", "Выручка составила 5 рублей.", "Генеральный директор — Пётр Иванов."),
        ("公司年度公告", "营业收入为五千万元。", "股东大会于六月十八日召开。"),
    ],
)
def test_a_title_does_not_give_page_2_the_page_1(title: str, first: str, second: str):
    """Text under a heading is cut at page breaks as well: a fact on page 2 has the page 2."""
    chunks = chunk_document(document(f"{title}\n\n{first}", second, numbered=True))
    assert [(chunk.page, chunk.heading) for chunk in chunks] == [(1, title), (2, title)]
    assert chunks[1].text == second


def test_a_heading_at_the_end_of_a_page_stays_with_its_text():
    """The page of the chunk is that of the text, and the heading is no chunk by itself."""
    pages = document("1.1 Alpha\n\nOne.\n\n1.2 Beta", "Two.", "Three.", numbered=True)
    chunks = chunk_document(pages)
    assert [(chunk.page, chunk.text) for chunk in chunks] == [
        (1, "1.1 Alpha\n\nOne."), (2, "1.2 Beta\n\nTwo."), (3, "Three."),
    ]  # fmt: skip


def test_a_list_over_several_pages_is_cut_at_each():
    """A text without full stops is one long sentence, and each page has its own chunks."""
    listed = [" ".join(f"{word}{number}" for number in range(80)) for word in ("a", "b", "c")]
    chunks = chunk_document(document(*listed, numbered=True))
    assert [chunk.page for chunk in chunks] == [1, 2, 3]
    assert [chunk.text for chunk in chunks] == listed


def test_the_heading_of_a_table_is_its_name_and_never_a_row(tmp_path: Path):
    """The first row of data is not above all others; sheets are headings."""
    (tmp_path / "cities.csv").write_text("City,Fare\nOlm,5\nRus,7\n", encoding="utf-8")
    chunks = chunk_document(read_document(tmp_path / "cities.csv"), tokens=6, overlap=0)
    assert [chunk.heading for chunk in chunks] == ["cities", "cities"]
    assert [chunk.text for chunk in chunks] == ["City: Olm; Fare: 5", "City: Rus; Fare: 7"]
    sheets = "# May\n\nChapter 1\n\n# June\n\nCity: Rus"
    book = Document(name="a", pages=(Page(text=sheets),), title="a", headings="table")
    assert [chunk.heading for chunk in chunk_document(book)] == ["a › May", "a › June"]


def test_the_headings_of_html_are_its_marked_ones(tmp_path: Path):
    """A menu is no heading; without an h1 the title of the page is above."""
    path = tmp_path / "a.html"
    menu = "<nav><h2>Menu</h2><a>Home</a></nav>"
    head = "<head><title>City\nfares</title></head>"
    path.write_text(f"{menu}<h1>Fares</h1><p>Five.</p><footer><h4>Us</h4></footer>", "utf-8")
    assert [chunk.heading for chunk in chunk_document(read_document(path))] == ["Fares"]
    path.write_text(
        f"{head}<header><svg><title>Logo</title></svg>Top</header>{menu}<p>Six.</p><h2>Old</h2><p>Four.</p>",
        "utf-8",
    )
    found = [chunk.heading for chunk in chunk_document(read_document(path))]
    assert found == ["City fares", "City fares › Old"]
