"""The judges that ``experiments.yaml`` names."""

from assay.config import Document, ExperimentFile, JudgeConfig, Workspace, nearest
from assay.errors import UseError
from assay.journal import Summary
from assay.judges.rubric import PairJudge, Rubric, RubricJudge, own_rubric, rubric_named
from assay.systems import SystemContext, model_client


def load_judge(
    name: str,
    workspace: Workspace,
    document: Document[ExperimentFile] | None,
    context: SystemContext,
    *,
    retries: int | None = None,
) -> RubricJudge:
    """The judge ``name`` of the configuration; ``retries`` replaces that of its model."""
    client = model_client(_config(name, document).model, context, retries=retries)
    return RubricJudge(name, load_rubric(name, workspace, document), client)


def load_pair_judge(
    name: str,
    document: Document[ExperimentFile] | None,
    context: SystemContext,
    *,
    retries: int | None = None,
) -> PairJudge:
    """The model of the judge ``name``, asked which of two answers is better."""
    return PairJudge(name, model_client(_config(name, document).model, context, retries=retries))


def load_rubric(
    name: str, workspace: Workspace, document: Document[ExperimentFile] | None
) -> Rubric:
    """The rubric of the judge ``name``: one of the package, or a Markdown file."""
    config = _config(name, document)
    if not config.rubric.endswith(".md"):
        return rubric_named(config.rubric)
    assert document is not None
    path = workspace.resolve(config.rubric, document.where("judges", name, "rubric"))
    return own_rubric(path)


def same_model_warning(judge: RubricJudge | PairJudge, name: str, summary: Summary | None) -> str:
    """A warning if the judge asks the same model that gave the answers; empty if it does not."""
    if summary is None:
        return ""
    model = judge.client.config.model
    asked = [summary.system, *(str(variant.settings) for variant in summary.variants)]
    systems = [text for text in asked if f":{model}@" in text or f" {model}@" in text]
    if not systems and not any(f"'{model}'" in text for text in asked):
        return ""
    return (
        f"the judge {name} asks {model}, the model that gave the answers: models prefer their own "
        "answers. Check it against labels (assay judge check), or use another model"
    )


def _config(name: str, document: Document[ExperimentFile] | None) -> JudgeConfig:
    judges = document.value.judges if document is not None else {}
    if name in judges:
        return judges[name]
    where = f"{document.path}: " if document is not None else ""
    if not judges:
        raise UseError(
            f"{where}no judges are configured; add to it, for example, "
            "judges: {correct: {model: NAME, rubric: correctness}}"
        )
    raise UseError(
        f"{where}there is no judge {name!r}{nearest(name, judges)}; known: {', '.join(judges)}"
    )
