// The questions that changed between two runs, worst first, with both answers side by side.

import { useState } from "preact/hooks";
import type { ChangedItem, CompareView } from "../api";
import { formatRoute, NO_FILTER } from "../route";
import { useSettings } from "../state/settings";
import { MISSING } from "../look";
import { count, significant } from "../text/number";
import { oneLine } from "../text/visible";
import { t, tn } from "../words";
import { Difference } from "./Difference";
import { PlainText } from "./PlainText";
import { Sign } from "./Sign";

const FIRST = 50;

export function ChangedQuestions({ view }: { view: CompareView }) {
  const { language } = useSettings();
  const [most, setMost] = useState(FIRST);
  if (view.exit_code === 2 && !view.changed.length) return null;
  const total = tn("{n} question changed", "{n} questions changed", view.changed_total);
  const shown = view.changed.slice(0, most);
  return (
    <section>
      <h2>{t("Questions that changed, worst first")}</h2>
      {view.changed.length === 0 ? (
        <p class="empty">{t("No question changed.")}</p>
      ) : (
        <p class="note">
          {total}
          {shown.length < view.changed_total && `; ${t("the first {n} are shown", { n: count(shown.length, language) })}`}
        </p>
      )}
      <div class="changed">
        {shown.map((item) => (
          <Changed key={item.id} item={item} view={view} />
        ))}
      </div>
      {most < view.changed.length && (
        <button type="button" onClick={() => setMost(most + FIRST)}>
          {t("Show more")}
        </button>
      )}
    </section>
  );
}

function Changed({ item, view }: { item: ChangedItem; view: CompareView }) {
  const { language } = useSettings();
  const [isOpen, setOpen] = useState(false);
  const number = (value: number | null): string => (value === null ? MISSING : significant(value, language));
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="number change">
          {number(item.before)} → <strong>{number(item.after)}</strong> <Sign name={signOf(item, view)} />
        </span>
        <code title={oneLine(item.id)}>{oneLine(item.id)}</code>
        <span class="changed-question">{oneLine(item.question.slice(0, 300))}</span>
      </summary>
      {isOpen && <Both item={item} view={view} />}
    </details>
  );
}

function signOf(item: ChangedItem, view: CompareView): "better" | "worse" | "failed" | null {
  if (item.after === null) return "failed";
  if (item.before === null) return null;
  const metric = view.metrics[0];
  if (!metric || metric.higher_is_better === null || item.before === item.after) return null;
  return item.after > item.before === metric.higher_is_better ? "better" : "worse";
}

function Both({ item, view }: { item: ChangedItem; view: CompareView }) {
  return (
    <div class="answer-columns side-by-side">
      <div class="answer">
        <h3>
          <PlainText text={view.base.name} /> <OpenLink run={view.base.id} name={view.base.name} item={item.base_item} />
        </h3>
        {item.base_answer === null ? (
          <p class="empty">{t("No answer.")}</p>
        ) : (
          <div class="text">
            <PlainText text={item.base_answer} />
          </div>
        )}
      </div>
      <div class="answer">
        <h3>
          <PlainText text={view.cand.name} /> <OpenLink run={view.cand.id} name={view.cand.name} item={item.cand_item} />
        </h3>
        {item.cand_answer === null ? (
          <p class="empty">{t("No answer.")}</p>
        ) : item.base_answer === null || item.base_answer === item.cand_answer ? (
          <div class="text">
            <PlainText text={item.cand_answer} />
          </div>
        ) : (
          <Difference before={item.base_answer} after={item.cand_answer} name={view.base.name} />
        )}
      </div>
    </div>
  );
}

function OpenLink({ run, name, item }: { run: string; name: string; item: string | null }) {
  if (item === null) return <span class="faint">{t("not in this run")}</span>;
  const address = formatRoute({ screen: "question", run, item, at: null, chosen: "", filter: NO_FILTER });
  return (
    <a class="open" href={address} aria-label={t("Open in {run}", { run: name })}>
      ↗
    </a>
  );
}
