"""What surrounds the jobs: a new workspace, chunks from documents, past runs, the doctor."""

from tests.golden.file import pdf
from tests.golden.scenario.ablation import DESK_FILES
from tests.golden.step import Edit, Keep, ListFiles, Run, Scenario, Write

LEASE = """\
# Lease

## 1. Parties

The Landlord lets the flat at 17 Mill Lane to the Tenant.

## 2. Rent

The rent is 900 crowns a month. It falls due on the fifth day. Late rent costs 5 crowns a day.
"""
CODE = "第一章 总则\n\n第一条 为了维护秩序，制定本条例。\n\n第二条 本条例适用于全市。\n"
ORDER = "Приказ № 7\n\n1. Общие положения\n\nНастоящий приказ вступает в силу 1 марта 2031 года.\n"

NEW = Scenario(
    "workspace",
    (
        Run("list"),
        Run("list --json", save="none.json"),
        Run("doctor"),
        Run("init desk"),
        ListFiles("desk"),
        Keep("desk/experiments/experiments.yaml", "experiments.yaml"),
        Keep("desk/chunks/manifest.json"),
        Run("init desk", exit=2),
        Run("doctor --root desk"),
        Run("list --root desk"),
        Run("schema", save="schema.json"),
        Write("documents/lease.md", LEASE),
        Write("documents/zh/code.txt", CODE),
        Write("documents/order.txt", ORDER),
        Write("documents/note.pdf", pdf(("A note of one page.",), ("And of a second page.",))),
        Run("ingest documents --tokens 40 --overlap 8 --json", save="ingest.json"),
        Keep("chunks/lease.md.jsonl", "lease.jsonl"),
        Keep("chunks/zh--code.txt.jsonl", "code.jsonl"),
        Keep("chunks/order.txt.jsonl", "order.jsonl"),
        Keep("chunks/note.pdf.jsonl", "note.jsonl"),
        Run("ingest documents --tokens 40 --overlap 8", leaves=("chunks/lease.md.jsonl",)),
        Write("documents/broken.pdf", "no PDF"),
        Run("ingest documents --tokens 40 --overlap 8 --strict", exit=1),
        Run("cache info"),
        *DESK_FILES,
        Run("doctor", exit=0),
        Run("doctor --system python:desk:ask --question 'What does room 3 cost?'"),
        Edit("desk.py", lambda text: text.replace("async def ask", "async def asked")),
        Run("doctor --system python:desk:ask", exit=1),
        Edit("experiments/experiments.yaml", lambda text: text.replace("top_k: 3", "top_kk: 3")),
        Run("doctor", exit=1),
    ),
)
SCENARIOS = (NEW,)
