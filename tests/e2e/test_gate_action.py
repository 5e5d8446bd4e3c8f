"""The action of the gate: its scripts run in bash as a runner runs them, on real comparisons."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from msgspec import Struct

from tests.support.path import ROOT

ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS = ACTION["runs"]["steps"]
EXPRESSION = re.compile(r"\$\{\{ (?:inputs\.([\w-]+)|steps\.([\w-]+)\.outputs\.([\w-]+)) \}\}")
IS_GIVEN = re.compile(r"inputs\.([\w-]+) != ''")
INSTALLED = {"version": "", "python-version": ""}
"""The inputs of a job that has installed assay already, as the tests have."""
SCORES = {"q1": 1.0, "q2": 0.5, "q3": 1.0}


class Ended(Struct, frozen=True, kw_only=True):
    """What a job sees of the action: its exit code, outputs, log, and the summary of the job."""

    code: int
    outputs: dict[str, str]
    log: str
    summary: str


def run_action(assay: Any, **inputs: str) -> Ended:
    """Run the steps that have a script, until one fails; ``_`` in the name of an input is ``-``."""
    given = {name: str(field.get("default", "")) for name, field in ACTION["inputs"].items()}
    given |= INSTALLED | {"base": "base.json", "candidate": "cand.json"}
    given |= {name.replace("_", "-"): text for name, text in inputs.items()}
    made: dict[str, dict[str, str]] = {}

    def filled(text: str) -> str:
        """The text with the values of its expressions, which are all of a kind known here."""
        done = EXPRESSION.sub(
            lambda m: given[m[1]] if m[1] else made.get(m[2], {}).get(m[3], ""), text
        )
        assert "${{" not in EXPRESSION.sub("", text)
        return done

    summary, code, log = assay.folder / "summary.md", 0, ""
    for step in STEPS:
        condition = step.get("if")
        if condition and not given[IS_GIVEN.fullmatch(condition)[1]]:  # type: ignore[index]
            continue
        output = assay.folder / "output"
        output.write_bytes(b"")
        environment = assay.environment | {
            "RUNNER_TEMP": str(assay.folder),
            "GITHUB_OUTPUT": str(output),
            "GITHUB_STEP_SUMMARY": str(summary),
            **{name: filled(text) for name, text in step["env"].items()},
        }
        assert step["shell"] == "bash"
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=assay.folder / filled(step["working-directory"]),
            env=environment, text=True, capture_output=True, timeout=120, check=False,
        )  # fmt: skip
        code, log = done.returncode, log + done.stdout + done.stderr
        made[step["id"]] = dict(line.split("=", 1) for line in output.read_text().splitlines())
        if code:
            break
    return Ended(
        code=code,
        outputs={name: filled(field["value"]) for name, field in ACTION["outputs"].items()},
        log=log,
        summary=summary.read_text(encoding="utf-8"),
    )


def write_run(assay: Any, name: str, scores: dict[str, float], **summary: str) -> None:
    """Write the results of a complete quality run."""
    results = [
        {"id": key, "question": f"{key}?", "answer": "…", "metrics": {"score": score}}
        for key, score in scores.items()
    ]
    told = {"state": "complete", "questions_sha256": "b2", **summary}
    (assay.folder / name).write_text(json.dumps({"summary": told, "results": results}))


@pytest.fixture(name="assay")
def _assay(assay: Any) -> Any:
    """The installed command, in a folder with a base run."""
    write_run(assay, "base.json", SCORES)
    return assay


def test_as_good_or_better_passes(assay: Any):
    """The step ends with 0; outputs, report and summary say by how much the candidate is better."""
    write_run(assay, "cand.json", {**SCORES, "q2": 1.0})
    done = run_action(assay)
    assert done.code == 0
    assert done.outputs["verdict"] == "passed"
    assert done.outputs["exit-code"] == "0"
    assert float(done.outputs["difference"]) == pytest.approx(0.5 / 3)
    report = Path(done.outputs["report"]).read_text(encoding="utf-8")
    assert report.startswith("### ✅ Answer quality: gate passed\n")
    assert done.summary == f"{report}\nVerdict: **passed** (exit code 0)\n"
    assert json.loads(Path(done.outputs["json"]).read_text())["verdict"] == "passed"
    assert "\ndifference   " in done.log
    assert "\n::notice title=Answer quality::gate passed; difference 0.16" in done.log


def test_worse_fails(assay: Any):
    """The step ends with 1, with an error of the job that names the drop."""
    write_run(assay, "cand.json", {**SCORES, "q1": 0.0})
    done = run_action(assay)
    assert done.code == 1
    assert done.outputs["verdict"] == "failed"
    assert done.outputs["exit-code"] == "1"
    assert float(done.outputs["difference"]) == pytest.approx(-1 / 3)
    assert "\n::error title=Answer quality::gate failed: " in done.log
    assert done.summary.startswith("### ❌ Answer quality: gate failed: ")
    assert done.summary.endswith("\nVerdict: **failed** (exit code 1)\n")


@pytest.mark.parametrize(
    ("inputs", "reason"),
    [
        ({"candidate": "absent 5%.json"}, "assay: absent 5%25.json: no such file"),
        ({"candidate": "other.json"}, "assay: questions_sha256 differs: base b2, candidate zz"),
        ({"min_delta": "much"}, "Error: Invalid value for '--min-delta'"),
    ],
    ids=["no candidate", "another set", "wrong use"],
)
def test_runs_that_cannot_be_compared_have_no_verdict(
    assay: Any, inputs: dict[str, str], reason: str
):
    """The step ends with 2 and the reason, or with a warning where the workflow says so."""
    write_run(assay, "cand.json", SCORES)
    write_run(assay, "other.json", dict.fromkeys(SCORES, 0.0), questions_sha256="zz")
    done = run_action(assay, **inputs)
    assert done.code == 2
    assert done.outputs["verdict"] == "no-verdict"
    assert done.outputs["exit-code"] == "2"
    assert done.outputs["difference"] == ""
    line = next(line for line in done.log.splitlines() if " title=No verdict on " in line)
    assert line.startswith("::error title=No verdict on answer quality::")
    assert reason in line
    assert reason.replace("%25", "%").removeprefix("assay: ") in done.summary.replace("\\_", "_")
    assert done.summary.endswith("\nVerdict: **no verdict** (exit code 2)\n")
    allowed = run_action(assay, allow_no_verdict="true", **inputs)
    assert allowed.code == 0
    assert allowed.outputs == {
        **done.outputs,
        **{n: allowed.outputs[n] for n in ("report", "json")},
    }
    assert f"\n{line.replace('::error', '::warning')}" in f"\n{allowed.log}"


def test_a_command_that_cannot_start_is_no_verdict(assay: Any):
    """Python ends with 1 if it cannot import assay, which is not the 1 of a failed gate."""
    folder = assay.folder / "bin"
    folder.mkdir()
    (folder / "assay").write_text("#!/bin/sh\necho 'ImportError: gone' >&2\nexit 1\n")
    (folder / "assay").chmod(0o755)
    assay.environment["PATH"] = f"{folder}:{assay.environment['PATH']}"
    done = run_action(assay)
    assert done.code == 2
    assert done.outputs["verdict"] == "no-verdict"
    assert done.outputs["exit-code"] == "1"
    assert "::error title=No verdict on answer quality::ImportError: gone\n" in done.log


@pytest.mark.parametrize(("code", "verdict"), [(0, "passed"), (1, "passed"), (2, "no-verdict")])
def test_the_candidate_is_made_by_the_command(assay: Any, code: int, verdict: str):
    """With 1 some cases failed, and the gate decides; otherwise an old file would be compared."""
    done = run_action(assay, command=f"cp base.json cand.json\necho made; exit {code}")
    assert "made\n" in done.log
    assert done.outputs["verdict"] == verdict
    assert ("the command that makes the candidate ended with 2" in done.summary) == (code == 2)


def test_an_old_candidate_is_no_verdict(assay: Any):
    """A command that fails with 1 before it writes leaves the file of an earlier run."""
    write_run(assay, "cand.json", {**SCORES, "q1": 1.0})
    done = run_action(assay, command="exit 1")
    assert done.outputs["verdict"] == "no-verdict"
    assert "the command that makes the candidate ended with 1" in done.summary


def test_more_options_are_on_lines_of_their_own(assay: Any):
    """The rest of a line is the value of its option, with its spaces."""
    write_run(assay, "cand.json", {**SCORES, "q1": 0.9}, questions_sha256="zz")
    lines = "--allow-mismatch\n--epsilon 0.2\n\n--metric score\n"
    done = run_action(assay, options=lines, min_delta="-0.1")
    assert done.outputs["verdict"] == "passed"
    named = run_action(assay, options="--allow-mismatch\n--metric no such metric")
    assert "no such metric" in named.log


def test_a_margin_takes_the_place_of_the_other_limits(assay: Any):
    """Three questions cannot tell, which fails unless the workflow lets it pass."""
    write_run(assay, "cand.json", {**SCORES, "q1": 0.9})
    done = run_action(assay, margin="0.03")
    assert done.outputs["verdict"] == "failed"
    assert (
        "::error title=Answer quality::gate undecided, which counts as failed: cannot tell whether score"
        in done.log
    )
    passed = run_action(assay, margin="0.03", pass_if_unclear="true")
    assert passed.outputs["verdict"] == "passed"
    both = run_action(assay, margin="0.03", min_delta="0.0")
    assert both.outputs["verdict"] == "no-verdict"


@pytest.mark.parametrize(
    "text", ["$(touch ran)", "`touch ran`", '"; touch ran; "', "'\ntouch ran\n'"]
)
def test_the_text_of_an_input_is_never_run(assay: Any, text: str):
    """Whatever an input says, it is one word of the comparison, and no line of the outputs."""
    write_run(assay, "cand.json", SCORES)
    switches = ("allow_no_verdict", "pass_if_unclear")
    names = ("base", "candidate", "min_delta", "max_regressions", "margin", "options", *switches)
    for name in names:
        done = run_action(assay, **{name: text})
        assert done.outputs["verdict"] == ("passed" if name in switches else "no-verdict")
    assert not (assay.folder / "ran").exists()


def test_a_question_gives_the_runner_no_orders(assay: Any):
    """Between the mark that stops commands and its end is all that comes from the files."""
    write_run(assay, "base.json", {"::add-mask::q": 1.0})
    write_run(assay, "cand.json", {"::add-mask::q": 0.0})
    done = run_action(assay)
    mark = re.search(r"::stop-commands::(stop-\d+)\n", done.log)
    assert mark is not None
    inside, _, after = done.log.partition(f"::{mark[1]}::\n")
    assert "::add-mask::q" in inside
    assert [line.partition("::")[2][:5] for line in after.splitlines()] == ["error"]


def test_a_folder_of_the_workflow_is_where_the_commands_run(assay: Any):
    """Paths of the inputs begin at the working directory."""
    inner = assay.folder / "work"
    inner.mkdir()
    shutil.move(assay.folder / "base.json", inner)
    done = run_action(assay, command="cp base.json cand.json", working_directory="work")
    assert done.outputs["verdict"] == "passed"


def test_scripts_have_no_text_of_the_workflow():
    """No script contains an expression, and what others wrote is pinned by its hash."""
    scripts = [step["run"] for step in STEPS if "run" in step]
    assert len(scripts) >= 3
    assert [script for script in scripts if "${{" in script] == []
    used = [step["uses"] for step in STEPS if "uses" in step]
    assert [name for name in used if not re.search(r"@[0-9a-f]{40}$", name)] == []


def test_the_newest_version_is_installed():
    """The action of a release installs that release."""
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## \[(\d+\.\d+\.\d+)\]", changes, re.MULTILINE)
    assert newest is not None
    assert ACTION["inputs"]["version"]["default"] == newest[1]
    (install,) = (step["run"] for step in STEPS if "pip install" in step.get("run", ""))
    assert install.endswith(' "assay-eval==$VERSION"')


def test_the_page_of_the_gate_uses_what_the_action_has():
    """Inputs and outputs in the example exist."""
    page = (ROOT / "docs" / "gate.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```yaml\n((?:(?!```).)*/assay@.*?)```", page, re.DOTALL)
    (step,) = (
        step
        for job in yaml.safe_load(example)["jobs"].values()
        for step in job["steps"]
        if "/assay@" in step.get("uses", "")
    )
    assert set(step["with"]) <= set(ACTION["inputs"])
    assert step["uses"].endswith(f"@v{ACTION['inputs']['version']['default']}")
    outputs = re.findall(rf"steps\.{step['id']}\.outputs\.([\w-]+)", page)
    assert outputs
    assert set(outputs) <= set(ACTION["outputs"])
