// From a question of a run to the search for its gold.

import type { RunView } from "../api";
import { formatRoute } from "../route";
import { t } from "../words";

interface Props {
  readonly run: RunView;
  readonly id: string;
  readonly text: string;
}

export function GoldLink({ run, id, text }: Props) {
  const path = run.setup.header.questions_path;
  if (run.card.job !== "ablation" || typeof path !== "string" || !path.endsWith(".jsonl")) return null;
  // an item that was asked at several places has its placement behind its id
  const question = run.items > (run.card.questions ?? run.items) ? id.slice(0, id.lastIndexOf("::")) : id;
  return (
    <p class="gold-link">
      <a href={formatRoute({ screen: "search", text: text.slice(0, 300), source: "", path, question })}>{t("Find gold in the documents")}</a>
    </p>
  );
}
