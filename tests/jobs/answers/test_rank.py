"""Ranks, not positions: what MRR and nDCG are computed from, and what is not compared on them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from assay.checks.retrieval import gold_metrics
from assay.errors import SystemFailed, SystemLoadError, UseError
from assay.gate.gate import compare
from assay.gate.run_file import read_run
from assay.jobs.answers.handler import rescore_row
from assay.jobs.corpus.new_workspace import create_workspace
from assay.study.analysis import analyse_run
from assay.study.finding import RunFindings, effect_table
from assay.study.table import quality_table
from assay.systems.python.system import PythonSystem
from assay.systems.reply import to_answer
from tests.support.harbour import prepare_experiment, run_silently, write_harbour
from tests.support.json_server import JsonServer

HERE = "tests.jobs.answers.test_rank"
BY_RANK = ("gold_mrr", "gold_ndcg")
REPACK = """\
experiments:
  - name: repack
    ablation_variable: [repack_strategy, depth]
    variants:
      - { name: forward, repack_strategy: forward }
      - { name: reverse, repack_strategy: reverse }
      - { name: fewer, repack_strategy: reverse, depth: 1 }
"""
PASSAGES = "prompt_order"
"""What the module declares for its functions that do not declare it themselves."""


def _passages(question: str, settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The gold chunk first and two others; with ``reverse`` the other way round."""
    number = int(question.split()[3])
    passages = [{"id": f"fee-{number}"}, {"id": "x"}, {"id": "y"}]
    return passages[::-1] if settings.get("repack_strategy") == "reverse" else passages


def ask_in_prompt_order(question: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """A pipeline that lists its passages as its prompt has them."""
    return {"answer": "Sixty [1].", "passages": _passages(question, settings)}


def ask_by_rank(question: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The same pipeline, which says nothing about the order."""
    return ask_in_prompt_order(question, settings)


def ask_with_ranks(question: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """A pipeline that lists its passages in reverse and says the rank of each."""
    passages = _passages(question, {"repack_strategy": "reverse"})
    return {
        "answer": "Sixty [1].",
        "passages": [{**each, "rank": 3 - place} for place, each in enumerate(passages)],
    }


def ask_with_equal_ranks(question: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """A pipeline whose passages all have rank 1."""
    passages = _passages(question, settings)
    return {"answer": "Sixty [1].", "passages": [{**each, "rank": 1} for each in passages]}


def ask_for_more(question: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """A pipeline that lists five passages although three are asked for, the gold chunk last."""
    passages = [{"id": name} for name in "abcd"] + _passages(question, {})[:1]
    return {"answer": "Sixty [1].", "passages": passages}


def ask_for_more_in_prompt_order(question: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The same as a list without ranks, in the order of a prompt."""
    return ask_for_more(question, settings)


ask_for_more.PASSAGES = "rank"  # type: ignore[attr-defined]
ask_by_rank.PASSAGES = "rank"  # type: ignore[attr-defined]


def run(root: Path, function: str, *, more: str = "", system: str = "") -> Path:
    """Run the experiment ``repack`` with a function of this module; the journal."""
    write_harbour(root, system=system or f"python:{HERE}:{function}", experiments=REPACK, more=more)
    prepared = prepare_experiment(root, "repack", limit=3)
    assert run_silently(prepared).tally.scored == 9
    return prepared.journal


def values(findings: RunFindings, metric: str) -> dict[str, float | None]:
    """The value of each variant."""
    return {each.name: each.cells[metric].value for each in findings.analysis.variants}


def compared(findings: RunFindings, metric: str) -> set[str]:
    """The variants that are compared with the baseline on this metric."""
    return {effect.variant for effect in findings.analysis.effects if effect.metric == metric}


def test_a_system_s_ranks_are_used(tmp_path: Path):
    """The gold chunk is last in the list and has rank 1."""
    findings = analyse_run(run(tmp_path, "ask_with_ranks"))
    for metric in BY_RANK:
        assert values(findings, metric) == {"forward": 1.0, "reverse": 1.0, "fewer": 1.0}


def test_the_rank_itself_counts_and_not_the_place_among_ranks():
    """A passage of rank 4 has a reciprocal rank of a quarter, also if better ones were dropped."""
    answer = to_answer(
        {"answer": "a", "passages": [{"id": "x", "rank": 7}, {"id": "g", "rank": 4}]}
    )
    assert answer.passages is not None
    assert [passage.rank for passage in answer.passages] == [7, 4]
    assert gold_metrics(["g"], answer.passages)["gold_mrr"] == 0.25


@pytest.mark.parametrize("rank", [0, -1, "first", 1.5])
def test_a_rank_that_is_none_fails_the_case(rank: Any):
    """Ranks are counted from 1."""
    with pytest.raises(SystemFailed, match="cannot be read"):
        to_answer({"answer": "a", "passages": [{"id": "x", "rank": rank}]})


def test_without_ranks_the_order_is_the_rank(tmp_path: Path):
    """A system that declares nothing else lists the best passage first."""
    findings = analyse_run(run(tmp_path, "ask_by_rank"))
    assert values(findings, "gold_mrr")["forward"] == 1.0


def test_in_prompt_order_the_metrics_are_undefined_and_say_why(tmp_path: Path):
    """The rows and the table have no value, the other gold metrics do, and a note says why."""
    journal = run(tmp_path, "ask_in_prompt_order")
    rows = [json.loads(line) for line in journal.read_text().splitlines()]
    assert {row["prompt_order"] for row in rows} == {True}
    assert {row["scores"][metric] for row in rows for metric in BY_RANK} == {None}
    findings = analyse_run(journal)
    for metric in BY_RANK:
        assert set(values(findings, metric).values()) == {None}
    assert values(findings, "avg_gold_coverage")["reverse"] == 1.0
    notes = " ".join(quality_table(findings).notes)
    assert "9 answers list their passages in the order of the prompt and without ranks" in notes
    assert "MRR, nDCG@3 are undefined" in notes


def test_some_ranks_are_no_ranks():
    """If only some passages have a rank, the ranks are not known."""
    answer = to_answer({"answer": "a", "passages": [{"id": "g", "rank": 1}, {"id": "x"}]})
    assert gold_metrics(["g"], answer.passages)["gold_mrr"] is None
    assert gold_metrics(["g"], answer.passages)["gold_coverage"] == 1.0


def test_a_note_says_why_given_ranks_are_no_ranks(tmp_path: Path):
    """Passages that share a rank have none, and the reason is not the order of the prompt."""
    findings = analyse_run(run(tmp_path, "ask_with_equal_ranks"))
    assert set(values(findings, "gold_mrr").values()) == {None}
    assert (findings.unranked, findings.misranked) == (0, 9)
    notes = " ".join(quality_table(findings).notes)
    assert "9 answers have ranks for only some passages, or the same rank twice" in notes
    assert "MRR, nDCG@3 are undefined for them" in notes


def test_recall_at_k_is_about_the_best_k_of_a_longer_list(tmp_path: Path):
    """The gold chunk is the fifth passage: Recall@3 is 0, MRR is 1/5, and a note says why."""
    journal = run(tmp_path, "ask_for_more")
    findings = analyse_run(journal)
    for metric in ("gold_hit_any_rate", "gold_hit_all_rate", "avg_gold_coverage"):
        assert values(findings, metric)["forward"] == 0.0
    assert values(findings, "gold_mrr")["forward"] == pytest.approx(0.2)
    assert values(findings, "gold_ndcg")["forward"] == 0.0
    assert "9 answers have more than k passages" in " ".join(quality_table(findings).notes)
    rows = [json.loads(line) for line in journal.read_text().splitlines()]
    assert {row["more_than_top_k"] for row in rows} == {True}
    for row in rows:
        assert rescore_row(row)["scores"].items() <= row["scores"].items()


def test_the_best_k_of_a_longer_list_without_ranks_are_not_known(tmp_path: Path):
    """Recall@3 is undefined, and the questions are not said to have no gold."""
    findings = analyse_run(run(tmp_path, "ask_for_more_in_prompt_order"))
    assert set(values(findings, "avg_gold_coverage").values()) == {None}
    assert (findings.overlong, findings.unranked, findings.unlabelled) == (9, 9, 0)


@pytest.mark.parametrize(
    "entry",
    [
        f"{{kind: python, target: '{HERE}:ask_by_rank', passages: prompt_order}}",
        "{kind: http, url: '%s', passages: hits, passages_order: prompt_order}",
    ],
)
def test_a_configured_system_declares_the_order(tmp_path: Path, entry: str):
    """``passages: prompt_order`` of an entry under ``systems`` has the same effect."""
    reply = {"answer": "a", "hits": [{"id": f"fee-{n}"} for n in (1, 2, 3)]}
    with JsonServer(lambda _: reply) as server:
        entry = entry.replace("%s", server.url)
        journal = run(tmp_path, "", system="mine", more=f"systems:\n  mine: {entry}\n")
    findings = analyse_run(journal)
    assert set(values(findings, "gold_mrr").values()) == {None}
    assert findings.unranked == 9


def test_a_program_declares_the_order(tmp_path: Path):
    """A program's entry has ``passages: prompt_order`` too."""
    program = (
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    print(json.dumps({'answer': 'a', 'passages': ['fee-1', 'fee-2']}), flush=True)\n"
    )
    (tmp_path / "program.py").write_text(program)
    command = json.dumps(["python3", str(tmp_path / "program.py")])
    entry = f"{{kind: command, command: {command}, passages: prompt_order}}"
    journal = run(tmp_path, "", system="mine", more=f"systems:\n  mine: {entry}\n")
    assert set(values(analyse_run(journal), "gold_mrr").values()) == {None}


def test_a_wrong_declaration_is_refused():
    """The message says what can be written."""

    def ask(_: str) -> str:
        return ""

    with pytest.raises(SystemLoadError, match="write 'rank' or 'prompt_order'"):
        PythonSystem(ask, passages="forward")


def test_a_changed_declaration_scores_recorded_answers_again(tmp_path: Path):
    """It is no part of what was asked: nothing is asked, and all rows are judged."""
    entry = f"{{kind: python, target: '{HERE}:ask_by_rank'%s}}"
    run(tmp_path, "", system="mine", more=f"systems:\n  mine: {entry % ''}\n")
    write_harbour(
        tmp_path,
        system="mine",
        experiments=REPACK,
        more=f"systems:\n  mine: {entry % ', passages: prompt_order'}\n",
    )
    prepared = prepare_experiment(tmp_path, "repack", limit=3)
    result = run_silently(prepared)
    assert (result.asked, result.judged) == (0, 3)  # of the others it was known already
    assert set(values(analyse_run(prepared.journal), "gold_mrr").values()) == {None}


@pytest.mark.parametrize("function", ["ask_by_rank", "ask_with_ranks"])
def test_a_variant_that_changes_only_the_order_is_not_compared(tmp_path: Path, function: str):
    """It is compared on the other metrics; a note names the variant and the metrics."""
    findings = analyse_run(run(tmp_path, function))
    for metric in BY_RANK:
        assert compared(findings, metric) == {"fewer"}
    assert compared(findings, "avg_gold_coverage") == {"reverse", "fewer"}
    notes = " ".join(quality_table(findings).notes)
    assert "Only the order of the passages differs in reverse" in notes
    labels = [
        (row.label, row.cells[0].value)
        for row in effect_table(findings, findings.analysis.effects).rows
    ]
    assert ("reverse", "MRR") not in labels
    assert ("reverse", "Recall@3") in labels


def test_another_order_than_the_baseline_s_is_not_taken_for_the_rank(tmp_path: Path):
    """Without ranks the MRR of these variants is undefined, where it was 0.33 against 1.0."""
    findings = analyse_run(run(tmp_path, "ask_by_rank"))
    assert values(findings, "gold_mrr") == {"forward": 1.0, "reverse": None, "fewer": None}


def test_the_reference_pipeline_s_repack_is_not_compared_on_ranks(tmp_path: Path):
    """Its passages have ranks, so the values are equal; there is no comparison and no star."""
    create_workspace(tmp_path)
    prepared = prepare_experiment(tmp_path, "repack", limit=6)
    run_silently(prepared)
    findings = analyse_run(prepared.journal)
    assert len(set(values(findings, "gold_mrr").values())) == 1
    assert compared(findings, "gold_mrr") == compared(findings, "gold_ndcg") == set()
    assert compared(findings, "avg_gold_coverage")


def test_two_runs_that_differ_only_in_the_order_are_not_compared_on_ranks(tmp_path: Path):
    """``assay compare`` refuses these metrics for them and compares the others."""
    journal = run(tmp_path, "ask_with_ranks")
    sides = [read_run(journal, variant=name, metric="gold_mrr") for name in ("forward", "reverse")]
    with pytest.raises(UseError, match=r"gold_mrr: .*differ only in the order of the passages"):
        compare(*sides)
    sides = [read_run(journal, variant=name) for name in ("forward", "reverse")]
    assert compare(*sides).delta == 0.0


def test_a_factorial_design_leaves_out_effects_of_the_order_on_ranks(tmp_path: Path):
    """Main effect and interactions of such a switch are computed for the other metrics only."""
    design = """\
experiments:
  - name: repack
    design: factorial
    components:
      repack_strategy: [forward, reverse]
      lookup: [false, true]
"""
    write_harbour(tmp_path, system=f"python:{HERE}:ask_with_ranks", experiments=design)
    prepared = prepare_experiment(tmp_path, "repack", limit=3)
    run_silently(prepared)
    combined = {
        (effect.variant, effect.metric) for effect in analyse_run(prepared.journal).combined
    }
    assert ("lookup", "gold_mrr") in combined
    assert ("repack_strategy", "avg_gold_coverage") in combined
    assert not {pair for pair in combined if "repack" in pair[0] and pair[1] in BY_RANK}
