"""Documents of each format, and the message for each kind of unreadable file."""

import time
import zipfile
from pathlib import Path

import pytest
from openpyxl import Workbook

from assay.data.document import table_text
from assay.data.document.document import Page, read_document
from assay.data.document.docx import docx_text
from assay.data.question import read_questions
from assay.errors import DatasetError

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
STYLES = (
    f"<w:styles {W}>"
    '<w:style w:styleId="a3"><w:name w:val="Title"/></w:style>'
    '<w:style w:styleId="1"><w:name w:val="heading 1"/></w:style>'
    '<w:style w:styleId="own"><w:name w:val="Clause"/>'
    '<w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>'
    "</w:styles>"
)


def paragraph(text: str, style: str | None = None) -> str:
    """The XML of a paragraph."""
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{properties}<w:r><w:t>{text}</w:t></w:r></w:p>"


def put_docx(path: Path, body: str, *, before: str = "", styles: str | None = STYLES) -> Path:
    """Write a Word document with this body."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        text = f'<?xml version="1.0"?>{before}<w:document {W}><w:body>{body}</w:body></w:document>'
        archive.writestr("word/document.xml", text)
        if styles is not None:
            archive.writestr("word/styles.xml", styles)
    return path


def refusal(path: Path) -> str:
    """The one-line message that says why a document cannot be read."""
    with pytest.raises(DatasetError) as caught:
        read_document(path)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert "\n" not in message
    return message


def test_plain_text_is_one_page_without_a_number(tmp_path: Path):
    r"""All kinds of line ends become ``\n``, and a byte-order mark is removed."""
    path = tmp_path / "a.TXT"
    path.write_bytes("\ufeffОдин\r\nдва\rтри".encode())
    document = read_document(path)
    assert document.name == "a.TXT"
    assert document.pages == (Page(text="Один\nдва\nтри"),)


def test_comments_of_markdown_are_no_text(tmp_path: Path):
    """HTML comments, which a reader of the page does not see, are removed."""
    path = tmp_path / "a.md"
    path.write_text("# T\n<!-- page\nbreak -->\nBody")
    assert read_document(path, name="x/a.md").pages[0].text == "# T\n\nBody"


def test_text_that_is_not_utf8_is_placed(tmp_path: Path):
    """A file in no known encoding is refused with the offset of the first wrong byte."""
    path = tmp_path / "a.txt"
    path.write_bytes(b"Hi \xff\xfe\xfd\xfa")
    assert refusal(path) == (
        f"{path}: not UTF-8 at byte 3 (0xff), nor UTF-16, GB18030, CP1251 or KOI8-R; save the file as UTF-8"
    )


@pytest.mark.parametrize(
    ("text", "codec", "name"),
    [
        ("第三条 违约金为合同总额的百分之五。", "gbk", "GB18030"),
        ("第三条 违约金为合同总额的百分之五，𠀀。", "gb18030", "GB18030"),
        ("Статья 3. Неустойка составляет пять процентов.", "cp1251", "CP1251"),
        ("Статья 3. Неустойка составляет пять процентов.", "koi8-r", "KOI8-R"),
        ("ДОГОВОР АРЕНДЫ\n\nСтатья 3. Неустойка - пять процентов.", "koi8-r", "KOI8-R"),
        ("Статья 3. Неустойка составляет пять процентов.", "utf-16", "UTF-16"),
        ("第三条 违约金为合同总额的百分之五。", "utf-16-be", "UTF-16"),
        ("Article 3. The penalty is five per cent.", "utf-8-sig", ""),
    ],
)
def test_other_encodings_are_detected_and_said(tmp_path: Path, text: str, codec: str, name: str):
    """The text is right, and the document says in which encoding it was."""
    path = tmp_path / "a.txt"
    path.write_bytes(text.encode(codec))
    document = read_document(path)
    assert (document.text, document.encoding) == (text, name)


def test_what_is_around_the_content_of_html_is_left_out(tmp_path: Path):
    """Menus, footers, asides and dialogs are no text, by tag or by role, closed or not."""
    path = tmp_path / "a.html"
    path.write_text(
        "<head><title>Site</title><script>var x = '<p>no</p>';</script><body>"
        "<header><a>Sign in</a><h1>Fares</h1><ul><li>Menu</ul></header>"
        "<div role='navigation'><div><a>Home</a></div><p>Unclosed</div>"
        "<main><article><header><p>By Ann</header><p>Five.<aside>Ad</aside>"
        "<div role='alertdialog note'>Cookies? <button>Yes</button></div><p>Six.</article></main>"
        "<div role=complementary>More</div><footer>Imprint</footer>"
        "<div role='Contentinfo'>Us</div></div></nav><p>Last.",
        encoding="utf-8",
    )
    assert read_document(path).text == "# Fares\n\nBy Ann\n\nFive.\n\nSix.\n\nLast."


def test_a_page_that_is_nothing_but_a_menu_keeps_it(tmp_path: Path):
    """A page whose whole text is around a content that it does not have is not empty."""
    path = tmp_path / "a.html"
    path.write_text("<aside><p>Adults pay five.<script>x</script></aside>", encoding="utf-8")
    assert read_document(path).text == "Adults pay five."


def test_tags_without_end_do_not_take_the_square_of_their_number(tmp_path: Path):
    """A page of 200,000 open tags and as many ends of others is read within seconds."""
    path = tmp_path / "a.html"
    path.write_text("<div>" * 200_000 + "Five." + "</b>" * 200_000, encoding="utf-8")
    began = time.process_time()
    assert read_document(path).text == "Five."
    assert time.process_time() - began < 20


def test_tables_are_rows_with_their_headers(tmp_path: Path):
    """A row of CSV or Excel names the header of each value; a page of HTML keeps its headings."""
    (tmp_path / "a.csv").write_bytes("Имя;Возраст\nОлм;40\n".encode("cp1251"))
    assert read_document(tmp_path / "a.csv").text == "Имя: Олм; Возраст: 40"
    book = Workbook()
    book.active.append(["Name", "Age"])
    book.active.append(["Olm", 40.0])
    book.save(tmp_path / "a.xlsx")
    assert read_document(tmp_path / "a.xlsx").text == "Name: Olm; Age: 40"
    (tmp_path / "a.html").write_text("<h2>Fares</h2><p>Five.</p>", encoding="utf-8")
    assert read_document(tmp_path / "a.html").text == "## Fares\n\nFive."
    (tmp_path / "b.xlsx").write_bytes(b"PK nothing")
    assert "not an .xlsx workbook" in refusal(tmp_path / "b.xlsx")


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (b'r="B2"', b'r="ZZZZZ2"'),
        (b'r="B2"', b'r="B2" s="99"'),
        (b"<v>40</v>", b"<v>x</v>"),
        (b"</sheetData>", b""),
    ],
)
def test_a_workbook_whose_sheet_is_broken_is_refused(tmp_path: Path, right: bytes, wrong: bytes):
    """The file opens, and a cell of it cannot be read."""
    whole, broken = tmp_path / "a.xlsx", tmp_path / "b.xlsx"
    book = Workbook()
    book.active.append(["question", "expected"])
    book.active.append(["Age?", 40])
    book.save(whole)
    with zipfile.ZipFile(whole) as old, zipfile.ZipFile(broken, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(right, wrong))
    for read in (read_document, read_questions):
        with pytest.raises(DatasetError, match=r"b\.xlsx: not an \.xlsx workbook, or damaged"):
            read(broken)


def test_word_headings_paragraphs_and_rows(tmp_path: Path):
    """Headings come from styles and outline levels, one deeper under a title; a row is a line."""
    cell = "<w:tc>{}</w:tc>".format
    row = f"<w:tr>{cell(paragraph('Срок'))}{cell(paragraph('5') + paragraph('дней'))}</w:tr>"
    body = (
        paragraph("Договор", "a3")
        + paragraph("Предмет", "1")
        + paragraph("Общее", "own")
        + "<w:p><w:r><w:t>один</w:t><w:tab/><w:t>два</w:t><w:br/><w:t>три</w:t>"
        "<w:noBreakHyphen/><w:t>4</w:t></w:r><w:del><w:r><w:delText>no</w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t>!</w:t></w:r></w:ins></w:p>"
        + f"<w:tbl>{row}</w:tbl>"
        + f"<w:sdt><w:sdtContent>{paragraph('в рамке')}</w:sdtContent></w:sdt>"
    )
    text = read_document(put_docx(tmp_path / "a.docx", body)).pages[0].text
    assert text.split("\n\n") == [
        "# Договор",
        "## Предмет",
        "### Общее",
        "один два\nтри-4!",
        "Срок | 5 дней",
        "в рамке",
    ]


def test_a_word_table_is_read_like_any_other(tmp_path: Path):
    """Each value has its header; a first row of values, or one that is marked as such, is none."""

    def table(*rows: tuple[str, ...], before: str = "") -> str:
        cells = ["".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in row) for row in rows]
        return f"<w:tbl>{before}{''.join(f'<w:tr>{row}</w:tr>' for row in cells)}</w:tbl>"

    no_header = '<w:tblPr><w:tblLook w:firstRow="0"/></w:tblPr>'
    body = (
        table(("Role", "Count"), ("Warden", "3"), ("Cook", ""))
        + table(("Warden", "3"), ("Cook", "4"))
        + table(("Name", "Olm"), ("Town", "Riga"), before=no_header)
    )
    text = read_document(put_docx(tmp_path / "a.docx", body)).pages[0].text
    assert text.split("\n\n") == [
        *("Role: Warden; Count: 3", "Role: Cook"),
        *("Warden | 3", "Cook | 4"),
        *("Name | Olm", "Town | Riga"),
    ]


def test_word_text_that_is_wrapped_is_kept_in_order(tmp_path: Path):
    """Text in links, fields, controls and boxes is kept; the fallback copy of a box is not."""
    run = "<w:r><w:t>{}</w:t></w:r>".format
    alternate = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    box = f"<w:txbxContent>{paragraph('box')}</w:txbxContent>"
    cell = "<w:tr><w:tc>{}</w:tc></w:tr>".format
    body = (
        f"<w:p>{run('a ')}<w:hyperlink>{run('link ')}</w:hyperlink>"
        f"<w:fldSimple>{run('clause 5 ')}</w:fldSimple>"
        f"<w:sdt><w:sdtContent>{run('control ')}</w:sdtContent></w:sdt>"
        f"<w:smartTag>{run('place')}</w:smartTag></w:p>"
        f"<w:p><w:r><mc:AlternateContent {alternate}><mc:Choice><w:drawing>{box}</w:drawing>"
        f"</mc:Choice><mc:Fallback><w:pict>{box}</w:pict></mc:Fallback></mc:AlternateContent>"
        "</w:r></w:p>"
        f"<w:tbl><w:sdt><w:sdtContent>{cell(paragraph('in a control'))}</w:sdtContent></w:sdt>"
        + cell(f"<w:tbl>{cell(paragraph('within'))}</w:tbl>{paragraph('after')}")
        + "</w:tbl>"
        "<w:p><w:r><w:t>note</w:t><w:footnoteReference/><w:instrText>PAGE</w:instrText></w:r></w:p>"
    )
    text = read_document(put_docx(tmp_path / "a.docx", body)).pages[0].text
    assert text.split("\n\n") == [
        "a link clause 5 control place",
        "box",
        "in a control",
        "within after",
        "note",
    ]


def test_word_documents_of_the_strict_kind_are_read(tmp_path: Path):
    """A document in "Strict Open XML", which has other namespaces, gives the same text."""
    strict = "http://purl.oclc.org/ooxml/wordprocessingml/main"
    path = tmp_path / "a.docx"
    with zipfile.ZipFile(path, "w") as archive:
        body = paragraph("One", "1") + paragraph("Text")
        archive.writestr(
            "word/document.xml",
            f'<w:document xmlns:w="{strict}"><w:body>{body}</w:body></w:document>',
        )
        archive.writestr("word/styles.xml", STYLES.replace(W, f'xmlns:w="{strict}"'))
    assert read_document(path).pages[0].text == "# One\n\nText"


def test_only_the_text_of_a_word_document_is_unpacked(tmp_path: Path):
    """Only the text and its styles are read, so other broken parts do not matter."""
    path = put_docx(tmp_path / "a.docx", paragraph("Text"))
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("word/_rels/document.xml.rels", "<Relationships><broken")
        archive.writestr("word/media/image1.png", "not a picture")
    assert read_document(path).pages[0].text == "Text"


def test_word_headings_without_a_title_or_styles(tmp_path: Path):
    """Without a table of styles, a style id such as ``Heading1`` marks a heading."""
    body = paragraph("One", "Heading1") + paragraph("Two", "Heading2") + paragraph("Text")
    path = put_docx(tmp_path / "a.docx", body, styles=None)
    assert read_document(path).pages[0].text == "# One\n\n## Two\n\nText"


def test_an_entity_bomb_is_refused(tmp_path: Path):
    """Any DTD is refused before its entities are expanded, in any encoding."""
    bomb = '<!DOCTYPE x [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;">]>'
    path = put_docx(tmp_path / "a.docx", paragraph("&b;"), before=bomb)
    assert "declares a DTD" in refusal(path)
    with zipfile.ZipFile(path, "w") as archive:
        xml = f'<?xml version="1.0" encoding="UTF-16"?>{bomb}<w:document {W}/>'
        archive.writestr("word/document.xml", xml.encode("utf-16"))
    assert "declares a DTD" in refusal(path)


def test_broken_word_documents_are_one_line(tmp_path: Path):
    """Each kind of broken Word document gives a one-line message that names the cause."""
    path = tmp_path / "a.docx"
    path.write_bytes(b"rubbish")
    assert "not a Word document" in refusal(path)
    put_docx(path, paragraph("Text"))
    path.write_bytes(path.read_bytes()[:200])
    assert "it is truncated" in refusal(path)
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    assert "encrypted or old .doc" in refusal(path)
    put_docx(path, "<w:p>")
    assert "not well-formed XML" in refusal(path)
    put_docx(path, "<w:sdt>" * 5000 + paragraph("deep") + "</w:sdt>" * 5000)
    assert "nested too deeply" in refusal(path)
    put_docx(path, "<w:p/>")
    assert "the file has no text" in refusal(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("other.xml", "<x/>")
    assert "has no word/document.xml" in refusal(path)


def test_a_part_that_unpacks_without_end_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The number of unpacked bytes is limited, whatever size the archive states."""
    monkeypatch.setattr("assay.data.document.docx.MAX_PART_BYTES", 1 << 20)
    path = put_docx(tmp_path / "a.docx", paragraph("x" * (2 << 20)))
    with pytest.raises(DatasetError, match="unpacks to more than 1 MB"):
        docx_text(path)


def test_files_that_cannot_be_read_at_all(tmp_path: Path):
    """An unsupported format, a missing file and a folder each give a clear message."""
    assert ".csv, .docx, .htm, .html, .markdown, .md, .pdf, .tsv, .txt, .xlsx" in refusal(
        tmp_path / "a.odt"
    )
    for name in ("gone.txt", "gone.pdf", "gone.docx"):
        assert "cannot be read: No such file" in refusal(tmp_path / name)
    (tmp_path / "d.txt").mkdir()
    assert "cannot be read: Is a directory" in refusal(tmp_path / "d.txt")


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。", "shift_jis"),
        ("カタカナのテキストはここにあります", "shift_jis"),
        ("吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。", "euc_jp"),
        ("Die Verträge für Käufer ändern sich während der Prüfung häufig.", "latin-1"),
        ("Der Käufer zahlt nach Erhalt der Ware; Mängel sind zu rügen.", "cp1252"),
        ("Le vendeur a déjà été payé à la réception du reçu.", "latin-1"),
        ("Zażółć gęślą jaźń, płaci kupujący w ciągu tygodnia.", "cp1250"),
        ("עברית היא שפה שמית ממשפחת השפות האפרואסיאתיות", "cp1255"),
        ("ภาษาไทย เป็นภาษาในกลุ่มภาษาไท ซึ่งเป็นกลุ่มย่อย", "cp874"),
        ("Українська мова належить до слов'янської групи", "koi8-u"),
        ("СТАТЬЯ ТРЕТЬЯ. НЕУСТОЙКА СОСТАВЛЯЕТ ПЯТЬ ПРОЦЕНТОВ", "koi8-r"),
        ("СТАТЬЯ ТРЕТЬЯ. НЕУСТОЙКА СОСТАВЛЯЕТ ПЯТЬ ПРОЦЕНТОВ", "cp1251"),
        ("Статья третья. Неустойка составляет пять процентов", "cp866"),
    ],
)
def test_an_encoding_that_is_not_known_is_not_taken_for_another(
    tmp_path: Path, text: str, codec: str
):
    """Japanese is not Chinese in UTF-16, and German is not Russian: both are refused."""
    path = tmp_path / "a.txt"
    for line_end in ("\n", ""):
        path.write_bytes((text + line_end).encode(codec))
        assert "save the file as UTF-8" in refusal(path)


def test_a_workbook_that_unpacks_without_end_is_refused_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Neither its size nor its number of cells is known from the size of the file."""
    path = tmp_path / "a.xlsx"
    book = Workbook()
    for _ in range(60):
        book.active.append(["x"] * 20)
    book.active["XFD70"] = "far"
    book.save(path)
    assert table_text.workbook_text(path)
    monkeypatch.setattr(table_text, "MOST_CELLS", 1000)
    with pytest.raises(DatasetError, match="more than 1,000 cells"):
        table_text.workbook_text(path)
    monkeypatch.setattr(table_text, "MOST_UNPACKED_BYTES", 4000)
    with pytest.raises(DatasetError, match="unpacks to"):
        table_text.workbook_text(path)
