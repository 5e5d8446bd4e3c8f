// A run that goes on: how far, how fast, what it costs, what it has so far, its last answers.

import type { LiveRun } from "../api";
import { PlainText } from "../parts/PlainText";
import { useSettings } from "../state/settings";
import { count, duration, money } from "../text/number";
import { t } from "../words";
import { LastAnswers } from "./LastAnswers";
import { LiveBar, useLeft, useRate } from "./LiveBar";
import { LiveValues } from "./LiveValues";

export function LivePanel({ run }: { run: LiveRun }) {
  const { language } = useSettings();
  const left = useLeft();
  const progress = { done: count(run.done, language), total: count(run.total, language) };
  return (
    <section class="live-panel" aria-label={t("This run goes on")}>
      <p class="lead">
        <span class="number">{t("{done} of {total}", progress)}</span>
        <span class="eta number">{left(run)}</span>
      </p>
      <LiveBar run={run} />
      <Facts run={run} />
      <LiveValues run={run} />
      <LastAnswers run={run} />
      <p class="note">
        {t("Running for")} {duration(run.elapsed_s === null ? null : Math.round(run.elapsed_s), language)}
      </p>
    </section>
  );
}

/** The kinds of failures. */
function kindWord(kind: string): string {
  const words: Readonly<Record<string, string>> = { timeout: t("timeout"), rate_limit: t("rate limit"), system: t("system"), other: t("other") };
  return words[kind] ?? kind;
}

function Facts({ run }: { run: LiveRun }) {
  const { language } = useSettings();
  const rate = useRate();
  const { failed, answered, skipped } = run.counts;
  return (
    <dl class="live-facts">
      <div>
        <dt>{t("Speed")}</dt>
        <dd class="number">{rate(run.rate)}</dd>
      </div>
      <div>
        <dt>{t("Spent")}</dt>
        <dd class="number">
          {run.paid === null ? t("nothing has a price") : money(run.paid, language)}
          {run.ceiling !== null && (
            <span class="faint"> {t("of {amount} at most", { amount: money(run.ceiling, language) })}</span>
          )}
          {run.ceiling !== null && run.paid !== null && (
            <meter min={0} max={run.ceiling} high={run.ceiling * 0.9} value={run.paid} aria-label={t("Spent")} />
          )}
        </dd>
      </div>
      <div>
        <dt>{t("Failed")}</dt>
        <dd class={failed ? "failed" : ""}>
          <span class="number">{count(failed, language)}</span>
          {run.failures.length > 0 && (
            <ul class="kinds">
              {run.failures.map(([kind, n]) => (
                <li key={kind}>
                  <PlainText text={kindWord(kind)} /> <span class="number">{count(n, language)}</span>
                </li>
              ))}
            </ul>
          )}
        </dd>
      </div>
      {answered > 0 && (
        <div>
          <dt>{t("not judged")}</dt>
          <dd class="number">{count(answered, language)}</dd>
        </div>
      )}
      {skipped > 0 && (
        <div>
          <dt>{t("skipped")}</dt>
          <dd class="number">{count(skipped, language)}</dd>
        </div>
      )}
    </dl>
  );
}
