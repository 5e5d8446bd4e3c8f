"""All scenarios by their names; each file in ``scenario`` declares those of one job."""

from tests.golden.scenario import ablation, bench, depth, gate, misuse, quality, review, workspace
from tests.golden.step import Scenario

SCENARIOS: dict[str, Scenario] = {
    declared.name: declared
    for module in (ablation, depth, quality, review, bench, gate, misuse, workspace)
    for declared in module.SCENARIOS
}
