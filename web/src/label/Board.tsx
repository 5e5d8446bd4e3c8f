// The labels of a run: who labelled how much, how far people agree, and where they do not.

import type { Disagreement, Interval, LabelBoard } from "../api";
import { CopyLine } from "../parts/CopyLine";
import { Failure } from "../parts/Failure";
import { Loading } from "../parts/Loading";
import { PlainText } from "../parts/PlainText";
import { TableFrame } from "../parts/TableFrame";
import { formatRoute } from "../route";
import { useLoad } from "../state/load";
import { useSettings } from "../state/settings";
import { MINUS, MISSING } from "../look";
import { count } from "../text/number";
import { type Language, t, tn } from "../words";
import { board } from "./call";
import { labelWord } from "../words/named";

const VERDICTS = ["right", "partly", "wrong", "unclear"] as const;

export function Board({ run, isReadOnly }: { run: string; isReadOnly: boolean }) {
  const { language } = useSettings();
  const { data, error, again } = useLoad(`board ${run}`, (signal) => board(run, signal));
  if (error) return <Failure error={error} again={again} />;
  if (!data) return <Loading />;
  const hasAny = data.people.length > 0 || data.preferences.length > 0;
  const lead = tn("{n} of {total} answers is labelled.", "{n} of {total} answers are labelled.", data.labelled, { total: count(data.answers, language) });
  return (
    <div class="label-board">
      <section>
        <p class="lead">{hasAny ? lead : t("Nobody has labelled an answer of this run yet.")}</p>
        {!hasAny && <p class="faint">{t("Labels of people become a metric beside the others. Two people or more give agreement.")}</p>}
        {data.distinct < data.labelled && <p class="note">{tn("Equal answers of several variants to a question are one answer: below it is {n}.", "Equal answers of several variants to a question are one answer: below they are {n}.", data.distinct)}</p>}
        <p class="label-start">
          {isReadOnly ? (
            <span class="faint">{t("This page only reads. Start assay view with --allow-changes to label.")}</span>
          ) : (
            <a class="button main" href={formatRoute({ screen: "label", run, item: null, isBlind: true, pair: [] })}>
              {t("Label answers")}
            </a>
          )}
        </p>
        {data.outdated > 0 && <p class="note">{tn("{n} label is about an answer that has changed since, and does not count.", "{n} labels are about answers that have changed since, and do not count.", data.outdated)}</p>}
      </section>
      {data.people.length > 0 && <People data={data} />}
      {data.people.length > 0 && <Agreement data={data} />}
      {data.people.length > 1 && <Differing run={run} data={data} />}
      {data.preferences.length > 0 && <Preferences data={data} />}
      {hasAny && (
        <section>
          <p class="note">{t("Kept in {file}", { file: data.file })}</p>
          <p class="note">{t("To send them to somebody or to take theirs:")}</p>
          <CopyLine command={`assay labels export ${run.split("/").pop() ?? run} --format csv --out labels.csv\nassay labels import ${run.split("/").pop() ?? run} labels.csv`} />
        </section>
      )}
    </div>
  );
}

function People({ data }: { data: LabelBoard }) {
  const { language } = useSettings();
  return (
    <section>
      <h2>{t("People")}</h2>
      <TableFrame label={t("People")}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("Person")}</th>
              {VERDICTS.map((verdict) => (
                <th key={verdict} scope="col" class="right">
                  {labelWord(verdict)}
                </th>
              ))}
              <th scope="col" class="right">
                {t("Sum")}
              </th>
            </tr>
          </thead>
          <tbody>
            {data.people.map((person) => (
              <tr key={person.name}>
                <th scope="row">
                  <PlainText text={person.name} />
                </th>
                {person.verdicts.map((n, at) => (
                  <td key={at} class="right number">{count(n, language)}</td>
                ))}
                <td class="right number">{count(person.verdicts.reduce((a, b) => a + b, 0), language)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
    </section>
  );
}

function Agreement({ data }: { data: LabelBoard }) {
  const { language } = useSettings();
  if (data.people.length < 2)
    return (
      <section>
        <h2>{t("Agreement")}</h2>
        <p class="faint">{t("With the labels of a second person, you see their agreement here.")}</p>
      </section>
    );
  return (
    <section class="label-agreement">
      <h2>{t("Agreement")}</h2>
      <TableFrame label={t("Agreement")}>
        <table>
          <thead>
            <tr>
              <th />
              <th scope="col" class="right">
                {t("In common")}
              </th>
              <th scope="col" class="right">
                {t("The same")}
              </th>
              <th scope="col" class="right">
                {t("Cohen's kappa")}
              </th>
            </tr>
          </thead>
          <tbody>
            {data.pairs.map((pair) => (
              <tr key={`${pair.first}\n${pair.second}`}>
                <th scope="row">
                  <PlainText text={t("{first} and {second}", { first: pair.first, second: pair.second })} />
                </th>
                <td class="right number">{count(pair.n, language)}</td>
                <td class="right number">{count(pair.same, language)}</td>
                <td class="right number">{coefficient(pair.kappa, pair.interval, language)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{t("Krippendorff's alpha of all people")}</th>
              <td class="right number">{count(data.shared, language)}</td>
              <td />
              <td class="right number">{coefficient(data.alpha, data.interval, language)}</td>
            </tr>
          </tfoot>
        </table>
      </TableFrame>
      <p class="note">{t("1 is full agreement, 0 is chance. 95% intervals; questions are drawn, not answers. “Cannot tell” is a verdict as any other.")}</p>
    </section>
  );
}

function coefficient(value: number | null, interval: Interval | null, language: Language): string {
  if (value === null) return MISSING;
  const shown = (each: number): string => each.toLocaleString(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).replace("-", MINUS);
  return interval ? `${shown(value)} [${shown(interval.low)}; ${shown(interval.high)}]` : shown(value);
}

function Differing({ run, data }: { run: string; data: LabelBoard }) {
  const { language } = useSettings();
  return (
    <section class="label-queue">
      <h2>
        {t("Different verdicts")} <span class="faint number">{count(data.disagreement_count, language)}</span>
      </h2>
      {data.disagreements.length === 0 ? (
        <p class="faint">{t("No answer has different verdicts.")}</p>
      ) : (
        <ul>
          {data.disagreements.map((each, at) => (
            <Difference key={at} run={run} each={each} />
          ))}
        </ul>
      )}
      {data.disagreement_count > data.disagreements.length && <p class="note">{t("The first {n} are shown.", { n: count(data.disagreements.length, language) })}</p>}
    </section>
  );
}

function Difference({ run, each }: { run: string; each: Disagreement }) {
  return (
    <li>
      <p>
        <a href={formatRoute({ screen: "label", run, item: each.item, isBlind: false, pair: [] })}>
          <PlainText text={each.id} />
        </a>{" "}
        <span class="tag">
          <PlainText text={each.variants.join(", ")} />
        </span>{" "}
        <span class="faint">
          <PlainText text={each.question} />
        </span>
      </p>
      <dl>
        {each.said.map(([person, verdict, comment]) => (
          <div key={person}>
            <dt>
              <PlainText text={person} />
            </dt>
            <dd>
              <strong class={`verdict-word ${verdict}`}>{labelWord(verdict)}</strong> <PlainText text={comment} />
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

function Preferences({ data }: { data: LabelBoard }) {
  const { language } = useSettings();
  return (
    <section>
      <h2>{t("Preferences")}</h2>
      {data.preferences.map((pair) => (
        <dl key={`${pair.first}\n${pair.second}`} class="bill">
          {[
            [t("{name} is better", { name: pair.first }), pair.first_wins],
            [t("{name} is better", { name: pair.second }), pair.second_wins],
            [t("equally good"), pair.equal],
            [labelWord("unclear"), pair.unclear],
          ].map(([title, n]) => (
            <div key={title}>
              <dt>
                <PlainText text={String(title)} />
              </dt>
              <dd class="number">{count(Number(n), language)}</dd>
            </div>
          ))}
        </dl>
      ))}
    </section>
  );
}
