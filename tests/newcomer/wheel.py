"""The first steps with an installed wheel: ``python wheel.py GATE_PAGE WHEEL`` in an empty folder.

It is run by the Python of an environment that has the wheel and what it requires, and nothing else;
so it imports nothing of the tests. The commands of both CI recipes come from the page as it is: only
the name of the package is replaced by the wheel.
"""

import os
import re
import subprocess
import sys
import urllib.request
from pathlib import Path
from xml.etree import ElementTree as ET

import yaml

INSTALL = "pip install assay-eval"
PREPARED = """
mkdir -p eval/data && cp ../demo/documents/ru/report.pdf eval/data/source.pdf
cp ../demo/eval/questions.jsonl eval/
assay quality --pdf eval/data/source.pdf --questions eval/questions.jsonl --out eval/runs/first.json
assay baseline eval/runs/first.json --out eval/baseline.json
"""
"""A project as the recipes expect it: a document, questions, and the baseline of an earlier run."""


def run(script: str, folder: Path, **variables: str) -> str:
    """Run a script as CI does, and return what it prints."""
    bin_folder = Path(sys.executable).parent
    path = f"{bin_folder}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script], cwd=folder, text=True, check=False,
        env={**os.environ, "PATH": path, **variables}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"ended with {done.returncode}:\n{script}\n{done.stdout[-3000:]}")
    return done.stdout


def say(line: str) -> None:
    """Show a step that went well, at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def recipes(page: Path) -> dict[str, list[str]]:
    """The scripts of the steps of each recipe on the page."""
    text = page.read_text(encoding="utf-8")

    def block(title: str) -> dict[str, dict[str, list[str]]]:
        section = text.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
        # the recipe in steps of one's own is the last one
        return yaml.safe_load(section.rpartition("```yaml\n")[2].partition("```")[0])

    actions = block("GitHub Actions")["jobs"].values()
    steps = [step["run"] for job in actions for step in job["steps"] if "run" in step]
    return {
        "GitHub Actions": steps,
        "GitLab CI": ["\n".join(block("GitLab CI")["answer-quality"]["script"])],
    }


def follow(name: str, scripts: list[str], wheel: Path) -> None:
    """Run a recipe in a project of its own; its gate must pass and write what it promises."""
    folder = Path(name.replace(" ", "-").lower())
    folder.mkdir()
    run(PREPARED, folder)
    if sum(script.count(INSTALL) for script in scripts) != 1:
        sys.exit(f"{name}: the recipe does not install with {INSTALL!r}")
    summary = folder / "summary.md"
    for script in scripts:
        run(
            script.replace(INSTALL, f"pip install {wheel}"),
            folder,
            GITHUB_STEP_SUMMARY=summary.name,
        )
    suite = ET.parse(folder / "gate" / "gate.xml").find("testsuite[@name='assay.gate']")
    if suite is None or (suite.get("failures"), suite.get("errors")) != ("0", "0"):
        sys.exit(f"{name}: the gate did not pass")
    page = (folder / "gate" / "gate.md").read_text(encoding="utf-8")
    if ": gate passed\n" not in page or (
        summary.exists() and summary.read_text(encoding="utf-8") != page
    ):
        sys.exit(f"{name}: the page of the gate is not as promised:\n{page[:1000]}")


def open_page(folder: Path) -> None:
    """Start the page, and read it and its script as a browser does."""
    command = Path(sys.executable).with_name("assay")
    words = (str(command), "view", "--no-open", "--port", "0")
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    with subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, text=True) as server:
        try:
            lines = iter(server.stdout.readline, "") if server.stdout else iter(())
            address = next(found[0] for line in lines if (found := re.search(r"http://\S+", line)))
            for part, least in ((address, 200), (address.partition("?")[0] + "app.js", 100_000)):
                with browser.open(part, timeout=30) as answer:
                    if len(answer.read()) < least:
                        sys.exit(f"the page is not complete: {part.partition('?')[0]}")
        finally:
            server.terminate()


def main() -> None:
    """Take the steps; the first one that fails ends the program with what it printed."""
    page, wheel = (Path(word).resolve() for word in sys.argv[1:])
    say(run("assay --version", Path()).strip())
    say(run("assay demo demo", Path()).splitlines()[-1])
    open_page(Path("demo"))
    say("the page opens")
    for name, scripts in recipes(page).items():
        follow(name, scripts, wheel)
        say(f"{name}: the gate passes")


if __name__ == "__main__":
    main()
