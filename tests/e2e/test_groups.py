"""``assay report --by`` on a run of the installed command, with a field of its file of questions."""

import json
from typing import Any


def test_a_field_of_the_questions_divides_a_run(assay: Any):
    """The fields are those of the file that was asked; after a change it is not used any more."""
    questions = [
        {
            "id": f"q{n:02d}",
            "question": f"What is {n}?",
            "answer": f"value {n}",
            "language": ("en", "zh")[n % 2],
        }
        for n in range(40)
    ]
    right = {"old": {"en": 0.2, "zh": 0.8}, "new": {"en": 0.8, "zh": 0.2}}
    for name, shares in right.items():
        lines = [
            {**each, "answer": each["answer"] if n % 10 < 10 * shares[each["language"]] else "no"}
            for n, each in enumerate(questions)
        ]
        (assay.folder / f"{name}.jsonl").write_text("".join(json.dumps(x) + "\n" for x in lines))
    file = assay.folder / "questions.jsonl"
    file.write_text("".join(json.dumps(each) + "\n" for each in questions))
    asked = (
        "--questions",
        file.name,
        "--system",
        "replay:old.jsonl",
        "--system",
        "replay:new.jsonl",
    )
    ran = assay.run("run", *asked, "--name", "both")
    assert ran.returncode == 0, ran.stderr
    assert "in zh (by language): the mean hides opposite effects." in ran.stdout
    report = assay.run("report", "both", "--by", "language")
    assert report.returncode == 0, report.stderr
    assert "the effect differs between groups" in report.stdout
    page = assay.run("report", "both", "--by", "language", "--format", "html", "--out", "page.html")
    assert page.returncode == 0, page.stderr
    assert '"groups":{' in (assay.folder / "page.html").read_text(encoding="utf-8")
    file.write_text("")
    changed = assay.run("report", "both", "--by", "language")
    assert changed.returncode == 2
    assert "questions.jsonl has changed since this run" in changed.stderr
