"""A conversation with the pipeline, for systems that keep one between questions.

``reset`` clears all of it: history, references and the latest evaluation. An evaluation asks
each question in a session that was reset, so that no answer leans on an earlier one.
"""

from assay.pipeline.pipeline import Pipeline
from assay.pipeline.settings import PipelineSettings
from assay.records import Answer, Passage, Stage


class Session:
    """What was asked and answered so far, and what the answers cited."""

    def __init__(self, pipeline: Pipeline, settings: PipelineSettings, *, top_k: int = 10) -> None:
        self._pipeline = pipeline
        self._settings = settings
        self._top_k = top_k
        self.reset()

    def reset(self) -> None:
        """Forget everything."""
        self.history: list[tuple[str, str]] = []
        self.references: list[Passage] = []
        self.reference_ids: dict[str, int] = {}
        self.latest_evaluation: tuple[Stage, ...] | None = None

    async def ask(self, question: str) -> Answer:
        """Answer a question and remember it. Each question is answered on its own."""
        answer = await self._pipeline.chat(question, self._settings, self._top_k)
        self.history.append((question, answer.text))
        for passage in answer.passages:
            if passage.id not in self.reference_ids:
                self.references.append(passage)
                self.reference_ids[passage.id] = len(self.references)
        self.latest_evaluation = answer.stages
        return answer
