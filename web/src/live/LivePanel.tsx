// A run that goes on: how far, how fast, what it costs, what it has so far, its last answers.

import type { LiveRun } from "../api";
import { PlainText } from "../parts/PlainText";
import { useSettings } from "../state/settings";
import { count, duration, money } from "../text/number";
import { fill } from "../words";
import { LastAnswers } from "./LastAnswers";
import { LiveBar, useLeft, useRate } from "./LiveBar";
import { LiveValues } from "./LiveValues";

export function LivePanel({ run }: { run: LiveRun }) {
  const { language, words } = useSettings();
  const left = useLeft();
  const progress = { done: count(run.done, language), total: count(run.total, language) };
  return (
    <section class="live-panel" aria-label={words.live.title}>
      <p class="lead">
        <span class="number">{fill(words.runs.progress, progress)}</span>
        <span class="eta number">{left(run)}</span>
      </p>
      <LiveBar run={run} />
      <Facts run={run} />
      <LiveValues run={run} />
      <LastAnswers run={run} />
      <p class="note">
        {words.live.elapsedNote} {duration(run.elapsed_s === null ? null : Math.round(run.elapsed_s), language)}
      </p>
    </section>
  );
}

function Facts({ run }: { run: LiveRun }) {
  const { language, words } = useSettings();
  const rate = useRate();
  const { failed, answered, skipped } = run.counts;
  return (
    <dl class="live-facts">
      <div>
        <dt>{words.live.rate}</dt>
        <dd class="number">{rate(run.rate)}</dd>
      </div>
      <div>
        <dt>{words.live.spent}</dt>
        <dd class="number">
          {run.paid === null ? words.live.free : money(run.paid, language)}
          {run.ceiling !== null && (
            <span class="faint"> {fill(words.live.ofCeiling, { amount: money(run.ceiling, language) })}</span>
          )}
          {run.ceiling !== null && run.paid !== null && (
            <meter min={0} max={run.ceiling} high={run.ceiling * 0.9} value={run.paid} aria-label={words.live.spent} />
          )}
        </dd>
      </div>
      <div>
        <dt>{words.live.failures}</dt>
        <dd class={failed ? "failed" : ""}>
          <span class="number">{count(failed, language)}</span>
          {run.failures.length > 0 && (
            <ul class="kinds">
              {run.failures.map(([kind, n]) => (
                <li key={kind}>
                  <PlainText text={words.live.kinds[kind] ?? kind} /> <span class="number">{count(n, language)}</span>
                </li>
              ))}
            </ul>
          )}
        </dd>
      </div>
      {answered > 0 && (
        <div>
          <dt>{words.counts.answered}</dt>
          <dd class="number">{count(answered, language)}</dd>
        </div>
      )}
      {skipped > 0 && (
        <div>
          <dt>{words.counts.skipped}</dt>
          <dd class="number">{count(skipped, language)}</dd>
        </div>
      )}
    </dl>
  );
}
