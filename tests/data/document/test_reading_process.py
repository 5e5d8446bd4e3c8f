"""A document that breaks its reader is refused alone; the documents after it are read."""

import os
import threading
import time
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from assay.data.document.document import read_document
from assay.data.document.reading_process import MEGABYTES, READING_PROCESS, SECONDS, ReadingProcess
from assay.errors import DatasetError
from assay.jobs.corpus.ingest import ingest

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def put_docx(path: Path, text: str, *, times: int = 1) -> Path:
    """Write a Word document with a paragraph, repeated."""
    paragraph = f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"
    body = f"<w:document {W}><w:body>{paragraph * times}</w:body></w:document>"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", body)
    return path


def put_pdf(path: Path, content: bytes) -> Path:
    """Write a PDF with one page, whose content is compressed."""
    data = zlib.compress(content, 9)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R"
            b" /Resources << /Font << /F1 5 0 R >> >> >>"
        ),
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n%b\nendstream" % (len(data), data),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    numbered = [b"%d 0 obj\n%b\nendobj\n" % each for each in enumerate(objects, 1)]
    path.write_bytes(
        b"%PDF-1.4\n" + b"".join(numbered) + b"trailer << /Size 6 /Root 1 0 R >>\n%%EOF"
    )
    return path


@pytest.fixture(name="reader")
def _reader() -> Iterator[ReadingProcess]:
    reader = ReadingProcess()
    yield reader
    reader.close()


def process_id(reader: ReadingProcess) -> int:
    """The id of the process that reads at the moment."""
    assert reader._process is not None
    return reader._process.pid


def test_one_process_reads_many_documents(tmp_path: Path, reader: ReadingProcess):
    """The process is started once; a damaged document does not end it."""
    good = put_docx(tmp_path / "a.docx", "Text")
    bad = tmp_path / "b.pdf"
    bad.write_bytes(b"%PDF-1.7 rubbish")
    assert reader.read(good) == [(None, "Text", 0)]
    first = process_id(reader)
    with pytest.raises(DatasetError, match=r"b\.pdf: not a PDF, or damaged"):
        reader.read(bad)
    assert reader.read(good) == [(None, "Text", 0)]
    assert process_id(reader) == first


def test_a_document_that_takes_too_long_is_refused_alone(
    tmp_path: Path, reader: ReadingProcess, monkeypatch: pytest.MonkeyPatch
):
    """A named pipe that nobody writes to is read without end; the next document is read."""
    endless = tmp_path / "endless.pdf"
    os.mkfifo(endless)
    good = put_docx(tmp_path / "a.docx", "Text")
    reader.read(good)
    monkeypatch.setenv(SECONDS, "1")
    with pytest.raises(DatasetError, match=rf"endless\.pdf: not read within 1 s; {SECONDS}"):
        reader.read(endless)
    monkeypatch.delenv(SECONDS)
    assert reader.read(good) == [(None, "Text", 0)]


def test_a_document_that_needs_too_much_memory_is_refused_alone(
    tmp_path: Path, reader: ReadingProcess, monkeypatch: pytest.MonkeyPatch
):
    """A Word document of few bytes that unpacks to much XML stays within the limit."""
    monkeypatch.setenv(MEGABYTES, "32")
    bomb = put_docx(tmp_path / "bomb.docx", "x", times=200_000)
    assert bomb.stat().st_size < 100_000
    with pytest.raises(DatasetError, match=r"bomb\.docx: reading it needs more than 32 MB"):
        reader.read(bomb)
    assert reader.read(put_docx(tmp_path / "a.docx", "Text")) == [(None, "Text", 0)]


def test_a_pdf_that_needs_too_much_memory_is_refused_alone(
    tmp_path: Path, reader: ReadingProcess, monkeypatch: pytest.MonkeyPatch
):
    """Its library ends the process instead of raising an error; the reason is said all the same."""
    monkeypatch.setenv(MEGABYTES, "96")
    bomb = put_pdf(tmp_path / "bomb.pdf", b"BT /F1 12 Tf " + b"(aaaaaaaa) Tj " * 1_000_000 + b"ET")
    assert bomb.stat().st_size < 100_000
    with pytest.raises(DatasetError, match=r"^\S+bomb\.pdf: reading it needs more than 96 MB"):
        reader.read(bomb)
    assert reader.read(put_docx(tmp_path / "a.docx", "Text")) == [(None, "Text", 0)]


def test_a_document_that_kills_its_reader_is_refused_alone(tmp_path: Path, reader: ReadingProcess):
    """A reader that dies in the middle of a document is replaced."""
    good = put_docx(tmp_path / "a.docx", "Text")
    reader.read(good)
    fatal = tmp_path / "fatal.pdf"
    os.mkfifo(fatal)

    def kill_while_it_reads() -> None:
        while not reader._lock.locked():  # nobody writes to the pipe, so it cannot be read
            time.sleep(0.001)
        os.kill(process_id(reader), 9)

    thread = threading.Thread(target=kill_while_it_reads)
    thread.start()
    with pytest.raises(DatasetError, match=r"fatal\.pdf: .*ended"):
        reader.read(fatal)
    thread.join()
    assert reader.read(good) == [(None, "Text", 0)]


def test_a_name_that_is_not_utf_8_is_read(tmp_path: Path, reader: ReadingProcess):
    """The path reaches the other process byte for byte."""
    path = tmp_path / "\udcff.docx"
    put_docx(tmp_path / "a.docx", "Text").rename(path)
    assert reader.read(path) == [(None, "Text", 0)]


def test_ingest_keeps_the_good_documents_beside_a_bad_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The bad document is named with its reason and skipped."""
    monkeypatch.setenv(MEGABYTES, "32")
    folder = tmp_path / "documents"
    folder.mkdir()
    put_docx(folder / "a.docx", "The first text.")
    put_docx(folder / "b.docx", "x", times=200_000)
    put_docx(folder / "c.docx", "The third text.")
    result = ingest(folder, tmp_path / "chunks")
    assert [document.source for document in result.ingested] == ["a.docx", "c.docx"]
    assert [(item.source, item.failed) for item in result.passed] == [("b.docx", True)]
    assert "needs more than 32 MB" in result.passed[0].reason
    READING_PROCESS.close()  # it has the small limit


def test_comments_without_an_end_are_read_in_linear_time(tmp_path: Path):
    """A Markdown file of a megabyte of openings would take hours in quadratic time."""
    path = tmp_path / "a.md"
    path.write_text("<!-- " * 200_000)
    assert read_document(path).pages[0].text == "<!-- " * 200_000
