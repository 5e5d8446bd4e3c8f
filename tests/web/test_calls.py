"""Searching the corpus, and making a passage gold, by the JSON interface."""

import json
from pathlib import Path
from typing import Any

from assay.jobs.corpus.ingest import ingest
from assay.web.guard import CHANGING
from tests.support.page import BEARER, client_of, run

SEARCH, GOLD, VIEW = "/api/v1/corpus/search", "/api/v1/corpus/gold", "/api/v1/corpus"


def workspace(root: Path) -> Path:
    """Two small documents and two questions without gold; returns the file of questions."""
    documents = root / "documents"
    documents.mkdir()
    (documents / "notice.md").write_text("Notice is given thirty days before.", encoding="utf-8")
    (documents / "fees.md").write_text("The fee is forty crowns a month.", encoding="utf-8")
    ingest(documents, root / "chunks")
    (root / "experiments").mkdir()
    (root / "experiments" / "experiments.yaml").write_text("experiments: []\n", encoding="utf-8")
    (root / "experiments" / "run.jsonl").write_text("", encoding="utf-8")
    questions = root / "questions" / "q.jsonl"
    questions.parent.mkdir()
    rows = [{"id": "a", "question": "How much is the fee?"}, {"id": "b", "question": "Notice?"}]
    questions.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return questions


def play(root: Path, story: Any, **access: Any) -> None:
    """Run a story with a client that may change something."""

    async def whole() -> None:
        async with await client_of(root, **({"is_read_only": False} | access)) as client:
            origin = f"http://127.0.0.1:{client.port}"
            client.session.headers.update({**BEARER, "Origin": origin, CHANGING[0]: CHANGING[1]})
            await story(client)

    run(whole())


def test_a_found_passage_becomes_gold_of_a_question(tmp_path: Path):
    """It is searched for, written into the file, found to be gold, and taken away again."""
    questions = workspace(tmp_path)

    async def story(client: Any) -> None:
        found = await (await client.post(SEARCH, json={"text": "fee a month"})).json()
        first = found["passages"][0]
        assert (first["source"], found["sources"]) == ("fees.md", ["fees.md", "notice.md"])
        words = {"path": "questions/q.jsonl", "question": "a"}
        view = await (await client.get(VIEW, params=words)).json()
        assert (view["files"], view["ids"]) == (["questions/q.jsonl"], ["a", "b"])
        change = {**words, "version": view["question"]["version"], "passage": first}
        now = await (await client.post(GOLD, json={**change, "is_gold": True})).json()
        assert now["gold"] == [first["id"]]
        assert json.loads(questions.read_text().splitlines()[0])["gold_chunk_ids"] == [first["id"]]
        late = await client.post(GOLD, json={**change, "is_gold": False})
        assert late.status == 400
        assert "has changed" in (await late.json())["error"]
        change["version"] = now["version"]
        now = await (await client.post(GOLD, json={**change, "is_gold": False})).json()
        assert now["gold"] == []

    play(tmp_path, story)


def test_a_new_corpus_is_searched_without_a_restart(tmp_path: Path):
    """And a search that cannot be made says why."""
    workspace(tmp_path)

    async def story(client: Any) -> None:
        assert (await client.post(SEARCH, json={"text": "fee"})).status == 200
        (tmp_path / "documents" / "fees.md").write_text("Zebras pay nothing.", encoding="utf-8")
        ingest(tmp_path / "documents", tmp_path / "chunks")
        found = await (await client.post(SEARCH, json={"text": "zebras", "limit": 1})).json()
        assert found["passages"][0]["text"] == "Zebras pay nothing."
        for words in ({"text": " "}, {"text": "fee", "source": "nowhere"}, {"limit": 1}):
            assert (await client.post(SEARCH, json=words)).status == 400

    play(tmp_path, story)


def test_no_other_file_can_be_read_or_changed(tmp_path: Path):
    """Not outside the workspace, not results, not documents."""
    root = tmp_path / "w"
    root.mkdir()
    workspace(root)
    (tmp_path / "secret.jsonl").write_text('{"id": "a", "question": "?"}\n', encoding="utf-8")

    async def story(client: Any) -> None:
        for path in ("../secret.jsonl", str(tmp_path / "secret.jsonl"), "experiments/run.jsonl",
                     "chunks/fees.md.jsonl", "documents/fees.md", "questions/\0.jsonl"):  # fmt: skip
            view = await (await client.get(VIEW, params={"path": path, "question": "a"})).json()
            assert view["question"] is None
            assert view["problem"]
            passage = {"id": "x", "source": "", "text": "", "score": 0.0}
            change = {"path": path, "question": "a", "version": "", "passage": passage}
            assert (await client.post(GOLD, json={**change, "is_gold": True})).status == 400

    play(root, story)


def test_a_page_that_only_reads_neither_searches_nor_changes(tmp_path: Path):
    """A search may call a model that costs something."""
    workspace(tmp_path)

    async def story(client: Any) -> None:
        assert (await client.post(SEARCH, json={"text": "fee"})).status in {403, 404, 405}
        assert (await client.get(VIEW)).status == 404

    play(tmp_path, story, is_read_only=True)
