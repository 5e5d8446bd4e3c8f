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
import { fill, type Language, plural } from "../words";
import { board } from "./call";
import { useLabelWords } from "./words";

const VERDICTS = ["right", "partly", "wrong", "unclear"] as const;

export function Board({ run, isReadOnly }: { run: string; isReadOnly: boolean }) {
  const { language } = useSettings();
  const label = useLabelWords();
  const { data, error, again } = useLoad(`board ${run}`, (signal) => board(run, signal));
  if (error) return <Failure error={error} again={again} />;
  if (!data) return <Loading />;
  const hasAny = data.people.length > 0 || data.preferences.length > 0;
  const lead = fill(plural(label.boardLead, data.labelled, language), { n: count(data.labelled, language), total: count(data.answers, language) });
  return (
    <div class="label-board">
      <section>
        <p class="lead">{hasAny ? lead : label.nobody}</p>
        {!hasAny && <p class="faint">{label.nobodyHint}</p>}
        {data.distinct < data.labelled && <p class="note">{fill(plural(label.distinct, data.distinct, language), { n: count(data.distinct, language) })}</p>}
        <p class="label-start">
          {isReadOnly ? (
            <span class="faint">{label.readOnly}</span>
          ) : (
            <a class="button main" href={formatRoute({ screen: "label", run, item: null, isBlind: true, pair: [] })}>
              {label.title}
            </a>
          )}
        </p>
        {data.outdated > 0 && <p class="note">{fill(plural(label.outdated, data.outdated, language), { n: count(data.outdated, language) })}</p>}
      </section>
      {data.people.length > 0 && <People data={data} />}
      {data.people.length > 0 && <Agreement data={data} />}
      {data.people.length > 1 && <Differing run={run} data={data} />}
      {data.preferences.length > 0 && <Preferences data={data} />}
      {hasAny && (
        <section>
          <p class="note">{fill(label.file, { file: data.file })}</p>
          <p class="note">{label.exportHint}</p>
          <CopyLine command={`assay labels export ${run.split("/").pop() ?? run} --format csv --out labels.csv\nassay labels import ${run.split("/").pop() ?? run} labels.csv`} />
        </section>
      )}
    </div>
  );
}

function People({ data }: { data: LabelBoard }) {
  const { language } = useSettings();
  const label = useLabelWords();
  return (
    <section>
      <h2>{label.people}</h2>
      <TableFrame label={label.people}>
        <table>
          <thead>
            <tr>
              <th scope="col">{label.person}</th>
              {VERDICTS.map((verdict) => (
                <th key={verdict} scope="col" class="right">
                  {label.verdicts[verdict]}
                </th>
              ))}
              <th scope="col" class="right">
                {label.sum}
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
  const label = useLabelWords();
  if (data.people.length < 2)
    return (
      <section>
        <h2>{label.agreement}</h2>
        <p class="faint">{label.onePerson}</p>
      </section>
    );
  return (
    <section class="label-agreement">
      <h2>{label.agreement}</h2>
      <TableFrame label={label.agreement}>
        <table>
          <thead>
            <tr>
              <th />
              <th scope="col" class="right">
                {label.common}
              </th>
              <th scope="col" class="right">
                {label.same}
              </th>
              <th scope="col" class="right">
                {label.kappa}
              </th>
            </tr>
          </thead>
          <tbody>
            {data.pairs.map((pair) => (
              <tr key={`${pair.first}\n${pair.second}`}>
                <th scope="row">
                  <PlainText text={fill(label.pairOf, { first: pair.first, second: pair.second })} />
                </th>
                <td class="right number">{count(pair.n, language)}</td>
                <td class="right number">{count(pair.same, language)}</td>
                <td class="right number">{coefficient(pair.kappa, pair.interval, language)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{label.alpha}</th>
              <td class="right number">{count(data.shared, language)}</td>
              <td />
              <td class="right number">{coefficient(data.alpha, data.interval, language)}</td>
            </tr>
          </tfoot>
        </table>
      </TableFrame>
      <p class="note">{label.agreementNote}</p>
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
  const label = useLabelWords();
  return (
    <section class="label-queue">
      <h2>
        {label.disagreements} <span class="faint number">{count(data.disagreement_count, language)}</span>
      </h2>
      {data.disagreements.length === 0 ? (
        <p class="faint">{label.noDisagreements}</p>
      ) : (
        <ul>
          {data.disagreements.map((each, at) => (
            <Difference key={at} run={run} each={each} />
          ))}
        </ul>
      )}
      {data.disagreement_count > data.disagreements.length && <p class="note">{fill(label.shownFirst, { n: count(data.disagreements.length, language) })}</p>}
    </section>
  );
}

function Difference({ run, each }: { run: string; each: Disagreement }) {
  const label = useLabelWords();
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
              <strong class={`verdict-word ${verdict}`}>{label.verdicts[verdict] ?? verdict}</strong> <PlainText text={comment} />
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

function Preferences({ data }: { data: LabelBoard }) {
  const { language } = useSettings();
  const label = useLabelWords();
  return (
    <section>
      <h2>{label.preferences}</h2>
      {data.preferences.map((pair) => (
        <dl key={`${pair.first}\n${pair.second}`} class="bill">
          {[
            [fill(label.wins, { name: pair.first }), pair.first_wins],
            [fill(label.wins, { name: pair.second }), pair.second_wins],
            [label.equal, pair.equal],
            [label.verdicts.unclear ?? "", pair.unclear],
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
