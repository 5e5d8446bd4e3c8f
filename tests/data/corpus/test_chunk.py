"""Corpus files: what is read, what is refused with which message, and what is written."""

import json
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from assay.data.corpus.chunk import Chunk, corpus_of, load_corpus
from assay.data.corpus.corpus_files import altered_files, write_corpus
from assay.errors import DatasetError


def put(folder: Path, name: str, *rows: object) -> Path:
    """Write a JSONL file with these rows."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def refusal(manifest: Path) -> str:
    """The one-line message that says why a corpus cannot be loaded."""
    with pytest.raises(DatasetError) as caught:
        load_corpus(manifest)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_both_spellings_of_a_row_are_read(tmp_path: Path):
    """``id`` or ``chunk_id`` and ``text`` or ``content`` are read; other keys are ignored."""
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
    """Only the files that the manifest lists are read, in its order."""
    for name in ("a", "b", "c"):
        put(tmp_path, f"{name}.jsonl", {"id": name, "text": name})
    manifest = tmp_path / "manifest.json"
    manifest.write_text('{"files": ["c.jsonl", "a.jsonl"]}')
    assert [chunk.id for chunk in load_corpus(manifest).chunks] == ["c", "a"]
    manifest.write_text('{"note": "names no files"}')
    assert [chunk.id for chunk in load_corpus(tmp_path).chunks] == ["a", "b", "c"]


def test_a_written_corpus_is_read_back_as_it_was(tmp_path: Path):
    """Writing and reading keep the chunks, their order and the hash of the content."""
    chunks = [
        Chunk(id="1", text="第一条\n好。", source="法/甲.md", heading="甲 › 第一条", next="2"),
        Chunk(id="2", text="Два\u2028", source="法/甲.md", page=2, prev="1"),
        Chunk(id="3", text="Three", source="b.txt"),
    ]
    manifest = write_corpus(tmp_path / "chunks", chunks, settings={"tokens": 300})
    corpus = load_corpus(manifest)
    assert replace(corpus, files=()) == corpus_of(chunks)
    assert sum(count for _, count in corpus.files) == len(chunks)
    assert corpus.chunks[1].text == "Два\u2028"
    assert json.loads(manifest.read_text())["settings"] == {"tokens": 300}
    changed = corpus_of([chunks[0], chunks[2], chunks[1]])
    assert changed.sha256 != corpus.sha256


def test_sources_that_look_alike_as_file_names_stay_separate(tmp_path: Path):
    """Each source gets its own file, even if file names clash or are very long."""
    sources = ["a/b.md", "a--b.md", "很" * 200, "很" * 201]
    chunks = [Chunk(id=str(n), text=source, source=source) for n, source in enumerate(sources)]
    corpus = load_corpus(write_corpus(tmp_path, chunks))
    assert [chunk.source for chunk in corpus.chunks] == sources


def test_writing_again_removes_what_is_gone_and_nothing_else(tmp_path: Path):
    """The file of a removed source is deleted; a file of the user stays."""
    user_file = put(tmp_path, "mine.jsonl", {"id": "x", "text": "x"})
    write_corpus(
        tmp_path, [Chunk(id="1", text="a", source="a"), Chunk(id="2", text="b", source="b")]
    )
    write_corpus(tmp_path, [Chunk(id="2", text="b", source="b")])
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "b.jsonl",
        "manifest.json",
        "mine.jsonl",
    ]
    assert user_file.read_text() == '{"id": "x", "text": "x"}\n'


def test_a_file_that_is_not_ours_is_never_overwritten(tmp_path: Path):
    """If a file of the user has the same name, writing is refused and nothing is written."""
    put(tmp_path, "b.jsonl", {"id": "x", "text": "x"})
    chunks = [Chunk(id="1", text="a", source="a"), Chunk(id="2", text="b", source="b")]
    with pytest.raises(DatasetError, match=r"b\.jsonl exists and was not written by assay ingest"):
        write_corpus(tmp_path, chunks)
    assert [path.name for path in tmp_path.iterdir()] == ["b.jsonl"]


def test_duplicate_ids_are_refused_with_both_places(tmp_path: Path):
    """The message gives both lines, also if they are in different files."""
    first = put(tmp_path, "a.jsonl", {"id": "x", "text": "one"})
    second = put(tmp_path, "b.jsonl", {"id": "y", "text": "two"}, "", {"id": "x", "text": "three"})
    message = refusal(tmp_path)
    assert message == f"{second}:3: chunk 'x' is already at {first}:1; ids are unique"


def test_an_empty_corpus_is_refused(tmp_path: Path):
    """A folder without files, empty files and a missing manifest each give a message."""
    assert "no chunks; create them with assay ingest" in refusal(tmp_path)
    put(tmp_path, "a.jsonl", "", "  ")
    assert "no chunks" in refusal(tmp_path)
    assert "no such file; create it with assay ingest" in refusal(tmp_path / "b" / "manifest.json")


def test_invalid_utf8_is_placed_by_file_and_byte(tmp_path: Path):
    """The message gives the byte offset from the beginning of the file."""
    path = tmp_path / "a.jsonl"
    start = '{"id": "1", "text": "好"}\n{"id": "2", "text": "'.encode()
    path.write_bytes(start + b'\xff"}\n')
    assert refusal(tmp_path) == (
        f"{path}: not UTF-8 at byte {len(start)} (0xff); save the file as UTF-8"
    )


def test_a_line_of_50_megabytes_is_refused(tmp_path: Path):
    """A line that is far too long is refused with its number and not decoded."""
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
    """Each message gives the file, the line and what is wrong."""
    path = put(tmp_path, "a.jsonl", {"id": "good", "text": "good"}, row)
    assert refusal(tmp_path).startswith(f"{path}:2: {reason}")


def test_a_manifest_cannot_reach_outside_its_folder(tmp_path: Path):
    """Absolute names, parent folders and files that do not exist are refused."""
    manifest = tmp_path / "manifest.json"
    for name in ("../secret.jsonl", "/etc/x.jsonl"):
        manifest.write_text(json.dumps({"sources": [{"file": name}]}))
        assert "is outside the manifest's folder" in refusal(manifest)
    manifest.write_text('{"sources": [{"file": "gone.jsonl"}]}')
    assert "the listed file gone.jsonl does not exist" in refusal(manifest)
    manifest.write_text("{")
    assert "not JSON" in refusal(manifest)


def test_a_byte_order_mark_is_no_part_of_the_first_row(tmp_path: Path):
    """A file that an editor saved with a byte-order mark is read correctly."""
    (tmp_path / "a.jsonl").write_bytes(b'\xef\xbb\xbf{"id": "1", "text": "x"}\r\n')
    assert load_corpus(tmp_path).chunks == (Chunk(id="1", text="x", source="a"),)


def one_chunk(source: str, text: str) -> Chunk:
    """A chunk that is the whole source."""
    return Chunk(id=f"{source}-{text}", text=text, source=source)


OLD = [one_chunk("a", "old"), one_chunk("b", "old"), one_chunk("gone", "old")]
NEW = [one_chunk("a", "new"), one_chunk("b", "new"), one_chunk("c", "new")]


class Killed(BaseException):
    """Stands for the end of the process."""


@pytest.mark.parametrize("has_old", [True, False])
def test_a_kill_at_any_step_leaves_the_old_corpus_or_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_old: bool
):
    """Every change of a file may be the last; the corpus is never a mix of both."""
    replace, unlink = Path.replace, Path.unlink
    seen = set()
    for last_step in range(1, 40):
        folder = tmp_path / f"step-{last_step}"
        if has_old:
            write_corpus(folder, OLD)
        steps = 0

        def step(action: Any, *arguments: Any, at: int = last_step, **named: Any) -> Any:
            nonlocal steps
            steps += 1
            if steps == at:
                raise Killed
            return action(*arguments, **named)

        with monkeypatch.context() as patch:
            patch.setattr(Path, "replace", lambda *words: step(replace, *words))
            patch.setattr(Path, "unlink", lambda *words, **named: step(unlink, *words, **named))
            try:
                write_corpus(folder, NEW)
            except Killed:
                pass
            else:
                break
        try:
            seen.add(load_corpus(folder).sha256)
        except DatasetError as error:
            assert not has_old
            assert "interrupted; run it again" in str(error) or "no chunks" in str(error)  # noqa: PT017
        assert load_corpus(write_corpus(folder, NEW)).chunks == corpus_of(NEW).chunks
        assert sorted(path.name for path in folder.iterdir() if path.suffix == ".jsonl") == [
            "a.jsonl",
            "b.jsonl",
            "c.jsonl",
        ]
    assert seen <= {corpus_of(OLD).sha256, corpus_of(NEW).sha256}
    assert corpus_of(NEW).sha256 in seen
    assert (corpus_of(OLD).sha256 in seen) is has_old


def test_a_second_kill_on_top_of_the_first_one_leaves_a_whole_corpus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The files of an interrupted swap stay until no manifest names them, whatever is written next."""
    replace, unlink = Path.replace, Path.unlink
    whole = {corpus_of(OLD).sha256, corpus_of(NEW).sha256}
    for first, second in product(range(1, 14), repeat=2):
        folder = tmp_path / f"{first}-{second}"
        write_corpus(folder, OLD)
        for last_step, chunks in ((first, NEW), (second, OLD)):
            steps = 0

            def step(action: Any, *arguments: Any, at: int = last_step, **named: Any) -> Any:
                nonlocal steps
                steps += 1
                if steps == at:
                    raise Killed
                return action(*arguments, **named)

            with monkeypatch.context() as patch:
                patch.setattr(Path, "replace", lambda *words: step(replace, *words))
                patch.setattr(Path, "unlink", lambda *words, **named: step(unlink, *words, **named))
                with suppress(Killed):
                    write_corpus(folder, chunks)
            assert load_corpus(folder).sha256 in whole, (first, second)


def test_a_file_that_was_altered_is_named(tmp_path: Path):
    """The manifest has a hash of each file."""
    manifest = write_corpus(tmp_path, OLD)
    assert altered_files(manifest) == altered_files(tmp_path) == []
    (tmp_path / "b.jsonl").write_text('{"id": "1", "text": "other", "source": "b"}\n')
    assert altered_files(manifest) == ["b.jsonl"]


def test_chunks_are_read_without_a_manifest(tmp_path: Path):
    """If the named manifest is absent, all chunk files beside it are the corpus."""
    rows = [{"chunk_id": "a1", "text": "One.", "page": "3"}, {"chunk_id": "a2", "text": "Two."}]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "a.jsonl").write_text(lines, encoding="utf-8")
    corpus = load_corpus(tmp_path / "manifest.json")
    assert [(chunk.id, chunk.page) for chunk in corpus.chunks] == [("a1", 3), ("a2", None)]
    with pytest.raises(DatasetError, match="no such file"):
        load_corpus(tmp_path / "other" / "manifest.json")
