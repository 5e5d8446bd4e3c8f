"""``assay ablate --stop-early`` from configuration to report and gate."""

import json
from typing import Any

EXPERIMENTS = """\
experiments:
  - name: alpha
    ablation_variable: alpha_enabled
    compare_to: alpha_off
    values: [false, true]
    early_stop: {level: 0.05, margin: 0.1}
"""
SYSTEM = """
SETTINGS = {"alpha_enabled": bool}

def ask(question, settings):
    number = int(question.split()[1])
    found = number % 5 == 0 or (settings["alpha_enabled"] and number % 3 > 0)
    return {"answer": "So it is [1].", "passages": ["c0"] if found else ["other"]}
"""


def test_an_experiment_stops_when_it_is_decided_and_says_so_everywhere(assay: Any):
    """Report, list and gate speak of the decision, and none of them prints a p-value."""
    assay.write_harbour(system=assay.write_system("ten", SYSTEM), experiments=EXPERIMENTS)
    lines = (
        {"id": f"n{n}", "question": f"Number {n} of all?", "gold_chunk_ids": ["c0"]}
        for n in range(120)
    )
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (assay.folder / "questions/questions.jsonl").write_text(text)
    done = assay.run("ablate", "-e", "alpha")
    assert done.returncode == 0, done.stderr
    assert "spared by early decisions" in done.stderr
    assert "alpha_on against alpha_off" in done.stdout
    assert "better, decided after" in done.stdout
    page = (assay.folder / "experiments/alpha.md").read_text(encoding="utf-8")
    assert "p = " not in page
    assert "p < " not in page
    summary = json.loads((assay.folder / "experiments/alpha.json").read_text())
    assert summary["state"] == "complete"
    assert summary["tally"]["spared"] > 50
    (effect,) = [e for e in summary["results"]["effects"] if e["metric"] == "avg_gold_coverage"]
    assert (effect["verdict"], effect["p_value"]) == ("better", None)
    assert effect["decision"]["questions"] == effect["n"]
    listed = assay.run("list").stdout
    assert "complete" in listed
    assert "spared" in listed
    gate = assay.run(
        "compare",
        *("--base", "experiments/alpha.jsonl", "--base-variant", "alpha_off"),
        *("--cand", "experiments/alpha.jsonl", "--variant", "alpha_on"),
    )
    assert gate.returncode == 0, gate.stderr
    assert "not tested" in gate.stdout
    assert "p = " not in gate.stdout


def test_a_metric_without_bounds_cannot_decide(assay: Any):
    """Latency and cost are refused before anything is asked."""
    assay.write_harbour(system=assay.write_system("ten", SYSTEM), experiments=EXPERIMENTS)
    refused = assay.run("ablate", "-e", "alpha", "--primary", "avg_latency_s")
    assert refused.returncode == 2
    assert "avg_latency_s cannot decide when to stop" in refused.stderr


def write_answers(assay: Any, count: int) -> None:
    """Questions with an expected answer and without gold."""
    lines = (
        {"id": f"n{n}", "question": f"Number {n} of all?", "answer": "yes"} for n in range(count)
    )
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (assay.folder / "questions/questions.jsonl").write_text(text)


YES_NO = """
SETTINGS = {"alpha_enabled": bool}

def ask(question, settings):
    return "yes" if settings.get("alpha_enabled") else "no"

def always(question):
    return "yes"

def never(question):
    return "no"
"""


def test_an_experiment_without_gold_is_decided_by_its_answers_as_a_plain_run_is(assay: Any):
    """Verdict, JSON and list speak of Answer right, and a named metric without values is refused."""
    assay.write_harbour(system=assay.write_system("ten", YES_NO), experiments=EXPERIMENTS)
    write_answers(assay, 40)
    refused = assay.run("ablate", "-e", "alpha", "--primary", "avg_gold_coverage")
    assert refused.returncode == 2
    assert "no question has gold" in refused.stderr
    assert "--primary answer_contained" in refused.stderr
    done = assay.run("ablate", "-e", "alpha", "--json")
    assert done.returncode == 0, done.stderr
    (found,) = json.loads(done.stdout)["experiments"]
    (effect,) = [e for e in found["results"]["effects"] if e["metric"] == "answer_contained"]
    assert (found["primary"], effect["verdict"]) == ("answer_contained", "better")
    assert found["results"]["variants"]["alpha_on"]["spared"] > 20
    assert json.loads(assay.run("list", "--json").stdout)[0]["metric"] == "answer_contained"
    rows = "experiments/alpha.jsonl"
    sides = ("--base-variant", "alpha_off", "--variant", "alpha_on")
    gate = assay.run("compare", "--base", rows, "--cand", rows, *sides)
    assert "answer_contained" in gate.stdout, gate.stderr


def test_a_plain_run_of_two_systems_stops_when_it_is_decided(assay: Any):
    """One system alone has nothing to be compared with."""
    assay.write_harbour(system=assay.write_system("ten", YES_NO), experiments=EXPERIMENTS)
    write_answers(assay, 40)
    systems = ("--system", "python:ten:never", "--system", "python:ten:always")
    alone = assay.run("run", *systems[:2], "--stop-early")
    assert alone.returncode == 2
    assert "--stop-early: there is nothing to compare" in alone.stderr
    done = assay.run("run", *systems, "--stop-early", "--concurrency", "4")
    assert done.returncode == 0, done.stderr
    assert "better, decided after 8 of 40 questions" in done.stdout
    assert "spared by early decisions" in done.stderr


DOCUMENTS = """\
experiments:
  - name: alpha
    ablation_variable: alpha_enabled
    compare_to: alpha_off
    values: [false, true]
    documents: sample
    early_stop: {}
"""


def write_documents(assay: Any, documents: int) -> None:
    """Four questions on each of some documents, sorted by document."""
    lines = (
        {
            "id": f"n{n}",
            "question": f"Number {n} of all?",
            "gold_chunk_ids": ["c0"],
            "source": f"d{n // 4}.md",
        }
        for n in range(4 * documents)
    )
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (assay.folder / "questions/questions.jsonl").write_text(text)


def test_a_run_is_about_what_was_chosen_from_its_first_question_to_its_report(assay: Any):
    """Whole documents are asked; another choice is refused, and with a fresh start it is taken."""
    assay.write_harbour(system=assay.write_system("ten", SYSTEM), experiments=DOCUMENTS)
    write_documents(assay, 60)
    done = assay.run("ablate", "-e", "alpha")
    assert done.returncode == 0, done.stderr
    assert "about documents like these" in done.stdout
    assert "graded scores that differ little" in done.stdout
    assert (
        "about documents like these 60, so each document counts as one observation" in done.stdout
    )
    assert "better, decided after" in done.stdout
    results = json.loads((assay.folder / "experiments/alpha.json").read_text())["results"]
    assert (results["method"]["estimand"], results["method"]["unit"]) == ("sample", "document")
    (effect,) = [e for e in results["effects"] if e["metric"] == "avg_gold_coverage"]
    assert effect["decision"]["questions"] % 4 == 0
    other = assay.run("ablate", "-e", "alpha", "--documents", "fixed")
    assert other.returncode == 2
    assert "begun with documents sample, and now it is fixed" in other.stderr
    shown = assay.run("report", "alpha", "--documents", "fixed")
    assert shown.returncode == 2
    assert "stopped early with documents: sample" in shown.stderr
    fresh = assay.run("ablate", "-e", "alpha", "--documents", "fixed", "--resume", "fresh")
    assert fresh.returncode == 0, fresh.stderr
    assert "questions on these 60 documents only; other documents may" in fresh.stdout


def test_changing_what_a_run_is_about_asks_nothing_again(assay: Any):
    """It is only another way to look at the same answers, with other intervals."""
    experiments = DOCUMENTS.replace("    documents: sample\n    early_stop: {}\n", "")
    assay.write_harbour(system=assay.write_system("ten", SYSTEM), experiments=experiments)
    write_documents(assay, 12)
    first = assay.run("ablate", "-e", "alpha")
    assert "about documents like these 12" in first.stdout
    second = assay.run("ablate", "-e", "alpha", "--documents", "fixed")
    assert "nothing was asked" in second.stderr
    assert "on these 12 documents only" in second.stdout
    header = json.loads((assay.folder / "experiments/alpha.json").read_text())["extra"]
    assert header["estimand"] == "fixed"
    report = assay.run("report", "alpha", "--documents", "sample")
    assert "about documents like these 12" in report.stdout


def test_too_few_documents_are_refused_before_anything_is_asked(assay: Any):
    """With and without early stopping, and by an estimate too."""
    system = assay.write_system("ten", SYSTEM)
    assay.write_harbour(system=system, experiments=DOCUMENTS)
    write_documents(assay, 9)
    for options in ((), ("--dry-run",)):
        refused = assay.run("ablate", "-e", "alpha", *options)
        assert refused.returncode == 2
        assert "documents: sample needs 10 documents" in refused.stderr
    plain = ("run", "--system", system, "--questions", "questions/questions.jsonl")
    refused = assay.run(*plain, "--documents", "sample")
    assert refused.returncode == 2
    assert "sample needs" in refused.stderr
    assert not list((assay.folder / "experiments").glob("*.jsonl"))
