// The judges of a run: their rates, corrected by labels, and how far they agree with people.

import { MISSING } from "../look";
import type { JudgePairView, JudgePreference, JudgeView, RunView } from "../api";
import { CopyLine } from "../parts/CopyLine";
import { PlainText } from "../parts/PlainText";
import { TableFrame } from "../parts/TableFrame";
import { NO_FILTER, runAddress } from "../route";
import { useSettings } from "../state/settings";
import { count, money, probability } from "../text/number";
import { fill, type Forms, plural } from "../words";
import { Agreement } from "./Agreement";
import { pointsWithInterval, withInterval } from "./number";
import { useJudgeWords } from "./words";

export function Judges({ run }: { run: RunView }) {
  const { language } = useSettings();
  const words = useJudgeWords();
  const name = run.card.id.split("/").pop() ?? run.card.id;
  if (!run.judges.length && !run.judge_preferences.length)
    return (
      <section>
        <p class="lead">{words.none}</p>
        <p class="faint">{words.noneHint}</p>
        <CopyLine command={`assay judge ${name} --judge correct --dry-run\nassay judge ${name} --judge correct`} />
      </section>
    );
  return (
    <div class="judges">
      <p class="lead">{fill(plural(words.lead, run.judges.length, language), { n: count(run.judges.length, language) })}</p>
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

function Judge({ run, judge, name }: { run: RunView; judge: JudgeView; name: string }) {
  const { language } = useSettings();
  const words = useJudgeWords();
  const said = (forms: Forms, n: number): string => (n ? fill(plural(forms, n, language), { n: count(n, language) }) : "");
  const facts = [
    fill(words.rubric, { rubric: words.rubrics[judge.rubric] ?? judge.rubric }),
    said(words.judged, judge.answers),
    said(words.unparsed, judge.unparsed),
    said(words.undefined, judge.undefined),
    judge.paid === null ? "" : fill(words.paid, { cost: money(judge.paid, language) }),
    said(words.earlier, judge.earlier),
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
        <summary>{words.identity}</summary>
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
  const words = useJudgeWords();
  const label = fill(words.rates, { judge: judge.name });
  const isCompared = judge.rates.length > 1;
  return (
    <>
      <TableFrame label={label}>
        <table class="judge-rates">
          <thead>
            <tr>
              <th scope="col">{words.variant}</th>
              {[words.alone, words.corrected, words.labelled, ...(isCompared ? [words.difference] : [])].map((title) => (
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
                    <span class="unknown">{fill(plural(words.missing, rate.missing, language), { n: count(rate.missing, language) })}</span>
                  ) : (
                    <strong>{withInterval(rate.corrected, rate.interval, language)}</strong>
                  )}
                </td>
                <td class="right number">{fill(words.of, { n: count(rate.labelled, language), total: count(rate.n, language) })}</td>
                {isCompared && (
                  <td class="right number">
                    {rate.difference === null
                      ? rate.raw_difference !== null && <span class="faint">{fill(words.aloneShort, { n: pointsWithInterval(rate.raw_difference, null, language) })}</span>
                      : pointsWithInterval(rate.difference, rate.difference_interval, language)}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
      <p class="note">{words.ratesNote}</p>
    </>
  );
}

function Missing({ judge, name }: { judge: JudgeView; name: string }) {
  const words = useJudgeWords();
  if (judge.rubric !== "correctness" || judge.rates.every(({ missing }) => !missing)) return null;
  return (
    <>
      <p class="note">{words.missingHint}</p>
      <CopyLine command={`assay labels plan ${name} --judge ${judge.name} --draw 80 --out sheet.jsonl`} />
    </>
  );
}

/** The answers on which somebody says the opposite, as filters of the list of questions. */
function Disagreements({ run, judge }: { run: RunView; judge: JudgeView }) {
  const { language } = useSettings();
  const words = useJudgeWords();
  const links: [string, Forms, number][] = [
    ["against_people", words.seePeople, judge.against_people],
    ["against_judges", words.seeJudges, judge.against_judges],
    ["judge_unparsed", words.seeUnparsed, judge.unparsed],
  ];
  const known = links.filter(([, , n]) => n > 0);
  if (!known.length) return null;
  return (
    <ul class="judge-links">
      {known.map(([show, forms, n]) => (
        <li key={show}>
          <a href={runAddress(run.card.id, "questions", { filter: { ...NO_FILTER, show, judge: judge.name } })}>
            {fill(plural(forms, n, language), { n: count(n, language) })}
          </a>
        </li>
      ))}
    </ul>
  );
}

function Compared({ pairs }: { pairs: readonly JudgePairView[] }) {
  const { language } = useSettings();
  const words = useJudgeWords();
  return (
    <section>
      <h2>{words.compared}</h2>
      <TableFrame label={words.compared}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.judge}</th>
              {[words.both, words.onlyFirst, words.onlySecond, words.neither, words.kappa].map((title) => (
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
                  <PlainText text={fill(words.pairOf, { first: pair.first, second: pair.second })} />
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
  const words = useJudgeWords();
  const facts: [string, string][] = [
    [fill(words.wins, { name: preference.first }), count(preference.first_wins, language)],
    [fill(words.wins, { name: preference.second }), count(preference.second_wins, language)],
    [words.equal, count(preference.equal, language)],
    [words.tie, count(preference.tie, language)],
    [words.sign, preference.p === null ? MISSING : probability(preference.p)],
  ];
  return (
    <section>
      <h2>
        <PlainText text={`${words.preferences}: judge.${preference.judge}`} />
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
