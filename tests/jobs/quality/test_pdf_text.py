"""PDFs that are written with fpdf2 and read back: their text, and the page of each piece."""

from pathlib import Path

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fpdf import FPDF
from PIL import Image, ImageDraw

from assay.errors import DatasetError
from assay.jobs.quality.score import phrase_span
from assay.jobs.quality.source import PdfText, read_pdf

LATIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,:;-()%$ﬁﬂﬃ"
CYRILLIC = "абвгдежзийклмнопрстуфхцчшщъыьэюяАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЭЮЯёЁ«»—"


def make_font(path: Path, characters: str) -> Path:
    """Write a font that draws a box for each character, so that no installed font is needed."""
    codes = [ord(character) for character in dict.fromkeys(characters)]
    names = {code: f"u{code:05X}" for code in codes}
    pen = TTGlyphPen(None)
    pen.moveTo((100, 0))
    for corner in ((100, 700), (500, 700), (500, 0)):
        pen.lineTo(corner)
    pen.closePath()
    box, empty = pen.glyph(), TTGlyphPen(None).glyph()
    glyphs = {".notdef": box}
    glyphs.update({name: empty if code == 32 else box for code, name in names.items()})
    font = FontBuilder(1000, isTTF=True)
    font.setupGlyphOrder(list(glyphs))
    font.setupCharacterMap(names)
    font.setupGlyf(glyphs)
    font.setupHorizontalMetrics(dict.fromkeys(glyphs, (600, 100)))
    font.setupHorizontalHeader(ascent=800, descent=-200)
    font.setupNameTable({"familyName": "Boxes", "styleName": "Regular"})
    font.setupOS2(sTypoAscender=800, usWinAscent=800, usWinDescent=200)
    font.setupPost()
    font.save(str(path))
    return path


@pytest.fixture
def writer(tmp_path: Path) -> FPDF:
    """A PDF writer with a font for three scripts."""
    chinese = (
        "第一二三四五条甲乙方应当在十日内支付货款万千元违约金为合同总额的百分之。，交付地点北京市"
    )
    file = FPDF()
    file.add_font("Boxes", "", make_font(tmp_path / "boxes.ttf", LATIN + CYRILLIC + chinese))
    file.set_font("Boxes", size=10)
    return file


def write_and_read(file: FPDF, folder: Path) -> PdfText:
    """Write the PDF and read it back."""
    path = folder / "a.pdf"
    file.output(str(path))
    return read_pdf(path)


def pages_of(text: PdfText, phrase: str) -> list[int | None]:
    """The pages of the chunks that contain a phrase."""
    return [chunk.page for chunk in text.chunks if phrase_span(phrase, chunk.text)]


def assert_at(text: PdfText, phrase: str, page: int) -> None:
    """Check that the phrase is on that page only, in the chunks and in the page texts."""
    assert pages_of(text, phrase) == [page]
    numbered = enumerate(text.pages, 1)
    assert [number for number, content in numbered if phrase_span(phrase, content)] == [page]


def test_two_columns(writer: FPDF, tmp_path: Path):
    """Each column is read to its end, and the page number is correct on both pages."""
    left = "The left column tells of the harbour dues, which are 120 dollars a day for every ship."
    right = "The right column tells of pilots, who are paid 85 dollars for every passage they make."
    for amount in ("310", "470"):
        writer.add_page()
        for x_mm, text in ((15, left), (110, right)):
            writer.set_xy(x_mm, 20)
            writer.multi_cell(80, 6, f"{text} Column sum {amount}{x_mm}." * 2, align="L")
    text = write_and_read(writer, tmp_path)
    for number, amount in enumerate(("310", "470"), 1):
        assert_at(text, f"Column sum {amount}15", number)
        assert_at(text, f"Column sum {amount}110", number)
        page = text.pages[number - 1]
        assert page.index("harbour dues") < page.index("Column sum") < page.index("pilots")


def test_a_table(writer: FPDF, tmp_path: Path):
    """The rows of a table are read as text, with complete numbers, on the table's page."""
    writer.add_page()
    writer.multi_cell(0, 6, "The tariff of the ferry line is told on the next page of this paper.")
    writer.add_page()
    with writer.table(first_row_as_headings=False) as table:
        for row in (("Region", "2022", "2023"), ("Volga", "2 904,1", "3 102,4")):
            table.row(row)
    text = write_and_read(writer, tmp_path)
    assert_at(text, "3 102,4", 2)
    assert_at(text, "Volga", 2)
    assert pages_of(text, "102,4") == []


def test_ligatures_and_hyphenation(writer: FPDF, tmp_path: Path):
    """Words that the layout hyphenated over two lines or two pages are joined."""
    writer.add_page()
    writer.multi_cell(0, 6, "An eﬃcient oﬃce ﬁnds the ﬂow of every settle-\nment it is asked for.")
    writer.add_page()
    writer.multi_cell(
        0, 6, "The second page begins with a sentence of its own and ends with an agree-"
    )
    writer.add_page()
    writer.multi_cell(0, 6, "ment of both parties. The third page has 55 reasons.")
    text = write_and_read(writer, tmp_path)
    for phrase in ("efficient office", "finds the flow", "settlement"):
        assert_at(text, phrase, 1)
    assert_at(text, "55 reasons", 3)
    # a sentence over the page break belongs to the page on which it begins
    assert pages_of(text, "agreement") == [2]
    assert phrase_span("agreement of both parties", text.pages[1]) is not None


def test_russian(writer: FPDF, tmp_path: Path):
    """Cyrillic text with ё, guillemets and Russian number formats is read page by page."""
    for year, amount in (("2022", "11 748,2"), ("2023", "12 641,0")):
        writer.add_page()
        writer.multi_cell(0, 6, f"За {year} год «Горновит» учёл выручку {amount} млн руб.")
    text = write_and_read(writer, tmp_path)
    assert_at(text, "11748,2", 1)
    assert_at(text, "12 641,0", 2)
    assert pages_of(text, "учел выручку") == [1, 2]


def test_chinese(writer: FPDF, tmp_path: Path):
    """Chinese lines are joined without spaces, numerals match digits, pages are correct."""
    writer.add_page()
    writer.multi_cell(60, 6, "第一条 甲方应当在十日内支付货款四万二千元。", wrapmode="CHAR")
    writer.add_page()
    writer.multi_cell(
        60, 6, "第二条 违约金为合同总额的百分之五，交付地点为北京市。", wrapmode="CHAR"
    )
    text = write_and_read(writer, tmp_path)
    assert_at(text, "42000元", 1)
    assert_at(text, "5%", 2)
    assert_at(text, "交付地点为北京市", 2)


def test_a_scan_is_refused(tmp_path: Path):
    """A PDF that contains only an image of text is refused, and OCR is suggested."""
    picture = Image.new("RGB", (400, 200), "white")
    ImageDraw.Draw(picture).text((20, 20), "Revenue 12 641", fill="black")
    file = FPDF()
    file.add_page()
    file.image(picture, 20, 20, 120)
    path = tmp_path / "scan.pdf"
    file.output(str(path))
    with pytest.raises(DatasetError) as caught:
        read_pdf(path)
    assert str(caught.value) == f"{path} has no text layer: scanned, needs OCR"


def test_a_blank_page_is_counted_and_reported(writer: FPDF, tmp_path: Path):
    """Page 3 keeps its number if page 2 has no text."""
    for line in ("The first page says alpha.", "", "The third page says gamma."):
        writer.add_page()
        writer.multi_cell(0, 6, line)
    text = write_and_read(writer, tmp_path)
    assert text.empty_pages == (2,)
    assert_at(text, "gamma", 3)


def test_chunks_keep_to_one_page_and_know_their_neighbours(writer: FPDF, tmp_path: Path):
    """Ids are distinct even if texts repeat, and the links go through all chunks."""
    for number in range(1, 5):
        writer.add_page()
        writer.multi_cell(
            0, 6, f"The same words on every page. And the number {number * 1111}. " * 9
        )
    text = write_and_read(writer, tmp_path)
    ids = [chunk.id for chunk in text.chunks]
    assert len(set(ids)) == len(ids)
    assert [chunk.next for chunk in text.chunks] == [*ids[1:], None]
    assert [chunk.prev for chunk in text.chunks] == [None, *ids[:-1]]
    for chunk in text.chunks:
        assert chunk.page is not None
        assert str(chunk.page * 1111) in chunk.text
        assert sum(str(number * 1111) in chunk.text for number in range(1, 5)) == 1


def test_a_text_without_pages_is_no_pdf(tmp_path: Path):
    """Markdown is refused, because it has no pages to cite."""
    path = tmp_path / "a.md"
    path.write_text("# Title\n\nText.")
    with pytest.raises(DatasetError, match="has no pages to cite"):
        read_pdf(path)
