"""The corpus on disk: what is read, what is refused and how, what is written."""

import json
from pathlib import Path

import pytest

from assay.data.corpus.chunk import Chunk, corpus_of, load_corpus, write_corpus
from assay.errors import DatasetError


def put(folder: Path, name: str, *rows: object) -> Path:
    """A JSONL file of these rows."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def refusal(manifest: Path) -> str:
    """The one line that says why a corpus cannot be loaded."""
    with pytest.raises(DatasetError) as caught:
        load_corpus(manifest)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_both_spellings_of_a_row_are_read(tmp_path: Path):
    """``id`` or ``chunk_id``, ``text`` or ``content``; other keys are passed over."""
    put(
        tmp_path,
        "a.jsonl",
        {"id": "one", "text": "Alpha", "source": "s.pdf", "page": 3, "next": "two"},
        {"chunk_id": "two", "content": "Beta", "prev": "one", "embedding": [1.0]},
        {"chunk_id": 3, "content": "Gamma"},
    )
    chunks = load_corpus(tmp_path).chunks
    assert chunks[0] == Chunk(id="one", text="Alpha", source="s.pdf", page=3, next="two")
    assert chunks[1] == Chunk(id="two", text="Beta", source="a", prev="one")
    assert chunks[2].id == "3"


def test_the_manifest_says_which_files_belong(tmp_path: Path):
    """Files are read in the manifest's order, and those it does not name are not."""
    for name in ("a", "b", "c"):
        put(tmp_path, f"{name}.jsonl", {"id": name, "text": name})
    manifest = tmp_path / "manifest.json"
    manifest.write_text('{"files": ["c.jsonl", "a.jsonl"]}')
    assert [chunk.id for chunk in load_corpus(manifest).chunks] == ["c", "a"]
    manifest.write_text('{"note": "names no files"}')
    assert [chunk.id for chunk in load_corpus(tmp_path).chunks] == ["a", "b", "c"]


def test_a_written_corpus_is_read_back_as_it_was(tmp_path: Path):
    """Chunks survive the round trip in order, and the content's hash with them."""
    chunks = [
        Chunk(id="1", text="第一条\n好。", source="法/甲.md", heading="甲 › 第一条", next="2"),
        Chunk(id="2", text="Два\u2028", source="法/甲.md", page=2, prev="1"),
        Chunk(id="3", text="Three", source="b.txt"),
    ]
    manifest = write_corpus(tmp_path / "chunks", chunks, settings={"tokens": 300})
    corpus = load_corpus(manifest)
    assert corpus == corpus_of(chunks)
    assert corpus.chunks[1].text == "Два\u2028"
    assert json.loads(manifest.read_text())["settings"] == {"tokens": 300}
    changed = corpus_of([chunks[0], chunks[2], chunks[1]])
    assert changed.sha256 != corpus.sha256


def test_sources_that_look_alike_as_file_names_stay_apart(tmp_path: Path):
    """A folder and its flat spelling, and a very long name, each have a file of their own."""
    sources = ["a/b.md", "a--b.md", "很" * 200, "很" * 201]
    chunks = [Chunk(id=str(n), text=source, source=source) for n, source in enumerate(sources)]
    corpus = load_corpus(write_corpus(tmp_path, chunks))
    assert [chunk.source for chunk in corpus.chunks] == sources


def test_writing_again_removes_what_is_gone_and_nothing_else(tmp_path: Path):
    """A source that has left takes its file along; a stranger's file stays."""
    stranger = put(tmp_path, "mine.jsonl", {"id": "x", "text": "x"})
    write_corpus(
        tmp_path, [Chunk(id="1", text="a", source="a"), Chunk(id="2", text="b", source="b")]
    )
    write_corpus(tmp_path, [Chunk(id="2", text="b", source="b")])
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "b.jsonl",
        "manifest.json",
        "mine.jsonl",
    ]
    assert stranger.read_text() == '{"id": "x", "text": "x"}\n'


def test_a_file_that_is_not_ours_is_never_overwritten(tmp_path: Path):
    """A file of the same name that no ingestion made is refused, and nothing is written."""
    put(tmp_path, "b.jsonl", {"id": "x", "text": "x"})
    chunks = [Chunk(id="1", text="a", source="a"), Chunk(id="2", text="b", source="b")]
    with pytest.raises(DatasetError, match=r"b\.jsonl exists and was not made by assay ingest"):
        write_corpus(tmp_path, chunks)
    assert [path.name for path in tmp_path.iterdir()] == ["b.jsonl"]


def test_duplicate_ids_are_refused_with_both_places(tmp_path: Path):
    """The message names the two lines, also across files."""
    first = put(tmp_path, "a.jsonl", {"id": "x", "text": "one"})
    second = put(tmp_path, "b.jsonl", {"id": "y", "text": "two"}, "", {"id": "x", "text": "three"})
    message = refusal(tmp_path)
    assert message == f"{second}:3: chunk 'x' stands already at {first}:1; ids are unique"


def test_an_empty_corpus_is_refused(tmp_path: Path):
    """No file, empty files, and no chunk are said to be so."""
    assert "no chunks; make some with assay ingest" in refusal(tmp_path)
    put(tmp_path, "a.jsonl", "", "  ")
    assert "no chunks" in refusal(tmp_path)
    assert "no such file; make it with assay ingest" in refusal(tmp_path / "manifest.json")


def test_invalid_utf8_is_placed_by_file_and_byte(tmp_path: Path):
    """The offset counts from the beginning of the file."""
    path = tmp_path / "a.jsonl"
    start = '{"id": "1", "text": "好"}\n{"id": "2", "text": "'.encode()
    path.write_bytes(start + b'\xff"}\n')
    assert refusal(tmp_path) == (
        f"{path}: not UTF-8 at byte {len(start)} (0xff); save the file as UTF-8"
    )


def test_a_line_of_50_megabytes_is_refused(tmp_path: Path):
    """The line is named; it is not decoded."""
    path = put(tmp_path, "a.jsonl", {"id": "1", "text": "short"})
    with path.open("ab") as file:
        file.write(b'{"id": "2", "text": "' + b"x" * (50 << 20) + b'"}\n')
    assert refusal(tmp_path).startswith(f"{path}:2: the line is longer than 16 MB")


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"id": "x"}, "chunk 'x' has no text"),
        ({"id": "x", "text": "  \n"}, "chunk 'x' has no text"),
        ({"text": "x"}, "the chunk has no id"),
        ({"id": "", "text": "x"}, "the chunk has no id"),
        ({"id": "x", "text": "x", "page": "three"}, "not a chunk"),
        (["x"], "not a chunk"),
        ('{"id": "x", ', "not a chunk"),
    ],
)
def test_a_bad_row_is_one_line(tmp_path: Path, row: object, reason: str):
    """Each fault names its file, its line and what is missing."""
    path = put(tmp_path, "a.jsonl", {"id": "good", "text": "good"}, row)
    assert refusal(tmp_path).startswith(f"{path}:2: {reason}")


def test_a_manifest_cannot_reach_outside_its_folder(tmp_path: Path):
    """Absolute names, parents, and files that are not there are refused."""
    manifest = tmp_path / "manifest.json"
    for name in ("../secret.jsonl", "/etc/x.jsonl"):
        manifest.write_text(json.dumps({"sources": [{"file": name}]}))
        assert "lies outside the folder" in refusal(manifest)
    manifest.write_text('{"sources": [{"file": "gone.jsonl"}]}')
    assert "names gone.jsonl, which is not there" in refusal(manifest)
    manifest.write_text("{")
    assert "not JSON" in refusal(manifest)


def test_a_byte_order_mark_is_no_part_of_the_first_row(tmp_path: Path):
    """Files saved by editors that add one are read."""
    (tmp_path / "a.jsonl").write_bytes(b'\xef\xbb\xbf{"id": "1", "text": "x"}\r\n')
    assert load_corpus(tmp_path).chunks == (Chunk(id="1", text="x", source="a"),)
