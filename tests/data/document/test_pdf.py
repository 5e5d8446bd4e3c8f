"""PDF text: traces of the layout are removed, and unreadable files give a clear message."""

from pathlib import Path

import pytest
from fpdf import FPDF

from assay.data.document import pdf
from assay.data.document.document import read_document
from assay.data.document.pdf import PdfPage, pdf_pages, without_running_lines
from assay.errors import DatasetError


def put_pdf(path: Path, *pages: str, password: str | None = None) -> Path:
    """Write a PDF with one page for each text."""
    file = FPDF()
    file.set_font("helvetica", size=11)
    for text in pages:
        file.add_page()
        if text:
            file.multi_cell(80, 6, text, align="L")
    if password:
        file.set_encryption(owner_password="owner", user_password=password)
    file.output(str(path))
    return path


def texts(path: Path) -> list[str]:
    """The texts of the pages."""
    return [page.text for page in pdf_pages(path)]


def clean_pages(monkeypatch: pytest.MonkeyPatch, *raw: str) -> list[str]:
    """The result of cleaning ``raw``, which stands for the output of pdfium."""
    monkeypatch.setattr(pdf, "_read_raw_pages", lambda path: [PdfPage(text) for text in raw])
    return texts(Path("x.pdf"))


def test_pages_keep_their_numbers(tmp_path: Path):
    """Page numbers count from 1, and an empty page is counted too."""
    path = put_pdf(tmp_path / "a.pdf", "First page.", "", "Third page.")
    pages = read_document(path).pages
    assert [(page.number, page.text) for page in pages] == [
        (1, "First page."),
        (2, ""),
        (3, "Third page."),
    ]


def test_a_broken_word_is_whole_again(tmp_path: Path):
    """A hyphen at a line end is removed, and the lines of a paragraph become one line."""
    path = put_pdf(tmp_path / "a.pdf", "The settle-\nment of a long and winding dispute.")
    assert texts(path) == ["The settlement of a long and winding dispute."]


def test_a_scanned_pdf_needs_ocr(tmp_path: Path):
    """A PDF without text on any page is reported as scanned."""
    path = put_pdf(tmp_path / "scan.pdf", "", "")
    with pytest.raises(DatasetError) as caught:
        pdf_pages(path)
    assert str(caught.value) == f"{path} has no text layer: scanned, needs OCR"


def test_an_encrypted_pdf_says_so(tmp_path: Path):
    """A PDF that needs a password is refused; one that only restricts printing is read."""
    with pytest.raises(DatasetError, match=r"a\.pdf: encrypted, needs a password"):
        pdf_pages(put_pdf(tmp_path / "a.pdf", "Secret.", password="word"))
    file = FPDF()
    file.set_font("helvetica")
    file.add_page()
    file.cell(text="Open.")
    file.set_encryption(owner_password="owner")
    file.output(str(tmp_path / "b.pdf"))
    assert texts(tmp_path / "b.pdf") == ["Open."]


def test_a_broken_pdf_says_so(tmp_path: Path):
    """A file with other content, an empty file and a truncated PDF each give one line."""
    path = put_pdf(tmp_path / "a.pdf", "Whole.")
    for content in (b"%PDF-1.7 rubbish", b"", path.read_bytes()[:300]):
        path.write_bytes(content)
        with pytest.raises(DatasetError, match=r"a\.pdf: not a PDF, or damaged"):
            pdf_pages(path)


def test_hyphens_that_belong_to_a_word_stay(monkeypatch: pytest.MonkeyPatch):
    """A hyphen is kept before a capital, and if the document also uses it within a line."""
    (page,) = clean_pages(
        monkeypatch,
        "Это социально\ufffeэкономический вопрос. Вопрос социально-экономический.\r\n"
        "Нижне\ufffeЛучинск и мно\ufffeго дру-\r\nгого.",
    )
    assert page == (
        "Это социально-экономический вопрос. Вопрос социально-экономический. "
        "Нижне-Лучинск и много другого."
    )


def test_ligatures_radicals_and_marks_without_ink(monkeypatch: pytest.MonkeyPatch):
    """Ligatures and radicals become letters; soft hyphens, NULs and odd spaces are removed."""
    (page,) = clean_pages(monkeypatch, "eﬃ\u00adcient ﬂow\x00 of\u00a0\u2009water ⼀⼆")
    assert page == "efficient flow of water 一二"


def test_a_word_broken_over_two_pages_goes_to_the_first(monkeypatch: pytest.MonkeyPatch):
    """The second part of the word is moved from the next page to the first."""
    pages = clean_pages(monkeypatch, "Он говорил долго и о многом, но не дого-", "ворил, и вот.")
    assert pages == ["Он говорил долго и о многом, но не договорил,", "и вот."]


def test_chinese_lines_are_joined_without_a_space(monkeypatch: pytest.MonkeyPatch):
    """A wrapped Chinese line continues without a space; a new article begins a paragraph."""
    (page,) = clean_pages(
        monkeypatch, "第一条 甲方应当按照约定\r\n按时支付全部的货物价款。\r\n第二条 乙方应当交货。"
    )
    assert page == "第一条 甲方应当按照约定按时支付全部的货物价款。\n\n第二条 乙方应当交货。"


def test_headings_and_table_rows_stay_lines_of_their_own(monkeypatch: pytest.MonkeyPatch):
    """Short lines are not joined with the paragraphs around them."""
    body = "The tariff for the crossing is published in March of every year and holds"
    (page,) = clean_pages(
        monkeypatch, f"2.1 Tariffs\r\n{body}\r\nuntil the next.\r\nAdult 12 14\r\nChild 6 7"
    )
    assert page.split("\n\n") == [
        "2.1 Tariffs",
        f"{body} until the next.",
        "Adult 12 14",
        "Child 6 7",
    ]


def test_running_lines_and_page_numbers_go(tmp_path: Path):
    """A repeated header and a growing page number are removed; other lines stay."""
    words = ["Alpha", "Beta", "Gamma", "Delta"]
    path = put_pdf(
        tmp_path / "a.pdf",
        *[
            f"Annual report\n{word} opens.\nMore {word}.\nAnd {word}.\n{word} ends.\nPage {n} of 40"
            for n, word in enumerate(words, 11)
        ],
    )
    assert texts(path)[1].split() == [
        "Beta",
        "opens.",
        "More",
        "Beta.",
        "And",
        "Beta.",
        "Beta",
        "ends.",
    ]


def test_figures_at_the_edge_of_pages_stay_unless_they_count():
    """A number at the edge stays if it does not grow with the page."""
    rows = [[f"{word} {part}" for part in "abcd"] for word in ("one", "two", "three", "four")]
    for row, value in zip(rows, ("17", "4", "90", "2"), strict=True):
        row.append(value)
    assert without_running_lines(rows) == rows
    pages = [["top one", "x1", "y", "z", "7"], ["top two", "x2", "w", "v", "8"]]
    assert without_running_lines(pages) == [page[:-1] for page in pages]
    articles = [[f"Article {n}. Name", f"body {n}a", "b" * n, "c" * n, f"d{n}"] for n in (1, 2, 3)]
    assert without_running_lines(articles) == articles
    assert without_running_lines([["same", "x"], ["same", "y"]]) == [["same", "x"], ["same", "y"]]


def test_the_names_of_short_chapters_go_with_the_page_number():
    """A header that contains the page number is removed even if it occurs only once."""
    titles = ["Chapter 1: First steps", "Chapter 2: Harbours and piers", "Chapter 3: Fares"]
    headers = [titles[0]] * 3 + [titles[1]] * 2 + [titles[2]]
    pages = [
        [f"{header} {n + 3}", *(f"{part}{'x' * n}" for part in "abcd")]
        for n, header in enumerate(headers)
    ]
    pages.append(["Chapter 4: Ships of 1911", "z", "y", "w", "v"])
    assert without_running_lines(pages) == [*(page[1:] for page in pages[:-1]), pages[-1]]


def put_pdf_with_lost_letters(path: Path, code: str) -> Path:
    """Write a PDF whose second page has a font that gives the letter of its glyph b as ``code``."""
    stream = b"BT /F1 20 Tf 50 700 Td (abcab) Tj ET"
    mapping = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n"
        "1 begincodespacerange <00> <FF> endcodespacerange\n"
        f"3 beginbfchar <61> <5149> <62> <{code}> <63> <4EEA> endbfchar\n"
        "endcmap end end"
    ).encode()
    plain = b"/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>"
    bodies = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R 6 0 R] /Count 2 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << "
        + plain
        + b" >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(mapping), mapping),
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << "
        + plain.replace(b"/Helvetica", b"/Helvetica /ToUnicode 5 0 R")
        + b" >> >>",
    ]
    data = b"%PDF-1.7\n"
    for number, body in enumerate(bodies, 1):
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    path.write_bytes(data + b"trailer << /Root 1 0 R >>\n%%EOF\n")
    return path


@pytest.mark.parametrize("code", ["0000", "0003", "FFFD"])
def test_characters_without_a_letter_are_counted(tmp_path: Path, code: str):
    """A character whose letter the file does not say is counted, with its page."""
    document = read_document(put_pdf_with_lost_letters(tmp_path / "a.pdf", code))
    assert document.pages[0].text == "abcab"
    assert document.pages[1].text.replace("\ufffd", "") == "光仪光"
    assert document.unread == {2: 2}


def test_a_whole_text_has_no_unread_characters(tmp_path: Path):
    """Hyphens at line ends, ligatures and white space are no characters that are lost."""
    document = read_document(put_pdf(tmp_path / "a.pdf", "The settle-\nment of a\tdispute.", ""))
    assert document.unread == {}
