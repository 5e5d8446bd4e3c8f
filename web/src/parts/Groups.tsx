// A run by groups of its questions: whether a variant helps everywhere, or only some of them.

import type { GroupView, RunView } from "../api";
import { type RunRoute } from "../route";
import { useLoad } from "../state/load";
import { replace } from "../state/location";
import { useSource } from "../state/source";
import { show, t } from "../words";
import { DifferencePlot } from "./DifferencePlot";
import { Failure } from "./Failure";
import { PlainText } from "./PlainText";
import { ReportTable } from "./ReportTable";
import { SelectField } from "./SelectField";

export function Groups({ route, run }: { route: RunRoute; run: RunView }) {
  const source = useSource();
  const field = run.fields.find(({ name }) => name === (route.group || run.shown_field))?.name ?? "";
  const known = run.metrics.some(({ name }) => name === route.metric);
  const metric = known && source.hasRows ? route.metric : run.primary;
  const { data, error, again } = useLoad(field && `groups ${run.card.id} ${field} ${metric} ${run.card.counts.scored}`, (signal) =>
    source.groups(run.card.id, field, metric, signal),
  );
  if (!run.fields.length) return null;
  const choices = run.fields.map(({ name, values }) => [name, `${name} (${values})`] as const);
  return (
    <section class="by-group">
      <div class="title-line">
        <h2>{t("By groups of questions")}</h2>
        <SelectField
          label={t("Field")}
          value={field}
          choices={[["", t("choose a field")], ...choices]}
          onChoose={(name) => replace({ ...route, group: name })}
        />
      </div>
      {!field && <p class="note">{t("Whether a variant helps all questions alike, or only those of a language, a document or a type.")}</p>}
      {error && <Failure error={error} again={again} />}
      {field && data && <Found view={data} run={run} />}
    </section>
  );
}

function Found({ view, run }: { view: GroupView; run: RunView }) {
  const metric = run.metrics.find(({ name }) => name === view.metric);
  return (
    <>
      {view.sentences.length > 0 && (
        <div class="sentences">
          <ul>
            {view.sentences.map((sentence, at) => (
              <li key={at}>
                <PlainText text={show(sentence)} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {metric &&
        view.plots.map(({ variant, differences }) => (
          <section key={variant}>
            <h3>
              <PlainText text={t("{variant} against {baseline}", { variant, baseline: run.baseline })} />
            </h3>
            <DifferencePlot differences={differences} metric={metric} label={variant} head={view.field} />
          </section>
        ))}
      {view.tables.map((table, at) => (
        <ReportTable key={at} table={table} />
      ))}
    </>
  );
}
