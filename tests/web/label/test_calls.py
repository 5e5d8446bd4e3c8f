"""Labelling by the JSON interface, as the page does it."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from aiohttp.test_utils import TestClient

from assay.judge.draw import Drawn, draw, write_drawn
from assay.judge.label import text_hash
from assay.judge.label_store import labels_path, pairs_path, read_labels, read_preferences
from assay.web.guard import CHANGING
from tests.support.page import BEARER, client_of, run, study_rows, write_study

Client = TestClient[Any, Any]
RUN = f"/api/v1/runs/{quote('experiments/a', safe='')}"


def play(
    root: Path, story: Callable[[Client], Awaitable[None]], *, is_read_only: bool = False
) -> Path:
    """Run a story with a client of a server with one run; returns the file of labels."""
    journal = write_study(root / "experiments" / "a.jsonl")

    async def whole() -> None:
        async with await client_of(root, is_read_only=is_read_only) as client:
            origin = f"http://127.0.0.1:{client.port}"
            client.session.headers.update({**BEARER, "Origin": origin, CHANGING[0]: CHANGING[1]})
            await story(client)

    run(whole())
    return labels_path(journal)


async def get(client: Client, path: str, status: int = 200, **words: Any) -> Any:
    """The JSON of a call."""
    answer = await client.get(f"{RUN}/{path}", params=words)
    assert answer.status == status, await answer.text()
    return await answer.json()


async def post(client: Client, path: str, body: dict[str, Any], status: int = 200) -> Any:
    """The JSON of a request that changes something."""
    answer = await client.post(f"{RUN}/{path}", json=body)
    assert answer.status == status, await answer.text()
    return await answer.json()


async def task_of(client: Client, name: str, **words: Any) -> Any:
    """The task of the question with this id."""
    for item in range(11):
        task = await get(client, f"labels/items/{item}", **{"labeller": "ann"} | words)
        if task["id"] == name:
            return task
    raise AssertionError(name)


def said(task: Any, variant: str, verdict: str, **fields: Any) -> dict[str, Any]:
    """A label of an answer of a task."""
    answer = next(each for each in task["answers"] if variant in each["variants"])
    body = {"item": task["item"], "labeller": "ann", "answer_hash": answer["hash"]}
    return body | {"verdict": verdict} | fields


def test_a_label_is_written_shown_and_counted(tmp_path: Path):
    """Who, when, which version, span, comment and correction; the run then has the metric."""

    async def story(client: Client) -> None:
        task = await task_of(client, "q2")
        assert [each["variants"] for each in task["answers"]] == [["on"], ["off"]]
        given = {"span": [0, 3], "comment": "Нет", "corrected_answer": "30 дней", "is_blind": True}
        new = said(task, "off", "partly", **given)
        assert await post(client, "labels", new) == {"rows": 1, "written": 1}
        assert await post(client, "labels", new) == {"rows": 1, "written": 0}
        shown = (await task_of(client, "q2"))["answers"][1]["label"]
        assert (shown["verdict"], shown["span"], shown["comment"]) == ("partly", [0, 3], "Нет")
        assert (await task_of(client, "q2", labeller="bo"))["answers"][1]["label"] is None
        place = await get(client, "labels/next", labeller="ann", after=task["item"])
        assert (place["done"], place["total"]) == (1, 20)
        view = json.loads(await (await client.get(RUN)).text())
        assert view["metrics"][-1]["name"] == "label"
        assert view["variants"][1]["cells"]["label"]["n"] == 1

    (row,) = read_labels(play(tmp_path, story))
    assert (row.run, row.case_id, row.variant, row.labeller) == (
        "experiments/a",
        "q2",
        "off",
        "ann",
    )
    assert row.answer_hash == text_hash("off on q2 [1].")
    assert (row.blind, row.probability, row.corrected_answer) == (True, None, "30 дней")


def test_blind_tasks_hide_variants_and_shuffle_sides(tmp_path: Path):
    """The order is the same for a person and a question, and differs between questions."""

    async def story(client: Client) -> None:
        orders = {}
        for labeller in ("ann", "bo", "cy"):
            for item in range(8):
                words = {"labeller": labeller, "blind": "true"}
                task = await get(client, f"labels/items/{item}", **words)
                assert "variants" not in json.dumps(task).replace('"variants": []', "")
                assert task == await get(client, f"labels/items/{item}", **words)
                orders[labeller, item] = [each["text"][:3] for each in task["answers"]]
        assert {tuple(order) for order in orders.values() if len(order) == 2} >= {
            ("on ", "off"),
            ("off", "on "),
        }
        people = {labeller: str([orders[labeller, item] for item in range(8)]) for labeller in ("ann", "bo", "cy")}  # fmt: skip
        assert len(set(people.values())) > 1

    play(tmp_path, story)


def test_next_goes_round_and_ends(tmp_path: Path):
    """Every answer is offered once; an answer that failed is not offered."""

    async def story(client: Client) -> None:
        seen, after = [], ""
        while True:
            place = await get(client, "labels/next", labeller="ann", after=after)
            assert place["done"] + 2 * (10 - len(seen)) == place["total"] == 20
            if place["item"] is None:
                break
            seen.append(place["item"])
            task = await get(client, f"labels/items/{place['item']}", labeller="ann")
            for answer in task["answers"]:
                body = {"item": task["item"], "labeller": "ann", "answer_hash": answer["hash"]}
                await post(client, "labels", body | {"verdict": "right"})
            after = place["item"]
        assert len(seen) == len(set(seen)) == 10

    play(tmp_path, story)


def test_drawn_answers_are_labelled_first_and_then_unsure_ones(tmp_path: Path):
    """Drawn ones in the order of their draw; a preference has no draw."""
    rows = study_rows()
    for row in rows:
        if row["question_id"] == "q6":
            row["at_least"], row["at_most"] = {"cite_ok": 0.0}, {"cite_ok": 1.0}
    answers = [(f"q{number}", "on", text_hash(f"on on q{number} [1].")) for number in range(8)]
    lines = [
        Drawn(
            run="a", case_id=name, variant=variant, answer_hash=known, probability=chance, seed=0,
            count=3,
        )
        for (name, variant, known), chance in (
            (answers[place], chance) for place, chance in draw(answers, [1.0] * 8, 3, 0)
        )
    ]  # fmt: skip

    async def story(client: Client) -> None:
        journal = write_study(tmp_path / "experiments" / "a.jsonl", rows)
        write_drawn(journal, reversed(lines))
        seen: list[str] = []
        after = ""
        for _ in range(6):
            place = await get(client, "labels/next", labeller="ann", after=after)
            after = place["item"]
            seen.append((await get(client, f"labels/items/{after}", labeller="ann"))["id"])
        wanted = list(dict.fromkeys([*(line.case_id for line in lines), "q6"]))
        rest = [f"q{number}" for number in range(8) if f"q{number}" not in wanted]
        assert seen == [*wanted, *rest][:6]

    play(tmp_path, story)


def test_people_agree_or_not(tmp_path: Path):
    """Agreement with an interval, and the queue of disagreements with comments."""

    async def story(client: Client) -> None:
        for number in range(6):
            task = await task_of(client, f"q{number}")
            for person in ("ann", "bo"):
                verdict = "wrong" if number % 2 or (number == 4 and person == "bo") else "right"
                new = said(task, "on", verdict, labeller=person, comment=person)
                await post(client, "labels", new)
        board = await get(client, "labels")
        assert (board["answers"], board["labelled"], board["shared"]) == (20, 6, 6)
        assert board["distinct"] == 6
        assert board["people"][1] == {"name": "bo", "verdicts": [2, 0, 4, 0]}
        (pair,) = board["pairs"]
        assert (pair["n"], pair["same"]) == (6, 5)
        assert pair["kappa"] == pytest.approx(2 / 3)
        assert pair["interval"]["low"] < 2 / 3 < pair["interval"]["high"]
        assert board["alpha"] is not None
        (only,) = board["disagreements"]
        assert (only["id"], only["variants"]) == ("q4", ["on"])
        assert only["said"] == [["ann", "right", "ann"], ["bo", "wrong", "bo"]]

    play(tmp_path, story)


def test_preferences_between_two_variants(tmp_path: Path):
    """The side that was shown does not matter: the hash of the better answer is sent."""

    async def story(client: Client) -> None:
        pair = [("pair", "off"), ("pair", "on"), ("labeller", "ann"), ("blind", "true")]
        place = await (await client.get(f"{RUN}/labels/next", params=pair)).json()
        assert (place["done"], place["total"]) == (0, 10)
        for name, chosen in (("q0", "on"), ("q1", "off"), ("q2", "on"), ("q3", "equal")):
            item = (await task_of(client, name))["item"]
            task = await (await client.get(f"{RUN}/labels/items/{item}", params=pair)).json()
            assert {len(task["answers"]), task["chosen"]} == {2, ""}
            hashes = {each["text"].split()[0]: each["hash"] for each in task["answers"]}
            body = {"item": item, "labeller": "ann", "pair": ["on", "off"], "is_blind": True}
            await post(client, "preferences", body | {"chosen": hashes.get(chosen, chosen)})
            task = await (await client.get(f"{RUN}/labels/items/{item}", params=pair)).json()
            assert task["chosen"] == hashes.get(chosen, chosen)
        (counted,) = (await get(client, "labels"))["preferences"]
        assert (counted["first"], counted["first_wins"], counted["second_wins"]) == ("off", 1, 2)
        assert counted["equal"] == 1
        place = await (await client.get(f"{RUN}/labels/next", params=pair)).json()
        assert place["done"] == 4

    rows = read_preferences(pairs_path(play(tmp_path, story)))
    assert [row.choice for row in rows] == ["second", "first", "second", "equal"]
    assert {(row.variant, row.other_variant) for row in rows} == {("off", "on")}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"answer_hash": "0"}, "has changed"),
        ({"labeller": "  "}, "who labels"),
        ({"labeller": "a\nb"}, "who labels"),
        ({"verdict": "good"}, "the request is wrong"),
        ({"span": [3, 3]}, "span"),
        ({"span": [0, 99]}, "span"),
        ({"item": 99}, "no question {name}"),
        ({"comment": "x" * 10_001}, "not a label"),
    ],
)
def test_wrong_labels_are_refused(tmp_path: Path, change: dict[str, Any], reason: str):
    """Nothing is written."""

    async def story(client: Client) -> None:
        new = said(await task_of(client, "q2"), "on", "right") | change
        assert reason in str((await post(client, "labels", new, 400))["error"])

    assert not play(tmp_path, story).exists()


def test_other_sites_and_readers_change_nothing(tmp_path: Path):
    """A foreign origin, no header of ours, no token, a form, and a page that only reads."""

    async def story(client: Client) -> None:
        new = said(await task_of(client, "q2"), "on", "right")
        url = f"{RUN}/labels"
        for headers in (
            {"Origin": "http://evil.example"},
            {"Origin": ""},
            {CHANGING[0]: "0"},
            {"Authorization": "Bearer wrong"},
            {"Content-Type": "text/plain"},
            {"Sec-Fetch-Site": "cross-site"},
        ):
            answer = await client.post(url, data=json.dumps(new), headers={"Content-Type": "application/json", **headers})  # fmt: skip
            assert answer.status in {401, 403, 415}, headers

    async def reading(client: Client) -> None:
        new = said(await task_of(client, "q2"), "on", "right")
        await post(client, "labels", new, 405)
        await post(client, "preferences", new, 405)

    assert not play(tmp_path, story).exists()
    assert not play(tmp_path, reading, is_read_only=True).exists()
