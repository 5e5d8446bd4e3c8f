// Scores with their reasons, stages, cost, and the recorded row of an answer.

import type { AnswerView, ItemView, RunView, ScoreView } from "../api";
import { Verdicts } from "../judge/Verdicts";
import { useSettings } from "../state/settings";
import { factsOf } from "../text/fact";
import { MISSING } from "../look";
import { count, duration, money } from "../text/number";
import { fill, plural, said } from "../words";
import { PlainText } from "./PlainText";
import { RawRow } from "./RawRow";
import { TableFrame } from "./TableFrame";

interface Props {
  readonly run: RunView;
  readonly item: ItemView;
  readonly answer: AnswerView;
  readonly baseline: AnswerView | undefined;
}

export function AnswerDetails({ run, item, answer, baseline }: Props) {
  return (
    <div class="details">
      <Scores answer={answer} baseline={baseline} />
      <Verdicts answer={answer} />
      <Stages answer={answer} />
      <Bill answer={answer} />
      <RawRow key={`${item.item} ${answer.variant}`} run={run.card.id} item={item.id} variant={answer.variant} />
    </div>
  );
}

function Scores({ answer, baseline }: Pick<Props, "answer" | "baseline">) {
  const { language, words } = useSettings();
  if (!answer.scores.length)
    return (
      <section>
        <h2>{words.question.scores}</h2>
        <p class="empty">{words.question.noScores}</p>
      </section>
    );
  const before = new Map(baseline?.scores.map((score) => [score.name, score.value]));
  const isDefined = ({ name, value }: ScoreView): boolean => value !== MISSING || (before.get(name) ?? MISSING) !== MISSING;
  const shown = answer.scores.filter(isDefined);
  return (
    <section>
      <h2>{words.question.scores}</h2>
      <TableFrame label={words.question.scores}>
        <table class="scores">
          <thead>
            <tr>
              <th scope="col">{words.question.score_}</th>
              {baseline && (
                <th scope="col" class="right">
                  <PlainText text={baseline.variant} />
                </th>
              )}
              <th scope="col" class="right">
                <PlainText text={baseline ? answer.variant : words.question.value} />
              </th>
              <th scope="col">{words.question.reason}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((score) => (
              <tr key={score.name}>
                <th scope="row">{said(score.title, language)}</th>
                {baseline && <td class="right number faint">{before.get(score.name) ?? MISSING}</td>}
                <td class="right number">
                  <PlainText text={score.value} />
                </td>
                <td class="reason">
                  <PlainText text={said(score.reason, language)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
      <Undefined scores={answer.scores.filter((score) => !isDefined(score))} />
    </section>
  );
}

/** The scores that this question has none of, with the reason; folded, because there may be many. */
function Undefined({ scores }: { scores: readonly ScoreView[] }) {
  const { language, words } = useSettings();
  if (!scores.length) return null;
  return (
    <details class="undefined-scores">
      <summary>{fill(plural(words.question.undefinedScores, scores.length, language), { n: count(scores.length, language) })}</summary>
      <ul>
        {scores.map((score) => (
          <li key={score.name}>
            {said(score.title, language)} – <PlainText text={said(score.reason, language)} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Stages({ answer }: { answer: AnswerView }) {
  const { language, words } = useSettings();
  if (!answer.stages.length) return null;
  return (
    <section>
      <h2>{words.question.stages}</h2>
      <TableFrame label={words.question.stages}>
        <table class="stages">
          <thead>
            <tr>
              <th scope="col">{words.question.stage}</th>
              <th scope="col" class="right">
                {words.question.time}
              </th>
              <th scope="col">{words.question.kept}</th>
            </tr>
          </thead>
          <tbody>
            {answer.stages.map((stage, at) => (
              <tr key={at} class={stage.skipped !== null ? "faint" : ""}>
                <th scope="row">
                  <PlainText text={stage.name} />
                </th>
                <td class="right number">{duration(stage.elapsed_s, language)}</td>
                <td class="reason">
                  <PlainText text={stage.skipped !== null ? words.question.skippedStage.replace("{reason}", () => stage.skipped ?? "") : factsOf(stage.detail, language)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
    </section>
  );
}

function Bill({ answer }: { answer: AnswerView }) {
  const { language, words } = useSettings();
  const facts: [string, string][] = [
    [
      words.question.latency,
      duration(answer.elapsed_s, language) + (answer.is_first_in_flight ? ` (${words.question.firstInFlight})` : ""),
    ],
    [words.question.cost, money(answer.cost, language)],
    [words.question.tokens, answer.tokens ? answer.tokens.map((number) => count(number, language)).join(", ") : MISSING],
    [words.question.attempts, count(answer.attempts, language)],
  ];
  return (
    <section>
      <h2>{words.question.cost}</h2>
      <dl class="bill">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="number">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
