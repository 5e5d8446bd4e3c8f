// The judges of a run: their rates, corrected by labels, and how far they agree with people.

import { MISSING } from "../look";
import type { JudgePairView, JudgePreference, JudgeView, RunView } from "../api";
import { CopyLine } from "../parts/CopyLine";
import { PlainText } from "../parts/PlainText";
import { TableFrame } from "../parts/TableFrame";
import { NO_FILTER, runAddress } from "../route";
import { useSettings } from "../state/settings";
import { count, money, probability } from "../text/number";
import { t, tn } from "../words";
import { Agreement } from "./Agreement";
import { pointsWithInterval, withInterval } from "./number";

export function Judges({ run }: { run: RunView }) {
  const name = run.card.id.split("/").pop() ?? run.card.id;
  if (!run.judges.length && !run.judge_preferences.length)
    return (
      <section>
        <p class="lead">{t("No judge has judged this run.")}</p>
        <p class="faint">{t("A judge is a model that reads recorded answers. Name one in experiments.yaml, then see what it costs and ask it:")}</p>
        <CopyLine command={`assay judge ${name} --judge correct --dry-run\nassay judge ${name} --judge correct`} />
      </section>
    );
  return (
    <div class="judges">
      <p class="lead">{tn("{n} judge has judged these answers.", "{n} judges have judged these answers.", run.judges.length)}</p>
      {run.judges.map((judge) => (
        <Judge key={judge.name} run={run} judge={judge} name={name} />
      ))}
      {run.judge_pairs.length > 0 && <Compared pairs={run.judge_pairs} />}
      {run.judge_preferences.map((preference, at) => (
        <Preference key={at} preference={preference} />
      ))}
    </div>
  );
}

function rubricWord(rubric: string): string {
  const words: Readonly<Record<string, string>> = {
    correctness: t("correctness"),
    faithfulness: t("faithfulness"),
    citation_precision: t("citation precision"),
    citation_recall: t("citation recall"),
    relevance: t("relevance"),
    abstention: t("abstention"),
  };
  return words[rubric] ?? rubric;
}

function Judge({ run, judge, name }: { run: RunView; judge: JudgeView; name: string }) {
  const { language } = useSettings();
  const facts = [
    t("rubric {rubric}", { rubric: rubricWord(judge.rubric) }),
    judge.answers ? tn("{n} answer judged", "{n} answers judged", judge.answers) : "",
    judge.unparsed ? tn("{n} reply could not be read", "{n} replies could not be read", judge.unparsed) : "",
    judge.undefined ? tn("{n} answer without a score", "{n} answers without a score", judge.undefined) : "",
    judge.paid === null ? "" : t("paid {cost}", { cost: money(judge.paid, language) }),
    judge.earlier ? tn("{n} earlier judge of this name is in the file", "{n} earlier judges of this name are in the file", judge.earlier) : "",
  ];
  return (
    <section class="judge" aria-label={judge.name}>
      <h2>
        <PlainText text={`judge.${judge.name}`} />
      </h2>
      <p class="facts">
        {facts.filter(Boolean).map((fact) => (
          <span key={fact}>
            <PlainText text={fact} />
          </span>
        ))}
      </p>
      <details class="judge-identity">
        <summary>{t("Identity: rubric and prompts by hash, model, parameters")}</summary>
        <code>
          <PlainText text={judge.identity} />
        </code>
      </details>
      <Rates judge={judge} />
      <Missing judge={judge} name={name} />
      <Agreement judge={judge} name={name} />
      <Disagreements run={run} judge={judge} />
    </section>
  );
}

function Rates({ judge }: { judge: JudgeView }) {
  const { language } = useSettings();
  const label = t("Rates of {judge}", { judge: judge.name });
  const isCompared = judge.rates.length > 1;
  return (
    <>
      <TableFrame label={label}>
        <table class="judge-rates">
          <thead>
            <tr>
              <th scope="col">{t("Variant")}</th>
              {[t("Judge alone"), t("Corrected"), t("Labelled"), ...(isCompared ? [t("Difference to the baseline, points")] : [])].map((title) => (
                <th key={title} scope="col" class="right">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {judge.rates.map((rate, at) => (
              <tr key={at}>
                <th scope="row">
                  <PlainText text={rate.variant} />
                </th>
                <td class="right number faint">{withInterval(rate.raw, rate.raw_interval, language)}</td>
                <td class="right number">
                  {rate.corrected === null && rate.missing ? (
                    <span class="unknown">{tn("{n} label missing", "{n} labels missing", rate.missing)}</span>
                  ) : (
                    <strong>{withInterval(rate.corrected, rate.interval, language)}</strong>
                  )}
                </td>
                <td class="right number">{t("{n} of {total}", { n: count(rate.labelled, language), total: count(rate.n, language) })}</td>
                {isCompared && (
                  <td class="right number">
                    {rate.difference === null
                      ? rate.raw_difference !== null && <span class="faint">{t("judge alone {n}", { n: pointsWithInterval(rate.raw_difference, null, language) })}</span>
                      : pointsWithInterval(rate.difference, rate.difference_interval, language)}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
      <p class="note">{t("Corrected: by the labels of people; 95% intervals that contain the error of the questions and that of the labels. The judge alone is not corrected.")}</p>
    </>
  );
}

function Missing({ judge, name }: { judge: JudgeView; name: string }) {
  if (judge.rubric !== "correctness" || judge.rates.every(({ missing }) => !missing)) return null;
  return (
    <>
      <p class="note">{t("To draw the answers to label, with known probabilities:")}</p>
      <CopyLine command={`assay labels plan ${name} --judge ${judge.name} --draw 80 --out sheet.jsonl`} />
    </>
  );
}

/** The answers on which somebody says the opposite, as filters of the list of questions. */
function Disagreements({ run, judge }: { run: RunView; judge: JudgeView }) {
  const links: [string, string, number][] = [
    ["against_people", tn("{n} answer on which people say the opposite", "{n} answers on which people say the opposite", judge.against_people), judge.against_people],
    ["against_judges", tn("{n} answer on which another judge says the opposite", "{n} answers on which another judge says the opposite", judge.against_judges), judge.against_judges],
    ["judge_unparsed", tn("See the reply that could not be read", "See the replies that could not be read", judge.unparsed), judge.unparsed],
  ];
  const known = links.filter(([, , n]) => n > 0);
  if (!known.length) return null;
  return (
    <ul class="judge-links">
      {known.map(([show, text]) => (
        <li key={show}>
          <a href={runAddress(run.card.id, "questions", { filter: { ...NO_FILTER, show, judge: judge.name } })}>
            {text}
          </a>
        </li>
      ))}
    </ul>
  );
}

function Compared({ pairs }: { pairs: readonly JudgePairView[] }) {
  const { language } = useSettings();
  return (
    <section>
      <h2>{t("Judges compared")}</h2>
      <TableFrame label={t("Judges compared")}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("Judge")}</th>
              {[t("both yes"), t("only the first"), t("only the second"), t("both no"), t("Kappa")].map((title) => (
                <th key={title} scope="col" class="right">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {pairs.map((pair, at) => (
              <tr key={at}>
                <th scope="row">
                  <PlainText text={t("{first} and {second}", { first: pair.first, second: pair.second })} />
                </th>
                {[pair.both, pair.only_first, pair.only_second, pair.neither].map((n, at) => (
                  <td key={at} class="right number">{count(n, language)}</td>
                ))}
                <td class="right number">{withInterval(pair.kappa, pair.kappa_interval, language)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
    </section>
  );
}

function Preference({ preference }: { preference: JudgePreference }) {
  const { language } = useSettings();
  const facts: [string, string][] = [
    [t("{name} is better", { name: preference.first }), count(preference.first_wins, language)],
    [t("{name} is better", { name: preference.second }), count(preference.second_wins, language)],
    [t("equal"), count(preference.equal, language)],
    [t("the order decided"), count(preference.tie, language)],
    [t("sign test"), preference.p === null ? MISSING : probability(preference.p)],
  ];
  return (
    <section>
      <h2>
        <PlainText text={`${t("Which answer is better")}: judge.${preference.judge}`} />
      </h2>
      <dl class="bill">
        {facts.map(([title, value]) => (
          <div key={title}>
            <dt>
              <PlainText text={title} />
            </dt>
            <dd class="number">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
